// What:   All ranks form one chain. A rank reduces its own vector into the prefix of all ranks before it, and sends the
//         result to the next rank. pipeline cuts the vectors into segments: a rank sends one on while it receives the next.
//         See shapes/prefix.c.
// Cost:   scan linear: T = (p-1) (alpha + m beta + m gamma).
//         exscan linear: T = (p-1) (alpha + m beta) + (p-2) m gamma.
//         scan pipeline: T = (p-1) (u+g) + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma.
//         exscan pipeline: T = (p-1) u + (p-2) g + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma, p >= 3; p = 2: S
//         u. S is the number of segments.
// Source: scan linear: Open MPI 4.1, scan linear.
//         exscan linear: Open MPI 4.1, exscan linear.
//         scan pipeline: Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006.
//         exscan pipeline: Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006.
// Needs:  nothing.
//
//   p = 8      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7
#include "coll.h"
#include "times/times.h"

static void scan_chain(const Coll *c)
{
    prefix_chain(c, false);
}

static void exscan_chain(const Coll *c)
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

#define COMMON .ordered = true, .peers = PEERS_SHIFT, .same_as = same_pipeline
#define LINEAR                                                                                                         \
    COMMON, .name = "linear", .aliases = {"ompi:1", "libnbc:linear"},                                                  \
            .summary = "partial results travel from rank to rank"
#define PIPELINE                                                                                                       \
    COMMON, .name = "pipeline", .params = {SEGMENT},                                                                   \
            .summary = "prefixes travel down one chain of all ranks in segments",                                      \
            .source = "Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006"
#define SCAN   .collective = COLL_SCAN, .run = scan_chain, .formula = scan_formula
#define EXSCAN .collective = COLL_EXSCAN, .run = exscan_chain, .formula = exscan_formula

const CollAlgorithm scan_linear_algorithm = {
    LINEAR,
    SCAN,
    .cost = "(p-1) (alpha + m beta + m gamma)",
    .source = "Open MPI 4.1, scan linear",
};

const CollAlgorithm exscan_linear_algorithm = {
    LINEAR,
    EXSCAN,
    .cost = "(p-1) (alpha + m beta) + (p-2) m gamma",
    .source = "Open MPI 4.1, exscan linear",
};

const CollAlgorithm scan_pipeline_algorithm = {
    PIPELINE,
    SCAN,
    .cost = "(p-1) (u+g) + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma",
};

const CollAlgorithm exscan_pipeline_algorithm = {
    PIPELINE,
    EXSCAN,
    .cost = "(p-1) u + (p-2) g + (S-1) max(u,g), u = alpha + m/S beta, g = m/S gamma, p >= 3; p = 2: S u",
};
