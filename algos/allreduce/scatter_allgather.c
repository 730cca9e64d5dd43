// What:   A reduce-scatter leaves every rank with one block of the result, and an allgather brings the blocks to all
//         ranks. Parameters select both. The blocks may be of unequal length, which only an allgatherv takes.
// Cost:   T = T_reduce_scatter(p, m) + T_allgatherv(p, m/p).
// Source: van de Geijn, On global combine operations, 1994.
// Needs:  parts that can run; else recursive_doubling runs.
//
//   p = 4      to r+1, to r+2, to r+3 (m/4)      from r+1 (m/4)   from r+2 (m/2)
#include "coll.h"

static void allreduce_scatter_allgather(const Coll *c)
{
    call_halves(c, "reduce-scatter");
}

const CollAlgorithm allreduce_scatter_allgather_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "scatter_allgather",
    .summary = "a reduce-scatter, then an allgather of the blocks",
    .run = allreduce_scatter_allgather,
    .needs = {&need_group_parts},
    .otherwise = "recursive_doubling",
    .params = {PART("scatter", HALF_SCATTER, COLL_REDUCE_SCATTER, "k_bruck", "the reduce-scatter"),
               PART("gather", HALF_GATHER, COLL_ALLGATHERV, "bruck", "the allgather of the blocks")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = call_halves_same,
    .cost = "T_reduce_scatter(p, m) + T_allgatherv(p, m/p)",
    .formula = call_halves_time,
    .unknown = "a part without a formula, or a reduce-scatter that ranks may end at different times",
    .source = "van de Geijn, On global combine operations, 1994",
};
