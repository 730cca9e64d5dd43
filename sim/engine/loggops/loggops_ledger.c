#include "engine/loggops/loggops_ledger.h"
#include "engine/loggops/loggops_cost.h"
#include "engine/schedule/schedule.h"
#include <math.h>
#include <string.h>

// The ledger while it is made.
typedef struct LoggopsLedger {
    const LoggopsTimes *times;
    int calc;
    double s_per_unit;
    const bool *has; // by host; NULL for all
    double until;
    GArray *steps;
} LoggopsLedger;

static double seconds(const LoggopsLedger *x, double t)
{
    return MAX(t, 0) * x->s_per_unit;
}

// Returns the end of a step that begins at t. A message of 0 bytes may end before it begins; then it takes no time
// here.
static double end_of(const LoggopsLedger *x, LoggopsStepKind kind, const GoalOp *op, double t)
{
    return seconds(x, MAX(x->times->charge(x->times, kind, op, t), t));
}

// ---- What hosts do --------------------------------------------------------------------------------------------------

static bool wants(const LoggopsLedger *x, uint32_t host)
{
    return !x->has || x->has[host];
}

static void add(const LoggopsLedger *x, LedgerStep step)
{
    if (step.issued < x->until)
        g_array_append_val(x->steps, step);
}

// Adds both ends of a message, or a calc.
static void add_operation(const LoggopsLedger *x, uint32_t i)
{
    const GoalOp *op = goal_op(x->times->goal, i);
    const double start = x->times->start[i], take = x->times->take[i];
    LedgerStep s = {.kind = x->calc,
                    .op = x->calc,
                    .rank = (int)op->host,
                    .peer = -1,
                    .bytes = x->calc == PATH_CALC ? 0 : op->size,
                    .issued = seconds(x, start),
                    .begin = seconds(x, start),
                    .takes = -1,
                    .left = -1,
                    .works = true,
                    .cpu = op->cpu,
                    .nic = op->nic};
    if (op->kind == GOAL_CALC && wants(x, op->host)) {
        s.end = end_of(x, LOGGOPS_CALC, op, start);
        add(x, s);
    }
    if (op->kind != GOAL_SEND)
        return;
    s.bytes = op->size;
    s.message = (uint64_t)i + 1;
    if (wants(x, op->host)) {
        s.kind = s.op = OP_SEND;
        s.peer = (int)op->peer;
        s.end = end_of(x, LOGGOPS_SEND, op, start);
        s.takes = s.issued;
        s.left = end_of(x, LOGGOPS_SEND_GAP, op, start);
        s.came = end_of(x, LOGGOPS_TAKE, op, take);
        add(x, s);
    }
    if (wants(x, op->peer)) {
        s.kind = s.op = OP_RECV;
        s.rank = (int)op->peer;
        s.peer = (int)op->host;
        s.issued = s.begin = s.takes = seconds(x, take);
        s.end = end_of(x, LOGGOPS_TAKE, op, take);
        s.left = end_of(x, LOGGOPS_TAKE_GAP, op, take);
        add(x, s);
    }
}

static int by_issue(gconstpointer a, gconstpointer b)
{
    const LedgerStep *x = a, *y = b;
    return x->rank != y->rank       ? (x->rank > y->rank) - (x->rank < y->rank)
           : x->issued != y->issued ? (x->issued > y->issued) - (x->issued < y->issued)
           : x->end != y->end       ? (x->end > y->end) - (x->end < y->end)
                                    : (x->message > y->message) - (x->message < y->message);
}

// Adds the operations of the wanted hosts, and the time before the first of each; sets until when they wait for the
// next one.
static void add_operations(LoggopsLedger *x, const double *ends)
{
    const Goal *goal = x->times->goal;
    for (uint32_t i = 0; i < goal_n_ops(goal); i++)
        add_operation(x, i);
    g_array_sort(x->steps, by_issue);
    const guint n = x->steps->len;
    LedgerStep *last[256] = {NULL}; // by CPU
    for (guint i = 0; i < n; i++) {
        LedgerStep *s = &g_array_index(x->steps, LedgerStep, i);
        if (i == 0 || s[-1].rank != s->rank)
            memset(last, 0, sizeof last);
        if (last[s->cpu])
            last[s->cpu]->next = s->issued;
        s->next = i + 1 == n || s[1].rank != s->rank ? MAX(s->end, ends[s->rank]) : s->end;
        last[s->cpu] = s;
    }
}

// Puts a step before the first one of each host that begins later: the host waits from the start.
static GArray *with_starts(const GArray *steps)
{
    GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(LedgerStep), steps->len);
    for (guint i = 0; i < steps->len; i++) {
        const LedgerStep *s = &g_array_index(steps, LedgerStep, i);
        const LedgerStep start = {
            .kind = OP_END, .op = OP_END, .rank = s->rank, .peer = -1, .next = s->issued, .takes = -1, .cpu = s->cpu};
        if ((i == 0 || s[-1].rank != s->rank) && s->issued > 0)
            g_array_append_val(all, start);
        g_array_append_vals(all, s, 1);
    }
    return all;
}

// Returns how many operations and ends of messages the wanted hosts have in the window, and when they begin, as an
// array of double.
static GArray *beginnings(const LoggopsLedger *x, double from, double to)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
    for (uint32_t i = 0; i < goal_n_ops(x->times->goal); i++) {
        const GoalOp *op = goal_op(x->times->goal, i);
        const double start = seconds(x, x->times->start[i]), take = seconds(x, x->times->take[i]);
        if (op->kind != GOAL_RECV && wants(x, op->host) && start >= from && start <= to)
            g_array_append_val(all, start);
        if (op->kind == GOAL_SEND && wants(x, op->peer) && take >= from && take <= to)
            g_array_append_val(all, take);
    }
    return all;
}

// ---- The critical path ----------------------------------------------------------------------------------------------

static bool is_at_take(LoggopsStepKind kind)
{
    return kind == LOGGOPS_TAKE || kind == LOGGOPS_TAKE_GAP || kind == LOGGOPS_ANSWER;
}

// Returns a step of the path, which begins at t.
static LedgerStep path_step(const LoggopsLedger *x, uint32_t by, double t)
{
    const int kinds[] = {
        [LOGGOPS_CALC] = x->calc,       [LOGGOPS_SEND] = OP_SEND,
        [LOGGOPS_SEND_GAP] = PATH_OUT,  [LOGGOPS_FLIGHT] = PATH_FLIGHT,
        [LOGGOPS_TAKE] = OP_RECV,       [LOGGOPS_TAKE_GAP] = PATH_IN,
        [LOGGOPS_ANSWER] = PATH_ANSWER, [LOGGOPS_LATE_ANSWER] = PATH_ANSWER,
    };
    const LoggopsStepKind kind = by % 8;
    const GoalOp *op = goal_op(x->times->goal, by / 8), *send = op;
    if (kind == LOGGOPS_LATE_ANSWER)
        send = goal_op(x->times->goal, x->times->take_by[by / 8]);
    const bool at_peer = is_at_take(kind) || kind == LOGGOPS_LATE_ANSWER;
    return (LedgerStep){.kind = kinds[kind],
                        .op = kinds[kind],
                        .rank = (int)(at_peer ? send->peer : send->host),
                        .peer = op->kind == GOAL_CALC ? -1 : (int)(at_peer ? send->host : send->peer),
                        .bytes = kinds[kind] == PATH_CALC ? 0 : send->size,
                        .begin = seconds(x, t),
                        .end = end_of(x, kind, send, t)};
}

// Returns the path to the end of the last host; NULL if its steps do not follow each other.
static GArray *path_of(const LoggopsLedger *x)
{
    const LoggopsTimes *times = x->times;
    GArray *path = g_array_new(FALSE, FALSE, sizeof(LedgerStep));
    double after = times->finish[times->last_host];
    for (uint32_t by = times->last_by; by != GOAL_NOTHING;) {
        const LoggopsStepKind kind = by % 8;
        const uint32_t i = by / 8;
        const GoalOp *op = goal_op(times->goal, i);
        const double t = is_at_take(kind) ? times->take[i] : times->start[i];
        if (times->charge(times, kind, op, t) != after || t > after || t < 0) {
            g_array_free(path, TRUE);
            return NULL;
        }
        const LedgerStep step = path_step(x, by, t);
        g_array_append_val(path, step);
        after = t;
        by = is_at_take(kind) ? times->take_by[i] : times->start_by[i];
    }
    ledger_in_order(path);
    return path;
}

// Returns how many operations count for what is wanted of a run. In a whole run, each message makes at least four
// slices of a trace. If all ranks together have more slices than a trace can hold, nobody looks at those of all ranks.
static uint64_t operations(const Goal *goal, const LedgerWish *wish)
{
    const bool window = wish->from > 0 || wish->to > 0;
    return MAX(goal_n_ops(goal), window ? 0 : 4 * (uint64_t)goal_n_messages(goal));
}

Ledger *loggops_ledger(const LoggopsTimes *times, int calc, double s_per_unit, const LedgerWish *wish)
{
    const int p = (int)goal_n_hosts(times->goal);
    bool *has = ledger_wanted(wish, p, operations(times->goal, wish));
    LoggopsLedger x = {.times = times,
                       .calc = calc,
                       .s_per_unit = s_per_unit,
                       .has = has,
                       .until = INFINITY,
                       .steps = g_array_new(FALSE, FALSE, sizeof(LedgerStep))};
    g_autoptr(GArray) begin = beginnings(&x, wish->from, wish->to > 0 ? wish->to : INFINITY);
    x.until = ledger_until(begin, LEDGER_OPERATIONS);
    g_autofree double *ends = g_new(double, p);
    for (int host = 0; host < p; host++)
        ends[host] = seconds(&x, times->finish[host]);
    add_operations(&x, ends);
    GArray *steps = with_starts(x.steps);
    g_array_free(x.steps, TRUE);
    return ledger_of_steps(p, steps, ends, path_of(&x), has, x.until);
}
