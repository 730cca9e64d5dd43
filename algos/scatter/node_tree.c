// What:   The blocks travel down the tree of bcast node_tree: the root serves the first R-1 ranks of its node, each of these
//         sends one other node what it gets, and then they serve the other ranks of the node. R is the least number with
//         R^rounds >= nodes. A rank gets its own block first, then those of its children's subtrees, and the root packs
//         what it has in this order. See shapes/fan.h for the tree.
// Cost:   the tree's recurrence; n = R nodes of k ranks, 1 round, R-1 <= k, k = 2^d, m = 0: (ceil(log2 k) + ceil(log2
//         )) alpha.near + alpha.far. m is the size of a block, in bytes.
// Source: this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve as many
//         nodes.
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
    const size_t m = c->out.len;
    const Slice held = t.n == 0 && t.parent >= 0 ? c->out : coll_scratch(c, (size_t)end[t.n] * m);
    if (t.parent < 0) {
        const Blocks in = coll_in(c);
        coll_pack(c, held, &in, c->p, order);
        coll_copy(c, c->out, block(&in, c->root));
    } else
        coll_recv(c, t.parent, held);
    for (int i = 0; i < t.n; i++)
        coll_send(c, t.child[i], slice_at(held, (size_t)end[i] * m, (size_t)(end[i + 1] - end[i]) * m));
    if (t.parent >= 0)
        coll_copy(c, c->out, slice_at(held, 0, m));
}

static int64_t formula(const CollPoint *x)
{
    return tree_scatter_time(x, tree_fan, 0);
}

const CollAlgorithm scatter_node_tree_algorithm = {
    .collective = COLL_SCATTER,
    .name = "node_tree",
    .summary = "a tree in which many ranks of a node send to other nodes at once",
    .run = scatter_node_tree,
    .needs = {&need_nodes, &need_nodes_equal},
    .otherwise = "binomial",
    .params = {NODE_ROUNDS},
    .peers = PEERS_SHIFT,
    .cost =
        "the tree's recurrence; n = R nodes of k ranks, 1 round, R-1 <= k, k = 2^d, m = 0: (ceil(log2 k) + ceil(log2 "
        "(R-1))) alpha.near + alpha.far",
    .formula = formula,
    .levels = true,
    .source = "this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve "
              "as many nodes",
};
