// What:   The leaders of the nodes broadcast among themselves; then each leader broadcasts within its node. The leader
//         of the root's node is the root. See shapes/node.h for the groups.
// Cost:   T = T_outer(nodes) + T_inner(ranks of a node), nodes of equal size; on two levels, T_outer has the figures
//         between nodes, the rest those within a node.
// Source: SimGrid 3.x, SMP_binomial, where a root other than rank 0 sends to rank 0 first.
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else binomial_far
//         runs.
//
//   p = 8, 4 per node      among the leaders   0 -> 4
//                          in the nodes        0 -> 2   4 -> 6      0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"

enum { OUTER, INNER };

static const Hierarchy plan = {LEADER_ROOT, 2, {{AMONG_LEADERS, OUTER}, {IN_NODES, INNER}}};

const CollAlgorithm bcast_smp_algorithm = {
    .collective = COLL_BCAST,
    .name = "smp",
    .aliases = {"smpi:SMP_binomial"},
    .summary = "a broadcast among the leaders of the nodes, then a broadcast within each node",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_hierarchy},
    .otherwise = "binomial_far",
    .params = {PART("outer", OUTER, COLL_BCAST, "binomial_far", "the broadcast among the leaders"),
               PART_WITHIN("inner", INNER, COLL_BCAST, "binomial_far", "the broadcast within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "T_outer(nodes) + T_inner(ranks of a node), nodes of equal size; on two levels, T_outer has the figures "
            "between nodes, the rest those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "nodes of unequal size, or a part without a formula",
    .source = "SimGrid 3.x, SMP_binomial, where a root other than rank 0 sends to rank 0 first",
};
