// What:   allreduce lane in segments, all of whose steps overlap. In a node, a rank receives its block of a segment
//         from all others at once and adds up what comes, while blocks of the next segment travel. The ranks of one
//         number in all nodes, a lane, do the same with the parts of this block, and send the totals back to each other
//         and then to their node, while the rank adds up the next segments. So the reductions hardly ever wait for
//         messages, nor messages for reductions. This is for long vectors on machines where a reduction takes longer
//         than a message within a node. See shapes/lane_turns.h.
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

// Begins to send the caller's block to all ranks of the group, and to receive theirs.
static void gather(const LaneTurns *w, LaneSegment *x, const Coll *group, Slice own, Slice all)
{
    const Blocks b = blocks_even(w->c, all, group->p);
    x->on = coll_mark(w->c);
    for (int i = 1; i < group->p; i++)
        coll_irecv(group, lane_turns_ahead(group, -i), block(&b, lane_turns_ahead(group, -i)));
    for (int i = 1; i < group->p; i++)
        coll_isend(group, lane_turns_ahead(group, i), own);
    coll_copy(w->c, block(&b, group->rank), own);
    x->on_ends = coll_mark(w->c);
}

static void share_in_lane(LaneTurns *w, int segment, Slice *total)
{
    LaneSegment *x = lane_turns_slot(w, segment);
    *total = slice_like(*total, x->sum); // the last segment may have a shorter one
    gather(w, x, &w->lane, x->piece, *total);
}

// In an operation in place, what the node gathers comes where its blocks were, so these must have left.
static void give_back(LaneTurns *w, int segment, Slice total, Slice out)
{
    lane_turns_sent(w, segment);
    lane_turns_arrived(w, segment);
    coll_phase(w->c, "in the node");
    gather(w, lane_turns_slot(w, segment), &w->node, total, out);
}

static void allreduce_lane_overlap(const Coll *c)
{
    LaneTurns w = lane_turns(c, -1);
    const Blocks out = blocks_of(c->out, &w.in);
    Slice total[LANE_TURNS]; // the caller's blocks of the result
    for (int i = 0; i < LANE_TURNS; i++)
        total[i] = coll_scratch(c, lane_turns_block(&w, block(&w.in, 0), 0).len);
    for (int t = 0; t < lane_turns_number(&w); t++) {
        lane_turns_take(&w, t);
        if (lane_turns_has(&w, t - 1))
            share_in_lane(&w, t - 1, &total[(t - 1) % LANE_TURNS]);
        if (lane_turns_has(&w, t - 2))
            give_back(&w, t - 2, total[(t - 2) % LANE_TURNS], block(&out, t - 2));
        if (lane_turns_has(&w, t - 3))
            lane_turns_arrived(&w, t - 3);
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
    for (int64_t t = 0; t < S + LANE_TURNS - 2; t++) {
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
