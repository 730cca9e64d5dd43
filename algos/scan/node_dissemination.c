// What:   A scan, or exscan, over nodes in few rounds between them. First the ranks of every node make a scan among
//         themselves that leaves them all with their node's sum, too (shapes/prefix.c). In round d = 1, R, R^2 .. a
//         node has the sum over itself and the d-1 nodes before it, and sends it to the nodes a + j d, j = 1 .. R-1, at
//         once, R the least number with R^rounds >= nodes: each message is from one of the node's first ranks, its
//         senders, to the rank with the same number in the other node. The receivers add up what has come, in an
//         allreduce with the farthest node first, and hand the sum to the ranks that send next, after the last round to
//         all. Every rank reduces it into its own result, in front.
// Cost:   gamma = 0, one round, n nodes of k = 2^d ranks, n <= k+1: d u.near + u.far + the largest of T_inner(S) +
//         T_bcast(k/S), S = 1 .. n-1, u = alpha + m beta; on two levels, all but u.far has the figures within a node.
// Source: Hillis, Steele, Data parallel algorithms, 1986, for the rounds; Bienz, Olson, Gropp, Node-aware improvements
//         to allreduce, EuroMPI 2019, for a node's ranks that send at once.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks, nodes of equal size, parts
//         that can run; else recursive_doubling runs.
//
//   p = 9, 3 per node, 1 round      in the nodes        0 -> 1   1-2   1 -> 0   and so on
//                                   between the nodes   0 -> 3   3 -> 6   1 -> 7
//                                   in the nodes        7-6      3 -> 4 5   6 -> 8
#include "coll.h"
#include "times/times.h"

enum { INNER, BCAST };

// A round at distance d.
typedef struct ScanRound {
    int radix, per; // a sender serves this many nodes
    int senders, next;
    int64_t d;
} ScanRound;

static ScanRound round_at(int n, int k, int radix, int64_t d)
{
    const int per = (radix - 2) / k + 1, senders = (radix - 2) / per + 1;
    return (ScanRound){radix, per, senders, d * radix < n ? senders : k, d};
}

// Returns how many ranks of a node receive: the first ones, from the nearest nodes.
static int receivers(const ScanRound *x, int node)
{
    const int64_t before = node / x->d < x->radix - 1 ? node / x->d : x->radix - 1;
    return (int)((before + x->per - 1) / x->per);
}

// Sends `sum` to the sender's nodes, and adds up in `got` what comes from the nodes before the caller's.
static void across(const Coll *c, const ScanRound *x, Slice sum, Slice got)
{
    const CollNodes *nodes = c->nodes;
    const int node = nodes->of[c->rank], sender = nodes->local[c->rank], first = sender * x->per + 1;
    const Slice inbox = coll_scratch(c, x->per > 1 ? got.len : 0);
    coll_phase(c, "across nodes");
    for (int j = first; j < first + x->per && j < x->radix; j++) {
        const int64_t to = node + j * x->d, from = node - j * x->d;
        coll_exchange(c, to < nodes->n ? coll_nodes_lane_rank(nodes, sender, (int)to) : -1, sum,
                      from >= 0 ? coll_nodes_lane_rank(nodes, sender, (int)from) : -1, j == first ? got : inbox);
        if (from >= 0 && j > first)
            coll_reduce(c, got, inbox, got);
    }
}

// Returns rank i of the group of a node's receivers. The last receiver hears the farthest nodes, and comes first.
static int receiver(const Coll *up, int i)
{
    return up->nodes->member[up->nodes->first[up->nodes->of[up->rank]] + up->par.leaders - 1 - i];
}

// Adds what the receivers have got, and reduces it into `before`, in front, if that has anything.
static void add_up(const Coll *c, int n, Slice got, Slice before, bool any)
{
    const int local = c->nodes->local[c->rank];
    Coll view = *c;
    view.par.leaders = n;
    if (local >= n)
        return;
    Coll group = coll_sub(&view, n, n - 1 - local, receiver);
    group.level = COLL_INNER_LEVEL;
    group.in = group.out = got;
    if (n > 1)
        coll_call(&group, c->par.part[INNER]);
    if (any)
        coll_reduce(c, before, got, before);
    else
        coll_copy(c, before, got);
}

// Hands `before` from the ranks that have it to those below `next`.
static void hand_on(const Coll *c, int have, int next, Slice before)
{
    Coll view = *c;
    view.par.leaders = have;
    view.par.max_requests = next;
    Coll group = fan_followers(&view);
    group.in = group.out = before;
    if (group.rank >= 0 && group.p > 1)
        coll_call(&group, c->par.part[BCAST]);
}

static void run(const Coll *c, bool exclusive)
{
    const CollNodes *nodes = c->nodes;
    const int n = nodes->n, k = coll_nodes_equal(nodes), node = nodes->of[c->rank], local = nodes->local[c->rank];
    const int radix = fan_radix(n, c->par.halvings);
    const size_t m = c->in.len;
    const Slice sum = coll_scratch(c, m), before = coll_scratch(c, m), both = coll_scratch(c, m);
    const Slice got = coll_scratch(c, m);
    const Coll in_node = rails_group(c, RAILS_NODE);
    coll_phase(c, "in the node");
    prefix_and_sum(&in_node, exclusive, sum);
    int have = 0; // the ranks of the node that have `before`, the sum over the nodes before it
    for (int64_t d = 1; d < n; d *= radix) {
        const ScanRound x = round_at(n, k, radix, d);
        const int n_receivers = receivers(&x, node);
        const bool sends = local < x.senders && node + (local * x.per + 1) * d < n;
        if (sends && have > 0)
            coll_reduce(c, both, before, sum);
        if (local < x.senders)
            across(c, &x, have > 0 ? both : sum, got);
        coll_phase(c, "in the node");
        add_up(c, n_receivers, got, before, have > 0);
        have = n_receivers > 0 ? n_receivers : have;
        if (have > 0 && have < x.next) {
            hand_on(c, have, x.next, before);
            have = x.next;
        }
    }
    if (have == 0)
        return;
    coll_phase(c, "reduce");
    if (exclusive && local == 0)
        coll_copy(c, c->out, before);
    else
        coll_reduce(c, c->out, before, c->out);
}

static void scan_node_dissemination(const Coll *c)
{
    run(c, false);
}

static void exscan_node_dissemination(const Coll *c)
{
    run(c, true);
}

#define COMMON                                                                                                         \
    .name = "node_dissemination", .summary = "sums of R times as many nodes in each round, sent by R-1 ranks at once", \
    .needs = {&need_nodes, &need_nodes_ordered, &need_nodes_equal, &need_group_parts},                                 \
    .groups = {[INNER] = RAILS_NODE, [BCAST] = RAILS_NODE}, .otherwise = "recursive_doubling",                         \
    .params = {NODE_ROUNDS,                                                                                            \
               PART("inner", INNER, COLL_ALLREDUCE, "recursive_doubling", "the allreduce among a node's receivers"),   \
               PART("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast from a receiver to ranks of its node")},    \
    .ordered = true, .peers = PEERS_SHIFT,                                                                             \
    .cost =                                                                                                            \
        "gamma = 0, one round, n nodes of k = 2^d ranks, n <= k+1: d u.near + u.far + the largest of T_inner(S) + "    \
        "T_bcast(k/S), S = 1 .. n-1, u = alpha + m beta; on two levels, all but u.far has the figures within a "       \
        "node",                                                                                                        \
    .unknown = "the ranks of a node are not in step, and the first nodes have fewer receivers",                        \
    .source = "Hillis, Steele, Data parallel algorithms, 1986, for the rounds; Bienz, Olson, Gropp, Node-aware "       \
              "improvements to allreduce, EuroMPI 2019, for a node's ranks that send at once"

const CollAlgorithm exscan_node_dissemination_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_node_dissemination,
};

const CollAlgorithm scan_node_dissemination_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_node_dissemination,
};
