// What:   The root sends the vector to its node's leader, which is the node's first rank. The leaders broadcast among
//         themselves, and then each leader broadcasts within its node, the root's node too. See registry/hierarchy.h.
// Cost:   root 0: T_outer(nodes) + T_inner(ranks of a node), nodes of equal size; on two levels, T_outer has the
//         figures between nodes, the rest those within a node. A root that does not lead its node sends one message
//         more.
// Source: MPICH 4.0.2 and 4.3, MPIDI_Bcast_intra_composition_alpha (ch4_coll_impl.h).
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else binomial_far
//         runs.
//
//   p = 8, 4 per node, root 5      to the leader       5 -> 4
//                                  among the leaders   4 -> 0
//                                  in the nodes        0 -> 2   4 -> 6      0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"

enum { OUTER, INNER };

static const Hierarchy plan = {LEADER_FIRST, 3, {{FROM_ROOT}, {AMONG_LEADERS, OUTER}, {IN_NODES, INNER}}};

const CollAlgorithm bcast_ch4_alpha_algorithm = {
    .collective = COLL_BCAST,
    .name = "ch4_alpha",
    .aliases = {"mpich-ch4:alpha"},
    .summary = "MPICH's two levels: the root to its node's first rank, then the first ranks, then the nodes",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_hierarchy},
    .otherwise = "binomial_far",
    .params = {PART("outer", OUTER, COLL_BCAST, "binomial_far", "the broadcast among the leaders"),
               PART_WITHIN("inner", INNER, COLL_BCAST, "binomial_far", "the broadcast within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "root 0: T_outer(nodes) + T_inner(ranks of a node), nodes of equal size; on two levels, T_outer has the "
            "figures between nodes, the rest those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "nodes of unequal size, or a part without a formula",
    .source = "MPICH 4.0.2 and 4.3, MPIDI_Bcast_intra_composition_alpha (ch4_coll_impl.h)",
};
