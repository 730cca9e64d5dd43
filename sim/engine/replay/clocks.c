#include "engine/replay/clocks.h"
#include "engine/replay/vectorised.h"
#include <stdint.h>

VECTORISED void clocks_exchange_eager(double *restrict now, const double *restrict old, const double *restrict from,
                                      size_t n, double sent, double received)
{
    for (size_t i = 0; i < n; i++) {
        const double a = old[i] + sent, b = from[i] + received;
        now[i] = a > b ? a : b;
    }
}

VECTORISED void clocks_exchange_rendezvous(double *restrict now, const double *restrict old,
                                           const double *restrict from, const double *restrict to, size_t n,
                                           double sent, double received)
{
    for (size_t i = 0; i < n; i++) {
        const double a = (old[i] > to[i] ? old[i] : to[i]) + sent;
        const double b = (old[i] > from[i] ? old[i] : from[i]) + received;
        now[i] = a > b ? a : b;
    }
}

VECTORISED void clocks_exchange_mixed(double *restrict now, const double *restrict old, const double *restrict from,
                                      const double *restrict to, size_t n, double sent, double received, double busy)
{
    for (size_t i = 0; i < n; i++) {
        const double a = (old[i] > to[i] ? old[i] : to[i]) + sent, b = from[i] + received, c = old[i] + busy;
        const double later = a > b ? a : b;
        now[i] = later > c ? later : c;
    }
}

VECTORISED void clocks_pairs_rendezvous(double *restrict low, double *restrict high, size_t n, double received)
{
    for (size_t i = 0; i < n; i++)
        low[i] = high[i] = (low[i] > high[i] ? low[i] : high[i]) + received;
}

VECTORISED void clocks_pairs_eager(double *restrict low, double *restrict high, size_t n, double received, double busy)
{
    for (size_t i = 0; i < n; i++) {
        const double a = low[i], b = high[i];
        low[i] = a + busy > b + received ? a + busy : b + received;
        high[i] = b + busy > a + received ? b + busy : a + received;
    }
}

VECTORISED bool clocks_later(const double *x, const double *a, const double *b, size_t n)
{
    int64_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong |= -(int64_t)(x[i] <= a[i]) | -(int64_t)(x[i] <= b[i]);
    return !wrong;
}

VECTORISED void clocks_add(double *now, size_t n, double cost)
{
    for (size_t i = 0; i < n; i++)
        now[i] += cost;
}
