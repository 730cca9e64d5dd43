// What:   The other ranks of the root's node pass the blocks of other nodes on to the root, while the next ones arrive:
//         all ranks of this node receive from other nodes at once, and the root from its node, without a pause. A
//         message between nodes has the blocks of R = run ranks of a node, which the first of them receives from the
//         others. The root receives the first D = direct messages itself, then the blocks of its node, and then what
//         the others pass on to it in turn. D helps where a node has few ranks: the root receives D messages while the
//         others receive more than they could pass on. See shapes/relay.h. In the v-collective, on the
//         conservative level, the root first broadcasts all lengths and displacements, 8 bytes for each rank, down the
//         tree of bcast node_tree with 2 rounds; on the aggressive level all ranks know them.
// Cost:   rendezvous: the recurrence of the root and of the ranks that pass on. K ranks in a node, R divides K, F =
//         (nodes-1) K/R messages between nodes: T >= D (alpha + R m beta) between nodes + (K-1) (alpha + m beta) +
//         (F-D) (alpha + R m beta) within a node, T >= ceil((F-D)/(K-1)) (alpha + R m beta) between nodes. m is the
//         size of a block, in bytes.
// Source: this page.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial runs.
//
//   p = 9, 3 per node, run 1, direct 1      3 -> 0      4 -> 1   5 -> 2
//                                           1 -> 0      6 -> 1   7 -> 2
//                                           2 -> 0      8 -> 1
//                                           1 -> 0 (4's)   2 -> 0 (5's)   1 -> 0 (6's)   2 -> 0 (7's)   1 -> 0 (8's)
#include "coll.h"
#include "times/times.h"

// A rank of another node: the head of a run receives the blocks of its other ranks, and sends the run.
static void send_run(const Coll *c, const Relay *x, const Blocks *out)
{
    int n;
    const int run = relay_run(x, c->rank), *ranks = relay_ranks(x, run, &n);
    if (c->rank != ranks[0]) {
        coll_send(c, ranks[0], c->in);
        return;
    }
    const Slice all = n == 1 ? c->in : coll_scratch(c, blocks_total(out, n, ranks));
    size_t at = c->in.len;
    coll_copy(c, slice_at(all, 0, at), c->in);
    for (int i = 1; i < n; i++) {
        const size_t len = block(out, ranks[i]).len;
        coll_recv(c, ranks[i], slice_at(all, at, len));
        at += len;
    }
    coll_send(c, relay_via(c, x, run), all);
}

static void receive_run(const Coll *c, const Relay *x, const Blocks *out, int run)
{
    int n;
    bool packed;
    const int *ranks = relay_ranks(x, run, &n);
    const Slice all = relay_slice(c, out, ranks, n, &packed);
    coll_recv(c, run < x->direct ? ranks[0] : relay_via(c, x, run), all);
    if (packed)
        coll_unpack(c, out, n, ranks, all);
}

static void receive_all(const Coll *c, const Relay *x, const Blocks *out)
{
    coll_copy(c, block(out, c->root), c->in);
    for (int run = 0; run < x->direct; run++)
        receive_run(c, x, out, run);
    for (int mate = 0; mate < x->mates; mate++)
        coll_recv(c, relay_rank(x, mate), block(out, relay_rank(x, mate)));
    for (int run = x->direct; run < x->runs; run++)
        receive_run(c, x, out, run);
}

static void gather_node_relay(const Coll *c)
{
    const Relay x = relay_of(c->nodes, c->root, &c->par);
    const Blocks out = coll_out(c);
    if (c->rank == c->root) {
        receive_all(c, &x, &out);
    } else if (relay_mate(&x, c->rank) < 0) {
        send_run(c, &x, &out);
    } else {
        const CollReq own = coll_isend(c, c->root, c->in);
        relay_pass(c, &x, &out, false);
        coll_waitall(c, own);
    }
}

static void gatherv_node_relay(const Coll *c)
{
    relay_tell(c);
    coll_phase(c, "gather");
    gather_node_relay(c);
}

static int64_t formula(const CollPoint *x)
{
    return relay_gather_time(x);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "node_relay", .summary = "the ranks of the root's node pass on to it what they receive from other nodes",  \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "binomial", .peers = PEERS_SHIFT, .cost = RELAY_COST,      \
    .levels = true, .source = "this page"

const CollAlgorithm gather_node_relay_algorithm = {
    COMMON,
    .collective = COLL_GATHER,
    .run = gather_node_relay,
    .params = {RELAY_RUN_DIRECT},
    .formula = formula,
    .unknown = "eager: a message that arrives early need not wait for the root's turn",
};

const CollAlgorithm gatherv_node_relay_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .run = gatherv_node_relay,
    .params = {LEVEL, RELAY_RUN_DIRECT},
    .formula = formula_v,
    .unknown = "eager; conservative: ranks pass blocks on while others still get the lengths",
};
