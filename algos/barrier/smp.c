// What:   Every node has a barrier, then the leaders of the nodes have one among themselves, and then each leader
//         broadcasts a signal in its node. See shapes/node.h for the groups.
// Cost:   T = T_inner(ranks of a node) + T_outer(nodes) + T_release(ranks of a node), nodes of equal size; on two
//         levels, T_outer has the figures between nodes, the rest those within a node.
// Source: MPICH, barrier smp.
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else dissemination
//         runs.
//
//   p = 8, 4 per node      in the nodes        r -> r+1   r -> r+2
//                          among the leaders   0-4
//                          in the nodes        0 -> 1   4 -> 5      0 -> 2   1 -> 3   4 -> 6   5 -> 7
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER, RELEASE };

static void barrier_smp(const Coll *c)
{
    const Coll leaders = coll_leaders(c), node = coll_node(c);
    coll_call(&node, c->par.part[INNER]);
    if (leaders.rank >= 0)
        coll_call(&leaders, c->par.part[OUTER]);
    coll_call(&node, c->par.part[RELEASE]);
}

const CollAlgorithm barrier_smp_algorithm = {
    .collective = COLL_BARRIER,
    .name = "smp",
    .aliases = {"mpich:smp", "smpi:mpich_smp"},
    .summary = "a barrier in each node, then one among the leaders, then a signal to all ranks of each node",
    .run = barrier_smp,
    .needs = {&need_nodes, &need_node_parts},
    .otherwise = "dissemination",
    .params = {PART("outer", OUTER, COLL_BARRIER, "dissemination", "the barrier among the leaders"),
               PART("inner", INNER, COLL_BARRIER, "dissemination", "the barrier within a node"),
               PART("release", RELEASE, COLL_BCAST, "binomial", "the broadcast of a leader's signal")},
    .peers = PEERS_SHIFT,
    .cost =
        "T_inner(ranks of a node) + T_outer(nodes) + T_release(ranks of a node), nodes of equal size; on two levels, "
        "T_outer has the figures between nodes, the rest those within a node",
    .formula = call_node_parts_time,
    .levels = true,
    .unknown = "nodes of unequal size, or a part without a formula",
    .source = "MPICH, barrier smp",
};
