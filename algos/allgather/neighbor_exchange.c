// What:   p/2 steps: a rank exchanges with its two neighbours in turn, first its own block, then the two blocks it got last.
// Cost:   T = p/2 alpha + (p-1) m beta, m bytes a block, p even.
// Source: Chen et al. 2005; Open MPI 4.1 coll/base, allgather neighbor_exchange.
// Needs:  p even; else the ring runs.
//
//   p = 8      step 1   0-1   2-3   4-5   6-7 (1 block)
//              step 2   7-0   1-2   3-4   5-6 (2 blocks), and so on in turn
#include "coll.h"

static bool even_ranks(const Coll *c)
{
    return c->p % 2 == 0;
}

static const CollNeed need_even = {even_ranks, "p is odd", "p even"};

static void allgather_neighbor_exchange(const Coll *c)
{
    const int p = c->p, right = (c->rank + 1) % p, left = (c->rank + p - 1) % p, odd = c->rank % 2;
    const Blocks b = blocks_even(c, c->out, p);
    const int first = odd ? left : right;
    coll_copy(c, slice_like(block(&b, c->rank), c->in), c->in);
    coll_sendrecv(c, first, block(&b, c->rank), first, block(&b, first));
    // Pairs of blocks begin at an even one: that which was got last, and what the pair's next ones from either side are.
    int have = c->rank - odd, from[2] = {have, have};
    for (int i = 1; i < p / 2; i++) {
        const int side = i % 2 == odd; // 1: the left neighbour
        const int neighbour = (i % 2 == 1) == !odd ? left : right;
        from[side] = (from[side] + (neighbour == left ? p - 2 : 2)) % p;
        coll_sendrecv(c, neighbour, blocks(&b, have, have + 2), neighbour, blocks(&b, from[side], from[side] + 2));
        have = from[side];
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

const CollAlgorithm allgather_neighbor_exchange_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "neighbor_exchange",
    .aliases = {"ompi:5"},
    .summary = "neighbours exchange the two blocks that they got last, in turn",
    .run = allgather_neighbor_exchange,
    .needs = {&need_even},
    .otherwise = "ring",
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "p even: p/2 alpha + (p-1) m beta",
    .formula = formula,
    .source = "Chen et al. 2005; Open MPI 4.1, allgather neighbor_exchange",
};
