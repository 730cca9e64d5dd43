// A rank has at most one send and one receive open, so its ports serve its messages in program order, and messages
// compete for nothing but what the ranks of a node share. As in the gear chain, ranks run in any order until they wait
// for each other. A message that needs a NIC or a memory joins the line there in order of time, when no rank can run:
// nothing that is still unknown can then come before the earliest of these messages, because every message takes time.
#include "engine/replay/flow_lines.h"
#include "engine/replay/blocked.h"
#include "engine/replay/event_share.h"
#include "engine/replay/transfer.h"

// The kind of event at a rank v: its message joins the line of its first resource, or is the first there and the
// resource is free.
enum { JOINS };

// A message that is under way: its receiver, by name and by place (machine.h), its level, and its resources.
typedef struct UnderWay {
    int32_t peer, d, level;
    Resource *first, *in;
} UnderWay;

typedef struct LinesRun {
    BlockingRun run;
    Machine m; // for what ranks share; it has no ranks of its own
    EventGear e;
    UnderWay *way; // by v: of its message
} LinesRun;

bool flow_lines_apply(const Schedule *s, const Hockney *model)
{
    const Site *site = model->site;
    return !s->graph && has_only(s, OPS_BLOCKING) && model->transfer == TRANSFER_RENDEZVOUS && site &&
           site_contends(site) && !cost_may_be_nothing(model);
}

// ---- Transfers ------------------------------------------------------------------------------------------------------

// The two ends of a message: v, and the place of its receiver (machine.h).
typedef struct Ends {
    int v, d;
} Ends;

static inline ALWAYS_INLINED void finish_ends(LinesRun *x, Ends at, Stamp sent, Stamp received, bool skewed)
{
    BlockingRun *run = &x->run;
    if (finish_half(run, at.v, false, sent, skewed))
        run->runnable[run->n_runnable++] = at.v;
    if (finish_half(run, at.d, true, received, skewed))
        run->runnable[run->n_runnable++] = at.d;
}

// Makes v's transfer to `peer`, which needs no resource, or lets its message join a line when the time has come. Both
// ends show the message.
static inline ALWAYS_INLINED void meet(LinesRun *x, Ends at, bool skewed)
{
    BlockingRun *run = &x->run;
    Blocked *v = &run->ranks[at.v], *d = &run->ranks[at.d];
    const Stamp ours = clock_of(run, at.v, skewed), theirs = clock_of(run, at.d, skewed);
    Resource *first = sharing_first(&x->m, at.v, v->to);
    const int level = level_of(&x->m, at.v, v->to);
    if (first) {
        x->way[at.v] = (UnderWay){v->to, at.d, level, first, sharing_in_side(&x->m, first, at.d)};
        v->to = d->from = UNDER_WAY;
        push_event(&x->m, MAX(ours.t, theirs.t), at.v, JOINS);
        return;
    }
    Stamp sent = stamp_latest(ours, theirs), received = stamp_latest(theirs, ours);
    transfer_agree(&x->m, at.d, d->from, v->out, d->in);
    stamp_pay(&run->model, &sent, level, (uint64_t)v->out);
    stamp_pay(&run->model, &received, level, (uint64_t)v->out);
    finish_ends(x, at, sent, received, skewed);
}

// Makes the transfer of v's message, which has taken its first resource.
static inline ALWAYS_INLINED void pass(LinesRun *x, int v, const UnderWay *way, bool skewed)
{
    BlockingRun *run = &x->run;
    const int32_t name = name_of(&x->m, v, way->peer);
    const uint64_t bytes = (uint64_t)run->ranks[v].out;
    Stamp sent, received;
    transfer_agree(&x->m, way->d, name, (int64_t)bytes, run->ranks[way->d].in);
    if (way->in)
        sharing_check_tie(&x->m, way->in, v, name, x->e.now);
    const SharingPair pair = {.v = v,
                              .d = way->d,
                              .v_to_d = way->peer,
                              .d_to_v = name,
                              .ours = clock_of(run, v, skewed),
                              .theirs = clock_of(run, way->d, skewed)};
    sharing_meet(&x->m, way->first, way->in, &pair, &sent, &received);
    sharing_occupy(&x->m, way->first, v, sent, 0, way->level, bytes);
    if (way->in)
        sharing_occupy(&x->m, way->in, way->d, received, 0, way->level, bytes);
    stamp_pay(&run->model, &sent, way->level, bytes);
    stamp_pay(&run->model, &received, way->level, bytes);
    finish_ends(x, (Ends){v, way->d}, sent, received, skewed);
}

// ---- The gear -------------------------------------------------------------------------------------------------------

// Makes the transfers of v's operation for which the other sides are ready, or lets these messages join their lines.
static inline ALWAYS_INLINED void look(LinesRun *x, int v, bool skewed)
{
    const Machine *m = &x->m;
    const Blocked *r = &x->run.ranks[v];
    if (r->from >= 0) {
        const int source = place_of(m, v, r->from);
        if (x->run.ranks[source].to == name_of(m, v, r->from))
            meet(x, (Ends){source, v}, skewed);
    }
    if (r->to >= 0) {
        const int target = place_of(m, v, r->to);
        if (x->run.ranks[target].from == name_of(m, v, r->to))
            meet(x, (Ends){v, target}, skewed);
    }
}

// Runs ranks until all wait.
static inline ALWAYS_INLINED void run_ahead(LinesRun *x, bool skewed)
{
    BlockingRun *run = &x->run;
    while (run->n_runnable > 0) {
        const int v = run->runnable[--run->n_runnable];
        if (advance(run, v, x->m.mirror))
            look(x, v, skewed);
    }
}

// Lets those begin that are first in line for a free resource, in the order of their keys.
static inline ALWAYS_INLINED void serve(LinesRun *x, bool skewed)
{
    EventGear *e = &x->e;
    for (int v; sharing_take_ready(e, &v);) {
        Resource *first = x->way[v].first;
        if (!sharing_take(&x->m, first, v, JOINS))
            continue;
        pass(x, v, &x->way[v], skewed);
        const int next = first->head;
        if (next >= 0 && first->free.t <= e->now)
            sharing_ready(e, next);
        else if (next >= 0)
            push_event(&x->m, first->free.t, next, JOINS);
    }
}

static inline ALWAYS_INLINED void run_all(LinesRun *x, bool skewed)
{
    EventGear *e = &x->e;
    for (int v = 0; v < x->run.n; v++) {
        x->run.runnable[x->run.n_runnable++] = v;
        run_ahead(x, skewed);
    }
    do {
        for (uint64_t key; event_queue_take(&e->queue, &key);)
            sharing_ready(e, v_of_key(&x->m, key));
        serve(x, skewed);
        run_ahead(x, skewed);
    } while (!x->m.tie && (event_queue_is_due(&e->queue) || event_queue_advance(&e->queue, &e->now)));
}

Replay *flow_lines_replay(const GearInput *in)
{
    LinesRun x = {.m = {.s = in->s, .model = in->model, .n = in->ranks, .mirror = in->ranks < in->s->p}};
    x.m.event = &x.e;
    blocked_begin(&x.run, in, in->ranks, false);
    x.way = g_new(UnderWay, in->ranks);
    sharing_begin(&x.m);
    if (in->from)
        run_all(&x, true);
    else
        run_all(&x, false);
    Replay *r = x.m.tie ? NULL : blocked_result(&x.run, in);
    sharing_end(&x.e);
    event_queue_clear(&x.e.queue);
    g_free(x.way);
    blocked_end(&x.run);
    return r;
}
