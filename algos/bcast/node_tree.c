// What:   A tree for nodes that are far from each other: when a node has the message, its first R-1 ranks send it to
//         R-1 other nodes at once, R the least number with R^rounds >= nodes. A node's leader serves these ranks first,
//         and they serve the others at the end. See shapes/fan.h for the tree.
// Cost:   the tree's recurrence; one segment, S senders, S divides R-1, n = R^rounds nodes of k ranks: rounds
//         (ceil(log2 S) u.near + (R-1)/S u.far) + ceil(log2 k) u.near, u = alpha + m beta.
// Source: this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve as
//         many nodes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial_far runs.
//
//   p = 16, 4 per node, 1 round      in node 0           0 -> 1   0 -> 2
//                                    between the nodes   0 -> 4   1 -> 8   2 -> 12
//                                    in the nodes        0 -> 3   4 -> 5 6   5 -> 7   8 -> 9 10   9 -> 11 ..
#include "coll.h"
#include "times/times.h"

static void bcast_node_tree(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_fan(c, c->root), &segments);
}

static int64_t formula(const CollPoint *x)
{
    return tree_bcast_time(x, tree_fan, 0);
}

const CollAlgorithm bcast_node_tree_algorithm = {
    .collective = COLL_BCAST,
    .name = "node_tree",
    .summary = "a tree in which many ranks of a node send to other nodes at once",
    .run = bcast_node_tree,
    .needs = {&need_nodes, &need_nodes_equal},
    .otherwise = "binomial_far",
    .params = {SEGMENT, NODE_ROUNDS},
    .peers = PEERS_SHIFT,
    .cost = "the tree's recurrence; one segment, S senders, S divides R-1, n = R^rounds nodes of k ranks: rounds "
            "(ceil(log2 S) u.near + (R-1)/S u.far) + ceil(log2 k) u.near, u = alpha + m beta",
    .formula = formula,
    .levels = true,
    .source = "this page; Bienz, Olson, Gropp, Node-aware improvements to allreduce, 2019, whose ranks of a node serve "
              "as many nodes",
};
