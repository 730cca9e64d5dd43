// What:   A scatter gives every rank one block of the message, and an allgather brings the blocks to all ranks.
//         Parameters select both, so that each half may be one that knows the nodes. The blocks may be of unequal
//         length, which only the v-collectives take.
// Cost:   no formula: ranks leave the scatter at different times.
// Source: Barnett et al., Building a high-performance collective communication library, 1994.
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run; else scatter_ring_allgather runs.
//
//   p = 4      0 -> 1, 0 -> 2, 0 -> 3 (m/4)      0-1   2-3 (m/4)   0-2   1-3 (m/2)
#include "coll.h"

static void bcast_scatter_allgather(const Coll *c)
{
    call_halves(c, "scatter");
}

const CollAlgorithm bcast_scatter_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "scatter_allgather",
    .summary = "a scatter, then an allgather of the blocks",
    .run = bcast_scatter_allgather,
    .needs = {&need_nodes, &need_group_parts},
    .otherwise = "scatter_ring_allgather",
    .params = {PART("scatter", HALF_SCATTER, COLL_SCATTERV, "linear", "the scatter of the blocks"),
               PART("gather", HALF_GATHER, COLL_ALLGATHERV, "recursive_doubling_any", "the allgather of the blocks")},
    .peers = PEERS_SHIFT,
    .same_as = call_halves_same,
    .cost = "no formula: ranks leave the scatter at different times",
    .unknown = "ranks leave the scatter at different times",
    .source = "Barnett et al., Building a high-performance collective communication library, 1994",
};
