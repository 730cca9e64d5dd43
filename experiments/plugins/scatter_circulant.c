// What:   The root scatters the message down a binomial tree, so that rank v, counted from the root, has block v. Then
//         all blocks travel over the circulant graph, whose rounds double the number of blocks for any p. A ring needs
//         p-1 rounds for the second half, and recursive doubling needs p to be a power of two to keep in step. The
//         others collect their blocks in the order v, v+1 .. mod p; in the root's message they lie so already.
// Cost:   T = 2 ceil(log2 p) alpha + 2 (p-1)/p m beta.
// Source: ours; the scatter and allgather of van de Geijn, with the allgather of Träff 2024 on circulant graphs.
// Needs:  count >= p; else linear runs.
//
//   p = 5      scatter   0 -> 4,  0 -> 2,  0 -> 1  2 -> 3
//              allgather from v+1 (1 block)   from v+2 (1 block)   from v+3 (2 blocks)
#include "coll.h"
#include "times/times.h"

static void bcast_scatter_circulant(const Coll *c)
{
    const Coll all = coll_sub(c, c->p, coll_v(c), coll_rank); // counted from the root: block i belongs to v = i
    const int v = all.rank, p = c->p;
    const Circulant x = circulant_graph(p);
    const Blocks b = blocks_even(c, c->out, p), have = v == 0 ? b : blocks_turned(&all, &b, v);
    tree_scatter_blocks(&all, &b);
    if (v != 0)
        coll_copy(&all, block(&have, 0), block(&b, v));
    for (int k = 0; k < x.q; k++) {
        const int s = x.skip[k], n = x.skip[k + 1] - s;
        coll_sendrecv(&all, (v + p - s) % p, blocks(&have, 0, n), (v + s) % p, blocks(&have, s, s + n));
    }
    if (v != 0)
        coll_unpack(&all, &b, p - 1, blocks_numbers(&all, (v + 1) % p, 1, p - 1, p), blocks(&have, 1, p));
}

static int64_t formula(const CollPoint *x)
{
    return 2 * log2_ceil(x->p) * x->alpha + 2 * (x->m - x->m / x->p) * x->beta;
}

static const CollAlgorithm bcast_scatter_circulant_algorithm = {
    .collective = COLL_BCAST,
    .name = "scatter_circulant",
    .summary = "a binomial scatter, then an allgather over the circulant graph, for any p",
    .run = bcast_scatter_circulant,
    .needs = {&need_count_p},
    .otherwise = "linear",
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "2 ceil(log2 p) alpha + 2 (p-1)/p m beta",
    .formula = formula,
    .source = "ours; van de Geijn's scatter and allgather with Träff's circulant graph, 2024",
};

COLL_PLUGIN(&bcast_scatter_circulant_algorithm)
