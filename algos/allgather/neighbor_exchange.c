// What:   A rank exchanges blocks with its two neighbours in turn, in p/2 steps. In the first step it sends its own
//         block, in every later step the two blocks of the last pair that it has got. A pair is the blocks of ranks 2i
//         and 2i+1.
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
    int pair = c->rank - odd; // the lower block of the last pair; the first pair has the rank's own block
    for (int i = 1; i < p / 2; i++) {
        const int side = i % 2 == odd ? 1 : -1, neighbour = (c->rank + side + p) % p;
        // Each time that a neighbour has its turn, it has the next pair on its own side.
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
    .name = "neighbor_exchange", .summary = "a rank exchanges pairs of blocks with its two neighbours in turn",        \
    .run = allgather_neighbor_exchange, .needs = {&need_even}, .otherwise = "ring", .peers = PEERS_SHIFT,              \
    .same_as = same_as, .cost = "p even: p/2 alpha + (p-1) m beta", .formula = formula

const CollAlgorithm allgather_neighbor_exchange_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi:5", "smpi:ompi_neighborexchange", "ucc:neighbor"},
    .source = "Chen et al. 2005; Open MPI 4.1, allgather neighborexchange",
};

const CollAlgorithm allgatherv_neighbor_exchange_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"ompi:4", "smpi:ompi_neighborexchange"},
    .source = "Chen et al. 2005; Open MPI 4.1, allgatherv neighborexchange",
};
