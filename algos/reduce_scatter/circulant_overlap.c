// What:   The rounds of circulant. A rank first reduces what it sends next, and reduces the rest while that travels.
//         See shapes/circulant.c.
// Cost:   p = 2^d: d alpha + (p-1)/p m (beta + gamma), m the whole vector, less min(u,g) for each message of m/4, m/8
//         .. m/p, u its time and g that of reducing as many bytes; else a recurrence over the rounds.
// Source: Träff 2024, reduce-scatter and allreduce on circulant graphs; the overlap is ours.
// Needs:  a commutative operation.
//
//   p = 5      to r+3 (2 blocks)   to r+2 (1 block)   to r+1 (1 block)
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_circulant_overlap(const Coll *c)
{
    const Blocks in = coll_in(c), acc = circulant_reduce_scatter(c, &in, true);
    coll_copy(c, c->out, block(&acc, 0));
}

static int64_t formula(const CollPoint *x)
{
    const Circulant graph = circulant_graph(x->p);
    return circulant_overlap_time(x, &graph, graph.q, x->m / x->p);
}

#define COMMON                                                                                                         \
    .name = "circulant_overlap",                                                                                       \
    .summary = "circulant, in which a rank reduces what it does not send next while messages travel",                  \
    .run = reduce_scatter_circulant_overlap, .needs = {&need_commutative}, .peers = PEERS_SHIFT,                       \
    .same_as = same_always,                                                                                            \
    .cost = "p = 2^d: d alpha + (p-1)/p m (beta + gamma), m the whole vector, less min(u,g) for each message of m/4, " \
            "m/8 .. m/p, u its time and g that of reducing as many bytes; else a recurrence over the rounds",          \
    .formula = formula, .source = "Träff 2024, reduce-scatter and allreduce on circulant graphs; the overlap is ours"

const CollAlgorithm reduce_scatter_circulant_overlap_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_circulant_overlap_algorithm = {COMMON,
                                                                        .collective = COLL_REDUCE_SCATTER_BLOCK};
