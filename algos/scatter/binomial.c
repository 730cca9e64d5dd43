// What:   The blocks travel down an in-order binomial, or k-nomial, tree: a rank sends each child the blocks of its
//         subtree as one message, the largest subtree first. In a scatterv on the conservative level, the root first
//         broadcasts all lengths and displacements, 8 bytes for each rank, and 8 bytes that name the algorithm, down a
//         binomial tree or as MPICH does; on the aggressive level all ranks know them. See shapes/runs.c.
// Cost:   scatter binomial: T = ceil(log2 p) alpha + (p-1) m beta.
//         scatter knomial: T = N alpha + (p-1) m beta.
//         scatterv binomial: T = ceil(log2 p) alpha + (p-1) m beta; conservative, p = 2^d: + d (alpha + (8p+8) beta), as
//         long as the lengths go down a tree.
//         m is the size of a block, in bytes, and N the number of the root's children: (k-1) d for p = k^d. The
//         conservative level then adds at most ceil(log2 p) (alpha + (8p+8) beta).
// Source: scatter binomial: Open MPI 4.1, scatter binomial; MPICH, scatter binomial.
//         scatter knomial: MPICH, iscatter tree; the scatter of UCC's bcast sag_knomial.
//         scatterv binomial: the mirror of gatherv binomial.
// Needs:  nothing.
//
//   p = 8      0 -> 4 (4 blocks)
//              0 -> 2   4 -> 6 (2 blocks)
//              0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"
#include "times/times.h"

static void scatter_binomial(const Coll *c)
{
    const Runs r = runs_binomial(c);
    runs_scatter(c, &r);
}

static void scatter_knomial(const Coll *c)
{
    const Runs r = runs_knomial(c);
    runs_scatter(c, &r);
}

static void scatterv_binomial(const Coll *c)
{
    lengths_bcast(c);
    coll_phase(c, "scatter");
    scatter_binomial(c);
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

static int64_t formula_knomial(const CollPoint *x)
{
    return times_knomial_rounds(x->p, x->par.radix) * x->alpha + (x->p - 1) * x->m * x->beta;
}

// Returns when all of v's subtree have their blocks, if v begins to send at time t. A child begins to receive when it
// has passed the lengths on.
static int64_t subtree(const CollPoint *x, int v, int64_t t)
{
    int64_t end = t;
    for (int d = pow2_floor(x->p); d >= 1; d /= 2) {
        if (v % (2 * d) != 0 || v + d >= x->p)
            continue;
        int64_t child = runs_bcast_counts_time(x, v + d);
        times_pass(x, &t, &child, tree_binomial_span(v + d, x->p) * x->m);
        end = later(end, subtree(x, v + d, child));
    }
    return later(t, end);
}

static int64_t formula_v(const CollPoint *x)
{
    return lengths_over_tree(&x->par, x->p) ? subtree(x, 0, runs_bcast_counts_time(x, 0)) : -1;
}

#define COMMON                                                                                                         \
    .name = "binomial",                                                                                                \
    .summary = "a binomial tree: each child gets the blocks of its subtree, the largest subtree first",                \
    .peers = PEERS_SHIFT

const CollAlgorithm scatter_binomial_algorithm = {
    COMMON,
    .collective = COLL_SCATTER,
    .aliases = {"ompi:2", "mpich:binomial", "smpi:ompi_binomial", "intel:1"},
    .run = scatter_binomial,
    .same_as = same_binomial_in_order,
    .cost = "ceil(log2 p) alpha + (p-1) m beta",
    .formula = formula,
    .source = "Open MPI 4.1, scatter binomial; MPICH, scatter binomial",
};

const CollAlgorithm scatter_knomial_algorithm = {
    .collective = COLL_SCATTER,
    .name = "knomial",
    .summary = "a k-nomial tree: each child gets the blocks of its subtree, the largest subtree first",
    .run = scatter_knomial,
    .params = {RADIX(4, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial_run,
    .cost = "N alpha + (p-1) m beta",
    .formula = formula_knomial,
    .source = "MPICH, iscatter tree; the scatter of UCC's bcast sag_knomial",
};

const CollAlgorithm scatterv_binomial_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .run = scatterv_binomial,
    .params = {LEVEL, LENGTHS},
    .same_as = same_after_counts,
    .cost =
        "ceil(log2 p) alpha + (p-1) m beta; conservative, p = 2^d: + d (alpha + (8p+8) beta), as long as the lengths "
        "go down a tree",
    .formula = formula_v,
    .unknown = LENGTHS_UNKNOWN,
    .source = "the mirror of gatherv binomial",
};
