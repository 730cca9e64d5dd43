// In one exchange every rank v sends a message, which is ready when both of its ends are. If it leaves the node, it
// stands in the line of its sender's NIC in the order of these times. If no message of the exchange is ready before the
// last message of the exchange before it, at each NIC, one exchange after the other can be done for all ranks. All
// messages of an out-side must go to one in-side, and no others may: then each such pair of sides serves its messages
// in the order of its line.
//
// As in lockstep.c, clocks do not know their certificates. All clocks are kept at checkpoints, and the critical path is
// walked backwards from the end. Each stretch between two checkpoints runs again for that, and notes for every message
// what it waited for; if everything fits into one stretch, the first run notes it.
#include "engine/replay/queues.h"
#include "engine/replay/queues_step.h"
#include "engine/schedule/part.h"
#include "api/integers.h"
#include <string.h>

enum { NOTED = 1 << 22 }; // messages of a stretch
#define MOST_MESSAGES ((int64_t)1 << 30)

// ---- Whether it applies ---------------------------------------------------------------------------------------------

bool queues_apply(const Schedule *s, const Hockney *model, int ranks)
{
    const Site *site = model->site;
    if (s->graph || s->peers == PEERS_ABSOLUTE || (s->peers == PEERS_XOR && !is_pow2(s->p)) ||
        !has_only(s, OPS_IN_STEP) || s->p < 2 || s->n_groups > 1 || !site || site->n_levels > LOCKSTEP_LEVELS ||
        site->memory || model->transfer != TRANSFER_RENDEZVOUS || cost_may_be_nothing(model))
        return false;
    const int turn = schedule_turn(s);
    const int64_t steps = class_steps(class_of(s, 0), 0, class_of(s, 0)->n_ops - 1);
    if (turn > ranks || ranks % turn != 0 || steps * ranks > MOST_MESSAGES)
        return false;
    bool same = true;
    for (int v = 1; v < turn; v++)
        same = same && class_steps(class_of(s, v), 0, class_of(s, v)->n_ops - 1) == steps;
    return same;
}

// ---- The path -------------------------------------------------------------------------------------------------------

// Where the path is: a rank after a step, or one end of the message that v sends in a step, when it begins.
typedef struct QueuesPlace {
    int64_t step;
    int v;
    enum { AT_RANK, AT_SENDER, AT_RECEIVER } at;
    int64_t *count; // by term: what the path has paid from here on
} QueuesPlace;

// Returns what v's class does in a step.
static inline LockstepStep step_at(const Queues *x, int64_t step, int v)
{
    const int c = x->turn == 1 ? 0 : v % x->turn;
    return lockstep_step_at(x->s, x->k[c], x->cursor[(step - x->first) * x->turn + c]);
}

// Walks from one end of a message, when it begins, to what it waited for.
static void walk_begin(const Queues *x, QueuesPlace *w, const LockstepStep *o, bool receives)
{
    const size_t at = note_at(x, w->step, w->v);
    const int what = x->note[at] >> (receives ? RECEIVER : 0) & 3;
    if (what == OWN || what == OTHER) {
        if ((what == OWN) == receives)
            w->v = place_of_peer(x, w->v, o->to);
        w->at = AT_RANK;
        w->step--;
        return;
    }
    const Sent user = what == LINE_OUT ? x->before[at].out : x->before[at].in;
    w->step = user.step;
    w->v = user.v;
    w->at = what == LINE_OUT ? AT_SENDER : AT_RECEIVER;
}

// Walks back over the step at which the path is.
static void walk_step(const Queues *x, QueuesPlace *w)
{
    LockstepStep o = step_at(x, w->step, w->v);
    if (w->at != AT_RANK) {
        count_nic(x->model.site, w->count, out_bytes(x->s, &o, w->v));
        walk_begin(x, w, &o, w->at == AT_RECEIVER);
        return;
    }
    if (op_works(o.kind)) {
        count_work(x->model.site, w->count, in_bytes(x->s, &o, w->v));
        w->step--;
        return;
    }
    const bool receives = x->note[note_at(x, w->step, w->v)] & RECEIVED;
    if (receives) {
        w->v = place_of_peer(x, w->v, o.from);
        o = step_at(x, w->step, w->v);
    }
    const int level = site_level(x->model.site, w->v, peer_of(x->s, w->v, o.to, 0, 0));
    count_message(w->count, level, out_bytes(x->s, &o, w->v));
    walk_begin(x, w, &o, receives);
}

// ---- Checkpoints ----------------------------------------------------------------------------------------------------

// The state before a step.
typedef struct QueuesState {
    double *now;
    NicSide *out, *in;
    Cursor *at;
} QueuesState;

static QueuesState state_of(const Queues *x)
{
    const unsigned nics = x->e.share ? x->e.share->nics : 0;
    return (QueuesState){.now = g_memdup2(x->now, (size_t)x->n * sizeof *x->now),
                         .out = g_memdup2(x->out, nics * sizeof *x->out),
                         .in = g_memdup2(x->in, nics * sizeof *x->in),
                         .at = g_memdup2(x->at, (size_t)x->turn * sizeof *x->at)};
}

static void go_back(Queues *x, const QueuesState *to)
{
    const unsigned nics = x->e.share ? x->e.share->nics : 0;
    for (int i = 0; i < x->n; i++)
        x->now[i] = to->now[i];
    for (int i = 0; i < x->turn; i++)
        x->at[i] = to->at[i];
    for (unsigned i = 0; i < nics; i++) {
        x->out[i] = to->out[i];
        x->in[i] = to->in[i];
    }
    x->any = false;
}

static void state_clear(QueuesState *x)
{
    g_free(x->now);
    g_free(x->out);
    g_free(x->in);
    g_free(x->at);
}

static int64_t stretch_steps(const Queues *x)
{
    return CLAMP(NOTED / x->n, 1, x->steps);
}

// Does the steps first .. end-1. If they are noted, the notes begin with the first.
static bool run_steps(Queues *x, int64_t first, int64_t end)
{
    bool good = true;
    x->first = first;
    for (int64_t i = first; i < end && good; i++) {
        if (x->note)
            memcpy(x->cursor + (i - first) * x->turn, x->at, (size_t)x->turn * sizeof *x->at);
        good = queues_step(x, i);
    }
    return good;
}

// Returns what the chain of v's clock at the end has paid, and adds it to count[], by term. Afterwards *v is the rank
// with whose start the chain begins. The last stretch has been noted.
static ClockTally walk(Queues *x, const QueuesState *state, int *v, int64_t *count)
{
    QueuesPlace w = {.step = x->steps - 1, .v = *v, .count = count};
    const int64_t length = stretch_steps(x);
    while (w.step >= 0) {
        const int64_t first = w.step / length * length;
        if (x->first != first) {
            go_back(x, &state[first / length]);
            run_steps(x, first, MIN(first + length, x->steps));
        }
        while (w.step >= first)
            walk_step(x, &w);
    }
    *v = w.v;
    return site_tally(x->model.site, count);
}

// ---- The gear -------------------------------------------------------------------------------------------------------

static NicSide *sides_new(unsigned n)
{
    NicSide *x = g_new(NicSide, n);
    for (unsigned i = 0; i < n; i++)
        x[i] = (NicSide){.free = -1, .latest = -1, .last = {-1, -1}, .other = -1};
    return x;
}

static void begin(Queues *x, const GearInput *in)
{
    const int n = in->ranks;
    const Class *k = class_of(in->s, 0);
    *x = (Queues){.s = in->s, .model = in->model, .n = n, .turn = schedule_turn(in->s), .mirror = n < in->s->p};
    x->steps = class_steps(k, 0, k->n_ops - 1);
    x->k = g_new(const Class *, x->turn);
    for (int c = 0; c < x->turn; c++)
        x->k[c] = class_of(in->s, c);
    x->m = (Machine){.s = in->s, .model = in->model, .n = n, .mirror = x->mirror, .event = &x->e};
    if (site_contends(in->model.site))
        sharing_begin(&x->m);
    x->at = g_new0(Cursor, x->turn);
    x->now_in = g_new0(LockstepStep, x->turn);
    x->then = g_new0(LockstepStep, x->turn);
    x->times = g_new(QueuesTimes, x->turn);
    x->now = g_new0(double, n);
    x->end = g_new(double, n);
    x->ready = g_new(double, n);
    x->d = g_new(int, n);
    x->source = g_new(int, n);
    x->level = g_new(uint8_t, n);
    x->time = g_new(double, n);
    x->busy = g_new(double, n);
    x->line = g_new(int, n);
    for (int v = 0; v < n; v++)
        x->line[v] = v;
    for (int v = 0; in->from && v < n; v++)
        x->now[v] = in->from[rank_of(in->s, v)].t;
    x->out = sides_new(x->e.share ? x->e.share->nics : 0);
    x->in = sides_new(x->e.share ? x->e.share->nics : 0);
}

static void end(Queues *x)
{
    sharing_end(&x->e);
    g_free(x->k);
    g_free(x->at);
    g_free(x->now_in);
    g_free(x->then);
    g_free(x->times);
    g_free(x->now);
    g_free(x->end);
    g_free(x->ready);
    g_free(x->d);
    g_free(x->source);
    g_free(x->level);
    g_free(x->time);
    g_free(x->busy);
    g_free(x->line);
    g_free(x->out);
    g_free(x->in);
    g_free(x->note);
    g_free(x->before);
    g_free(x->cursor);
}

// Returns t, the clock of v at the end, as a stamp.
static Stamp stamp_of(Queues *x, const GearInput *in, const QueuesState *state, double t, int v, int64_t *count)
{
    const ClockTally n = walk(x, state, &v, count);
    const int rank = rank_of(x->s, v);
    const Stamp from = in->from ? in->from[rank] : (Stamp){.node = (uint32_t)rank};
    return (Stamp){.t = t, .n = tally_sum(n, from.n), .node = from.node};
}

static Replay *finish(Queues *x, const GearInput *in, const QueuesState *state)
{
    const int p = x->s->p;
    g_autofree double *now = g_memdup2(x->now, (size_t)x->n * sizeof *x->now);
    int last = 0; // the lowest of the ranks that end last
    for (int rank = 1; rank < p; rank++)
        if (now[v_of_rank(x->s, rank) % x->n] > now[v_of_rank(x->s, last) % x->n])
            last = rank;
    Replay *r = replay_new(p, in->clocks);
    for (int rank = 0; rank < p; rank++) {
        const int v = v_of_rank(x->s, rank) % x->n;
        const bool paid = rank == last || (in->clocks && !in->times); // whether anybody needs what its chain has paid
        g_autofree int64_t *count = paid ? g_new0(int64_t, x->model.site->n_terms) : NULL;
        replay_end_rank(r, rank,
                        paid ? stamp_of(x, in, state, now[v], v, count) : (Stamp){.t = now[v], .node = (uint32_t)rank});
        if (rank == last && !in->from) // chains of the part before have paid something else
            r->count = g_steal_pointer(&count);
    }
    r->simulated = x->n;
    return r;
}

size_t queues_bytes(const Schedule *s, int ranks)
{
    const size_t n = (size_t)ranks, steps = (size_t)class_steps(class_of(s, 0), 0, class_of(s, 0)->n_ops - 1),
                 noted = MIN(n * steps, MAX((size_t)NOTED, n)), checkpoints = n * steps / noted + 1;
    return noted * (1 + sizeof(Before) + sizeof(Cursor)) +
           (checkpoints + 8) * n * (3 * sizeof(NicSide) + sizeof(double));
}

Replay *queues_replay(const GearInput *in)
{
    Queues x;
    begin(&x, in);
    const int64_t length = stretch_steps(&x), n = (x.steps + length - 1) / length;
    QueuesState *state = g_new0(QueuesState, n);
    bool good = true;
    for (int64_t i = 0; i < n && good; i++) {
        state[i] = state_of(&x);
        if (i == n - 1) {
            x.note = g_new(uint8_t, length * x.n);
            x.before = g_new(Before, length * x.n);
            x.cursor = g_new(Cursor, length * x.turn);
        }
        good = run_steps(&x, i * length, MIN((i + 1) * length, x.steps));
    }
    Replay *r = good ? finish(&x, in, state) : NULL;
    for (int64_t i = 0; i < n; i++)
        state_clear(&state[i]);
    g_free(state);
    end(&x);
    return r;
}
