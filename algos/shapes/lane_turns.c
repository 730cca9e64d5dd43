// Segments of a vector that are added up in nodes and lanes, while others travel.
#include "shapes/lane_turns.h"
#include "shapes/node.h"

LaneSegment *lane_turns_slot(LaneTurns *w, int segment)
{
    return &w->ring[segment % LANE_TURNS];
}

Slice lane_turns_block(const LaneTurns *w, Slice segment, int number)
{
    const bool behind = w->without >= 0 && number > w->without;
    const Blocks b = blocks_even(w->c, segment, w->node.p - (w->without >= 0));
    return block(&b, number - behind);
}

Slice lane_turns_part(const LaneTurns *w, Slice block_of_lane, int node)
{
    const Blocks b = blocks_even(w->c, block_of_lane, w->lane.p);
    return block(&b, node);
}

bool lane_turns_has_block(const LaneTurns *w)
{
    return w->node.rank != w->without;
}

int lane_turns_ahead(const Coll *group, int distance)
{
    return (group->rank + distance + group->p) % group->p;
}

LaneTurns lane_turns(const Coll *c, int without)
{
    LaneTurns w = {.c = c,
                   .node = coll_node(c),
                   .lane = coll_lane(c),
                   .without = without,
                   .in = blocks_size(c, c->in, c->par.segment)};
    const Slice own = lane_turns_block(&w, block(&w.in, 0), without == 0), part = lane_turns_part(&w, own, 0);
    for (int i = 0; i < LANE_TURNS && lane_turns_has_block(&w); i++)
        w.ring[i] = (LaneSegment){.sum = coll_scratch(c, own.len),
                                  .piece = coll_scratch(c, part.len),
                                  .from_node = coll_scratch(c, (size_t)(w.node.p - 1) * own.len),
                                  .from_lane = coll_scratch(c, (size_t)(w.lane.p - 1) * part.len)};
    return w;
}

// Returns where what rank i behind the caller sends comes to.
static Slice box_of(Slice boxes, int i, Slice own)
{
    return slice_like(slice_at(boxes, (size_t)(i - 1) * own.len, own.len), own);
}

static void receive(const Coll *group, Slice own, Slice boxes)
{
    for (int i = 1; i < group->p; i++)
        coll_irecv(group, lane_turns_ahead(group, -i), box_of(boxes, i, own));
}

// Adds what comes to the caller's own block, as it comes.
static void add_up(const Coll *group, CollReq first, Slice sum, Slice own, Slice boxes)
{
    for (int i = 1; i < group->p; i++) {
        coll_wait(group, first + i - 1);
        coll_reduce(group, sum, i == 1 ? own : sum, box_of(boxes, i, sum));
    }
}

// Begins to exchange the blocks of a segment within the node.
static void begin(LaneTurns *w, int segment)
{
    LaneSegment *x = lane_turns_slot(w, segment);
    coll_phase(w->c, "in the node");
    x->in = block(&w->in, segment);
    x->near = coll_mark(w->c);
    if (lane_turns_has_block(w)) {
        const Slice own = lane_turns_block(w, x->in, w->node.rank); // the last segment may have a shorter one
        x->sum = slice_like(x->sum, own);
        x->piece = slice_like(x->piece, lane_turns_part(w, x->sum, w->lane.rank));
        receive(&w->node, x->sum, x->from_node);
    }
    for (int i = 1; i < w->node.p; i++) {
        const int to = lane_turns_ahead(&w->node, i);
        if (to != w->without)
            coll_isend(&w->node, to, lane_turns_block(w, x->in, to));
    }
    x->near_ends = coll_mark(w->c);
}

// Adds up what came in the node, and begins to exchange the parts of the sum in the lane.
static void add_in_node(LaneTurns *w, int segment)
{
    LaneSegment *x = lane_turns_slot(w, segment);
    x->far = x->far_ends = coll_mark(w->c);
    if (!lane_turns_has_block(w))
        return;
    coll_phase(w->c, "in the node");
    add_up(&w->node, x->near, x->sum, lane_turns_block(w, x->in, w->node.rank), x->from_node);
    coll_phase(w->c, "across nodes");
    x->far = coll_mark(w->c);
    receive(&w->lane, x->piece, x->from_lane);
    for (int i = 1; i < w->lane.p; i++) {
        const int to = lane_turns_ahead(&w->lane, i);
        coll_isend(&w->lane, to, lane_turns_part(w, x->sum, to));
    }
    x->far_ends = coll_mark(w->c);
}

static void add_in_lane(LaneTurns *w, int segment)
{
    const LaneSegment *x = lane_turns_slot(w, segment);
    if (!lane_turns_has_block(w))
        return;
    coll_phase(w->c, "across nodes");
    add_up(&w->lane, x->far, x->piece, lane_turns_part(w, x->sum, w->lane.rank), x->from_lane);
}

int lane_turns_number(const LaneTurns *w)
{
    return w->in.n + LANE_TURNS - 2;
}

bool lane_turns_has(const LaneTurns *w, int segment)
{
    return segment >= 0 && segment < w->in.n;
}

void lane_turns_take(LaneTurns *w, int t)
{
    if (t == 0)
        begin(w, 0);
    if (lane_turns_has(w, t + 1))
        begin(w, t + 1);
    if (lane_turns_has(w, t))
        add_in_node(w, t);
    if (lane_turns_has(w, t - 1))
        add_in_lane(w, t - 1);
}

void lane_turns_arrived(LaneTurns *w, int segment)
{
    const LaneSegment *x = lane_turns_slot(w, segment);
    coll_wait_range(w->c, x->on, x->on_ends);
}

void lane_turns_sent(LaneTurns *w, int segment)
{
    const LaneSegment *x = lane_turns_slot(w, segment);
    coll_wait_range(w->c, x->near, x->near_ends);
    coll_wait_range(w->c, x->far, x->far_ends);
}
