// What:   Every node has a barrier, then the first ranks of the nodes have one among themselves, and then every node
//         has a barrier again. HAN calls tuned's barrier for all three, which chooses by the number of ranks:
//         recursive_doubling below 64, except linear for 4 to 7.
// Cost:   T = 2 T_low(ranks of a node) + T_up(nodes), nodes of equal size; on two levels, T_up has the figures between
//         nodes, T_low those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_barrier_intra_simple (coll_han_barrier.c).
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else
//         recursive_doubling runs.
//
//   p = 8, 4 per node      low    0-1   2-3   4-5   6-7      0-2   1-3   4-6   5-7
//                          up     0-4
//                          low    0-1   2-3   4-5   6-7      0-2   1-3   4-6   5-7
#include "coll.h"
#include "times/times.h"

enum { UP, LOW };

static const Hierarchy plan = {LEADER_FIRST, 3, {{IN_NODES, LOW}, {AMONG_LEADERS, UP}, {IN_NODES, LOW}}};

// Returns true if all of k ranks leave this barrier at the same time, and at that of the last rank plus T(k) if one of
// them enters it later.
static bool stays_in_step(const CollAlgorithm *barrier, int k)
{
    return barrier == &barrier_dissemination_algorithm ||
           (barrier == &barrier_recursive_doubling_algorithm && is_pow2(k));
}

static int64_t formula(const CollPoint *x)
{
    return stays_in_step(x->par.part[LOW], coll_nodes_equal(x->nodes)) ? hierarchy_time(x) : -1;
}

const CollAlgorithm barrier_han_algorithm = {
    .collective = COLL_BARRIER,
    .name = "han",
    .aliases = {"han:simple"},
    .summary = "Open MPI's two levels: a barrier in each node, then one between the nodes, then one in each node",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_hierarchy},
    .otherwise = "recursive_doubling",
    .params = {PART("up", UP, COLL_BARRIER, "recursive_doubling", "the barrier between the nodes"),
               PART_WITHIN("low", LOW, COLL_BARRIER, "recursive_doubling", "the barriers within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost = "2 T_low(ranks of a node) + T_up(nodes), nodes of equal size; on two levels, T_up has the figures between "
            "nodes, T_low those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "nodes of unequal size, a barrier within a node after which the ranks are not in step, or a part "
               "without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_barrier_intra_simple (coll_han_barrier.c)",
};
