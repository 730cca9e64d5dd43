// What:   Recursive halving reduces each part of the vector to one rank; then recursive doubling gathers the parts at
//         all ranks. If p is not a power of two, pairs fold into one rank first, and the other rank gets the result at
//         the end. See shapes/butterfly.c and shapes/fold.c.
// Cost:   p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: mpich (2f+2) alpha + (2 + 2(P-1)/P) m beta +
//         (1 + (P-1)/P) m gamma; ompi alpha more, m/2 gamma less. mpich and ompi are the values of prestep, and
//         f = floor(log2 p).
// Source: Thakur, Rabenseifner, Gropp 2005; Open MPI 4.1, allreduce rabenseifner; MPICH, reduce_scatter_allgather.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else linear runs.
//
//   p = 8      halving    r xor 1 (m/2)   r xor 2 (m/4)   r xor 4 (m/8)
//              doubling   r xor 4 (m/8)   r xor 2 (m/4)   r xor 1 (m/2)
#include "coll.h"
#include "times/times.h"

static void halve_and_double(const Coll *c)
{
    const Parts part = {.blocks = blocks_even(c, c->out, c->p),
                        .n = c->p,
                        .k = 2,
                        .nearest = true,
                        .cut_anew = c->par.prestep == PRESTEP_OMPI};
    coll_phase(c, "reduce-scatter");
    parts_halve(c, &part);
    coll_phase(c, "allgather");
    parts_halve_back(c, &part);
}

static void allreduce_rabenseifner(const Coll *c)
{
    fold_run(c, c->par.prestep, halve_and_double);
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), P = 1 << f;
    const int64_t part = x->m - x->m / P; // (P-1)/P m
    if (is_pow2(x->p) || x->par.prestep == PRESTEP_MPICH)
        return fold_halve_double_time(x);
    return (2 * f + 3) * x->alpha + (2 * x->m + 2 * part) * x->beta + (x->m / 2 + part) * x->gamma;
}

const CollAlgorithm allreduce_rabenseifner_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "rabenseifner",
    .aliases = {"ompi:6", "mpich:reduce_scatter_allgather", "smpi:rab_rdb", "smpi:mvapich2_rs", "smpi:rab",
                "libnbc:rabenseifner", "intel:2"},
    .presets = {{"mpich:reduce_scatter_allgather", "prestep", PRESTEP_MPICH},
                {"smpi:rab_rdb", "prestep", PRESTEP_MPICH},
                {"smpi:mvapich2_rs", "prestep", PRESTEP_MPICH}},
    .summary = "a recursive-halving reduce-scatter, then a recursive-doubling allgather",
    .run = allreduce_rabenseifner,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "linear",
    .params = {PRESTEP},
    .peers = PEERS_XOR,
    .same_as = same_fold_even,
    .cost = "p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: mpich (2f+2) alpha + "
            "(2 + 2(P-1)/P) m beta + (1 + (P-1)/P) m gamma; ompi alpha more, m/2 gamma less",
    .formula = formula,
    .source = "Thakur, Rabenseifner, Gropp 2005; Open MPI 4.1, allreduce rabenseifner; MPICH, reduce_scatter_allgather",
};
