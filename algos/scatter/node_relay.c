// What:   The other ranks of the root's node pass the blocks of other nodes on, while the root sends them the next
//         ones: the root sends to its node, and all ranks of this node send to other nodes at once, without a pause. A
//         message between nodes has the blocks of R = run ranks of a node, and the first of them serves the others. The
//         root first sends what others pass on, to each of them in turn, then the blocks of its node, and at last D =
//         direct messages of its own to other nodes. D helps where a node has few ranks: the root sends D messages
//         while the others still pass on what they have. See shapes/relay.h. In the v-collective, on the conservative
//         level, the root first broadcasts all lengths and displacements, 8 bytes for each rank, down the tree of bcast
//         node_tree with 2 rounds; on the aggressive level all ranks know them.
// Cost:   rendezvous: the recurrence of the root and of the ranks that pass on. K ranks in a node, R divides K, F =
//         (nodes-1) K/R messages between nodes: T >= D (alpha + R m beta) between nodes + (K-1) (alpha + m beta) +
//         (F-D) (alpha + R m beta) within a node, T >= ceil((F-D)/(K-1)) (alpha + R m beta) between nodes. m is the
//         size of a block, in bytes.
// Source: this page.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial runs.
//
//   p = 9, 3 per node, run 1, direct 1      0 -> 1 (4's)   0 -> 2 (5's)   0 -> 1 (6's)   0 -> 2 (7's)   0 -> 1 (8's)
//                                           1 -> 4         2 -> 5         0 -> 1
//                                           1 -> 6         2 -> 7         0 -> 2
//                                           1 -> 8                        0 -> 3
#include "coll.h"
#include "times/times.h"

// A rank of another node: the head of a run receives it, and sends the other ranks their blocks.
static void receive_run(const Coll *c, const Relay *x, const Blocks *in)
{
    int n;
    const int run = relay_run(x, c->rank), *ranks = relay_ranks(x, run, &n);
    if (c->rank != ranks[0]) {
        coll_recv(c, ranks[0], c->out);
        return;
    }
    const Slice all = n == 1 ? c->out : coll_scratch(c, blocks_total(in, n, ranks));
    coll_recv(c, relay_via(c, x, run), all);
    size_t at = c->out.len;
    for (int i = 1; i < n; i++) {
        const size_t len = block(in, ranks[i]).len;
        coll_send(c, ranks[i], slice_at(all, at, len));
        at += len;
    }
    coll_copy(c, c->out, slice_at(all, 0, c->out.len));
}

static void send_run(const Coll *c, const Relay *x, const Blocks *in, int run)
{
    int n;
    bool packed;
    const int *ranks = relay_ranks(x, run, &n);
    const Slice all = relay_slice(c, in, ranks, n, &packed);
    if (packed)
        coll_pack(c, all, in, n, ranks);
    coll_send(c, run < x->direct ? ranks[0] : relay_via(c, x, run), all);
}

static void send_all(const Coll *c, const Relay *x, const Blocks *in)
{
    for (int run = x->direct; run < x->runs; run++)
        send_run(c, x, in, run);
    for (int mate = 0; mate < x->mates; mate++)
        coll_send(c, relay_rank(x, mate), block(in, relay_rank(x, mate)));
    for (int run = 0; run < x->direct; run++)
        send_run(c, x, in, run);
    coll_copy(c, c->out, block(in, c->root));
}

static void scatter_node_relay(const Coll *c)
{
    const Relay x = relay_of(c->nodes, c->root, &c->par);
    const Blocks in = coll_in(c);
    if (c->rank == c->root) {
        send_all(c, &x, &in);
    } else if (relay_mate(&x, c->rank) < 0) {
        receive_run(c, &x, &in);
    } else {
        const CollReq passed = coll_mark(c);
        relay_pass(c, &x, &in, true);
        coll_recv(c, c->root, c->out);
        coll_waitall(c, passed);
    }
}

static void scatterv_node_relay(const Coll *c)
{
    relay_tell(c);
    coll_phase(c, "scatter");
    scatter_node_relay(c);
}

static int64_t formula(const CollPoint *x)
{
    return relay_scatter_time(x);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "node_relay", .summary = "the ranks of the root's node pass on to other nodes what they get from it",      \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "binomial", .peers = PEERS_SHIFT, .cost = RELAY_COST,      \
    .levels = true, .source = "this page"

const CollAlgorithm scatter_node_relay_algorithm = {
    COMMON,
    .collective = COLL_SCATTER,
    .run = scatter_node_relay,
    .params = {RELAY_RUN_DIRECT},
    .formula = formula,
    .unknown = "eager: a rank that passes on need not wait for the rank that it sends to",
};

const CollAlgorithm scatterv_node_relay_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .run = scatterv_node_relay,
    .params = {LEVEL, RELAY_RUN_DIRECT},
    .formula = formula_v,
    .unknown = "eager; conservative: ranks pass blocks on while others still get the lengths",
};
