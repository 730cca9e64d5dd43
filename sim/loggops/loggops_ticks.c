#define LOGGOPS_TICKS
#include "base/error.h"
#include "loggops/loggops_events.h"

// Returns the sum of the charges of all steps of an operation (loggops_charge), in a long double, because it may exceed
// 2^64.
static long double all_charges(const GoalOp *op, const LoggopsTicks *q)
{
    if (op->kind == GOAL_RECV)
        return 0; // a receive's steps are charged by the size of the message, so they are part of the send's sum
    if (op->kind == GOAL_CALC)
        return (long double)op->size * (long double)q->gamma;
    const long double further = op->size > 0 ? (long double)(op->size - 1) : 0;
    const long double O = further * (long double)q->O, G = further * (long double)q->G;
    return 3 * (long double)q->o + (long double)q->L + 2 * (long double)q->g + O + MAX(O, G) + 2 * G;
}

gboolean loggops_ticks_fit(const Goal *goal, const LoggopsTicks *ticks, GError **error)
{
    long double sum = 0;
    for (uint32_t op = 0; op < goal_n_ops(goal); op++)
        sum += all_charges(goal_op(goal, op), ticks);
    const double per_ns = (double)ticks->gamma;
    return sum < 0x1p63L || bad_input(error, "the operations take up to %.4g ns in all; allowed: less than %.4g ns",
                                      (double)sum / per_ns, 0x1p63 / per_ns);
}

static void finish(LoggopsRun *run, LoggopsTicksResult *result)
{
    result->finish = g_new(uint64_t, run->n_hosts);
    const Clock *last = last_clocks(run);
    for (uint32_t host = 0; host < run->n_hosts; host++) {
        result->finish[host] = last[host].t;
        if (result->finish[host] > result->finish[result->last_host])
            result->last_host = host;
    }
}

LoggopsTicksResult *loggops_run_ticks(const Goal *goal, const LoggopsTicks *ticks)
{
    LoggopsRun run;
    run_init(&run, goal, ticks);
    run_events(&run);
    LoggopsTicksResult *result = g_new(LoggopsTicksResult, 1);
    *result = (LoggopsTicksResult){.n_hosts = run.n_hosts, .stuck = find_stuck(&run), .unequal = run.unequal};
    if (result->stuck->len == 0)
        finish(&run, result);
    g_free(run.start_by);
    g_free(run.take_by);
    run_clear(&run);
    return result;
}

void loggops_ticks_result_free(LoggopsTicksResult *result)
{
    g_array_unref(result->stuck);
    g_free(result->finish);
    g_free(result);
}
