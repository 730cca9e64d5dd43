// What:   Every node has several leaders, its first ranks, and the message has one part for each. The root sends each
//         leader of its node its part; a leader broadcasts it to the leaders of the same number in the other nodes, and
//         then every leader broadcasts it in its node. The parts travel between the nodes at the same time.
// Cost:   one leader, the root: T_outer(nodes) + T_inner(k), k the ranks of a node; on two levels, T_outer has the
//         figures between nodes, T_inner those within a node.
// Source: Bayatpour et al., DPML, SC 2017, whose leaders each have a part of the vector of an allreduce.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, which leaders divides, parts that
//         can run; else smp runs.
//
//   p = 8, 4 per node, 2 leaders      second half 0 -> 1      0 -> 4   1 -> 5
//                                     first half  0 -> 2   0 -> 1   1 -> 3      4 -> 6   4 -> 5   5 -> 7
//                                     second half 1 -> 3   1 -> 2   2 -> 0      5 -> 7   5 -> 6   6 -> 4
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER };

static Slice part_of(const Coll *c, int j)
{
    const Blocks parts = blocks_even(c, c->out, c->par.leaders);
    return block(&parts, j);
}

// Returns the view of the leaders that have the caller's number, with their part.
static Coll in_lane(const Coll *c)
{
    Coll lane = rails_group(c, RAILS_LANE);
    lane.root = c->nodes->of[c->root];
    lane.in = lane.out = part_of(c, c->nodes->local[c->rank]);
    return lane;
}

// The root hands the leaders of its node their parts.
static void hand_out(const Coll *c)
{
    const int *member = coll_nodes_members(c->nodes, c->nodes->of[c->root]);
    for (int j = 0; j < c->par.leaders; j++)
        if (member[j] != c->root && c->rank == c->root)
            coll_send(c, member[j], part_of(c, j));
        else if (member[j] != c->root && c->rank == member[j])
            coll_recv(c, c->root, part_of(c, j));
}

static void bcast_multi_leader(const Coll *c)
{
    coll_phase(c, "to the leaders");
    hand_out(c);
    if (c->nodes->local[c->rank] < c->par.leaders) {
        const Coll lane = in_lane(c);
        coll_call(&lane, c->par.part[OUTER]);
    }
    Coll node = rails_group(c, RAILS_NODE);
    for (int j = 0; j < c->par.leaders; j++) {
        node.root = j;
        node.in = node.out = part_of(c, j);
        coll_call(&node, c->par.part[INNER]);
    }
}

static int same_as(const Coll *c)
{
    if (c->nodes->local[c->rank] >= c->par.leaders)
        return rails_same_node(c, true);
    const Coll lane = in_lane(c);
    return rails_same_lane(c, &lane, c->par.part[OUTER], true);
}

static int64_t formula(const CollPoint *x)
{
    return x->par.leaders == 1 ? call_node_parts_time(x) : -1;
}

const CollAlgorithm bcast_multi_leader_algorithm = {
    .collective = COLL_BCAST,
    .name = "multi_leader",
    .summary = "like smp, but with several leaders in each node, each for its own part of the message",
    .run = bcast_multi_leader,
    .needs = {&need_nodes, &need_leaders, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE},
    .otherwise = "smp",
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,
                "number of leaders in a node", CUT_NOT},
               PART("outer", OUTER, COLL_BCAST, "binomial", "the broadcast of a part between the nodes"),
               PART("inner", INNER, COLL_BCAST, "binomial", "the broadcast of a part within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "one leader, the root: T_outer(nodes) + T_inner(k), k the ranks of a node; on two levels, T_outer has the "
            "figures between nodes, T_inner those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "several leaders; a part without a formula",
    .source = "Bayatpour et al., DPML, SC 2017, whose leaders each have a part of the vector of an allreduce",
};
