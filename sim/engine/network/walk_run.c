#include "engine/network/walk_run.h"
#include "base/error.h"
#include "engine/network/walk_requests.h"
#include "engine/replay/shared_costs.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 1 << 30 };

// ---- Ranks ----------------------------------------------------------------------------------------------------------

// Ends a wait: takes the requests that the rank waited for off its list.
static void collect(RoundWalker *w, WalkRank *r)
{
    int32_t *at = &r->newest;
    int n = r->wait;
    if (n < 0) {
        for (int k = -n - 1; k > 0; k--)
            at = &req(w, *at)->older;
        n = 1;
    }
    r->wait = 0;
    for (int k = 0; k < n; k++) {
        const int32_t i = *at;
        *at = req(w, i)->older;
        walk_drop_req(w, i);
    }
}

// Begins a wait for the n newest requests (n > 0), or for the one -n-1 places older than the newest (n < 0). Returns
// true if all are done, and ends the wait at once.
static bool wait_for(RoundWalker *w, WalkRank *r, int n)
{
    int32_t i = r->newest;
    int missing = 0;
    for (int k = n < 0 ? -n - 1 : 0; k > 0; k--)
        i = req(w, i)->older;
    for (int k = n < 0 ? 1 : n; k > 0; k--, i = req(w, i)->older)
        if (!req(w, i)->done) {
            req(w, i)->awaited = true;
            missing++;
        }
    r->wait = n;
    r->missing = missing;
    if (missing == 0)
        collect(w, r);
    return missing == 0;
}

// Returns how v names the peer of an operation.
static int peer_in(const RoundWalker *w, int v, const Op *op, int32_t relative, int32_t stride, uint32_t round)
{
    if (w->mirror)
        return peer_of(w->s, 0, relative, stride, round);
    return op->group ? op_peer(w->s, v, op, relative, stride, round) : peer_of(w->s, v, relative, stride, round);
}

// Does an operation in shared memory, which takes no time. Returns false if the rank must wait.
static bool share(RoundWalker *w, int v, const Op *op, uint64_t n)
{
    const Stamp now = {0};
    if (op->kind == OP_RAISE)
        flags_raise(w->flags, v, shared_queue(w->s, v, op), n, &now, w->runnable, &w->n_runnable);
    return op->kind != OP_AWAIT ||
           flags_await(w->flags, v, peer_of(w->s, v, op->from, 0, 0), shared_queue(w->s, v, op), n) != NULL;
}

// Does one operation of v. Returns false if the rank must wait; the wait is for what comes before the rank's pc.
static bool step(RoundWalker *w, int v, const Op *op, const Stride *d)
{
    const Schedule *s = w->s;
    WalkRank *r = &w->ranks[v];
    const uint32_t round = r->round;
    const bool sends = op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV,
               receives = op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV;
    if (receives)
        walk_post(w, v, peer_in(w, v, op, op->from, d->from, round), length_of(s, v, op->in_cut, op->in, d->in, round));
    if (sends)
        walk_send(w, v, peer_in(w, v, op, op->to, d->to, round), length_of(s, v, op->out_cut, op->out, d->out, round));
    switch ((int)op->kind) {
    case OP_THROTTLE:
        if (r->pending < op->to)
            break;
        r->wait = WALK_THROTTLED;
        return false;
    case OP_RAISE:
    case OP_AWAIT:
        if (!share(w, v, op, op->out.bytes + (uint64_t)((int64_t)d->out * round)))
            return false;
        break;
    case OP_LOOP:
        if (++r->round < op->out.bytes) {
            r->pc -= (uint32_t)op->to;
            return true;
        }
        r->round = 0;
        break;
    default:
        break;
    }
    r->pc++;
    switch ((int)op->kind) {
    case OP_SEND:
    case OP_RECV:
        return wait_for(w, r, 1);
    case OP_SENDRECV:
        return wait_for(w, r, 2);
    case OP_WAIT:
        return wait_for(w, r, -op->to - 1);
    case OP_WAITALL:
        return op->to == 0 || wait_for(w, r, op->to);
    default:
        return true;
    }
}

static void go_on(RoundWalker *w, int v)
{
    static const Stride none;
    WalkRank *r = &w->ranks[v];
    const Class *k = class_of(w->s, v);
    if (r->wait)
        collect(w, r);
    while (k->ops[r->pc].kind != OP_END && step(w, v, &k->ops[r->pc], k->loops ? &k->strides[r->pc] : &none))
        ;
}

// ---- One unit of time -----------------------------------------------------------------------------------------------

// Begins v's first send, which then moves for a unit.
static void begin(RoundWalker *w, int v)
{
    WalkRank *r = &w->ranks[v];
    const int32_t i = r->first_send;
    WalkReq *x = req(w, i);
    const WalkMessage message = {v, w->mirror ? peer_of(w->s, v, x->peer, 0, 0) : x->peer, (uint64_t)x->bytes};
    g_array_append_val(w->message, message);
    g_array_append_val(w->moving, i);
    r->first_send = x->next;
}

// Under rendezvous, each receiver takes one of the messages that are offered to it.
static void begin_offers(RoundWalker *w)
{
    int left = 0;
    for (int k = 0; k < w->n_busy; k++) {
        const int d = w->busy[k];
        WalkRank *r = &w->ranks[d];
        const int32_t i = r->offers, match = req(w, i)->match;
        r->offers = walk_without_first(w, i);
        channels_take(w->channels, d, req(w, match)->peer);
        begin(w, req(w, i)->owner);
        r->listed = r->offers >= 0;
        if (r->listed)
            w->busy[left++] = d;
    }
    w->n_busy = left;
}

static int by_rank(const void *a, const void *b, void *data)
{
    const Schedule *s = data;
    return rank_of(s, *(const int *)a) - rank_of(s, *(const int *)b);
}

// Puts a message at its receiver's port, behind those that began before it: as an entry of its own, because the sender's
// request may end before.
static void reach_port(RoundWalker *w, int v, int32_t sent)
{
    const WalkReq x = {.owner = v, .peer = req(w, sent)->peer, .bytes = req(w, sent)->bytes, .queue = -1};
    const int d = walk_place_of(w, v, x.peer);
    WalkRank *r = &w->ranks[d];
    const int32_t i = walk_new_req(w, x);
    if (r->offers < 0)
        r->offers = i;
    else
        req(w, r->last_offer)->queue = i;
    r->last_offer = i;
    if (!w->in_port[d])
        w->port[w->n_port++] = d;
    w->in_port[d] = true;
}

// Under eager, each sender begins a message.
static void begin_sends(RoundWalker *w)
{
    int left = 0;
    if (w->transfer == TRANSFER_EAGER_PORT)
        g_qsort_with_data(w->busy, w->n_busy, sizeof *w->busy, by_rank, (gpointer)w->s);
    for (int k = 0; k < w->n_busy; k++) {
        const int v = w->busy[k];
        WalkRank *r = &w->ranks[v];
        const int32_t i = r->first_send;
        begin(w, v);
        if (w->transfer == TRANSFER_EAGER_PORT)
            reach_port(w, v, i);
        r->listed = r->first_send >= 0;
        if (r->listed)
            w->busy[left++] = v;
    }
    w->n_busy = left;
}

// A message comes to its receiver: an entry of its own, because its sender may go on before the receive is posted.
static void arrive(RoundWalker *w, int from, int peer, int64_t bytes)
{
    const int d = walk_place_of(w, from, peer), name = walk_name_of(w, from, peer);
    const int32_t posted = channels_first(w->channels, d, name);
    if (posted >= 0 && req(w, posted)->receives) {
        channels_take(w->channels, d, name);
        walk_complete(w, posted);
        return;
    }
    channels_add(w->channels, d, name, walk_new_req(w, (WalkReq){.bytes = bytes, .owner = d, .peer = name}));
}

// Under eager-port, each receiver's port takes the first message that is there, which comes a unit later.
static void take_from_ports(RoundWalker *w, GArray *came)
{
    int left = 0;
    for (int k = 0; k < w->n_port; k++) {
        const int d = w->port[k];
        WalkRank *r = &w->ranks[d];
        const int32_t i = r->offers;
        const WalkMessage x = {req(w, i)->owner, req(w, i)->peer, (uint64_t)req(w, i)->bytes};
        g_array_append_val(came, x);
        r->offers = req(w, i)->queue;
        w->in_port[d] = r->offers >= 0;
        if (w->in_port[d])
            w->port[left++] = d;
        walk_drop_req(w, i);
    }
    w->n_port = left;
}

// Ends what moved in this unit.
static void end_unit(RoundWalker *w, const GArray *came)
{
    for (guint k = 0; k < w->moving->len; k++) {
        const int32_t i = g_array_index(w->moving, int32_t, k), match = req(w, i)->match;
        const int v = req(w, i)->owner;
        walk_complete(w, i);
        if (w->transfer == TRANSFER_RENDEZVOUS) {
            walk_complete(w, match);
            walk_offer(w, v);
        } else if (w->transfer == TRANSFER_EAGER) {
            arrive(w, v, req(w, i)->peer, req(w, i)->bytes);
        }
    }
    for (guint k = 0; k < came->len; k++) {
        const WalkMessage *x = &g_array_index(came, WalkMessage, k);
        arrive(w, x->from, x->to, (int64_t)x->bytes);
    }
}

// ---- The run --------------------------------------------------------------------------------------------------------

static void run(RoundWalker *w, WalkEach *each, gpointer user)
{
    g_autoptr(GArray) came = g_array_new(FALSE, FALSE, sizeof(WalkMessage));
    WalkRound round = {.s = w->s, .period = w->n};
    for (;; round.round++) {
        while (w->n_runnable > 0)
            go_on(w, w->runnable[--w->n_runnable]);
        g_array_set_size(w->moving, 0);
        g_array_set_size(w->message, 0);
        g_array_set_size(came, 0);
        if (w->transfer == TRANSFER_RENDEZVOUS)
            begin_offers(w);
        else
            begin_sends(w);
        take_from_ports(w, came);
        round.message = &g_array_index(w->message, WalkMessage, 0);
        round.n = w->message->len;
        if (round.n)
            each(&round, user);
        else if (!came->len)
            return;
        end_unit(w, came);
    }
}

static void walker_init(RoundWalker *w, const Schedule *s, Transfer transfer)
{
    const bool alone = s->mixed || transfer == TRANSFER_EAGER_PORT; // ties among ranks, or flags
    const int n = alone ? s->p : schedule_period(s);
    *w = (RoundWalker){.s = s, .transfer = transfer, .n = n, .mirror = n < s->p, .free_req = -1};
    w->ranks = g_new(WalkRank, n);
    w->runnable = g_new(int, n);
    w->busy = g_new(int, n);
    w->port = g_new(int, n);
    w->in_port = g_new0(bool, n);
    w->pool = g_array_new(FALSE, FALSE, sizeof(WalkReq));
    w->moving = g_array_new(FALSE, FALSE, sizeof(int32_t));
    w->message = g_array_new(FALSE, FALSE, sizeof(WalkMessage));
    w->channels = channels_new();
    w->flags = s->mixed ? flags_new(n) : NULL;
    for (int v = n; v-- > 0;) {
        w->ranks[v] = (WalkRank){.newest = -1, .first_send = -1, .last_send = -1, .offers = -1, .last_offer = -1};
        w->runnable[w->n_runnable++] = v;
    }
}

static void walker_clear(RoundWalker *w)
{
    g_free(w->ranks);
    g_free(w->runnable);
    g_free(w->busy);
    g_free(w->port);
    g_free(w->in_port);
    g_array_unref(w->pool);
    g_array_unref(w->moving);
    g_array_unref(w->message);
    channels_free(w->channels);
    flags_free(w->flags);
}

// Returns a rank that has not come to its end, or -1.
static int stuck_rank(const RoundWalker *w)
{
    for (int v = 0; v < w->n; v++)
        if (w->ranks[v].wait || class_of(w->s, v)->ops[w->ranks[v].pc].kind != OP_END)
            return rank_of(w->s, v);
    return -1;
}

gboolean walk_run(const Schedule *s, Transfer transfer, WalkEach *each, gpointer user, GError **error)
{
    RoundWalker w;
    walker_init(&w, s, transfer);
    const double messages = (double)schedule_totals(s).messages * w.n / s->p;
    if (messages > MOST_MESSAGES) {
        walker_clear(&w);
        return error_too_much(error, "%s on %d ranks has %.3g messages to find rounds for; allowed: at most 2^30",
                              s->name, s->p, messages);
    }
    run(&w, each, user);
    const int stuck = stuck_rank(&w);
    walker_clear(&w);
    return stuck < 0 || bad_input(error, "%s on %d ranks: rank %d waits forever", s->name, s->p, stuck);
}
