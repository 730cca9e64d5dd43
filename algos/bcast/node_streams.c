// What:   The nodes form a tree. A rank of each node, its first, receives all segments from another node, one after the
//         other, and passes them on to its node by the rounds of bcast circulant. If others come after the node, a
//         second rank also receives the segments from there. This gateway has no part in these rounds, but sends the
//         segments to the gateways and the first rank of the next node. So no port has more than the message to receive,
//         and between nodes each segment is on its way while others travel within them. A node that sends to several
//         has a gateway for each, if it has so many ranks. The root sends to the first node alone; the other ranks of
//         its own node are the last node, so that they receive from another one, too. See shapes/circulant.c. This is
//         for long messages where a rank receives less at a time from its node than from others.
// Cost:   no formula: nodes begin one after the other. S segments, n nodes of K ranks in a chain, u = alpha + m/S beta:
//         about (n-1) u.far + (S-1 + ceil(log2 K)) max(2 u.far, u.node).
// Source: this page; Träff 2022-2024, n-block broadcast schedules.
// Needs:  several nodes of several ranks (--map or --per-node); else circulant runs.
//
//   p = 8, 4 per node      0 -> 7      0 -> 4   7 -> 1      4 -> 5   1 -> 2      4 -> 6   1 -> 3
#include "coll.h"

// Nodes are numbered from 0 in the order in which the tree takes them. The root is in none of them.
typedef struct StreamNode {
    int number, k; // ranks
    int of;        // the node's number in CollNodes
    int children;  // nodes that it sends to: number * chains + 1, and those that follow
    int gateways;  // its last ranks
} StreamNode;

static int roots_node(const Coll *c)
{
    return c->nodes->of[c->root];
}

static int nodes_served(const Coll *c)
{
    return c->nodes->n - (coll_nodes_size(c->nodes, roots_node(c)) == 1);
}

static StreamNode node_at(const Coll *c, int number)
{
    const CollNodes *nodes = c->nodes;
    StreamNode x = {.number = number, .of = coll_nodes_node_ahead(nodes, c->root, 1 + number)};
    const int64_t most = c->par.chains, left = nodes_served(c) - (number * most + 1);
    x.k = coll_nodes_size(nodes, x.of) - (x.of == roots_node(c));
    x.children = left < 0 ? 0 : (int)(left < most ? left : most);
    x.gateways = x.children < x.k - 1 ? x.children : x.k - 1;
    return x;
}

// Returns rank i of a node. Those of the root's node are the ones behind the root, and those before it.
static int rank_of(const Coll *c, int node, int i)
{
    const CollNodes *nodes = c->nodes;
    const int behind = node == roots_node(c) ? nodes->local[c->root] + 1 : 0;
    return coll_nodes_members(nodes, node)[(behind + i) % coll_nodes_size(nodes, node)];
}

static int in_node(const Coll *up, int i)
{
    return rank_of(up, up->nodes->of[up->rank], i);
}

// Returns the caller's number in its node, which rank_of() takes.
static int number_in(const Coll *c, const StreamNode *x)
{
    const int k = coll_nodes_size(c->nodes, x->of), local = c->nodes->local[c->rank];
    return x->of == roots_node(c) ? (local - c->nodes->local[c->root] - 1 + k) % k : local;
}

// Returns the rank that sends to a node.
static int sender_to(const Coll *c, const StreamNode *x)
{
    if (x->number == 0)
        return c->root;
    const int child = (x->number - 1) % c->par.chains;
    const StreamNode up = node_at(c, (x->number - 1) / c->par.chains);
    return rank_of(c, up.of, up.gateways > 0 ? up.k - 1 - child % up.gateways : 0);
}

static void begin_to_send(const Coll *c, int number, Slice segment)
{
    const StreamNode x = node_at(c, number);
    for (int i = 1; i <= x.gateways; i++)
        coll_isend(c, rank_of(c, x.of, x.k - i), segment);
    coll_isend(c, rank_of(c, x.of, 0), segment);
}

// What a rank receives from another node.
typedef struct NodeStream {
    const Coll *c;
    const Blocks *segments;
    int from, got; // segments that have arrived
    CollReq next;
} NodeStream;

static NodeStream stream_begin(const Coll *c, const Blocks *segments, int from)
{
    coll_phase(c, "across nodes");
    return (NodeStream){c, segments, from, 0, coll_irecv(c, from, block(segments, 0))};
}

// Waits for the next segment. The one after it can come as soon as this one has.
static void stream_take(NodeStream *x)
{
    const CollReq now = x->next;
    coll_phase(x->c, "across nodes");
    if (++x->got < x->segments->n)
        x->next = coll_irecv(x->c, x->from, block(x->segments, x->got));
    coll_wait(x->c, now);
}

static void send_all(const Coll *c, const Blocks *segments)
{
    coll_phase(c, "across nodes");
    for (int i = 0; i < segments->n; i++) {
        const CollReq first = coll_mark(c);
        begin_to_send(c, 0, block(segments, i));
        coll_waitall(c, first);
    }
}

// Sends what comes to every `apart`-th child of the node from child `first` on.
static void pass_on(const Coll *c, const Blocks *segments, const StreamNode *x, int first, int apart)
{
    NodeStream in = stream_begin(c, segments, sender_to(c, x));
    while (in.got < segments->n) {
        stream_take(&in);
        const CollReq first_send = coll_mark(c); // behind the next receive
        for (int i = first; i < x->children; i += apart)
            begin_to_send(c, x->number * c->par.chains + 1 + i, block(segments, in.got - 1));
        coll_waitall(c, first_send);
    }
}

static void begin_in_node(const Coll *c, const Coll *node, const Blocks *segments, const StreamNode *x)
{
    const CirculantSchedule schedule = circulant_schedule(node, segments->n);
    NodeStream in = stream_begin(c, segments, sender_to(c, x));
    for (int i = 0; i < schedule.rounds; i++) {
        const CirculantRound r = circulant_round(node, &schedule, i);
        if (r.to < 0)
            continue;
        while (in.got <= r.send)
            stream_take(&in);
        coll_phase(c, "in the node");
        coll_send(node, r.to, block(segments, r.send));
    }
    while (in.got < segments->n)
        stream_take(&in);
}

// Returns the ranks of the node that are no gateways; its `rank` is that of the caller, who is one of them.
static Coll in_rounds(const Coll *c, const StreamNode *x)
{
    Coll node = coll_sub(c, x->k - x->gateways, number_in(c, x), in_node);
    node.root = 0;
    return node;
}

static void take_part(const Coll *c, const Blocks *segments, const StreamNode *x)
{
    const Coll node = in_rounds(c, x);
    const CirculantSchedule schedule = circulant_schedule(&node, segments->n);
    coll_phase(c, "in the node");
    for (int i = 0; i < schedule.rounds; i++) {
        const CirculantRound r = circulant_round(&node, &schedule, i);
        coll_exchange(&node, r.to, block(segments, r.send), r.from, block(segments, r.recv));
    }
}

static StreamNode node_of(const Coll *c)
{
    const int n = c->nodes->n;
    return node_at(c, (c->nodes->of[c->rank] - roots_node(c) - 1 + n) % n);
}

static void bcast_node_streams(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    if (c->rank == c->root) {
        send_all(c, &segments);
        return;
    }
    const StreamNode x = node_of(c);
    const int i = number_in(c, &x), gateway = x.k - 1 - i;
    if (x.k == 1) {
        pass_on(c, &segments, &x, 0, 1);
    } else if (gateway < x.gateways) {
        pass_on(c, &segments, &x, gateway, x.gateways);
    } else if (i == 0) {
        const Coll node = in_rounds(c, &x);
        begin_in_node(c, &node, &segments, &x);
    } else {
        take_part(c, &segments, &x);
    }
}

// Ranks that receive from their own node alone do what their number in it and the rounds there say.
static int pattern(const Coll *c, int *x)
{
    StreamNode node = {0};
    if (c->rank != c->root)
        node = node_of(c);
    const int i = node.k > 0 ? number_in(c, &node) : 0;
    x[0] = i;
    x[1] = i == 0 || i >= node.k - node.gateways || node.of == roots_node(c) ? -1 - c->rank : node.k - node.gateways;
    if (x[1] < 0 || !c->nodes->ordered)
        return x[1] < 0 ? 2 : 0;
    const Coll group = in_rounds(c, &node);
    const CirculantSchedule schedule = circulant_schedule(&group, blocks_size(c, c->out, c->par.segment).n);
    return 2 + circulant_pattern(&group, &schedule, x + 2);
}

const CollAlgorithm bcast_node_streams_algorithm = {
    .collective = COLL_BCAST,
    .name = "node_streams",
    .summary = "segments travel down a tree of the nodes, and over a circulant graph in each of them at the same time",
    .run = bcast_node_streams,
    .needs = {&need_nodes},
    .otherwise = "circulant",
    .params = {SEGMENT,
               {"chains", PARAM_INT, offsetof(CollParams, chains), 1, 1, INT32_MAX, NULL,
                "number of nodes that a node sends to; more than p-1 means p-1", CUT_PEERS}},
    .peers = PEERS_SHIFT,
    .pattern = pattern,
    .cost = "no formula: nodes begin one after the other",
    .unknown = "nodes begin one after the other",
    .source = "this page; Träff 2022-2024, n-block broadcast schedules",
};
