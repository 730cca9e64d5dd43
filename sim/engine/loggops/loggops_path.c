// Critical paths. Every clock was set by one step of an operation, and the start of that step by another step, down to
// time 0, so a path is found by following these links backwards.
#include "engine/loggops/loggops.h"
#include "engine/loggops/loggops_cost.h"

static LoggopsStepKind kind_of(uint32_t by)
{
    return by % 8;
}

static uint32_t op_of(uint32_t by)
{
    return by / 8;
}

// Returns TRUE for the steps that begin when a message is taken. The others begin when their operation starts.
static gboolean is_at_take(LoggopsStepKind kind)
{
    return kind == LOGGOPS_TAKE || kind == LOGGOPS_TAKE_GAP || kind == LOGGOPS_ANSWER;
}

// Returns the step that set the start of the step `by`.
static uint32_t cause_of(const LoggopsResult *result, uint32_t by)
{
    return is_at_take(kind_of(by)) ? result->take_by[op_of(by)] : result->start_by[op_of(by)];
}

// Adds what a step of the send or calc `o` costs to the counts. If O and G are equal, a take counts O, the CPU's own.
static void count(const LoggopsParams *q, LoggopsStepKind kind, const GoalOp *o, LoggopsStamp *stamp)
{
    const int64_t further = o->size > 1 ? (int64_t)(o->size - 1) : 0;
    const gboolean gap = kind == LOGGOPS_SEND_GAP || kind == LOGGOPS_TAKE_GAP;
    const gboolean cpu = kind == LOGGOPS_SEND || kind == LOGGOPS_TAKE;
    const gboolean by_G = gap || (kind == LOGGOPS_TAKE && loggops_G(q, o->level) > q->O);
    const LoggopsLevelCount x = {.L = kind == LOGGOPS_FLIGHT, .G = by_G ? further : 0};
    int64_t *n = stamp->n;
    n[LOGGOPS_L] += x.L;
    n[LOGGOPS_o] += kind == LOGGOPS_FLIGHT || cpu;
    n[LOGGOPS_g] += gap;
    n[LOGGOPS_G] += x.G;
    n[LOGGOPS_O] += cpu && !by_G ? further : 0;
    n[LOGGOPS_GAMMA] += kind == LOGGOPS_CALC ? (int64_t)o->size : 0;
    if (q->n_levels > 0) {
        stamp->level[o->level].L += x.L;
        stamp->level[o->level].G += x.G;
    }
}

LoggopsStamp loggops_stamp(const LoggopsResult *result, uint32_t host)
{
    g_assert(result->finish && host < result->n_hosts);
    const LoggopsParams *q = &result->params;
    LoggopsStamp stamp = {.t = result->finish[host], .level = g_new0(LoggopsLevelCount, q->n_levels)};
    for (uint32_t by = result->finish_by[host]; by != GOAL_NOTHING; by = cause_of(result, by))
        count(q, kind_of(by), goal_op(result->goal, op_of(by)), &stamp);
    return stamp;
}

static double figure(const LoggopsLevel *x, int term)
{
    return term == LOGGOPS_L ? x->L : x->G;
}

static int64_t times(const LoggopsLevelCount *x, int term)
{
    return term == LOGGOPS_L ? x->L : x->G;
}

// Adds the value of the term LOGGOPS_L or LOGGOPS_G to t, level by level.
static double add_levels(double t, const LoggopsStamp *stamp, const LoggopsParams *q, int term)
{
    if (q->n_levels == 0)
        return t + (double)stamp->n[term] * (term == LOGGOPS_L ? q->L : q->G);
    for (int k = 0; k < q->n_levels; k++) {
        const double each = figure(&q->level[k], term);
        int64_t n = times(&stamp->level[k], term);
        while (k + 1 < q->n_levels && figure(&q->level[k + 1], term) == each)
            n += times(&stamp->level[++k], term);
        t += (double)n * each;
    }
    return t;
}

double loggops_time(const LoggopsStamp *stamp, const LoggopsParams *q)
{
    const int64_t *n = stamp->n;
    double t = add_levels(0, stamp, q, LOGGOPS_L);
    t = t + (double)n[LOGGOPS_o] * q->o + (double)n[LOGGOPS_g] * q->g;
    t = add_levels(t, stamp, q, LOGGOPS_G);
    return t + (double)n[LOGGOPS_O] * q->O + (double)n[LOGGOPS_GAMMA] * q->gamma;
}

// Returns, for each send, the receive that it met. The entries of other operations mean nothing. Free with g_free.
static uint32_t *matched_receives(const LoggopsResult *result)
{
    const uint32_t n_ops = goal_n_ops(result->goal);
    uint32_t *receive = g_new0(uint32_t, n_ops);
    for (uint32_t op = 0; op < n_ops; op++)
        if (goal_op(result->goal, op)->kind == GOAL_RECV)
            receive[result->take_by[op]] = op;
    return receive;
}

GArray *loggops_path(const LoggopsResult *result, uint32_t host)
{
    g_assert(result->finish && host < result->n_hosts);
    g_autoptr(GArray) causes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t by = result->finish_by[host]; by != GOAL_NOTHING; by = cause_of(result, by))
        g_array_append_val(causes, by);

    g_autofree uint32_t *receive = matched_receives(result);
    GArray *path = g_array_sized_new(FALSE, FALSE, sizeof(LoggopsStep), causes->len);
    double t = 0;
    for (guint i = causes->len; i-- > 0;) {
        const uint32_t by = g_array_index(causes, uint32_t, i);
        const LoggopsStepKind kind = kind_of(by);
        const uint32_t op = is_at_take(kind) ? receive[op_of(by)] : op_of(by);
        const GoalOp *o = goal_op(result->goal, op);
        // The peer and the size are the send's: the receive's own peer may be GOAL_ANY, and its size is not what is
        // charged.
        const GoalOp *send = o->kind == GOAL_RECV ? goal_op(result->goal, result->take_by[op]) : o;
        LoggopsStep step = {.kind = kind, .host = o->host, .op = op, .size = send->size, .start = t};
        step.level = send->level;
        step.peer = o->kind == GOAL_RECV ? send->host : o->kind == GOAL_SEND ? o->peer : o->host;
        step.end = t = loggops_charge(&result->params, kind, send, t);
        g_array_append_val(path, step);
    }
    return path;
}
