// What:   In step i = 1 .. p-1, rank r exchanges a block with rank r xor i, so that the ranks of a pair send to each
//         other.
// Cost:   T = (p-1) (alpha + m beta). m is the size of the block for one rank, in bytes.
// Source: MPICH, alltoall pairwise.
// Needs:  p a power of two; else pairwise runs.
//
//   p = 8      step 1   0 <-> 1   2 <-> 3   4 <-> 5   6 <-> 7      step 2   0 <-> 2   1 <-> 3   4 <-> 6   5 <-> 7   ..
#include "coll.h"
#include "times/times.h"

static void alltoall_pairwise_xor(const Coll *c)
{
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int i = 1; i < c->p; i++) {
        const int peer = c->rank ^ i;
        coll_sendrecv(c, peer, block(&in, peer), peer, block(&out, peer));
    }
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

const CollAlgorithm alltoall_pairwise_xor_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "pairwise_xor",
    .aliases = {"mpich:pairwise", "smpi:pair"},
    .summary = "every rank exchanges blocks with one other rank at a time, in step i with rank xor i",
    .run = alltoall_pairwise_xor,
    .needs = {&need_pow2},
    .otherwise = "pairwise",
    .peers = PEERS_XOR,
    .same_as = same_pow2,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "MPICH, alltoall pairwise",
};
