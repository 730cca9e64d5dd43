// Butterflies: who meets whom in each step, what a step leaves to a rank, and recursive halving.
#include "times/times.h"

int butterfly_digit_peer(int v, int k, int m, int j)
{
    const int digit = v / m % k;
    const int other = is_pow2(k) ? digit ^ (j < 0 ? -j : j) : (digit + j + k) % k;
    return v + (other - digit) * m;
}

int butterfly_swing_peer(int v, int s, int p)
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

// ---- Parts ---------------------------------------------------------------------------------------------------------

// The first block of part i.
static int first_block(const Parts *x, int i)
{
    const int each = (x->blocks.n - x->doubled) / x->n;
    return i * each + (i < x->doubled ? i : x->doubled);
}

Slice parts_left(const Parts *x, int v, int m)
{
    int first = v / m * m, n = m;
    if (x->nearest) {
        first = 0;
        n = x->n;
        for (int place = 1; place <= m; place *= x->k) {
            n /= x->k;
            first += v / place % x->k * n;
        }
    }
    return blocks(&x->blocks, first_block(x, first), first_block(x, first + n));
}

// The distance of the i-th exchange of a halving.
static int distance(const Parts *x, int i)
{
    return x->nearest ? 1 << i : x->n >> (i + 1);
}

void parts_halve(const Coll *c, const Parts *x)
{
    if (x->n == 1)
        return;
    const Slice inbox = coll_scratch(c, parts_left(x, c->rank, distance(x, 0)).len);
    for (int i = 0; i < log2_floor(x->n); i++) {
        const int m = distance(x, i), peer = c->rank ^ m;
        const Slice keep = parts_left(x, c->rank, m), got = slice_like(inbox, keep);
        coll_sendrecv(c, peer, parts_left(x, peer, m), peer, got);
        coll_reduce(c, keep, c->rank & m ? got : keep, c->rank & m ? keep : got);
    }
}

void parts_halve_back(const Coll *c, const Parts *x)
{
    for (int i = log2_floor(x->n) - 1; i >= 0; i--) {
        const int m = distance(x, i), peer = c->rank ^ m;
        coll_sendrecv(c, peer, parts_left(x, c->rank, m), peer, parts_left(x, peer, m));
    }
}

void parts_halve_time(const CollPoint *x, int P, bool nearest, int64_t *t)
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
        for (int v = 0, m = distance(&part, i); v < P; v++) {
            if (v & m)
                continue;
            const int64_t lower = (int64_t)parts_left(&part, v, m).len,
                          upper = (int64_t)parts_left(&part, v | m, m).len;
            t[v] = t[v | m] = times_exchange(x, t[v], t[v | m], upper, lower);
            t[v] += g(x, lower);
            t[v | m] += g(x, upper);
        }
}

// ---- Recursive doubling over any number of ranks -------------------------------------------------------------------

void butterfly_serve_rest(const Coll *c, int m, Slice got)
{
    const int v = coll_v(c), h = c->p - m - (v & ~(m - 1)); // the first h of the m ranks had a peer
    if (v & m || h < 1 || h >= m)
        return;
    for (int t = m / 2; t >= 1; t /= 2) {
        const int a = v % (2 * t), other = a ^ t;
        if (a < h && h <= other)
            coll_send(c, coll_rank(c, v ^ t), got);
        else if (other < h && h <= a)
            coll_recv(c, coll_rank(c, v ^ t), got);
    }
}

void butterfly_serve_rest_time(const CollPoint *x, int m, int64_t got, int64_t *t)
{
    const int group = (x->p - 1) & ~(2 * m - 1), h = x->p - m - group; // of all groups only the last one lacks peers
    for (int d = m / 2; h >= 1 && h < m && d >= 1; d /= 2)
        for (int v = group; v < group + m; v++)
            if (v % (2 * d) < h && h <= (v % (2 * d) ^ d))
                times_pass(x, &t[v], &t[v ^ d], got);
}
