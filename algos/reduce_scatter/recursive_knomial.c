// What:   Pairs fold until f k^d ranks are left, f = floor(p / k^d): one rank of a pair adds the other's vector to its
//         own. Then groups of f ranks at distance k^d, of k ranks at distance k^(d-1), .. k, 1 send each other the
//         parts that each of them keeps, and add up their own. At the end the ranks that did not play get their blocks.
//         See shapes/fold.h for the pairs, and shapes/butterfly.h for the peers.
// Cost:   p = f P, P = k^d <= p < k P: ((k-1) d + f-1) alpha + (p-1)/p m (beta + gamma); else by each rank's
//         blocks.
// Source: UCC, reduce_scatter knomial. Here a rank takes its peers in an order in which no two ranks send to the same
//         rank at a time.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 13, k = 4      1 -> 0      players 0 2-12 as 0-11:  0-4-8  1-5-9  2-6-10  3-7-11
//                                                          0-1-2-3  4-5-6-7  8-9-10-11      0 -> 1
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>
#include <string.h>

// Makes the exchanges at place m of the group. The inbox has room for what a rank keeps.
static void exchange(const Coll *c, const Blocks *b, int m, Slice inbox)
{
    const int k = butterfly_base(c->p, c->par.radix, m);
    const Slice keep = fold_pairs_blocks(c, b, c->rank, m);
    for (int j = 1; j < k; j++) {
        const int to = butterfly_digit_peer(c->rank, k, m, j), from = butterfly_digit_peer(c->rank, k, m, -j);
        const Slice got = slice_like(inbox, keep);
        coll_sendrecv(c, to, fold_pairs_blocks(c, b, to, m), from, got);
        coll_reduce(c, keep, keep, got);
    }
}

static void reduce_scatter_recursive_knomial(const Coll *c)
{
    const FoldRadix f = fold_pairs(c);
    const Blocks in = coll_in(c), b = blocks_of(coll_scratch(c, c->in.len), &in);
    coll_copy(c, b.all, c->in);
    fold_radix_reduce(c, &f, b.all);
    if (f.v >= 0) {
        const Coll group = coll_sub(c, f.p, f.v, f.map);
        const int top = pow_floor(f.p - 1, c->par.radix);
        const Slice inbox = coll_scratch(c, f.p > 1 ? fold_pairs_blocks(&group, &b, f.v, top).len : 0);
        coll_phase(&group, "exchange");
        for (int m = top; m >= 1; m /= c->par.radix)
            exchange(&group, &b, m, inbox);
        coll_copy(c, c->out, block(&b, c->rank));
    }
    coll_phase(c, "unfold");
    if (f.v < 0)
        coll_recv(c, f.leader, c->out);
    else if (f.n)
        coll_send(c, f.first, block(&b, f.first));
}

static int pattern(const Coll *c, int *x)
{
    return fold_pairs(c).p == c->p ? symmetry_fold_pairs(c, x) : 0;
}

// Returns how many blocks of ranks v - v mod m .. + m-1 of the players are, if the first `out` players have two each.
static int64_t held(int v, int m, int out)
{
    const int first = v - v % m, end = first + m;
    return m + (end < out ? end : out) - (first < out ? first : out);
}

// Returns T if ranks fold. The function follows t[v], when player v of n is done with an exchange. Returns -1 under
// rendezvous if a rank sends to another one than it receives from, and may wait for both.
static int64_t folded(const CollPoint *x, int out)
{
    const int n = x->p - out;
    const int64_t b = x->m / x->p;
    int64_t *t = calloc(2 * (size_t)n, sizeof *t), *then = t + n, T = 0;
    for (int v = 0; v < out; v++)
        t[v] = u(x, x->m) + g(x, x->m);
    for (int m = pow_floor(n - 1, x->par.radix); m >= 1 && T == 0; m /= x->par.radix) {
        const int k = butterfly_base(n, x->par.radix, m);
        T = x->eager || is_pow2(k) ? 0 : -1;
        for (int j = 1; j < k && T == 0; j++) {
            for (int v = 0; v < n; v++) {
                const int to = butterfly_digit_peer(v, k, m, j), from = butterfly_digit_peer(v, k, m, -j);
                const int64_t give = held(to, m, out) * b, keep = held(v, m, out) * b;
                then[v] = (x->eager ? later(t[v] + u(x, give), t[from] + u(x, keep))
                                    : times_exchange(x, t[v], t[to], give, keep)) +
                          g(x, keep);
            }
            memcpy(t, then, (size_t)n * sizeof *t);
        }
    }
    for (int v = 0; v < n && T >= 0; v++)
        T = later(T, t[v] + (v < out ? u(x, b) : 0));
    free(t);
    return T;
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k);
    if (x->p % P)
        return x->m % x->p ? -1 : folded(x, x->p % P);
    return ((P > 1 ? times_knomial_rounds(P, k) : 0) + x->p / P - 1) * x->alpha +
           (x->m - x->m / x->p) * (x->beta + x->gamma);
}

const CollAlgorithm reduce_scatter_block_recursive_knomial_algorithm = {
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .name = "recursive_knomial",
    .aliases = {"ucc:knomial"},
    .summary = "recursive halving with k parts among f k^d ranks, f < k: pairs fold until such a number is left",
    .run = reduce_scatter_recursive_knomial,
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
    .params = {RADIX_OF_PAIRS(4, "k, the number of ranks that exchange parts")},
    .peers = PEERS_XOR,
    .pattern = pattern,
    .cost = "p = f P, P = k^d <= p < k P: ((k-1) d + f-1) alpha + (p-1)/p m (beta + gamma); else by each rank's blocks",
    .formula = formula,
    .unknown = "rendezvous, p is not f k^d, and groups are not of 2^i ranks: a rank waits for two others at a time",
    .source = "UCC, reduce_scatter knomial",
};
