#include "judge/prove/mutant_rules.h"
#include <glib.h>
#include <string.h>

const char *const rule_names[N_RULES] = {
    [DIFFERENT] = "none",
    [REPEATS] = "repeats",
    [UNUSED] = "unused",
    [THROTTLES] = "throttles",
    [SUMS] = "sums",
    [SWAP_LOCAL] = "local work",
    [SWAP_REQUESTS] = "two requests",
    [SWAP_WAITS] = "a wait",
    [SWAP_MESSAGES] = "messages",
    [ORDERED] = "order by flags",
};

// ---- Where an element comes from ---------------------------------------------------------------------------------

// Where a value comes from: operation `op` of the rank wrote it to this buffer at byte `off`, or it was there at first
// (op = -1).
typedef struct Origin {
    int rank, op, buf;
    size_t off;
} Origin;

static bool contains(Slice s, int buf, size_t off)
{
    return s.buf == buf && off >= s.off && off - s.off < s.len;
}

// Returns true if the operation writes the element at byte `off` of the buffer. Then *a is the slice that contains the
// element, and *i the slice's number as in contents_access.
static bool writes(const CollOp *op, int buf, size_t off, ContentsAccess *a, int *i)
{
    for (*i = 0; contents_access(op, *i, a); ++*i)
        if (a->write && contains(a->slice, buf, off))
            return true;
    return false;
}

static bool packs(const CollOp *op)
{
    return op->kind == COLL_PACK || op->kind == COLL_UNPACK;
}

// One of the copies that a pack or unpack consists of.
typedef struct PackedCopy {
    Slice from, to;
} PackedCopy;

// Returns copy j of a pack or unpack. *rest is what is left of its contiguous slice: all of it if j = 0, and afterwards
// what the copies behind j have.
static PackedCopy packed_copy(const CollOp *op, int j, Slice *rest)
{
    if (j == 0)
        *rest = op->kind == COLL_PACK ? op->in : op->out;
    const Slice b = block(op->blocks, op->which[j]), part = slice_at(*rest, 0, b.len);
    *rest = slice_at(*rest, b.len, rest->len - b.len);
    return op->kind == COLL_PACK ? (PackedCopy){.from = b, .to = part} : (PackedCopy){.from = part, .to = b};
}

// Returns a slice that begins with the element that a pack or unpack copies to this place.
static Slice packed_from(const CollOp *op, int buf, size_t off)
{
    Slice rest;
    for (int j = 0; j < op->n; j++) {
        const PackedCopy x = packed_copy(op, j, &rest);
        if (contains(x.to, buf, off))
            return slice_at(x.from, off - x.to.off, x.to.len - (off - x.to.off));
    }
    g_error("a pack or unpack does not write byte %zu of buffer %d", off, buf);
}

// Returns the origin of what the rank holds in this place before its operation i. Copies, also those of a pack or
// unpack, and messages are followed to their sources. A reduction is an origin.
static Origin origin(const Contents *c, const Messages *ms, int rank, int i, int buf, size_t off)
{
    ContentsAccess a;
    int which;
    while (--i >= 0) {
        const CollOp *op = &c->rank[rank].op[i];
        if (!writes(op, buf, off, &a, &which))
            continue;
        const size_t within = off - a.slice.off;
        if (op->kind == COLL_COPY && !is_slot(op->out)) { // a slot may have been written again
            buf = op->out.buf;
            off = op->out.off + within;
        } else if (packs(op)) {
            const Slice from = packed_from(op, buf, off);
            buf = from.buf;
            off = from.off;
        } else if (contents_receives(op)) {
            const ContentsMessage *m = &ms->of[ms->in[ms->first[rank] + i]];
            const Slice sent = c->rank[m->src].op[m->src_op].out;
            rank = m->src;
            i = m->src_op;
            buf = sent.buf;
            off = sent.off + within;
        } else {
            break;
        }
    }
    return (Origin){rank, i, buf, off};
}

// Returns true if the two values are equal: they have the same origin, or are reductions of equal operands.
static bool same_value(const Contents *c, const Messages *ms, Origin a, Origin b)
{
    if (a.rank == b.rank && a.op == b.op && a.buf == b.buf && a.off == b.off)
        return true;
    if (a.op < 0 || b.op < 0)
        return false;
    const CollOp *x = &c->rank[a.rank].op[a.op], *y = &c->rank[b.rank].op[b.op];
    if (x->kind != COLL_REDUCE_OP || y->kind != COLL_REDUCE_OP)
        return false;
    const size_t i = a.off - x->in.off, j = b.off - y->in.off;
    return same_value(c, ms, origin(c, ms, a.rank, a.op, x->out.buf, x->out.off + i),
                      origin(c, ms, b.rank, b.op, y->out.buf, y->out.off + j)) &&
           same_value(c, ms, origin(c, ms, a.rank, a.op, x->right.buf, x->right.off + i),
                      origin(c, ms, b.rank, b.op, y->right.buf, y->right.off + j));
}

// Returns true if the value is scratch that was never written.
static bool is_poison(const Origin *o)
{
    return o->op < 0 && o->buf >= COLL_FIRST_SCRATCH;
}

// Returns true if the rank holds the same value in this place before and after its operation i.
static bool repeats_at(const Contents *c, const Messages *ms, int rank, int i, int buf, size_t off)
{
    const Origin before = origin(c, ms, rank, i, buf, off), after = origin(c, ms, rank, i + 1, buf, off);
    return (is_poison(&before) && is_poison(&after)) || same_value(c, ms, before, after);
}

// Returns true if the last `elements` elements that the operation writes, in each slice, are there already.
static bool repeats(const Contents *c, const Messages *ms, int rank, int i, size_t elements)
{
    const CollOp *op = &c->rank[rank].op[i];
    ContentsAccess a;
    for (int j = 0; contents_access(op, j, &a); j++) {
        const size_t n = a.slice.len / c->of.elem;
        for (size_t e = n - MIN(n, elements); a.write && e < n; e++)
            if (!repeats_at(c, ms, rank, i, a.slice.buf, a.slice.off + e * c->of.elem))
                return false;
    }
    return true;
}

static bool unused(const Contents *c, const Messages *ms, int rank, int i, bool known, int buf, size_t off);

// Returns true if operation i of the rank, a pack or unpack, copies the element in this place to one where it has an
// effect.
static bool packed_on(const Contents *c, const Messages *ms, int rank, int i, bool known, int buf, size_t off)
{
    const CollOp *op = &c->rank[rank].op[i];
    Slice rest;
    for (int j = 0; j < op->n; j++) {
        const PackedCopy x = packed_copy(op, j, &rest);
        if (contains(x.from, buf, off) && !unused(c, ms, rank, i, known, x.to.buf, x.to.off + (off - x.from.off)))
            return true;
    }
    return false;
}

// Returns true if operation i of the rank reads the element in this place and makes something of it that has an effect.
// `known` says that the element is not poison, so that a reduction may read it.
static bool passed_on(const Contents *c, const Messages *ms, int rank, int i, bool known, int buf, size_t off)
{
    const CollOp *op = &c->rank[rank].op[i];
    ContentsAccess a;
    for (int j = 0; contents_access(op, j, &a); j++) {
        if (a.write || !contains(a.slice, buf, off))
            continue;
        const size_t within = off - a.slice.off;
        if (contents_sends(op)) {
            const ContentsMessage *m = &ms->of[ms->out[ms->first[rank] + i]];
            const Slice in = c->rank[m->dst].op[m->dst_op].in;
            if (!unused(c, ms, m->dst, m->dst_op, known, in.buf, in.off + within))
                return true;
        } else if (packs(op)) {
            return packed_on(c, ms, rank, i, known, buf, off);
        } else if ((op->kind == COLL_REDUCE_OP && !known) ||
                   !unused(c, ms, rank, i, known, op->in.buf, op->in.off + within)) {
            return true;
        }
    }
    return false;
}

// Returns true if what the rank holds in this place after operation i has no effect: it is overwritten, or the run
// ends, before a result or something else with an effect is made of it.
static bool unused(const Contents *c, const Messages *ms, int rank, int i, bool known, int buf, size_t off)
{
    const ContentsRank *r = &c->rank[rank];
    ContentsAccess a;
    int which;
    if (buf < 0)
        return false; // other ranks may read a slot
    while (++i < r->n) {
        if (passed_on(c, ms, rank, i, known, buf, off))
            return false;
        if (writes(&r->op[i], buf, off, &a, &which))
            return true;
    }
    return !contains(r->out, buf, off);
}

// Returns true if what the rank holds in this place before its operation i is certainly not poison.
static bool is_known(const Contents *c, const Messages *ms, int rank, int i, int buf, size_t off)
{
    const Origin o = origin(c, ms, rank, i, buf, off);
    return o.op >= 0 || o.buf == COLL_IN || (o.buf == COLL_OUT && c->of.in_place);
}

// Returns true if the last `elements` elements that operation i writes in each slice may stay as they are before the
// rank's operation `from`, because they have no effect. With `may_repeat`, an element may also be there already.
static bool writes_unused(const Contents *c, const Messages *ms, int rank, int i, size_t elements, int from,
                          bool may_repeat)
{
    const CollOp *op = &c->rank[rank].op[i];
    ContentsAccess a;
    for (int j = 0; contents_access(op, j, &a); j++) {
        const size_t n = a.slice.len / c->of.elem;
        for (size_t e = n - MIN(n, elements); a.write && e < n; e++) {
            const size_t off = a.slice.off + e * c->of.elem;
            if (!(may_repeat && repeats_at(c, ms, rank, i, a.slice.buf, off)) &&
                !unused(c, ms, rank, i, is_known(c, ms, rank, from, a.slice.buf, off), a.slice.buf, off))
                return false;
        }
    }
    return true;
}

// Returns true if operation i has no effect, even if it finds what was there before operation `from`: what it writes,
// or its receiver writes, is unused, and what it reads is not poison.
static bool all_unused(const Contents *c, const Messages *ms, int rank, int i, int from)
{
    const CollOp *op = &c->rank[rank].op[i];
    ContentsAccess a;
    if (!writes_unused(c, ms, rank, i, SIZE_MAX, from, false))
        return false;
    if (contents_sends(op)) {
        const ContentsMessage *m = &ms->of[ms->out[ms->first[rank] + i]];
        if (!writes_unused(c, ms, m->dst, m->dst_op, SIZE_MAX, m->dst_op, false))
            return false;
    }
    for (int j = 0; contents_access(op, j, &a); j++)
        for (size_t e = 0; !a.write && e < a.slice.len; e += c->of.elem)
            if (!is_known(c, ms, rank, from, a.slice.buf, a.slice.off + e))
                return false;
    return true;
}

Rule rule_of_missing_writes(const Contents *c, const Messages *ms, int rank, int i, size_t elements)
{
    const CollOp *op = &c->rank[rank].op[i];
    if (op->kind == COLL_THROTTLE)
        return THROTTLES;
    const bool moves = op->kind == COLL_COPY || packs(op) || (contents_receives(op) && elements < SIZE_MAX);
    if (moves && repeats(c, ms, rank, i, elements))
        return REPEATS;
    if ((moves || op->kind == COLL_REDUCE_OP) && writes_unused(c, ms, rank, i, elements, i, true))
        return UNUSED;
    return DIFFERENT;
}

// ---- Dependencies between operations, for deadlocks and barriers --------------------------------------------------

// A graph with two nodes for each operation, its beginning and its end. A node depends on what must happen before it.
typedef struct Graph {
    const Contents *c;
    Messages ms;
    bool synchronous; // whether the end of a send depends on its receive
    int **waiter;     // of each rank, see waiters()
    char *mark;       // of each node: 0 unvisited, 1 on the path that is being followed, 2 done
} Graph;

// Returns, for each operation of the rank that posts a request, the operation that waits for the request, and -1 for
// all others. Free with g_free.
static int *waiters(const ContentsRank *r)
{
    int *waiter = g_new(int, r->n + 1), n_pending = 0;
    g_autofree int *pending = g_new(int, r->n + 1);
    for (int i = 0; i < r->n; i++) {
        const CollOp *op = &r->op[i];
        waiter[i] = -1;
        if (op->kind == COLL_ISEND || op->kind == COLL_IRECV)
            pending[n_pending++] = i;
        if (op->kind == COLL_WAITALL)
            for (int j = 0; j < op->n; j++)
                waiter[pending[--n_pending]] = i;
        if (op->kind == COLL_WAIT) {
            const int at = --n_pending - op->n;
            waiter[pending[at]] = i;
            memmove(pending + at, pending + at + 1, (size_t)op->n * sizeof *pending);
        }
    }
    return waiter;
}

// Follows everything that a node (the beginning or the end of operation i) depends on, and marks it. Returns true if
// there is a circle.
static bool circular(Graph *g, int rank, int i, bool end)
{
    if (i < 0)
        return false;
    char *mark = &g->mark[2 * (g->ms.first[rank] + i) + end];
    if (*mark)
        return *mark == 1;
    *mark = 1;
    bool found = end ? circular(g, rank, i, false) : circular(g, rank, i - 1, true);
    for (int j = 0; end && !found && j < g->c->rank[rank].n; j++) {
        const CollOp *op = &g->c->rank[rank].op[j];
        const bool request = op->kind == COLL_ISEND || op->kind == COLL_IRECV;
        if (request ? g->waiter[rank][j] != i : j != i)
            continue;
        if (contents_receives(op)) {
            const ContentsMessage *m = &g->ms.of[g->ms.in[g->ms.first[rank] + j]];
            found = circular(g, m->src, m->src_op, false);
        }
        if (!found && contents_sends(op) && g->synchronous) {
            const ContentsMessage *m = &g->ms.of[g->ms.out[g->ms.first[rank] + j]];
            found = circular(g, m->dst, m->dst_op, false);
        }
    }
    *mark = 2;
    return found;
}

// Returns true if the rank's end depends, by messages, on the beginning of every other rank.
static bool hears_of_all(Graph *g, int rank, size_t n_nodes)
{
    memset(g->mark, 0, n_nodes);
    circular(g, rank, g->c->rank[rank].n - 1, true);
    for (int r = 0; r < g->c->of.p; r++)
        if (r != rank && !g->mark[2 * g->ms.first[r]])
            return false;
    return true;
}

// Returns true if synchronous sends cause no deadlock, and a barrier still works as one. contents_rules() must hold for
// every rank.
static bool still_runs(const Contents *c)
{
    const int p = c->of.p;
    Graph g = {.c = c, .synchronous = true, .waiter = g_new(int *, p)};
    g_autofree char *error = messages_match(c, &g.ms);
    bool runs = !error;
    const size_t n_nodes = 2 * (size_t)(g.ms.first[p - 1] + c->rank[p - 1].n);
    g.mark = g_malloc0(n_nodes);
    for (int r = 0; r < p; r++)
        g.waiter[r] = waiters(&c->rank[r]);
    for (int r = 0; runs && r < p; r++)
        runs = !circular(&g, r, c->rank[r].n - 1, true);
    g.synchronous = false;
    for (int r = 0; runs && r < p && c->of.algorithm->collective == COLL_BARRIER; r++)
        runs = hears_of_all(&g, r, n_nodes);
    for (int r = 0; r < p; r++)
        g_free(g.waiter[r]);
    g_free(g.waiter);
    g_free(g.mark);
    messages_clear(&g.ms);
    return runs;
}

// ---- Swaps -------------------------------------------------------------------------------------------------------

static bool same_slice(Slice a, Slice b)
{
    return a.len == b.len && (a.len == 0 || (a.buf == b.buf && a.off == b.off));
}

// Returns true if the operation is a reduction that adds something to a slice, on its left or right, and that something
// does not overlap the slice.
static bool adds(const CollOp *op)
{
    const ContentsAccess sum = {op->in, true}, left = {op->out, false}, right = {op->right, false};
    if (op->kind != COLL_REDUCE_OP)
        return false;
    return (same_slice(op->in, op->out) && !contents_conflict(&sum, &right)) ||
           (same_slice(op->in, op->right) && !contents_conflict(&sum, &left));
}

// One of operations i and i+1 writes a slice, and the other reads one that overlaps it (a belongs to i, b to i+1).
// Returns true if the reader may come on the other side of the writer: the writer repeats what is there, or nothing
// with an effect is made of what is read.
static bool reads_as_good(const Contents *c, const Messages *ms, int rank, int i, const ContentsAccess *a,
                          const ContentsAccess *b)
{
    const size_t first = MAX(a->slice.off, b->slice.off);
    const size_t end = MIN(a->slice.off + a->slice.len, b->slice.off + b->slice.len);
    const int buf = a->slice.buf, writer = a->write ? i : i + 1, reader = a->write ? i + 1 : i;
    for (size_t off = first; off < end; off += c->of.elem) {
        const bool known = reader == i || is_known(c, ms, rank, i, buf, off);
        if (!repeats_at(c, ms, rank, writer, buf, off) && passed_on(c, ms, rank, reader, known, buf, off))
            return false;
    }
    return true;
}

// Returns true if operations i and i+1 of the original c are independent, as the SWAP_ rules define it.
static bool independent(const Contents *c, const Messages *ms, int rank, int i)
{
    const CollOp *op = c->rank[rank].op;
    const bool futile = all_unused(c, ms, rank, i, i) && all_unused(c, ms, rank, i + 1, i);
    ContentsAccess a, b;
    for (int j = 0; contents_access(&op[i], j, &a); j++)
        for (int k = 0; contents_access(&op[i + 1], k, &b); k++)
            if (!futile && contents_conflict(&a, &b) &&
                ((a.write && b.write) || !reads_as_good(c, ms, rank, i, &a, &b)))
                return false;
    const CollOp *x = &op[i], *y = &op[i + 1];
    // Nothing distinguishes two empty messages between the same ranks.
    return !(contents_sends(x) && contents_sends(y) && x->to == y->to && x->out.len + y->out.len > 0) &&
           !(contents_receives(x) && contents_receives(y) && x->from == y->from && x->in.len + y->in.len > 0);
}

static Rule kind_of_swap(const CollOp *a, const CollOp *b)
{
    const CollOp *both[] = {a, b};
    bool local = false, wait = false, blocks = false;
    for (int i = 0; i < 2; i++) {
        const CollOpKind kind = both[i]->kind;
        wait |= kind == COLL_WAIT || kind == COLL_WAITALL || kind == COLL_THROTTLE;
        blocks |= kind == COLL_SEND || kind == COLL_RECV || kind == COLL_SENDRECV;
        local |= kind >= COLL_REDUCE_OP;
    }
    return local ? SWAP_LOCAL : wait ? SWAP_WAITS : blocks ? SWAP_MESSAGES : SWAP_REQUESTS;
}

Rule rule_of_swap(Contents *c, const Original *before, int rank, int i, CollOp *original)
{
    const CollOp *a = &original[i], *b = &original[i + 1];
    const bool sides = same_slice(a->in, a->out) != same_slice(b->in, b->out);
    if (adds(a) && adds(b) && same_slice(a->in, b->in) && (c->of.commutative || sides))
        return SUMS;
    CollOp *swapped = c->rank[rank].op;
    c->rank[rank].op = original;
    const bool commute = independent(c, &before->ms, rank, i);
    c->rank[rank].op = swapped;
    if (!commute)
        return DIFFERENT;
    if (c->of.algorithm->shared) {
        g_autofree int *was = g_new(int, c->rank[rank].n);
        for (int k = 0; k < c->rank[rank].n; k++)
            was[k] = k == i ? i + 1 : k == i + 1 ? i : k;
        return story_holds(c, before->story, rank, was) ? ORDERED : DIFFERENT;
    }
    g_autofree char *broken = contents_rules(c, rank);
    return !broken && still_runs(c) ? kind_of_swap(a, b) : DIFFERENT;
}
