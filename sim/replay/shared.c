// The replay in shared memory. A rank runs until it awaits a flag that has not been raised that far. Ranks may run in
// any order, because a flag keeps the history of its values, with the time of each.
#include "replay/shared.h"
#include "base/error.h"
#include "base/rounding.h"
#include "replay/flags.h"
#include "replay/gears.h"
#include "replay/ledger.h"
#include "replay/path.h"
#include "schedule/part.h"
#include <math.h>
#include <string.h>

typedef struct SharedStamp {
    double t;
    SharedCertificate c;
    uint32_t node; // the chain's last entry in the trace; 0 for none
} SharedStamp;

// A rank.
typedef struct SharedActor {
    SharedStamp now;
    uint32_t pc, round;
    uint64_t operation; // the number of its current operation in the text
} SharedActor;

typedef struct SharedNode {
    uint32_t prev, pc, round;
    int rank; // v
} SharedNode;

typedef struct SharedMachine {
    const Schedule *s;
    SharedCosts costs;
    SharedActor *actors;
    Flags *flags;
    int *runnable, n_runnable;
    GArray *trace;  // of SharedNode; NULL if no path is wanted
    GArray *ledger; // of LedgerStep, one for each entry of the trace behind the first; NULL if no ledger is wanted
} SharedMachine;

const TermKind shared_terms[SHARED_TERMS] = {TERM_WRITE, TERM_READ, TERM_CROWD, TERM_FLAG, TERM_GAMMA};

double shared_time(const SharedCertificate *c, const SharedCosts *k)
{
    return (double)c->n[SHARED_WRITE] * k->write + (double)c->n[SHARED_READ] * k->read +
           (double)c->n[SHARED_CROWD] * k->read / k->lanes + (double)c->n[SHARED_FLAG] * k->flag +
           (double)c->n[SHARED_GAMMA] * k->gamma;
}

// ---- Operations -----------------------------------------------------------------------------------------------------

// Returns what an operation costs.
static SharedCertificate cost_of(const Op *op, const SharedCosts *k)
{
    SharedCertificate c = {{0}};
    int64_t n;
    const SharedTerm term = shared_cost(op, k, &n);
    c.n[term] = n;
    return c;
}

// Adds v's current operation, which is in the trace, to the ledger.
static void ledger_add(SharedMachine *h, int v, const Op *op, double begin, double end)
{
    const bool has_peer = op->kind == OP_READ || op->kind == OP_AWAIT;
    const LedgerStep x = {.kind = op->kind,
                          .op = op->kind,
                          .rank = rank_of(h->s, v),
                          .peer = has_peer ? rank_of(h->s, peer_of(h->s, v, op->from, 0, 0)) : -1,
                          .bytes = op->kind == OP_AWAIT ? 0 : op->in.bytes,
                          .phase = phases_name(&h->s->phases, op->phase),
                          .issued = h->actors[v].now.t,
                          .begin = begin,
                          .end = end,
                          .takes = -1,
                          .left = -1};
    g_array_append_val(h->ledger, x);
}

// Returns the stamp after v's current operation if that begins at `from`, and adds the operation to the trace.
static SharedStamp after(SharedMachine *h, int v, const Op *op, const SharedStamp *from)
{
    SharedStamp to = *from;
    const SharedCertificate c = cost_of(op, &h->costs);
    to.t += shared_time(&c, &h->costs);
    for (int i = 0; i < SHARED_TERMS; i++)
        to.c.n[i] += c.n[i];
    if (h->trace && h->trace->len < MAX_TRACE) {
        const SharedActor *a = &h->actors[v];
        const SharedNode node = {from->node, a->pc, a->round, v};
        to.node = h->trace->len;
        g_array_append_val(h->trace, node);
        if (h->ledger)
            ledger_add(h, v, op, from->t, to.t);
    }
    return to;
}

// Returns true if v goes on. Otherwise v has joined the ranks that wait for the flag.
static bool await_flag(SharedMachine *h, int v, const Op *op, uint64_t n)
{
    SharedActor *a = &h->actors[v];
    const int who = peer_of(h->s, v, op->from, 0, 0);
    const SharedStamp *raised = flags_await(h->flags, v, who, shared_queue(h->s, v, op), n);
    if (!raised)
        return false;
    const double seen = raised->t + h->costs.flag;
    if (seen - a->now.t > SHARED_ROUNDING * seen)
        a->now = after(h, v, op, raised);
    return true;
}

// Runs v until it must wait or its operations end.
static void run_actor(SharedMachine *h, int v)
{
    const Schedule *s = h->s;
    const Class *k = class_of(s, v);
    SharedActor *a = &h->actors[v];
    static const Stride none;
    for (;; a->pc++) {
        const Op *op = &k->ops[a->pc];
        const Stride *d = a->round ? &k->strides[a->pc] : &none;
        const uint64_t n = op->out.bytes + (uint64_t)((int64_t)d->out * a->round);
        switch ((int)op->kind) {
        case OP_WRITE:
        case OP_READ:
        case OP_REDUCE:
            a->now = after(h, v, op, &a->now);
            break;
        case OP_RAISE:
            flags_raise(h->flags, v, shared_queue(s, v, op), n, &a->now, h->runnable, &h->n_runnable);
            break;
        case OP_AWAIT:
            if (!await_flag(h, v, op, n))
                return;
            break;
        case OP_LOOP:
            if (++a->round < op->out.bytes)
                a->pc -= (uint32_t)op->to + 1;
            else
                a->round = 0;
            break;
        case OP_END:
            return;
        default:
            g_assert_not_reached(); // a schedule in shared memory has no messages
        }
        a->operation += op->text;
    }
}

// ---- The result -----------------------------------------------------------------------------------------------------

static SharedStep path_step(const SharedMachine *h, const SharedNode *x)
{
    const Op *op = &class_of(h->s, x->rank)->ops[x->pc];
    const bool has_peer = op->kind == OP_READ || op->kind == OP_AWAIT;
    return (SharedStep){.rank = rank_of(h->s, x->rank),
                        .peer = has_peer ? rank_of(h->s, peer_of(h->s, x->rank, op->from, 0, 0)) : -1,
                        .kind = op->kind,
                        .bytes = op->kind == OP_AWAIT ? 0 : op->in.bytes,
                        .phase = op->phase,
                        .cost = cost_of(op, &h->costs)};
}

static GArray *path_to(const SharedMachine *h, uint32_t last)
{
    guint n = 0;
    for (uint32_t i = last; i; i = g_array_index(h->trace, SharedNode, i).prev)
        n++;
    GArray *path = g_array_sized_new(FALSE, FALSE, sizeof(SharedStep), n);
    g_array_set_size(path, n);
    for (uint32_t i = last; i; i = g_array_index(h->trace, SharedNode, i).prev)
        g_array_index(path, SharedStep, --n) = path_step(h, &g_array_index(h->trace, SharedNode, i));
    return path;
}

// Returns the ledger of a run without stuck ranks, whose path ends with the entry `last`.
static Ledger *ledger_of(SharedMachine *h, uint32_t last)
{
    const int p = h->s->p;
    g_autofree double *ends = g_new(double, p);
    g_autofree LedgerStep **newest = g_new0(LedgerStep *, p); // by rank
    for (guint i = 0; i < h->ledger->len; i++) {
        LedgerStep *x = &g_array_index(h->ledger, LedgerStep, i);
        if (newest[x->rank])
            newest[x->rank]->next = x->issued;
        newest[x->rank] = x;
    }
    for (int rank = 0; rank < p; rank++) {
        ends[rank] = h->actors[v_of_rank(h->s, rank)].now.t;
        if (newest[rank])
            newest[rank]->next = ends[rank];
    }
    GArray *path = g_array_new(FALSE, FALSE, sizeof(LedgerStep));
    for (uint32_t i = last; i; i = g_array_index(h->trace, SharedNode, i).prev)
        g_array_append_val(path, g_array_index(h->ledger, LedgerStep, i - 1));
    ledger_in_order(path);
    return ledger_of_steps(p, g_steal_pointer(&h->ledger), ends, path, NULL, INFINITY);
}

static GArray *stuck_of(const SharedMachine *h)
{
    GArray *stuck = g_array_new(FALSE, FALSE, sizeof(SharedStuck));
    for (int rank = 0; rank < h->s->p; rank++) {
        const int v = v_of_rank(h->s, rank);
        const SharedActor *a = &h->actors[v];
        if (!flags_awaited(h->flags, v))
            continue;
        const Op *op = &class_of(h->s, v)->ops[a->pc];
        const SharedStuck x = {.rank = rank,
                               .who = rank_of(h->s, peer_of(h->s, v, op->from, 0, 0)),
                               .queue = rank_of(h->s, shared_queue(h->s, v, op)),
                               .n = flags_awaited(h->flags, v),
                               .operation = a->operation};
        g_array_append_val(stuck, x);
    }
    return stuck;
}

static SharedReplay *result_of(SharedMachine *h, const ReplayOptions *o)
{
    SharedReplay *r = g_new0(SharedReplay, 1);
    const SharedActor *last = &h->actors[v_of_rank(h->s, 0)];
    if (o->clocks)
        r->clocks = g_new(double, h->s->p);
    for (int rank = 0; rank < h->s->p; rank++) {
        const SharedActor *a = &h->actors[v_of_rank(h->s, rank)];
        if (a->now.t > last->now.t)
            last = a;
        if (o->clocks)
            r->clocks[rank] = a->now.t;
    }
    r->certificate = last->now.c;
    r->clock_s = last->now.t;
    r->time_s = o->start ? last->now.t : shared_time(&r->certificate, &h->costs);
    r->stuck = stuck_of(h);
    if (h->trace && h->trace->len < MAX_TRACE)
        r->path = path_to(h, last->now.node);
    if (r->path && h->ledger && r->stuck->len == 0)
        r->ledger = ledger_of(h, last->now.node);
    return r;
}

// Aborts unless the certificate's value is the last clock, because a difference shows a bug. The two may differ by
// rounding: the clock has one addition for each operation of its chain, and no chain has more operations than all ranks
// together. With starts other than 0 there is no check, because the rank with whose start the chain begins is not
// known.
static void check_end(const Schedule *s, const SharedReplay *r, const SharedCosts *costs, const ReplayOptions *o)
{
    const double value = shared_time(&r->certificate, costs), ranks = s->p;
    int64_t longest = 0;
    for (uint32_t i = 0; i < s->n_classes; i++)
        longest = MAX(longest, class_steps(&s->classes[i], 0, s->classes[i].n_ops));
    if (r->stuck->len == 0 && !o->start && !rounding_explains(value, r->clock_s, 4 * ranks * (double)longest))
        g_error("shared memory ends at %.17g s, but its certificate is worth %.17g s", r->clock_s, value);
}

SharedReplay *shared_replay(const Schedule *s, const SharedCosts *costs, const ReplayOptions *o, GError **error)
{
    SharedMachine h = {.s = s, .costs = *costs, .actors = g_new0(SharedActor, s->p), .runnable = g_new(int, s->p)};
    h.flags = flags_new(s->p, sizeof(SharedStamp));
    if (o->path) {
        h.trace = g_array_new(FALSE, TRUE, sizeof(SharedNode));
        g_array_set_size(h.trace, 1); // entry 0 means none
        h.ledger = o->ledger ? g_array_new(FALSE, FALSE, sizeof(LedgerStep)) : NULL;
    }
    for (int v = 0; o->start && v < s->p; v++)
        h.actors[v].now.t = o->start[rank_of(s, v)];
    for (int v = 0; v < s->p; v++) {
        run_actor(&h, v);
        while (h.n_runnable > 0)
            run_actor(&h, h.runnable[--h.n_runnable]);
    }
    SharedReplay *r = result_of(&h, o);
    check_end(s, r, costs, o);
    if (o->path && !r->path) {
        path_too_long(error);
        g_clear_pointer(&r, shared_replay_free);
    }
    if (h.trace)
        g_array_free(h.trace, TRUE);
    if (h.ledger)
        g_array_free(h.ledger, TRUE);
    flags_free(h.flags);
    g_free(h.actors);
    g_free(h.runnable);
    return r;
}

void shared_replay_free(SharedReplay *r)
{
    if (!r)
        return;
    if (r->path)
        g_array_free(r->path, TRUE);
    g_array_free(r->stuck, TRUE);
    ledger_free(r->ledger);
    g_free(r->clocks);
    g_free(r);
}
