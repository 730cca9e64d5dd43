// What:   All ranks exchange whole vectors in ceil(log2 p) rounds, for any p. A rank's sum grows by the sums of the
//         ranks before it, to twice as many ranks or to twice as many less one. See shapes/census.c.
// Cost:   T = q (alpha + m beta) + (q+k) m gamma, q = ceil(log2 p); k < q rounds, 0 if p = 2^q, add what comes to a
//         second sum too.
// Source: Bar-Noy, Kipnis, Schieber, Optimal computation of census functions in the postal model, 1993.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 5      to r+1   (sums of 1 rank)    r .. r-1
//              to r+1   (rests of 1)        r .. r-2
//              to r+2   (rests of 2)        r .. r-4
#include "coll.h"
#include "times/times.h"

static void allreduce_census(const Coll *c)
{
    const Blocks whole = blocks_even(c, c->out, 1);
    const Census x = census_ring(c->p, 1);
    coll_copy(c, c->out, c->in);
    census_run(c, &x, &whole, false);
}

static int64_t formula(const CollPoint *x)
{
    const Census census = census_ring(x->p, 1);
    return census_time(x, &census, x->m, false);
}

const CollAlgorithm allreduce_census_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "census",
    .summary = "exchanges of the whole vector in ceil(log2 p) rounds, for any p",
    .run = allreduce_census,
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "q (alpha + m beta) + (q+k) m gamma, q = ceil(log2 p); k < q rounds, 0 if p = 2^q, add what comes to a "
            "second sum too",
    .formula = formula,
    .source = "Bar-Noy, Kipnis, Schieber, Optimal computation of census functions in the postal model, 1993",
};
