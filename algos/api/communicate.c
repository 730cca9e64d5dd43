// The operations of an algorithm's text. Each call hands one operation to the backend, through the rank's run.
#include "api/communicate.h"
#include "api/backend.h"
#include <glib.h>
#include <limits.h>
#include <string.h>

int coll_v(const Coll *c)
{
    const int v = c->rank - c->root;
    return v < 0 ? v + c->p : v;
}

int coll_rank(const Coll *c, int v)
{
    const int r = v - (c->p - c->root);
    return r < 0 ? r + c->p : r;
}

int coll_world(const Coll *c, int r)
{
    // A plugin's text may name any number, and backends use it as an index.
    if (G_UNLIKELY(r < 0 || r >= c->p))
        g_error("rank %d of %d names rank %d, which does not exist; allowed: 0 .. p-1", c->rank, c->p, r);
    for (; c->up; c = c->up) {
        r = c->map(c->up, r);
        if (G_UNLIKELY(r < 0 || r >= c->up->p))
            g_error("a group's map names rank %d of %d, which does not exist", r, c->up->p);
    }
    return r;
}

// Does the same as coll_world(), faster for the calls of a text that runs on all ranks, as most do.
static inline int world(const Coll *c, int r)
{
    return G_LIKELY(!c->up && (unsigned)r < (unsigned)c->p) ? r : coll_world(c, r);
}

static const Slice nothing;

static void emit(const Coll *c, CollIssue op)
{
    op.view = c;
    op.out = op.out ? op.out : &nothing;
    op.in = op.in ? op.in : &nothing;
    op.right = op.right ? op.right : &nothing;
    c->run->emit(c->run, &op);
}

// Runs what overlaps with the caller's text, if it has not run yet.
static void run_overlap(CollRun *run, const struct CollOverlap *overlap)
{
    const int n_around = run->n_around;
    const struct CollPart *part = run->part;
    const char *phase = run->phase;
    coll_run_place(run, overlap->part, overlap->phase);
    run->overlap = overlap->around;
    run->n_around = run->n_pending;
    overlap->meanwhile(overlap->data);
    if (G_UNLIKELY(run->n_pending != run->n_around))
        g_error("coll_overlap: `meanwhile` ends, and has not waited for all its requests");
    run->n_around = n_around;
    coll_run_place(run, part, phase);
}

// Every operation that may wait calls this first.
static void before_wait(CollRun *run)
{
    while (run->overlap)
        run_overlap(run, run->overlap);
}

void coll_overlap(const Coll *c, void (*text)(const Coll *c), void (*meanwhile)(void *data), void *data)
{
    const struct CollOverlap overlap = {c->run->overlap, c->run->part, c->run->phase, meanwhile, data};
    c->run->overlap = &overlap;
    text(c);
    if (c->run->overlap == &overlap)
        run_overlap(c->run, &overlap);
}

void coll_phase(const Coll *c, const char *name)
{
    coll_run_place(c->run, c->run->part, name);
}

void coll_send_slice(const Coll *c, int to, const Slice *s)
{
    if (c->run->overlap)
        coll_wait(c, coll_isend(c, to, *s));
    else
        emit(c, (CollIssue){.kind = COLL_SEND, .to = world(c, to), .out = s});
}

void coll_recv_slice(const Coll *c, int from, const Slice *s)
{
    if (c->run->overlap)
        coll_wait(c, coll_irecv(c, from, *s));
    else
        emit(c, (CollIssue){.kind = COLL_RECV, .from = world(c, from), .in = s});
}

// A sendrecv that does not go to the backend as it is.
static __attribute__((noinline)) void sendrecv_other(const Coll *c, int to, const Slice *s, int from, const Slice *r)
{
    if (to == c->rank && from == c->rank) {
        coll_copy(c, *r, *s);
        return;
    }
    const CollReq first = coll_irecv(c, from, *r);
    coll_isend(c, to, *s);
    coll_waitall(c, first);
}

void coll_sendrecv_slices(const Coll *c, int to, const Slice *s, int from, const Slice *r)
{
    if (G_UNLIKELY((to == c->rank && from == c->rank) || c->run->overlap)) {
        sendrecv_other(c, to, s, from, r);
        return;
    }
    const CollIssue op = {.kind = COLL_SENDRECV,
                          .view = c,
                          .to = world(c, to),
                          .from = world(c, from),
                          .out = s,
                          .in = r,
                          .right = &nothing};
    c->run->emit(c->run, &op);
}

void coll_exchange(const Coll *c, int to, Slice s, int from, Slice r)
{
    if (to >= 0 && from >= 0)
        coll_sendrecv(c, to, s, from, r);
    else if (to >= 0)
        coll_send(c, to, s);
    else if (from >= 0)
        coll_recv(c, from, r);
}

// Makes room for another request behind the last pending one: moves all to the front if that leaves half of the room or
// more, and otherwise takes more.
static void make_room(CollRun *run)
{
    if (run->first_pending > run->n_pending) {
        memcpy(run->pending, run->pending + run->first_pending, (size_t)run->n_pending * sizeof *run->pending);
        run->first_pending = 0;
        return;
    }
    if (G_UNLIKELY(run->max_pending >= 1 << 30))
        g_error("a rank has %d requests that it has not waited for", run->n_pending);
    run->max_pending = MAX(16, 2 * run->max_pending);
    run->pending = g_renew(int, run->pending, run->max_pending);
}

static CollReq new_request(CollRun *run)
{
    if (run->first_pending + run->n_pending == run->max_pending)
        make_room(run);
    return run->pending[run->first_pending + run->n_pending++] = run->next_request++;
}

CollReq coll_isend(const Coll *c, int to, Slice s)
{
    emit(c, (CollIssue){.kind = COLL_ISEND, .to = world(c, to), .out = &s});
    return new_request(c->run);
}

CollReq coll_irecv(const Coll *c, int from, Slice s)
{
    emit(c, (CollIssue){.kind = COLL_IRECV, .from = world(c, from), .in = &s});
    return new_request(c->run);
}

CollReq coll_mark(const Coll *c)
{
    return c->run->next_request;
}

// Returns the place of a request among those not yet waited for, which are in the order of their numbers; -1 if it is
// not there.
static int place_of(const CollRun *run, CollReq r)
{
    const int end = run->first_pending + run->n_pending;
    int low = run->first_pending, high = end;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (run->pending[mid] < r)
            low = mid + 1;
        else
            high = mid;
    }
    return low < end && run->pending[low] == r ? low - run->first_pending : -1;
}

// Takes out the request at a place. The fewer of those before it and those behind it move, so that a text that waits for
// thousands of requests one after the other, from the oldest or from the newest on, does not move all of them each time.
static void take_out(CollRun *run, int place)
{
    int *pending = run->pending + run->first_pending;
    const int behind = --run->n_pending - place;
    if (place < behind) {
        memmove(pending + 1, pending, (size_t)place * sizeof *pending);
        run->first_pending++;
    } else {
        memmove(pending + place, pending + place + 1, (size_t)behind * sizeof *pending);
    }
}

void coll_wait(const Coll *c, CollReq r)
{
    CollRun *run = c->run;
    before_wait(run);
    const int i = place_of(run, r);
    if (i < 0)
        return; // it was waited for before
    emit(c, (CollIssue){.kind = COLL_WAIT, .n = run->n_pending - 1 - i});
    take_out(run, i);
}

void coll_wait_range(const Coll *c, CollReq from, CollReq to)
{
    for (CollReq r = from; r < to; r++)
        coll_wait(c, r);
}

void coll_waitall(const Coll *c, CollReq from)
{
    CollRun *run = c->run;
    before_wait(run);
    int first = run->n_pending;
    while (first > run->n_around && run->pending[run->first_pending + first - 1] >= from)
        first--;
    if (first == run->n_pending)
        return; // nothing is pending, so there is nothing to issue
    emit(c, (CollIssue){.kind = COLL_WAITALL, .n = run->n_pending - first});
    run->n_pending = first;
}

void coll_throttle(const Coll *c, int n)
{
    before_wait(c->run);
    if (G_UNLIKELY(n < 1))
        g_error("coll_throttle: %d requests are none; at least 1 is needed", n);
    if (G_UNLIKELY(c->run->n_around > 0)) // it would count the requests of the texts around this one
        g_error("coll_throttle: the texts around this one (coll_overlap) have pending requests");
    if (c->run->n_pending >= n)
        emit(c, (CollIssue){.kind = COLL_THROTTLE, .n = n});
}

Slice coll_slot(const Coll *c, int owner, int i, int readers, size_t len)
{
    const size_t room = c->par.fragment / c->elem * c->elem;
    if (G_UNLIKELY(c->par.slots < 1 || i < 0 || readers < 1 || len > room))
        g_error("coll_slot: %zu bytes of fragment %d for %d readers are not in a queue of %d slots of %zu bytes "
                "(parameters SLOTS, FRAGMENT)",
                len, i, readers, c->par.slots, room);
    return (Slice){.buf = -1 - world(c, owner),
                   .readers = readers,
                   .off = c->slots_from + (size_t)(i % c->par.slots) * room,
                   .len = len};
}

Slice coll_lent(const Coll *c, int owner, int readers, size_t len)
{
    if (G_UNLIKELY(readers < 1))
        g_error("coll_lent: %d ranks cannot read a buffer; at least 1 is needed", readers);
    return (Slice){.buf = -1 - world(c, owner), .readers = -readers, .off = c->slots_from, .len = len};
}

void coll_take_queues(Coll *c)
{
    const size_t room = c->par.fragment / c->elem * c->elem, len = MAX(c->in.len, c->out.len);
    const size_t fragments = room ? len / room + 1 : 1;
    c->flags_from = c->run->flags_taken;
    c->slots_from = c->run->slots_taken;
    // A reduction and a broadcast count the fragments once each; so do the blocks of an alltoall, which end with a
    // short fragment each.
    c->run->flags_taken += (int)(2 * fragments + (size_t)c->p + 1);
    c->run->slots_taken += room ? (size_t)c->par.slots * room : (len + c->elem - 1) / c->elem * c->elem;
}

void coll_raise(const Coll *c, int queue, int n)
{
    emit(c, (CollIssue){.kind = COLL_RAISE, .to = world(c, queue), .n = c->flags_from + n});
}

void coll_await(const Coll *c, int who, int queue, int n)
{
    before_wait(c->run);
    emit(c, (CollIssue){.kind = COLL_AWAIT, .to = world(c, queue), .from = world(c, who), .n = c->flags_from + n});
}

static bool same(Slice a, Slice b)
{
    return a.buf == b.buf && a.off == b.off && a.len == b.len;
}

void coll_copy(const Coll *c, Slice into, Slice from)
{
    if (G_UNLIKELY(into.len != from.len))
        g_error("coll_copy: %zu bytes cannot be copied into %zu bytes", from.len, into.len);
    if (from.len && !same(into, from))
        emit(c, (CollIssue){.kind = COLL_COPY, .in = &into, .out = &from});
}

bool coll_copies(const Coll *c)
{
    return !c->run->no_copies;
}

void coll_reduce(const Coll *c, Slice into, Slice left, Slice right)
{
    if (G_UNLIKELY(into.len != left.len || into.len != right.len))
        g_error("coll_reduce: the operands have %zu and %zu bytes, and the result %zu", left.len, right.len, into.len);
    // A block that is empty at this rank may hold elements at other ranks. Its reduction is issued all the same, so
    // that these ranks have equal schedules.
    if (into.len || into.cut.parts)
        emit(c, (CollIssue){.kind = COLL_REDUCE_OP, .in = &into, .out = &left, .right = &right});
}

void coll_pack(const Coll *c, Slice into, const Blocks *from, int n, const int *which)
{
    if (G_UNLIKELY(n < 0))
        g_error("coll_pack: there are no %d blocks", n);
    if (into.len)
        emit(c, (CollIssue){.kind = COLL_PACK, .in = &into, .n = n, .blocks = from, .which = which});
}

void coll_unpack(const Coll *c, const Blocks *into, int n, const int *which, Slice from)
{
    if (G_UNLIKELY(n < 0))
        g_error("coll_unpack: there are no %d blocks", n);
    if (from.len)
        emit(c, (CollIssue){.kind = COLL_UNPACK, .out = &from, .n = n, .blocks = into, .which = which});
}

Slice coll_scratch(const Coll *c, size_t len)
{
    if (G_UNLIKELY(c->run->next_scratch == INT_MAX || len > PTRDIFF_MAX - c->run->scratch))
        g_error("coll_scratch: rank %d of %d takes %zu bytes more, and has %zu already", c->rank, c->p, len,
                c->run->scratch);
    c->run->scratch += len;
    if (c->run->room)
        c->run->room(c->run, len);
    return (Slice){.buf = c->run->next_scratch++, .len = len};
}

Slice coll_scratch_if(const Coll *c, bool needed, size_t len)
{
    return needed ? coll_scratch(c, len) : (Slice){.buf = COLL_IN, .len = len};
}

Coll coll_sub(const Coll *c, int p, int rank, CollMap map)
{
    Coll sub = *c;
    sub.p = p;
    sub.rank = rank;
    sub.root = 0;
    sub.up = c;
    sub.map = map;
    sub.counts = NULL; // the counts number ranks of the whole
    sub.nodes = NULL;  // see coll_nodes
    sub.level = COLL_SAME_LEVEL;
    return sub;
}

int *coll_ints(const Coll *c, size_t n)
{
    struct CollChunk *chunk = c->run->chunks;
    if (!chunk || chunk->size - chunk->used < n) {
        if (G_UNLIKELY(n > PTRDIFF_MAX / sizeof(int) - sizeof *chunk))
            g_error("coll_ints: rank %d of %d asks for %zu integers", c->rank, c->p, n);
        const size_t size = MAX(n, 1024);
        chunk = g_malloc(sizeof *chunk + size * sizeof(int));
        *chunk = (struct CollChunk){.next = c->run->chunks, .size = size};
        c->run->chunks = chunk;
    }
    int *ints = chunk->at + chunk->used;
    chunk->used += n;
    return ints;
}

// Returns the run's table that `make` filled for these nodes, which may be NULL, and this key. *fresh becomes true if the
// table is new: it then has `bytes` bytes, and is still to be filled.
static void *find_table(CollRun *run, void (*make)(void), const CollNodes *nodes, CollKey key, size_t bytes,
                        bool *fresh)
{
    *fresh = false;
    for (struct CollTable *t = run->tables; t; t = t->next)
        if (t->make == make && t->nodes == nodes && t->key.first == key.first && t->key.second == key.second)
            return t->at;
    *fresh = true;
    struct CollTable *made = g_malloc(sizeof *made + bytes);
    *made = (struct CollTable){.next = run->tables, .make = make, .nodes = nodes, .key = key};
    run->tables = made;
    return made->at;
}

const int *coll_table(const Coll *c, void (*make)(int p, int *table), int p, size_t n)
{
    bool fresh;
    const CollKey key = {(size_t)p, 0};
    int *table = find_table(c->run, (void (*)(void))make, NULL, key, n * sizeof *table, &fresh);
    if (fresh)
        make(p, table);
    return table;
}

const int *coll_nodes_table(const Coll *c, void (*make)(const Coll *c, CollKey key, int *table), CollKey key, size_t n)
{
    bool fresh;
    int *table = find_table(c->run, (void (*)(void))make, coll_nodes(c), key, n * sizeof *table, &fresh);
    if (fresh)
        make(c, key, table);
    return table;
}

const size_t *coll_nodes_sizes(const Coll *c, void (*make)(const Coll *c, CollKey key, size_t *table), CollKey key,
                               size_t n)
{
    bool fresh;
    size_t *table = find_table(c->run, (void (*)(void))make, coll_nodes(c), key, n * sizeof *table, &fresh);
    if (fresh)
        make(c, key, table);
    return table;
}

size_t *coll_sizes(const Coll *c, size_t n)
{
    enum { INTS = sizeof(size_t) / sizeof(int) };
    if (G_UNLIKELY(n > PTRDIFF_MAX / sizeof(size_t) - 1))
        g_error("coll_sizes: rank %d of %d asks for %zu lengths", c->rank, c->p, n);
    int *ints = coll_ints(c, (n + 1) * INTS);
    while ((uintptr_t)ints % sizeof(size_t) != 0)
        ints++;
    return (size_t *)(void *)ints;
}
