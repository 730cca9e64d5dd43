// What:   All ranks reduce the whole vector to rank 0, which scatters the result. Parameters select the reduction and
//         the scatter.
// Cost:   T_reduce(p, m) + T_scatter(p, m/p). With binomial and linear and p = 2^d, T is (d+p-1) alpha + (d + (p-1)/p)
//         m beta + d m gamma.
// Source: reduce_scatter nonoverlapping: Open MPI 4.1, reduce_scatter non-overlapping.
//         reduce_scatter_block nonoverlapping: Open MPI 4.1, reduce_scatter_block basic_linear.
// Needs:  parts that can run; else pairwise runs.
//
//   p = 4      1 -> 0   3 -> 2      2 -> 0      then 0 -> 1   0 -> 2   0 -> 3 (m/4)
#include "coll.h"
#include "times/times.h"

enum { REDUCE, SCATTER };

static void reduce_scatter_nonoverlapping(const Coll *c)
{
    Coll up = *c, down = *c;
    up.root = down.root = 0;
    up.out = down.in = coll_scratch_if(c, c->rank == 0, c->in.len);
    up.counts = NULL;
    coll_call(&up, c->par.part[REDUCE]);
    coll_call(&down, c->par.part[SCATTER]);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t up = call_time(x, x->par.part[REDUCE], x->p, x->m);
    const int64_t down = call_time(x, x->par.part[SCATTER], x->p, x->m / x->p);
    // In scatterv han and lane, ranks may learn the lengths while the reduction still runs.
    const CollAlgorithm *const scatter = x->par.part[SCATTER];
    const bool early = scatter == &scatterv_han_algorithm || scatter == &scatterv_lane_algorithm;
    return call_root_ends(x->par.part[REDUCE]) && !early ? then(up, down) : -1;
}

#define COMMON                                                                                                         \
    .name = "nonoverlapping", .summary = "a reduction of the whole vector to rank 0, then a scatter",                  \
    .run = reduce_scatter_nonoverlapping, .needs = {&need_group_parts}, .otherwise = "pairwise", .ordered = true,      \
    .peers = PEERS_SHIFT, .cost = "T_reduce(p, m) + T_scatter(p, m/p)", .formula = formula,                            \
    .unknown = "a part without a formula, a reduction over nodes, or scatterv han or lane"

const CollAlgorithm reduce_scatter_nonoverlapping_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"ompi:1", "intel:4"},
    .params = {PART("reduce", REDUCE, COLL_REDUCE, "binomial", "the reduction to rank 0"),
               PART("scatterv", SCATTER, COLL_SCATTERV, "linear", "the scatter from rank 0")},
    .source = "Open MPI 4.1, reduce_scatter non-overlapping",
};

const CollAlgorithm reduce_scatter_block_nonoverlapping_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"ompi:1"},
    .params = {PART("reduce", REDUCE, COLL_REDUCE, "binomial", "the reduction to rank 0"),
               PART("scatter", SCATTER, COLL_SCATTER, "linear", "the scatter from rank 0")},
    .source = "Open MPI 4.1, reduce_scatter_block basic_linear",
};
