// Time goes from one moment at which something can happen to the next. At each moment, everything that takes no time
// happens until nothing changes any more. Every question, such as whether a port is free, is answered by looking at all
// requests, so no state can get out of step.
#include "reference_sim.h"
#include "api/backend.h"
#include "api/make.h"

typedef struct ReferenceLine {
    CollOpKind kind;
    int to, from, n;
    int64_t out, in;
} ReferenceLine;

struct ReferenceProgram {
    int p;
    GArray **lines; // of each rank
};

typedef struct Listener {
    CollRun run;
    GArray *lines;
} Listener;

static void listen(CollRun *run, const CollIssue *op)
{
    if (op->kind == COLL_COPY || op->kind == COLL_PACK || op->kind == COLL_UNPACK)
        return;
    const ReferenceLine line = {op->kind, op->to, op->from, op->n, (int64_t)op->out->len, (int64_t)op->in->len};
    g_array_append_val(((Listener *)run)->lines, line);
}

ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off)
{
    ReferenceProgram *x = g_new0(ReferenceProgram, 1);
    x->p = c->p;
    x->lines = g_new(GArray *, c->p);
    Listener l;
    coll_run_init(&l.run, listen);
    for (int rank = 0; rank < c->p; rank++) {
        l.lines = x->lines[rank] = g_array_new(FALSE, FALSE, sizeof(ReferenceLine));
        coll_run_reset(&l.run);
        const Coll view = coll_make(collective, c, rank, m, &l.run);
        a->run(&view);
        if (cut_off && l.lines->len > cut_off)
            g_array_set_size(l.lines, (guint)cut_off);
    }
    coll_run_clear(&l.run);
    return x;
}

void reference_free(ReferenceProgram *x)
{
    for (int rank = 0; rank < x->p; rank++)
        g_array_free(x->lines[rank], TRUE);
    g_free(x->lines);
    g_free(x);
}

// ---- State ----------------------------------------------------------------------------------------------------------

typedef struct ReferenceRequest {
    bool is_send, waited;
    int owner, peer, operation;
    int number; // the k-th request of this owner, kind and peer, from 0
    int64_t bytes;
    enum { WAITING, MOVING, DONE } state;
    int64_t end;     // when the transfer ends; set once it is moving
    int64_t arrival; // when an eager message arrives; INT64_MAX until it has been sent
} ReferenceRequest;

typedef struct ReferenceActor {
    const GArray *lines;
    guint pc;
    bool begun;          // the operation at pc has posted its requests
    int64_t busy;        // the rank does nothing before this time
    int64_t end;         // -1 until the rank ends
    GPtrArray *requests; // in the order of issue
} ReferenceActor;

typedef struct World {
    const ReferenceModel *model;
    int p;
    int64_t now;
    ReferenceActor *actors;
    int64_t *in_free; // of each rank, when its in-port is free; used under eager-port only
} World;

static int64_t cost(const World *w, int64_t bytes)
{
    return w->model->alpha + bytes * w->model->beta;
}

static void issue(World *w, int rank, bool is_send, int peer, int64_t bytes)
{
    ReferenceActor *a = &w->actors[rank];
    ReferenceRequest *r = g_new0(ReferenceRequest, 1);
    *r = (ReferenceRequest){.is_send = is_send, .owner = rank, .peer = peer, .bytes = bytes, .operation = (int)a->pc};
    for (guint i = 0; i < a->requests->len; i++) {
        const ReferenceRequest *before = a->requests->pdata[i];
        r->number += before->is_send == is_send && before->peer == peer;
    }
    r->arrival = INT64_MAX;
    g_ptr_array_add(a->requests, r);
}

// Returns the request at the other end, or NULL if it is not posted yet. The k-th send to a rank meets the k-th receive
// that this rank posts from the sender.
static ReferenceRequest *partner(const World *w, const ReferenceRequest *r)
{
    const GPtrArray *all = w->actors[r->peer].requests;
    for (guint i = 0; i < all->len; i++) {
        ReferenceRequest *x = all->pdata[i];
        if (x->is_send != r->is_send && x->peer == r->owner && x->number == r->number) {
            g_assert(x->bytes == r->bytes);
            return x;
        }
    }
    return NULL;
}

// Returns the send that the rank could start next, or NULL if it has none. Sends do not overtake each other, so this is
// the oldest send that has not completed, and there is none while that send is moving.
static ReferenceRequest *next_send(const World *w, int rank)
{
    const GPtrArray *all = w->actors[rank].requests;
    for (guint i = 0; i < all->len; i++) {
        ReferenceRequest *r = all->pdata[i];
        if (r->is_send && r->state != DONE)
            return r->state == WAITING ? r : NULL;
    }
    return NULL;
}

static bool receives_now(const World *w, int rank)
{
    const GPtrArray *all = w->actors[rank].requests;
    for (guint i = 0; i < all->len; i++) {
        const ReferenceRequest *r = all->pdata[i];
        if (!r->is_send && r->state == MOVING)
            return true;
    }
    return false;
}

// ---- A rank's text --------------------------------------------------------------------------------------------------

// Returns one of the requests not yet waited for: the newest if `back` is 0, the next older one if it is 1, and so on.
static ReferenceRequest *newest(const ReferenceActor *a, int back)
{
    for (guint i = a->requests->len; i-- > 0;) {
        ReferenceRequest *r = a->requests->pdata[i];
        if (!r->waited && back-- == 0)
            return r;
    }
    g_assert_not_reached();
}

static int pending(const ReferenceActor *a)
{
    int n = 0;
    for (guint i = 0; i < a->requests->len; i++) {
        const ReferenceRequest *r = a->requests->pdata[i];
        n += !r->waited && r->state != DONE;
    }
    return n;
}

// Waits for n requests, beginning with newest(a, first). Returns false if one of them is not done; then none counts as
// waited for.
static bool wait_for(const ReferenceActor *a, int first, int n)
{
    for (int i = 0; i < n; i++)
        if (newest(a, first + i)->state != DONE)
            return false;
    for (int i = 0; i < n; i++)
        newest(a, first)->waited = true;
    return true;
}

// Posts the requests of an operation, or begins its reduction.
static void begin(World *w, int rank, const ReferenceLine *line)
{
    switch (line->kind) {
    case COLL_RECV:
    case COLL_IRECV:
        issue(w, rank, false, line->from, line->in);
        break;
    case COLL_SENDRECV:
        issue(w, rank, false, line->from, line->in);
        // fall through
    case COLL_SEND:
    case COLL_ISEND:
        issue(w, rank, true, line->to, line->out);
        break;
    case COLL_REDUCE_OP:
        w->actors[rank].busy = w->now + line->in * w->model->gamma;
        break;
    default:
        break;
    }
}

// Returns true if the operation, which has begun, is over; its requests then count as waited for.
static bool over(const ReferenceActor *a, const ReferenceLine *line)
{
    switch (line->kind) {
    case COLL_SEND:
    case COLL_RECV:
        return wait_for(a, 0, 1);
    case COLL_SENDRECV:
        return wait_for(a, 0, 2);
    case COLL_WAIT:
        return wait_for(a, line->n, 1);
    case COLL_WAITALL:
        return wait_for(a, 0, line->n);
    case COLL_THROTTLE:
        return pending(a) < line->n;
    default:
        return true;
    }
}

// Lets the rank do one thing: begin its operation, finish it, or end. Returns false if it can do nothing now.
static bool step(World *w, int rank)
{
    ReferenceActor *a = &w->actors[rank];
    if (a->end >= 0 || a->busy > w->now)
        return false;
    if (a->pc == a->lines->len) {
        a->end = w->now;
        return true;
    }
    const ReferenceLine *line = &g_array_index(a->lines, ReferenceLine, a->pc);
    if (!a->begun) {
        begin(w, rank, line);
        a->begun = true;
        return true;
    }
    if (!over(a, line))
        return false;
    a->pc++;
    a->begun = false;
    return true;
}

static bool step_all(World *w)
{
    bool changed = false;
    for (int rank = 0; rank < w->p; rank++)
        while (step(w, rank))
            changed = true;
    return changed;
}

// Completes the transfers that end now, and under eager sends the receives whose message has arrived. Returns true if
// there were any.
static bool complete(World *w)
{
    bool changed = false;
    for (int rank = 0; rank < w->p; rank++)
        for (guint i = 0; i < w->actors[rank].requests->len; i++) {
            ReferenceRequest *r = w->actors[rank].requests->pdata[i];
            const bool eager = w->model->transfer != TRANSFER_RENDEZVOUS;
            const ReferenceRequest *x = r->state == WAITING && !r->is_send && eager ? partner(w, r) : NULL;
            if ((r->state == MOVING && r->end <= w->now) || (x && x->arrival <= w->now)) {
                r->state = DONE;
                changed = true;
            }
        }
    return changed;
}

// ---- Rendezvous -----------------------------------------------------------------------------------------------------

// Returns the receive that the rank's next send could be transferred to now, or NULL if the receive is not posted or
// its in-port is busy.
static ReferenceRequest *eligible(const World *w, int rank)
{
    const ReferenceRequest *send = next_send(w, rank);
    ReferenceRequest *recv = send ? partner(w, send) : NULL;
    return recv && !receives_now(w, recv->owner) ? recv : NULL;
}

static void start(World *w, ReferenceRequest *recv)
{
    ReferenceRequest *send = partner(w, recv);
    recv->state = send->state = MOVING;
    recv->end = send->end = w->now + cost(w, recv->bytes);
}

// First everything that takes no time, then each free in-port starts, of the transfers that could go to it, the one
// whose receive comes first in its rank's text.
static void rendezvous_moment(World *w)
{
    bool changed;
    do {
        changed = complete(w);
        changed |= step_all(w);
        for (int rank = 0; rank < w->p; rank++) {
            ReferenceRequest *recv = eligible(w, rank);
            if (recv && cost(w, recv->bytes) == 0) {
                start(w, recv);
                complete(w);
                changed = true;
            }
        }
    } while (changed);
    for (int receiver = 0; receiver < w->p; receiver++) {
        ReferenceRequest *first = NULL;
        for (int rank = 0; rank < w->p; rank++) {
            ReferenceRequest *recv = eligible(w, rank);
            if (recv && recv->owner == receiver && (!first || recv->operation < first->operation))
                first = recv;
        }
        if (first)
            start(w, first);
    }
}

// ---- Eager ----------------------------------------------------------------------------------------------------------

// Starts one send: of all sends that can start now, the one of the lowest rank. Returns false if none can.
static bool leave(World *w)
{
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceRequest *send = next_send(w, rank);
        if (!send)
            continue;
        const int64_t u = cost(w, send->bytes);
        send->state = MOVING;
        send->end = send->arrival = w->now + u;
        if (w->model->transfer == TRANSFER_EAGER_PORT)
            send->arrival = w->in_free[send->peer] = MAX(w->now, w->in_free[send->peer]) + u;
        return true;
    }
    return false;
}

static void eager_moment(World *w)
{
    do {
        bool changed;
        do {
            changed = complete(w);
            changed |= step_all(w);
        } while (changed);
    } while (leave(w));
}

// ---- The run --------------------------------------------------------------------------------------------------------

// Returns the next moment at which something is known to happen, or INT64_MAX if there is none.
static int64_t next_moment(const World *w)
{
    int64_t next = INT64_MAX;
    for (int rank = 0; rank < w->p; rank++) {
        const ReferenceActor *a = &w->actors[rank];
        if (a->busy > w->now)
            next = MIN(next, a->busy);
        for (guint i = 0; i < a->requests->len; i++) {
            const ReferenceRequest *r = a->requests->pdata[i];
            if (r->state == MOVING && r->end > w->now)
                next = MIN(next, r->end);
            if (r->arrival > w->now)
                next = MIN(next, r->arrival);
        }
    }
    return next;
}

int64_t reference_run(const ReferenceProgram *x, const ReferenceModel *model, const int64_t *begins, int64_t *ends)
{
    World w = {.model = model, .p = x->p, .actors = g_new0(ReferenceActor, x->p), .in_free = g_new0(int64_t, x->p)};
    for (int rank = 0; rank < x->p; rank++)
        w.actors[rank] = (ReferenceActor){.lines = x->lines[rank],
                                          .busy = begins ? begins[rank] : 0,
                                          .end = -1,
                                          .requests = g_ptr_array_new_with_free_func(g_free)};
    for (; w.now < INT64_MAX; w.now = next_moment(&w)) {
        if (model->transfer == TRANSFER_RENDEZVOUS)
            rendezvous_moment(&w);
        else
            eager_moment(&w);
    }
    int64_t last = 0;
    for (int rank = 0; rank < x->p; rank++) {
        ends[rank] = w.actors[rank].end;
        last = ends[rank] < 0 || last < 0 ? -1 : MAX(last, ends[rank]);
        g_ptr_array_free(w.actors[rank].requests, TRUE);
    }
    g_free(w.actors);
    g_free(w.in_free);
    return last;
}
