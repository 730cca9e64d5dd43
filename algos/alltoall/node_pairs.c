// What:   One message for each pair of nodes, or one of each share of a node's ranks, so that all ranks of a node talk
//         to other nodes at once. First the s ranks of a share exchange blocks so that its rank i has all that the
//         share sends to the nodes i, i + s, i + 2 s .. behind the caller's; blocks for the own node stay where they
//         are if that leaves all ranks with as many nodes. Rank i sends them, s k blocks to a node of k ranks, to rank
//         i of a share there. Then the ranks of a node exchange what has come. If the nodes, or what the ranks have to
//         give, are of unequal size, blocks fill up the messages within a node. See registry/rails.h for the shares.
// Cost:   T_share(s) of q k m bytes + q (alpha.far + s k m beta.far) + T_node(k) of q s m bytes, n nodes, s =
//         k/leaders, q = ceil((n-1)/s); if s divides n-1, T_node has (q s + 1) m bytes; on two levels, the parts have
//         the figures within a node.
// Source: Bienz, Olson, Gropp 2019, for sending all that a node has for another one from one rank, in an allreduce;
//         this page for the alltoall.
// Needs:  several nodes of several ranks (--map or --per-node), leaders that divide nodes of equal size and do not
//         exceed the largest node, parts that can run; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3 (2 blocks: to the own node, or to the other one)      1-3 (4 blocks)
//                          0-1   2-3 (2 blocks)
#include "coll.h"
#include "times/times.h"

enum { SHARE, NODE };

// The caller's node and its share.
typedef struct PairShare {
    int n, node, k;    // nodes, the caller's, and the ranks of this one
    const int *member; // these ranks
    RailsShare share;
    int i;       // the caller's number in its share
    size_t size; // bytes of a block
} PairShare;

static PairShare pairs_of(const Coll *c)
{
    const int node = c->nodes->of[c->rank];
    const RailsShare share = rails_share(c, node, rails_share_of(c, c->rank));
    const Blocks in = coll_in(c);
    return (PairShare){.n = c->nodes->n,
                       .node = node,
                       .k = coll_nodes_size(c->nodes, node),
                       .member = coll_nodes_members(c->nodes, node),
                       .share = share,
                       .i = c->nodes->local[c->rank] - share.first,
                       .size = block(&in, 0).len};
}

// Returns true if all s ranks of a share serve equally many other nodes. Its blocks for its own node then wait for the
// exchange within this node; otherwise rank 0, which serves fewer, gets them first.
static bool own_wait(int n, int s)
{
    return (n - 1) % s == 0;
}

// Returns the first node, by how far it is behind the caller's, that rank i of a share serves.
static int first_served(const PairShare *x, int i)
{
    return i == 0 && own_wait(x->n, x->share.size) ? x->share.size : i;
}

// Returns the ranks of the nodes that rank 0 of the share serves, then those of the nodes of rank 1 .., *most for each:
// where there are fewer, the caller fills up the number.
static const int *by_server(const Coll *c, const PairShare *x, int *most)
{
    const int s = x->share.size;
    *most = 0;
    for (int i = 0; i < s; i++) {
        int load = 0;
        for (int behind = first_served(x, i); behind < x->n; behind += s)
            load += coll_nodes_size(c->nodes, coll_nodes_node_ahead(c->nodes, c->rank, behind));
        *most = load > *most ? load : *most;
    }
    int *rank = coll_ints(c, (size_t)s * (size_t)*most), n = 0;
    for (int i = 0; i < s; i++) {
        for (int behind = first_served(x, i); behind < x->n; behind += s) {
            const int node = coll_nodes_node_ahead(c->nodes, c->rank, behind);
            for (int j = 0; j < coll_nodes_size(c->nodes, node); j++)
                rank[n++] = coll_nodes_members(c->nodes, node)[j];
        }
        while (n < (i + 1) * *most)
            rank[n++] = c->rank;
    }
    return rank;
}

// Who has which blocks for the caller's node before these are exchanged within it.
typedef struct PairRows {
    int *taker;  // by rank: the number, in the caller's node, of the one that has the blocks from this rank
    int *row;    // by rank: the number of these blocks among those that it has
    int *number; // by number in the caller's node: from how many ranks it has blocks
    int most;    // the largest of these
} PairRows;

// Returns the number, in the caller's node, of the one that takes what a share sends to this node.
static int taker(const Coll *c, const PairShare *x, int node, int share, int behind)
{
    if (behind == x->n) // the caller's own node
        return rails_share(c, node, share).first;
    const RailsShare here = rails_share(c, x->node, rails_holder(rails_shares(c, x->node), node, share));
    return here.first + behind % here.size;
}

static PairRows rows_of(const Coll *c, const PairShare *x)
{
    PairRows y = {coll_ints(c, (size_t)c->p), coll_ints(c, (size_t)c->p), coll_ints(c, (size_t)x->k), 0};
    for (int i = 0; i < x->k; i++)
        y.number[i] = 0;
    for (int behind = 1; behind <= x->n; behind++) {
        const int node = coll_nodes_node_ahead(c->nodes, c->rank, -behind);
        for (int share = 0; share < rails_shares(c, node); share++) {
            const RailsShare from = rails_share(c, node, share);
            const bool wait = behind == x->n && own_wait(x->n, from.size);
            const int to = taker(c, x, node, share, behind);
            for (int i = from.first; i < from.first + from.size; i++) {
                const int rank = coll_nodes_members(c->nodes, node)[i];
                y.taker[rank] = wait ? i : to;
                y.row[rank] = y.number[y.taker[rank]]++;
            }
        }
    }
    for (int i = 0; i < x->k; i++)
        y.most = y.number[i] > y.most ? y.number[i] : y.most;
    return y;
}

// Begins to receive what comes from the node that is so many before the caller's.
static void receive(const Coll *c, const PairShare *x, const PairRows *y, const Blocks *got, int before)
{
    const int node = coll_nodes_node_ahead(c->nodes, c->rank, -before);
    for (int share = 0; share < rails_shares(c, node); share++) {
        const RailsShare from = rails_share(c, node, share);
        const int first = coll_nodes_members(c->nodes, node)[from.first], row = y->row[first];
        if (y->taker[first] == c->nodes->local[c->rank])
            coll_irecv(c, coll_nodes_members(c->nodes, node)[from.first + before % from.size],
                       blocks(got, row * x->k, (row + from.size) * x->k));
    }
}

// Packs the share's blocks for a node of k ranks, which begin at number `at` of the `most` from each of its ranks.
static void pack_served(const Coll *c, const PairShare *x, Slice into, const Blocks *have, int most, int at, int k)
{
    int *which = coll_ints(c, (size_t)x->share.size * (size_t)k), n = 0;
    for (int i = 0; i < x->share.size; i++)
        for (int j = 0; j < k; j++)
            which[n++] = i * most + at + j;
    coll_pack(c, into, have, n, which);
}

// Sends what the share has for the caller's nodes, which `have` has by source, and leaves in `got` what comes.
static void across(const Coll *c, const PairShare *x, const PairRows *y, const Blocks *have, int most,
                   const Blocks *got)
{
    const int s = x->share.size, own = y->row[c->rank];
    int at = 0;
    coll_phase(c, "across nodes");
    if (own_wait(x->n, s)) {
        const Blocks in = coll_in(c);
        coll_pack(c, blocks(got, own * x->k, (own + 1) * x->k), &in, x->k, x->member);
    } else if (x->i == 0) {
        pack_served(c, x, blocks(got, own * x->k, (own + s) * x->k), have, most, 0, x->k);
        at = x->k;
    }
    for (int behind = 1; behind < x->n; behind++) {
        const CollReq before = coll_mark(c);
        receive(c, x, y, got, behind);
        if (behind % s == x->i) {
            const int node = coll_nodes_node_ahead(c->nodes, c->rank, behind), k = coll_nodes_size(c->nodes, node);
            const int to = rails_holder(rails_shares(c, node), x->node, rails_share_of(c, c->rank));
            const RailsShare there = rails_share(c, node, to);
            const Slice sent = coll_scratch(c, (size_t)s * (size_t)k * x->size);
            pack_served(c, x, sent, have, most, at, k);
            at += k;
            coll_send(c, coll_nodes_members(c->nodes, node)[there.first + behind % there.size], sent);
        }
        coll_waitall(c, before);
    }
}

// Exchanges what has come within the node.
static void within(const Coll *c, const PairShare *x, const PairRows *y, const Blocks *got)
{
    Coll node = rails_group(c, RAILS_NODE);
    const size_t all = (size_t)x->k * (size_t)y->most * x->size;
    const int have = y->number[node.rank];
    int *turned = coll_ints(c, (size_t)x->k * (size_t)y->most), *where = coll_ints(c, (size_t)c->p), n = 0;
    for (int j = 0; j < x->k; j++)
        for (int row = 0; row < y->most; row++)
            turned[n++] = (row < have ? row * x->k : 0) + j;
    for (int rank = 0; rank < c->p; rank++)
        where[rank] = y->taker[rank] * y->most + y->row[rank];
    node.in = coll_scratch(c, all);
    node.out = coll_scratch(c, all);
    if (have > 0)
        coll_pack(c, node.in, got, n, turned);
    coll_call(&node, c->par.part[NODE]);
    const Blocks arrived = blocks_even(c, node.out, n);
    coll_pack(c, c->out, &arrived, c->p, where);
}

static void alltoall_node_pairs(const Coll *c)
{
    const PairShare x = pairs_of(c);
    const PairRows y = rows_of(c, &x);
    Coll share = rails_group(c, RAILS_SHARE);
    const Blocks in = coll_in(c);
    int most;
    const int *order = by_server(c, &x, &most), n = share.p * most, have = y.number[c->nodes->local[c->rank]] * x.k;
    share.in = coll_scratch(c, (size_t)n * x.size);
    share.out = coll_scratch(c, (size_t)n * x.size);
    coll_pack(c, share.in, &in, n, order);
    coll_call(&share, c->par.part[SHARE]);
    const Blocks served = blocks_even(c, share.out, n);
    const Blocks got = blocks_even(c, coll_scratch(c, (size_t)have * x.size), have ? have : 1);
    across(c, &x, &y, &served, most, &got);
    within(c, &x, &y, &got);
}

static bool shares_fit(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes);
    return k ? k % c->par.leaders == 0 : c->par.leaders <= coll_nodes_largest(c->nodes);
}

static const CollNeed need_shares = {shares_fit,
                                     "leaders do not divide nodes of equal size, or exceed the largest node",
                                     "leaders that divide nodes of equal size and do not exceed the largest node"};

static int same_as(const Coll *c)
{
    return rails_same_node(c, false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    if (k == 0)
        return -1;
    const int s = k / x->par.leaders;
    const CollPoint far = point_far(x);
    const int64_t messages = (n - 1 + s - 1) / s, rows = messages * s + own_wait(n, s);
    if (!call_ends_in_step(x->par.part[SHARE], s) || !call_ends_in_step(x->par.part[NODE], k))
        return -1;
    const int64_t share = call_time_near(x, SHARE, s, messages * k * x->m);
    return then(then(share, messages * u(&far, s * k * x->m)), call_time_near(x, NODE, k, rows * x->m));
}

const CollAlgorithm alltoall_node_pairs_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "node_pairs",
    .summary = "what a node, or a share of it, sends to another node travels as one message, each from another rank",
    .run = alltoall_node_pairs,
    .needs = {&need_nodes, &need_shares, &need_group_parts},
    .groups = {[SHARE] = RAILS_SHARE, [NODE] = RAILS_NODE},
    .otherwise = "lane",
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,
                "number of shares of a node's ranks; every share sends to all nodes", CUT_NOT},
               PART("share", SHARE, COLL_ALLTOALL, "bruck", "the alltoall within a share"),
               PART("node", NODE, COLL_ALLTOALL, "bruck", "the alltoall within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_share(s) of q k m bytes + q (alpha.far + s k m beta.far) + T_node(k) of q s m bytes, n nodes, "
            "s = k/leaders, q = ceil((n-1)/s); if s divides n-1, T_node has (q s + 1) m bytes; on two levels, the "
            "parts have "
            "the figures within a node",
    .formula = formula,
    .levels = true,
    .unknown = "nodes of unequal size; a part without a formula, or whose ranks do not end at the same time",
    .source = "Bienz, Olson, Gropp 2019, for sending all that a node has for another one from one rank, in an "
              "allreduce; this page for the alltoall",
};
