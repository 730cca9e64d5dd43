// Butterflies: the peers of each step, the parts of the vector that a step leaves to a rank, and recursive halving.
#include "shapes/butterfly.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/reduce.h"

int butterfly_digit_peer(int v, int k, int m, int j)
{
    const int digit = v / m % k;
    const int other = is_pow2(k) ? digit ^ (j < 0 ? -j : j) : (digit + j + k) % k;
    return v + (other - digit) * m;
}

int butterfly_mirror(int v, int P)
{
    int reversed = 0;
    for (int m = 1; m < P; m *= 2)
        reversed = 2 * reversed + (v & m ? 1 : 0);
    return reversed;
}

int butterfly_base(int n, int k, int m)
{
    return k < n / m ? k : n / m;
}

int butterfly_swing_peer(int v, int s, int p)
{
    int rho = 1;
    for (int i = 0; i < s; i++)
        rho = 1 - 2 * rho;
    const int peer = (v + (v % 2 ? -rho : rho)) % p;
    return peer < 0 ? peer + p : peer;
}

// By symmetry, the caller r has block b when its peer q has block r + q - b, because q sees the ranks mirrored.
int butterfly_swing(const Coll *c, SwingStep step[32])
{
    const int p = c->p, steps = log2_ceil(p);
    const bool common = !is_pow2(p); // peers may have blocks in common
    int *have = coll_ints(c, (size_t)p), *give = common ? coll_ints(c, (size_t)p) : have;
    int *has = coll_ints(c, common ? (size_t)p : 0), n = 1;
    for (int i = 0; common && i < p; i++)
        has[i] = i == c->rank;
    have[0] = c->rank;
    for (int i = 0; i < steps; i++) {
        const int peer = butterfly_swing_peer(c->rank, steps - 1 - i, p), sum = (c->rank + peer) % p, before = n;
        if (!common) // texts on many ranks do this at each rank: the loop is made of vectors
            for (int k = 0; k < before; k++)
                have[n++] = (sum - have[k]) & (p - 1);
        for (int k = 0; common && k < before; k++) {
            const int theirs = sum < have[k] ? sum - have[k] + p : sum - have[k];
            if (has[theirs]++)
                continue;
            give[n] = have[k];
            have[n++] = theirs;
        }
        step[i] = (SwingStep){peer, n - before, common ? give + before : have, have + before};
    }
    return steps;
}

// ---- Parts ---------------------------------------------------------------------------------------------------------

// Returns the number of the first block of part i.
static int first_block(const Parts *x, int i)
{
    const int each = (x->blocks.n - x->doubled) / x->n;
    return i * each + (i < x->doubled ? i : x->doubled);
}

// Returns what v has left if every exchange cuts anew.
static Slice cut_anew(const Parts *x, int v, int m)
{
    Slice left = x->blocks.all;
    for (int place = 1; place <= m; place *= 2) {
        const size_t low = left.len / x->blocks.elem / 2 * x->blocks.elem;
        left = v & place ? slice_at(left, low, left.len - low) : slice_at(left, 0, low);
    }
    return left;
}

Slice parts_left(const Parts *x, int v, int m)
{
    if (x->cut_anew && x->blocks.longer)
        return cut_anew(x, v, m);
    int first = 0, n = x->n;
    if (x->nearest) {
        for (int place = 1, k; place <= m && n > 1; place *= k) {
            k = x->k < n ? x->k : n; // butterfly_base
            n /= k;
            first += v / place % k * n;
        }
    } else if (m > 0) {
        first = v / m * m;
        n = m;
    }
    return blocks(&x->blocks, first_block(x, first), first_block(x, first + n));
}

int parts_distance(const Parts *x, int i)
{
    return x->nearest ? 1 << i : x->n >> (i + 1);
}

void parts_halve(const Coll *c, const Parts *x)
{
    if (x->n == 1)
        return;
    const Slice inbox = coll_scratch(c, parts_left(x, c->rank, parts_distance(x, 0)).len);
    for (int i = 0; i < log2_floor(x->n); i++) {
        const int m = parts_distance(x, i), peer = c->rank ^ m;
        const Slice keep = parts_left(x, c->rank, m), got = slice_like(inbox, keep);
        const Slice give = parts_left(x, peer, m);
        if (x->skip_empty)
            coll_exchange(c, give.len ? peer : -1, give, got.len ? peer : -1, got);
        else
            coll_sendrecv(c, peer, give, peer, got);
        reduce_in_order(c, keep, got, c->rank & m);
    }
}

void parts_divide(const Coll *c, const Parts *x)
{
    const Slice inbox = coll_scratch(c, parts_left(x, 0, 1).len);
    const int v = c->rank;
    for (int m = 1, k; m < x->n; m *= k) {
        k = butterfly_base(x->n, x->k, m);
        for (int j = 1; j < k; j++) {
            const int to = butterfly_digit_peer(v, k, m, j), from = butterfly_digit_peer(v, k, m, -j);
            const Slice keep = parts_left(x, v, m), got = slice_like(inbox, keep);
            coll_sendrecv(c, to, parts_left(x, to, m), from, got);
            coll_reduce(c, keep, keep, got);
        }
    }
}

void parts_halve_back(const Coll *c, const Parts *x)
{
    for (int i = log2_floor(x->n) - 1; i >= 0; i--) {
        const int m = parts_distance(x, i), peer = c->rank ^ m;
        coll_sendrecv(c, peer, parts_left(x, c->rank, m), peer, parts_left(x, peer, m));
    }
}

// ---- Recursive doubling over any number of ranks -------------------------------------------------------------------

void butterfly_serve_rest(const Coll *c, int m, Slice got)
{
    const int v = coll_v(c), h = c->p - m - (v & ~(m - 1)); // of v's group of m ranks, the first h had a peer
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

// ---- Halving in the order of the ranks -----------------------------------------------------------------------------

int butterfly_halvings(const CollParams *par, int p)
{
    const int most = log2_floor(p);
    return par->halvings < most ? par->halvings : most;
}

bool butterfly_folds(int p, int rounds)
{
    return p % (1 << rounds) != 0;
}

void butterfly_halve_in_order(const Coll *c, int rounds, Slice *at)
{
    Slice got = at[0];
    bool before = false; // `got` is of a rank before the caller
    for (int i = 0; i < rounds; i++) {
        const Blocks half = blocks_even(c, at[i], 2), late = blocks_of(got, &half);
        const int mine = c->rank >> i & 1, peer = c->rank ^ 1 << i;
        const Slice give = block(&half, !mine), keep = block(&half, mine),
                    inbox = slice_like(coll_scratch(c, keep.len), keep);
        if (i > 0)
            reduce_in_order(c, give, block(&late, !mine), before);
        const CollReq first = coll_mark(c);
        coll_irecv(c, peer, inbox);
        coll_isend(c, peer, give);
        if (i > 0)
            reduce_in_order(c, keep, block(&late, mine), before);
        coll_waitall(c, first);
        at[i + 1] = keep;
        got = inbox;
        before = mine;
    }
    if (rounds > 0)
        reduce_in_order(c, at[rounds], got, before);
}

void butterfly_halve_back(const Coll *c, int rounds, const Slice *at)
{
    for (int i = rounds - 1; i >= 0; i--) {
        const Blocks half = blocks_even(c, at[i], 2);
        const int mine = c->rank >> i & 1, peer = c->rank ^ 1 << i;
        coll_sendrecv(c, peer, block(&half, mine), peer, block(&half, !mine));
    }
}
