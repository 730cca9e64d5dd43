// What:   reduce_scatter lane whose reductions wait for the messages that need them. In a node, every rank receives its
//         lane's part of the vector, a block for each node, from all others at once. It adds up first what leaves the
//         node first, and the rest while that travels. Between the nodes, the ranks of one number, a lane, go on as in
//         k_bruck: rank r of n orders the blocks as r, r+1 .. (mod n) and has partial sums of L of them, at first all.
//         In a round it sends the runs of d = ceil(L/k) blocks from d, 2d .. on to the ranks r+d, r+2d .. of the lane,
//         and keeps the first d. So neither the sums of the node nor those of the lane hold up a message, but for the
//         first one. This is for machines where a reduction takes longer than a message within a node.
// Cost:   no formula: sums of several rounds wait for messages of several levels. n nodes of K ranks: at least (p-1)/p m
//         gamma, and (K-1) alpha + (K-1)/K m beta within a node, and ceil(log_k n) alpha + (n-1)/p m beta between nodes.
// Source: this page; Bruck et al. 1997; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane
//         communication, CLUSTER 2020, for the lanes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, a commutative operation; else lane
//         runs.
//
//   p = 8, 2 per node      0-1   2-3   4-5   6-7 (4 blocks)      to r+4 (2 blocks)   to r+2 (1 block)
#include "coll.h"
#include <string.h>

// What comes from the ranks of the lane in a round: from the i-th, i = 1 .. n, the first brought_by(i) blocks.
typedef struct LaneRound {
    int n, left, reach; // the messages; the blocks before the round, and after it
    CollReq first;
    Slice box;
} LaneRound;

typedef struct LaneSums {
    const Coll *c;
    Coll node, lane;
    Blocks sums;       // the caller's part, its own block first, then that of the node behind its own ..
    CollCounts counts; // .. if the blocks differ in length
    CollReq near;      // the first message within the node
    Slice box;         // what comes from there
    LaneRound round;   // the round that was last
} LaneSums;

static int brought_by(const LaneRound *r, int i)
{
    const int left = r->left - i * r->reach;
    return left < r->reach ? left : r->reach;
}

// What several messages, each of `most` blocks or the first of them, bring for blocks first .. end-1 of the sums.
typedef struct LaneBrought {
    Slice sum;
    size_t before, whole; // bytes of a message in front of them, and of a message
} LaneBrought;

static LaneBrought share_of(const LaneSums *x, int first, int end, int most)
{
    return (LaneBrought){blocks(&x->sums, first, end), blocks(&x->sums, 0, first).len, blocks(&x->sums, 0, most).len};
}

static void add(const LaneSums *x, const LaneBrought *share, Slice box, int i)
{
    const Slice from = slice_at(box, (size_t)i * share->whole + share->before, share->sum.len);
    coll_reduce(x->c, share->sum, share->sum, slice_like(from, share->sum));
}

static void add_node(const LaneSums *x, int first, int end)
{
    const LaneBrought share = share_of(x, first, end, x->lane.p);
    coll_phase(x->c, "in the node");
    for (int i = 0; i < x->node.p - 1; i++) {
        coll_wait(x->c, x->near + i);
        add(x, &share, x->box, i);
    }
}

static void add_lane(const LaneSums *x, int first, int end)
{
    const LaneRound *r = &x->round;
    coll_phase(x->c, "across nodes");
    for (int i = 1; i <= r->n; i++) {
        const int last = brought_by(r, i) < end ? brought_by(r, i) : end;
        coll_wait(x->c, r->first + i - 1);
        if (first < last) {
            const LaneBrought share = share_of(x, first, last, r->reach);
            add(x, &share, r->box, i - 1);
        }
    }
}

// Returns the blocks by lanes, and in a lane from the caller's node on.
static int *turned(const Coll *c, const Coll *node, const Coll *lane)
{
    const int n = lane->p, before = n - lane->rank, *order = rails_order(c, node->p);
    int *which = coll_ints(c, (size_t)c->p);
    for (int first = 0; first < c->p; first += n) {
        memcpy(which + first, order + first + lane->rank, (size_t)before * sizeof *which);
        memcpy(which + first + before, order + first, (size_t)lane->rank * sizeof *which);
    }
    return which;
}

// Begins to exchange the parts of all lanes within the node.
static void begin(const Coll *c, LaneSums *x)
{
    const Blocks in = coll_in(c);
    const int n = x->lane.p, k = x->node.p, *which = turned(c, &x->node, &x->lane);
    CollCounts lengths;
    x->node.in = coll_scratch(c, c->in.len);
    coll_pack(c, x->node.in, &in, c->p, which);
    rails_chunks(&x->node, &lengths, &in, which, n);
    const Blocks parts = coll_in(&x->node);
    const Slice own = block(&parts, x->node.rank);
    x->sums = blocks_even(c, own, n);
    if (in.counts || in.longer > 0) {
        x->counts = rails_lengths(c, &in, which + x->node.rank * n, n, 1);
        x->sums = (Blocks){.all = own, .n = n, .elem = in.elem, .counts = &x->counts};
    }
    x->box = coll_scratch(c, (size_t)(k - 1) * own.len);
    coll_phase(c, "in the node");
    x->near = coll_mark(c);
    for (int i = 1; i < k; i++)
        coll_irecv(&x->node, (x->node.rank - i + k) % k,
                   slice_like(slice_at(x->box, (size_t)(i - 1) * own.len, own.len), own));
    for (int i = 1; i < k; i++)
        coll_isend(&x->node, (x->node.rank + i) % k, block(&parts, (x->node.rank + i) % k));
}

static int reach_of(const Coll *c, int left)
{
    return (int)((left + (int64_t)c->par.radix - 1) / c->par.radix);
}

// Takes a round with `left` blocks. It sends those behind the first ones as soon as they are added up.
static void take_round(const Coll *c, LaneSums *x, int left)
{
    const Coll *lane = &x->lane;
    const int d = reach_of(c, left), n = (left - 1) / d;
    LaneRound now = {.n = n, .left = left, .reach = d, .box = coll_scratch(c, (size_t)n * blocks(&x->sums, 0, d).len)};
    coll_phase(c, "across nodes");
    now.first = coll_mark(c);
    for (int i = 1; i <= n; i++) {
        const Slice got = blocks(&x->sums, 0, brought_by(&now, i));
        coll_irecv(lane, (lane->rank - i * d + lane->p) % lane->p,
                   slice_like(slice_at(now.box, (size_t)(i - 1) * blocks(&x->sums, 0, d).len, got.len), got));
    }
    for (int i = n; i >= 1; i--) {
        const int first = i * d, end = first + d < left ? first + d : left;
        if (left == lane->p)
            add_node(x, first, end);
        add_lane(x, first, end);
        coll_phase(c, "across nodes");
        coll_isend(lane, (lane->rank + first) % lane->p, blocks(&x->sums, first, end));
    }
    add_lane(x, 0, d);
    x->round = now;
}

static void reduce_scatter_lane_overlap(const Coll *c)
{
    LaneSums x = {.c = c, .node = rails_group(c, RAILS_NODE), .lane = rails_group(c, RAILS_LANE)};
    begin(c, &x);
    for (int left = x.lane.p; left > 1; left = reach_of(c, left)) {
        take_round(c, &x, left);
        const int d = reach_of(c, left);
        add_node(&x, d > 1 ? reach_of(c, d) : 0, d); // what the next round sends
    }
    add_lane(&x, 0, 1);
    coll_waitall(c, x.near);
    coll_copy(c, c->out, block(&x.sums, 0));
}

static int same_as(const Coll *c)
{
    return coll_in(c).longer > 0 ? coll_v(c) : rails_same_node(c, false);
}

#define COMMON                                                                                                         \
    .name = "lane_overlap", .summary = "lane, whose sums wait for the messages that need them, while others travel",   \
    .run = reduce_scatter_lane_overlap, .needs = {&need_nodes, &need_nodes_equal, &need_commutative},                  \
    .otherwise = "lane", .params = {RADIX(2, "k, the factor by which a round between nodes divides the blocks")},      \
    .peers = PEERS_SHIFT, .same_as = same_as,                                                                          \
    .cost = "no formula: sums of several rounds wait for messages of several levels. n nodes of K ranks: at least "    \
            "(p-1)/p m gamma, and (K-1) alpha + (K-1)/K m beta within a node, and ceil(log_k n) alpha + (n-1)/p m "    \
            "beta between nodes",                                                                                      \
    .unknown = "sums of several rounds wait for messages of several levels",                                           \
    .source = "this page; Bruck et al. 1997; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane "   \
              "communication, CLUSTER 2020, for the lanes"

const CollAlgorithm reduce_scatter_lane_overlap_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_lane_overlap_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
