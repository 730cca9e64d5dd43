#include "engine/goal/goal.h"

typedef struct Edge {
    uint32_t before, after;
} Edge;

struct Goal {
    uint32_t n_hosts, n_messages;
    int n_levels;
    gboolean placed;
    GArray *ops;                  // of GoalOp, by host
    GArray *requires, *irequires; // of Edge, in the order in which they were added
};

_Static_assert(sizeof(GoalOp) == 24, "tens of millions of them are held");

Goal *goal_new(uint32_t n_hosts)
{
    g_assert(n_hosts >= 1 && n_hosts < GOAL_ANY);
    Goal *goal = g_new(Goal, 1);
    *goal = (Goal){.n_hosts = n_hosts,
                   .n_levels = 1,
                   .ops = g_array_new(FALSE, FALSE, sizeof(GoalOp)),
                   .requires = g_array_new(FALSE, FALSE, sizeof(Edge)),
                   .irequires = g_array_new(FALSE, FALSE, sizeof(Edge))};
    return goal;
}

void goal_free(Goal *goal)
{
    g_array_unref(goal->ops);
    g_array_unref(goal->requires);
    g_array_unref(goal->irequires);
    g_free(goal);
}

Goal *goal_copy(const Goal *goal)
{
    Goal *copy = g_memdup2(goal, sizeof *goal);
    copy->ops = g_array_copy(goal->ops);
    copy->requires = g_array_copy(goal->requires);
    copy->irequires = g_array_copy(goal->irequires);
    return copy;
}

uint32_t goal_add(Goal *goal, uint32_t host, GoalKind kind, uint64_t size, uint32_t peer, uint32_t tag)
{
    const uint32_t n = goal->ops->len;
    g_assert(n < GOAL_MAX_OPS);
    g_assert(host < goal->n_hosts && (n == 0 || goal_op(goal, n - 1)->host <= host));
    g_assert(peer < goal->n_hosts || (kind == GOAL_RECV && peer == GOAL_ANY));
    const GoalOp op = {.kind = kind, .host = host, .peer = peer, .tag = tag, .size = size};
    g_array_append_val(goal->ops, op);
    goal->n_messages += kind == GOAL_SEND;
    return n;
}

void goal_place(Goal *goal, uint32_t op, unsigned cpu, unsigned nic)
{
    g_assert(op < goal->ops->len && cpu <= UINT8_MAX && nic <= UINT8_MAX);
    GoalOp *o = &g_array_index(goal->ops, GoalOp, op);
    o->cpu = cpu;
    o->nic = nic;
    goal->placed |= cpu > 0 || nic > 0;
}

void goal_set_level(Goal *goal, uint32_t op, int level)
{
    g_assert(op < goal->ops->len && level >= 0 && level <= UINT8_MAX);
    g_array_index(goal->ops, GoalOp, op).level = (uint8_t)level;
    goal->n_levels = MAX(goal->n_levels, level + 1);
}

void goal_resize(Goal *goal, uint32_t op, uint64_t size)
{
    g_assert(op < goal->ops->len);
    g_array_index(goal->ops, GoalOp, op).size = size;
}

static void add_edge(Goal *goal, GArray *edges, uint32_t after, uint32_t before)
{
    g_assert(goal_op(goal, after)->host == goal_op(goal, before)->host);
    const Edge edge = {before, after};
    g_array_append_val(edges, edge);
}

void goal_require(Goal *goal, uint32_t after, uint32_t before)
{
    add_edge(goal, goal->requires, after, before);
}

void goal_irequire(Goal *goal, uint32_t after, uint32_t before)
{
    add_edge(goal, goal->irequires, after, before);
}

uint32_t goal_n_ops(const Goal *goal)
{
    return goal->ops->len;
}

uint32_t goal_n_messages(const Goal *goal)
{
    return goal->n_messages;
}

const GoalOp *goal_op(const Goal *goal, uint32_t op)
{
    g_assert(op < goal->ops->len);
    return &g_array_index(goal->ops, GoalOp, op);
}

uint32_t goal_n_hosts(const Goal *goal)
{
    return goal->n_hosts;
}

int goal_n_levels(const Goal *goal)
{
    return goal->n_levels;
}

gboolean goal_is_placed(const Goal *goal)
{
    return goal->placed;
}

static GoalDependents edges_by_before(const Goal *goal, const GArray *edges, uint32_t *open)
{
    const Edge *edge = (const Edge *)(void *)edges->data;
    const size_t n = goal->ops->len;
    if (edges->len == 0)
        return (GoalDependents){NULL, NULL};

    // A counting sort. Operation i is counted in first[i + 2], so that the sums put its start into first[i + 1].
    // Filling then moves each start up to the next one's, and leaves the start of i in first[i].
    uint32_t *first = g_new0(uint32_t, n + 2);
    for (guint i = 0; i < edges->len; i++) {
        first[edge[i].before + 2]++;
        open[edge[i].after]++;
    }
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    uint32_t *op = g_new(uint32_t, edges->len);
    for (guint i = 0; i < edges->len; i++)
        op[first[edge[i].before + 1]++] = edge[i].after;
    return (GoalDependents){first, op};
}

void goal_dependents_clear(const GoalDependents *x)
{
    g_free(x->first);
    g_free(x->op);
}

GoalDependents goal_required(const Goal *goal, uint32_t *open)
{
    return edges_by_before(goal, goal->requires, open);
}

GoalDependents goal_irequired(const Goal *goal, uint32_t *open)
{
    return edges_by_before(goal, goal->irequires, open);
}
