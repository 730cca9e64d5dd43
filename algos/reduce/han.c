// What:   Every node reduces to the rank that has the root's number within its node, and then these ranks reduce to the
//         root. With segments, a segment travels between the nodes while the next one is reduced inside them; ranks
//         that collect a node's sum, except the root, keep two segments. See registry/hierarchy.h for the order. HAN
//         cuts the vector into segments of 64 KiB; its variant `simple` reduces the vector whole (segment=0). Between
//         the nodes HAN calls libnbc's ireduce. That runs this tree only if a segment has fewer elements than there are
//         nodes; otherwise, on more than two nodes, it halves and doubles as redscat_gather does. Within a node it
//         calls tuned's reduce, which chooses by size and ranks.
// Cost:   one segment: T_low(ranks of a node) + T_up(nodes); on two levels, T_up has the figures between nodes, T_low
//         those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_reduce_intra and _simple (coll_han_reduce.c).
// Needs:  a commutative operation, several nodes of several ranks (--map or --per-node), nodes of equal size, parts
//         that can run on the nodes; else binomial runs.
//
//   p = 8, 4 per node, root 1      low   2 -> 1   0 -> 3   6 -> 5   4 -> 7      3 -> 1   7 -> 5
//                                  up    5 -> 1
#include "coll.h"

enum { UP, LOW };

static const Hierarchy plan = {LEADER_LANE, 2, {{IN_NODES, LOW}, {AMONG_LEADERS, UP}}};

const CollAlgorithm reduce_han_algorithm = {
    .collective = COLL_REDUCE,
    .name = "han",
    .aliases = {"han:intra", "han:simple"},
    .presets = {{"han:simple", "segment", 0}},
    .summary = "Open MPI's two levels: a reduction within each node and one between the nodes, segment by segment",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_commutative, &need_nodes, &need_nodes_equal, &need_hierarchy},
    .otherwise = "binomial",
    .params = {SEGMENT_OF(65536), PART("up", UP, COLL_REDUCE, "binomial", "the reduction between the nodes"),
               PART_WITHIN("low", LOW, COLL_REDUCE, "binomial", "the reduction within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "one segment: T_low(ranks of a node) + T_up(nodes); on two levels, T_up has the figures between nodes, "
            "T_low those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "several segments, or a part without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_reduce_intra and _simple (coll_han_reduce.c)",
};
