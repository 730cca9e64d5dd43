// Executes the operations of all ranks together, on symbolic contents, and judges the results. The elements are
// explained in contents.h.
#include "judge/prove/contents_shared.h"
#include "registry/meaning.h"
#include "registry/registry.h"
#include "api/make.h"
#include "api/blocks.h"
#include <glib.h>
#include <string.h>

// ---- Leaves and results ------------------------------------------------------------------------------------------

typedef struct Content {
    uint64_t a, b;
    uint32_t n;
} Content;

static uint64_t scramble(uint64_t x) // by splitmix64
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static Content leaf(int rank, size_t i)
{
    const uint64_t x = scramble(((uint64_t)rank << 40) + i);
    return (Content){.a = x | 1, .b = scramble(x), .n = 1};
}

static Content combine(bool commutative, Content left, Content right)
{
    const uint32_t n = left.n + right.n;
    if (commutative)
        return (Content){left.a + right.a, left.b + right.b, n};
    return (Content){left.a * right.a, left.b * right.a + right.b, n};
}

// Returns the rank's view without in place, which says what the rank's result must be in either case.
static Coll view_of(const Contents *c, int rank)
{
    const Coll of = {.p = c->of.p, .root = c->of.root, .elem = c->of.elem, .counts = c->of.counts};
    return coll_make(c->of.algorithm->collective, &of, rank, c->of.m, NULL);
}

// Combines the n elements of `sum` with the contributions of ranks from .. to-1, in this order. Rank 0's contribution
// overwrites `sum`, which may be undefined until then.
static void add_leaves(const Contents *c, Content *sum, size_t n, int from, int to)
{
    for (int r = from; r < to; r++)
        for (size_t i = 0; i < n; i++)
            sum[i] = r == 0 ? leaf(r, i) : combine(c->of.commutative, sum[i], leaf(r, i));
}

// What want_part() needs to fill in the elements that a rank's result must have.
typedef struct ContentsWant {
    const Contents *c;
    const Content *sum; // the reduction over the ranks that contribute to the result; NULL if nothing is reduced
    Content *of;        // the elements to be filled in
    size_t first;       // the byte of the output where the result begins
} ContentsWant;

static void want_part(const Due *due, void *user)
{
    const ContentsWant *want = user;
    const size_t elem = want->c->of.elem, n = due->out.len / elem, from = due->from / elem;
    Content *of = want->of + (due->out.off - want->first) / elem;
    for (size_t i = 0; i < n; i++)
        of[i] = want->sum ? want->sum[from + i] : leaf(due->first, from + i);
}

// Sets `want` to what the view's result must be, one element for each of view->out; n = 0 where nothing is due. `sum`
// is the reduction over all ranks, or in a scan over those that contribute to this rank's result.
static void due(const Contents *c, const Coll *view, const Content *sum, Content *want)
{
    const Collective collective = c->of.algorithm->collective;
    ContentsWant user = {
        .c = c, .sum = collectives[collective].reduces ? sum : NULL, .of = want, .first = view->out.off};
    memset(want, 0, view->out.len / c->of.elem * sizeof *want);
    meaning_of(collective, view, c->of.m, want_part, &user);
}

// ---- Ranks and messages ------------------------------------------------------------------------------------------

typedef struct State {
    int at;       // the operation that the rank has come to
    bool issued;  // whether that operation was begun
    int *pending; // the requests not yet waited for: a message's number if the rank sends it, ~number if it receives it
    int n_pending;
} State;

// Which ends of a message have been posted.
typedef struct Posted {
    bool send, receive;
} Posted;

typedef struct ContentsRun {
    const Contents *c;
    const Messages *ms;
    bool eager, downwards;
    Content *store; // all buffers
    Content *early; // eager messages that no receive has taken yet
    Posted *posted;
    State *rank;
    int *pending; // of all ranks
    // A barrier has no data, so knowledge takes their place: each rank, and each message, has the set of ranks that it
    // knows to have entered the barrier, as `words` words of bits. `words` is 0 in other collectives.
    int words;
    uint64_t *knows, *carries;
    Shared *shared; // NULL if the algorithm does not use shared memory
    char *error;
} ContentsRun;

static Content *at(const ContentsRun *run, int rank, Slice s)
{
    if (is_slot(s))
        return run->store + run->c->rank[slot_owner(s)].queue_at + s.off / run->c->of.elem;
    return run->store + run->c->rank[rank].at[s.buf] + s.off / run->c->of.elem;
}

// Posts one end of a message: the sender's or the receiver's. When both are posted, the receiver gets the data: those
// that the sender has then, or under eager sends those that it had when it posted the send.
static void post(ContentsRun *run, int message, bool sender)
{
    const ContentsMessage *m = &run->ms->of[message];
    Posted *posted = &run->posted[message];
    const Content *from = at(run, m->src, run->c->rank[m->src].op[m->src_op].out);
    *(sender ? &posted->send : &posted->receive) = true;
    if (sender && run->words)
        memcpy(run->carries + (size_t)message * run->words, run->knows + (size_t)m->src * run->words,
               (size_t)run->words * sizeof(uint64_t));
    if (m->n == 0)
        return;
    if (posted->send && posted->receive)
        memcpy(at(run, m->dst, run->c->rank[m->dst].op[m->dst_op].in),
               run->eager && !sender ? run->early + m->at : from, m->n * sizeof *from);
    else if (sender && run->eager)
        memcpy(run->early + m->at, from, m->n * sizeof *from);
}

static bool sent(const ContentsRun *run, int message)
{
    return run->posted[message].send && (run->eager || run->posted[message].receive);
}

static bool received(const ContentsRun *run, int message)
{
    return run->posted[message].send && run->posted[message].receive;
}

static bool request_done(const ContentsRun *run, int request)
{
    return request < 0 ? received(run, ~request) : sent(run, request);
}

// Adds to the receiver's knowledge what the sender knew when it posted the message.
static void hear(ContentsRun *run, int message)
{
    for (int w = 0; w < run->words; w++)
        run->knows[run->ms->of[message].dst * run->words + w] |= run->carries[message * run->words + w];
}

// ---- Operations --------------------------------------------------------------------------------------------------

static void copy(ContentsRun *run, int r, Slice into, Slice from)
{
    if (into.len)
        memmove(at(run, r, into), at(run, r, from), into.len / run->c->of.elem * sizeof(Content));
}

static void pack(ContentsRun *run, int r, const CollOp *op)
{
    Slice whole = op->kind == COLL_PACK ? op->in : op->out;
    for (int i = 0; i < op->n; i++) {
        const Slice b = block(op->blocks, op->which[i]);
        const Slice part = slice_at(whole, 0, b.len);
        copy(run, r, op->kind == COLL_PACK ? part : b, op->kind == COLL_PACK ? b : part);
        whole = slice_at(whole, b.len, whole.len - b.len);
    }
}

static void reduce(ContentsRun *run, int r, int i)
{
    const CollOp *op = &run->c->rank[r].op[i];
    const size_t n = op->in.len / run->c->of.elem;
    Content *into = at(run, r, op->in);
    const Content *left = at(run, r, op->out), *right = at(run, r, op->right);
    for (size_t e = 0; e < n; e++) {
        if (left[e].n == 0 || right[e].n == 0) {
            g_autofree char *name = contents_op(run->c, r, i);
            run->error = g_strdup_printf("%s: element %zu of the %s operand was never written", name, e,
                                         left[e].n == 0 ? "left" : "right");
            return;
        }
        into[e] = combine(run->c->of.commutative, left[e], right[e]);
    }
}

static void issue(ContentsRun *run, int r)
{
    State *s = &run->rank[r];
    const CollOp *op = &run->c->rank[r].op[s->at];
    const int out = run->ms->out[run->ms->first[r] + s->at], in = run->ms->in[run->ms->first[r] + s->at];
    if (run->shared)
        run->error = shared_touch(run->shared, run->c, r, s->at);
    if (run->error)
        return;
    if (contents_receives(op))
        post(run, in, false);
    if (contents_sends(op))
        post(run, out, true);
    if (op->kind == COLL_ISEND || op->kind == COLL_IRECV)
        s->pending[s->n_pending++] = op->kind == COLL_ISEND ? out : ~in;
    else if (op->kind == COLL_REDUCE_OP)
        reduce(run, r, s->at);
    else if (op->kind == COLL_COPY)
        copy(run, r, op->in, op->out);
    else if (op->kind == COLL_PACK || op->kind == COLL_UNPACK)
        pack(run, r, op);
    else if (op->kind == COLL_RAISE)
        shared_raise(run->shared, r, op, run->words, run->knows + (size_t)r * (size_t)run->words);
}

// Returns the rank at the other end of a request (a message's number, or ~number at its receiver).
static int other_end(const ContentsRun *run, int request)
{
    return request < 0 ? run->ms->of[~request].src : run->ms->of[request].dst;
}

// Returns false if the rank's current operation, which is issued, is complete. Otherwise sets *other to a rank that it
// waits for: of several incomplete requests, the peer of the oldest.
static bool waits_for(const ContentsRun *run, int r, int *other)
{
    const State *s = &run->rank[r];
    const CollOp *op = &run->c->rank[r].op[s->at];
    int incomplete = 0, first = s->n_pending, n = 0;
    if (op->kind == COLL_AWAIT) {
        *other = op->from;
        return !shared_is_raised(run->shared, op);
    }
    if (op->kind == COLL_SEND || op->kind == COLL_SENDRECV) {
        const int request = run->ms->out[run->ms->first[r] + s->at];
        *other = other_end(run, request);
        if (!sent(run, request))
            return true;
    }
    if (op->kind == COLL_RECV || op->kind == COLL_SENDRECV) {
        const int request = ~run->ms->in[run->ms->first[r] + s->at];
        *other = other_end(run, request);
        return !received(run, ~request);
    }
    if (op->kind == COLL_WAIT || op->kind == COLL_WAITALL)
        first = s->n_pending - op->n - (op->kind == COLL_WAIT);
    if (op->kind == COLL_THROTTLE)
        first = 0;
    n = op->kind == COLL_WAIT ? 1 : s->n_pending - first;
    for (int i = first + n - 1; i >= first; i--)
        if (!request_done(run, s->pending[i])) {
            *other = other_end(run, s->pending[i]);
            incomplete++;
        }
    return incomplete >= (op->kind == COLL_THROTTLE ? op->n : 1);
}

static void complete(ContentsRun *run, int r)
{
    State *s = &run->rank[r];
    const CollOp *op = &run->c->rank[r].op[s->at];
    if (op->kind == COLL_RECV || op->kind == COLL_SENDRECV)
        hear(run, run->ms->in[run->ms->first[r] + s->at]);
    if (op->kind == COLL_WAIT || op->kind == COLL_WAITALL) {
        const int first = s->n_pending - op->n - (op->kind == COLL_WAIT), n = op->kind == COLL_WAIT ? 1 : op->n;
        for (int i = first; i < first + n; i++)
            if (s->pending[i] < 0)
                hear(run, ~s->pending[i]);
        s->n_pending -= n;
        for (int i = first; i < s->n_pending; i++)
            s->pending[i] = s->pending[i + n];
    }
    if (op->kind == COLL_AWAIT)
        shared_learn(run->shared, r, op, run->words, run->knows + (size_t)r * (size_t)run->words);
    s->at++;
    s->issued = false;
}

// Lets the rank go on as far as it can. Returns true if it issued or completed an operation.
static bool advance(ContentsRun *run, int r)
{
    State *s = &run->rank[r];
    bool moved = false;
    int other;
    while (s->at < run->c->rank[r].n && !run->error) {
        if (!s->issued) {
            issue(run, r);
            s->issued = moved = true;
        }
        if (waits_for(run, r, &other))
            break;
        complete(run, r);
        moved = true;
    }
    return moved;
}

// ---- Judgement ---------------------------------------------------------------------------------------------------

// Returns the chain of ranks that wait for each other, beginning at the waiting rank r. The chain ends at a rank that
// is in it already or has finished, or after eight ranks. Free with g_free.
static char *deadlock(const ContentsRun *run, int r)
{
    GString *s = g_string_new(run->shared  ? "deadlock:"
                              : run->eager ? "deadlock under eager sends:"
                                           : "deadlock under synchronous sends:");
    g_autofree bool *seen = g_new0(bool, run->c->of.p);
    for (int reported = 0;; reported++) {
        if (run->rank[r].at == run->c->rank[r].n) {
            g_string_append_printf(s, " rank %d, which has finished", r);
            break;
        }
        if (seen[r] || reported == 8) {
            g_string_append_printf(s, " rank %d%s", r, seen[r] ? "" : " ..");
            break;
        }
        seen[r] = true;
        int other = r;
        waits_for(run, r, &other);
        g_autofree char *name = contents_op(run->c, r, run->rank[r].at);
        g_string_append_printf(s, " %s waits for", name);
        r = other;
    }
    return g_string_free(s, FALSE);
}

// Returns NULL if rank r has the result that is due, otherwise an error. `want` is room for the due elements; it keeps
// those of rank 0 where all ranks have the same result.
static char *judge(const ContentsRun *run, int r, const Content *sum, Content *want)
{
    for (int other = 0; run->words && other < run->c->of.p; other++)
        if (!(run->knows[(size_t)r * run->words + other / 64] >> (other % 64) & 1))
            return g_strdup_printf("rank %d leaves the barrier and has not heard of rank %d", r, other);
    const Collective collective = run->c->of.algorithm->collective;
    const bool same_at_all = collective == COLL_BCAST || collective == COLL_ALLREDUCE || collective == COLL_ALLGATHER ||
                             collective == COLL_ALLGATHERV;
    if (r == 0 || !same_at_all) {
        const Coll view = view_of(run->c, r);
        due(run->c, &view, sum, want);
    }
    const size_t n = run->c->rank[r].out.len / run->c->of.elem;
    const Content *got = n ? at(run, r, run->c->rank[r].out) : NULL;
    for (size_t e = 0; e < n; e++) {
        const Content *w = &want[e];
        if (w->n > 0 && got[e].n == 0)
            return g_strdup_printf("rank %d: element %zu of its result was never written", r, e);
        if (w->n > 0 && (got[e].a != w->a || got[e].b != w->b || got[e].n != w->n))
            return g_strdup_printf("rank %d: element %zu of its result is wrong (contributions: %u, due: %u)", r, e,
                                   got[e].n, w->n);
    }
    return NULL;
}

// Returns NULL if all ranks have their results, otherwise an error. A scan's sum grows by one rank at a time.
static char *judge_all(const ContentsRun *run)
{
    const Contents *c = run->c;
    const Collective collective = c->of.algorithm->collective;
    const bool scan = collective == COLL_SCAN, exscan = collective == COLL_EXSCAN;
    const Coll view = view_of(c, 0);
    const size_t n = collectives[collective].reduces ? view.in.len / c->of.elem : 0;
    size_t longest = 0;
    for (int r = 0; r < c->of.p; r++)
        longest = MAX(longest, c->rank[r].out.len);
    g_autofree Content *sum = g_new(Content, n + 1), *want = g_new(Content, longest / c->of.elem + 1);
    char *error = NULL;
    if (!scan && !exscan)
        add_leaves(c, sum, n, 0, c->of.p);
    for (int r = 0; !error && r < c->of.p; r++) {
        if (scan)
            add_leaves(c, sum, n, r, r + 1);
        error = judge(run, r, sum, want);
        if (exscan)
            add_leaves(c, sum, n, r, r + 1);
    }
    return error;
}

static void prepare(ContentsRun *run)
{
    const Contents *c = run->c;
    const Collective collective = c->of.algorithm->collective;
    run->store = g_new0(Content, c->n_elements + 1);      // + 1, so that it is not NULL
    run->early = g_new(Content, run->ms->n_elements + 1); // not cleared, so that unused pages cost nothing
    run->posted = g_new0(Posted, run->ms->n);
    run->rank = g_new0(State, c->of.p);
    run->pending = g_new(int, run->ms->first[c->of.p - 1] + c->rank[c->of.p - 1].n + c->of.p);
    run->shared = shared_new(c, !run->downwards);
    run->words = collective == COLL_BARRIER ? (c->of.p + 63) / 64 : 0;
    run->knows = g_new0(uint64_t, c->of.p * run->words);
    run->carries = g_new0(uint64_t, run->ms->n * run->words);
    for (int r = 0; r < c->of.p; r++) {
        run->rank[r].pending = run->pending + run->ms->first[r] + r;
        const Slice in = c->rank[r].in;
        Content *to = at(run, r, in);
        for (size_t e = 0;
             meaning_has_data(collective, &(Coll){.rank = r, .root = c->of.root}) && e < in.len / c->of.elem; e++)
            to[e] = leaf(r, e);
        if (run->words)
            run->knows[(size_t)r * run->words + r / 64] |= (uint64_t)1 << (r % 64);
    }
}

static void clear(ContentsRun *run)
{
    g_free(run->store);
    g_free(run->early);
    g_free(run->posted);
    g_free(run->rank);
    g_free(run->pending);
    g_free(run->knows);
    g_free(run->carries);
    shared_free(run->shared);
}

char *contents_run(const Contents *c, const Messages *ms, bool eager, bool downwards)
{
    ContentsRun run = {.c = c, .ms = ms, .eager = eager, .downwards = downwards};
    prepare(&run);
    for (bool moved = true; moved && !run.error;) {
        moved = false;
        for (int i = 0; i < c->of.p; i++)
            moved |= advance(&run, downwards ? c->of.p - 1 - i : i);
    }
    for (int r = 0; !run.error && r < c->of.p; r++)
        if (run.rank[r].at < c->rank[r].n)
            run.error = deadlock(&run, r);
    if (!run.error)
        run.error = judge_all(&run);
    clear(&run);
    return run.error;
}
