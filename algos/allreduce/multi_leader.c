// What:   Every node has several leaders, and the vector has one part for each. A leader reduces its part over its
//         node, makes an allreduce of it with the leaders of the same number in the other nodes, and broadcasts the
//         result in its node. The parts travel between the nodes at the same time. See shapes/node.h for the groups.
// Cost:   one leader: T_reduce(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node), nodes of equal size;
//         several: the recurrence of binomial reductions and broadcasts of m/leaders bytes, one after the other, with
//         T_outer(nodes) of m/leaders bytes between them; on two levels, T_outer has the figures between nodes, the
//         rest those within a node.
// Source: Bayatpour et al., DPML, SC 2017.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, nodes of at least as many ranks as leaders, parts that can run; else smp runs.
//
//   p = 8, 4 per node, 2 leaders      first half    1, 2, 3 -> 0     5, 6, 7 -> 4      0-4
//                                     second half   0, 2, 3 -> 1     4, 6, 7 -> 5      1-5
#include "coll.h"
#include "times/times.h"

enum { OUTER, REDUCE, BCAST };

// Returns the view of part j within the caller's node.
static Coll in_node(const Coll *c, int j)
{
    const Blocks in = blocks_even(c, c->in, c->par.leaders), out = blocks_even(c, c->out, c->par.leaders);
    Coll node = coll_node(c);
    node.root = j;
    node.in = block(&in, j);
    node.out = block(&out, j);
    return node;
}

// Returns the view of the caller's part among the leaders that have its number.
static Coll in_lane(const Coll *c)
{
    const Coll node = in_node(c, c->nodes->local[c->rank]);
    Coll lane = coll_lane(c);
    lane.in = lane.out = node.out;
    return lane;
}

static void allreduce_multi_leader(const Coll *c)
{
    for (int j = 0; j < c->par.leaders; j++) {
        const Coll node = in_node(c, j);
        coll_call(&node, c->par.part[REDUCE]);
    }
    if (c->nodes->local[c->rank] < c->par.leaders) {
        const Coll lane = in_lane(c);
        coll_call(&lane, c->par.part[OUTER]);
    }
    for (int j = 0; j < c->par.leaders; j++) {
        Coll node = in_node(c, j);
        node.in = node.out;
        coll_call(&node, c->par.part[BCAST]);
    }
}

static int same_as(const Coll *c)
{
    if (c->nodes->local[c->rank] >= c->par.leaders)
        return rails_same_node(c, false);
    const Coll lane = in_lane(c);
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

// Returns true if the parts within a node can run on the node of this view.
static bool node_can(const Coll *c)
{
    bool can = true;
    for (int j = 0; can && j < c->par.leaders; j++) {
        const Coll node = in_node(c, j);
        can = coll_can(&node, c->par.part[REDUCE]) && coll_can(&node, c->par.part[BCAST]);
    }
    return can;
}

// All ranks must come to the same answer. They ask for a node of each size, and for the first and the last leader,
// because all others are like one of these.
static bool parts_can(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    const int leaders = c->par.leaders;
    Coll at = *c;
    bool can = true;
    for (int i = 0; can && i < nodes->n_sizes; i++) {
        at.rank = nodes->member[nodes->first[nodes->sized[i]]];
        can = leaders <= coll_nodes_size(nodes, nodes->sized[i]) && node_can(&at);
    }
    for (int i = 0; can && i < 2; i++) {
        at.rank = nodes->member[i == 0 ? 0 : leaders - 1];
        const Coll lane = in_lane(&at);
        can = coll_can(&lane, c->par.part[OUTER]);
    }
    return can;
}

static const CollNeed need_parts = {parts_can, "a node has fewer ranks than leaders, or a part cannot run",
                                    "nodes of at least as many ranks as leaders, parts that can run"};

// Follows the ranks of one node, because all nodes do the same: they make one reduction after the other, the leaders of
// a number leave them at the same time in every node, and then come the broadcasts, one after the other.
static int64_t several_time(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes), leaders = x->par.leaders;
    if (k % leaders != 0 || x->par.part[REDUCE] != &reduce_binomial_algorithm ||
        x->par.part[BCAST] != &bcast_binomial_algorithm)
        return -1;
    CollPoint near = point_near(x);
    near.p = k;
    near.m = x->m / leaders;
    const int64_t outer = call_time_far(x, OUTER, near.m);
    if (outer < 0)
        return -1;
    Clocks node = clocks_new(k);
    for (int j = 0; j < leaders; j++)
        tree_reduce_times(&near, tree_binomial_in_order, j, node.now);
    for (int j = 0; j < leaders; j++)
        node.now[j] += outer;
    for (int j = 0; j < leaders; j++)
        tree_bcast_times(&near, tree_binomial, j, node.now);
    return clocks_free(&node);
}

static int64_t formula(const CollPoint *x)
{
    if (coll_nodes_equal(x->nodes) == 0)
        return -1;
    return x->par.leaders == 1 ? call_node_parts_time(x) : several_time(x);
}

const CollAlgorithm allreduce_multi_leader_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "multi_leader",
    .aliases = {"dpml"},
    .summary = "like smp, but with several leaders in each node, each for its own part of the vector",
    .run = allreduce_multi_leader,
    .needs = {&need_nodes, &need_nodes_order, &need_parts},
    .otherwise = "smp",
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,
                "number of leaders in a node", CUT_NOT},
               PART("outer", OUTER, COLL_ALLREDUCE, "recursive_doubling", "the allreduce among the leaders"),
               PART_WITHIN("reduce", REDUCE, COLL_REDUCE, "binomial", "the reduction within a node"),
               PART_WITHIN("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast within a node")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost =
        "one leader: T_reduce(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node), nodes of equal size; "
        "several: the recurrence of binomial reductions and broadcasts of m/leaders bytes, one after the other, with "
        "T_outer(nodes) of m/leaders bytes between them; on two levels, T_outer has the figures between nodes, the "
        "rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown =
        "several leaders that do not divide the ranks of a node, or whose parts in a node are not binomial; nodes "
        "of unequal size; a part without a formula",
    .source = "Bayatpour et al., DPML, SC 2017",
};
