#include "engine/schedule/schedule_graph.h"
#include "base/error.h"
#include "engine/goal/goal_text.h"

// Lets operation i happen: counts it off from those that wait for it, and appends to `ready` those that waited for
// nothing else.
static void happen(const GoalDependents *x, uint32_t i, uint32_t *open, uint32_t *ready, uint32_t *found)
{
    for (uint32_t e = x->first ? x->first[i] : 0; x->first && e < x->first[i + 1]; e++)
        if (--open[x->op[e]] == 0)
            ready[(*found)++] = x->op[e];
}

gboolean schedule_graph_check(const Goal *goal, GError **error)
{
    const uint32_t n = goal_n_ops(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n + 1), *ready = g_new(uint32_t, n + 1);
    const GoalDependents ends = goal_required(goal, open), starts = goal_irequired(goal, open);
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        if (open[i] == 0)
            ready[found++] = i;
    for (uint32_t done = 0; done < found; done++) {
        happen(&ends, ready[done], open, ready, &found);
        happen(&starts, ready[done], open, ready, &found);
    }
    goal_dependents_clear(&ends);
    goal_dependents_clear(&starts);
    uint32_t stuck = 0;
    while (stuck < n && open[stuck] == 0)
        stuck++;
    if (stuck == n)
        return TRUE;
    g_autofree char *text = goal_op_text(goal_op(goal, stuck));
    return bad_input(error, "rank %u: %s waits for itself, by way of others; allowed: operations that can all start",
                     goal_op(goal, stuck)->host, text);
}

uint32_t *schedule_graph_first(const Goal *goal)
{
    const uint32_t n = goal_n_ops(goal), p = goal_n_hosts(goal);
    uint32_t *first = g_new0(uint32_t, p + 1);
    for (uint32_t i = 0; i < n; i++)
        first[goal_op(goal, i)->host + 1]++;
    for (uint32_t rank = 0; rank < p; rank++)
        first[rank + 1] += first[rank];
    return first;
}

static Op op_of(const GoalOp *o)
{
    switch ((GoalKind)o->kind) {
    case GOAL_SEND:
        return (Op){.kind = OP_ISEND, .text = 1, .to = (int32_t)o->peer, .out.bytes = o->size};
    case GOAL_RECV:
        return (Op){
            .kind = OP_IRECV, .text = 1, .from = o->peer == GOAL_ANY ? -1 : (int32_t)o->peer, .in.bytes = o->size};
    case GOAL_CALC:
        break;
    }
    return (Op){.kind = OP_REDUCE, .text = 1, .in.bytes = o->size};
}

Schedule *schedule_graph_new(const Goal *goal, const char *name)
{
    const uint32_t p = goal_n_hosts(goal), n = goal_n_ops(goal);
    ScheduleGraph *graph = g_new(ScheduleGraph, 1);
    *graph = (ScheduleGraph){.goal = goal,
                             .first = schedule_graph_first(goal),
                             .met = g_new(uint32_t, MAX(n, 1)),
                             .any = g_new0(bool, p),
                             .unequal = 0};
    Schedule *s = g_new0(Schedule, 1);
    s->name = name;
    s->p = (int)p;
    s->peers = PEERS_ABSOLUTE;
    s->cuts[0].elem = 1;
    s->n_cuts = s->n_groups = 1;
    s->most_open = INT_MAX;
    s->classes = g_new(Class, p);
    s->n_classes = p;
    s->class_of = g_new(uint32_t, p);
    s->kinds = 1u << OP_END;
    s->graph = graph;
    for (uint32_t rank = 0; rank < p; rank++) {
        const uint32_t first = graph->first[rank], ops = graph->first[rank + 1] - first;
        Class *k = &s->classes[rank];
        *k = (Class){.ops = g_new(Op, ops + 1), .n_ops = ops + 1};
        s->class_of[rank] = rank;
        for (uint32_t i = 0; i < ops; i++) {
            k->ops[i] = op_of(goal_op(goal, first + i));
            s->kinds |= 1u << k->ops[i].kind;
            graph->met[first + i] = UINT32_MAX;
            graph->any[rank] |= k->ops[i].from < 0;
        }
        k->ops[ops] = (Op){.kind = OP_END};
    }
    return s;
}
