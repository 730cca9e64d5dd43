// What:   One message for each pair of nodes, or one of each share of a node's ranks, so that all ranks of a node talk
//         to other nodes at once. First the s ranks of a share reduce and scatter, so that its rank i has the share's
//         sums of the blocks of all ranks of the nodes i, i + s, i + 2 s .. behind the caller's. Rank i sends them, k
//         blocks to a node of k ranks, to rank i of the share there, and adds up what comes. In a node of another size,
//         that is the rank with such nodes before it. Then the ranks of a node reduce and scatter the sums of their own
//         blocks. See registry/rails.h for the shares.
// Cost:   T_share(s) of m bytes + (n/s) (alpha.far + m/n beta.far) + (n/s-1) m/n gamma + T_node(k) of m/n bytes, n
//         nodes, s = k/leaders > 1 divides n; on two levels, all but the messages has the figures within a node.
// Source: Bienz, Olson, Gropp 2019, for sending all that a node has for another one from one rank, in an allreduce;
//         this page for the reduce-scatter.
// Needs:  a commutative operation, several nodes of several ranks (--map or --per-node), leaders that divide nodes of
//         equal size and do not exceed the smallest node, shares of no more ranks than there are nodes, parts that can
//         run; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3 (2 blocks: of the own node, or of the other one)      1-3 (2 blocks)
//                          0-1   2-3
#include "coll.h"
#include "times/times.h"

enum { SHARE, NODE };

// The shares, and the caller's number in its own.
typedef struct PairSum {
    int n, node; // nodes, and the caller's
    int share;   // the number of its share in the node
    int s, i;    // the ranks of this share, and the caller's number in it
} PairSum;

static PairSum pairs_of(const Coll *c)
{
    const int node = c->nodes->of[c->rank], share = rails_share_of(c, c->rank);
    const RailsShare own = rails_share(c, node, share);
    return (PairSum){c->nodes->n, node, share, own.size, c->nodes->local[c->rank] - own.first};
}

// Returns the rank of the share with the caller's number, in a node, that serves nodes so many behind it.
static int server(const Coll *c, const PairSum *x, int node, int behind)
{
    const RailsShare share = rails_share(c, node, x->share);
    return coll_nodes_members(c->nodes, node)[share.first + behind % share.size];
}

// Returns all ranks, those of the nodes that rank 0 of a share serves first, then those of the nodes of rank 1 .. Sets
// *counts to the lengths of what each rank of a share serves, and *same to whether they are equal.
static const int *by_server(const Coll *c, const PairSum *x, const Blocks *in, CollCounts *counts, bool *same)
{
    int *rank = coll_ints(c, (size_t)c->p), n = 0;
    size_t *len = coll_sizes(c, (size_t)x->s);
    *same = true;
    for (int i = 0; i < x->s; i++) {
        const int first = n;
        for (int behind = i; behind < x->n; behind += x->s) {
            const int node = coll_nodes_node_ahead(c->nodes, c->rank, behind);
            for (int j = 0; j < coll_nodes_size(c->nodes, node); j++)
                rank[n++] = coll_nodes_members(c->nodes, node)[j];
        }
        len[i] = blocks_total(in, n - first, rank + first);
        *same &= len[i] == len[0];
    }
    *counts = rails_one_by_one(c, len, x->s);
    return rank;
}

// Returns how many bytes the blocks of a node's ranks have.
static size_t bytes_for(const Coll *c, const Blocks *in, int node)
{
    return blocks_total(in, coll_nodes_size(c->nodes, node), coll_nodes_members(c->nodes, node));
}

// Sends the sums in `have` to the caller's nodes, and returns the sum of what comes for its own.
static Slice across(const Coll *c, const PairSum *x, const Blocks *in, Slice have)
{
    const size_t own = bytes_for(c, in, x->node);
    const Slice sum = x->i > 0 ? coll_scratch(c, own) : slice_at(have, 0, own), inbox = coll_scratch(c, own);
    size_t sent = x->i > 0 ? 0 : own;
    coll_phase(c, "across nodes");
    for (int behind = x->i > 0 ? x->i : x->s; behind < x->n; behind += x->s) {
        const int to = coll_nodes_node_ahead(c->nodes, c->rank, behind),
                  from = coll_nodes_node_ahead(c->nodes, c->rank, -behind);
        const size_t len = bytes_for(c, in, to);
        const Slice got = behind == x->i ? sum : inbox;
        coll_sendrecv(c, server(c, x, to, behind), slice_at(have, sent, len), server(c, x, from, behind), got);
        if (behind != x->i)
            coll_reduce(c, sum, sum, got);
        sent += len;
    }
    return sum;
}

static void reduce_scatter_node_pairs(const Coll *c)
{
    const PairSum x = pairs_of(c);
    Coll share = rails_group(c, RAILS_SHARE), node = rails_group(c, RAILS_NODE);
    const Blocks in = coll_in(c);
    CollCounts served, own;
    bool same;
    const int *order = by_server(c, &x, &in, &served, &same);
    share.counts = same ? NULL : &served;
    share.counts_shift = 0;
    share.in = coll_scratch(c, c->in.len);
    coll_pack(c, share.in, &in, c->p, order);
    share.out = coll_scratch(c, served.len[share.rank]);
    coll_call(&share, c->par.part[SHARE]);
    node.in = across(c, &x, &in, share.out);
    node.out = c->out;
    rails_chunks(&node, &own, &in, coll_nodes_members(c->nodes, x.node), 1);
    coll_call(&node, c->par.part[NODE]);
}

static bool shares_fit(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes);
    bool fit = k == 0 || k % c->par.leaders == 0;
    for (int i = 0; fit && i < c->nodes->n_sizes; i++) {
        const int node = c->nodes->sized[i];
        fit = rails_shares(c, node) == c->par.leaders && rails_share(c, node, 0).size <= c->nodes->n;
    }
    return fit;
}

static const CollNeed need_shares = {
    shares_fit, "leaders do not divide nodes of equal size, or a share has no rank, or more than there are nodes",
    "leaders that divide nodes of equal size and do not exceed the smallest node, shares of no more ranks than there "
    "are nodes"};

static int same_as(const Coll *c)
{
    const Blocks in = coll_in(c);
    return in.longer > 0 ? coll_v(c) : rails_same_node(c, false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    if (k == 0)
        return -1;
    const int s = k / x->par.leaders;
    const CollPoint far = point_far(x);
    const int64_t bytes = x->m / n, sums = n / s - 1, messages = s > 1 ? n / s : sums;
    if (n % s != 0 || !call_ends_in_step(x->par.part[SHARE], s) || !call_ends_in_step(x->par.part[NODE], k))
        return -1;
    const int64_t share = call_time_near(x, SHARE, s, x->m), node = call_time_near(x, NODE, k, bytes);
    return then(then(share, messages * u(&far, bytes) + sums * g(x, bytes)), node);
}

#define COMMON                                                                                                         \
    .name = "node_pairs",                                                                                              \
    .summary = "the sums of a node, or a share of it, for another node travel as one message, each from another rank", \
    .run = reduce_scatter_node_pairs, .needs = {&need_commutative, &need_nodes, &need_shares, &need_group_parts},      \
    .groups = {[SHARE] = RAILS_SHARE, [NODE] = RAILS_NODE}, .otherwise = "lane",                                       \
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,                            \
                "number of shares of a node's ranks; every share sends to all nodes", CUT_NOT},                        \
               PART("share", SHARE, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a share"),            \
               PART("node", NODE, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a node")},              \
    .peers = PEERS_SHIFT, .same_as = same_as,                                                                          \
    .cost =                                                                                                            \
        "T_share(s) of m bytes + (n/s) (alpha.far + m/n beta.far) + (n/s-1) m/n gamma + T_node(k) of m/n bytes, n "    \
        "nodes, s = k/leaders > 1 divides n; on two levels, all but the messages has the figures within a node",       \
    .formula = formula, .levels = true,                                                                                \
    .unknown = "nodes of unequal size; shares whose size does not divide the nodes; a part whose ranks do not end at " \
               "the same time",                                                                                        \
    .source = "Bienz, Olson, Gropp 2019, for sending all that a node has for another one from one rank, in an "        \
              "allreduce; this page for the reduce-scatter"

const CollAlgorithm reduce_scatter_node_pairs_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_node_pairs_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
