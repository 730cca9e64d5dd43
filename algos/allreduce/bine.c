// What:   The butterfly has the peers of swing, at distances 1, 1, 3, 5, 11 .. to one side and the other in turn. A
//         rank does not reduce the part with its own number, but the part whose number follows from the rank written in
//         base -2. This makes every message contiguous without packing, and in an allreduce it does not matter which
//         rank reduces which part. If p is not a power of two, pairs fold into one rank first, and the other rank gets
//         the result at the end. See shapes/bine.c and shapes/fold.c.
// Cost:   p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m beta + (1 +
//         (P-1)/P) m gamma.
// Source: De Sensi et al., Bine Trees, SC 2025. This is the paper's butterfly with remapped parts: it halves at growing
//         distance, and doubles by the same steps backwards. The fold is ours; swing has the steps for even p.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else recursive_doubling runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (m/2)   0-7 1-2 3-4 5-6 (m/4)   0-3 1-6 2-5 4-7 (m/8)   and back
//   keeps      halves 0 1 1 0 0 1 1 0  quarters of these 0 0 1 0 1 1 0 1  eighths 0 0 0 1 1 1 1 0
#include "coll.h"
#include "times/times.h"

static void scatter_and_gather(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, c->p);
    coll_phase(c, "reduce-scatter");
    bine_halve(c, &b);
    coll_phase(c, "allgather");
    bine_halve_back(c, &b);
}

static void allreduce_bine(const Coll *c)
{
    fold_run(c, PRESTEP_MPICH, scatter_and_gather);
}

static int same_as(const Coll *c)
{
    return is_pow2(c->p) ? same_swing(c) : c->rank;
}

const CollAlgorithm allreduce_bine_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "bine",
    .summary = "the butterfly of swing, with parts assigned so that every message is contiguous",
    .run = allreduce_bine,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = FOLD_HALVE_DOUBLE_COST,
    .formula = fold_halve_double_time,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
