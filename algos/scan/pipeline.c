// What:   All ranks form one chain. The prefixes travel down the chain in segments: a rank reduces a segment of its own
//         vector into the prefix of all ranks before it, and sends the result on while it receives the next segment.
//         See shapes/prefix.c.
// Cost:   scan pipeline: T = (p-1) (u+g) + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma.
//         exscan pipeline: T = (p-1) u + (p-2) g + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma, p >= 3; p = 2: S
//         u. S is the number of segments.
// Source: Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006.
// Needs:  nothing.
//
//   p = 8      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7
#include "coll.h"
#include "times/times.h"

static void scan_pipeline(const Coll *c)
{
    prefix_chain(c, false);
}

static void exscan_pipeline(const Coll *c)
{
    prefix_chain(c, true);
}

static int64_t scan_formula(const CollPoint *x)
{
    return prefix_chain_time(x, false);
}

static int64_t exscan_formula(const CollPoint *x)
{
    return prefix_chain_time(x, true);
}

#define COMMON                                                                                                         \
    .name = "pipeline", .summary = "prefixes travel down one chain of all ranks in segments", .params = {SEGMENT},     \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_pipeline,                                                   \
    .source = "Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006"

const CollAlgorithm scan_pipeline_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_pipeline,
    .cost = "(p-1) (u+g) + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma",
    .formula = scan_formula,
};

const CollAlgorithm exscan_pipeline_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_pipeline,
    .cost = "(p-1) u + (p-2) g + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma, p >= 3; p = 2: S u",
    .formula = exscan_formula,
};
