// What:   allreduce lane in segments, all of whose steps overlap. In a node, a rank receives its block of a segment
//         from all others at once and adds up what comes, while blocks of the next segment travel. The ranks of one
//         number in all nodes, a lane, do the same with the parts of this block, and send the totals back to each other
//         and then to their node, while the rank adds up the next segments. So the reductions hardly ever wait for
//         messages, nor messages for reductions. This is for long vectors on machines where a reduction takes longer
//         than a message within a node.
// Cost:   a recurrence over the segments: all ranks are in step. n nodes of k ranks, S segments: at least max((p-1)/p m
//         gamma, 2 S (k+n-2) alpha + 2 (p-1)/p m beta); on two levels, k-1 of k+n-2 messages have the figures within a
//         node.
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         for the lanes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, at most 1024 ranks, a commutative
//         operation; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3  (halves)      0-2   1-3  (quarters, twice)      0-1   2-3  (halves)
#include "coll.h"
#include "times/times.h"

// A segment is under way for so many turns: it begins, is added up in the node and in the lane, goes back to the node,
// and its last messages arrive.
enum { TURNS = 5 };

// The caller's part of a segment.
typedef struct LaneSegment {
    Slice in, out;              // the segment
    Slice sum, total;           // the caller's block of it: the sum of the node, and then of all ranks
    Slice piece;                // the caller's part of this block
    Slice from_node, from_lane; // what comes to be added
    CollReq near, far;          // the first requests of the scatters within the node and in the lane
    CollReq back, ends;         // those of the last gather, from `back` to before `ends`
} LaneSegment;

static Slice cut(const Coll *c, Slice s, const Coll *group, int number)
{
    const Blocks b = blocks_even(c, s, group->p);
    return block(&b, number);
}

// Returns the rank of the group that is so many behind the caller.
static int behind(const Coll *group, int distance)
{
    return (group->rank + distance + group->p) % group->p;
}

// Begins to exchange the blocks of `give` among the ranks of the group. What is for the caller comes to `box`.
static void scatter(const Coll *c, const Coll *group, Slice give, Slice own, Slice box)
{
    for (int i = 1; i < group->p; i++)
        coll_irecv(group, behind(group, -i), slice_like(slice_at(box, (size_t)(i - 1) * own.len, own.len), own));
    for (int i = 1; i < group->p; i++)
        coll_isend(group, behind(group, i), cut(c, give, group, behind(group, i)));
}

// Adds what comes to `box` to the caller's own block, as it comes.
static void add_up(const Coll *c, const Coll *group, CollReq first, Slice sum, Slice own, Slice box)
{
    for (int i = 1; i < group->p; i++) {
        coll_wait(c, first + i - 1);
        const Slice got = slice_like(slice_at(box, (size_t)(i - 1) * sum.len, sum.len), sum);
        coll_reduce(c, sum, i == 1 ? own : sum, got);
    }
}

// Begins to send the caller's block to all ranks of the group, and to receive theirs.
static void gather(const Coll *c, const Coll *group, Slice own, Slice all)
{
    for (int i = 1; i < group->p; i++)
        coll_irecv(group, behind(group, -i), cut(c, all, group, behind(group, -i)));
    for (int i = 1; i < group->p; i++)
        coll_isend(group, behind(group, i), own);
    coll_copy(c, cut(c, all, group, group->rank), own);
}

static void wait_for(const Coll *c, CollReq from, CollReq to)
{
    for (CollReq r = from; r < to; r++)
        coll_wait(c, r);
}

// What the steps need.
typedef struct LaneWork {
    const Coll *c;
    Coll node, lane;
    Blocks in, out;
    LaneSegment ring[TURNS];
} LaneWork;

static void begin(const LaneWork *w, LaneSegment *x, int segment)
{
    const Coll *c = w->c;
    x->in = block(&w->in, segment);
    x->out = block(&w->out, segment);
    const Slice own = cut(c, x->out, &w->node, w->node.rank); // the last segment may have a shorter one
    x->sum = slice_like(slice_at(x->sum, 0, own.len), own);
    x->total = slice_like(slice_at(x->total, 0, own.len), own);
    const Slice part = cut(c, x->total, &w->lane, w->lane.rank);
    x->piece = slice_like(slice_at(x->piece, 0, part.len), part);
    x->near = coll_mark(c);
    scatter(c, &w->node, x->in, x->sum, x->from_node);
}

static void add_in_node(const LaneWork *w, LaneSegment *x)
{
    add_up(w->c, &w->node, x->near, x->sum, cut(w->c, x->in, &w->node, w->node.rank), x->from_node);
    x->far = coll_mark(w->c);
    scatter(w->c, &w->lane, x->sum, x->piece, x->from_lane);
}

static void add_in_lane(const LaneWork *w, LaneSegment *x)
{
    add_up(w->c, &w->lane, x->far, x->piece, cut(w->c, x->sum, &w->lane, w->lane.rank), x->from_lane);
    x->back = coll_mark(w->c);
    gather(w->c, &w->lane, x->piece, x->total);
    x->ends = coll_mark(w->c);
}

// In an operation in place, what the node gathers comes where its blocks were, so these must have left.
static void give_back(const LaneWork *w, LaneSegment *x)
{
    wait_for(w->c, x->near, x->near + 2 * (w->node.p - 1));
    wait_for(w->c, x->far, x->far + 2 * (w->lane.p - 1));
    wait_for(w->c, x->back, x->ends);
    x->back = coll_mark(w->c);
    gather(w->c, &w->node, x->total, x->out);
    x->ends = coll_mark(w->c);
}

static void allreduce_lane_overlap(const Coll *c)
{
    LaneWork w = {.c = c,
                  .node = coll_node(c),
                  .lane = coll_lane(c),
                  .in = blocks_size(c, c->in, c->par.segment),
                  .out = blocks_size(c, c->out, c->par.segment)};
    const Slice own = cut(c, block(&w.out, 0), &w.node, 0), part = cut(c, own, &w.lane, 0);
    for (int i = 0; i < TURNS; i++)
        w.ring[i] = (LaneSegment){.sum = coll_scratch(c, own.len),
                                  .total = coll_scratch(c, own.len),
                                  .piece = coll_scratch(c, part.len),
                                  .from_node = coll_scratch(c, (size_t)(w.node.p - 1) * own.len),
                                  .from_lane = coll_scratch(c, (size_t)(w.lane.p - 1) * part.len)};
    const int S = w.in.n;
    begin(&w, &w.ring[0], 0);
    for (int t = 0; t < S + TURNS - 2; t++) {
        if (t + 1 < S)
            begin(&w, &w.ring[(t + 1) % TURNS], t + 1);
        if (t < S)
            add_in_node(&w, &w.ring[t % TURNS]);
        if (t >= 1 && t - 1 < S)
            add_in_lane(&w, &w.ring[(t - 1) % TURNS]);
        if (t >= 2 && t - 2 < S)
            give_back(&w, &w.ring[(t - 2) % TURNS]);
        if (t >= 3)
            wait_for(c, w.ring[(t - 3) % TURNS].back, w.ring[(t - 3) % TURNS].ends);
    }
}

// Where the nodes are runs of ranks, those of one number within their nodes are alike, if their parts are as long.
static int same_as(const Coll *c)
{
    const size_t parts = (size_t)c->p * c->elem;
    const bool even = c->out.len % parts == 0 && (c->par.segment == 0 || c->par.segment % parts == 0);
    return c->nodes->ordered && even ? c->nodes->local[c->rank] : c->rank;
}

// The clocks of the ranks, which are all in step: the numbers of any two differ by a turn of their lanes and of their
// nodes. Every rank's out-port and in-port serve its messages in the order in which they were issued.
typedef struct LaneClocks {
    int64_t rank, port; // when the rank, and its two ports, have done what they have to do so far
    // By segment, mod 2: when its gathers in the lane and in the node end.
    int64_t lane_ends[2], node_ends[2];
} LaneClocks;

// The messages of one step of a segment to or from the others of a group.
typedef struct LaneMessages {
    int64_t n, each, begin; // how many, the time of each, and when the first one begins
} LaneMessages;

static LaneMessages issue(LaneClocks *k, const CollPoint *x, int group, int64_t bytes)
{
    const LaneMessages y = {group - 1, u(x, bytes), later(k->port, k->rank)};
    k->port = y.begin + y.n * y.each;
    return y;
}

// A message can be added up when it has come, and those before it have been added up. The rank waits for none but the
// first, or still for the last.
static void add_time(LaneClocks *k, const LaneMessages *y, int64_t reduction)
{
    const int64_t first = y->begin + y->each + y->n * reduction, last = y->begin + y->n * y->each + reduction;
    k->rank = later(k->rank + y->n * reduction, later(first, last));
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes), n = x->p / k;
    const int64_t S = segments(x, x->m), segment = S > 1 ? (int64_t)x->par.segment : x->m;
    const int64_t block = segment / k, part = segment / x->p;
    const CollPoint near = point_near(x), far = point_far(x);
    LaneClocks at = {0};
    LaneMessages scatter[2], in_lane[2];
    if (S * segment != x->m || segment % (x->p * later(x->elem, 1)) != 0)
        return -1;
    scatter[0] = issue(&at, &near, k, block);
    for (int64_t t = 0; t < S + TURNS - 2; t++) {
        if (t + 1 < S)
            scatter[(t + 1) % 2] = issue(&at, &near, k, block);
        if (t < S) {
            add_time(&at, &scatter[t % 2], g(x, block));
            in_lane[t % 2] = issue(&at, &far, n, part);
        }
        if (t >= 1 && t - 1 < S) {
            add_time(&at, &in_lane[(t - 1) % 2], g(x, part));
            issue(&at, &far, n, part);
            at.lane_ends[(t - 1) % 2] = at.port;
        }
        if (t >= 2 && t - 2 < S) {
            at.rank = later(at.rank, at.lane_ends[t % 2]);
            issue(&at, &near, k, block);
            at.node_ends[t % 2] = at.port;
        }
        if (t >= 3)
            at.rank = later(at.rank, at.node_ends[(t - 3) % 2]);
    }
    return at.rank;
}

const CollAlgorithm allreduce_lane_overlap_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "lane_overlap",
    .summary = "lane in segments, whose messages travel while others are added up",
    .run = allreduce_lane_overlap,
    .needs = {&need_nodes, &need_nodes_equal, &need_few_ranks, &need_commutative},
    .otherwise = "lane",
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost =
        "a recurrence over the segments: all ranks are in step. n nodes of k ranks, S segments: at least max((p-1)/p m "
        "gamma, 2 S (k+n-2) alpha + 2 (p-1)/p m beta); on two levels, k-1 of k+n-2 messages have the figures within a "
        "node",
    .formula = formula,
    .levels = true,
    .unknown = "segments or parts of different lengths",
    .source = "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER "
              "2020, for the lanes",
};
