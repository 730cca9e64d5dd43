// What:   A scatter gives every rank one block of the message, and an allgather brings the blocks to all ranks.
//         Parameters select both, so that each half may be one that knows the nodes. The blocks may be of unequal
//         length, which only the v-collectives take.
// Cost:   no formula: ranks leave the scatter at different times.
// Source: Barnett et al., Building a high-performance collective communication library, 1994.
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run; else scatter_ring_allgather runs.
//
//   p = 4      0 -> 1, 0 -> 2, 0 -> 3 (m/4)      0-1   2-3 (m/4)   0-2   1-3 (m/2)
#include "coll.h"

enum { SCATTER, GATHER };

// Returns the view of the part that runs first, or of the second one. Both are in place where they may be.
static Coll half(const Coll *c, int part)
{
    Coll view = *c;
    const Blocks blocks = blocks_even(c, c->out, c->p);
    (part == SCATTER ? &view.out : &view.in)[0] = block(&blocks, c->rank);
    view.root = part == SCATTER ? c->root : 0; // an allgather has no root
    return view;
}

static void bcast_scatter_allgather(const Coll *c)
{
    const Coll scatter = half(c, SCATTER), gather = half(c, GATHER);
    coll_phase(c, "scatter");
    coll_call(&scatter, c->par.part[SCATTER]);
    coll_phase(c, "allgather");
    coll_call(&gather, c->par.part[GATHER]);
}

// Ranks are alike if they are in both parts, and if their blocks are of equal length.
static int same_as(const Coll *c)
{
    const Coll scatter = half(c, SCATTER), gather = half(c, GATHER);
    const int one = call_same(&scatter, c->par.part[SCATTER]), two = call_same(&gather, c->par.part[GATHER]);
    return coll_rank(c, one) == two && c->out.len / c->elem % (size_t)c->p == 0 ? one : coll_v(c);
}

const CollAlgorithm bcast_scatter_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "scatter_allgather",
    .summary = "a scatter, then an allgather of the blocks",
    .run = bcast_scatter_allgather,
    .needs = {&need_nodes, &need_group_parts},
    .otherwise = "scatter_ring_allgather",
    .params = {PART("scatter", SCATTER, COLL_SCATTERV, "linear", "the scatter of the blocks"),
               PART("gather", GATHER, COLL_ALLGATHERV, "recursive_doubling_any", "the allgather of the blocks")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "no formula: ranks leave the scatter at different times",
    .unknown = "ranks leave the scatter at different times",
    .source = "Barnett et al., Building a high-performance collective communication library, 1994",
};
