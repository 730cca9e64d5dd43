// What:   In rounds m = 1, 2, 4 .., groups of m ranks exchange all their blocks with the neighbouring group, rank by
//         rank, for any p. A rank whose peer does not exist gets the neighbouring group's blocks from a rank of its own
//         group that had a peer (butterfly_serve_rest in shapes/butterfly.h). In an allgatherv the blocks are collected
//         side by side in scratch.
// Cost:   p = 2^d: d alpha + (p-1) m beta; else rank by rank. m is the size of a block, in bytes. If p is not a power
//         of two, the formula follows every rank's clock.
// Source: allgather recursive_doubling_any: MPICH, allgather recursive_doubling.
//         allgatherv recursive_doubling_any: MPICH, allgatherv recursive_doubling.
//         MPICH 4 has the text for any p, but lets its selection decide if p is not a power of two.
// Needs:  nothing.
//
//   p = 6, blocks held      at first    0  1  2  3  4  5
//                           r xor 1     01 01 23 23 45 45
//                           r xor 2     0123 (x4)   45 45
//                           r xor 4     0 <-> 4   1 <-> 5      0 -> 2   1 -> 3 (45)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void allgather_recursive_doubling_any(const Coll *c)
{
    const int p = c->p;
    const Blocks out = coll_out(c), b = c->counts ? blocks_turned(c, &out, 0) : out;
    coll_copy(c, block(&b, c->rank), c->in);
    for (int m = 1; m < p; m *= 2) {
        const int peer = c->rank ^ m, group = c->rank & ~(m - 1), other = group ^ m;
        const int end = group + m < p ? group + m : p, other_end = other + m < p ? other + m : p;
        const Slice theirs = other < p ? blocks(&b, other, other_end) : (Slice){0};
        if (peer < p)
            coll_sendrecv(c, peer, blocks(&b, group, end), peer, theirs);
        butterfly_serve_rest(c, m, theirs);
    }
    if (c->counts)
        exchange_unpack(c, &out, 0, 1, b.all);
}

static int64_t formula(const CollPoint *x)
{
    const int p = x->p;
    if (is_pow2(p))
        return log2_floor(p) * x->alpha + (p - 1) * x->m * x->beta;
    int64_t *t = calloc((size_t)p, sizeof *t);
    for (int m = 1; m < p; m *= 2) {
        const int others = (p - 1) % (2 * m) + 1 - m; // how many ranks the last group of 2m has beyond its first m
        for (int v = 0; v + m < p; v++)
            if (!(v & m))
                t[v] = t[v + m] =
                    times_exchange(x, t[v], t[v + m], m * x->m, ((v | (m - 1)) + m < p ? m : others) * x->m);
        butterfly_serve_rest_time(x, m, others * x->m, t);
    }
    const int64_t end = times_latest(t, p);
    free(t);
    return end;
}

#define COMMON                                                                                                         \
    .name = "recursive_doubling_any",                                                                                  \
    .summary = "recursive doubling for any p: ranks without a peer get its blocks from others of their group",         \
    .run = allgather_recursive_doubling_any, .peers = PEERS_XOR, .same_as = same_pow2,                                 \
    .cost = "p = 2^d: d alpha + (p-1) m beta; else rank by rank", .formula = formula

const CollAlgorithm allgather_recursive_doubling_any_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"mpich:recursive_doubling", "smpi:rdb", "intel:1"},
    .source = "MPICH, allgather recursive_doubling",
};

const CollAlgorithm allgatherv_recursive_doubling_any_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"mpich:recursive_doubling", "smpi:mpich_rdb", "intel:1"},
    .source = "MPICH, allgatherv recursive_doubling",
};
