// What:   The blocks travel down the tree of bcast node_tree: the root serves the first R-1 ranks of its node, each of
//         these sends one other node what it gets, and then they serve the other ranks of the node. R is the least
//         number with R^rounds >= nodes. A rank gets its own block first, then those of its children's subtrees, and
//         the root packs what it has in this order. See shapes/fan.h for the tree. In
//         the v-collective, on the conservative level, the root first broadcasts all lengths and displacements, 8 bytes
//         for each rank, down the same tree; on the aggressive level all ranks know them.
// Cost:   the tree's recurrence; n = R nodes of k ranks, 1 round, R-1 <= k, k = 2^d, m = 0: (ceil(log2 k) + ceil(log2
//         )) alpha.near + alpha.far. m is the size of a block, in bytes.
// Source: this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve as
//         many nodes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial runs.
//
//   p = 16, 4 per node, 1 round      in node 0           0 -> 1   0 -> 2 (5 blocks)
//                                    between the nodes   0 -> 4   1 -> 8   2 -> 12 (4 blocks)
//                                    in the nodes        4 -> 5   8 -> 9 .. (2 blocks)
//                                                        0 -> 3   4 -> 6   5 -> 7   8 -> 10   9 -> 11 ..
#include "coll.h"
#include "times/times.h"

static void scatter_node_tree(const Coll *c)
{
    const Tree t = tree_fan(c, c->root);
    int *end = coll_ints(c, (size_t)t.n + 1);
    const int *order = fan_preorder(c, &t, end);
    const Blocks in = coll_in(c);
    const size_t *at = fan_positions(c, &in, order, end[t.n]);
    const Slice held = t.n == 0 && t.parent >= 0 ? c->out : coll_scratch(c, at[end[t.n]]);
    if (t.parent < 0) {
        coll_pack(c, held, &in, c->p, order);
        coll_copy(c, c->out, block(&in, c->root));
    } else
        coll_recv(c, t.parent, held);
    for (int i = 0; i < t.n; i++)
        coll_send(c, t.child[i], slice_at(held, at[end[i]], at[end[i + 1]] - at[end[i]]));
    if (t.parent >= 0)
        coll_copy(c, c->out, slice_at(held, 0, at[1]));
}

static void scatterv_node_tree(const Coll *c)
{
    runs_bcast_counts_over(c, tree_fan(c, c->root));
    coll_phase(c, "scatter");
    scatter_node_tree(c);
}

static int64_t formula(const CollPoint *x)
{
    return tree_scatter_time(x, tree_fan, 0);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "node_tree", .summary = "a tree in which many ranks of a node send to other nodes at once",                \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "binomial", .peers = PEERS_SHIFT,                          \
    .cost = "the tree's recurrence; n = R nodes of k ranks, 1 round, R-1 <= k, k = 2^d, m = 0: (ceil(log2 k) + "       \
            "ceil(log2 (R-1))) alpha.near + alpha.far",                                                                \
    .levels = true,                                                                                                    \
    .source = "this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node "     \
              "serve as many nodes"

const CollAlgorithm scatter_node_tree_algorithm = {
    COMMON, .collective = COLL_SCATTER, .run = scatter_node_tree, .params = {NODE_ROUNDS}, .formula = formula,
};

const CollAlgorithm scatterv_node_tree_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .run = scatterv_node_tree,
    .params = {NODE_ROUNDS, LEVEL},
    .formula = formula_v,
    .unknown = "conservative: ranks pass blocks on while others still get the lengths",
};
