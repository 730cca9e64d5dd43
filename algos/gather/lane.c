// What:   The ranks of one number, a lane, gather their blocks at the one of them that is in the root's node; so all
//         ranks of this node receive from other nodes at once. Then the node gathers these blocks at the root, which
//         copies them to their places. In a gatherv only the root knows all lengths, so the ranks of a lane first tell
//         the one in the root's node theirs, in a gather of 8 bytes each. See registry/rails.h for the groups.
// Cost:   gather lane: T_up(nodes) of m bytes + T_low(k) of nodes m bytes, k the ranks of a node; on two levels, T_up
//         has the figures between nodes, T_low those within a node.
//         gatherv lane: rendezvous, equal blocks: T_lengths(nodes) of 8 bytes + T_up(nodes) of m bytes + T_low(k) of
//         nodes m bytes, k the ranks of a node; on two levels, T_low has the figures within a node, the rest those
//         between nodes.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else binomial
//         runs.
//
//   p = 8, 4 per node, root 1      up     4 -> 0   5 -> 1   6 -> 2   7 -> 3
//                                  low    2 -> 1   0 -> 3 (2 blocks)      3 -> 1 (4 blocks)
#include "coll.h"
#include "times/times.h"

enum { UP, LOW, TELL };

static void gather_lane(const Coll *c)
{
    Coll lane = rails_group(c, RAILS_LANE), node = rails_group(c, RAILS_NODE);
    const bool home = c->nodes->of[c->rank] == c->nodes->of[c->root];
    const Blocks out = coll_out(c);
    const int *order = rails_order(c, node.p), *mine = order + node.rank * lane.p;
    CollCounts by_node, by_number;
    rails_chunks(&lane, &by_node, &out, mine, 1);
    rails_chunks(&node, &by_number, &out, order, lane.p);
    lane.root = c->nodes->of[c->root];
    node.root = c->nodes->local[c->root];
    lane.out = node.in = coll_scratch_if(c, home, blocks_total(&out, lane.p, mine));
    node.out = coll_scratch_if(c, c->rank == c->root, blocks_total(&out, c->p, order));
    if (c->par.part[TELL])
        node_counts_tell(&lane, c->par.part[TELL]);
    coll_call(&lane, c->par.part[UP]);
    if (home)
        coll_call(&node, c->par.part[LOW]);
    if (c->rank == c->root)
        coll_unpack(c, &out, c->p, order, node.out);
}

static int64_t blocks_time(const CollPoint *x)
{
    return then(call_time_far(x, UP, x->m), call_time_near(x, LOW, coll_nodes_equal(x->nodes), x->nodes->n * x->m));
}

// While a rank learns the lengths, other ranks of its lane may already pass blocks on, unless they all send to it.
static int64_t after_lengths(const CollPoint *x)
{
    const bool linear = x->par.part[UP] == &gatherv_linear_algorithm;
    return x->eager || !linear ? -1 : then(call_time_far(x, TELL, NODE_COUNTS_BYTES), blocks_time(x));
}

#define COMMON                                                                                                         \
    .name = "lane", .summary = "a gather among the ranks of each number in all nodes, then one in the root's node",    \
    .run = gather_lane, .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},                                  \
    .groups = {[UP] = RAILS_LANE, [LOW] = RAILS_NODE, [TELL] = RAILS_LANE}, .otherwise = "binomial",                   \
    .peers = PEERS_SHIFT, .levels = true,                                                                              \
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020"

const CollAlgorithm gather_lane_algorithm = {
    COMMON,
    .collective = COLL_GATHER,
    .params = {PART("up", UP, COLL_GATHER, "binomial", "the gather between the nodes"),
               PART_WITHIN("low", LOW, COLL_GATHER, "binomial", "the gather within the root's node")},
    .cost = "T_up(nodes) of m bytes + T_low(k) of nodes m bytes, k the ranks of a node; on two levels, T_up has the "
            "figures between nodes, T_low those within a node",
    .formula = blocks_time,
    .unknown = "a part without a formula",
};

const CollAlgorithm gatherv_lane_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .params = {PART("up", UP, COLL_GATHERV, "linear", "the gatherv between the nodes"),
               PART("low", LOW, COLL_GATHERV, "linear", "the gatherv within the root's node"),
               PART("tell", TELL, COLL_GATHER, "binomial", "the gather of the lengths within a lane")},
    .cost =
        "rendezvous, equal blocks: T_lengths(nodes) of 8 bytes + T_up(nodes) of m bytes + T_low(k) of nodes m bytes, "
        "k the ranks of a node; on two levels, T_low has the figures within a node, the rest those between nodes",
    .formula = after_lengths,
    .unknown = "eager, or an up that is not linear: blocks travel while the lengths do",
};
