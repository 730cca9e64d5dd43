#include "engine/formula/functions.h"
#include "times/times.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

// Returns the integer that is within 1e-9 of x, so that rounding errors do not count; x if there is none.
static double near(double x)
{
    return fabs(x - rint(x)) < 1e-9 ? rint(x) : x;
}
static bool is_integer(double x, double min, double max)
{
    return x >= min && x <= max && x == rint(x);
}
// Up to EXACT a double can hold every integer, and up to INTS an int can.
static const double EXACT = 0x1p53, INTS = 0x1p30;

double functions_ceil(double x)
{
    return ceil(near(x));
}
double functions_floor(double x)
{
    return floor(near(x));
}
double functions_log(double x, double k)
{
    const double d = log2(x) / log2(k);
    return pow(k, rint(d)) == x ? rint(d) : d;
}

double functions_popcount(double x)
{
    return is_integer(x, 0, EXACT) ? (double)__builtin_popcountll((uint64_t)x) : NAN;
}
double functions_knomial(double p, double k)
{
    return is_integer(p, 1, INTS) && is_integer(k, 2, INTS) ? (double)times_knomial_rounds((int)p, (int)k) : NAN;
}
double functions_bintree(double p)
{
    return is_integer(p, 2, INTS) ? (double)times_binary_rounds((int)p) : NAN;
}
double functions_popcounts(double p)
{
    if (!is_integer(p, 0, EXACT))
        return NAN;
    const uint64_t n = (uint64_t)p;
    uint64_t sum = 0;
    for (uint64_t bit = 1; bit < n; bit *= 2) { // counts the numbers below p that have this bit
        const uint64_t rest = n % (2 * bit);
        sum += n / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
    }
    return (double)sum;
}
static double delta_of(double p)
{
    if (!is_integer(p, 1, EXACT))
        return NAN;
    uint64_t blocks = (uint64_t)p;
    int largest = 0;
    for (int below = __builtin_ctzll(blocks); blocks &= blocks - 1; below = __builtin_ctzll(blocks)) {
        const int difference = __builtin_ctzll(blocks) - below;
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

static double least(const double *x, int n)
{
    double y = x[0];
    for (int i = 1; i < n; i++)
        y = x[i] < y || isnan(x[i]) ? x[i] : y;
    return y;
}
static double largest(const double *x, int n)
{
    double y = x[0];
    for (int i = 1; i < n; i++)
        y = x[i] > y || isnan(x[i]) ? x[i] : y;
    return y;
}

const Function functions[] = {
    {"ceil", "(x)", 1, .one = functions_ceil},
    {"floor", "(x)", 1, .one = functions_floor},
    {"log2", "(x)", 1, .one = log2},
    {"log", "(x, k)", 2, .two = functions_log},
    {"ln", "(x)", 1, .one = log},
    {"log10", "(x)", 1, .one = log10},
    {"exp", "(x)", 1, .one = exp},
    {"sqrt", "(x)", 1, .one = sqrt},
    {"abs", "(x)", 1, .one = fabs},
    {"min", "(x, ..)", .any = least},
    {"max", "(x, ..)", .any = largest},
    {"popcount", "(x)", 1, .one = functions_popcount},
    {"popcounts", "(p)", 1, .one = functions_popcounts},
    {"knomial", "(p, k)", 2, .two = functions_knomial},
    {"bintree", "(p)", 1, .one = functions_bintree},
    {"delta", "(p)", 1, .one = delta_of},
};
const int n_functions = sizeof functions / sizeof *functions;

const Function *function_find(const char *name, int n)
{
    for (int i = 0; i < n_functions; i++)
        if (strncmp(functions[i].name, name, (size_t)n) == 0 && functions[i].name[n] == '\0')
            return &functions[i];
    return NULL;
}
