#include "loggops/goal_entry.h"
#include "api/communicate.h"
#include "base/error.h"
#include "goal/goal_text.h"
#include <stdlib.h>
#include <string.h>

// ---- The text -------------------------------------------------------------------------------------------------------

typedef enum { STEP_SEND, STEP_RECV, STEP_CALC, STEP_WAIT } GoalStepKind;

// One call of a rank's text. A wait has the number of a request of the rank in `peer`.
typedef struct GoalStep {
    uint8_t kind;
    int32_t peer;
    uint64_t size;
} GoalStep;

// The schedule that was added. It is written once, before there are threads.
static struct {
    GArray *steps; // of GoalStep, rank by rank
    size_t *first; // where each rank's steps begin; ranks + 1 of them
    int ranks;     // 0 until a schedule is added
} program;

// Does what the schedule says. A slice of the schedule has a length and no place.
static void run(const Coll *c)
{
    const GoalStep *step = &g_array_index(program.steps, GoalStep, program.first[c->rank]);
    for (const GoalStep *const end = step + (program.first[c->rank + 1] - program.first[c->rank]); step < end; step++) {
        const Slice s = {.len = step->size};
        switch ((GoalStepKind)step->kind) {
        case STEP_SEND:
            coll_isend(c, step->peer, s);
            break;
        case STEP_RECV:
            coll_irecv(c, step->peer, s);
            break;
        case STEP_CALC:
            coll_reduce(c, s, s, s);
            break;
        case STEP_WAIT:
            coll_wait(c, step->peer);
            break;
        }
    }
    coll_waitall(c, 0);
}

// ---- What each operation waits for ----------------------------------------------------------------------------------

// What the operations wait for: those that operation i requires are op[first[i]] .. op[first[i + 1] - 1].
typedef struct Required {
    uint32_t *first, *op;
} Required;

static void required_clear(Required *x)
{
    g_free(x->first);
    g_free(x->op);
}

// Turns "who waits for i" into "for whom i waits".
static Required invert(const GoalDependents *x, uint32_t n)
{
    Required to = {g_new0(uint32_t, n + 1), NULL};
    const uint32_t n_edges = x->first ? x->first[n] : 0;
    to.op = g_new(uint32_t, MAX(n_edges, 1));
    for (uint32_t e = 0; e < n_edges; e++)
        to.first[x->op[e] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        to.first[i + 1] += to.first[i];
    g_autofree uint32_t *at = g_memdup2(to.first, (n + 1) * sizeof *at);
    for (uint32_t i = 0; n_edges && i < n; i++)
        for (uint32_t e = x->first[i]; e < x->first[i + 1]; e++)
            to.op[at[x->op[e]]++] = i;
    return to;
}

// How the operations of a graph become sequences.
typedef struct Sequence {
    const Goal *goal;
    const char *file;
    GoalDependents ends, starts; // who waits for the end, and for the start, of each operation
    Required end, start;         // for whose end, and for whose start, each one waits
    uint32_t *chain;             // of a calc: the calc before it on its CPU, plus 1; 0 for none
    uint32_t *depth;             // the longest way of ends before each operation
    uint32_t *order;             // the operations in the order of their issue
    uint32_t *issued, *waited; // the rank's waits when an operation was issued, and the number of its own; 0: none yet
    uint32_t *request;         // its number as a request
    uint32_t *mark;            // 1 + the operation that was found last to wait for it
    GArray *over;              // of uint32_t: what has ended, without what something else here requires
} Sequence;

static void sequence_clear(Sequence *x)
{
    g_free(x->ends.first);
    g_free(x->ends.op);
    g_free(x->starts.first);
    g_free(x->starts.op);
    required_clear(&x->end);
    required_clear(&x->start);
    g_free(x->chain);
    g_free(x->depth);
    g_free(x->order);
    g_free(x->issued);
    g_free(x->waited);
    g_free(x->request);
    g_free(x->mark);
    g_array_unref(x->over);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sequence, sequence_clear)

static gboolean refuse(const Sequence *x, uint32_t op, const char *why, GError **error)
{
    const GoalOp *o = goal_op(x->goal, op);
    g_autofree char *text = goal_op_text(o);
    return bad_input(error, "%s: rank %u: %s: %s; allowed without it: --model loggops alone", x->file, o->host, text,
                     why);
}

// Chains the calcs of each CPU in the order of the file.
static void chain_calcs(Sequence *x)
{
    uint32_t last[256] = {0}, host = 0;
    for (uint32_t i = 0; i < goal_n_ops(x->goal); i++) {
        const GoalOp *o = goal_op(x->goal, i);
        if (o->host != host)
            memset(last, 0, sizeof last);
        host = o->host;
        if (o->kind == GOAL_CALC) {
            x->chain[i] = last[o->cpu];
            last[o->cpu] = i + 1;
        }
    }
}

// Finds the depths, operation by operation as all that each waits for is known. Refuses a circle.
static gboolean find_depths(Sequence *x, uint32_t *open, GError **error)
{
    const uint32_t n = goal_n_ops(x->goal);
    g_autofree uint32_t *next = g_new0(uint32_t, n + 1), *ready = g_new(uint32_t, n + 1);
    uint32_t done = 0, found = 0;
    for (uint32_t i = 0; i < n; i++)
        if (x->chain[i]) {
            next[x->chain[i] - 1] = i + 1;
            open[i]++;
        }
    for (uint32_t i = 0; i < n; i++)
        if (open[i] == 0)
            ready[found++] = i;
    for (; done < found; done++) {
        const uint32_t i = ready[done];
        for (uint32_t e = x->ends.first ? x->ends.first[i] : 0; x->ends.first && e < x->ends.first[i + 1]; e++) {
            const uint32_t k = x->ends.op[e];
            x->depth[k] = MAX(x->depth[k], x->depth[i] + 1);
            if (--open[k] == 0)
                ready[found++] = k;
        }
        for (uint32_t e = x->starts.first ? x->starts.first[i] : 0; x->starts.first && e < x->starts.first[i + 1];
             e++) {
            const uint32_t k = x->starts.op[e];
            x->depth[k] = MAX(x->depth[k], x->depth[i]);
            if (--open[k] == 0)
                ready[found++] = k;
        }
        if (next[i]) {
            const uint32_t k = next[i] - 1;
            x->depth[k] = MAX(x->depth[k], x->depth[i] + 1);
            if (--open[k] == 0)
                ready[found++] = k;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (open[i])
            return refuse(x, i, "it waits for itself, by way of others or of a calc on its CPU", error);
    return TRUE;
}

// Orders the operations by rank and depth, and at one depth calcs last, because a rank computes before it goes on.
static int compare_issue(const void *left, const void *right, void *sequence)
{
    const Sequence *x = sequence;
    const uint32_t i = *(const uint32_t *)left, k = *(const uint32_t *)right;
    const GoalOp *a = goal_op(x->goal, i), *b = goal_op(x->goal, k);
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    if (x->depth[i] != x->depth[k])
        return x->depth[i] < x->depth[k] ? -1 : 1;
    if ((a->kind == GOAL_CALC) != (b->kind == GOAL_CALC))
        return a->kind == GOAL_CALC ? 1 : -1;
    return i < k ? -1 : i > k;
}

// ---- A rank's sequence ----------------------------------------------------------------------------------------------

enum { MOST_STARTS = 1000 };

// Makes the rank wait for operation k, which removes from `over` what k requires.
static void end(Sequence *x, uint32_t k, uint32_t *epoch)
{
    for (guint i = x->over->len; i-- > 0;)
        if (x->waited[g_array_index(x->over, uint32_t, i)] <= x->issued[k])
            g_array_remove_index(x->over, i);
    x->waited[k] = ++*epoch;
    g_array_append_val(x->over, k);
}

// Waits for all that operation i requires, and marks it: first with of = i, and then with every operation for whose
// start it waits, which is when what that one requires has ended. `left` limits how many may do so in a row.
static gboolean wait_for_required(Sequence *x, uint32_t i, uint32_t of, uint32_t *epoch, int left, GError **error)
{
    if (left == 0)
        return refuse(x, i, "it waits for the start of too many operations in a row", error);
    if (of != i && x->chain[of])
        x->mark[x->chain[of] - 1] = i + 1;
    for (uint32_t e = x->end.first[of]; e < x->end.first[of + 1]; e++) {
        const uint32_t k = x->end.op[e];
        x->mark[k] = i + 1;
        if (x->waited[k])
            continue;
        if (x->request[k] == UINT32_MAX)
            return refuse(x, i, "what it waits for comes after it", error);
        const GoalStep step = {.kind = STEP_WAIT, .peer = (int32_t)x->request[k]};
        g_array_append_val(program.steps, step);
        end(x, k, epoch);
    }
    for (uint32_t e = x->start.first[of]; e < x->start.first[of + 1]; e++)
        if (!wait_for_required(x, i, x->start.op[e], epoch, left - 1, error))
            return FALSE;
    return TRUE;
}

// Returns true if two calcs wait for the same, so that they are ready at the same time.
static bool same_required(const Sequence *x, uint32_t i, uint32_t k)
{
    const uint32_t n = x->end.first[i + 1] - x->end.first[i];
    return x->start.first[i + 1] == x->start.first[i] && x->start.first[k + 1] == x->start.first[k] &&
           n == x->end.first[k + 1] - x->end.first[k] &&
           (n == 0 || memcmp(x->end.op + x->end.first[i], x->end.op + x->end.first[k], n * sizeof(uint32_t)) == 0);
}

// Refuses an operation that would start before something has ended for which the rank has waited already.
static gboolean check_nested(Sequence *x, uint32_t i, GError **error)
{
    for (guint k = 0; k < x->over->len; k++) {
        const uint32_t ended = g_array_index(x->over, uint32_t, k);
        if (x->mark[ended] == i + 1 || (x->chain[i] == ended + 1 && same_required(x, ended, i)))
            continue;
        g_autofree char *before = goal_op_text(goal_op(x->goal, ended));
        g_autofree char *why =
            g_strdup_printf("it need not wait for %s, and no sequence of MPI calls allows that", before);
        return refuse(x, i, why, error);
    }
    return TRUE;
}

static gboolean issue(Sequence *x, uint32_t i, uint32_t *requests, uint32_t *epoch, GError **error)
{
    const GoalOp *o = goal_op(x->goal, i);
    if (!wait_for_required(x, i, i, epoch, MOST_STARTS, error) || !check_nested(x, i, error))
        return FALSE;
    if (o->kind == GOAL_RECV && o->peer == GOAL_ANY)
        return refuse(x, i, "a receive from any rank is not one of the model's", error);
    if (o->kind != GOAL_CALC && o->peer == o->host)
        return refuse(x, i, "a rank sends nothing to itself", error);
    const GoalStep step = {.kind = o->kind == GOAL_SEND   ? STEP_SEND
                                   : o->kind == GOAL_RECV ? STEP_RECV
                                                          : STEP_CALC,
                           .peer = (int32_t)o->peer,
                           .size = o->size};
    g_array_append_val(program.steps, step);
    x->issued[i] = *epoch;
    if (o->kind == GOAL_CALC)
        end(x, i, epoch);
    else
        x->request[i] = (*requests)++;
    return TRUE;
}

static gboolean make_steps(Sequence *x, GError **error)
{
    const uint32_t n = goal_n_ops(x->goal), p = goal_n_hosts(x->goal);
    program.steps = g_array_new(FALSE, FALSE, sizeof(GoalStep));
    program.first = g_new(size_t, p + 1);
    for (uint32_t rank = 0, at = 0; rank < p; rank++) {
        uint32_t requests = 0, epoch = 0;
        program.first[rank] = program.steps->len;
        g_array_set_size(x->over, 0);
        for (; at < n && goal_op(x->goal, x->order[at])->host == rank; at++)
            if (!issue(x, x->order[at], &requests, &epoch, error))
                return FALSE;
    }
    program.first[p] = program.steps->len;
    return TRUE;
}

// ---- Messages -------------------------------------------------------------------------------------------------------

// One end of a message.
typedef struct GoalEnd {
    uint32_t from, to, place, op; // place: in the order of issue, and then among those of the pair
} GoalEnd;

static int compare_ends(const void *left, const void *right)
{
    const GoalEnd *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

// Sorts them by pair, and numbers those of each pair from 0 on.
static void number_ends(GArray *ends)
{
    g_array_sort(ends, compare_ends);
    uint32_t place = 0;
    for (guint i = 0; i < ends->len; i++) {
        GoalEnd *one = &g_array_index(ends, GoalEnd, i);
        place = i > 0 && one[-1].from == one->from && one[-1].to == one->to ? place + 1 : 0;
        one->place = place;
    }
}

// Refuses messages that do not arrive in the order of their receives, or whose ends differ in size. What has only one
// end is left to the run, which says who waits.
static gboolean check_messages(const Sequence *x, GError **error)
{
    const uint32_t n = goal_n_ops(x->goal);
    g_autoptr(GArray) sends = g_array_new(FALSE, FALSE, sizeof(GoalEnd));
    g_autoptr(GArray) recvs = g_array_new(FALSE, FALSE, sizeof(GoalEnd));
    for (uint32_t i = 0; i < n; i++) {
        const GoalOp *o = goal_op(x->goal, x->order[i]);
        const bool send = o->kind == GOAL_SEND;
        const GoalEnd one = {send ? o->host : o->peer, send ? o->peer : o->host, i, x->order[i]};
        if (o->kind != GOAL_CALC)
            g_array_append_val(send ? sends : recvs, one);
    }
    number_ends(sends);
    number_ends(recvs);
    for (guint i = 0, k = 0; i < sends->len && k < recvs->len;) {
        const GoalEnd s = g_array_index(sends, GoalEnd, i), r = g_array_index(recvs, GoalEnd, k);
        const GoalOp *send = goal_op(x->goal, s.op), *recv = goal_op(x->goal, r.op);
        const int order = compare_ends(&s, &r);
        if (order == 0 && recv->tag != GOAL_ANY && recv->tag != send->tag)
            return refuse(x, r.op, "the message that rank sends first has another tag", error);
        if (order == 0 && recv->size != send->size)
            return refuse(x, r.op, "its message has another size", error);
        i += order <= 0;
        k += order >= 0;
    }
    return TRUE;
}

// ---- The entry ------------------------------------------------------------------------------------------------------

static CollAlgorithm entry = {
    .name = GOAL_ENTRY_NAME,
    .summary = "a GOAL schedule, from a file",
    .run = run,
    .peers = PEERS_ABSOLUTE,
    .cost = "none: a schedule in a file has no formula",
    .unknown = "a schedule in a file has no formula",
    .source = "the file of --goal",
};

int goal_entry_ranks(void)
{
    return program.ranks;
}

gboolean goal_entry_is(const CollAlgorithm *a)
{
    return a == &entry;
}

gboolean goal_entry_add(Goal *goal, const char *file, Collective collective, GError **error)
{
    g_assert(!program.steps);
    g_autoptr(Goal) owned = goal;
    const uint32_t n = goal_n_ops(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n + 1);
    g_auto(Sequence) x = {.goal = owned, .file = file, .over = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    x.ends = goal_required(goal, open);
    x.starts = goal_irequired(goal, open);
    x.end = invert(&x.ends, n);
    x.start = invert(&x.starts, n);
    x.chain = g_new0(uint32_t, n + 1);
    x.depth = g_new0(uint32_t, n + 1);
    x.order = g_new(uint32_t, n + 1);
    x.issued = g_new0(uint32_t, n + 1);
    x.waited = g_new0(uint32_t, n + 1);
    x.request = g_new(uint32_t, n + 1);
    x.mark = g_new0(uint32_t, n + 1);
    memset(x.request, 0xff, (n + 1) * sizeof *x.request);
    chain_calcs(&x);
    if (!find_depths(&x, open, error))
        return FALSE;
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        x.order[i] = i;
        sorted &= i == 0 || compare_issue(&x.order[i - 1], &x.order[i], &x) < 0;
    }
    if (!sorted)
        g_qsort_with_data(x.order, (gint)n, sizeof *x.order, compare_issue, &x);
    if (!make_steps(&x, error) || !check_messages(&x, error))
        return FALSE;
    entry.collective = collective;
    program.ranks = (int)goal_n_hosts(goal);
    algorithm_add(&entry);
    return TRUE;
}
