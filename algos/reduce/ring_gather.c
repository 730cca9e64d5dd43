// What:   A ring reduce-scatter reduces each block of the vector to one rank; then the blocks travel back along the ring
//         to the root, one by one, the nearest rank's block first. See shapes/ring.c.
// Cost:   T = 2(p-1) alpha + (p-1)/p m (2 beta + gamma).
// Source: document 001, reduce by a ring; in no library. The survey describes a reduce-scatter that is
//         followed by a gather along a ring. The reduce-scatter is that of Open MPI 4.1, reduce_scatter ring.
// Needs:  a commutative operation.
//
//   p = 8, 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
//   then, 7 times       7 -> 6 -> 5 -> 4 -> 3 -> 2 -> 1 -> 0, each time without the last rank of the time before
#include "coll.h"
#include "times/times.h"

// Brings block v of b from the rank with number v to number 0. A rank passes on the blocks of all ranks behind it.
static void ring_gather(const Coll *c, const Blocks *b)
{
    const int v = c->rank;
    if (v == 0) {
        for (int i = 1; i < c->p; i++)
            coll_recv(c, 1, block(b, i));
        return;
    }
    for (int i = v; i < c->p - 1; i++)
        coll_sendrecv(c, v - 1, block(b, i), v + 1, block(b, i + 1));
    coll_send(c, v - 1, block(b, c->p - 1));
}

static void reduce_ring_gather(const Coll *c)
{
    // The ring counts ranks from the root, whose number is 0.
    const Coll ring = coll_sub(c, c->p, coll_v(c), coll_rank);
    const Blocks in = coll_in(&ring), acc = blocks_of(reduce_acc(c), &in);
    coll_phase(c, "reduce-scatter");
    ring_reduce_scatter(&ring, &in, &acc);
    coll_phase(c, "gather");
    ring_gather(&ring, &acc);
}

static int64_t formula(const CollPoint *x)
{
    return 2 * (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm reduce_ring_gather_algorithm = {
    .collective = COLL_REDUCE,
    .name = "ring_gather",
    .summary = "a ring reduce-scatter, then a gather along the same ring",
    .run = reduce_ring_gather,
    .needs = {&need_commutative},
    .peers = PEERS_SHIFT,
    .row_of = symmetry_pipeline_row,
    .cost = "2(p-1) alpha + (p-1)/p m (2 beta + gamma)",
    .formula = formula,
    .source = "document 001, reduce by a ring; in no library",
};
