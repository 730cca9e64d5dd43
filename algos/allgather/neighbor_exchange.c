// What:   p/2 steps: a rank exchanges with its two neighbours in turn, first its own block, then the
//         two blocks that it got last.
// Cost:   p even: p/2 alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: allgather neighbor_exchange: Chen et al. 2005; Open MPI 4.1, allgather neighborexchange.
//         allgatherv neighbor_exchange: Chen et al. 2005; Open MPI 4.1, allgatherv neighborexchange.
// Needs:  p even; else ring runs.
//
//   p = 8      step 1   0-1   2-3   4-5   6-7 (1 block)
//              step 2   7-0   1-2   3-4   5-6 (2 blocks)
//              step 3   0-1   2-3   4-5   6-7 (2 blocks)
//              step 4   7-0   1-2   3-4   5-6 (2 blocks)
#include "coll.h"
#include "times/times.h"

static void allgather_neighbor_exchange(const Coll *c)
{
    const int p = c->p, odd = c->rank % 2, first = c->rank ^ 1;
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    exchange_blocks(c, &b, 1, 1, first, c->rank, first, first);
    int pair = c->rank - odd; // the lower of the two blocks got last
    for (int i = 1; i < p / 2; i++) {
        const int side = i % 2 == odd ? 1 : -1, neighbour = (c->rank + side + p) % p;
        // Each time that it is a neighbour's turn, it has the next pair on its side.
        const int next = (c->rank - odd + side * (i + i % 2) + p) % p;
        exchange_blocks(c, &b, 2, 1, neighbour, pair, neighbour, next);
        pair = next;
    }
}

static int64_t formula(const CollPoint *x)
{
    return x->p / 2 * x->alpha + (x->p - 1) * x->m * x->beta;
}

static int same_as(const Coll *c)
{
    return c->rank % 2;
}

#define COMMON                                                                                                         \
    .name = "neighbor_exchange", .summary = "neighbours exchange the two blocks that they got last, in turn",          \
    .run = allgather_neighbor_exchange, .needs = {&need_even}, .otherwise = "ring", .peers = PEERS_SHIFT,              \
    .same_as = same_as, .cost = "p even: p/2 alpha + (p-1) m beta", .formula = formula

const CollAlgorithm allgather_neighbor_exchange_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi:5", "smpi:ompi_neighborexchange"},
    .source = "Chen et al. 2005; Open MPI 4.1, allgather neighborexchange",
};

const CollAlgorithm allgatherv_neighbor_exchange_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"ompi:4", "smpi:ompi_neighborexchange"},
    .source = "Chen et al. 2005; Open MPI 4.1, allgatherv neighborexchange",
};
