#include "judge/prove/contents.h"
#include "registry/registry.h"
#include "registry/composition.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/make.h"
#include <glib.h>
#include <string.h>

// ---- Recording ---------------------------------------------------------------------------------------------------

enum { MOST_OPERATIONS = 1 << 21 }; // of a rank; a text that loops for ever would never come back

typedef struct ContentsRecorder {
    CollRun run;
    GArray *ops;
    GPtrArray *kept;
    bool flags; // whether a rank raised or awaited a flag
} ContentsRecorder;

static void *keep(ContentsRecorder *r, const void *what, size_t size)
{
    void *copy = g_memdup2(what, size);
    g_ptr_array_add(r->kept, copy);
    return copy;
}

// Returns a copy of the blocks; a text may have made their counts itself.
static const Blocks *keep_blocks(ContentsRecorder *r, const Blocks *b)
{
    Blocks *copy = keep(r, b, sizeof *b);
    if (b->counts) {
        const CollCounts counts = {keep(r, b->counts->len, (size_t)b->n * sizeof(size_t)),
                                   keep(r, b->counts->at, (size_t)(b->n + 1) * sizeof(size_t))};
        copy->counts = keep(r, &counts, sizeof counts);
    }
    return copy;
}

// Keeps a copy of the operation, and of its block lists, which live on the text's stack.
static void record_op(CollRun *run, const CollIssue *op)
{
    ContentsRecorder *r = (ContentsRecorder *)run;
    if (G_UNLIKELY(r->ops->len == MOST_OPERATIONS))
        g_error("rank %d of %d has more than %d operations, and its text does not end", op->view->rank, op->view->p,
                MOST_OPERATIONS);
    CollOp copy = coll_keep(op);
    if (op->kind == COLL_PACK || op->kind == COLL_UNPACK) {
        copy.blocks = keep_blocks(r, op->blocks);
        copy.which = keep(r, op->which, (size_t)op->n * sizeof *op->which);
    }
    r->flags |= op->kind == COLL_RAISE || op->kind == COLL_AWAIT;
    g_array_append_val(r->ops, copy);
}

// Sets the lengths and places of a rank's buffers. A buffer that MPI ignores at this rank gets no bytes, so that
// touching it is an error. A backend is not told how long scratch is, so its length is what the operations touch. A
// queue in shared memory, whoever owns it, ends with the last slot that any rank touches.
static void measure_buffers(Contents *c, int rank, Collective collective, int n_buffers)
{
    ContentsRank *r = &c->rank[rank];
    r->n_buffers = n_buffers;
    r->len = g_new0(size_t, 2 * n_buffers);
    r->at = r->len + n_buffers;
    r->len[r->in.buf] = r->in.len;
    r->len[r->out.buf] = MAX(r->len[r->out.buf], r->out.len);
    if (rank != c->of.root && (collective == COLL_GATHER || collective == COLL_GATHERV || collective == COLL_REDUCE))
        r->len[COLL_OUT] = 0;
    if (rank != c->of.root && (collective == COLL_SCATTER || collective == COLL_SCATTERV))
        r->len[COLL_IN] = 0;
    ContentsAccess a;
    for (int i = 0; i < r->n; i++)
        for (int j = 0; contents_access(&r->op[i], j, &a); j++)
            if (a.slice.buf >= COLL_FIRST_SCRATCH && a.slice.buf < n_buffers) {
                r->len[a.slice.buf] = MAX(r->len[a.slice.buf], a.slice.off + a.slice.len);
            } else if (is_slot(a.slice)) {
                ContentsRank *owner = &c->rank[slot_owner(a.slice)];
                owner->queue_len = MAX(owner->queue_len, a.slice.off + a.slice.len);
            }
    for (int b = 0; b < n_buffers; b++) {
        r->at[b] = c->n_elements;
        c->n_elements += (r->len[b] + c->of.elem - 1) / c->of.elem;
    }
}

// Sets the places of the queues in shared memory, and what a slot is. If a part of a composition works in shared
// memory, each of its calls has slots of its own, and their number is not limited. A text without slots lends its buffers.
static void measure_queues(Contents *c)
{
    const CollParam *part = c->ran ? algorithm_shared_part(c->ran, &c->of.par) : NULL;
    const CollParams par = part ? algorithm_defaults(algorithms[param_get(part, &c->of.par)]) : c->of.par;
    c->slot_len = MAX(par.fragment / c->of.elem, 1) * c->of.elem; // a barrier has flags, and no fragments
    c->slots = part || par.slots == 0 ? SIZE_MAX : (size_t)par.slots;
    for (int rank = 0; rank < c->of.p; rank++) {
        c->rank[rank].queue_at = c->n_elements;
        c->n_elements += c->rank[rank].queue_len / c->of.elem;
    }
}

Contents *contents_record(const ContentsCase *x)
{
    const Collective collective = x->algorithm->collective;
    Contents *c = g_new0(Contents, 1);
    ContentsRecorder recorder = {.ops = g_array_sized_new(FALSE, FALSE, sizeof(CollOp), 64),
                                 .kept = g_ptr_array_new_with_free_func(g_free)};
    c->of = *x;
    c->rank = g_new0(ContentsRank, x->p);
    c->kept = recorder.kept;
    coll_run_init(&recorder.run, record_op);
    const Coll of = {.p = x->p,
                     .root = x->root,
                     .elem = x->elem,
                     .commutative = x->commutative,
                     .nodes = x->nodes,
                     .counts = x->counts,
                     .par = x->par};
    for (int rank = 0; rank < x->p; rank++) {
        coll_run_reset(&recorder.run);
        Coll view = coll_make(collective, &of, rank, x->m, &recorder.run);
        if (x->in_place)
            coll_in_place(&view, collective);
        const CollAlgorithm *ran = coll_resolve(x->algorithm, &view, &c->why);
        g_assert(rank == 0 || ran == c->ran); // whether a need is met must not depend on the rank
        c->ran = ran;
        if (!ran)
            break;
        g_array_set_size(recorder.ops, 0);
        ran->run(&view);
        c->rank[rank].in = view.in;
        c->rank[rank].out = view.out;
        c->rank[rank].n = (int)recorder.ops->len;
        c->rank[rank].op = g_memdup2(recorder.ops->data, recorder.ops->len * sizeof(CollOp));
        measure_buffers(c, rank, collective, recorder.run.next_scratch);
    }
    c->flags = recorder.flags;
    measure_queues(c);
    coll_run_clear(&recorder.run);
    g_array_free(recorder.ops, TRUE);
    return c;
}

void contents_free(Contents *c)
{
    for (int rank = 0; rank < c->of.p; rank++) {
        g_free(c->rank[rank].op);
        g_free(c->rank[rank].len);
    }
    g_free(c->rank);
    g_ptr_array_free(c->kept, TRUE);
    g_free(c);
}

// ---- Names of operations --------------------------------------------------------------------------------------------

static const char *const kind_names[] = {
    [COLL_SEND] = "send",        [COLL_RECV] = "recv",   [COLL_SENDRECV] = "sendrecv", [COLL_ISEND] = "isend",
    [COLL_IRECV] = "irecv",      [COLL_WAIT] = "wait",   [COLL_WAITALL] = "waitall",   [COLL_THROTTLE] = "throttle",
    [COLL_REDUCE_OP] = "reduce", [COLL_COPY] = "copy",   [COLL_PACK] = "pack",         [COLL_UNPACK] = "unpack",
    [COLL_RAISE] = "raise",      [COLL_AWAIT] = "await",
};

char *contents_op(const Contents *c, int rank, int i)
{
    const CollOp *op = &c->rank[rank].op[i];
    GString *s = g_string_new(NULL);
    g_string_printf(s, "rank %d operation %d (%s", rank, i, kind_names[op->kind]);
    if (contents_sends(op))
        g_string_append_printf(s, " to %d", op->to);
    if (contents_receives(op))
        g_string_append_printf(s, " from %d", op->from);
    if (op->kind == COLL_AWAIT)
        g_string_append_printf(s, " of %d,", op->from);
    if (op->kind == COLL_RAISE || op->kind == COLL_AWAIT)
        g_string_append_printf(s, " queue %d to %d", op->to, op->n);
    g_string_append_c(s, ')');
    return g_string_free(s, FALSE);
}

// ---- Messages ----------------------------------------------------------------------------------------------------

void messages_clear(Messages *ms)
{
    g_free(ms->of);
    g_free(ms->first);
    g_free(ms->out);
    g_free(ms->in);
}

static char *two_ops(const Contents *c, const ContentsMessage *m, const char *text)
{
    g_autofree char *src = contents_op(c, m->src, m->src_op), *dst = contents_op(c, m->dst, m->dst_op);
    return g_strdup_printf("%s %s %s", src, text, dst);
}

static char *one_op(const Contents *c, int rank, int i, const char *text)
{
    g_autofree char *op = contents_op(c, rank, i);
    return g_strdup_printf("%s %s", op, text);
}

// Numbers all sends, those of one pair of ranks one after the other: next[s p + d] becomes the number of the first send
// from s to d. `next` must be zero at first.
static char *number_sends(const Contents *c, Messages *ms, int *next)
{
    const int p = c->of.p;
    for (int r = 0; r < p; r++) {
        ms->first[r] = r == 0 ? 0 : ms->first[r - 1] + c->rank[r - 1].n;
        for (int i = 0; i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            const int to = contents_sends(op) ? op->to : 0, from = contents_receives(op) ? op->from : 0;
            if (to < 0 || to >= p || from < 0 || from >= p)
                return one_op(c, r, i, "has a peer outside of 0 .. p-1");
            if (contents_sends(op))
                next[r * p + op->to]++;
        }
    }
    for (int pair = 0; pair < p * p; pair++) {
        const int n = next[pair];
        next[pair] = ms->n;
        ms->n += n;
    }
    return NULL;
}

static void place_sends(const Contents *c, Messages *ms, int *next)
{
    for (int r = 0; r < c->of.p; r++)
        for (int i = 0; i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            if (!contents_sends(op))
                continue;
            const int m = ms->out[ms->first[r] + i] = next[r * c->of.p + op->to]++;
            ms->of[m] = (ContentsMessage){.src = r, .src_op = i, .dst = op->to, .dst_op = -1, .at = ms->n_elements};
            ms->of[m].n = op->out.len / c->of.elem;
            ms->n_elements += ms->of[m].n;
        }
}

static char *place_receives(const Contents *c, Messages *ms, int *next, const int *end)
{
    const int p = c->of.p;
    for (int r = 0; r < p; r++)
        for (int i = 0; i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            if (!contents_receives(op))
                continue;
            const int pair = op->from * p + r;
            if (next[pair] == end[pair])
                return one_op(c, r, i, "meets no send");
            ContentsMessage *m = &ms->of[ms->in[ms->first[r] + i] = next[pair]++];
            m->dst_op = i;
            if (op->in.len != c->rank[m->src].op[m->src_op].out.len)
                return two_ops(c, m, "and its receive differ in length:");
        }
    for (int i = 0; i < ms->n; i++)
        if (ms->of[i].dst_op < 0)
            return one_op(c, ms->of[i].src, ms->of[i].src_op, "meets no receive: a message is left over");
    return NULL;
}

char *messages_match(const Contents *c, Messages *ms)
{
    const size_t p = (size_t)c->of.p;
    *ms = (Messages){0};
    g_autofree int *next = g_new0(int, p *p);
    ms->first = g_new(int, p);
    char *error = number_sends(c, ms, next);
    if (error)
        return error;
    const size_t n_ops = (size_t)ms->first[p - 1] + (size_t)c->rank[p - 1].n;
    g_autofree int *begin = g_memdup2(next, p * p * sizeof *next);
    ms->of = g_new(ContentsMessage, ms->n);
    ms->out = g_new(int, n_ops);
    ms->in = g_new(int, n_ops);
    place_sends(c, ms, next);
    return place_receives(c, ms, begin, next);
}
