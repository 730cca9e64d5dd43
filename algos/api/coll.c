// One rank's view of an operation: what it does becomes operations of the backend, in its run.
#include "api/backend.h"
#include "registry/registry.h"
#include "times/times.h"
#include <glib.h>
#include <string.h>

// ---- Operations ----------------------------------------------------------------------------------------------------

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
    for (; c->up; c = c->up)
        r = c->map(c->up, r);
    return r;
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

CollOp coll_keep(const CollIssue *op)
{
    return (CollOp){.kind = op->kind,
                    .to = op->to,
                    .from = op->from,
                    .out = *op->out,
                    .in = *op->in,
                    .right = *op->right,
                    .n = op->n,
                    .blocks = op->blocks,
                    .which = op->which};
}

void coll_send_slice(const Coll *c, int to, const Slice *s)
{
    emit(c, (CollIssue){.kind = COLL_SEND, .to = coll_world(c, to), .out = s});
}

void coll_recv_slice(const Coll *c, int from, const Slice *s)
{
    emit(c, (CollIssue){.kind = COLL_RECV, .from = coll_world(c, from), .in = s});
}

void coll_sendrecv_slices(const Coll *c, int to, const Slice *s, int from, const Slice *r)
{
    if (to == c->rank && from == c->rank)
        coll_copy(c, *r, *s);
    else
        emit(c, (CollIssue){
                    .kind = COLL_SENDRECV, .to = coll_world(c, to), .from = coll_world(c, from), .out = s, .in = r});
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

static CollReq new_request(CollRun *run)
{
    if (run->n_pending == run->max_pending) {
        run->max_pending = MAX(16, 2 * run->max_pending);
        run->pending = g_renew(int, run->pending, run->max_pending);
    }
    return run->pending[run->n_pending++] = run->next_request++;
}

CollReq coll_isend(const Coll *c, int to, Slice s)
{
    emit(c, (CollIssue){.kind = COLL_ISEND, .to = coll_world(c, to), .out = &s});
    return new_request(c->run);
}

CollReq coll_irecv(const Coll *c, int from, Slice s)
{
    emit(c, (CollIssue){.kind = COLL_IRECV, .from = coll_world(c, from), .in = &s});
    return new_request(c->run);
}

CollReq coll_mark(const Coll *c)
{
    return c->run->next_request;
}

void coll_wait(const Coll *c, CollReq r)
{
    CollRun *run = c->run;
    int i = run->n_pending - 1;
    while (i >= 0 && run->pending[i] != r)
        i--;
    if (i < 0)
        return; // waited for already
    emit(c, (CollIssue){.kind = COLL_WAIT, .n = run->n_pending - 1 - i});
    memmove(run->pending + i, run->pending + i + 1, (size_t)(--run->n_pending - i) * sizeof *run->pending);
}

void coll_waitall(const Coll *c, CollReq from)
{
    CollRun *run = c->run;
    int first = run->n_pending;
    while (first > 0 && run->pending[first - 1] >= from)
        first--;
    if (first == run->n_pending)
        return; // a wait for nothing is none
    emit(c, (CollIssue){.kind = COLL_WAITALL, .n = run->n_pending - first});
    run->n_pending = first;
}

void coll_throttle(const Coll *c, int n)
{
    g_assert(n >= 1);
    if (c->run->n_pending >= n)
        emit(c, (CollIssue){.kind = COLL_THROTTLE, .n = n});
}

Slice coll_slot(const Coll *c, int owner, int i, int readers, size_t len)
{
    const size_t room = c->par.fragment / c->elem * c->elem;
    g_assert(i >= 0 && readers >= 1 && len <= room);
    return (Slice){
        .buf = -1 - coll_world(c, owner), .readers = readers, .off = (size_t)(i % c->par.slots) * room, .len = len};
}

void coll_raise(const Coll *c, int queue, int n)
{
    emit(c, (CollIssue){.kind = COLL_RAISE, .to = coll_world(c, queue), .n = n});
}

void coll_await(const Coll *c, int who, int queue, int n)
{
    emit(c, (CollIssue){.kind = COLL_AWAIT, .to = coll_world(c, queue), .from = coll_world(c, who), .n = n});
}

static bool same(Slice a, Slice b)
{
    return a.buf == b.buf && a.off == b.off && a.len == b.len;
}

void coll_copy(const Coll *c, Slice into, Slice from)
{
    g_assert(into.len == from.len);
    if (from.len && !same(into, from))
        emit(c, (CollIssue){.kind = COLL_COPY, .in = &into, .out = &from});
}

void coll_reduce(const Coll *c, Slice into, Slice left, Slice right)
{
    g_assert(into.len == left.len && into.len == right.len);
    // A block of a cut that is empty here is not empty at every rank: these still do the same.
    if (into.len || into.cut.parts)
        emit(c, (CollIssue){.kind = COLL_REDUCE_OP, .in = &into, .out = &left, .right = &right});
}

void coll_pack(const Coll *c, Slice into, const Blocks *from, int n, const int *which)
{
    if (into.len)
        emit(c, (CollIssue){.kind = COLL_PACK, .in = &into, .n = n, .blocks = from, .which = which});
}

void coll_unpack(const Coll *c, const Blocks *into, int n, const int *which, Slice from)
{
    if (from.len)
        emit(c, (CollIssue){.kind = COLL_UNPACK, .out = &from, .n = n, .blocks = into, .which = which});
}

Slice coll_scratch(const Coll *c, size_t len)
{
    c->run->scratch += len;
    if (c->run->room)
        c->run->room(c->run, len);
    return (Slice){.buf = c->run->next_scratch++, .len = len};
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

struct CollChunk {
    struct CollChunk *next;
    size_t used, size;
    int at[];
};

int *coll_ints(const Coll *c, size_t n)
{
    struct CollChunk *chunk = c->run->chunks;
    if (!chunk || chunk->size - chunk->used < n) {
        const size_t size = MAX(n, 1024);
        chunk = g_malloc(sizeof *chunk + size * sizeof(int));
        *chunk = (struct CollChunk){.next = c->run->chunks, .size = size};
        c->run->chunks = chunk;
    }
    int *ints = chunk->at + chunk->used;
    chunk->used += n;
    return ints;
}

static void free_chunks(struct CollChunk *chunk)
{
    while (chunk) {
        struct CollChunk *next = chunk->next;
        g_free(chunk);
        chunk = next;
    }
}

void coll_run_init(CollRun *run, void (*emit_op)(CollRun *run, const CollIssue *op))
{
    *run = (CollRun){.emit = emit_op, .next_scratch = COLL_FIRST_SCRATCH};
}

void coll_run_reset(CollRun *run)
{
    run->next_request = run->n_pending = 0;
    run->next_scratch = COLL_FIRST_SCRATCH;
    run->scratch = 0;
    if (run->chunks) { // one is kept for the next rank
        free_chunks(run->chunks->next);
        run->chunks->next = NULL;
        run->chunks->used = 0;
    }
}

void coll_run_clear(CollRun *run)
{
    free_chunks(run->chunks);
    g_free(run->pending);
    run->chunks = NULL;
    run->pending = NULL;
}

Coll coll_make(Collective collective, const Coll *of, int rank, size_t m, CollRun *run)
{
    Coll c = *of;
    const size_t all = c.counts ? c.counts->at[c.p] : m * (size_t)c.p, mine = c.counts ? c.counts->len[rank] : m;
    c.rank = rank;
    c.run = run;
    c.up = NULL;
    c.in = (Slice){.buf = COLL_IN, .len = m};
    c.out = (Slice){.buf = COLL_OUT, .len = m};
    switch (collective) {
    case COLL_BARRIER:
        c.out.len = 0;
        // fall through
    case COLL_BCAST:
        c.in = c.out;
        break;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_GATHER:
    case COLL_GATHERV:
        c.in.len = mine;
        c.out.len = all;
        break;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        c.in.len = all;
        c.out.len = mine;
        break;
    case COLL_ALLTOALLV:
        c.counts_shift = rank;
        // fall through
    case COLL_ALLTOALL:
        c.in.len = c.out.len = all;
        break;
    case COLL_REDUCE_SCATTER_BLOCK:
        c.in.len = all;
        break;
    case COLL_REDUCE_SCATTER: {
        c.in.len = c.counts ? all : m;
        const Blocks b = coll_in(&c);
        c.out.len = block(&b, rank).len;
        break;
    }
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_SCAN:
    case COLL_EXSCAN:
    case N_COLLECTIVES:
        break;
    }
    return c;
}

void coll_in_place(Coll *c, Collective collective)
{
    const bool at_root = c->rank == c->root, gather = collective == COLL_GATHER || collective == COLL_GATHERV;
    const bool scatter = collective == COLL_SCATTER || collective == COLL_SCATTERV;
    const Blocks in = coll_in(c), out = coll_out(c);
    if (collective == COLL_ALLGATHER || collective == COLL_ALLGATHERV || (gather && at_root))
        c->in = slice_like(block(&out, c->rank), c->in);
    else if (scatter && at_root)
        c->out = slice_like(block(&in, c->rank), c->out);
    else if (collectives[collective].reduces && (collective != COLL_REDUCE || at_root))
        c->in = c->out;
}

// ---- Groups and calls ---------------------------------------------------------------------------------------------

Coll coll_sub(const Coll *c, int p, int rank, CollMap map)
{
    Coll sub = *c;
    sub.p = p;
    sub.rank = rank;
    sub.root = 0;
    sub.up = c;
    sub.map = map;
    sub.counts = NULL; // these are of the whole
    sub.per_node = 0;
    return sub;
}

// What a fallback gets: the values of the parameters that it shares, and its defaults for the others.
static CollParams params_for(const CollAlgorithm *other, const CollAlgorithm *a, const CollParams *par)
{
    CollParams result = algorithm_defaults(other);
    for (int i = 0; i < COLL_MAX_PARAMS && other->params[i].name; i++)
        for (int j = 0; j < COLL_MAX_PARAMS && a->params[j].name; j++)
            if (strcmp(other->params[i].name, a->params[j].name) == 0)
                param_set(&other->params[i], &result, param_get(&a->params[j], par));
    return result;
}

const CollAlgorithm *coll_resolve(const CollAlgorithm *a, Coll *c, const char **why)
{
    for (int i = 0; i < COLL_MAX_NEEDS && a->needs[i]; i++) {
        if (a->needs[i]->holds(c))
            continue;
        *why = a->needs[i]->otherwise;
        if (!a->otherwise)
            return NULL;
        const char *nested;
        const CollAlgorithm *other = algorithm_find(a->collective, a->otherwise);
        c->par = params_for(other, a, &c->par);
        return coll_resolve(other, c, &nested);
    }
    return a;
}

void coll_call(const Coll *c, const CollAlgorithm *algorithm)
{
    Coll view = *c;
    view.par = algorithm_defaults(algorithm);
    const char *why;
    const CollAlgorithm *a = coll_resolve(algorithm, &view, &why);
    g_assert(a); // a composition asks for parts that can run on its groups
    a->run(&view);
}

bool coll_can(const Coll *c, const CollAlgorithm *algorithm)
{
    Coll view = *c;
    view.par = algorithm_defaults(algorithm);
    const char *why;
    return coll_resolve(algorithm, &view, &why) != NULL;
}

int call_same(const Coll *c, const CollAlgorithm *algorithm)
{
    Coll view = *c;
    view.par = algorithm_defaults(algorithm);
    const char *why;
    const CollAlgorithm *a = coll_resolve(algorithm, &view, &why);
    return a && a->same_as && a->peers == PEERS_SHIFT ? a->same_as(&view) : coll_v(c);
}

int64_t call_time(const CollPoint *x, const CollAlgorithm *algorithm, int p, int64_t m)
{
    const int per_node = p == x->p ? x->per_node : 0; // nothing is known of nodes within groups
    const Coll all = {
        .p = p, .elem = 1, .commutative = true, .per_node = per_node, .par = algorithm_defaults(algorithm)};
    Coll view = coll_make(algorithm->collective, &all, 0, (size_t)m, NULL);
    const char *why;
    const CollAlgorithm *a = coll_resolve(algorithm, &view, &why);
    CollPoint y = *x;
    y.p = p;
    y.m = algorithm->collective == COLL_REDUCE_SCATTER_BLOCK ? m * p : m;
    y.per_node = per_node;
    y.par = view.par;
    return p == 1 ? 0 : a && a->formula ? a->formula(&y) : -1;
}
