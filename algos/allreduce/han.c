// What:   Every node reduces to its first rank, these ranks reduce to the first of them, that one broadcasts the sum to
//         the others, and each of them broadcasts it within its node. With segments, four of them are under way at a
//         time, one in each step. See registry/hierarchy.h for the order. HAN cuts the vector into segments of 64 KiB.
//         Between the nodes HAN calls libnbc's ireduce and ibcast, which run at the same time. ireduce runs this tree
//         only if a segment has fewer elements than there are nodes; otherwise, on more than two nodes, it halves and
//         doubles as redscat_gather does. ibcast is linear on up to 4 nodes. Within a node HAN calls tuned's reduce and
//         bcast, which choose by size and ranks. HAN's variant `simple`, which makes an allreduce between the nodes, is
//         the algorithm smp.
//         The library distinguishes the messages of ireduce and ibcast by their tags, but here messages have none.
//         Unless both parts are trees from the first node, the broadcast of a segment ends before the next one's
//         reduction begins.
// Cost:   one segment: T_low_reduce(ranks of a node) + T_up_reduce(nodes) + T_up_bcast(nodes) + T_low_bcast(ranks of a
//         node), nodes of equal size; on two levels, the parts between nodes have the figures between nodes, the others
//         those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_allreduce_intra (coll_han_allreduce.c).
// Needs:  a commutative operation, several nodes of several ranks (--map or --per-node), parts that can run on the
//         nodes; else recursive_doubling runs.
//
//   p = 8, 4 per node      low    1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4
//                          up     4 -> 0
//                          up     0 -> 4
//                          low    0 -> 1   4 -> 5      0 -> 2   1 -> 3   4 -> 6   5 -> 7
#include "coll.h"

enum { UP_REDUCE, UP_BCAST, LOW_REDUCE, LOW_BCAST };

// With segments, the reduction of one and the broadcast of another run at the same time. Returns true if the reduction
// sends towards lower ranks alone, and the broadcast towards higher ones: both run down or up a tree from rank 0, in
// which a child's number is above its parent's.
static bool messages_apart(const CollParams *par)
{
    const CollAlgorithm *const reduce = par->part[UP_REDUCE], *const bcast = par->part[UP_BCAST];
    static const CollAlgorithm *const down[] = {
        &reduce_binary_algorithm, &reduce_binomial_algorithm, &reduce_binomial_blocking_algorithm,
        &reduce_chain_algorithm,  &reduce_generic_algorithm,  &reduce_knomial_algorithm,
        &reduce_linear_algorithm, &reduce_pipeline_algorithm};
    static const CollAlgorithm *const up[] = {
        &bcast_binomial_algorithm, &bcast_binomial_far_algorithm, &bcast_bintree_algorithm,
        &bcast_tree_algorithm,     &bcast_chain_algorithm,        &bcast_generic_algorithm,
        &bcast_knomial_algorithm,  &bcast_linear_algorithm,       &bcast_pipeline_algorithm};
    bool reduces = false, broadcasts = false;
    for (size_t i = 0; i < sizeof down / sizeof *down; i++)
        reduces = reduces || reduce == down[i];
    for (size_t i = 0; i < sizeof up / sizeof *up; i++)
        broadcasts = broadcasts || bcast == up[i];
    return reduces && broadcasts;
}

static const Hierarchy plan = {
    LEADER_FIRST,
    4,
    {{IN_NODES, LOW_REDUCE}, {AMONG_LEADERS, UP_REDUCE}, {AMONG_LEADERS, UP_BCAST}, {IN_NODES, LOW_BCAST}},
    .apart = messages_apart,
};

const CollAlgorithm allreduce_han_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "han",
    .aliases = {"han:intra"},
    .summary = "Open MPI's two levels: reductions within and between the nodes, then broadcasts, segment by segment",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_commutative, &need_nodes, &need_hierarchy},
    .otherwise = "recursive_doubling",
    .params = {SEGMENT_OF(65536),
               PART("up_reduce", UP_REDUCE, COLL_REDUCE, "binomial", "the reduction between the nodes"),
               PART("up_bcast", UP_BCAST, COLL_BCAST, "binomial", "the broadcast between the nodes"),
               PART_WITHIN("low_reduce", LOW_REDUCE, COLL_REDUCE, "binomial", "the reduction within a node"),
               PART_WITHIN("low_bcast", LOW_BCAST, COLL_BCAST, "binomial", "the broadcast within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "one segment: T_low_reduce(ranks of a node) + T_up_reduce(nodes) + T_up_bcast(nodes) + T_low_bcast(ranks "
            "of a node), nodes of equal size; on two levels, the parts between nodes have the figures between nodes, "
            "the others those within a node",
    .formula = hierarchy_time,
    .levels = true,
    .unknown = "several segments, nodes of unequal size, or a part without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_allreduce_intra (coll_han_allreduce.c)",
};
