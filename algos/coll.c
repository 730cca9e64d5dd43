#include "backend.h"
#include "registry.h"
#include "times.h"
#include <glib.h>
#include <string.h>

// ---- Slices and blocks ---------------------------------------------------------------------------------------------

Slice slice_at(Slice s, size_t off, size_t len)
{
    g_assert(off <= s.len && len <= s.len - off);
    return (Slice){.buf = s.buf, .off = s.off + off, .len = len};
}

Slice slice_like(Slice s, Slice like)
{
    g_assert(like.len <= s.len);
    return (Slice){.buf = s.buf, .off = s.off, .len = like.len, .cut = like.cut};
}

Blocks blocks_even(const Coll *c, Slice s, int n)
{
    g_assert(n >= 1 && s.len % c->elem == 0);
    const size_t elements = s.len / c->elem;
    return (Blocks){.all = s,
                    .n = n,
                    .size = elements / (size_t)n * c->elem,
                    .longer = (int)(elements % (size_t)n),
                    .elem = c->elem,
                    .even = true};
}

Blocks blocks_size(const Coll *c, Slice s, size_t size)
{
    if (size == 0 || s.len == 0)
        return (Blocks){.all = s, .n = 1, .elem = c->elem, .size = s.len};
    const size_t whole = MAX(size / c->elem, 1) * c->elem;
    const size_t n = (s.len - 1) / whole + 1;
    g_assert(n <= INT32_MAX);
    return (Blocks){.all = s, .n = (int)n, .elem = c->elem, .size = whole};
}

static Blocks ranks_blocks(const Coll *c, Slice s)
{
    if (!c->counts)
        return blocks_even(c, s, c->p);
    return (Blocks){.all = s, .n = c->p, .elem = c->elem, .counts = c->counts, .shift = c->counts_shift};
}

Blocks coll_in(const Coll *c)
{
    return ranks_blocks(c, c->in);
}

Blocks coll_out(const Coll *c)
{
    return ranks_blocks(c, c->out);
}

Blocks blocks_of(Slice s, const Blocks *like)
{
    Blocks b = *like;
    g_assert(s.len == like->all.len);
    b.all = s;
    return b;
}

static Slice blocks_by_counts(const Blocks *b, int i, int j)
{
    Slice s = {.buf = b->all.buf, .off = b->all.off};
    for (int k = i; k < j; k++) {
        const int number = k + b->shift < b->n ? k + b->shift : k + b->shift - b->n;
        if (k == i)
            s.off += b->counts->at[number];
        g_assert(s.off + s.len == b->all.off + b->counts->at[number]);
        s.len += b->counts->len[number];
    }
    return s;
}

// Where block i begins, relative to the whole slice; i = n is its end.
static size_t block_start(const Blocks *b, int i)
{
    const size_t start = (size_t)i * b->size + (size_t)MIN(i, b->longer) * b->elem;
    return MIN(start, b->all.len);
}

// The bytes of blocks i .. j-1 of an even cut or of counts, 0 <= i <= j <= 2n, where block n + k is block k.
static size_t bytes_around(const Blocks *b, int i, int j)
{
    size_t len = 0;
    if (j > b->n)
        return bytes_around(b, MIN(i, b->n), b->n) + bytes_around(b, MAX(i, b->n) - b->n, j - b->n);
    if (!b->counts)
        return block_start(b, j) - block_start(b, i);
    for (int k = i; k < j; k++)
        len += b->counts->len[(k + b->shift) % b->n];
    return len;
}

Blocks blocks_turned(const Coll *c, const Blocks *like, int first)
{
    g_assert(0 <= first && first < like->n);
    Blocks b = *like;
    b.all = coll_scratch(c, bytes_around(like, 0, like->n));
    b.turned = true;
    b.turn = first;
    return b;
}

Slice blocks(const Blocks *b, int i, int j)
{
    g_assert(0 <= i && i <= j && j <= b->n);
    if (b->turned)
        return slice_at(b->all, bytes_around(b, b->turn, b->turn + i), bytes_around(b, b->turn + i, b->turn + j));
    if (b->counts)
        return blocks_by_counts(b, i, j);
    const size_t start = block_start(b, i);
    Slice s = {.buf = b->all.buf, .off = b->all.off + start, .len = block_start(b, j) - start};
    if (b->even) {
        s.cut.first = i;
        s.cut.count = j - i;
        s.cut.parts = b->n;
        s.cut.whole = b->all.len;
    }
    return s;
}

size_t blocks_longest(const Blocks *b)
{
    size_t longest = 0;
    for (int i = 0; i < (b->counts ? b->n : 1); i++)
        longest = MAX(longest, block(b, i).len);
    return longest;
}

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

// ---- Groups, calls, needs ------------------------------------------------------------------------------------------

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

static bool pow2_holds(const Coll *c)
{
    return is_pow2(c->p);
}
static bool even_holds(const Coll *c)
{
    return c->p % 2 == 0;
}
static bool two_holds(const Coll *c)
{
    return c->p == 2;
}
static bool commutative_holds(const Coll *c)
{
    return c->commutative;
}
static bool fragment_holds(const Coll *c)
{
    return c->elem <= c->par.fragment;
}
// The vector: what is reduced, or broadcast.
static bool count_p_holds(const Coll *c)
{
    return c->in.len / c->elem >= (size_t)c->p;
}
static bool count_pow2_holds(const Coll *c)
{
    return c->in.len / c->elem >= (size_t)pow2_floor(c->p);
}

const CollNeed need_pow2 = {pow2_holds, "p is no power of two", "p a power of two"};
const CollNeed need_even = {even_holds, "p is odd", "p even"};
const CollNeed need_two = {two_holds, "p is not 2", "p = 2"};
const CollNeed need_commutative = {commutative_holds, "not commutative", "a commutative operation"};
const CollNeed need_fragment = {fragment_holds, "an element is larger than a fragment", "element <= fragment"};
const CollNeed need_count_p = {count_p_holds, "count < p", "count >= p"};
const CollNeed need_count_pow2 = {count_pow2_holds, "count < 2^floor(log2 p)", "count >= 2^floor(log2 p)"};

int same_always(const Coll *c)
{
    (void)c;
    return 0;
}
int same_pow2(const Coll *c)
{
    return is_pow2(c->p) ? 0 : coll_v(c);
}
int same_even(const Coll *c)
{
    return c->in.len / c->elem % (size_t)c->p == 0 ? 0 : coll_v(c);
}
int same_pow2_even(const Coll *c)
{
    return is_pow2(c->p) ? same_even(c) : coll_v(c);
}
int same_linear(const Coll *c)
{
    return MIN(coll_v(c), 1);
}

const char *const coll_prestep_names[] = {"ompi", "mpich", NULL};

int log2_floor(int x)
{
    return 31 - __builtin_clz((unsigned)x);
}
int log2_ceil(int x)
{
    return x <= 1 ? 0 : log2_floor(x - 1) + 1;
}
int pow2_floor(int x)
{
    return 1 << log2_floor(x);
}
bool is_pow2(int x)
{
    return (x & (x - 1)) == 0;
}

int pow_floor(int x, int k)
{
    int64_t power = 1;
    while (power * k <= x)
        power *= k;
    return (int)power;
}

int knomial_rounds(int p, int k)
{
    return knomial_children(0, p, k);
}

int binary_rounds(int p)
{
    const int f = log2_floor(p);
    return p == 2 ? 1 : MAX(2 * f - 2, f + log2_floor(p + 1 - (1 << f)));
}
