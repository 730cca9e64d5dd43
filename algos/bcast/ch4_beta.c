// What:   The root broadcasts within its own node first. Then the leaders, which are the first ranks of the nodes,
//         broadcast among themselves, and each leader broadcasts within its node, except in the root's node. If the
//         root leads its node, it broadcasts there last, as the other leaders do. See registry/hierarchy.h.
// Cost:   root 0: T_outer(nodes) + T_inner(ranks of a node), nodes of equal size; on two levels, T_outer has the
//         figures between nodes, the rest those within a node.
// Source: MPICH 4.0.2 and 4.3, MPIDI_Bcast_intra_composition_beta (ch4_coll_impl.h).
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else binomial_far
//         runs.
//
//   p = 8, 4 per node, root 5      in the root's node      5 -> 7      5 -> 6   7 -> 4
//                                  among the leaders       4 -> 0
//                                  in the other node       0 -> 2      0 -> 1   2 -> 3
#include "coll.h"

enum { OUTER, INNER };

static const Hierarchy root_follows = {
    LEADER_FIRST, 3, {{IN_ROOTS_NODE, INNER}, {AMONG_LEADERS, OUTER}, {IN_OTHER_NODES, INNER}}};
static const Hierarchy plan = {
    LEADER_FIRST, 2, {{AMONG_LEADERS, OUTER}, {IN_NODES, INNER}}, .root_follows = &root_follows};

const CollAlgorithm bcast_ch4_beta_algorithm = {
    .collective = COLL_BCAST,
    .name = "ch4_beta",
    .aliases = {"mpich-ch4:beta"},
    .summary = "MPICH's two levels: the root's node, then the first ranks of the nodes, then the other nodes",
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
    .source = "MPICH 4.0.2 and 4.3, MPIDI_Bcast_intra_composition_beta (ch4_coll_impl.h)",
};
