// What:   Every node reduces to its leader; then the leaders reduce to the root. The leader of the root's node is the
//         root. See shapes/node.h for the groups.
// Cost:   T = T_inner(ranks of a node) + T_outer(nodes), nodes of equal size; on two levels, T_outer has the figures
//         between nodes, the rest those within a node.
// Source: folklore; MPICH hands the root's node over in another way (ch4_alpha, ch4_beta).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, parts that can run on the nodes; else binomial runs.
//
//   p = 8, 4 per node      in the nodes        1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4
//                          among the leaders   4 -> 0
#include "coll.h"

enum { OUTER, INNER };

static const Hierarchy plan = {LEADER_ROOT, 2, {{IN_NODES, INNER}, {AMONG_LEADERS, OUTER}}};

const CollAlgorithm reduce_smp_algorithm = {
    .collective = COLL_REDUCE,
    .name = "smp",
    .summary = "a reduction within each node, then a reduction among the leaders of the nodes",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_nodes_order, &need_hierarchy},
    .otherwise = "binomial",
    .params = {PART("outer", OUTER, COLL_REDUCE, "binomial", "the reduction among the leaders"),
               PART_WITHIN("inner", INNER, COLL_REDUCE, "binomial", "the reduction within a node")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "T_inner(ranks of a node) + T_outer(nodes), nodes of equal size; on two levels, T_outer has the figures "
            "between nodes, the rest those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "nodes of unequal size, or a part without a formula",
    .source = "folklore; MPICH hands the root's node over in another way (ch4_alpha, ch4_beta)",
};
