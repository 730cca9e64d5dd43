// The rules that each rank's operations must keep whatever the other ranks do. They are listed in contents.h.
#include "judge/prove/contents.h"
#include "api/blocks.h"
#include <glib.h>

static bool overlap(Slice a, Slice b)
{
    return a.buf == b.buf && a.len > 0 && b.len > 0 && a.off < b.off + b.len && b.off < a.off + a.len;
}

static bool same(Slice a, Slice b)
{
    return a.buf == b.buf && a.off == b.off && a.len == b.len;
}

bool contents_conflict(const ContentsAccess *a, const ContentsAccess *b)
{
    return (a->write || b->write) && overlap(a->slice, b->slice);
}

// One rank on its way through its operations.
typedef struct ContentsWalk {
    const Contents *c;
    int who; // the rank
    const ContentsRank *rank;
    int *pending, n_pending; // the requests not yet waited for, each as the operation that posted it
    int *flags;              // of each queue, the value that the rank's flag has now
} ContentsWalk;

// Returns what is wrong with the operation's touching this slot, or NULL if nothing is.
static char *touch_slot(const ContentsWalk *w, const CollOp *op, const ContentsAccess *a)
{
    const Slice s = a->slice;
    const int owner = slot_owner(s);
    const size_t elem = w->c->of.elem, room = w->c->slot_len;
    if (owner >= w->c->of.p || s.off % room || (s.len > room && !is_lent(s)) || s.off / room >= w->c->slots ||
        s.off + s.len > w->c->rank[owner].queue_len)
        return g_strdup_printf("bytes %zu + %zu of rank %d's queue are not a slot", s.off, s.len, owner);
    if (a->write && owner != w->who)
        return g_strdup_printf("writes into rank %d's queue", owner);
    if (contents_sends(op) || contents_receives(op))
        return g_strdup("is a message from or into a slot");
    return s.len % elem ? g_strdup_printf("%zu bytes are not whole elements", s.len) : NULL;
}

// Returns what is wrong with the operation's touching this slice now, or NULL if nothing is.
static char *touch(const ContentsWalk *w, const CollOp *op, const ContentsAccess *a)
{
    const Slice s = a->slice;
    const size_t elem = w->c->of.elem;
    if (is_slot(s))
        return touch_slot(w, op, a);
    if (s.buf >= w->rank->n_buffers || s.off > w->rank->len[s.buf] || s.len > w->rank->len[s.buf] - s.off)
        return g_strdup_printf("bytes %zu + %zu of buffer %d lie outside of it", s.off, s.len, s.buf);
    if (s.off % elem || s.len % elem)
        return g_strdup_printf("bytes %zu + %zu of buffer %d are not whole elements", s.off, s.len, s.buf);
    // A scatter in place has its output inside its input.
    const Slice out = w->rank->out;
    if (a->write && s.len > 0 && s.buf == COLL_IN &&
        !(out.buf == COLL_IN && s.off >= out.off && s.off + s.len <= out.off + out.len))
        return g_strdup("writes its input");
    for (int i = 0; i < w->n_pending; i++) {
        ContentsAccess other;
        if (contents_access(&w->rank->op[w->pending[i]], 0, &other) && contents_conflict(a, &other))
            return g_strdup_printf("%s what operation %d, not waited for, %s", a->write ? "writes" : "reads",
                                   w->pending[i], other.write ? "receives" : "sends");
    }
    return NULL;
}

static char *operands(const CollOp *op)
{
    const bool may_be_same = op->kind == COLL_COPY || op->kind == COLL_REDUCE_OP;
    ContentsAccess a, b;
    size_t blocks_len = 0;
    for (int i = 0; contents_access(op, i, &a); i++) {
        blocks_len += i > 0 ? a.slice.len : 0;
        for (int j = 0; j < i && contents_access(op, j, &b); j++) {
            if (contents_conflict(&a, &b) && !(may_be_same && same(a.slice, b.slice)))
                return g_strdup("operands overlap");
            if (may_be_same && a.slice.len != b.slice.len)
                return g_strdup("operands differ in length");
        }
    }
    if ((op->kind == COLL_PACK && blocks_len != op->in.len) || (op->kind == COLL_UNPACK && blocks_len != op->out.len))
        return g_strdup("operands differ in length");
    return NULL;
}

// Updates the pending requests: an isend or irecv adds one, a wait removes those that it waits for. Returns NULL, or an
// error if a wait asks for more requests than are pending.
static char *requests(ContentsWalk *w, int i)
{
    const CollOp *op = &w->rank->op[i];
    if (op->kind == COLL_ISEND || op->kind == COLL_IRECV) {
        w->pending[w->n_pending++] = i;
    } else if (op->kind == COLL_WAIT) {
        if (op->n >= w->n_pending)
            return g_strdup("waits for a request that is not pending");
        w->n_pending--;
        for (int j = w->n_pending - op->n; j < w->n_pending; j++)
            w->pending[j] = w->pending[j + 1];
    } else if (op->kind == COLL_WAITALL) {
        if (op->n > w->n_pending)
            return g_strdup("waits for a request that is not pending");
        w->n_pending -= op->n;
    }
    return NULL;
}

static char *flags(const ContentsWalk *w, const CollOp *op)
{
    if (op->kind == COLL_AWAIT && op->n < 1)
        return g_strdup("awaits a value below 1");
    if (op->kind != COLL_RAISE)
        return NULL;
    if (op->n <= w->flags[op->to])
        return g_strdup_printf("the flag is already at %d", w->flags[op->to]);
    w->flags[op->to] = op->n;
    return NULL;
}

char *contents_rules(const Contents *c, int rank)
{
    const ContentsRank *r = &c->rank[rank];
    g_autofree int *pending = g_new(int, r->n + 1), *said = g_new0(int, c->of.p);
    ContentsWalk w = {.c = c, .who = rank, .rank = r, .pending = pending, .flags = said};
    int i = 0;
    g_autofree char *error = NULL;
    for (; i < r->n; i++) {
        ContentsAccess a;
        error = operands(&r->op[i]);
        for (int j = 0; !error && contents_access(&r->op[i], j, &a); j++)
            error = touch(&w, &r->op[i], &a);
        if (!error)
            error = requests(&w, i);
        if (!error)
            error = flags(&w, &r->op[i]);
        if (error)
            break;
    }
    if (!error && w.n_pending > 0) {
        i = w.pending[0];
        error = g_strdup("is never waited for");
    }
    if (!error)
        return NULL;
    g_autofree char *op = contents_op(c, rank, i);
    return g_strdup_printf("%s: %s", op, error);
}
