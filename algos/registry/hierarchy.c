// The steps of a hierarchy, one segment of the vector behind the other.
#include "registry/hierarchy.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "registry/composition.h"
#include "registry/rails.h"
#include "shapes/reduce.h"
#include "times/times.h"
#include <glib.h>

// A rank's way through a hierarchy.
typedef struct Walk {
    const Coll *c;
    const Hierarchy *h;
    Blocks in, out; // the segments before the first step, and after it
    bool alternate; // `out` is a buffer for one segment of each step, which take turns
    Slice signal;   // what a barrier broadcasts
    int first;      // the first step that the rank takes part in; it reads `in`, the others read `out`
    int turn, step; // in this turn, the steps from `step` down are still to begin
} Walk;

// Returns the steps of the algorithm for the operation's root.
static const Hierarchy *plan_of(const Coll *c)
{
    const Hierarchy *h = c->par.of->hierarchy;
    const bool follows = h->root_follows && coll_leader_of(c, c->nodes->of[c->root], h->leader) != c->root;
    return follows ? h->root_follows : h;
}

// Returns the algorithm of a step, or NULL if the step is a single message.
static const CollAlgorithm *part_of(const Coll *c, const Hierarchy *h, int step)
{
    const HierarchyGroup group = h->step[step].group;
    return group == FROM_ROOT || group == FIRST_TO_ROOT ? NULL : c->par.part[h->step[step].part];
}

static bool is_among_leaders(const Hierarchy *h, int step)
{
    return h->step[step].group == AMONG_LEADERS || h->step[step].group == TO_FIRST;
}

// Returns the number of the segment that a step works on in this turn; -1 if there is none.
static int segment_at(const Walk *w, int step)
{
    const int i = w->turn - step;
    return i < w->in.n ? i : -1;
}

// Returns the group that a step works in. Its `rank` is -1 if the caller is not in it.
static Coll members_of(const Coll *c, const Hierarchy *h, int step)
{
    const HierarchyGroup kind = h->step[step].group;
    Coll group = is_among_leaders(h, step) ? coll_leaders_who(c, h->leader) : coll_node_under(c, h->leader);
    const bool at_root = c->nodes->of[c->rank] == c->nodes->of[c->root];
    if (kind == TO_FIRST)
        group.root = c->nodes->of[0];
    if (kind == IN_ROOTS_NODE)
        group.root = c->nodes->local[c->root];
    if ((kind == IN_ROOTS_NODE && !at_root) || (kind == IN_OTHER_NODES && at_root))
        group.rank = -1;
    return group;
}

// Returns the view of the group in which a step handles segment i.
static Coll group_of(const Walk *w, int step, int i)
{
    Coll group = members_of(w->c, w->h, step);
    group.in = block(&w->in, i);
    group.out = slice_at(block(&w->out, w->alternate ? i % w->h->n : i), 0, group.in.len);
    group.in = step == w->first ? group.in : group.out;
    if (w->signal.len && part_of(w->c, w->h, step)->collective == COLL_BCAST) {
        group.in = group.out = w->signal;
        group.elem = 1;
    }
    return group;
}

// Hands segment i from rank `from` to rank `to`.
static void hand(const Walk *w, int from, int to, int step, int i)
{
    const Coll *c = w->c;
    if (from == to || (c->rank != from && c->rank != to))
        return;
    const Coll group = group_of(w, step, i);
    coll_phase(c, from == c->root ? "from the root" : "to the root");
    if (c->rank == from)
        coll_send(c, to, group.in);
    else
        coll_recv(c, from, group.out);
}

// Does a step that is not among the leaders.
static void do_inside(const Walk *w, int step, int i)
{
    const Coll *c = w->c;
    const int roots_node = c->nodes->of[c->root];
    if (w->h->step[step].group == FROM_ROOT)
        hand(w, c->root, coll_leader_of(c, roots_node, w->h->leader), step, i);
    else if (w->h->step[step].group == FIRST_TO_ROOT)
        hand(w, 0, c->root, step, i);
    else {
        const Coll node = group_of(w, step, i);
        if (node.rank >= 0)
            coll_call(&node, part_of(c, w->h, step));
    }
}

static bool are_apart(const Walk *w)
{
    return !w->h->apart || w->h->apart(&w->c->par);
}

// Returns true if another step among the leaders is still to begin in this turn.
static bool is_left_among_leaders(const Walk *w)
{
    bool left = false;
    for (int step = w->step; step >= 0; step--)
        left |= segment_at(w, step) >= 0 && is_among_leaders(w->h, step);
    return left;
}

// Returns true if something is left to do in this turn.
static bool is_left(const Walk *w)
{
    bool left = false;
    for (int step = 0; step < w->h->n; step++)
        left |= segment_at(w, step) >= 0 && (step <= w->step || !is_among_leaders(w->h, step));
    return left;
}

// Goes through the rest of a turn.
static void walk(void *data)
{
    const Walk *w = data;
    Walk rest = *w;
    while (rest.step >= 0) {
        const int step = rest.step--, i = segment_at(w, step);
        if (i < 0 || !is_among_leaders(w->h, step))
            continue;
        const Coll leaders = group_of(w, step, i);
        if (leaders.rank < 0)
            continue;
        if (is_left(&rest) && (are_apart(w) || !is_left_among_leaders(&rest))) {
            coll_call_overlapped(&leaders, part_of(w->c, w->h, step), walk, &rest);
            return;
        }
        coll_call(&leaders, part_of(w->c, w->h, step));
    }
    for (int step = 0; step < w->h->n; step++) {
        const int i = segment_at(w, step);
        if (i >= 0 && !is_among_leaders(w->h, step))
            do_inside(w, step, i);
    }
}

// Returns true if the result is the root's alone: the last part is a reduction.
static bool is_reduction(const Walk *w)
{
    const CollAlgorithm *last = NULL;
    for (int step = 0; step < w->h->n; step++)
        if (part_of(w->c, w->h, step))
            last = part_of(w->c, w->h, step);
    return last && last->collective == COLL_REDUCE;
}

// Takes the buffer that the vector is in after the first step, and that of a barrier's signal.
static void take_out(Walk *w)
{
    const Coll *c = w->c;
    const bool leads = coll_leaders_who(c, w->h->leader).rank >= 0;
    w->alternate = is_reduction(w) && leads && c->rank != c->root;
    Slice out = c->out;
    if (w->alternate)
        out = coll_scratch(c, MIN((size_t)w->h->n * block(&w->in, 0).len, c->in.len));
    w->out = blocks_size(c, out, c->par.segment);
    if (w->h->signal)
        w->signal = coll_scratch(c, w->h->signal);
}

void hierarchy_run(const Coll *c)
{
    const Hierarchy *h = plan_of(c);
    Walk w = {.c = c, .h = h, .in = blocks_size(c, c->in, c->par.segment), .step = h->n - 1};
    take_out(&w);
    while (w.first < h->n - 1 && (!part_of(c, h, w.first) || members_of(c, h, w.first).rank < 0))
        w.first++;
    for (; w.turn < w.in.n + h->n - 1; w.turn++)
        walk(&w);
}

// ---- What is known about it without a run --------------------------------------------------------------------------

// Returns true if the parts among the leaders, or those within a node, can run on the caller's group. The first segment
// stands for all.
static bool group_can(const Coll *c, const Hierarchy *h, bool leaders)
{
    const Slice first = slice_at(c->in, 0, blocks_first(c, c->in, c->par.segment));
    bool can = true;
    for (int step = 0; can && step < h->n; step++) {
        if (!part_of(c, h, step) || is_among_leaders(h, step) != leaders)
            continue;
        Coll group = leaders ? coll_leaders_who(c, h->leader) : coll_node_under(c, h->leader);
        group.in = group.out = first;
        can = coll_can(&group, part_of(c, h, step));
    }
    return can;
}

// All ranks must come to the same answer, so each of them asks for the same ranks: a leader, and one rank in a node of
// each size, because nodes of one size are alike: needs do not ask for the root.
static bool parts_can(const Coll *c)
{
    const Hierarchy *h = plan_of(c);
    Coll member = *c;
    member.rank = coll_leaders_who(c, h->leader).map(c, 0);
    bool can = group_can(&member, h, true);
    for (int i = 0; can && i < c->nodes->n_sizes; i++) {
        member.rank = c->nodes->member[c->nodes->first[c->nodes->sized[i]]];
        can = group_can(&member, h, false);
    }
    return can;
}

const CollNeed need_hierarchy = {parts_can, "a part cannot run on these nodes", "parts that can run on the nodes"};

int64_t hierarchy_time(const CollPoint *x)
{
    const Hierarchy *h = x->par.of->hierarchy;
    const int k = coll_nodes_equal(x->nodes);
    if (k == 0 || segments(x, x->m) > 1)
        return -1;
    int64_t sum = 0;
    for (int step = 0; step < h->n && sum >= 0; step++) {
        const HierarchyGroup kind = h->step[step].group;
        const int part = h->step[step].part;
        g_assert(kind != IN_ROOTS_NODE && kind != IN_OTHER_NODES);
        if (kind == FROM_ROOT || kind == FIRST_TO_ROOT)
            continue; // root 0 leads its node
        const int64_t m = h->signal && x->par.part[part]->collective == COLL_BCAST ? (int64_t)h->signal : x->m;
        sum = then(sum, is_among_leaders(h, step) ? call_time_far(x, part, m) : call_time_near(x, part, k, m));
    }
    return sum;
}

// ---- Symmetry ------------------------------------------------------------------------------------------------------

// Returns true if the root's node does something else than the other nodes, apart from its leader's part.
static bool treats_root(const Hierarchy *h)
{
    bool treats = h->leader == LEADER_ROOT;
    for (int step = 0; step < h->n; step++)
        treats |= h->step[step].group != IN_NODES && h->step[step].group != AMONG_LEADERS;
    return treats;
}

// Returns the smallest v that has the schedule of the caller, a leader, in a step in which it handles `segment`.
static int same_leader(const Coll *c, const Hierarchy *h, int step, Slice segment)
{
    Coll group = members_of(c, h, step);
    group.in = group.out = segment;
    return rails_same_lane(c, &group, part_of(c, h, step), treats_root(h));
}

int hierarchy_same(const Coll *c)
{
    const Hierarchy *h = plan_of(c);
    const bool leads = coll_leaders_who(c, h->leader).rank >= 0;
    if (!leads)
        return rails_same_node(c, treats_root(h));
    if (c->rank == 0 || (h->leader == LEADER_ROOT && c->nodes->local[c->root] > 0))
        return coll_v(c);
    // A leader is like another one if it is in all of its steps; the last segment may be shorter.
    const Blocks in = blocks_size(c, c->in, c->par.segment);
    int same = -1;
    for (int step = 0; step < h->n; step++)
        for (int i = 0; is_among_leaders(h, step) && i < in.n; i += MAX(1, in.n - 1)) {
            const int v = same_leader(c, h, step, block(&in, i));
            same = same < 0 || v == same ? v : coll_v(c);
        }
    return same < 0 ? coll_v(c) : same;
}
