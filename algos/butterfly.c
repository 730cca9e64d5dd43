// Butterflies: who meets whom in each step, and what halving leaves.
#include "coll.h"

int digit_peer(int v, int k, int m, int j)
{
    const int digit = v / m % k;
    const int other = is_pow2(k) ? digit ^ (j < 0 ? -j : j) : (digit + j + k) % k;
    return v + (other - digit) * m;
}

Slice digits_left(const Blocks *b, int v, int k, int m)
{
    int first = 0, n = b->n;
    for (int place = 1; place < m; place *= k) {
        n /= k;
        first += v / place % k * n;
    }
    return blocks(b, first, first + n);
}

int swing_peer(int v, int s, int p)
{
    int rho = 1;
    for (int i = 0; i < s; i++)
        rho = 1 - 2 * rho;
    return (v + (v % 2 ? -rho : rho)) & (p - 1);
}

int same_swing(const Coll *c)
{
    return same_pow2_even(c) == 0 ? c->rank % 2 : c->rank;
}
