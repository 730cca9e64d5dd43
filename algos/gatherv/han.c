// What:   Every node gathers its blocks at the rank that has the root's number within its node, its leader, and then
//         the leaders gather the nodes' blocks at the root. Only the root knows all lengths, so the ranks of every
//         other node first tell their leader theirs, in a gather of 8 bytes each. The root receives its own node's
//         blocks straight into place. It does the same with another node's blocks, unless gaps lie between them, or one
//         begins before that of the rank before it; then it copies all of these to their places at the end. HAN calls
//         coll/basic's gatherv, which is linear, on both levels, and tuned's gather for the lengths.
// Cost:   rendezvous, equal blocks: T_lengths(k) of 8 bytes + T_low(k) of m bytes + T_up(nodes) of k m bytes, k the
//         ranks of a node; on two levels, T_up has the figures between nodes, the rest those within a node.
// Source: Open MPI main, mca_coll_han_gatherv_intra (coll_han_gatherv.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, nodes of consecutive ranks, parts
//         that can run; else linear runs.
//
//   p = 8, 4 per node, root 1      lengths   6 -> 5   4 -> 7      7 -> 5 (2 lengths)
//                                  low       0 -> 1   2 -> 1   3 -> 1      4 -> 5   6 -> 5   7 -> 5
//                                  up        5 -> 1 (4 blocks)
#include "coll.h"
#include "times/times.h"

enum { UP, LOW, TELL };

// Gathers the nodes' blocks at the root. `own` has those of the caller's node.
static void among_leaders(const Coll *c, Slice own)
{
    const Blocks out = coll_out(c);
    const NodeCounts *up = node_counts_up(c, &out);
    const bool reorders = up->packed && c->rank == c->root;
    Coll leaders = coll_leaders_who(c, LEADER_LANE);
    leaders.counts = &up->counts;
    leaders.in = slice_at(own, 0, up->counts.len[leaders.rank]);
    leaders.out = node_counts_slice(up, leaders.p, c->out);
    if (reorders)
        leaders.out = coll_scratch(c, leaders.out.len);
    coll_call(&leaders, c->par.part[UP]);
    if (reorders) {
        int n;
        const int *others = node_counts_others(c, &n);
        coll_unpack(c, &out, n, others, leaders.out);
    }
}

static void gatherv_han(const Coll *c)
{
    const bool home = c->nodes->of[c->rank] == c->nodes->of[c->root];
    const bool leads = c->nodes->local[c->rank] == c->nodes->local[c->root];
    const Blocks out = coll_out(c);
    const NodeCounts *low = node_counts_low(c, &out, !home);
    Coll node = coll_node_under(c, LEADER_LANE);
    node.counts = &low->counts;
    node.out = node_counts_slice(low, node.p, c->out);
    if (leads && !home)
        node.out = coll_scratch(c, node.out.len);
    if (!home)
        node_counts_tell(&node, c->par.part[TELL]);
    coll_call(&node, c->par.part[LOW]);
    if (leads)
        among_leaders(c, node.out);
}

// While a leader learns the lengths, other ranks of its node may already pass blocks on, unless they all send to it.
static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    if (x->eager || x->par.part[LOW] != &gatherv_linear_algorithm)
        return -1;
    const int64_t lengths = call_time_near(x, TELL, k, NODE_COUNTS_BYTES), low = call_time_near(x, LOW, k, x->m);
    return then(then(lengths, low), call_time_far(x, UP, k * x->m));
}

const CollAlgorithm gatherv_han_algorithm = {
    .collective = COLL_GATHERV,
    .name = "han",
    .aliases = {"han:intra"},
    .summary = "Open MPI's two levels: the lengths and the blocks to each node's leader, then the blocks to the root",
    .run = gatherv_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_nodes_ordered, &need_group_parts},
    .groups = {[UP] = RAILS_LANE, [LOW] = RAILS_NODE, [TELL] = RAILS_NODE},
    .otherwise = "linear",
    .params = {PART("up", UP, COLL_GATHERV, "linear", "the gatherv between the nodes"),
               PART("low", LOW, COLL_GATHERV, "linear", "the gatherv within a node"),
               PART("lengths", TELL, COLL_GATHER, "binomial", "the gather of the lengths within a node")},
    .peers = PEERS_SHIFT,
    .cost = "rendezvous, equal blocks: T_lengths(k) of 8 bytes + T_low(k) of m bytes + T_up(nodes) of k m bytes, k the "
            "ranks of a node; on two levels, T_up has the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "eager, or a low that is not linear: blocks travel while the lengths do",
    .source = "Open MPI main, mca_coll_han_gatherv_intra (coll_han_gatherv.c)",
};
