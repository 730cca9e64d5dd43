// What:   In step i = 1 .. p-1, rank r sends block r+i of its vector to rank r+i, receives its own block from rank r-i,
//         and reduces what it receives into its result.
// Cost:   T = (p-1) alpha + (p-1)/p m (beta + gamma). m is the size of the whole vector, in bytes.
// Source: MPICH, reduce_scatter pairwise.
// Needs:  a commutative operation.
//
//   p = 8      step 1   r -> r+1      step 2   r -> r+2      ..      step 7   r -> r+7
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_pairwise(const Coll *c)
{
    const Blocks in = coll_in(c);
    const Slice own = block(&in, c->rank), acc = slice_like(coll_scratch(c, own.len), own);
    const Slice inbox = slice_like(coll_scratch(c, own.len), own);
    coll_copy(c, acc, own);
    for (int i = 1; i < c->p; i++) {
        const int to = (c->rank + i) % c->p, from = (c->rank - i + c->p) % c->p;
        coll_sendrecv(c, to, block(&in, to), from, inbox);
        coll_reduce(c, acc, acc, inbox);
    }
    coll_copy(c, c->out, acc);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "pairwise", .summary = "every rank sends every other rank its block, the nearest rank first",              \
    .run = reduce_scatter_pairwise, .needs = {&need_commutative}, .peers = PEERS_SHIFT, .same_as = same_always,        \
    .cost = "(p-1) alpha + (p-1)/p m (beta + gamma)", .formula = formula, .source = "MPICH, reduce_scatter pairwise"

const CollAlgorithm reduce_scatter_pairwise_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"mpich:pairwise", "smpi:mpich_pair", "intel:2"},
};

const CollAlgorithm reduce_scatter_block_pairwise_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"mpich:pairwise", "smpi:mpich_pair"},
};
