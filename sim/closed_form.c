#include "closed_form.h"
#include <math.h>

static size_t gcd(size_t a, size_t b)
{
    return b ? gcd(b, a % b) : a;
}

bool closed_form_holds(int p, size_t m, size_t elem)
{
    const size_t n = (size_t)p, pow2 = (size_t)pow2_floor(p);
    return m % (2 * elem * (n / gcd(n, pow2) * pow2)) == 0;
}

// Formulas are of integers: the figures in units of 10^-k s, k the least that makes all of them whole, or the largest
// that T allows.
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

double closed_form(const Operation *op, const Platform *platform, bool eager, double time_s)
{
    const CollAlgorithm *a = op->algorithm;
    const double *v = platform->value;
    if (!a->formula || op->c.counts || op->c.root != 0 || !closed_form_holds(op->c.p, op->m, op->c.elem))
        return NAN;
    const double figures[] = {v[a->shared ? KEY_WRITE : KEY_ALPHA],
                              a->shared ? v[KEY_READ] / v[KEY_LANES] : v[KEY_BETA], v[KEY_GAMMA],
                              a->shared ? v[KEY_FLAG] : 0};
    const double unit = unit_for(figures, G_N_ELEMENTS(figures), time_s);
    const int64_t lanes = a->shared ? (int64_t)v[KEY_LANES] : 1;
    const CollPoint x = {.p = op->c.p,
                         .m = (int64_t)op->m * (a->collective == COLL_REDUCE_SCATTER_BLOCK ? op->c.p : 1),
                         .per_node = op->c.per_node,
                         .par = op->c.par,
                         .alpha = llrint(v[KEY_ALPHA] / unit),
                         .beta = llrint(v[KEY_BETA] / unit),
                         .gamma = llrint(v[KEY_GAMMA] / unit),
                         .eager = eager,
                         .write = llrint(v[KEY_WRITE] / unit),
                         .read = llrint(v[KEY_READ] / (double)lanes / unit) * lanes,
                         .flag = llrint(v[KEY_FLAG] / unit),
                         .lanes = lanes};
    const int64_t t = a->formula(&x);
    return t < 0 ? NAN : (double)t * unit;
}
