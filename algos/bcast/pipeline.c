// What:   All ranks form one chain, and the message travels down the chain in segments. See shapes/tree.c for the
//         chain, and shapes/tree_engines.c for the order in which a rank sends and receives.
// Cost:   T = (p+S-2) (alpha + m/S beta). S is the number of segments.
// Source: Open MPI 4.1, bcast pipeline.
// Needs:  nothing.
//
//   p = 8      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7
#include "coll.h"
#include "times/times.h"

static void bcast_pipeline(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_chain(c, c->root, 1), &segments);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return x->p == 1 ? 0 : (x->p + S - 2) * u(x, x->m / S);
}

const CollAlgorithm bcast_pipeline_algorithm = {
    .collective = COLL_BCAST,
    .name = "pipeline",
    .aliases = {"ompi:3", "smpi:ompi_pipeline", "smpi:NTSL", "smpi:NTSL_Isend", "libnbc:chain"},
    .presets = {{"smpi:NTSL", "segment", 8 << 10},
                {"smpi:NTSL_Isend", "segment", 8 << 10},
                {"libnbc:chain", "segment", 16 << 10}},
    .summary = "the message travels in segments down one chain of all ranks",
    .run = bcast_pipeline,
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_pipeline,
    .cost = "(p+S-2) (alpha + m/S beta)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast pipeline",
};
