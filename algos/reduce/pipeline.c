// What:   All ranks form one chain. The vectors travel up the chain in segments; every rank reduces what it receives
//         into its own. The last rank may have several segments under way, see shapes/tree_engines.c, which does not
//         change T. The chain is that of shapes/tree.c.
// Cost:   T = (p+S-2) (u+g), u = alpha + m/S beta, g = m/S gamma, p >= 3; p = 2: u + (S-1) max(u,g) + g. S is the
//         number of segments.
// Source: Open MPI 4.1, reduce pipeline.
// Needs:  nothing. If the operation is not commutative, the chain ends at rank 0, which sends the result to the root.
//
//   p = 8      7 -> 6 -> 5 -> 4 -> 3 -> 2 -> 1 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_pipeline(const Coll *c)
{
    const int top = reduce_top(c);
    reduce_over(c, top, tree_chain(c, top, 1));
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = g(x, x->m / S);
    if (x->p <= 2)
        return x->p == 1 ? 0 : um + (S - 1) * later(um, gm) + gm;
    return (x->p + S - 2) * (um + gm);
}

static int same_as(const Coll *c)
{
    return same_under_top(c, same_pipeline);
}

const CollAlgorithm reduce_pipeline_algorithm = {
    .collective = COLL_REDUCE,
    .name = "pipeline",
    .aliases = {"ompi:3", "smpi:ompi_pipeline", "smpi:NTSL", "libnbc:chain"},
    .presets = {{"smpi:NTSL", "segment", 8 << 10}, {"libnbc:chain", "segment", 8 << 10}},
    .summary = "segments travel up one chain of all ranks and are reduced at every rank",
    .run = reduce_pipeline,
    .params = {SEGMENT, MAX_REQUESTS(0)},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "(p+S-2) (u+g), u = alpha + m/S beta, g = m/S gamma, p >= 3; p = 2: u + (S-1) max(u,g) + g",
    .formula = formula,
    .source = "Open MPI 4.1, reduce pipeline",
};
