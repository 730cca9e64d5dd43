// The steps of a hierarchy, one segment of the vector behind the other.
#include "shapes/hierarchy.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "registry/composition.h"
#include "shapes/reduce.h"
#include "times/times.h"
#include <glib.h>

// A rank's way through a hierarchy.
typedef struct Walk {
    const Coll *c;
    const Hierarchy *h;
    Blocks in, out; // the segments before the first step, and after it
    bool alternate; // `out` is a buffer for two segments, which take turns
    int turn, step; // in this turn, the steps from `step` down are still to begin
} Walk;

static const CollAlgorithm *part_of(const Walk *w, int step)
{
    return w->c->par.part[w->h->step[step].part];
}

// Returns the number of the segment that a step works on in this turn; -1 if there is none.
static int segment_at(const Walk *w, int step)
{
    const int i = w->turn - step;
    return i < w->in.n ? i : -1;
}

// Returns the view of the group in which a step handles segment i.
static Coll group_of(const Walk *w, int step, int i)
{
    const bool leaders = w->h->step[step].group == AMONG_LEADERS;
    Coll group = leaders ? coll_leaders_who(w->c, w->h->leader) : coll_node_under(w->c, w->h->leader);
    group.in = block(&w->in, i);
    group.out = slice_at(block(&w->out, w->alternate ? i % 2 : i), 0, group.in.len);
    group.in = step == 0 ? group.in : group.out;
    return group;
}

static bool works_on(const Walk *w, int step, int group)
{
    return (int)w->h->step[step].group == group && segment_at(w, step) >= 0;
}

// Returns true if something is left to do in this turn.
static bool is_left(const Walk *w)
{
    bool left = false;
    for (int step = 0; step < w->h->n; step++)
        left |= works_on(w, step, IN_NODES) || (step <= w->step && works_on(w, step, AMONG_LEADERS));
    return left;
}

// Goes through the rest of a turn.
static void walk(void *data)
{
    const Walk *w = data;
    Walk rest = *w;
    while (rest.step >= 0) {
        const int step = rest.step--;
        if (!works_on(w, step, AMONG_LEADERS))
            continue;
        const Coll leaders = group_of(w, step, segment_at(w, step));
        if (leaders.rank < 0)
            continue;
        if (is_left(&rest)) {
            coll_call_overlapped(&leaders, part_of(w, step), walk, &rest);
            return;
        }
        coll_call(&leaders, part_of(w, step));
    }
    for (int step = 0; step < w->h->n; step++) {
        if (!works_on(w, step, IN_NODES))
            continue;
        const Coll node = group_of(w, step, segment_at(w, step));
        coll_call(&node, part_of(w, step));
    }
}

// Takes the buffer that the vector is in after the first step.
static void take_out(Walk *w)
{
    const Coll *c = w->c;
    const bool reduces = part_of(w, w->h->n - 1)->collective == COLL_REDUCE;
    const bool leads = coll_leaders_who(c, w->h->leader).rank >= 0;
    w->alternate = reduces && leads && c->rank != c->root;
    Slice out = c->out;
    if (w->alternate)
        out = coll_scratch(c, MIN(2 * block(&w->in, 0).len, c->in.len));
    w->out = blocks_size(c, out, c->par.segment);
}

void hierarchy_run(const Coll *c, const Hierarchy *h)
{
    Walk w = {.c = c, .h = h, .in = blocks_size(c, c->in, c->par.segment), .step = h->n - 1};
    take_out(&w);
    for (; w.turn < w.in.n + h->n - 1; w.turn++)
        walk(&w);
}

// ---- What is known about it without a run --------------------------------------------------------------------------

// Returns true if the steps of one kind of group can run on the caller's group. The first segment stands for all.
static bool group_can(const Coll *c, const Hierarchy *h, int kind)
{
    const Blocks in = blocks_size(c, c->in, c->par.segment), out = blocks_size(c, c->out, c->par.segment);
    const Walk w = {.c = c, .h = h, .in = in, .out = out};
    bool can = true;
    for (int step = 0; can && step < h->n; step++) {
        if ((int)h->step[step].group != kind)
            continue;
        const Coll group = group_of(&w, step, 0);
        can = coll_can(&group, part_of(&w, step));
    }
    return can;
}

bool hierarchy_can(const Coll *c, const Hierarchy *h)
{
    // All ranks must come to the same answer, so each of them asks for the same ranks: a leader, and one rank in a node
    // of each size, because nodes of one size are alike: needs do not ask for the root.
    Coll member = *c;
    member.rank = coll_leaders_who(c, h->leader).map(c, 0);
    bool can = group_can(&member, h, AMONG_LEADERS);
    for (int i = 0; can && i < c->nodes->n_sizes; i++) {
        member.rank = c->nodes->member[c->nodes->first[c->nodes->sized[i]]];
        can = group_can(&member, h, IN_NODES);
    }
    return can;
}

int64_t hierarchy_time(const CollPoint *x, const Hierarchy *h)
{
    const int k = coll_nodes_equal(x->nodes);
    if (k == 0 || segments(x, x->m) > 1)
        return -1;
    const CollPoint far = point_far(x), near = point_near(x);
    int64_t sum = 0;
    for (int step = 0; step < h->n && sum >= 0; step++) {
        const CollAlgorithm *part = x->par.part[h->step[step].part];
        const bool leaders = h->step[step].group == AMONG_LEADERS;
        const int64_t t = leaders ? call_time(&far, part, x->nodes->n, x->m) : call_time(&near, part, k, x->m);
        sum = t < 0 ? -1 : sum + t;
    }
    return sum;
}
