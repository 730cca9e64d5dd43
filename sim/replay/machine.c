#include "replay/gears.h"
#include <string.h>

// ---- Long queues -------------------------------------------------------------------------------------------------------
// A queue that a search went far into moves to a table of (owner, peer) -> queue; its head is then HASHED.

enum { HASHED = -2, LONG_SEARCH = 32 };

typedef struct Slot {
    uint64_t key; // 0: empty
    Queue queue;
} Slot;

typedef struct Mailbox {
    Slot *slot;
    uint64_t size, used; // size is a power of two
} Mailbox;

static uint64_t key_of(int owner, int peer, bool posted)
{
    return 1 + ((uint64_t)(uint32_t)owner << 33 | (uint64_t)posted << 32 | (uint64_t)(uint32_t)peer);
}

// Peers in a row, which are mostly asked for in a row, stand side by side.
enum { SIDE_BY_SIDE = 16 };

static Queue *slot(Mailbox *b, uint64_t key)
{
    uint64_t i = key / SIDE_BY_SIDE * 0x9e3779b97f4a7c15u;
    for (i = ((i ^ i >> 29) * SIDE_BY_SIDE + key % SIDE_BY_SIDE) & (b->size - 1);
         b->slot[i].key && b->slot[i].key != key;)
        i = (i + 1) & (b->size - 1);
    if (!b->slot[i].key) {
        b->slot[i] = (Slot){key, {-1, -1}};
        b->used++;
    }
    return &b->slot[i].queue;
}

static Queue *hashed(Machine *m, int owner, int peer, bool posted)
{
    Mailbox *b = m->mailbox;
    if (!b)
        b = m->mailbox = g_new0(Mailbox, 1);
    if (2 * b->used >= b->size) {
        Mailbox old = *b;
        b->size = MAX(1024, 2 * old.size);
        b->used = 0;
        b->slot = g_new0(Slot, b->size);
        for (uint64_t i = 0; i < old.size; i++)
            if (old.slot[i].key)
                *slot(b, old.slot[i].key) = old.slot[i].queue;
        g_free(old.slot);
    }
    return slot(b, key_of(owner, peer, posted));
}

static int peer_in(const Machine *m, Index i, bool posted)
{
    return posted ? m->pool[i].peer : m->pool[i].name;
}

void put(Machine *m, int owner, Queue *q, Index i, bool posted)
{
    append(m, q->head == HASHED ? hashed(m, owner, peer_in(m, i, posted), posted) : q, i);
}

static Index pop(Machine *m, Queue *q)
{
    const Index i = q->head;
    if (i >= 0)
        q->head = m->pool[i].queue;
    return i;
}

Index take_from(Machine *m, int owner, Queue *q, int peer, bool posted)
{
    if (q->head == HASHED)
        return pop(m, hashed(m, owner, peer, posted));
    Index before = -1, i = q->head;
    for (int far = 0; i >= 0 && peer_in(m, i, posted) != peer; far++) {
        if (far == LONG_SEARCH) {
            while ((i = pop(m, q)) >= 0)
                append(m, hashed(m, owner, peer_in(m, i, posted), posted), i);
            q->head = HASHED;
            return pop(m, hashed(m, owner, peer, posted));
        }
        before = i;
        i = m->pool[i].queue;
    }
    if (i < 0)
        return -1;
    if (before < 0) {
        q->head = m->pool[i].queue;
    } else {
        m->pool[before].queue = m->pool[i].queue;
        if (q->tail == i)
            q->tail = before;
    }
    return i;
}

// ---- Life --------------------------------------------------------------------------------------------------------------

Index machine_grow(Machine *m)
{
    if (m->n_pool == m->max_pool) {
        g_assert(m->max_pool < INT32_MAX / 2);
        m->max_pool += m->max_pool / 2;
        m->pool = g_renew(Req, m->pool, m->max_pool);
    }
    return m->n_pool++;
}

uint32_t trace_op(Machine *m, int v, bool receives)
{
    if (m->trace->len >= MAX_TRACE) { // the caller finds it full
        g_array_set_size(m->trace, MAX_TRACE);
        return 0;
    }
    const Rank *r = &m->ranks[v];
    const Step step = {.pc = r->pc, .round = r->round, .rank = v, .receives = receives};
    g_array_append_val(m->trace, step);
    return m->trace->len - 1;
}

Stamp moved_here(Machine *m, Stamp x, int peer)
{
    if (m->trace->len < MAX_TRACE) {
        const Step step = {.prev = x.node, .rank = peer, .moves = true};
        g_array_append_val(m->trace, step);
        x.node = m->trace->len - 1;
    }
    return x;
}

void machine_init(Machine *m, const Schedule *s, const Hockney *model, const ReplayOptions *o, bool ports)
{
    const int n = o->full || o->start ? s->p : schedule_period(s);
    *m = (Machine){.s = s, .model = *model, .free_req = -1, .n = n, .mirror = n < s->p};
    m->ranks = g_new(Rank, n);
    m->runnable = g_new(int, n);
    m->max_pool = 2 * n + 1024; // as many as with blocking operations
    m->pool = g_new(Req, m->max_pool);
    if (ports) {
        m->out_free = g_new0(Stamp, n);
        m->in_free = g_new0(Stamp, n);
    }
    if (o->path) {
        m->trace = g_array_new(FALSE, TRUE, sizeof(Step));
        g_array_set_size(m->trace, 1); // 0 means none
    }
    for (int v = 0; v < n; v++)
        m->ranks[v] = (Rank){.now.t = o->start ? o->start[rank_of(s, v)] : 0,
                             .newest = -1,
                             .sends = {-1, -1},
                             .posted = {-1, -1},
                             .mail = {-1, -1},
                             .settled = -1};
}

// ---- The result ----------------------------------------------------------------------------------------------------------

// The number of the operation at pc in the rank's text.
static uint64_t text_number(const Class *k, uint32_t pc, uint32_t round)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < pc; i++) {
        n += k->ops[i].text;
        if (k->ops[i].kind == OP_LOOP)
            for (int32_t j = 1; j <= k->ops[i].to; j++)
                n += (k->ops[i].out.bytes - 1) * k->ops[i - (uint32_t)j].text;
    }
    for (uint32_t i = pc; round && i < k->n_ops; i++) // inside a loop: its earlier rounds
        if (k->ops[i].kind == OP_LOOP) {
            for (int32_t j = 1; j <= k->ops[i].to; j++)
                n += round * (uint64_t)k->ops[i - (uint32_t)j].text;
            break;
        }
    return n;
}

static void add_stuck(GArray *stuck, const Machine *m, int v)
{
    const Rank *r = &m->ranks[v];
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    if (k->ops[r->pc].kind == OP_END && !r->wait)
        return;
    // It has gone past the operation that it waits in, but for a throttle; a loop's end is not run before it goes on.
    const uint32_t pc = r->wait == THROTTLED ? r->pc : r->pc - 1;
    g_assert(r->wait && pc < k->n_ops);
    Stuck x = {.rank = rank_of(s, v), .kind = k->ops[pc].kind, .peer = -1, .operation = text_number(k, pc, r->round)};
    Index i = r->newest;
    for (int n = r->wait < 0 && r->wait != THROTTLED ? -r->wait - 1 : 0; n > 0; n--)
        i = m->pool[i].older;
    for (int n = r->wait == THROTTLED ? INT_MAX : MAX(r->wait, 1); n > 0 && i >= 0; n--, i = m->pool[i].older)
        if (!m->pool[i].done) { // the oldest that is open: whom it waits for
            x.peer = rank_of(s, m->pool[i].peer);
            x.bytes = (uint64_t)m->pool[i].bytes;
        }
    g_array_append_val(stuck, x);
}

// An order that no gear can change.
static int by_rank(gconstpointer a, gconstpointer b)
{
    const Stuck *x = a, *y = b;
    const int64_t difference[] = {x->rank - y->rank, (int)x->left_over - (int)y->left_over, (int)x->kind - (int)y->kind,
                                  x->peer - y->peer, (int64_t)x->bytes - (int64_t)y->bytes};
    for (size_t i = 0; i < G_N_ELEMENTS(difference); i++)
        if (difference[i])
            return difference[i] < 0 ? -1 : 1;
    return 0;
}

static GArray *stuck_ranks(const Machine *m)
{
    GArray *stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    for (int v = 0; v < m->n; v++)
        add_stuck(stuck, m, v);
    for (Index i = 0; i < m->n_pool; i++) {
        const Req *r = &m->pool[i];
        const bool mail = r->kind == REQ_MAIL, open = !r->done && !r->awaited && m->ranks[r->owner].wait != THROTTLED;
        const bool unsent = r->kind == OP_SEND && open, unmet = r->kind == OP_RECV && open;
        if (mail || unsent || unmet) {
            const Stuck x = {.rank = rank_of(m->s, mail ? r->peer : r->owner),
                             .peer = rank_of(m->s, mail ? r->owner : r->peer),
                             .kind = unmet ? OP_RECV : OP_SEND,
                             .bytes = (uint64_t)r->bytes,
                             .left_over = true};
            g_array_append_val(stuck, x);
        }
    }
    g_array_sort(stuck, by_rank);
    return stuck;
}

// Operation `step` of v as a step of the path.
static PathStep path_step(const Machine *m, const Step *step, int v)
{
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    const Op *op = &k->ops[step->pc];
    static const Stride none;
    const Stride *d = step->round ? &k->strides[step->pc] : &none;
    PathStep x = {.rank = rank_of(s, v), .peer = -1, .kind = OP_REDUCE};
    if (op->kind == OP_REDUCE || step->receives)
        x.bytes = length_of(s, v, op->in_cut, op->in, d->in, step->round);
    else
        x.bytes = length_of(s, v, op->out_cut, op->out, d->out, step->round);
    if (op->kind == OP_REDUCE)
        return x;
    x.kind = step->receives ? OP_RECV : OP_SEND;
    x.peer = rank_of(s, step->receives ? op_peer(s, v, op, op->from, d->from, step->round)
                                       : op_peer(s, v, op, op->to, d->to, step->round));
    return x;
}

// The chain of v's clock that ends at `node`, backwards.
static GArray *path_to(const Machine *m, uint32_t node, int v)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(PathStep));
    while (node) {
        const Step *step = &g_array_index(m->trace, Step, node);
        if (step->moves) {
            v = peer_of(m->s, v, step->rank, 0, 0);
        } else {
            const PathStep x = path_step(m, step, m->mirror ? v : step->rank);
            g_array_append_val(path, x);
        }
        node = step->prev;
    }
    path_in_order(path);
    return path;
}

bool machine_holds(const Machine *m)
{
    if (!m->mirror)
        return true;
    g_autoptr(GArray) stuck = m->tie ? NULL : stuck_ranks(m);
    return stuck && stuck->len == 0;
}

void machine_clear(Machine *m)
{
    if (m->trace)
        g_array_free(m->trace, TRUE);
    if (m->mailbox)
        g_free(m->mailbox->slot);
    g_free(m->mailbox);
    g_free(m->ranks);
    g_free(m->pool);
    g_free(m->runnable);
    g_free(m->out_free);
    g_free(m->in_free);
}

Replay *machine_finish(Machine *m, Gear gear, const ReplayOptions *o)
{
    Replay *r = g_new0(Replay, 1);
    Stamp last = {.t = -1};
    int last_rank = 0;
    for (int rank = 0; rank < m->n; rank++) {
        const Stamp now = m->ranks[v_of_rank(m->s, rank) % m->n].now;
        if (now.t > last.t)
            last = now, last_rank = rank;
    }
    if (o->clocks)
        r->clocks = g_new(Stamp, m->s->p);
    for (int rank = 0; o->clocks && rank < m->s->p; rank++)
        r->clocks[rank] = m->ranks[v_of_rank(m->s, rank) % m->n].now;
    r->gear = gear;
    r->simulated = m->n;
    r->certificate = (Certificate){last.alpha, last.beta, last.gamma};
    r->time_s = o->start ? last.t : certificate_time(&r->certificate, &m->model);
    r->stuck = stuck_ranks(m);
    if (o->path && m->trace->len < MAX_TRACE) {
        const int v = v_of_rank(m->s, o->path_to ? o->path_to - 1 : last_rank);
        r->path = path_to(m, m->ranks[v % m->n].now.node, v);
    }
    machine_clear(m);
    return r;
}
