// Time goes from one moment at which something can happen to the next. At each moment, the steps of the rules are done
// until nothing changes any more. Every question, such as who is first in a line, is answered by looking at all
// requests, so no state can get out of step.
#include "reference_sim.h"

// A port, a side of a NIC or a memory. It is free if nobody holds it and the time until which it is busy has come.
typedef struct ReferencePlace {
    bool held, used;
    int64_t busy_until;
    ReferenceStamp last; // the chain of its last user
} ReferencePlace;

typedef struct ReferenceRequest {
    bool is_send, waited;
    int owner, peer;
    int number;  // the k-th request of this owner, kind and peer, from 0
    guint place; // the k-th request of this owner, from 0
    int64_t bytes;
    struct ReferenceRequest *partner; // the request at the other end; NULL while it is not posted
    // A request is issued; a send may join the line of its first resource and then that of its in-side, or under the
    // eager disciplines travel to the receiver; both move, and are done.
    enum { ISSUED, IN_FIRST_LINE, IN_LAST_LINE, MOVING, DONE } state;
    int number_sent;        // of a send: the k-th one of this owner, from 0
    int64_t ready;          // when it joined the line of its first resource, or begins without one
    int64_t joined;         // by it: a send's place in the line it is in
    ReferenceStamp issued;  // the rank's clock when it was issued
    ReferenceStamp sent;    // of a send that has begun: its beginning, under eager disciplines
    ReferenceStamp arrival; // of a send: when it arrives, under eager disciplines; t is INT64_MAX until that is known
    ReferenceStamp end;     // set once it is moving
} ReferenceRequest;

typedef struct ReferenceActor {
    const GArray *lines;
    guint pc;
    bool begun, ended;      // the operation at pc has posted its requests; the rank has come to its end
    ReferenceStamp clock;   // the rank does nothing before this time
    GPtrArray *requests;    // in the order of issue
    guint first;            // requests before this one are done and waited for
    int *sends, *recvs;     // by peer: how many were issued
    ReferencePlace out, in; // its ports
} ReferenceActor;

typedef struct World {
    const ReferenceMachine *machine;
    int p;
    int64_t now, joins; // joins: how often a message has joined a line
    ReferenceActor *actors;
    int64_t *key;                           // by sender, see reference_machine_key
    ReferencePlace **out, **in, **memories; // by rank: the sides of its NIC, and its node's memory
    bool passed;                            // a message has passed that takes no time
    GPtrArray *arriving; // sends that wait for the receiver's in-side and port, in the order of their beginning
} World;

// ---- Stamps ---------------------------------------------------------------------------------------------------------

// Makes *x the candidate if that is strictly later.
static void later(ReferenceStamp *x, const ReferenceStamp *candidate)
{
    if (candidate->t > x->t)
        *x = *candidate;
}

static void later_use(ReferenceStamp *x, const ReferencePlace *place)
{
    if (place && place->used)
        later(x, &place->last);
}

// Returns the number of a message in the arrays of the network.
static int number_of(const World *w, const ReferenceRequest *r)
{
    g_assert(r->number_sent < w->machine->network->most);
    return r->owner * w->machine->network->most + r->number_sent;
}

// Returns the end of a message that begins at x; the load of its links counts from `ready` on.
static ReferenceStamp transferred(const World *w, ReferenceStamp x, const ReferenceRequest *r, int64_t ready)
{
    const int level = reference_machine_level(w->machine, r->owner, r->peer);
    const ReferenceNetwork *network = w->machine->network;
    x.t += w->machine->alpha[level] + r->bytes * w->machine->beta[level];
    if (network) {
        const int i = number_of(w, r);
        x.t += network->hop[i];
        x.t = MAX(x.t, ready + w->machine->alpha[level] + network->hop[i] + network->load[i]);
    }
    x.n.alpha[level]++;
    x.n.beta[level] += r->bytes;
    return x;
}

static bool free_now(const World *w, const ReferencePlace *place)
{
    return !place || (!place->held && place->busy_until <= w->now);
}

static void use(ReferencePlace *place, ReferenceStamp last)
{
    *place = (ReferencePlace){.used = true, .busy_until = last.t, .last = last};
}

// ---- Resources ------------------------------------------------------------------------------------------------------

// Returns the out-side or the memory that a message uses, or NULL.
static ReferencePlace *first_resource(const World *w, const ReferenceRequest *send)
{
    return reference_machine_near(w->machine, send->owner, send->peer) ? w->memories[send->owner] : w->out[send->owner];
}

// Returns the in-side that a message uses, or NULL.
static ReferencePlace *in_side(const World *w, const ReferenceRequest *send)
{
    return reference_machine_near(w->machine, send->owner, send->peer) ? NULL : w->in[send->peer];
}

// Returns the stamp with which a message is done with its resources, if it begins at x.
static ReferenceStamp served(const World *w, ReferenceStamp x, const ReferenceRequest *send)
{
    const ReferenceMachine *m = w->machine;
    if (reference_machine_near(m, send->owner, send->peer)) {
        const int level = reference_machine_level(m, send->owner, send->peer);
        const int64_t copied = reference_machine_copied(m, send->bytes);
        x.t += copied * m->beta[level];
        x.n.memory[level] += copied;
    } else if (m->per_byte && send->bytes * m->per_byte >= m->per_message) {
        x.t += send->bytes * m->per_byte;
        x.n.nic_bytes += send->bytes;
    } else {
        x.t += m->per_message;
        x.n.nic_messages++;
    }
    return x;
}

static void make_resources(World *w)
{
    const ReferenceMachine *m = w->machine;
    w->out = g_new0(ReferencePlace *, w->p);
    w->in = g_new0(ReferencePlace *, w->p);
    w->memories = g_new0(ReferencePlace *, w->p);
    w->key = g_new(int64_t, w->p);
    for (int rank = 0; rank < w->p; rank++) {
        const int local = reference_machine_local(m, rank);
        w->key[rank] = reference_machine_key(m, w->p, rank);
        int same_nic = rank, same_node = rank; // the lowest ranks with which it shares them
        for (int other = rank - 1; other >= 0; other--)
            if (reference_machine_near(m, other, rank)) {
                same_node = other;
                if (reference_machine_local(m, other) % m->nics == local % m->nics)
                    same_nic = other;
            }
        if (m->per_byte || m->per_message) {
            w->out[rank] = same_nic < rank ? w->out[same_nic] : g_new0(ReferencePlace, 1);
            w->in[rank] = same_nic < rank ? w->in[same_nic] : g_new0(ReferencePlace, 1);
        }
        if (m->n_points)
            w->memories[rank] = same_node < rank ? w->memories[same_node] : g_new0(ReferencePlace, 1);
    }
}

static void free_places(const World *w, ReferencePlace **by_rank)
{
    for (int rank = 0; rank < w->p; rank++) {
        bool again = false;
        for (int other = 0; other < rank; other++)
            again |= by_rank[other] == by_rank[rank];
        if (!again)
            g_free(by_rank[rank]);
    }
    g_free(by_rank);
}

// ---- Requests -------------------------------------------------------------------------------------------------------

static void issue(World *w, int rank, bool is_send, int peer, int64_t bytes)
{
    ReferenceActor *a = &w->actors[rank];
    ReferenceRequest *r = g_new0(ReferenceRequest, 1);
    *r = (ReferenceRequest){.is_send = is_send, .owner = rank, .peer = peer, .bytes = bytes, .issued = a->clock};
    g_assert(a->clock.t == w->now);
    for (int other = 0; is_send && other < w->p; other++)
        r->number_sent += a->sends[other];
    r->number = (is_send ? a->sends : a->recvs)[peer]++;
    r->arrival.t = INT64_MAX;
    r->place = a->requests->len;
    g_ptr_array_add(a->requests, r);
    // The k-th send to a rank meets the k-th receive that this rank posts from the sender.
    const GPtrArray *all = w->actors[peer].requests;
    for (guint i = 0; i < all->len && !r->partner; i++) {
        ReferenceRequest *x = all->pdata[i];
        if (x->is_send != is_send && x->peer == rank && x->number == r->number) {
            g_assert(x->bytes == bytes);
            r->partner = x;
            x->partner = r;
        }
    }
}

// Returns the first send of the rank's queue, or NULL if it has none or its out-port is not free.
static ReferenceRequest *next_send(const World *w, int rank)
{
    const ReferenceActor *a = &w->actors[rank];
    for (guint i = a->first; i < a->requests->len; i++) {
        ReferenceRequest *r = a->requests->pdata[i];
        if (r->is_send && r->state != DONE)
            return r->state == ISSUED && free_now(w, &a->out) ? r : NULL;
    }
    return NULL;
}

// Completes the transfers that end now, and under the eager disciplines the receives whose message has arrived. Returns
// true if there were any.
static bool complete(World *w)
{
    const bool eager = w->machine->transfer != TRANSFER_RENDEZVOUS;
    bool changed = false;
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceActor *a = &w->actors[rank];
        for (guint i = a->first; i < a->requests->len; i++) {
            ReferenceRequest *r = a->requests->pdata[i];
            if (eager && !r->is_send && r->state == ISSUED && r->partner && r->partner->arrival.t <= w->now) {
                r->end = r->issued;
                later(&r->end, &r->partner->arrival);
                r->state = MOVING;
            }
            if (r->state != MOVING || r->end.t > w->now)
                continue;
            r->state = DONE;
            changed = true;
        }
    }
    return changed;
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

// Waits for n requests, of which newest(a, first) is the newest. Returns false if one of them is not done; then none
// counts as waited for.
static bool wait_for(ReferenceActor *a, int first, int n)
{
    for (int i = 0; i < n; i++)
        if (newest(a, first + i)->state != DONE)
            return false;
    for (int i = n - 1; i >= 0; i--) { // the oldest first
        ReferenceRequest *r = newest(a, first + i);
        r->waited = true;
        later(&a->clock, &r->end);
    }
    while (a->first < a->requests->len) {
        const ReferenceRequest *r = a->requests->pdata[a->first];
        if (!r->waited || r->state != DONE)
            break;
        a->first++;
    }
    return true;
}

// Waits until fewer than n requests that were not waited for are pending. Returns false if that is not so now.
static bool throttle(const World *w, ReferenceActor *a, int n)
{
    int pending = 0;
    for (guint i = a->first; i < a->requests->len; i++) {
        const ReferenceRequest *r = a->requests->pdata[i];
        pending += !r->waited && r->state != DONE;
    }
    if (pending >= n)
        return false;
    for (guint i = a->first; i < a->requests->len; i++) {
        const ReferenceRequest *r = a->requests->pdata[i];
        if (!r->waited && r->state == DONE && r->end.t == w->now)
            later(&a->clock, &r->end);
    }
    return true;
}

// Posts the requests of an operation, or begins its reduction.
static void begin(World *w, int rank, const ReferenceLine *line)
{
    ReferenceActor *a = &w->actors[rank];
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
        a->clock.t += line->in * w->machine->gamma;
        a->clock.n.gamma += line->in;
        break;
    default:
        break;
    }
}

// Returns true if the operation, which has begun, is over; its requests then count as waited for.
static bool over(const World *w, ReferenceActor *a, const ReferenceLine *line)
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
        return throttle(w, a, line->n);
    default:
        return true;
    }
}

// Lets the rank do one thing: begin its operation, finish it, or end. Returns false if it can do nothing now.
static bool step(World *w, int rank)
{
    ReferenceActor *a = &w->actors[rank];
    if (a->ended || a->clock.t > w->now)
        return false;
    if (a->pc == a->lines->len) {
        a->ended = true;
        return true;
    }
    const ReferenceLine *line = &g_array_index(a->lines, ReferenceLine, a->pc);
    if (!a->begun) {
        begin(w, rank, line);
        a->begun = true;
        return true;
    }
    if (!over(w, a, line))
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

// ---- Rendezvous -----------------------------------------------------------------------------------------------------

// Returns the rank's next send if it could be transferred now, as far as the ports go, or NULL.
static ReferenceRequest *offered(const World *w, int rank)
{
    ReferenceRequest *send = next_send(w, rank);
    return send && send->partner && free_now(w, &w->actors[send->peer].in) ? send : NULL;
}

static void note_begin(const World *w, const ReferenceRequest *send)
{
    if (w->machine->network)
        w->machine->network->began[number_of(w, send)] = w->now;
}

static void start(World *w, ReferenceRequest *send)
{
    ReferenceRequest *recv = send->partner;
    ReferenceActor *from = &w->actors[send->owner], *to = &w->actors[send->peer];
    ReferencePlace *first = first_resource(w, send), *last = in_side(w, send);
    ReferenceStamp sender = send->issued, receiver = recv->issued;
    later_use(&sender, &from->out);
    later_use(&receiver, &to->in);
    ReferenceStamp own[2] = {sender, receiver};
    for (int i = 0; i < 2; i++) {
        later_use(&own[i], first);
        later_use(&own[i], last);
        later(&own[i], i == 0 ? &receiver : &sender);
        g_assert(own[i].t == w->now);
    }
    if (send->state == ISSUED)
        send->ready = w->now;
    recv->state = send->state = MOVING;
    note_begin(w, send);
    send->end = transferred(w, own[0], send, send->ready);
    recv->end = transferred(w, own[1], send, send->ready);
    w->passed |= send->end.t == w->now;
    use(&from->out, send->end);
    use(&to->in, recv->end);
    if (first)
        use(first, served(w, own[0], send));
    if (last)
        use(last, served(w, own[1], send));
}

// Transfers all messages that take no time and can be transferred. Returns true if there were any.
static bool pass_empty(World *w)
{
    bool changed = false;
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceRequest *send = offered(w, rank);
        if (!send || first_resource(w, send) || transferred(w, (ReferenceStamp){0}, send, 0).t > 0)
            continue;
        start(w, send);
        complete(w);
        changed = true;
    }
    return changed;
}

// Every receiver with a free in-port takes the message that is offered to it and whose receive it posted first. Returns
// true if there were any.
static bool take(World *w)
{
    g_autofree ReferenceRequest **taken = g_new0(ReferenceRequest *, w->p); // by receiver
    bool changed = false;
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceRequest *send = offered(w, rank);
        if (!send)
            continue;
        const ReferenceRequest *before = taken[send->peer];
        if (!before || send->partner->place < before->partner->place)
            taken[send->peer] = send;
    }
    for (int64_t last_key = -1;;) { // in the order of keys
        ReferenceRequest *next = NULL;
        for (int rank = 0; rank < w->p; rank++) {
            ReferenceRequest *x = taken[rank];
            if (x && w->key[x->owner] > last_key && (!next || w->key[x->owner] < w->key[next->owner]))
                next = x;
        }
        if (!next)
            return changed;
        last_key = w->key[next->owner];
        changed = true;
        if (!first_resource(w, next)) {
            start(w, next);
            continue;
        }
        w->actors[next->owner].out.held = w->actors[next->peer].in.held = true;
        next->state = IN_FIRST_LINE;
        next->ready = w->now;
        next->joined = w->joins++;
    }
}

// Returns the rank's message that is in this line, or NULL.
static ReferenceRequest *in_line(const World *w, int rank, int line)
{
    const ReferenceActor *a = &w->actors[rank];
    for (guint i = a->first; i < a->requests->len; i++) {
        ReferenceRequest *r = a->requests->pdata[i];
        if (r->is_send && (int)r->state == line)
            return r;
    }
    return NULL;
}

static ReferencePlace *place_of(const World *w, const ReferenceRequest *send)
{
    return send->state == IN_FIRST_LINE ? first_resource(w, send) : in_side(w, send);
}

// Returns the rank's message that is in this line if it could go on now: it is the first there, and the resource is
// free. Otherwise returns NULL.
static ReferenceRequest *first_in_line(const World *w, int rank, int line)
{
    ReferenceRequest *r = in_line(w, rank, line);
    if (!r || !place_of(w, r))
        return r;
    for (int other = 0; other < w->p; other++) {
        const ReferenceRequest *x = in_line(w, other, line);
        if (x && place_of(w, x) == place_of(w, r) && x->joined < r->joined)
            return NULL;
    }
    return free_now(w, place_of(w, r)) ? r : NULL;
}

// Of all messages that are first in the line of a free first resource, returns the one with the smallest key, or NULL.
static ReferenceRequest *next_in_line(const World *w)
{
    ReferenceRequest *next = NULL;
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceRequest *r = first_in_line(w, rank, IN_FIRST_LINE);
        if (r && (!next || w->key[rank] < w->key[next->owner]))
            next = r;
    }
    return next;
}

// A message that is first in the line of a free in-side holds all else, and begins. Returns true if there was one.
static bool enter_side(World *w)
{
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceRequest *r = first_in_line(w, rank, IN_LAST_LINE);
        if (!r)
            continue;
        start(w, r);
        return true;
    }
    return false;
}

// The next message takes its first resource, and begins or joins the line of its in-side. Returns true if there was
// one.
static bool leave_line(World *w)
{
    ReferenceRequest *r = next_in_line(w);
    if (r && in_side(w, r)) {
        first_resource(w, r)->held = true;
        r->state = IN_LAST_LINE;
        r->joined = w->joins++;
        if (first_in_line(w, r->owner, IN_LAST_LINE))
            start(w, r);
    } else if (r) {
        start(w, r);
    }
    return r;
}

static void rendezvous_moment(World *w)
{
    bool changed;
    do {
        do {
            changed = complete(w);
            changed |= step_all(w);
            changed |= pass_empty(w);
            changed |= enter_side(w);
        } while (changed);
        changed = take(w);
        while (leave_line(w))
            changed = true;
    } while (changed);
}

// ---- Eager ----------------------------------------------------------------------------------------------------------

// Of all messages that are ready, and those that are first in the line of a free resource, the one with the smallest
// key joins its line, or begins. Returns false if there is none.
static bool leave(World *w)
{
    ReferenceRequest *send = next_in_line(w);
    for (int rank = 0; rank < w->p; rank++) {
        ReferenceRequest *r = next_send(w, rank);
        if (r && (!send || w->key[rank] < w->key[send->owner]))
            send = r;
    }
    if (!send)
        return false;
    if (send->state == ISSUED) {
        send->state = IN_FIRST_LINE;
        send->ready = w->now;
        send->joined = w->joins++;
        return true;
    }
    ReferencePlace *out = &w->actors[send->owner].out, *first = first_resource(w, send);
    send->sent = send->issued;
    later_use(&send->sent, out);
    later_use(&send->sent, first);
    g_assert(send->sent.t == w->now);
    send->state = MOVING;
    note_begin(w, send);
    send->end = transferred(w, send->sent, send, send->ready);
    use(out, send->end);
    w->passed |= send->end.t == w->now;
    if (first)
        use(first, served(w, send->sent, send));
    g_ptr_array_add(w->arriving, send);
    return true;
}

// Returns the receiver's port, or NULL if the discipline does not use it.
static ReferencePlace *in_port(const World *w, const ReferenceRequest *send)
{
    return w->machine->transfer == TRANSFER_EAGER_PORT ? &w->actors[send->peer].in : NULL;
}

// One message that no earlier one keeps from the in-side and the port of its receiver takes them, and its arrival is
// known. Returns false if there was none.
static bool arrive(World *w)
{
    for (guint i = 0; i < w->arriving->len; i++) {
        ReferenceRequest *send = w->arriving->pdata[i];
        ReferencePlace *side = in_side(w, send), *port = in_port(w, send);
        bool kept = !free_now(w, side) || !free_now(w, port);
        for (guint j = 0; j < i && !kept; j++) {
            const ReferenceRequest *before = w->arriving->pdata[j];
            kept = (side && in_side(w, before) == side) || (port && in_port(w, before) == port);
        }
        if (kept)
            continue;
        ReferenceStamp x = {.t = -1};
        later_use(&x, side);
        later_use(&x, port);
        later(&x, &send->sent);
        g_assert(x.t == w->now);
        // At a port that serves one message at a time, the load counts from there on.
        const int64_t ready = port && port->used ? MAX(send->ready, port->last.t) : send->ready;
        send->arrival = transferred(w, x, send, ready);
        if (side)
            use(side, served(w, x, send));
        if (port)
            use(port, send->arrival);
        g_ptr_array_remove_index(w->arriving, i);
        return true;
    }
    return false;
}

static void eager_moment(World *w)
{
    do {
        bool changed;
        do {
            changed = arrive(w);
            changed |= complete(w);
            changed |= step_all(w);
        } while (changed);
    } while (leave(w));
}

// ---- The run --------------------------------------------------------------------------------------------------------

static int64_t sooner(const World *w, int64_t next, int64_t t)
{
    return t > w->now ? MIN(t, next) : next;
}

// Returns the next moment at which something can happen, or INT64_MAX if there is none.
static int64_t next_moment(const World *w)
{
    int64_t next = INT64_MAX;
    for (int rank = 0; rank < w->p; rank++) {
        const ReferenceActor *a = &w->actors[rank];
        const ReferencePlace *const places[] = {&a->out, &a->in, w->out[rank], w->in[rank], w->memories[rank]};
        next = sooner(w, next, a->clock.t);
        for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
            next = places[i] ? sooner(w, next, places[i]->busy_until) : next;
        for (guint i = a->first; i < a->requests->len; i++) {
            const ReferenceRequest *r = a->requests->pdata[i];
            if (r->state == MOVING)
                next = sooner(w, next, r->end.t);
            else if (r->partner && r->state == ISSUED)
                next = sooner(w, next, r->partner->arrival.t);
        }
    }
    return next;
}

int64_t reference_run(const ReferenceProgram *x, const ReferenceMachine *machine, const int64_t *starts,
                      ReferenceStamp *ends, bool *passed)
{
    World w = {.machine = machine, .p = x->p, .actors = g_new0(ReferenceActor, x->p)};
    make_resources(&w);
    w.arriving = g_ptr_array_new();
    for (int rank = 0; rank < x->p; rank++) {
        ReferenceActor *a = &w.actors[rank];
        a->lines = x->lines[rank];
        a->clock.t = a->clock.start = starts ? starts[rank] : 0;
        a->requests = g_ptr_array_new_with_free_func(g_free);
        a->sends = g_new0(int, x->p);
        a->recvs = g_new0(int, x->p);
    }
    for (; w.now < INT64_MAX; w.now = next_moment(&w)) {
        if (machine->transfer == TRANSFER_RENDEZVOUS)
            rendezvous_moment(&w);
        else
            eager_moment(&w);
    }
    int64_t last = 0;
    for (int rank = 0; rank < x->p; rank++) {
        ReferenceActor *a = &w.actors[rank];
        ends[rank] = a->clock;
        if (!a->ended)
            ends[rank].t = -1;
        last = ends[rank].t < 0 || last < 0 ? -1 : MAX(last, ends[rank].t);
        g_ptr_array_free(a->requests, TRUE);
        g_free(a->sends);
        g_free(a->recvs);
    }
    *passed = w.passed;
    g_ptr_array_free(w.arriving, TRUE);
    free_places(&w, w.out);
    free_places(&w, w.in);
    free_places(&w, w.memories);
    g_free(w.key);
    g_free(w.actors);
    return last;
}

static void count(GString *s, int64_t n, const char *term, int level)
{
    if (n)
        g_string_append_printf(s, " %" G_GINT64_FORMAT " %s", n, term);
    if (n && level >= 0)
        g_string_append_printf(s, ".%d", level);
}

char *reference_stamp_text(const ReferenceStamp *x)
{
    GString *s = g_string_new(NULL);
    g_string_printf(s, "%" G_GINT64_FORMAT ":", x->t);
    for (int k = 0; k < REFERENCE_LEVELS; k++) {
        count(s, x->n.alpha[k], "alpha", k);
        count(s, x->n.beta[k], "beta", k);
    }
    count(s, x->n.gamma, "gamma", -1);
    count(s, x->n.nic_bytes, "nic.rate", -1);
    count(s, x->n.nic_messages, "nic.messages", -1);
    for (int k = 0; k < REFERENCE_LEVELS; k++)
        count(s, x->n.memory[k], "memory", k);
    return g_string_free(s, FALSE);
}
