// Time goes from one moment at which something can happen to the next. At each moment, the steps of the rules are done
// until nothing changes any more. Every question, such as which message is first in a line, is answered by looking at
// all requests, so no state can get out of step.
#include "reference_measured.h"

// What a chain paid last, and the chain before it.
typedef struct Payment {
    const struct Payment *before;
    ReferenceTerm term;
} Payment;

// A time and the chain that led to it. `start` is when the rank begins at which the chain begins.
typedef struct Mark {
    int64_t t, start;
    const Payment *chain;
} Mark;

// A port, a side of a NIC or a memory: when it is free again, with the chain of its last user.
typedef struct Station {
    bool used;
    bool taken; // of an in-port: a rendezvous message that has not begun keeps it
    Mark free;
} Station;

// A line of a rank's text, and what the texts of all ranks say about its messages.
typedef struct Line {
    ReferenceLine does;
    const GArray *followed; // of an isend: the isends (ReferenceLine) that share its transfer, or NULL
} Line;

// A send or a receive.
typedef struct Post {
    bool is_send, waited;
    int owner, peer, level;
    int number;      // the k-th request of this owner, kind and peer, from 0
    int number_sent; // of a send: the k-th one of this owner, from 0
    guint place;     // the k-th request of this owner, from 0
    int64_t bytes;
    ReferenceTermKind time; // of a send: T, which is REFERENCE_ONE, REFERENCE_STEP or REFERENCE_SWAP
    bool far;               // of a send: it reacts, and its receiver is far away
    const GArray *followed; // as in Line
    struct Post *partner;   // the request at the other end; NULL while it is not posted
    // A message is issued; under rendezvous with resources the receiver takes it; it joins the line of its first
    // resource if it has one; and it begins.
    enum { ISSUED, TAKEN, IN_LINE, BEGUN } state;
    int64_t joined;              // its place in that line
    Station *out_port, *in_port; // of a message that is taken
    Mark issued;                 // the rank's clock when it was issued
    Mark begins;                 // of a send that has begun: s
    bool arrives;                // of an eager send: `arrival` is known
    Mark arrival;
    bool ends, done; // `end` is known, and it has come
    Mark end;
} Post;

typedef struct Actor {
    GArray *lines; // of Line
    guint pc;
    bool received;       // a line that is over has ended a receive
    bool begun, ended;   // the line at pc has posted its requests; the rank has come to its end
    Mark clock;          // the rank does nothing before this time
    GPtrArray *requests; // in the order of issue
    int *sends, *recvs;  // by peer: how many were issued
    int sent;            // how many sends
    Station out[REFERENCE_PORTS], in[REFERENCE_PORTS];
} Actor;

typedef struct Simulation {
    const ReferenceMachine *machine;
    const ReferenceFigures *figures;
    int p;
    int64_t now, joins; // joins: how often a message has joined a line
    Actor *actors;
    int64_t *key;                    // by sender, see reference_machine_key
    Station **out, **in, **memories; // by rank: the sides of its NIC, and its node's memory; NULL if there are none
    GPtrArray *chains, *shared;      // all payments, and all Line.followed
} Simulation;

// ---- Marks ----------------------------------------------------------------------------------------------------------

// Returns x after its chain has paid the term.
static Mark pay(Simulation *w, Mark x, ReferenceTerm term)
{
    Payment *chain = g_new(Payment, 1);
    *chain = (Payment){x.chain, term};
    g_ptr_array_add(w->chains, chain);
    x.chain = chain;
    x.t += term.count * reference_term_value(w->figures, w->machine, &term);
    return x;
}

static Mark pay_message(Simulation *w, Mark x, ReferenceTermKind kind, const Post *send)
{
    return pay(w, x, (ReferenceTerm){kind, send->level, send->bytes, 1});
}

// Makes *x the candidate if that is strictly later.
static void later(Mark *x, Mark candidate)
{
    if (candidate.t > x->t)
        *x = candidate;
}

static void later_use(Mark *x, const Station *place)
{
    if (place && place->used)
        later(x, place->free);
}

static bool free_now(const Simulation *w, const Station *place)
{
    return !place->used || place->free.t <= w->now;
}

static void use(Station *place, Mark until)
{
    place->used = true;
    place->free = until;
}

// ---- Ports ----------------------------------------------------------------------------------------------------------

// Returns the port that is free first, and of several the lowest. If `taken` is false, those that are taken are passed
// over; the result may be NULL then.
static Station *first_free(const Simulation *w, Station *ports, bool taken)
{
    Station *first = NULL;
    for (int i = 0; i < w->figures->ports; i++) {
        Station *x = &ports[i];
        if (x->taken && !taken)
            continue;
        if (!first || (first->used && (!x->used || x->free.t < first->free.t)))
            first = x;
    }
    return first;
}

// ---- Resources ------------------------------------------------------------------------------------------------------

// Returns the out-side or the memory that a message uses, or NULL.
static Station *first_resource(const Simulation *w, const Post *send)
{
    return reference_machine_near(w->machine, send->owner, send->peer) ? w->memories[send->owner] : w->out[send->owner];
}

// Returns the in-side that a message uses, or NULL.
static Station *in_side(const Simulation *w, const Post *send)
{
    return reference_machine_near(w->machine, send->owner, send->peer) ? NULL : w->in[send->peer];
}

// Returns the mark with which a message is done with a resource, if it begins there at x.
static Mark served(Simulation *w, Mark x, const Post *send)
{
    const ReferenceMachine *m = w->machine;
    if (reference_machine_near(m, send->owner, send->peer))
        return pay_message(w, x,
                           send->time == REFERENCE_ONE    ? REFERENCE_MEMORY
                           : send->time == REFERENCE_STEP ? REFERENCE_MEMORY_STEP
                                                          : REFERENCE_MEMORY_SWAP,
                           send);
    if (m->per_byte && send->bytes * m->per_byte >= m->per_message)
        return pay(w, x, (ReferenceTerm){REFERENCE_NIC_RATE, -1, -1, send->bytes});
    return pay(w, x, (ReferenceTerm){REFERENCE_NIC_MESSAGES, -1, -1, 1});
}

static void make_resources(Simulation *w)
{
    const ReferenceMachine *m = w->machine;
    w->out = g_new0(Station *, w->p);
    w->in = g_new0(Station *, w->p);
    w->memories = g_new0(Station *, w->p);
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
            w->out[rank] = same_nic < rank ? w->out[same_nic] : g_new0(Station, 1);
            w->in[rank] = same_nic < rank ? w->in[same_nic] : g_new0(Station, 1);
        }
        if (m->n_points)
            w->memories[rank] = same_node < rank ? w->memories[same_node] : g_new0(Station, 1);
    }
}

static void free_places(const Simulation *w, Station **by_rank)
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

// ---- Texts ----------------------------------------------------------------------------------------------------------

// Returns the lines of a rank, where an irecv, then an isend, then a waitall for exactly these are a sendrecv.
static GArray *read_lines(const GArray *text)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));
    for (guint i = 0; i < text->len; i++) {
        const ReferenceLine *x = &g_array_index(text, ReferenceLine, i);
        Line line = {.does = *x};
        if (x->kind == COLL_IRECV && i + 2 < text->len && x[1].kind == COLL_ISEND && x[2].kind == COLL_WAITALL &&
            x[2].n == 2) {
            line.does = (ReferenceLine){COLL_SENDRECV, x[1].to, x->from, 0, x[1].out, x->in};
            i += 2;
        }
        g_array_append_val(lines, line);
    }
    return lines;
}

static bool is_eager(const Simulation *w, int from, int to, int64_t bytes)
{
    return bytes <= w->figures->eager[reference_machine_level(w->machine, from, to)];
}

// The waitall completes the isends of some lines, the oldest first: those that use rendezvous share their transfers.
static void share(Simulation *w, int rank, GArray *lines, const guint *isend, guint n)
{
    for (guint i = 0; i < n; i++) {
        Line *x = &g_array_index(lines, Line, isend[i]);
        if (is_eager(w, rank, x->does.to, x->does.out))
            continue;
        GArray *followed = g_array_new(FALSE, FALSE, sizeof(ReferenceLine));
        for (guint j = i + 1; j < n; j++) {
            const ReferenceLine *y = &g_array_index(lines, Line, isend[j]).does;
            if (!is_eager(w, rank, y->to, y->out))
                g_array_append_vals(followed, y, 1);
        }
        g_ptr_array_add(w->shared, followed);
        x->followed = followed;
    }
}

// Finds the isends that one waitall completes and that no throttle separates from it.
static void find_shared(Simulation *w, int rank, GArray *lines)
{
    enum { RECEIVES = -1, BEFORE_THROTTLE = -2 };
    g_autoptr(GArray) pending = g_array_new(FALSE, FALSE, sizeof(int)); // of each request: the line of an isend
    for (guint i = 0; i < lines->len; i++) {
        const ReferenceLine *x = &g_array_index(lines, Line, i).does;
        if (x->kind == COLL_ISEND || x->kind == COLL_IRECV) {
            const int is = x->kind == COLL_ISEND ? (int)i : RECEIVES;
            g_array_append_val(pending, is);
        } else if (x->kind == COLL_THROTTLE) {
            for (guint k = 0; k < pending->len; k++)
                g_array_index(pending, int, k) = BEFORE_THROTTLE;
        } else if (x->kind == COLL_WAIT) {
            g_array_remove_index(pending, pending->len - 1 - (guint)x->n);
        } else if (x->kind == COLL_WAITALL) {
            g_autofree guint *isend = g_new(guint, x->n);
            guint n = 0;
            for (guint k = pending->len - (guint)x->n; k < pending->len; k++)
                if (g_array_index(pending, int, k) >= 0)
                    isend[n++] = (guint)g_array_index(pending, int, k);
            share(w, rank, lines, isend, n);
            g_array_set_size(pending, pending->len - (guint)x->n);
        }
    }
}

static bool sends_to(const ReferenceLine *x, int peer)
{
    return (x->kind == COLL_SEND || x->kind == COLL_ISEND || x->kind == COLL_SENDRECV) && x->to == peer;
}

static bool receives_from(const ReferenceLine *x, int peer)
{
    return (x->kind == COLL_RECV || x->kind == COLL_IRECV || x->kind == COLL_SENDRECV) && x->from == peer;
}

// Returns true if the number-th message from a rank to another one is posted by a sendrecv at its sender (or at its
// receiver, if `sends` is false), or is not in that rank's text at all. If `swaps`, the sendrecv must also have the
// same rank at both of its ends.
static bool by_sendrecv(const Simulation *w, int from, int to, int number, bool sends, bool swaps)
{
    const GArray *lines = w->actors[sends ? from : to].lines;
    for (guint i = 0; i < lines->len; i++) {
        const ReferenceLine *x = &g_array_index(lines, Line, i).does;
        if ((sends ? sends_to(x, to) : receives_from(x, from)) && number-- == 0)
            return x->kind == COLL_SENDRECV && (!swaps || x->to == x->from);
    }
    return true;
}

// Returns true if both ends of this message belong to sendrecvs.
static bool of_sendrecvs(const Simulation *w, int from, int to, int number, bool swaps)
{
    return by_sendrecv(w, from, to, number, true, swaps) && by_sendrecv(w, from, to, number, false, swaps);
}

// Returns T of the number-th message from a rank to another one.
static ReferenceTermKind time_of(const Simulation *w, int from, int to, int number, int64_t bytes)
{
    const ReferenceFigures *f = w->figures;
    const int level = reference_machine_level(w->machine, from, to);
    if (f->swap > REFERENCE_QUARTERS && bytes >= f->swap_from && of_sendrecvs(w, from, to, number, true))
        return REFERENCE_SWAP;
    return f->step[level].n && of_sendrecvs(w, from, to, number, false) ? REFERENCE_STEP : REFERENCE_ONE;
}

// Returns true if `far` is for messages between the nodes of two ranks: these do not follow each other, where the first
// one follows the last one.
static bool far_nodes(const Simulation *w, int a, int b)
{
    const int *node = w->machine->node;
    int n = node ? 0 : w->p;
    for (int rank = 0; node && rank < w->p; rank++)
        n = MAX(n, node[rank] + 1);
    const int away = ABS(node ? node[a] - node[b] : a - b);
    return MIN(away, n - away) >= 2;
}

// ---- Requests -------------------------------------------------------------------------------------------------------

static void issue(Simulation *w, int rank, bool is_send, const Line *line)
{
    Actor *a = &w->actors[rank];
    const ReferenceLine *x = &line->does;
    Post *r = g_new0(Post, 1);
    *r = (Post){.is_send = is_send,
                .owner = rank,
                .peer = is_send ? x->to : x->from,
                .bytes = is_send ? x->out : x->in,
                .followed = line->followed,
                .issued = a->clock};
    g_assert(a->clock.t == w->now);
    r->level = reference_machine_level(w->machine, rank, r->peer);
    r->number = (is_send ? a->sends : a->recvs)[r->peer]++;
    r->place = a->requests->len;
    if (is_send) {
        r->number_sent = a->sent++;
        r->time = time_of(w, rank, r->peer, r->number, r->bytes);
        r->far = a->received && r->level == w->machine->n_levels - 1 && is_eager(w, rank, r->peer, r->bytes) &&
                 far_nodes(w, rank, r->peer);
    }
    g_ptr_array_add(a->requests, r);
    // The k-th send to a rank meets the k-th receive that this rank posts from the sender.
    const GPtrArray *all = w->actors[r->peer].requests;
    for (guint i = 0; i < all->len && !r->partner; i++) {
        Post *y = all->pdata[i];
        if (y->is_send != is_send && y->peer == rank && y->number == r->number) {
            g_assert(y->bytes == r->bytes);
            r->partner = y;
            y->partner = r;
        }
    }
}

// Returns the rank's first message that has not begun, or NULL if there is none. A message that begins later than now
// has not begun.
static Post *next_send(const Simulation *w, int rank)
{
    const Actor *a = &w->actors[rank];
    for (guint i = 0; i < a->requests->len; i++) {
        Post *r = a->requests->pdata[i];
        if (r->is_send && (r->state != BEGUN || r->begins.t > w->now))
            return r;
    }
    return NULL;
}

// Returns the rank's first message that has not begun, if it is issued and has an out-port to begin. Otherwise returns
// NULL.
static Post *ready_send(const Simulation *w, int rank)
{
    Post *r = next_send(w, rank);
    return r && r->state == ISSUED && free_now(w, first_free(w, w->actors[rank].out, true)) ? r : NULL;
}

// Ends the requests whose end has come. Returns true if there were any.
static bool complete(Simulation *w)
{
    bool changed = false;
    for (int rank = 0; rank < w->p; rank++) {
        const Actor *a = &w->actors[rank];
        for (guint i = 0; i < a->requests->len; i++) {
            Post *r = a->requests->pdata[i];
            if (!r->is_send && !r->ends && r->partner && r->partner->arrives) {
                const Post *send = r->partner;
                r->end = pay_message(w, r->issued, reference_take(w->figures, send->level, send->bytes), send);
                later(&r->end, r->partner->arrival);
                r->ends = true;
            }
            if (r->done || !r->ends || r->end.t > w->now)
                continue;
            r->done = true;
            changed = true;
        }
    }
    return changed;
}

// ---- A rank's text --------------------------------------------------------------------------------------------------

// Returns one of the requests not yet waited for: the newest if `back` is 0, the next older one if it is 1, and so on.
static Post *newest(const Actor *a, int back)
{
    for (guint i = a->requests->len; i-- > 0;) {
        Post *r = a->requests->pdata[i];
        if (!r->waited && back-- == 0)
            return r;
    }
    g_assert_not_reached();
}

// Waits for n requests, of which newest(a, first) is the newest. Returns false if one of them is not done; then none
// counts as waited for.
static bool wait_for(Actor *a, int first, int n)
{
    for (int i = 0; i < n; i++)
        if (!newest(a, first + i)->done)
            return false;
    for (int i = n - 1; i >= 0; i--) { // the oldest first
        Post *r = newest(a, first + i);
        r->waited = true;
        a->received |= !r->is_send;
        later(&a->clock, r->end);
    }
    return true;
}

// Waits until fewer than n requests that were not waited for are pending. Returns false if that is not so now.
static bool throttle(const Simulation *w, Actor *a, int n)
{
    int pending = 0;
    for (guint i = 0; i < a->requests->len; i++) {
        const Post *r = a->requests->pdata[i];
        pending += !r->waited && !r->done;
    }
    if (pending >= n)
        return false;
    for (guint i = 0; i < a->requests->len; i++) {
        const Post *r = a->requests->pdata[i];
        if (!r->waited && r->done && r->end.t == w->now)
            later(&a->clock, r->end);
    }
    return true;
}

// Adds the rank's own work to its clock.
static void work(Simulation *w, Actor *a, WorkKind kind, int64_t bytes)
{
    const ReferenceWork *x = &w->figures->work[kind];
    if (x->table.n)
        a->clock = pay(w, a->clock, (ReferenceTerm){REFERENCE_WORK_TABLE, (int)kind, bytes, 1});
    else if (bytes > x->above || x->above == 0)
        a->clock = pay(w, a->clock, (ReferenceTerm){REFERENCE_WORK_RATE, (int)kind, -1, bytes});
}

// Posts the requests of a line, or begins its work.
static void begin(Simulation *w, int rank, const Line *line)
{
    Actor *a = &w->actors[rank];
    const ReferenceLine *x = &line->does;
    switch (x->kind) {
    case COLL_RECV:
    case COLL_IRECV:
        issue(w, rank, false, line);
        break;
    case COLL_SENDRECV:
        issue(w, rank, false, line);
        // fall through
    case COLL_SEND:
    case COLL_ISEND:
        issue(w, rank, true, line);
        break;
    case COLL_REDUCE_OP:
        work(w, a, WORK_REDUCE, x->in);
        break;
    case COLL_COPY:
        work(w, a, WORK_COPY, x->in);
        break;
    case REFERENCE_FRESH:
        work(w, a, WORK_FRESH, x->in);
        break;
    default:
        break;
    }
}

// Returns true if the line, which has begun, is over; its requests then count as waited for.
static bool over(const Simulation *w, Actor *a, const ReferenceLine *x)
{
    switch (x->kind) {
    case COLL_SEND:
    case COLL_RECV:
        return wait_for(a, 0, 1);
    case COLL_SENDRECV:
        return wait_for(a, 0, 2);
    case COLL_WAIT:
        return wait_for(a, x->n, 1);
    case COLL_WAITALL:
        return wait_for(a, 0, x->n);
    case COLL_THROTTLE:
        return throttle(w, a, x->n);
    default:
        return true;
    }
}

// Lets the rank do one thing: begin its line, finish it, or end. Returns false if it can do nothing now.
static bool step(Simulation *w, int rank)
{
    Actor *a = &w->actors[rank];
    if (a->ended || a->clock.t > w->now)
        return false;
    if (a->pc == a->lines->len) {
        a->ended = true;
        return true;
    }
    const Line *line = &g_array_index(a->lines, Line, a->pc);
    if (!a->begun) {
        begin(w, rank, line);
        a->begun = true;
        return true;
    }
    if (!over(w, a, &line->does))
        return false;
    a->pc++;
    a->begun = false;
    return true;
}

// ---- Messages -------------------------------------------------------------------------------------------------------

// Returns when the message is first in its rank's queue: when it was issued, or at the s of the message before it.
static Mark ready(const Simulation *w, const Post *send)
{
    const GPtrArray *all = w->actors[send->owner].requests;
    Mark x = send->issued;
    for (guint i = send->place; i-- > 0;) {
        const Post *before = all->pdata[i];
        if (before->is_send) {
            later(&x, before->begins);
            break;
        }
    }
    return x;
}

// Returns x after a step of a message, which begins at x; on a network, the load of its links counts from `joined` on, when
// it came to its first line. `far` says that T is longer. Hops count in T only.
static Mark linked(Simulation *w, Mark x, Mark joined, ReferenceTermKind kind, const Post *send, bool far)
{
    const ReferenceNetwork *network = w->machine->network;
    Mark end[2] = {x, joined};
    for (int i = 0; i < 2; i++) {
        end[i] = pay_message(w, end[i], kind, send);
        if (far)
            end[i] = pay(w, end[i], (ReferenceTerm){REFERENCE_FAR, -1, -1, 1});
        if (!network)
            return end[0];
        const int at = send->owner * network->most + send->number_sent;
        if (kind != REFERENCE_GAP)
            end[i] = pay(w, end[i], (ReferenceTerm){REFERENCE_LINK, -1, -1, network->hop[at]});
        if (i == 1)
            end[i] = pay(w, end[i], (ReferenceTerm){REFERENCE_LINK, -1, -1, network->load[at]});
    }
    later(&end[0], end[1]);
    return end[0];
}

static void begin_eager(Simulation *w, Post *send)
{
    Station *out = first_free(w, w->actors[send->owner].out, true), *in = first_free(w, w->actors[send->peer].in, true),
            *first = first_resource(w, send), *side = in_side(w, send);
    Mark s = ready(w, send);
    later_use(&s, out);
    const Mark joined = s;
    later_use(&s, first);
    g_assert(s.t == w->now);
    send->state = BEGUN;
    send->begins = s;
    send->end = linked(w, s, joined, REFERENCE_GAP, send, false);
    send->ends = true;
    use(out, send->end);
    if (first)
        use(first, served(w, s, send));
    Mark b = s;
    if (side && side->used && side->free.t >= s.t)
        b = side->free;
    if (side)
        use(side, served(w, b, send));
    const Mark direct = linked(w, b, joined, send->time, send, send->far);
    send->arrival = direct;
    if (in->used) {
        send->arrival = pay_message(w, in->free, reference_take(w->figures, send->level, send->bytes), send);
        later(&send->arrival, direct);
    }
    send->arrives = true;
    use(in, send->arrival);
}

// The transfer of a message begins that its receiver has taken, and that has its turn at its first resource if it has
// one.
static void begin_rendezvous(Simulation *w, Post *send)
{
    Post *recv = send->partner;
    Station *first = first_resource(w, send), *side = in_side(w, send);
    Mark own[2] = {ready(w, send), recv->issued};
    later_use(&own[0], send->out_port);
    later_use(&own[1], send->in_port);
    const Mark receiver = own[1], sender = own[0];
    Mark joined[2] = {sender, receiver};
    later(&joined[0], receiver);
    later(&joined[1], sender);
    for (int i = 0; i < 2; i++) {
        later_use(&own[i], first);
        later_use(&own[i], side);
        later(&own[i], i == 0 ? receiver : sender);
        g_assert(own[i].t == own[0].t && own[i].t >= w->now);
    }
    send->state = BEGUN;
    send->begins = own[0];
    send->end = linked(w, own[0], joined[0], REFERENCE_GAP, send, false);
    recv->end = linked(w, own[1], joined[1], send->time, send, false);
    send->ends = recv->ends = true;
    for (guint i = 0; send->followed && i < send->followed->len; i++) {
        const ReferenceLine *x = &g_array_index(send->followed, ReferenceLine, i);
        const int level = reference_machine_level(w->machine, send->owner, x->to);
        recv->end = pay(w, recv->end, (ReferenceTerm){REFERENCE_SHARE, level, x->out, 1});
    }
    use(send->out_port, send->end);
    use(send->in_port, linked(w, own[1], joined[1], REFERENCE_GAP, send, false));
    send->in_port->taken = false;
    if (first)
        use(first, served(w, own[0], send));
    if (side)
        use(side, served(w, own[1], send));
}

// ---- A moment -------------------------------------------------------------------------------------------------------

// Everything happens that takes no time. Returns true if there was anything.
static bool go_on(Simulation *w)
{
    bool changed = complete(w);
    for (int rank = 0; rank < w->p; rank++)
        while (step(w, rank))
            changed = true;
    return changed;
}

// Returns the message that is offered to the receiver and whose receive it posted first, if it has a free in-port.
// Otherwise returns NULL.
static Post *offered(const Simulation *w, int receiver)
{
    const Station *port = first_free(w, w->actors[receiver].in, false);
    Post *first = NULL;
    for (int rank = 0; port && free_now(w, port) && rank < w->p; rank++) {
        Post *send = ready_send(w, rank);
        if (!send || send->peer != receiver || !send->partner || is_eager(w, rank, receiver, send->bytes))
            continue;
        if (!first || send->partner->place < first->partner->place)
            first = send;
    }
    return first;
}

// Of all receivers that are offered a message and have a free in-port, the one with the smallest key takes one. Returns
// false if there is none.
static bool take(Simulation *w)
{
    Post *send = NULL;
    for (int rank = 0; rank < w->p; rank++) {
        Post *x = offered(w, rank);
        if (x && (!send || w->key[rank] < w->key[send->peer]))
            send = x;
    }
    if (!send)
        return false;
    send->state = TAKEN;
    send->out_port = first_free(w, w->actors[send->owner].out, true);
    send->in_port = first_free(w, w->actors[send->peer].in, false);
    send->in_port->taken = true;
    if (!first_resource(w, send))
        begin_rendezvous(w, send);
    return true;
}

// Returns true if the message is in the line of its first resource, the first one there, and the resource is free.
static bool has_turn(const Simulation *w, const Post *send)
{
    if (send->state != IN_LINE || !free_now(w, first_resource(w, send)))
        return false;
    for (int rank = 0; rank < w->p; rank++) {
        const Post *x = next_send(w, rank);
        if (x && x->state == IN_LINE && first_resource(w, x) == first_resource(w, send) && x->joined < send->joined)
            return false;
    }
    return true;
}

// Of all eager messages that may begin and all messages that are taken or have their turn, the one with the smallest
// key joins its line or begins. Returns false if there is none.
static bool leave(Simulation *w)
{
    Post *next = NULL;
    for (int rank = 0; rank < w->p; rank++) {
        Post *x = next_send(w, rank);
        if (!x || (next && w->key[next->owner] < w->key[rank]))
            continue;
        const bool eager = is_eager(w, rank, x->peer, x->bytes);
        if ((eager && ready_send(w, rank)) || x->state == TAKEN || has_turn(w, x))
            next = x;
    }
    if (!next)
        return false;
    if (next->state != IN_LINE && first_resource(w, next)) {
        next->state = IN_LINE;
        next->joined = w->joins++;
    } else if (is_eager(w, next->owner, next->peer, next->bytes)) {
        begin_eager(w, next);
    } else {
        begin_rendezvous(w, next);
    }
    return true;
}

static void moment(Simulation *w)
{
    while (go_on(w) || take(w) || leave(w))
        ;
}

// ---- The run --------------------------------------------------------------------------------------------------------

static void sooner(const Simulation *w, int64_t *next, int64_t t)
{
    if (t > w->now)
        *next = MIN(t, *next);
}

// Returns the next moment at which something can happen, or INT64_MAX if there is none.
static int64_t next_moment(const Simulation *w)
{
    int64_t next = INT64_MAX;
    for (int rank = 0; rank < w->p; rank++) {
        const Actor *a = &w->actors[rank];
        const Station *const shared[] = {w->out[rank], w->in[rank], w->memories[rank]};
        sooner(w, &next, a->clock.t);
        for (size_t i = 0; i < G_N_ELEMENTS(shared); i++)
            if (shared[i])
                sooner(w, &next, shared[i]->free.t);
        for (int i = 0; i < w->figures->ports; i++) {
            sooner(w, &next, a->out[i].free.t);
            sooner(w, &next, a->in[i].free.t);
        }
        for (guint i = 0; i < a->requests->len; i++) {
            const Post *r = a->requests->pdata[i];
            if (r->is_send && r->state == BEGUN)
                sooner(w, &next, r->begins.t);
            if (r->ends)
                sooner(w, &next, r->end.t);
        }
    }
    return next;
}

// Returns the terms of a chain, each once, without those that cost nothing. They add up to the mark's time.
static GArray *terms_of(const Simulation *w, Mark x)
{
    GArray *terms = g_array_new(FALSE, FALSE, sizeof(ReferenceTerm));
    int64_t t = x.start;
    guint n = 0;
    for (const Payment *at = x.chain; at; at = at->before)
        if (at->term.count > 0 && reference_term_value(w->figures, w->machine, &at->term) > 0)
            g_array_append_val(terms, at->term);
    g_array_sort(terms, reference_term_compare);
    for (guint i = 0; i < terms->len; i++) {
        const ReferenceTerm *term = &g_array_index(terms, ReferenceTerm, i);
        t += term->count * reference_term_value(w->figures, w->machine, term);
        if (n && reference_term_compare(&g_array_index(terms, ReferenceTerm, n - 1), term) == 0)
            g_array_index(terms, ReferenceTerm, n - 1).count += term->count;
        else
            g_array_index(terms, ReferenceTerm, n++) = *term;
    }
    g_assert(t == x.t);
    g_array_set_size(terms, n);
    return terms;
}

static void world_init(Simulation *w, const ReferenceProgram *x, const int64_t *starts)
{
    make_resources(w);
    w->chains = g_ptr_array_new_with_free_func(g_free);
    w->shared = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (int rank = 0; rank < x->p; rank++) {
        Actor *a = &w->actors[rank];
        a->lines = read_lines(x->lines[rank]);
        find_shared(w, rank, a->lines);
        a->clock.t = a->clock.start = starts ? starts[rank] : 0;
        a->requests = g_ptr_array_new_with_free_func(g_free);
        a->sends = g_new0(int, x->p);
        a->recvs = g_new0(int, x->p);
    }
}

static void world_clear(Simulation *w)
{
    for (int rank = 0; rank < w->p; rank++) {
        Actor *a = &w->actors[rank];
        g_ptr_array_free(a->requests, TRUE);
        g_array_free(a->lines, TRUE);
        g_free(a->sends);
        g_free(a->recvs);
    }
    free_places(w, w->out);
    free_places(w, w->in);
    free_places(w, w->memories);
    g_ptr_array_free(w->chains, TRUE);
    g_ptr_array_free(w->shared, TRUE);
    g_free(w->key);
    g_free(w->actors);
}

int64_t reference_measured(const ReferenceProgram *x, const ReferenceMachine *machine, const ReferenceFigures *figures,
                           const int64_t *starts, ReferenceEnd *ends)
{
    Simulation w = {.machine = machine, .figures = figures, .p = x->p, .actors = g_new0(Actor, x->p)};
    int64_t last = 0;
    world_init(&w, x, starts);
    for (; w.now < INT64_MAX; w.now = next_moment(&w))
        moment(&w);
    for (int rank = 0; rank < x->p; rank++) {
        const Actor *a = &w.actors[rank];
        ends[rank] = (ReferenceEnd){a->ended ? a->clock.t : -1, terms_of(&w, a->clock)};
        last = ends[rank].t < 0 || last < 0 ? -1 : MAX(last, ends[rank].t);
    }
    world_clear(&w);
    return last;
}

void reference_ends_clear(ReferenceEnd *ends, int p)
{
    for (int rank = 0; rank < p; rank++)
        g_array_unref(ends[rank].terms);
}
