// Critical paths. Every clock was set by one step of an operation, and the start of that step by another step, down to
// time 0, so a path is found by following these links backwards.
#include "loggops/loggops.h"
#include "loggops/loggops_cost.h"

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

LoggopsStamp loggops_stamp(const LoggopsResult *result, uint32_t host)
{
    g_assert(result->finish && host < result->n_hosts);
    LoggopsStamp stamp = {.t = result->finish[host]};
    for (uint32_t by = result->finish_by[host]; by != LOGGOPS_NOTHING; by = cause_of(result, by))
        loggops_count(&result->params, kind_of(by), goal_op(result->goal, op_of(by))->size, stamp.n);
    return stamp;
}

double loggops_time(const LoggopsStamp *stamp, const LoggopsParams *params)
{
    const int64_t *n = stamp->n;
    return (double)n[LOGGOPS_L] * params->L + (double)n[LOGGOPS_o] * params->o + (double)n[LOGGOPS_g] * params->g +
           (double)n[LOGGOPS_G] * params->G + (double)n[LOGGOPS_O] * params->O +
           (double)n[LOGGOPS_GAMMA] * params->gamma;
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
    for (uint32_t by = result->finish_by[host]; by != LOGGOPS_NOTHING; by = cause_of(result, by))
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
        step.peer = o->kind == GOAL_RECV ? send->host : o->kind == GOAL_SEND ? o->peer : o->host;
        step.end = t = loggops_charge(&result->params, kind, send->size, t);
        g_array_append_val(path, step);
    }
    return path;
}
