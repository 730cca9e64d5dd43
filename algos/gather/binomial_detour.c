// What:   For machines on which a byte takes longer within a node than between nodes: the tree of gather binomial, with
//         the ranks in an order in which hardly any two of one node exchange messages. Blocks of the root's node go to
//         other nodes and come back with theirs. See shapes/detour.h for the order. In the v-collective, on the
//         conservative level, the root first broadcasts all lengths and displacements, 8 bytes for each rank, down the
//         tree of bcast node_tree with 2 rounds; on the aggressive level all ranks know them.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees. m is the size of a block, in
//         bytes.
// Source: this page; Open MPI 4.1, gather binomial; MPICH, gather binomial.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial runs.
//
//   p = 6, 2 per node      3 -> 0   1 -> 4   2 -> 5
//                          4 -> 0 (2 blocks)
//                          5 -> 0 (2 blocks)
#include "coll.h"
#include "times/times.h"

static void gather_binomial_detour(const Coll *c)
{
    Coll view = coll_sub(c, c->p, detour_place(c, c->rank), detour_rank);
    const Blocks out = coll_out(c);
    const bool listed = c->rank == c->root || out.counts || out.longer > 0;
    const int *order = listed ? detour_order(c) : NULL;
    CollCounts counts;
    rails_chunks(&view, &counts, &out, order, 1);
    view.out = coll_scratch_if(c, c->rank == c->root, listed ? blocks_total(&out, c->p, order) : c->out.len);
    const Runs r = runs_binomial(&view);
    runs_gather(&view, &r, runs_whole);
    if (c->rank == c->root)
        coll_unpack(c, &out, c->p, order, view.out);
}

static void gatherv_binomial_detour(const Coll *c)
{
    relay_tell(c);
    coll_phase(c, "gather");
    gather_binomial_detour(c);
}

static int64_t formula(const CollPoint *x)
{
    return gather_binomial_algorithm.formula(x);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "binomial_detour", .summary = "a binomial tree whose messages go to other nodes, not within one",          \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "binomial", .peers = PEERS_SHIFT,                          \
    .cost = "ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees",                                 \
    .source = "this page; Open MPI 4.1, gather binomial; MPICH, gather binomial"

const CollAlgorithm gather_binomial_detour_algorithm = {
    COMMON,
    .collective = COLL_GATHER,
    .run = gather_binomial_detour,
    .formula = formula,
};

const CollAlgorithm gatherv_binomial_detour_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .run = gatherv_binomial_detour,
    .params = {LEVEL},
    .formula = formula_v,
    .unknown = "conservative: ranks pass blocks on while others still get the lengths",
};
