#include "engine/loggops/goal_record.h"
#include "api/backend.h"
#include "api/make.h"
#include "base/error.h"
#include "engine/schedule/effort.h"
#include "engine/schedule/goal_entry.h"
#include <math.h>

// An operation that its rank has waited for, or may still wait for. A rank's waits are counted from 1.
typedef struct GoalRequest {
    uint32_t op;
    uint32_t issued; // how many waits the rank had done when the operation was issued
    uint32_t waited; // the number of the wait for it
} GoalRequest;

enum { MOST_EDGES = 1 << 27 };

typedef struct GoalRecorder {
    CollRun run;
    Goal *goal;
    const Coll *c;        // of the operation
    int n;                // ranks that are recorded
    CollPeers peers;      // if these stand for all
    const Mapping *map;   // whose levels messages get; NULL for none
    uint64_t edges;       // requirements of all operations; above MOST_EDGES no more operations are added
    uint32_t rank, epoch; // epoch: how many waits the rank has done
    GArray *pending;      // of GoalRequest: the requests of CollRun.pending, the newest last
    guint ended;          // how many at its beginning have ended, because a throttle has waited for them
    GoalPhases *phases;   // NULL if they are not wanted
    bool phase_begins;    // `phase` is not yet that of the text
    uint16_t phase;       // of the next operations
    GArray *done;         // of GoalRequest: operations waited for, except those that another of these requires anyway
} GoalRecorder;

static void begin_phase(CollRun *run)
{
    ((GoalRecorder *)run)->phase_begins = true;
}

// Returns how far rank b is from rank a.
static uint32_t distance(const GoalRecorder *r, int a, int b)
{
    const int p = r->c->p, va = (a - r->c->root + p) % p, vb = (b - r->c->root + p) % p;
    return (uint32_t)(r->peers == PEERS_XOR ? va ^ vb : (vb - va + p) % p);
}

// Adds an operation to the graph. If few ranks stand for all, a message's peer is the one that stands for it.
static uint32_t add_op(GoalRecorder *r, GoalKind kind, size_t bytes, int peer)
{
    const int own = (int)r->rank;
    const bool few = r->n < r->c->p && kind != GOAL_CALC;
    const uint32_t tag = !few ? 0 : kind == GOAL_SEND ? distance(r, own, peer) : distance(r, peer, own);
    const uint32_t op = goal_add(r->goal, r->rank, kind, bytes, (uint32_t)(few ? peer % r->n : peer), tag);
    if (r->map && kind != GOAL_CALC)
        goal_set_level(r->goal, op, mapping_level(r->map, own, peer));
    return op;
}

static void add(GoalRecorder *r, GoalKind kind, size_t bytes, int peer)
{
    const GoalRequest none = {.op = 0};
    r->edges += r->done->len;
    if (r->edges > MOST_EDGES) { // the graph is given up, but the text still waits for its requests
        g_array_append_val(r->pending, none);
        return;
    }
    const uint32_t op = add_op(r, kind, bytes, peer);
    if (r->phases) {
        if (r->phase_begins)
            r->phase = phases_number(&r->phases->names, &r->run);
        r->phase_begins = false;
        g_array_append_val(r->phases->of, r->phase);
    }
    for (guint i = 0; i < r->done->len; i++)
        goal_require(r->goal, op, g_array_index(r->done, GoalRequest, i).op);
    const GoalRequest x = {.op = op, .issued = r->epoch};
    g_array_append_val(r->pending, x);
}

// Makes everything that follows require the pending request at `index`. Removes from `done` what this request requires
// itself, because it was waited for before the request was issued.
static void end(GoalRecorder *r, guint index)
{
    GoalRequest x = g_array_index(r->pending, GoalRequest, index);
    for (guint i = r->done->len; i-- > 0;)
        if (g_array_index(r->done, GoalRequest, i).waited <= x.issued)
            g_array_remove_index(r->done, i);
    x.waited = ++r->epoch;
    g_array_append_val(r->done, x);
}

// Waits for n pending requests from `first` on, and removes them.
static void wait_for(GoalRecorder *r, guint first, guint n)
{
    for (guint i = MAX(first, r->ended); i < first + n; i++)
        end(r, i);
    g_array_remove_range(r->pending, first, n);
    r->ended -= CLAMP((int64_t)r->ended - first, 0, n);
}

static void emit(CollRun *run, const CollIssue *op)
{
    GoalRecorder *r = (GoalRecorder *)run;
    int waits = 0;
    switch (op->kind) {
    case COLL_SENDRECV:
        add(r, GOAL_RECV, op->in->len, op->from);
        add(r, GOAL_SEND, op->out->len, op->to);
        waits = 2;
        break;
    case COLL_SEND:
    case COLL_ISEND:
        add(r, GOAL_SEND, op->out->len, op->to);
        waits = op->kind == COLL_SEND;
        break;
    case COLL_RECV:
    case COLL_IRECV:
        add(r, GOAL_RECV, op->in->len, op->from);
        waits = op->kind == COLL_RECV;
        break;
    case COLL_REDUCE_OP:
        add(r, GOAL_CALC, op->in->len, 0);
        waits = 1;
        break;
    case COLL_WAIT:
        wait_for(r, r->pending->len - 1 - (guint)op->n, 1);
        break;
    case COLL_WAITALL:
        waits = op->n;
        break;
    case COLL_THROTTLE: // a graph cannot express "whichever ends first", so the oldest must end
        while (r->pending->len - r->ended >= (guint)op->n)
            end(r, r->ended++);
        break;
    case COLL_COPY:
    case COLL_PACK:
    case COLL_UNPACK:
        break;
    case COLL_RAISE:
    case COLL_AWAIT:
        g_assert_not_reached(); // operations in shared memory have a model of their own
    }
    if (waits > 0)
        wait_for(r, r->pending->len - (guint)waits, (guint)waits);
}

// Records the texts of the recorder's ranks.
static Goal *record(GoalRecorder *r, const Operation *o, GError **error)
{
    r->goal = goal_new((uint32_t)r->n);
    r->c = &o->c;
    coll_run_init(&r->run, emit);
    r->run.phase_begins = r->phases ? begin_phase : NULL;
    r->pending = g_array_new(FALSE, FALSE, sizeof(GoalRequest));
    r->done = g_array_new(FALSE, FALSE, sizeof(GoalRequest));
    for (int rank = 0; rank < r->n && r->edges <= MOST_EDGES; rank++) {
        coll_run_reset(&r->run);
        g_array_set_size(r->pending, 0);
        g_array_set_size(r->done, 0);
        r->rank = (uint32_t)rank;
        r->epoch = r->ended = 0;
        const Coll c = coll_make(o->algorithm->collective, &o->c, rank, o->m, &r->run);
        o->algorithm->run(&c);
    }
    coll_run_clear(&r->run);
    g_array_unref(r->pending);
    g_array_unref(r->done);
    if (r->edges > MOST_EDGES) {
        error_too_much(error,
                       "%s on %d ranks: operations require more than %d others; allowed: fewer, with a smaller -p or "
                       "max_requests",
                       o->algorithm->name, o->c.p, MOST_EDGES);
        g_clear_pointer(&r->goal, goal_free);
    }
    return r->goal;
}

Goal *goal_record(const Operation *o, GError **error)
{
    return goal_record_phases(o, NULL, error);
}

void goal_phases_clear(GoalPhases *phases)
{
    phases_clear(&phases->names);
    if (phases->of)
        g_array_unref(phases->of);
}

Goal *goal_record_phases(const Operation *o, GoalPhases *phases, GError **error)
{
    const Goal *graph = goal_entry_graph(o->algorithm);
    if (graph && phases) { // it names none
        phases->of = g_array_new(FALSE, TRUE, sizeof(uint16_t));
        g_array_set_size(phases->of, goal_n_ops(graph));
    }
    if (graph)
        return goal_copy(graph);
    if (!effort_admit(o, error))
        return NULL;
    if (phases)
        phases->of = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    GoalRecorder r = {.n = o->c.p, .phases = phases};
    return record(&r, o, error);
}

Goal *goal_record_few(const Operation *o, int n, CollPeers peers, const Mapping *map, GError **error)
{
    GoalRecorder r = {.n = n, .peers = peers, .map = map};
    return record(&r, o, error);
}

void goal_set_levels(Goal *goal, const Mapping *map)
{
    for (uint32_t op = 0; op < goal_n_ops(goal); op++) {
        const GoalOp *o = goal_op(goal, op);
        if (o->kind != GOAL_CALC && o->peer != GOAL_ANY) // a message has the level of its send
            goal_set_level(goal, op, mapping_level(map, (int)o->host, (int)o->peer));
    }
}

uint64_t goal_longest_calc(const Goal *goal)
{
    uint64_t longest = 0;
    for (uint32_t op = 0; op < goal_n_ops(goal); op++)
        if (goal_op(goal, op)->kind == GOAL_CALC)
            longest = MAX(longest, goal_op(goal, op)->size);
    return longest;
}

gboolean goal_to_ns(Goal *goal, double gamma_ns)
{
    gboolean any_empty = FALSE;
    for (uint32_t op = 0; op < goal_n_ops(goal); op++) {
        const GoalOp *o = goal_op(goal, op);
        if (o->kind == GOAL_CALC) {
            goal_resize(goal, op, (uint64_t)round((double)o->size * gamma_ns));
        } else if (o->size == 0) {
            goal_resize(goal, op, 1);
            any_empty = TRUE;
        }
    }
    return any_empty;
}
