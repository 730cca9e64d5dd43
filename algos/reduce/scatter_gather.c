// What:   A reduce-scatter leaves every rank with one block of the result, and a gather brings the blocks to the root.
//         Parameters select both, so that each half may be one that knows the nodes. The blocks may be of unequal
//         length, which only a gatherv takes.
// Cost:   T = T_reduce_scatter(p, m) + T_gatherv(p, m/p).
// Source: van de Geijn, On global combine operations, 1994.
// Needs:  parts that can run; else binomial runs.
//
//   p = 4      to r+1, to r+2, to r+3 (m/4)      1 -> 0   3 -> 2 (m/4)   2 -> 0 (m/2)
#include "coll.h"

static void reduce_scatter_gather(const Coll *c)
{
    const bool root = c->rank == c->root;
    CollCounts counts;
    const Blocks blocks = rails_cut(c, root ? c->out : c->in, &counts);
    const Slice mine = block(&blocks, c->rank);
    Coll scatter = *c, gather = *c;
    scatter.root = 0;
    scatter.counts = gather.counts = blocks.counts;
    scatter.out = gather.in = root ? mine : slice_like(coll_scratch(c, mine.len), mine);
    coll_phase(c, "reduce-scatter");
    coll_call(&scatter, c->par.part[HALF_SCATTER]);
    coll_phase(c, "gather");
    coll_call(&gather, c->par.part[HALF_GATHER]);
}

const CollAlgorithm reduce_scatter_gather_algorithm = {
    .collective = COLL_REDUCE,
    .name = "scatter_gather",
    .summary = "a reduce-scatter, then a gather of the blocks",
    .run = reduce_scatter_gather,
    .needs = {&need_group_parts},
    .otherwise = "binomial",
    .params = {PART("scatter", HALF_SCATTER, COLL_REDUCE_SCATTER, "k_bruck", "the reduce-scatter"),
               PART("gather", HALF_GATHER, COLL_GATHERV, "binomial", "the gather of the blocks")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "T_reduce_scatter(p, m) + T_gatherv(p, m/p)",
    .formula = call_halves_time,
    .unknown = "a part without a formula, or a reduce-scatter that ranks may end at different times",
    .source = "van de Geijn, On global combine operations, 1994",
};
