// What:   For machines on which a byte takes longer within a node than between nodes: the tree of scatter binomial,
//         with the ranks in an order in which hardly any two of one node exchange messages. Blocks of the root's node
//         go to other nodes and come back. See shapes/detour.h for the order. In the v-collective, on the conservative
//         level, the root first broadcasts all lengths and displacements, 8 bytes for each rank, down the tree of bcast
//         node_tree with 2 rounds; on the aggressive level all ranks know them.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: this page; Open MPI 4.1, scatter binomial; MPICH, scatter binomial.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial runs.
//
//   p = 6, 2 per node      0 -> 5 (2 blocks)
//                          0 -> 4 (2 blocks)   5 -> 2
//                          0 -> 3   4 -> 1
#include "coll.h"
#include "times/times.h"

static void scatter_binomial_detour(const Coll *c)
{
    Coll view = coll_sub(c, c->p, detour_place(c, c->rank), detour_rank);
    const Blocks in = coll_in(c);
    const bool listed = c->rank == c->root || in.counts || in.longer > 0;
    const int *order = listed ? detour_order(c) : NULL;
    CollCounts counts;
    rails_chunks(&view, &counts, &in, order, 1);
    view.in = coll_scratch_if(c, c->rank == c->root, listed ? blocks_total(&in, c->p, order) : c->in.len);
    if (c->rank == c->root) {
        coll_pack(c, view.in, &in, c->p, order);
        view.out = slice_at(view.in, 0, c->out.len); // the text below need not copy it
        coll_copy(c, c->out, block(&in, c->root));
    }
    const Runs r = runs_binomial(&view);
    runs_scatter(&view, &r);
}

static void scatterv_binomial_detour(const Coll *c)
{
    relay_tell(c);
    coll_phase(c, "scatter");
    scatter_binomial_detour(c);
}

static int64_t formula(const CollPoint *x)
{
    return scatter_binomial_algorithm.formula(x);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "binomial_detour", .summary = "a binomial tree whose messages go to other nodes, not within one",          \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "binomial", .peers = PEERS_SHIFT,                          \
    .cost = "ceil(log2 p) alpha + (p-1) m beta",                                                                       \
    .source = "this page; Open MPI 4.1, scatter binomial; MPICH, scatter binomial"

const CollAlgorithm scatter_binomial_detour_algorithm = {
    COMMON,
    .collective = COLL_SCATTER,
    .run = scatter_binomial_detour,
    .formula = formula,
};

const CollAlgorithm scatterv_binomial_detour_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .run = scatterv_binomial_detour,
    .params = {LEVEL},
    .formula = formula_v,
    .unknown = "conservative: ranks pass blocks on while others still get the lengths",
};
