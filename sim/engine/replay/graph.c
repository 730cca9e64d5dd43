#include "engine/replay/graph.h"
#include "engine/replay/event_gear.h"
#include "engine/replay/transfer.h"

// ---- The operations of a rank that wait for their time --------------------------------------------------------------

// Compares two operations of one rank: they begin in order of time, and at one time in the order of the file.
static bool before(const Machine *m, Index a, Index b)
{
    const double s = m->pool[a].at.t, t = m->pool[b].at.t;
    return s < t || (s == t && a < b);
}

// Joins two skew heaps and returns the root; -1 is an empty heap. Amortized O(log n) for n operations.
static Index join(Machine *m, Index a, Index b)
{
    Index root, *link = &root;
    while (a >= 0 && b >= 0) {
        const Index first = before(m, a, b) ? a : b;
        b = first == a ? b : a;
        a = m->pool[first].older;
        *link = first;
        link = &m->pool[first].queue;
        m->pool[first].older = *link;
    }
    *link = a >= 0 ? a : b;
    return root;
}

void graph_wake(Machine *m, int v)
{
    if (m->graph->woken[v])
        return;
    m->graph->woken[v] = true;
    make_runnable(m, v);
}

// Lets v begin operation k as soon as its time has come.
static void make_ready(Machine *m, int v, Index k)
{
    ReplayGraph *g = m->graph;
    const double t = m->pool[k].at.t;
    m->pool[k].older = m->pool[k].queue = -1;
    g->soon[v] = join(m, g->soon[v], k);
    if (t <= m->event->now)
        graph_wake(m, v);
    else if (cost_is_measured(&m->model))
        push_measured(m, t, GOES, v);
    else
        push_event(m, t, v, WAKES);
}

// ---- What waits for what --------------------------------------------------------------------------------------------

// Lets all go on that wait for operation k in this way, which has come to `at`. An operation that waits for several
// takes the chain of the last one to end; if several end last together, it takes that of the first one in the file.
static void release(Machine *m, const GoalDependents *x, Index k, Stamp at)
{
    ReplayGraph *g = m->graph;
    for (uint32_t e = x->first ? x->first[k] : 0; x->first && e < x->first[k + 1]; e++) {
        const Index then = (Index)x->op[e];
        Req *q = &m->pool[then];
        if (q->match < 0 || at.t > q->at.t || (at.t == q->at.t && k < q->match)) {
            q->at = at;
            q->match = k;
        }
        if (--g->open[then] == 0)
            make_ready(m, (int)g->ops[then].host, then);
    }
}

void graph_ended(Machine *m, Index k)
{
    ReplayGraph *g = m->graph;
    const Stamp at = m->pool[k].at;
    const int v = m->pool[k].owner;
    if (at.t > g->end[v].t || (at.t == g->end[v].t && (uint32_t)k < g->last[v])) {
        g->end[v] = at;
        g->last[v] = (uint32_t)k;
    }
    release(m, &g->ends, k, at);
}

// Makes the request of operation k, which v begins at its clock.
static void issue_as(Machine *m, int v, Index k, OpKind kind)
{
    const GoalOp *o = &m->graph->ops[k];
    m->pool[k] = (Req){.at = m->ranks[v].now,
                       .bytes = (int64_t)o->size,
                       .older = -1,
                       .queue = -1,
                       .owner = v,
                       .peer = o->peer == GOAL_ANY ? -1 : (int32_t)o->peer,
                       .kind = (uint8_t)kind,
                       .reacts = m->graph->reacts && m->graph->reacts[k]};
    if (G_UNLIKELY(m->trace) && kind != OP_REDUCE)
        m->pool[k].node = machine_trace(m, v, kind == OP_RECV);
}

// Computes on one of v's CPUs, as soon as that has ended what it began before.
static void compute(Machine *m, int v, Index k)
{
    ReplayGraph *g = m->graph;
    Rank *r = &m->ranks[v];
    Stamp *cpu = &g->cpu[g->cpu_of[v] + g->ops[k].cpu];
    r->now = stamp_latest(r->now, *cpu);
    issue_as(m, v, k, OP_REDUCE);
    release(m, &g->starts, k, r->now);
    r->pc++;
    transfer_work(m, v, WORK_REDUCE, g->ops[k].size);
    m->pool[k].at = *cpu = r->now;
    m->pool[k].done = 1;
    graph_ended(m, k);
}

void graph_go_on(Machine *m, int v, const Gearing *gear)
{
    ReplayGraph *g = m->graph;
    g->woken[v] = false;
    for (Index k; (k = g->soon[v]) >= 0 && m->pool[k].at.t <= m->event->now;) {
        g->soon[v] = join(m, m->pool[k].older, m->pool[k].queue);
        m->ranks[v].now = m->pool[k].at;
        m->ranks[v].pc = (uint32_t)k - g->of->first[v];
        g->left[v]--;
        if (g->ops[k].kind == GOAL_CALC) {
            compute(m, v, k);
            continue;
        }
        const bool sends = g->ops[k].kind == GOAL_SEND;
        issue_as(m, v, k, sends ? OP_SEND : OP_RECV);
        release(m, &g->starts, k, m->ranks[v].now);
        (sends ? gear->send : gear->recv)(m, k);
    }
    if (G_UNLIKELY(m->filter) && g->left[v] == 0)
        machine_ended(m, v);
}

// ---- Messages -------------------------------------------------------------------------------------------------------

Index graph_meet(Machine *m, Index i)
{
    ReplayGraph *g = m->graph;
    const uint32_t met = match_meet(&g->match, (uint32_t)i);
    if (met == NOTHING)
        return -1;
    const bool sends = m->pool[i].kind == OP_SEND;
    const Index send = sends ? i : (Index)met, recv = sends ? (Index)met : i;
    g->of->met[recv] = (uint32_t)send;
    m->pool[recv].peer = m->pool[send].owner;
    g->of->unequal += m->pool[recv].bytes != m->pool[send].bytes;
    m->pool[recv].bytes = m->pool[send].bytes;
    return sends ? recv : m->pool[send].queue;
}

bool graph_keeps(Machine *m, Index send)
{
    if (!m->graph->of->any[m->pool[send].peer])
        return false;
    g_array_append_val(m->graph->kept, send);
    return true;
}

static int by_key(gconstpointer a, gconstpointer b, gpointer machine)
{
    const Machine *m = machine;
    const uint64_t x = key_of(m, m->pool[*(const Index *)a].owner, 0),
                   y = key_of(m, m->pool[*(const Index *)b].owner, 0);
    return x < y ? -1 : x > y;
}

bool graph_meet_kept(Machine *m, void (*meet)(Machine *m, Index send))
{
    GArray *kept = m->graph->kept;
    const guint n = kept->len;
    g_array_sort_with_data(kept, by_key, m);
    for (guint i = 0; i < n; i++)
        meet(m, g_array_index(kept, Index, i));
    g_array_set_size(kept, 0);
    return n > 0;
}

// ---- Beginning and end ----------------------------------------------------------------------------------------------

// Sets cpu_of and cpu: each rank has as many CPUs as its calcs name.
static void make_cpus(ReplayGraph *g, int p, uint32_t n)
{
    g->cpu_of = g_new0(uint32_t, (size_t)p + 1);
    for (uint32_t k = 0; k < n; k++)
        if (g->ops[k].kind == GOAL_CALC)
            g->cpu_of[g->ops[k].host + 1] = MAX(g->cpu_of[g->ops[k].host + 1], g->ops[k].cpu + 1u);
    for (int v = 0; v < p; v++)
        g->cpu_of[v + 1] += g->cpu_of[v];
    g->cpu = g_new0(Stamp, MAX(g->cpu_of[p], 1));
}

// Notes that operation k has ended, or only started, for all that wait for that; those that wait for nothing else join
// `ready`.
static void follow(ReplayGraph *g, const GoalDependents *x, uint32_t k, bool reacts, uint32_t *open, GArray *ready)
{
    for (uint32_t e = x->first ? x->first[k] : 0; x->first && e < x->first[k + 1]; e++) {
        const uint32_t then = x->op[e];
        g->reacts[then] |= reacts;
        if (--open[then] == 0)
            g_array_append_val(ready, then);
    }
}

// Finds the operations that the graph lets start only after a receive of their rank has ended.
static void find_reacting(ReplayGraph *g, uint32_t n)
{
    g_autofree uint32_t *open = g_memdup2(g->open, (gsize)n * sizeof *g->open);
    g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g->reacts = g_new0(bool, MAX(n, 1));
    for (uint32_t k = 0; k < n; k++)
        if (open[k] == 0)
            g_array_append_val(ready, k);
    for (guint i = 0; i < ready->len; i++) {
        const uint32_t k = g_array_index(ready, uint32_t, i);
        follow(g, &g->ends, k, g->reacts[k] || g->ops[k].kind == GOAL_RECV, open, ready);
        follow(g, &g->starts, k, g->reacts[k], open, ready);
    }
}

size_t graph_bytes(const Schedule *s)
{
    return s->graph ? 3 * sizeof(uint32_t) * (size_t)goal_n_ops(s->graph->goal) : 0; // open, and the links of the match
}

void graph_begin(Machine *m)
{
    const Goal *goal = m->s->graph->goal;
    const uint32_t n = goal_n_ops(goal);
    ReplayGraph *g = m->graph = g_new0(ReplayGraph, 1);
    g->of = m->s->graph;
    g->of->unequal = 0;
    g->ops = n > 0 ? goal_op(goal, 0) : NULL;
    g->open = g_new0(uint32_t, MAX(n, 1));
    g->ends = goal_required(goal, g->open);
    g->starts = goal_irequired(goal, g->open);
    g->soon = g_new(Index, m->n);
    g->woken = g_new0(bool, m->n);
    g->left = g_new(uint32_t, m->n);
    g->end = g_new(Stamp, m->n);
    g->last = g_new0(uint32_t, m->n);
    g->kept = g_array_new(FALSE, FALSE, sizeof(Index));
    g->chain = (Chain){.next = g_new(uint32_t, MAX(n, 1)), .seq = g_new(uint32_t, MAX(n, 1))};
    goal_match_init(&g->match, goal, &g->chain);
    make_cpus(g, m->n, n);
    if (cost_is_measured(&m->model) && m->model.site->measured->far > 0)
        find_reacting(g, n);
    m->max_pool += (Index)n;
    m->n_pool = (Index)n;
    m->pool = g_renew(Req, m->pool, m->max_pool);
    for (int v = 0; v < m->n; v++) {
        g->soon[v] = -1;
        g->left[v] = g->of->first[v + 1] - g->of->first[v];
        g->end[v] = m->ranks[v].now;
    }
    for (uint32_t k = 0; k < n; k++)
        m->pool[k] =
            (Req){.at = m->ranks[g->ops[k].host].now, .owner = (int32_t)g->ops[k].host, .kind = OP_END, .match = -1};
    for (uint32_t k = 0; k < n; k++)
        if (g->open[k] == 0)
            make_ready(m, (int)g->ops[k].host, (Index)k);
}

void graph_end(Machine *m)
{
    for (int v = 0; v < m->n; v++)
        m->ranks[v].now = m->graph->end[v];
}

void graph_free(ReplayGraph *g)
{
    if (!g)
        return;
    goal_dependents_clear(&g->ends);
    goal_dependents_clear(&g->starts);
    goal_match_clear(&g->match);
    g_free(g->chain.next);
    g_free(g->chain.seq);
    g_free(g->open);
    g_free(g->soon);
    g_free(g->woken);
    g_free(g->left);
    g_free(g->end);
    g_free(g->last);
    g_free(g->reacts);
    g_free(g->cpu_of);
    g_free(g->cpu);
    g_array_unref(g->kept);
    g_free(g);
}

void graph_stuck(const Machine *m, GArray *stuck)
{
    const ReplayGraph *g = m->graph;
    for (int v = 0; v < m->n; v++) {
        uint32_t k = g->of->first[v];
        while (k < g->of->first[v + 1] && (m->pool[k].kind == OP_END || m->pool[k].done))
            k++;
        const Req *q = &m->pool[k];
        const Stuck waits = {.rank = v,
                             .peer = q->peer,
                             .kind = (OpKind)q->kind,
                             .operation = k - g->of->first[v],
                             .bytes = (uint64_t)q->bytes};
        if (k < g->of->first[v + 1])
            g_array_append_val(stuck, waits);
    }
    for (int v = 0; v < m->n; v++)
        for (uint32_t k = match_first(&g->match, match_messages((uint32_t)v)); k != NOTHING;
             k = match_next(&g->match, match_messages((uint32_t)v), k)) {
            const Req *q = &m->pool[k];
            const Stuck lost = {
                .rank = q->owner, .peer = v, .kind = OP_SEND, .bytes = (uint64_t)q->bytes, .left_over = true};
            if (q->done)
                g_array_append_val(stuck, lost);
        }
}
