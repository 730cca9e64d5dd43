// What:   The root sends each other node's blocks to the rank that has the root's number within that node, its leader.
//         While these messages travel, it scatters the blocks of its own node; each leader does so in its node when it
//         has them. Only the root knows all lengths, so the ranks of every other node first tell their leader theirs,
//         in a gather of 8 bytes each. If other bytes lie between the blocks of a node, or a block begins before
//         that of the rank before it, the root first copies the blocks of all other nodes into one buffer. HAN calls
//         libnbc's iscatterv between the nodes and coll/basic's scatterv within a node; both are linear. iscatterv
//         sends to all leaders at once, where `linear` here has sent the first of these messages when the root turns to
//         its own node. tuned's gather collects the lengths.
// Cost:   eager, equal blocks, linear parts: the larger of T_lengths(k) of 8 bytes and (nodes-1) (alpha + k m beta) +
//         (k-1) (alpha + m beta), or of T_lengths(k) and alpha + k m beta if there are two nodes, + T_low(k) of m
//         bytes, k the ranks of a node; on two levels, the messages of k m bytes have the figures between nodes, the
//         rest those within a node.
// Source: Open MPI main, mca_coll_han_scatterv_intra (coll_han_scatterv.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else linear
//         runs.
//
//   p = 8, 4 per node, root 1      lengths       6 -> 5   4 -> 7      7 -> 5 (2 lengths)
//                                  up and low    1 -> 5 (4 blocks)      1 -> 0   1 -> 2   1 -> 3
//                                  low           5 -> 4   5 -> 6   5 -> 7
#include "coll.h"
#include "times/times.h"

enum { UP, LOW, TELL };

typedef struct InNode {
    const Coll *view;
    const CollAlgorithm *scatter;
} InNode;

static void in_node(void *data)
{
    const InNode *low = data;
    coll_call(low->view, low->scatter);
}

// Scatters the nodes' blocks from the root into `own`, and does `low` meanwhile at the root, or afterwards.
static void among_leaders(const Coll *c, Slice own, InNode *low)
{
    const Blocks in = coll_in(c);
    const NodeCounts *up = node_counts_up(c, &in);
    Coll leaders = coll_leaders_who(c, LEADER_LANE);
    leaders.counts = &up->counts;
    leaders.in = node_counts_slice(up, leaders.p, c->in);
    leaders.out = slice_at(own, 0, up->counts.len[leaders.rank]);
    if (up->packed && c->rank == c->root) {
        int n;
        const int *others = node_counts_others(c, &n);
        leaders.in = coll_scratch(c, leaders.in.len);
        coll_pack(c, leaders.in, &in, n, others);
    }
    if (c->rank == c->root) {
        coll_call_overlapped(&leaders, c->par.part[UP], in_node, low);
    } else {
        coll_call(&leaders, c->par.part[UP]);
        in_node(low);
    }
}

static void scatterv_han(const Coll *c)
{
    const bool home = c->nodes->of[c->rank] == c->nodes->of[c->root];
    const bool leads = c->nodes->local[c->rank] == c->nodes->local[c->root];
    const Blocks in = coll_in(c);
    const NodeCounts *counts = node_counts_low(c, &in, !home);
    Coll node = coll_node_under(c, LEADER_LANE);
    InNode low = {&node, c->par.part[LOW]};
    node.counts = &counts->counts;
    node.in = node_counts_slice(counts, node.p, c->in);
    if (leads && !home)
        node.in = coll_scratch(c, node.in.len);
    if (!home)
        node_counts_tell(&node, c->par.part[TELL]);
    if (leads)
        among_leaders(c, node.in, &low);
    else
        in_node(&low);
}

// Under eager, the root's first message to a leader goes before those within its node, and the others go after them.
static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    const CollPoint far = point_far(x), near = point_near(x);
    const int64_t lengths = call_time_near(x, TELL, k, NODE_COUNTS_BYTES);
    const int64_t low = (k - 1) * u(&near, x->m), last = (n - 1) * u(&far, k * x->m) + (n > 2 ? low : 0);
    const bool linear = x->par.part[UP] == &scatterv_linear_algorithm && x->par.part[LOW] == &scatterv_linear_algorithm;
    return x->eager && linear && lengths >= 0 ? later(lengths, last) + low : -1;
}

const CollAlgorithm scatterv_han_algorithm = {
    .collective = COLL_SCATTERV,
    .name = "han",
    .aliases = {"han:intra"},
    .summary = "Open MPI's two levels: the nodes' blocks to their leaders, and a scatter within each node",
    .run = scatterv_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[UP] = RAILS_LANE, [LOW] = RAILS_NODE, [TELL] = RAILS_NODE},
    .otherwise = "linear",
    .params = {PART("up", UP, COLL_SCATTERV, "linear", "the scatterv between the nodes"),
               PART("low", LOW, COLL_SCATTERV, "linear", "the scatterv within a node"),
               PART("lengths", TELL, COLL_GATHER, "binomial", "the gather of the lengths within a node")},
    .peers = PEERS_SHIFT,
    .cost =
        "eager, equal blocks, linear parts: the larger of T_lengths(k) of 8 bytes and (nodes-1) (alpha + k m beta) "
        "+ (k-1) (alpha + m beta), or of T_lengths(k) and alpha + k m beta if there are two nodes, + T_low(k) of m "
        "bytes, k the ranks of a node; on two levels, the messages of k m bytes have the figures between nodes, the "
        "rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "rendezvous: a leader that knows its lengths late delays the root's next message; or other parts",
    .source = "Open MPI main, mca_coll_han_scatterv_intra (coll_han_scatterv.c)",
};
