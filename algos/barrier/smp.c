// What:   Every node has a barrier, then the leaders of the nodes have one among themselves, and then each leader
//         broadcasts a signal of one byte in its node. See shapes/node.h for the groups.
// Cost:   T = T_inner(ranks of a node) + T_outer(nodes) + T_release(ranks of a node), nodes of equal size; on two
//         levels, T_outer has the figures between nodes, the rest those within a node.
// Source: MPICH 4.0.2 and 4.3, MPIR_Barrier_intra_smp (barrier_intra_smp.c) and
//         MPIDI_Barrier_intra_composition_alpha (ch4_coll_impl.h).
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else dissemination
//         runs.
//
//   p = 8, 4 per node      in the nodes        r -> r+1   r -> r+2
//                          among the leaders   0-4
//                          in the nodes        0 -> 2   4 -> 6      0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER, RELEASE };

static const Hierarchy plan = {
    LEADER_ROOT, 3, {{IN_NODES, INNER}, {AMONG_LEADERS, OUTER}, {IN_NODES, RELEASE}}, .signal = 1};

static int64_t formula(const CollPoint *x)
{
    const CollAlgorithm *release = algorithm_entry(x->par.part[RELEASE]);
    if (release == &bcast_two_tree_algorithm || release == &bcast_hybrid_algorithm)
        return -1; // one of the trees, or one of the parts, has the whole byte
    return hierarchy_time(x);
}

const CollAlgorithm barrier_smp_algorithm = {
    .collective = COLL_BARRIER,
    .name = "smp",
    .aliases = {"mpich:smp", "mpich-ch4:alpha", "smpi:mpich_smp"},
    .summary = "a barrier in each node, then one among the leaders, then a signal to all ranks of each node",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_hierarchy},
    .otherwise = "dissemination",
    .params = {PART("outer", OUTER, COLL_BARRIER, "dissemination", "the barrier among the leaders"),
               PART_WITHIN("inner", INNER, COLL_BARRIER, "dissemination", "the barrier within a node"),
               PART("release", RELEASE, COLL_BCAST, "binomial_far", "the broadcast of a leader's signal")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost =
        "T_inner(ranks of a node) + T_outer(nodes) + T_release(ranks of a node), nodes of equal size; on two levels, "
        "T_outer has the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "nodes of unequal size, a release in two trees or parts, or a part without a formula",
    .source = "MPICH 4.0.2 and 4.3, MPIR_Barrier_intra_smp (barrier_intra_smp.c) and "
              "MPIDI_Barrier_intra_composition_alpha (ch4_coll_impl.h)",
};
