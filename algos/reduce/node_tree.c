// What:   The tree of bcast node_tree, taken from its leaves: the ranks of a node reduce to its first R-1 ranks, each
//         of these adds what one other node sends, and then they reduce to the node's leader, which sends the sum on. R
//         is the least number with R^rounds >= nodes. See shapes/fan.h for the tree.
// Cost:   the tree's recurrence; one segment, S senders, S divides R-1, n = R^rounds nodes of k ranks, gamma = 0:
//         rounds (ceil(log2 S) u.near + (R-1)/S u.far) + ceil(log2 k) u.near, u = alpha + m beta.
// Source: this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve as
//         many nodes.
// Needs:  a commutative operation, several nodes of several ranks (--map or --per-node), nodes of equal size; else
//         binomial runs.
//
//   p = 16, 4 per node, 1 round      in the nodes        3 -> 0   5 6 -> 4   7 -> 5   9 10 -> 8   11 -> 9 ..
//                                    between the nodes   4 -> 0   8 -> 1   12 -> 2
//                                    in node 0           2 -> 0   1 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_node_tree(const Coll *c)
{
    reduce_over(c, c->root, tree_fan_reversed(c, c->root));
}

static int64_t formula(const CollPoint *x)
{
    return tree_reduce_time(x, tree_fan_reversed, 0);
}

const CollAlgorithm reduce_node_tree_algorithm = {
    .collective = COLL_REDUCE,
    .name = "node_tree",
    .summary = "a tree in which many ranks of a node receive from other nodes at once",
    .run = reduce_node_tree,
    .needs = {&need_commutative, &need_nodes, &need_nodes_equal},
    .otherwise = "binomial",
    .params = {SEGMENT, NODE_ROUNDS},
    .peers = PEERS_SHIFT,
    .cost = "the tree's recurrence; one segment, S senders, S divides R-1, n = R^rounds nodes of k ranks, gamma = 0: "
            "rounds (ceil(log2 S) u.near + (R-1)/S u.far) + ceil(log2 k) u.near, u = alpha + m beta",
    .formula = formula,
    .levels = true,
    .source = "this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve "
              "as many nodes",
};
