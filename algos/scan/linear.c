// What:   A rank receives the reduction over all ranks before it from rank r-1, reduces its own vector into it, and
//         sends the result to rank r+1. See shapes/prefix.c for the steps.
// Cost:   scan linear: T = (p-1) (alpha + m beta + m gamma).
//         exscan linear: T = (p-1) (alpha + m beta) + (p-2) m gamma.
// Source: scan linear: Open MPI 4.1, scan linear.
//         exscan linear: Open MPI 4.1, exscan linear.
// Needs:  nothing.
//
//   p = 8      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7
#include "coll.h"
#include "times/times.h"

static void scan_linear(const Coll *c)
{
    prefix_chain(c, false);
}

static void exscan_linear(const Coll *c)
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
    .name = "linear", .aliases = {"ompi:1", "libnbc:linear"}, .summary = "partial results travel from rank to rank",   \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_pipeline

const CollAlgorithm scan_linear_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_linear,
    .cost = "(p-1) (alpha + m beta + m gamma)",
    .formula = scan_formula,
    .source = "Open MPI 4.1, scan linear",
};

const CollAlgorithm exscan_linear_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_linear,
    .cost = "(p-1) (alpha + m beta) + (p-2) m gamma",
    .formula = exscan_formula,
    .source = "Open MPI 4.1, exscan linear",
};
