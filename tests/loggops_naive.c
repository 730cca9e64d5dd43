#include "loggops_naive.h"
#include <string.h>

enum { MAX_HOSTS = 8, NUMBERS = 256 };

// An operation that is to start at time t, or its message that is to be taken then. Of events at one time, the lowest
// seq comes first.
typedef struct NaiveEvent {
    uint64_t t, seq;
    uint32_t op;
    gboolean is_message;
} NaiveEvent;

// When each CPU, and each NIC for sending and for receiving, is free; and operations (uint32_t): receives that are
// posted, messages that no receive has met, and operations that are ready but not yet in the list of events.
typedef struct Host {
    uint64_t cpu[NUMBERS], snd[NUMBERS], rcv[NUMBERS];
    GArray *receives, *messages, *ready;
} Host;

typedef struct Naive {
    const Goal *goal;
    const LoggopsTicks *q;
    const LoggopsLevel *level;
    Host *hosts;
    GArray *events;
    uint64_t next_seq;
    uint32_t *open;      // per operation, the dependencies that are not fulfilled, modulo 2^32
    gboolean *was_ready; // per operation
    uint32_t *met;       // per receive
    GoalDependents required, irequired;
} Naive;

static uint64_t L_of(const Naive *x, const GoalOp *send)
{
    return x->level ? (uint64_t)x->level[send->level].L : x->q->L;
}

static uint64_t G_of(const Naive *x, const GoalOp *send)
{
    return x->level ? (uint64_t)x->level[send->level].G : x->q->G;
}

static void push(Naive *x, uint64_t t, uint64_t seq, uint32_t op, gboolean is_message)
{
    const NaiveEvent e = {t, seq, op, is_message};
    g_array_append_val(x->events, e);
}

static NaiveEvent pop(Naive *x)
{
    guint least = 0;
    for (guint i = 1; i < x->events->len; i++) {
        const NaiveEvent *e = &g_array_index(x->events, NaiveEvent, i),
                         *l = &g_array_index(x->events, NaiveEvent, least);
        if (e->t < l->t || (e->t == l->t && e->seq < l->seq))
            least = i;
    }
    const NaiveEvent e = g_array_index(x->events, NaiveEvent, least);
    g_array_remove_index_fast(x->events, least);
    return e;
}

static void make_ready(Naive *x, uint32_t op)
{
    g_assert_false(x->was_ready[op]);
    x->was_ready[op] = TRUE;
    g_array_append_val(x->hosts[goal_op(x->goal, op)->host].ready, op);
}

// Operations that wait for `op` wait for one less; those that wait for none become ready.
static void free_those(Naive *x, const GoalDependents *waiting, uint32_t op)
{
    for (uint32_t i = waiting->first ? waiting->first[op] : 0; waiting->first && i < waiting->first[op + 1]; i++)
        if (--x->open[waiting->op[i]] == 0)
            make_ready(x, waiting->op[i]);
}

static void done(Naive *x, uint32_t op)
{
    free_those(x, &x->required, op);
}

// Makes events of the operations that are ready: first sends, then receives, then calcs.
static void release(Naive *x, Host *h)
{
    for (GoalKind kind = GOAL_SEND; kind <= GOAL_CALC; kind++)
        for (guint i = 0; i < h->ready->len; i++) {
            const uint32_t op = g_array_index(h->ready, uint32_t, i);
            const GoalOp *o = goal_op(x->goal, op);
            if (o->kind == kind)
                push(x, kind == GOAL_SEND ? MAX(h->cpu[o->cpu], h->snd[o->nic]) : h->cpu[o->cpu], x->next_seq++, op,
                     FALSE);
        }
    g_array_set_size(h->ready, 0);
}

static gboolean matches(const GoalOp *recv, const GoalOp *send)
{
    return (recv->peer == send->host || recv->peer == GOAL_ANY) &&
           (recv->tag == send->tag || recv->tag == GOAL_ANY || send->tag == GOAL_ANY);
}

// Removes the oldest operation that matches `op` from `list`, sets *found to it and returns TRUE. If none matches,
// appends `op` to `wait` and returns FALSE.
static gboolean take(const Naive *x, GArray *list, GArray *wait, uint32_t op, uint32_t *found)
{
    const GoalOp *mine = goal_op(x->goal, op);
    for (guint i = 0; i < list->len; i++) {
        *found = g_array_index(list, uint32_t, i);
        const GoalOp *other = goal_op(x->goal, *found);
        if (mine->kind == GOAL_SEND ? matches(other, mine) : matches(mine, other)) {
            g_array_remove_index(list, i);
            return TRUE;
        }
    }
    g_array_append_val(wait, op);
    return FALSE;
}

// A send is done at time t: its host's CPU and NIC, with the given numbers, are not free before.
static void free_sender(Naive *x, uint32_t send, const GoalOp *numbers, uint64_t t)
{
    Host *h = &x->hosts[goal_op(x->goal, send)->host];
    done(x, send);
    h->cpu[numbers->cpu] = MAX(h->cpu[numbers->cpu], t);
    h->snd[numbers->nic] = MAX(h->snd[numbers->nic], t);
}

static void receive(Naive *x, Host *h, uint32_t op, uint64_t t)
{
    uint32_t send;
    const GoalOp *o = goal_op(x->goal, op);
    free_those(x, &x->irequired, op);
    if (!take(x, h->messages, h->receives, op, &send))
        return;
    x->met[op] = send;
    if (o->size > x->q->S) // the receive's size decides, so that an eager send may be done twice
        free_sender(x, send, o, t);
    done(x, op);
}

static void arrive(Naive *x, Host *h, NaiveEvent e)
{
    const LoggopsTicks *q = x->q;
    const GoalOp *o = goal_op(x->goal, e.op);
    const uint64_t free_at = MAX(h->cpu[o->cpu], h->rcv[o->nic]);
    uint32_t recv;
    if (free_at > e.t) {
        push(x, free_at, e.seq, e.op, TRUE);
        return;
    }
    const uint64_t G = G_of(x, o);
    h->cpu[o->cpu] = e.t + q->o + MAX((o->size - 1) * q->O, (o->size - 1) * G);
    h->rcv[o->nic] = e.t + q->g + (o->size - 1) * G;
    if (!take(x, h->receives, h->messages, e.op, &recv))
        return;
    x->met[recv] = e.op;
    if (o->size > q->S)
        free_sender(x, e.op, o, e.t);
    done(x, recv);
}

static void start(Naive *x, Host *h, NaiveEvent e)
{
    const LoggopsTicks *q = x->q;
    const GoalOp *o = goal_op(x->goal, e.op);
    const gboolean is_send = o->kind == GOAL_SEND;
    const uint64_t free_at = is_send ? MAX(h->cpu[o->cpu], h->snd[o->nic]) : h->cpu[o->cpu];
    if (free_at > e.t) {
        push(x, free_at, e.seq, e.op, FALSE);
        return;
    }
    h->cpu[o->cpu] = is_send ? e.t + q->o + (o->size - 1) * q->O : e.t + o->size * q->gamma;
    free_those(x, &x->irequired, e.op);
    if (is_send) {
        h->snd[o->nic] = e.t + q->g + (o->size - 1) * G_of(x, o);
        push(x, e.t + q->o + L_of(x, o), x->next_seq++, e.op, TRUE);
    }
    if (!is_send || o->size <= q->S)
        done(x, e.op);
}

static void run(Naive *x)
{
    const uint32_t n_hosts = goal_n_hosts(x->goal);
    for (uint32_t op = 0; op < goal_n_ops(x->goal); op++)
        if (x->open[op] == 0)
            make_ready(x, op);
    for (uint32_t host = 0; host < n_hosts; host++)
        release(x, &x->hosts[host]);
    while (x->events->len > 0) {
        const NaiveEvent e = pop(x);
        const GoalOp *o = goal_op(x->goal, e.op);
        if (e.is_message)
            arrive(x, &x->hosts[o->peer], e);
        else if (o->kind == GOAL_RECV)
            receive(x, &x->hosts[o->host], e.op, e.t);
        else
            start(x, &x->hosts[o->host], e);
        for (uint32_t host = 0; host < n_hosts; host++)
            release(x, &x->hosts[host]);
    }
}

gboolean loggops_naive(const Goal *goal, const LoggopsTicks *q, const LoggopsLevel *level, uint64_t *finish,
                       uint32_t *met)
{
    const uint32_t n_ops = goal_n_ops(goal), n_hosts = goal_n_hosts(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n_ops);
    g_autofree gboolean *was_ready = g_new0(gboolean, n_ops);
    g_autofree Host *hosts = g_new0(Host, n_hosts);
    Naive x = {.goal = goal, .q = q, .level = level, .hosts = hosts, .open = open, .was_ready = was_ready, .met = met};
    memset(met, 0xff, n_ops * sizeof *met); // UINT32_MAX
    x.events = g_array_new(FALSE, FALSE, sizeof(NaiveEvent));
    x.required = goal_required(goal, open);
    x.irequired = goal_irequired(goal, open);
    for (uint32_t host = 0; host < n_hosts; host++) {
        hosts[host].receives = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        hosts[host].messages = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        hosts[host].ready = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    run(&x);
    gboolean ended = TRUE;
    for (uint32_t host = 0; host < n_hosts; host++) {
        Host *h = &hosts[host];
        ended &= h->receives->len == 0 && h->messages->len == 0;
        finish[host] = 0;
        for (int i = 0; i < NUMBERS; i++)
            finish[host] = MAX(finish[host], h->cpu[i]);
        g_array_unref(h->receives);
        g_array_unref(h->messages);
        g_array_unref(h->ready);
    }
    for (uint32_t op = 0; op < n_ops; op++)
        ended &= was_ready[op];
    g_array_unref(x.events);
    g_free(x.required.first);
    g_free(x.required.op);
    g_free(x.irequired.first);
    g_free(x.irequired.op);
    return ended;
}

// ---- Random graphs --------------------------------------------------------------------------------------------------

static gboolean one_in(GRand *rand, gint32 n)
{
    return g_rand_int_range(rand, 0, n) == 0;
}

static void plan_message(GRand *rand, GArray *plan, uint32_t n_hosts, uint64_t S)
{
    const uint64_t sizes[] = {0, 1, 2, 8, S, S + 1, 100};
    const uint64_t size = sizes[g_rand_int_range(rand, 0, G_N_ELEMENTS(sizes))];
    const uint32_t from = (uint32_t)g_rand_int_range(rand, 0, (gint32)n_hosts),
                   to = (uint32_t)g_rand_int_range(rand, 0, (gint32)n_hosts);
    const uint32_t tag = (uint32_t)g_rand_int_range(rand, 0, 3);
    GoalOp send = {.kind = GOAL_SEND, .host = from, .peer = to, .size = size, .tag = tag};
    GoalOp recv = {.kind = GOAL_RECV, .host = to, .peer = from, .size = size, .tag = tag};
    if (one_in(rand, 6))
        recv.peer = GOAL_ANY;
    if (one_in(rand, 6))
        recv.tag = GOAL_ANY;
    if (one_in(rand, 20))
        send.tag = GOAL_ANY;
    if (one_in(rand, 5))
        recv.size = sizes[g_rand_int_range(rand, 0, G_N_ELEMENTS(sizes))];
    if (!one_in(rand, 60))
        g_array_append_val(plan, send);
    if (!one_in(rand, 60))
        g_array_append_val(plan, recv);
}

static void shuffle(GRand *rand, GArray *plan)
{
    for (guint i = plan->len; i > 1; i--) {
        const guint k = (guint)g_rand_int_range(rand, 0, (gint32)i);
        const GoalOp x = g_array_index(plan, GoalOp, i - 1);
        g_array_index(plan, GoalOp, i - 1) = g_array_index(plan, GoalOp, k);
        g_array_index(plan, GoalOp, k) = x;
    }
}

static void add_edges(GRand *rand, Goal *goal, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = first; k < end; k++) {
            // Few dependencies are on later operations, because these may close a circle.
            if (i == k || !one_in(rand, k < i ? 5 : 60))
                continue;
            if (one_in(rand, 3))
                goal_irequire(goal, i, k);
            else
                goal_require(goal, i, k);
        }
}

Goal *loggops_random_goal(GRand *rand, uint64_t S)
{
    const uint32_t n_hosts = (uint32_t)g_rand_int_range(rand, 2, MAX_HOSTS + 1);
    g_autoptr(GArray) plan = g_array_new(FALSE, FALSE, sizeof(GoalOp));
    for (gint32 n = g_rand_int_range(rand, 1, 20); n > 0; n--)
        plan_message(rand, plan, n_hosts, S);
    for (gint32 n = g_rand_int_range(rand, 0, 8); n > 0; n--) {
        const GoalOp calc = {.kind = GOAL_CALC,
                             .host = (uint32_t)g_rand_int_range(rand, 0, (gint32)n_hosts),
                             .size = (uint64_t)g_rand_int_range(rand, 0, 60)};
        g_array_append_val(plan, calc);
    }
    shuffle(rand, plan);
    Goal *goal = goal_new(n_hosts);
    for (uint32_t host = 0; host < n_hosts; host++) {
        const uint32_t first = goal_n_ops(goal);
        for (guint i = 0; i < plan->len; i++) {
            const GoalOp *o = &g_array_index(plan, GoalOp, i);
            if (o->host != host)
                continue;
            const uint32_t op = goal_add(goal, host, o->kind, o->size, o->peer, o->tag);
            if (one_in(rand, 3))
                goal_place(goal, op, one_in(rand, 2), o->kind != GOAL_CALC && one_in(rand, 2));
        }
        add_edges(rand, goal, first, goal_n_ops(goal));
    }
    return goal;
}
