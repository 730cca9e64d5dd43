#include "mutant_rules.h"
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

// The element at this byte of this buffer as operation `op` of the rank made it; -1: as it was at first.
typedef struct Origin {
    int rank, op, buf;
    size_t off;
} Origin;

// Does the operation write the element? Then *a is the slice that has it.
static bool writes(const CollOp *op, int buf, size_t off, ContentsAccess *a, int *i)
{
    for (*i = 0; contents_access(op, *i, a); ++*i)
        if (a->write && a->slice.buf == buf && off >= a->slice.off && off - a->slice.off < a->slice.len)
            return true;
    return false;
}

// Traces back what the rank holds there before its operation i: through copies and messages, not through reductions,
// nor packs (which then are the same only as themselves).
static Origin origin(const Contents *c, const Messages *ms, int rank, int i, int buf, size_t off)
{
    ContentsAccess a;
    int which;
    while (--i >= 0) {
        const CollOp *op = &c->rank[rank].op[i];
        if (!writes(op, buf, off, &a, &which))
            continue;
        const size_t within = off - a.slice.off;
        if (op->kind == COLL_COPY && !is_slot(op->out)) { // a slot is not what it was the last time
            buf = op->out.buf;
            off = op->out.off + within;
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

// Are the two the same: the same element of an input, or the same reduction, perhaps made by two ranks of the same?
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

// What was never written is poison, wherever it comes from.
static bool is_poison(const Origin *o)
{
    return o->op < 0 && o->buf >= COLL_FIRST_SCRATCH;
}

// Is what operation i of the rank writes there already?
static bool repeats_at(const Contents *c, const Messages *ms, int rank, int i, int buf, size_t off)
{
    const Origin before = origin(c, ms, rank, i, buf, off), after = origin(c, ms, rank, i + 1, buf, off);
    return (is_poison(&before) && is_poison(&after)) || same_value(c, ms, before, after);
}

// Are the last `elements` elements that the operation writes there already? Of what it writes in one slice.
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

// Has it an effect by what operation i of the rank makes of it? `known`: it is no poison, so reductions may be made of it.
static bool passed_on(const Contents *c, const Messages *ms, int rank, int i, bool known, int buf, size_t off)
{
    const CollOp *op = &c->rank[rank].op[i];
    ContentsAccess a;
    for (int j = 0; contents_access(op, j, &a); j++) {
        if (a.write || a.slice.buf != buf || off < a.slice.off || off - a.slice.off >= a.slice.len)
            continue;
        const size_t within = off - a.slice.off;
        if (contents_sends(op)) {
            const ContentsMessage *m = &ms->of[ms->out[ms->first[rank] + i]];
            const Slice in = c->rank[m->dst].op[m->dst_op].in;
            if (!unused(c, ms, m->dst, m->dst_op, known, in.buf, in.off + within))
                return true;
        } else if (op->kind == COLL_PACK || op->kind == COLL_UNPACK || (op->kind == COLL_REDUCE_OP && !known) ||
                   !unused(c, ms, rank, i, known, op->in.buf, op->in.off + within)) {
            return true;
        }
    }
    return false;
}

// Is what the rank holds there after operation i without effect?
static bool unused(const Contents *c, const Messages *ms, int rank, int i, bool known, int buf, size_t off)
{
    const ContentsRank *r = &c->rank[rank];
    ContentsAccess a;
    int which;
    if (buf < 0)
        return false; // a slot is for others to read
    while (++i < r->n) {
        if (passed_on(c, ms, rank, i, known, buf, off))
            return false;
        if (writes(&r->op[i], buf, off, &a, &which))
            return true;
    }
    return buf != r->out.buf || off < r->out.off || off - r->out.off >= r->out.len;
}

// Does the rank hold there, before its operation i, what is no poison?
static bool is_known(const Contents *c, const Messages *ms, int rank, int i, int buf, size_t off)
{
    const Origin o = origin(c, ms, rank, i, buf, off);
    return o.op >= 0 || o.buf == COLL_IN || (o.buf == COLL_OUT && c->of.in_place);
}

// Are the last `elements` elements that the operation writes in one slice without effect, whatever is there before the
// rank's operation `from`, or (may_repeat) there already?
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

// Is all without effect that operation i reads or writes, at either end, whatever was there before operation `from`?
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

Rule rule_of_missing_writes(const Contents *c, int rank, int i, size_t elements)
{
    const CollOp *op = &c->rank[rank].op[i];
    if (op->kind == COLL_THROTTLE)
        return THROTTLES;
    const bool moves = op->kind == COLL_COPY || (contents_receives(op) && elements < SIZE_MAX);
    Messages ms;
    g_autofree char *error = messages_match(c, &ms);
    Rule rule = DIFFERENT;
    if (moves && !error && repeats(c, &ms, rank, i, elements))
        rule = REPEATS;
    else if ((moves || op->kind == COLL_REDUCE_OP) && !error && writes_unused(c, &ms, rank, i, elements, i, true))
        rule = UNUSED;
    messages_clear(&ms);
    return rule;
}

// ---- Who depends on whom: deadlocks and barriers on a graph instead of by execution -------------------------------

// Two nodes for each operation: it begins, it ends.
typedef struct Graph {
    const Contents *c;
    Messages ms;
    bool synchronous; // does the end of a send depend on its receive?
    int **waiter;
    char *mark; // 1: below on the path, 2: seen
} Graph;

// For each operation that posts a request, the one that waits for it; -1 for all others.
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

// Follows what the node depends on. Is there a circle?
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

// Has the end of `rank` seen the beginning of all others, by messages alone?
static bool hears_of_all(Graph *g, int rank, size_t n_nodes)
{
    memset(g->mark, 0, n_nodes);
    circular(g, rank, g->c->rank[rank].n - 1, true);
    for (int r = 0; r < g->c->of.p; r++)
        if (r != rank && !g->mark[2 * g->ms.first[r]])
            return false;
    return true;
}

// Does nobody wait in a circle under synchronous sends; and does a barrier remain one? The rules hold.
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

// Does the operation add something else to a slice, in either order?
static bool adds(const CollOp *op)
{
    const ContentsAccess sum = {op->in, true}, left = {op->out, false}, right = {op->right, false};
    if (op->kind != COLL_REDUCE_OP)
        return false;
    return (same_slice(op->in, op->out) && !contents_conflict(&sum, &right)) ||
           (same_slice(op->in, op->right) && !contents_conflict(&sum, &left));
}

// Where one of operations i and i+1 writes slice a or b and the other one reads it: is it as good if they change places?
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

// Does neither of operations i and i+1 change what the other one reads or writes, or is all that without effect? c is the
// original.
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
    // Of two empty messages to one rank it cannot tell which is which.
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

Rule rule_of_swap(Contents *c, int rank, int i, CollOp *original)
{
    const CollOp *a = &original[i], *b = &original[i + 1];
    const bool sides = same_slice(a->in, a->out) != same_slice(b->in, b->out);
    if (adds(a) && adds(b) && same_slice(a->in, b->in) && (c->of.commutative || sides))
        return SUMS;
    CollOp *swapped = c->rank[rank].op;
    c->rank[rank].op = original;
    Messages ms;
    g_autofree char *error = messages_match(c, &ms);
    const bool commute = !error && independent(c, &ms, rank, i);
    messages_clear(&ms);
    c->rank[rank].op = swapped;
    if (!commute)
        return DIFFERENT;
    if (c->of.algorithm->shared) {
        g_autofree int *was = g_new(int, c->rank[rank].n);
        for (int k = 0; k < c->rank[rank].n; k++)
            was[k] = k == i ? i + 1 : k == i + 1 ? i : k;
        ContentsRank before = c->rank[rank];
        before.op = original;
        return rule_of_order(c, rank, &before, was);
    }
    g_autofree char *broken = contents_rules(c, rank);
    return !broken && still_runs(c) ? kind_of_swap(a, b) : DIFFERENT;
}
