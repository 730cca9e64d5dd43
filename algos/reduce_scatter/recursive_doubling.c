// What:   In rounds d = 1, 2, 4 .., pairs of ranks at distance d exchange all blocks except those that belong to the
//         sender's own group of d ranks, and reduce the blocks that they receive. A rank that has no peer receives the
//         same blocks from a rank of its group that has one (shapes/butterfly.c).
// Cost:   p = 2^d: d alpha + (d - (p-1)/p) m (beta + gamma); else rank by rank. m is the size of the whole vector, in
//         bytes. If p is not a power of two, the formula follows every rank's clock.
// Source: MPICH, reduce_scatter recursive_doubling; Open MPI 4.1, reduce_scatter_block recursivedoubling.
// Needs:  nothing.
//
//   p = 8      r xor 1 (7 blocks)   r xor 2 (6 blocks)   r xor 4 (4 blocks)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static int cut(const Coll *c, int v)
{
    return v < c->p ? v : c->p;
}

// Copies all blocks of b, except the blocks of the m ranks from rank g on, side by side into `room`. If `back` is true,
// copies them from `room` to b instead. Returns the part of `room` that the blocks take.
static Slice pack(const Coll *c, const Blocks *b, int g, int m, Slice room, bool back)
{
    const Slice low = blocks(b, 0, g), high = blocks(b, cut(c, g + m), c->p);
    const Slice first = slice_at(room, 0, low.len), second = slice_at(room, low.len, high.len);
    coll_copy(c, back ? low : first, back ? first : low);
    coll_copy(c, back ? high : second, back ? second : high);
    return slice_at(room, 0, low.len + high.len);
}

static void reduce_scatter_recursive_doubling(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_of(coll_scratch(c, c->in.len), &in);
    const Slice outbox = coll_scratch(c, c->in.len), inbox = coll_scratch(c, c->in.len);
    const Slice room = coll_scratch(c, c->in.len);
    coll_copy(c, acc.all, c->in);
    for (int m = 1; m < c->p; m *= 2) {
        const int peer = c->rank ^ m, group = c->rank & ~(m - 1), other = group ^ m;
        if (other >= c->p)
            continue;
        const Slice own = pack(c, &acc, other, m, room, false), got = slice_like(inbox, own);
        if (peer < c->p)
            coll_sendrecv(c, peer, pack(c, &acc, group, m, outbox, false), peer, got);
        butterfly_serve_rest(c, m, got);
        reduce_in_order(c, own, got, other < group);
        pack(c, &acc, other, m, room, true);
    }
    coll_copy(c, c->out, block(&acc, c->rank));
}

// Returns the number of bytes of all blocks, except the blocks of v's group of m ranks.
static int64_t but_group(const CollPoint *x, int v, int m)
{
    const int first = v & ~(m - 1), end = first + m < x->p ? first + m : x->p;
    return (x->p - (end - first)) * (x->m / x->p);
}

static int64_t formula(const CollPoint *x)
{
    const int d = log2_floor(x->p), p = x->p;
    const int64_t one = x->m / p;
    if (is_pow2(p))
        return d * x->alpha + (d * x->m - (x->m - one)) * (x->beta + x->gamma);
    int64_t *t = calloc((size_t)p, sizeof *t);
    for (int m = 1; m < p; m *= 2) {
        for (int v = 0; v < p; v++) {
            if (v & m || v + m >= p)
                continue;
            t[v] = t[v + m] = times_exchange(x, t[v], t[v + m], but_group(x, v, m), but_group(x, v + m, m));
        }
        butterfly_serve_rest_time(x, m, but_group(x, p - 1, m), t);
        for (int v = 0; v < p; v++) {
            const int other = (v & ~(m - 1)) ^ m;
            t[v] += other < p ? g(x, but_group(x, other, m)) : 0;
        }
    }
    const int64_t end = times_latest(t, p);
    free(t);
    return end;
}

#define COMMON                                                                                                         \
    .name = "recursive_doubling",                                                                                      \
    .summary = "pairs at distance 1, 2, 4 .. exchange all blocks except those of their own group",                     \
    .run = reduce_scatter_recursive_doubling, .ordered = true, .peers = PEERS_XOR, .same_as = same_pow2_even,          \
    .cost = "p = 2^d: d alpha + (d - (p-1)/p) m (beta + gamma); else rank by rank", .formula = formula,                \
    .source = "MPICH, reduce_scatter recursive_doubling; Open MPI 4.1, reduce_scatter_block recursivedoubling"

const CollAlgorithm reduce_scatter_recursive_doubling_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"mpich:recursive_doubling", "smpi:mpich_rdb", "intel:3"},
};

const CollAlgorithm reduce_scatter_block_recursive_doubling_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"ompi:2", "mpich:recursive_doubling", "smpi:mpich_rdb"},
};
