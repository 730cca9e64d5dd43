// What:   The root scatters to the ranks of its node what the ranks of their numbers get in all nodes; then the ranks
//         of each number, a lane, have a scatter from the one in the root's node, so that all ranks of this node send
//         to other nodes at once. In a scatterv only the root knows all lengths, so the ranks of a lane first tell the
//         one in the root's node theirs, in a gather of 8 bytes each. See registry/rails.h for the groups.
// Cost:   scatter lane: T_low(k) of nodes m bytes + T_up(nodes) of m bytes, k the ranks of a node; on two levels, T_up
//         has the figures between nodes, T_low those within a node.
//         scatterv lane: equal blocks: T_lengths(nodes) of 8 bytes + T_low(k) of nodes m bytes + T_up(nodes) of m
//         bytes, k the ranks of a node; on two levels, T_low has the figures within a node, the rest those between
//         nodes.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
// Needs:  scatter lane: several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run;
//         else binomial runs.
//         scatterv lane: several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run;
//         else linear runs.
//
//   p = 8, 4 per node, root 1      low    1 -> 3 (4 blocks)      1 -> 2   3 -> 0 (2 blocks)
//                                  up     0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"
#include "times/times.h"

enum { UP, LOW, TELL };

static void scatter_lane(const Coll *c)
{
    Coll lane = rails_group(c, RAILS_LANE), node = rails_group(c, RAILS_NODE);
    const bool home = c->nodes->of[c->rank] == c->nodes->of[c->root];
    const Blocks in = coll_in(c);
    const int *order = rails_order(c, node.p), *mine = order + node.rank * lane.p;
    CollCounts by_node, by_number;
    rails_chunks(&lane, &by_node, &in, mine, 1);
    rails_chunks(&node, &by_number, &in, order, lane.p);
    lane.root = c->nodes->of[c->root];
    node.root = c->nodes->local[c->root];
    node.in = coll_scratch_if(c, c->rank == c->root, blocks_total(&in, c->p, order));
    lane.in = node.out = coll_scratch_if(c, home, blocks_total(&in, lane.p, mine));
    if (c->rank == c->root) {
        coll_pack(c, node.in, &in, c->p, order);
        const Blocks by_rank = coll_in(&lane);
        lane.out = block(&by_rank, lane.root); // in place; the root's own block need not come back
        coll_copy(c, c->out, block(&in, c->root));
    }
    if (c->par.part[TELL])
        node_counts_tell(&lane, c->par.part[TELL]);
    if (home)
        coll_call(&node, c->par.part[LOW]);
    coll_call(&lane, c->par.part[UP]);
}

static int64_t blocks_time(const CollPoint *x)
{
    return then(call_time_near(x, LOW, coll_nodes_equal(x->nodes), x->nodes->n * x->m), call_time_far(x, UP, x->m));
}

static int64_t after_lengths(const CollPoint *x)
{
    return then(call_time_far(x, TELL, NODE_COUNTS_BYTES), blocks_time(x));
}

#define COMMON                                                                                                         \
    .name = "lane", .summary = "a scatter in the root's node, then one among the ranks of each number in all nodes",   \
    .run = scatter_lane, .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},                                 \
    .groups = {[UP] = RAILS_LANE, [LOW] = RAILS_NODE, [TELL] = RAILS_LANE}, .peers = PEERS_SHIFT, .levels = true,      \
    .unknown = "a part without a formula",                                                                             \
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020"

const CollAlgorithm scatter_lane_algorithm = {
    COMMON,
    .collective = COLL_SCATTER,
    .otherwise = "binomial",
    .params = {PART("up", UP, COLL_SCATTER, "binomial", "the scatter between the nodes"),
               PART_WITHIN("low", LOW, COLL_SCATTER, "binomial", "the scatter within the root's node")},
    .cost = "T_low(k) of nodes m bytes + T_up(nodes) of m bytes, k the ranks of a node; on two levels, T_up has the "
            "figures between nodes, T_low those within a node",
    .formula = blocks_time,
};

const CollAlgorithm scatterv_lane_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .otherwise = "linear",
    .params = {PART("up", UP, COLL_SCATTERV, "linear", "the scatterv between the nodes"),
               PART("low", LOW, COLL_SCATTERV, "linear", "the scatterv within the root's node"),
               PART("tell", TELL, COLL_GATHER, "binomial", "the gather of the lengths within a lane")},
    .cost =
        "equal blocks: T_lengths(nodes) of 8 bytes + T_low(k) of nodes m bytes + T_up(nodes) of m bytes, k the ranks "
        "of a node; on two levels, T_low has the figures within a node, the rest those between nodes",
    .formula = after_lengths,
};
