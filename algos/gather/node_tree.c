// What:   The blocks travel up the tree of bcast node_tree: the ranks of a node gather at its first R-1 ranks, each of
//         these gets what one other node has, and then they gather at the node's leader, which sends all of it on. R is
//         the least number with R^rounds >= nodes. A rank holds its own block first, then those of its children's
//         subtrees, and the root unpacks what it has. See shapes/fan.h for the tree. In
//         the v-collective, on the conservative level, the root first broadcasts all lengths and displacements, 8 bytes
//         for each rank, down the same tree; on the aggressive level all ranks know them.
// Cost:   the tree's recurrence; n = R nodes of k ranks, 1 round, R-1 <= k, k = 2^d, m = 0: (ceil(log2 k) + ceil(log2
//         )) alpha.near + alpha.far. m is the size of a block, in bytes.
// Source: this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve as
//         many nodes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial runs.
//
//   p = 16, 4 per node, 1 round      in the nodes        3 -> 0   7 -> 5   6 -> 4   11 -> 9   10 -> 8 ..
//                                                        5 -> 4   9 -> 8 .. (2 blocks)
//                                    between the nodes   4 -> 0   8 -> 1   12 -> 2 (4 blocks)
//                                    in node 0           2 -> 0   1 -> 0 (5 blocks)
#include "coll.h"
#include "times/times.h"

static void gather_node_tree(const Coll *c)
{
    const Tree t = tree_fan(c, c->root);
    int *end = coll_ints(c, (size_t)t.n + 1);
    const int *order = fan_preorder(c, &t, end);
    const Blocks out = coll_out(c);
    const size_t *at = fan_positions(c, &out, order, end[t.n]);
    const Slice held = t.n == 0 && t.parent >= 0 ? c->in : coll_scratch(c, at[end[t.n]]);
    coll_copy(c, slice_at(held, 0, at[1]), c->in);
    for (int i = t.n - 1; i >= 0; i--)
        coll_recv(c, t.child[i], slice_at(held, at[end[i]], at[end[i + 1]] - at[end[i]]));
    if (t.parent >= 0)
        coll_send(c, t.parent, held);
    else
        coll_unpack(c, &out, c->p, order, held);
}

static void gatherv_node_tree(const Coll *c)
{
    runs_bcast_counts_over(c, tree_fan(c, c->root));
    coll_phase(c, "gather");
    gather_node_tree(c);
}

static int64_t formula(const CollPoint *x)
{
    return tree_gather_time(x, tree_fan_reversed, 0);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "node_tree", .summary = "a tree in which many ranks of a node receive from other nodes at once",           \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "binomial", .peers = PEERS_SHIFT,                          \
    .cost = "the tree's recurrence; n = R nodes of k ranks, 1 round, R-1 <= k, k = 2^d, m = 0: (ceil(log2 k) + "       \
            "ceil(log2 (R-1))) alpha.near + alpha.far",                                                                \
    .levels = true,                                                                                                    \
    .source = "this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node "     \
              "serve as many nodes"

const CollAlgorithm gather_node_tree_algorithm = {
    COMMON, .collective = COLL_GATHER, .run = gather_node_tree, .params = {NODE_ROUNDS}, .formula = formula,
};

const CollAlgorithm gatherv_node_tree_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .run = gatherv_node_tree,
    .params = {NODE_ROUNDS, LEVEL},
    .formula = formula_v,
    .unknown = "conservative: ranks pass blocks on while others still get the lengths",
};
