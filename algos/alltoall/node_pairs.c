// What:   One message for each pair of nodes, or one of each share of a node's ranks, so that all ranks of a node talk
//         to other nodes at once. First the s ranks of a share exchange blocks so that its rank i has all that the
//         share sends to the nodes i, i + s, i + 2 s .. behind the caller's. Rank i sends them, s k blocks to each node
//         and k the ranks of a node, to the rank with its number there. Then the ranks of a node exchange what has
//         come. See registry/rails.h for the shares.
// Cost:   T_share(s) of (n/s) k m bytes + ceil((n-1)/s) (alpha.far + s k m beta.far) + T_node(k) of n m bytes, n nodes,
//         s = k/leaders; on two levels, the parts have the figures within a node.
// Source: Bienz, Olson, Gropp 2019, for sending all that a node has for another one from one rank, in an allreduce;
//         this page for the alltoall.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, which leaders divides, shares
//         whose size divides the nodes, parts that can run; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3 (2 blocks: to the own node, or to the other one)      1-3 (4 blocks)
//                          0-1   2-3 (2 blocks)
#include "coll.h"
#include "times/times.h"

enum { SHARE, NODE };

// The shares, and the caller's number in its own.
typedef struct PairShare {
    int n, k;   // nodes, and the ranks of one
    int s, per; // the ranks of a share, and the nodes that each of them serves
    int node, i;
} PairShare;

static PairShare pairs_of(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes), s = k / c->par.leaders, n = c->nodes->n;
    return (PairShare){n, k, s, n / s, c->nodes->of[c->rank], c->nodes->local[c->rank] % s};
}

// Returns the ranks of the node that is so many behind the caller's, or before it if the number is negative.
static const int *members(const Coll *c, const PairShare *x, int behind)
{
    return c->nodes->member + (size_t)((x->node + behind + x->n) % x->n) * (size_t)x->k;
}

// Returns all ranks, those of the nodes that rank 0 of a share serves first, then those of the nodes of rank 1 ..
static const int *by_server(const Coll *c, const PairShare *x)
{
    int *rank = coll_ints(c, (size_t)c->p), n = 0;
    for (int i = 0; i < x->s; i++)
        for (int a = 0; a < x->per; a++)
            for (int j = 0; j < x->k; j++)
                rank[n++] = members(c, x, i + a * x->s)[j];
    return rank;
}

// Sends what the share has for the caller's nodes, which `have` has by source, and leaves in `got` what comes, by node
// and then by source.
static void across(const Coll *c, const PairShare *x, const Blocks *have, const Blocks *got)
{
    const int local = c->nodes->local[c->rank];
    const Slice sent = coll_scratch(c, blocks(got, 0, x->s).len);
    coll_phase(c, "across nodes");
    for (int a = 0; a < x->per; a++) {
        const int behind = x->i + a * x->s, *which = blocks_numbers(c, a, x->per, x->s, have->n);
        const Slice into = blocks(got, a * x->s, (a + 1) * x->s);
        if (behind == 0) {
            coll_pack(c, into, have, x->s, which);
            continue;
        }
        coll_pack(c, sent, have, x->s, which);
        coll_sendrecv(c, members(c, x, behind)[local], sent, members(c, x, -behind)[local], into);
    }
}

static void alltoall_node_pairs(const Coll *c)
{
    const PairShare x = pairs_of(c);
    Coll share = rails_group(c, RAILS_SHARE), node = rails_group(c, RAILS_NODE);
    const Blocks in = coll_in(c), out = coll_out(c);
    const size_t all = c->in.len;
    share.in = coll_scratch(c, all);
    share.out = coll_scratch(c, all);
    coll_pack(c, share.in, &in, c->p, by_server(c, &x));
    coll_call(&share, c->par.part[SHARE]);
    const Blocks have = blocks_even(c, share.out, x.n), got = blocks_even(c, coll_scratch(c, all), x.n);
    across(c, &x, &have, &got);
    node.in = coll_scratch(c, all);
    node.out = coll_scratch(c, all);
    const Blocks single = blocks_even(c, got.all, c->p);
    coll_pack(c, node.in, &single, c->p, rails_columns(c, x.n, x.k, 1));
    coll_call(&node, c->par.part[NODE]);
    // The rank with number f in the node has brought, for each of its nodes, the blocks of its share's ranks there.
    int *from = coll_ints(c, (size_t)c->p), at = 0;
    for (int f = 0; f < x.k; f++)
        for (int a = 0; a < x.per; a++)
            for (int q = 0; q < x.s; q++)
                from[at++] = members(c, &x, -(f % x.s + a * x.s))[f / x.s * x.s + q];
    coll_unpack(c, &out, c->p, from, node.out);
}

static bool shares_divide(const Coll *c)
{
    return c->nodes->n % (coll_nodes_equal(c->nodes) / c->par.leaders) == 0;
}

static const CollNeed need_shares = {shares_divide, "the size of a share does not divide the nodes",
                                     "shares whose size divides the nodes"};

static int same_as(const Coll *c)
{
    return rails_same_node(c, false);
}

// Returns true if all n ranks end this alltoall at the same time.
static bool ends_in_step(const CollAlgorithm *part, int n)
{
    return n == 1 || algorithm_entry(part)->same_as == same_always;
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes), s = k / x->par.leaders;
    const CollPoint far = point_far(x);
    const int64_t messages = (n - 1 + s - 1) / s;
    if (!ends_in_step(x->par.part[SHARE], s) || !ends_in_step(x->par.part[NODE], k))
        return -1;
    const int64_t share = call_time_near(x, SHARE, s, n / s * k * x->m);
    return then(then(share, messages * u(&far, s * k * x->m)), call_time_near(x, NODE, k, n * x->m));
}

const CollAlgorithm alltoall_node_pairs_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "node_pairs",
    .summary = "what a node, or a share of it, sends to another node travels as one message, each from another rank",
    .run = alltoall_node_pairs,
    .needs = {&need_nodes, &need_leaders, &need_shares, &need_group_parts},
    .groups = {[SHARE] = RAILS_SHARE, [NODE] = RAILS_NODE},
    .otherwise = "lane",
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,
                "number of shares of a node's ranks; every share sends to all nodes", CUT_NOT},
               PART("share", SHARE, COLL_ALLTOALL, "bruck", "the alltoall within a share"),
               PART("node", NODE, COLL_ALLTOALL, "bruck", "the alltoall within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_share(s) of (n/s) k m bytes + ceil((n-1)/s) (alpha.far + s k m beta.far) + T_node(k) of n m bytes, "
            "n nodes, s = k/leaders; on two levels, the parts have the figures within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula, or whose ranks do not end at the same time",
    .source = "Bienz, Olson, Gropp 2019, for sending all that a node has for another one from one rank, in an "
              "allreduce; this page for the alltoall",
};
