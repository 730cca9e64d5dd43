#include "form/closed_form.h"
#include "base/units.h"
#include "registry/registry.h"
#include "api/integers.h"
#include <math.h>

static size_t gcd(size_t a, size_t b)
{
    return b ? gcd(b, a % b) : a;
}

// Returns the least number of elements that both p and 2^floor(log2 p) divide.
static size_t whole_blocks(int p)
{
    const size_t n = (size_t)p, pow2 = (size_t)pow2_floor(p);
    return n / gcd(n, pow2) * pow2;
}

size_t closed_form_least(int p, size_t elem)
{
    return units_multiply_sizes(2 * whole_blocks(p), elem);
}

bool closed_form_holds(int p, size_t m, size_t elem)
{
    return m % closed_form_least(p, elem) == 0;
}

size_t closed_form_unit(int p, size_t elem)
{
    return units_multiply_sizes(12, closed_form_least(p, elem));
}

static bool has_form(const Operation *op)
{
    return op->algorithm->formula && !op->c.counts && op->c.root == 0 && closed_form_holds(op->c.p, op->m, op->c.elem);
}

CollPoint closed_form_point(const Operation *op, bool eager)
{
    const int vectors = op->algorithm->collective == COLL_REDUCE_SCATTER_BLOCK ? op->c.p : 1;
    return (CollPoint){
        .p = op->c.p, .m = (int64_t)op->m * vectors, .nodes = op->c.nodes, .par = op->c.par, .eager = eager};
}

// ---- The counts in T ------------------------------------------------------------------------------------------------

static int64_t time_at(const CollAlgorithm *a, CollPoint *x, const int64_t cost[3])
{
    x->alpha = cost[0];
    x->beta = cost[1];
    x->gamma = cost[2];
    return a->formula(x);
}

bool closed_form_counts(const Operation *op, const Platform *platform, bool eager, int64_t count[3])
{
    const CollAlgorithm *a = op->algorithm;
    const double *v = platform->value, cost[] = {v[KEY_ALPHA], v[KEY_BETA], v[KEY_GAMMA]};
    if (!has_form(op) || a->shared)
        return false;
    // No rank sends or reduces more bytes than the product below, so the counts fit into 64 bits.
    CollPoint x = closed_form_point(op, eager);
    if ((double)x.m * operation_weight(a->collective, x.p) >= 0x1p60)
        return false;
    // T with one cost at 1 and the others at 0 counts how often it pays that cost. T with all three costs is at most
    // the sum of the three parts.
    double most = 0, dearest = 0; // the sum, and the largest cost that T contains
    for (int i = 0; i < 3; i++) {
        const int64_t unit[] = {i == 0, i == 1, i == 2};
        count[i] = time_at(a, &x, unit);
        if (count[i] < 0)
            return false;
        most += (double)count[i] * cost[i];
        dearest = count[i] > 0 ? fmax(dearest, cost[i]) : dearest;
    }
    if (most <= 0)
        return true;
    // Turn the figures into integers, in a unit as small as T allows. A cost above 0 stays above 0.
    const double scale = fmin(0x1p60 / most, 0x1p40 / dearest);
    int64_t whole[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        whole[i] = count[i] > 0 ? llrint(cost[i] * scale) + (cost[i] > 0 && cost[i] * scale < 0.5) : 0;
        sum += count[i] * whole[i];
    }
    const int64_t t = time_at(a, &x, whole);
    if (t == sum)
        return true;
    // The formula has maxima. T is linear between their kinks, so it grows by the count of a cost when that cost grows
    // by 1.
    for (int i = 0; i < 3; i++) {
        const int64_t more[] = {whole[0] + (i == 0), whole[1] + (i == 1), whole[2] + (i == 2)};
        count[i] = time_at(a, &x, more) - t;
    }
    return t == count[0] * whole[0] + count[1] * whole[1] + count[2] * whole[2];
}

// ---- T in shared memory ---------------------------------------------------------------------------------------------

// Returns the unit, in seconds, in which the figures become the integers that a formula takes. The unit is 10^-k with
// the smallest k >= 0 that makes all figures whole numbers; if that k would make T too large, it is the largest k that
// does not.
static double unit_for(const double *figure, int n, double time_s)
{
    double unit = 1;
    for (int k = 0; k < 24 && time_s < unit * 0x1p55 / 10; k++, unit /= 10) {
        bool whole = true;
        for (int i = 0; i < n; i++)
            whole &= fabs(figure[i] / unit - rint(figure[i] / unit)) <= 1e-12 * figure[i] / unit;
        if (whole)
            break;
    }
    return unit;
}

static double shared_form(const Operation *op, const Platform *platform, double time_s)
{
    const CollAlgorithm *a = op->algorithm;
    const double *v = platform->value;
    const double figures[] = {v[KEY_WRITE], v[KEY_READ] / v[KEY_LANES], v[KEY_GAMMA], v[KEY_FLAG]};
    const double unit = unit_for(figures, G_N_ELEMENTS(figures), time_s);
    for (size_t i = 0; i < G_N_ELEMENTS(figures); i++) // a unit that is too coarse for a figure would change T
        if (fabs(rint(figures[i] / unit) * unit - figures[i]) > 1e-6 * figures[i])
            return NAN;
    const double gamma_s = collectives[a->collective].reduces ? v[KEY_GAMMA] : 0;
    const double byte_s = fmax(gamma_s, fmax(v[KEY_WRITE], v[KEY_READ]));
    CollPoint x = closed_form_point(op, false);
    // A formula adds and compares parts of T, and it may look at a write, a flag or a reduction that T does not
    // contain. Each of these must stay below 2^60 units, so that their sums do not overflow.
    if (fmax(time_s, fmax(v[KEY_FLAG], byte_s * fmax((double)x.m, 1))) / unit >= 0x1p60)
        return NAN;
    x.gamma = llrint(gamma_s / unit);
    x.lanes = (int64_t)v[KEY_LANES];
    x.write = llrint(v[KEY_WRITE] / unit);
    x.read = llrint(v[KEY_READ] / (double)x.lanes / unit) * x.lanes;
    x.flag = llrint(v[KEY_FLAG] / unit);
    const int64_t t = a->formula(&x);
    return t < 0 ? NAN : (double)t * unit;
}

double closed_form(const Operation *op, const Platform *platform, bool eager, double time_s)
{
    if (op->algorithm->shared)
        return has_form(op) ? shared_form(op, platform, time_s) : NAN;
    int64_t n[3];
    if (!closed_form_counts(op, platform, eager, n))
        return NAN;
    const double *v = platform->value;
    return (double)n[0] * v[KEY_ALPHA] + (double)n[1] * v[KEY_BETA] + (double)n[2] * v[KEY_GAMMA];
}
