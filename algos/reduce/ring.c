// What:   A ring reduce-scatter reduces each block of the vector to one rank; then the blocks are gathered at the root,
//         up an in-order binomial tree. See shapes/ring.c and shapes/tree_engines.c.
// Cost:   T = (p-1+c) alpha + (p-1)/p m (2 beta + gamma), c = ceil(log2 p); eager: (p-1)(u+g) + T of gather binomial. u
//         and g are the costs of sending and of reducing a block of m/p bytes.
// Source: Rabenseifner 1997; Open MPI 4.1, reduce_scatter ring. Rabenseifner combines a reduce-scatter and a gather;
//         the ring is that of Open MPI.
// Needs:  a commutative operation.
//
//   p = 8, 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
//   then                1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4      4 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_ring(const Coll *c)
{
    // The ring counts ranks from the root, so that the blocks of a subtree are contiguous.
    const Coll ring = coll_sub(c, c->p, coll_v(c), coll_rank);
    const Blocks in = coll_in(&ring), acc = blocks_of(reduce_acc(c), &in);
    coll_phase(c, "reduce-scatter");
    ring_reduce_scatter(&ring, &in, &acc);
    coll_phase(c, "gather");
    tree_gather_blocks(&ring, &acc);
}

static int64_t formula(const CollPoint *x)
{
    CollPoint block = *x;
    block.m = x->m / x->p;
    return (x->p - 1) * (u(&block, block.m) + g(&block, block.m)) + runs_gather_binomial_time(&block, false);
}

const CollAlgorithm reduce_ring_algorithm = {
    .collective = COLL_REDUCE,
    .name = "ring",
    .summary = "a ring reduce-scatter, then a binomial gather",
    .run = reduce_ring,
    .needs = {&need_commutative},
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "(p-1+c) alpha + (p-1)/p m (2 beta + gamma), c = ceil(log2 p); eager: (p-1)(u+g) + T of gather binomial",
    .formula = formula,
    .source = "Rabenseifner 1997; Open MPI 4.1, reduce_scatter ring",
};
