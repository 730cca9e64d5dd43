// What:   Every node reduces to its leader, which is its first rank, the leaders reduce to rank 0, and rank 0 sends the
//         result to the root. See registry/hierarchy.h.
// Cost:   root 0: T_inner(ranks of a node) + T_outer(nodes), nodes of equal size; on two levels, T_outer has the
//         figures between nodes, the rest those within a node. Another root waits for one message more.
// Source: MPICH 4.0.2 and 4.3, MPIDI_Reduce_intra_composition_alpha (ch4_coll_impl.h), which MPICH takes for
//         commutative operations only.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, parts that can run on the nodes; else binomial runs.
//
//   p = 8, 4 per node, root 5      in the nodes        1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4
//                                  among the leaders   4 -> 0
//                                  to the root         0 -> 5
#include "coll.h"

enum { OUTER, INNER };

static const Hierarchy plan = {LEADER_FIRST, 3, {{IN_NODES, INNER}, {TO_FIRST, OUTER}, {FIRST_TO_ROOT}}};

const CollAlgorithm reduce_ch4_alpha_algorithm = {
    .collective = COLL_REDUCE,
    .name = "ch4_alpha",
    .aliases = {"mpich-ch4:alpha"},
    .summary = "MPICH's two levels: the nodes, then their first ranks to rank 0, then rank 0 to the root",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_nodes_order, &need_hierarchy},
    .otherwise = "binomial",
    .params = {PART("outer", OUTER, COLL_REDUCE, "binomial_blocking", "the reduction among the leaders"),
               PART_WITHIN("inner", INNER, COLL_REDUCE, "binomial_blocking", "the reduction within a node")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "root 0: T_inner(ranks of a node) + T_outer(nodes), nodes of equal size; on two levels, T_outer has the "
            "figures between nodes, the rest those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "nodes of unequal size, or a part without a formula",
    .source = "MPICH 4.0.2 and 4.3, MPIDI_Reduce_intra_composition_alpha (ch4_coll_impl.h), which MPICH takes for "
              "commutative operations only",
};
