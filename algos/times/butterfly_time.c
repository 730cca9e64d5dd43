// Times of recursive halving, and of the ranks without a peer in recursive doubling.
#include "times/times.h"
#include "api/integers.h"
#include "shapes/butterfly.h"

void butterfly_halve_time(const CollPoint *x, int P, bool nearest, int64_t *t)
{
    const Coll c = {.elem = 1};
    const Parts part = {
        .blocks = blocks_even(&c, (Slice){.len = (size_t)x->m}, x->p),
        .n = P,
        .k = 2,
        .doubled = x->p - P,
        .nearest = nearest,
    };
    for (int i = 0; i < log2_floor(P); i++)
        for (int v = 0, m = parts_distance(&part, i); v < P; v++) {
            if (v & m)
                continue;
            const int64_t lower = (int64_t)parts_left(&part, v, m).len,
                          upper = (int64_t)parts_left(&part, v | m, m).len;
            t[v] = t[v | m] = times_exchange(x, t[v], t[v | m], upper, lower);
            t[v] += g(x, lower);
            t[v | m] += g(x, upper);
        }
}

void butterfly_serve_rest_time(const CollPoint *x, int m, int64_t got, int64_t *t)
{
    const int group = (x->p - 1) & ~(2 * m - 1), h = x->p - m - group; // only the last group of 2m ranks lacks peers
    for (int d = m / 2; h >= 1 && h < m && d >= 1; d /= 2)
        for (int v = group; v < group + m; v++)
            if (v % (2 * d) < h && h <= (v % (2 * d) ^ d))
                times_pass(x, &t[v], &t[v ^ d], got);
}
