// What:   Every node reduces to its leader, the leaders make an allreduce among themselves, and each leader broadcasts
//         the result in its node. See shapes/node.h for the groups.
// Cost:   T = T_reduce(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node), nodes of equal size; on two
//         levels, T_outer has the figures between nodes, the rest those within a node.
// Source: MPICH 4.0.2 and 4.3, MPIR_Allreduce_intra_smp (allreduce_intra_smp.c) and
//         MPIDI_Allreduce_intra_composition_alpha (ch4_coll_impl.h), which MPICH takes for commutative operations only.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, parts that can run on the nodes; else recursive_doubling runs.
//
//   p = 8, 4 per node      up      1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4
//                          across  0-4
//                          down    0 -> 1   4 -> 5      0 -> 2   1 -> 3   4 -> 6   5 -> 7
#include "coll.h"

enum { OUTER, REDUCE, BCAST };

static const Hierarchy plan = {LEADER_ROOT, 3, {{IN_NODES, REDUCE}, {AMONG_LEADERS, OUTER}, {IN_NODES, BCAST}}};

const CollAlgorithm allreduce_smp_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "smp",
    .aliases = {"mpich:smp", "mpich-ch4:alpha", "han:simple", "smpi:smp_rdb", "smpi:smp_binomial", "smpi:smp_rsag_lr",
                "smpi:smp_rsag", "smpi:smp_rsag_rab"},
    .presets = {{"mpich:smp", "reduce", .part = "binomial_blocking"},
                {"mpich:smp", "bcast", .part = "binomial_far"},
                {"mpich-ch4:alpha", "reduce", .part = "binomial_blocking"},
                {"mpich-ch4:alpha", "bcast", .part = "binomial_far"},
                {"smpi:smp_binomial", "outer", .part = "reduce_bcast"},
                {"smpi:smp_rsag_lr", "outer", .part = "ring"},
                {"smpi:smp_rsag", "outer", .part = "ring"},
                {"smpi:smp_rsag_rab", "outer", .part = "rabenseifner"}},
    .summary = "a reduction in each node, an allreduce among the leaders, a broadcast in each node",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_nodes_order, &need_hierarchy},
    .otherwise = "recursive_doubling",
    .params = {PART("outer", OUTER, COLL_ALLREDUCE, "recursive_doubling", "the allreduce among the leaders"),
               PART_WITHIN("reduce", REDUCE, COLL_REDUCE, "binomial", "the reduction within a node"),
               PART_WITHIN("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast within a node")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost =
        "T_reduce(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node), nodes of equal size; on two levels, "
        "T_outer has the figures between nodes, the rest those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "nodes of unequal size, or a part without a formula",
    .source =
        "MPICH 4.0.2 and 4.3, MPIR_Allreduce_intra_smp (allreduce_intra_smp.c) and "
        "MPIDI_Allreduce_intra_composition_alpha (ch4_coll_impl.h), which MPICH takes for commutative operations only",
};
