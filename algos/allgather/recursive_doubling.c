// What:   In log2 p rounds, groups of 1, 2, 4 .. ranks exchange all their blocks with the neighbouring group, rank by
//         rank.
// Cost:   p = 2^d: d alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: allgather recursive_doubling: Open MPI 4.1, allgather recursive_doubling.
//         allgatherv recursive_doubling: this page, as Open MPI 4.1, allgather recursive_doubling.
// Needs:  p a power of two; else bruck runs.
//
//   p = 8, blocks held      at first    0  1  2  3  4  5  6  7
//                           r xor 1     01 01 23 23 45 45 67 67
//                           r xor 2     0123 (x4)   4567 (x4)
//                           r xor 4     01234567 (x8)
#include "coll.h"
#include "times/times.h"

static void allgather_recursive_doubling(const Coll *c)
{
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    for (int m = 1; m < c->p; m *= 2) {
        const int group = c->rank & ~(m - 1), other = c->rank ^ m;
        exchange_blocks(c, &b, m, 1, other, group, other, group ^ m);
    }
}

static int64_t formula(const CollPoint *x)
{
    return log2_floor(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "recursive_doubling", .summary = "neighbouring groups of 1, 2, 4 .. ranks exchange all their blocks",      \
    .run = allgather_recursive_doubling, .needs = {&need_pow2}, .otherwise = "bruck", .peers = PEERS_XOR,              \
    .same_as = same_pow2, .cost = "p = 2^d: d alpha + (p-1) m beta", .formula = formula

const CollAlgorithm allgather_recursive_doubling_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi:3", "libnbc:recursive_doubling"},
    .source = "Open MPI 4.1, allgather recursive_doubling",
};

const CollAlgorithm allgatherv_recursive_doubling_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .source = "this page, as Open MPI 4.1, allgather recursive_doubling",
};
