// What:   Every node has several leaders, each for its share of the node's ranks. A leader gathers the blocks of its
//         share; the leaders of the same number in all nodes gather theirs; the leaders of a node gather what they have
//         of all nodes; and then each broadcasts all blocks in its share. See registry/rails.h for the groups.
// Cost:   T_gather(k/leaders) of m bytes + T_outer(nodes) of k/leaders m bytes + T_inner(leaders) of p/leaders m bytes
//         + T_bcast(k/leaders) of p m bytes, k the ranks of a node; on two levels, T_outer has the figures between
//         nodes, the rest those within a node.
// Source: Kandalla et al., Designing multi-leader-based allgather algorithms for multi-core clusters, IPDPS 2009.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, which leaders divides, parts that
//         can run; else ring runs.
//
//   p = 8, 4 per node, 2 leaders      1 -> 0   3 -> 2   5 -> 4   7 -> 6      0-4   2-6 (2 blocks)
//                                     0-2   4-6 (4 blocks)      0 -> 1   2 -> 3   4 -> 5   6 -> 7 (8 blocks)
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER, GATHER, BCAST };

// Gathers, at a leader, from the leaders of its number and then from those of its node.
static void among_leaders(const Coll *c, Coll *lane, Slice all)
{
    Coll leaders = rails_group(c, RAILS_NODE_LEADERS);
    coll_call(lane, c->par.part[OUTER]);
    leaders.in = lane->out;
    leaders.out = all;
    coll_call(&leaders, c->par.part[INNER]);
}

// Returns the view of the leaders that have the number of the caller's share, who gather into a part of `all`.
static Coll in_lane(const Coll *c, Slice all)
{
    const int size = coll_nodes_equal(c->nodes) / c->par.leaders;
    const Blocks shares = blocks_even(c, all, c->par.leaders);
    Coll lane = rails_group(c, RAILS_LANE);
    lane.out = block(&shares, c->nodes->local[c->rank] / size);
    const Blocks nodes = coll_out(&lane);
    lane.in = block(&nodes, lane.rank);
    return lane;
}

static void allgather_multi_leader(const Coll *c)
{
    const Slice all = coll_scratch(c, c->out.len); // the blocks of all ranks, share by share
    const Blocks out = coll_out(c);
    Coll share = rails_group(c, RAILS_SHARE), lane = in_lane(c, all);
    share.in = c->in;
    share.out = lane.in;
    coll_call(&share, c->par.part[GATHER]);
    if (share.rank == 0)
        among_leaders(c, &lane, all);
    share.in = share.out = all;
    coll_call(&share, c->par.part[BCAST]);
    coll_unpack(c, &out, c->p, rails_order(c, c->par.leaders), all);
}

static int same_as(const Coll *c)
{
    const Coll share = rails_group(c, RAILS_SHARE), lane = in_lane(c, c->out);
    return share.rank ? rails_same_node(c, false) : rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, leaders = x->par.leaders, size = coll_nodes_equal(x->nodes) / leaders;
    const int64_t gather = call_time_near(x, GATHER, size, x->m), outer = call_time_far(x, OUTER, size * x->m);
    const int64_t inner = call_time_near(x, INNER, leaders, (int64_t)n * size * x->m);
    return then(then(gather, outer), then(inner, call_time_near(x, BCAST, size, x->p * x->m)));
}

const CollAlgorithm allgather_multi_leader_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "multi_leader",
    .summary = "several leaders in each node gather, each for its share of the ranks, exchange, and broadcast",
    .run = allgather_multi_leader,
    .needs = {&need_nodes, &need_leaders, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE_LEADERS, [GATHER] = RAILS_SHARE, [BCAST] = RAILS_SHARE},
    .otherwise = "ring",
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,
                "number of leaders in a node", CUT_NOT},
               PART("outer", OUTER, COLL_ALLGATHER, "bruck", "the allgather between the leaders of one number"),
               PART("inner", INNER, COLL_ALLGATHER, "ring", "the allgather between the leaders of a node"),
               PART("gather", GATHER, COLL_GATHER, "binomial", "the gather within a share"),
               PART("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast within a share")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_gather(k/leaders) of m bytes + T_outer(nodes) of k/leaders m bytes + T_inner(leaders) of p/leaders m "
            "bytes + T_bcast(k/leaders) of p m bytes, k the ranks of a node; on two levels, T_outer has the figures "
            "between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "Kandalla et al., Designing multi-leader-based allgather algorithms for multi-core clusters, IPDPS 2009",
};
