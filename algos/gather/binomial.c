// What:   The blocks travel up an in-order binomial, or k-nomial, tree: a rank receives the blocks of each child's
//         subtree as one message, then sends them with its own block to its parent. The root receives a message
//         straight into place if its blocks are contiguous there. See shapes/runs.c.
// Cost:   gather binomial: T = ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees.
//         gather knomial: T = N alpha + (p-1) m beta; eager: the longest chain of subtrees.
//         m is the size of a block, in bytes, and N the number of the root's children: (k-1) d for p = k^d.
//         times/runs_time.c has the recurrence for eager.
// Source: gather binomial: Open MPI 4.1, gather binomial; MPICH, gather binomial.
//         gather knomial: UCC, gather knomial.
//         UCC receives from the k-1 children at a distance at once, and ours from one after the other.
// Needs:  nothing.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4 (2 blocks)
//              4 -> 0 (4 blocks)
#include "coll.h"
#include "times/times.h"

static void gather_binomial(const Coll *c)
{
    const Runs r = runs_binomial(c);
    runs_gather(c, &r, runs_whole);
}

static void gather_knomial(const Coll *c)
{
    const Runs r = runs_knomial(c);
    runs_gather(c, &r, runs_whole);
}

static int64_t formula(const CollPoint *x)
{
    return x->eager ? runs_gather_binomial_time(x, false) : log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

static int64_t formula_knomial(const CollPoint *x)
{
    return x->eager ? runs_gather_knomial_time(x)
                    : times_knomial_rounds(x->p, x->par.radix) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm gather_binomial_algorithm = {
    .collective = COLL_GATHER,
    .name = "binomial",
    .aliases = {"ompi:2", "mpich:binomial", "smpi:ompi_binomial", "intel:1"},
    .summary = "a binomial tree: each child sends the blocks of its subtree, the smallest subtree first",
    .run = gather_binomial,
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees",
    .formula = formula,
    .source = "Open MPI 4.1, gather binomial; MPICH, gather binomial",
};

const CollAlgorithm gather_knomial_algorithm = {
    .collective = COLL_GATHER,
    .name = "knomial",
    .aliases = {"ucc:knomial"},
    .summary = "a k-nomial tree: each child sends the blocks of its subtree, the smallest subtree first",
    .run = gather_knomial,
    .params = {RADIX(4, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial_run,
    .cost = "N alpha + (p-1) m beta; eager: the longest chain of subtrees",
    .formula = formula_knomial,
    .source = "UCC, gather knomial",
};
