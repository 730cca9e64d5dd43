// What a formula takes where eager messages let ranks run apart: one clock for each rank.
#include "coll.h"
#include <stdlib.h>
#include <string.h>

Clocks clocks_new(int p)
{
    const size_t n = (size_t)p;
    return (Clocks){p, calloc(n, sizeof(int64_t)), calloc(n, sizeof(int64_t)), calloc(n, sizeof(int)),
                    calloc(n, sizeof(int))};
}

void clocks_round(const Clocks *k, int64_t u, int64_t g)
{
    memcpy(k->before, k->now, (size_t)k->p * sizeof *k->now);
    for (int v = 0; v < k->p; v++) {
        const int from = k->from[v];
        int64_t t = k->before[v] + (k->to[v] >= 0 ? u : 0);
        if (from >= 0 && k->before[from] + u > t)
            t = k->before[from] + u;
        k->now[v] = t + (from >= 0 ? g : 0);
    }
}

int64_t clocks_free(Clocks *k)
{
    int64_t last = 0;
    for (int v = 0; v < k->p; v++)
        if (k->now[v] > last)
            last = k->now[v];
    free(k->now);
    free(k->before);
    free(k->to);
    free(k->from);
    return last;
}
