// What:   The ranks that have the root's number within their nodes broadcast among themselves, and then each of them
//         broadcasts within its node. With segments, a segment travels between the nodes while the one before it
//         travels inside them. See registry/hierarchy.h for the order. HAN cuts the message into segments of 64 KiB;
//         its variant `simple` sends the message whole (segment=0).
//         Between the nodes HAN calls libnbc's ibcast. It broadcasts linearly on up to 4 nodes, and otherwise down this
//         binomial tree. It sends to all children at once, and swaps the numbers of rank 0 and the root, whereas the
//         tree here shifts all numbers by the root's. Within a node it calls tuned's bcast, which chooses by size and
//         ranks.
// Cost:   one segment: T_up(nodes) + T_low(ranks of a node); on two levels, T_up has the figures between nodes, T_low
//         those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_bcast_intra and _simple (coll_han_bcast.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run on the nodes;
//         else binomial runs.
//
//   p = 8, 4 per node, root 1      up    1 -> 5
//                                  low   1 -> 2   5 -> 6      1 -> 3   2 -> 0   5 -> 7   6 -> 4
#include "coll.h"

enum { UP, LOW };

static const Hierarchy plan = {LEADER_LANE, 2, {{AMONG_LEADERS, UP}, {IN_NODES, LOW}}};

const CollAlgorithm bcast_han_algorithm = {
    .collective = COLL_BCAST,
    .name = "han",
    .aliases = {"han:intra", "han:simple"},
    .presets = {{"han:simple", "segment", 0}},
    .summary = "Open MPI's two levels: a broadcast between the nodes and one within each, segment by segment",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_nodes_equal, &need_hierarchy},
    .otherwise = "binomial",
    .params = {SEGMENT_OF(65536), PART("up", UP, COLL_BCAST, "binomial", "the broadcast between the nodes"),
               PART_WITHIN("low", LOW, COLL_BCAST, "binomial", "the broadcast within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "one segment: T_up(nodes) + T_low(ranks of a node); on two levels, T_up has the figures between nodes, "
            "T_low those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "several segments, or a part without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_bcast_intra and _simple (coll_han_bcast.c)",
};
