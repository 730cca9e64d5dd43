// What:   Bruck's rounds over nodes, few of them: every node first gathers the blocks of its ranks. In round d = 1, R,
//         R^2 .. it has the blocks of d nodes, itself and those behind it, and gets those of the next d nodes, d
//         from each of R-1 nodes; R is the least number with R^rounds >= nodes. The node's first ranks, its senders,
//         fetch these at once, each from the rank with its number, and then share them; at last each sender hands them
//         to the other ranks. See shapes/fan.h for the groups.
// Cost:   R^rounds nodes, S senders of c messages each: T_inner(k) of m bytes + the sum over the rounds of c (alpha.far
//         + d k m beta.far) + T_exchange(S) of c d k m bytes + T_bcast(k/S) of (p-k) m bytes; on two levels, all but
//         the messages has the figures within a node.
// Source: Bienz, Gautam, Kharel, A locality-aware Bruck allgather, EuroMPI 2022, for R-1 = k.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else bruck
//         runs.
//
//   p = 9, 3 per node, 1 round      in the nodes        0-1-2   3-4-5   6-7-8
//                                   between the nodes   3 -> 0   6 -> 3   0 -> 6   7 -> 1   1 -> 4   4 -> 7 (3 blocks)
//                                   in the nodes        0-1   3-4   6-7 (3 blocks)      0 -> 2   3 -> 5   6 -> 8
#include "coll.h"
#include "times/times.h"

enum { INNER, EXCHANGE, BCAST };

// A round in which n nodes' windows grow from `have` nodes to `get` more. They come as chunks of `have` nodes, and the
// last chunk may be shorter.
typedef struct NodeRound {
    int have, get, chunks, senders;
} NodeRound;

static NodeRound round_of(int n, int k, int radix, int64_t have)
{
    NodeRound x = {.have = (int)have, .get = (int)((have * radix < n ? have * radix : n) - have)};
    x.chunks = (x.get + x.have - 1) / x.have;
    x.senders = x.chunks < k ? x.chunks : k;
    return x;
}

// Returns the first chunk, counted from 0, that sender i fetches.
static int first_chunk(const NodeRound *x, int i)
{
    return (int)((int64_t)i * x->chunks / x->senders);
}

// Returns how many nodes the first chunks have, up to that one.
static int nodes_before(const NodeRound *x, int chunk)
{
    return chunk * x->have < x->get ? chunk * x->have : x->get;
}

// Returns where the blocks of the nodes behind the caller's begin in a window: of itself, of the next one .. The last
// of the n + 1 positions is the end.
static const size_t *positions(const Coll *c, const Blocks *out)
{
    const CollNodes *nodes = c->nodes;
    size_t *at = coll_sizes(c, (size_t)nodes->n + 1);
    at[0] = 0;
    for (int i = 0; i < nodes->n; i++) {
        const int node = coll_nodes_node_ahead(nodes, c->rank, i);
        at[i + 1] = at[i] + blocks_total(out, coll_nodes_equal(nodes), coll_nodes_members(nodes, node));
    }
    return at;
}

// Returns nodes i .. j-1 of a window.
static Slice window_part(Slice window, const size_t *at, int i, int j)
{
    return slice_at(window, at[i], at[j] - at[i]);
}

// Fetches the sender's chunks.
static void fetch(const Coll *c, const NodeRound *x, Slice window, const size_t *at)
{
    const CollNodes *nodes = c->nodes;
    const int n = nodes->n, node = nodes->of[c->rank], sender = nodes->local[c->rank];
    coll_phase(c, "across nodes");
    for (int j = first_chunk(x, sender); j < first_chunk(x, sender + 1); j++) {
        const int behind = (j + 1) * x->have, begin = x->have + nodes_before(x, j);
        const int end = x->have + nodes_before(x, j + 1);
        coll_sendrecv(c, coll_nodes_lane_rank(nodes, sender, (node - behind + n) % n),
                      window_part(window, at, 0, end - begin), coll_nodes_lane_rank(nodes, sender, (node + behind) % n),
                      window_part(window, at, begin, end));
    }
}

// Lets the senders share what they have fetched.
static void share(const Coll *c, const NodeRound *x, Coll senders, Slice window, const size_t *at)
{
    const int n = x->senders, have = x->have;
    size_t *len = coll_sizes(c, (size_t)n), *begin = coll_sizes(c, (size_t)n + 1);
    begin[0] = 0;
    for (int i = 0; i < n; i++) {
        begin[i + 1] = at[have + nodes_before(x, first_chunk(x, i + 1))] - at[have];
        len[i] = begin[i + 1] - begin[i];
    }
    const CollCounts counts = {.len = len, .at = begin};
    senders.counts = &counts;
    senders.out = window_part(window, at, have, have + x->get);
    senders.in = slice_at(senders.out, begin[senders.rank], len[senders.rank]);
    if (n > 1)
        coll_call(&senders, c->par.part[EXCHANGE]);
}

// Returns all ranks, those of the caller's node first, then those of the nodes behind it.
static const int *from_own_node(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    int *rank = coll_ints(c, (size_t)c->p), n = 0;
    for (int i = nodes->first[nodes->of[c->rank]]; i < c->p; i++)
        rank[n++] = nodes->member[i];
    for (int i = 0; n < c->p; i++)
        rank[n++] = nodes->member[i];
    return rank;
}

static void allgather_node_bruck(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    const int n = nodes->n, k = coll_nodes_equal(nodes), radix = fan_radix(n, c->par.halvings);
    const int *mine = coll_nodes_members(nodes, nodes->of[c->rank]);
    const Blocks out = coll_out(c);
    const size_t *at = positions(c, &out);
    const Slice window = coll_scratch(c, at[n]);
    CollCounts by_rank;
    Coll node = rails_group(c, RAILS_NODE);
    rails_chunks(&node, &by_rank, &out, mine, 1);
    node.out = window_part(window, at, 0, 1);
    coll_call(&node, c->par.part[INNER]);
    for (int64_t have = 1; have < n; have *= radix) {
        const NodeRound x = round_of(n, k, radix, have);
        Coll view = *c;
        view.par.leaders = x.senders;
        view.par.max_requests = have * radix < n ? round_of(n, k, radix, have * radix).senders : k;
        Coll senders = fan_group(&view), followers = fan_followers(&view);
        if (senders.rank >= 0) {
            fetch(c, &x, window, at);
            share(c, &x, senders, window, at);
        }
        followers.in = followers.out = window_part(window, at, 1, x.have + x.get);
        if (followers.rank >= 0 && followers.p > 1)
            coll_call(&followers, c->par.part[BCAST]);
    }
    if (coll_copies(c))
        coll_unpack(c, &out, c->p, from_own_node(c), window);
}

static int same_as(const Coll *c)
{
    return rails_same_node(c, false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes), radix = fan_radix(n, x->par.halvings);
    const CollPoint far = point_far(x);
    bool known = call_ends_in_step(x->par.part[INNER], k);
    int64_t T = call_time_near(x, INNER, k, x->m);
    for (int64_t have = 1; have < n; have *= radix) {
        const NodeRound r = round_of(n, k, radix, have);
        const int next = have * radix < n ? round_of(n, k, radix, have * radix).senders : k;
        const int behind = next > r.senders ? (next - 1) / r.senders + 1 : 1, messages = r.chunks / r.senders;
        const int64_t size = k * x->m;
        known = known && r.chunks % r.senders == 0 && r.get % have == 0 &&
                call_ends_in_step(x->par.part[EXCHANGE], r.senders);
        T = then(T, messages * u(&far, have * size));
        T = then(T, call_time_near(x, EXCHANGE, r.senders, messages * have * size));
        T = then(T, call_time_near(x, BCAST, behind, (have + r.get - 1) * size));
    }
    return known ? T : -1;
}

#define COMMON                                                                                                         \
    .name = "node_bruck",                                                                                              \
    .summary = "Bruck's rounds over nodes, whose ranks fetch the blocks of many nodes at once and share them",         \
    .run = allgather_node_bruck, .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},                         \
    .groups = {[INNER] = RAILS_NODE, [EXCHANGE] = RAILS_NODE, [BCAST] = RAILS_NODE}, .otherwise = "bruck",             \
    .peers = PEERS_SHIFT, .same_as = same_as,                                                                          \
    .cost = "R^rounds nodes, S senders of c messages each: T_inner(k) of m bytes + the sum over the rounds of c "      \
            "(alpha.far + d k m beta.far) + T_exchange(S) of c d k m bytes + T_bcast(k/S) of (p-k) m bytes; on two "   \
            "levels, all but the messages has the figures within a node",                                              \
    .formula = formula, .levels = true,                                                                                \
    .unknown = "other numbers of nodes; senders of different numbers of messages; a part that does not end at the "    \
               "same time at all ranks",                                                                               \
    .source = "Bienz, Gautam, Kharel, A locality-aware Bruck allgather, EuroMPI 2022, for R-1 = k"
#define PARAMS(collective, name)                                                                                       \
    {                                                                                                                  \
        NODE_ROUNDS, PART("inner", INNER, collective, "bruck", "the " name " within a node"),                          \
            PART("exchange", EXCHANGE, COLL_ALLGATHERV, "bruck", "the allgatherv of what a node's senders fetched"),   \
            PART("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast from a sender to other ranks of its node")     \
    }

const CollAlgorithm allgather_node_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .params = PARAMS(COLL_ALLGATHER, "allgather"),
};

const CollAlgorithm allgatherv_node_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .params = PARAMS(COLL_ALLGATHERV, "allgatherv"),
};
