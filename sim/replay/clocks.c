#include "replay/clocks.h"
#include "replay/vectorised.h"

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

VECTORISED void clocks_add(double *now, size_t n, double cost)
{
    for (size_t i = 0; i < n; i++)
        now[i] += cost;
}
