#define LOGGOPS_TICKS
#include "base/error.h"
#include "engine/loggops/loggops_events.h"
#include <stdbool.h>

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

static double charge(const LoggopsTimes *times, LoggopsStepKind kind, const GoalOp *op, double t)
{
    return (double)(int64_t)loggops_charge(&times->ticks, kind, op, (uint64_t)(int64_t)t);
}

// Makes the times of a run that has come to its end, and takes its arrays.
static LoggopsTimes *times_of(LoggopsRun *run, const LoggopsTicksResult *result, const Goal *goal)
{
    LoggopsTimes *x = g_new(LoggopsTimes, 1);
    *x = (LoggopsTimes){.goal = goal,
                        .start = g_steal_pointer(&run->start),
                        .take = g_steal_pointer(&run->take),
                        .start_by = g_steal_pointer(&run->start_by),
                        .take_by = g_steal_pointer(&run->take_by),
                        .finish = g_new(double, run->n_hosts),
                        .last_host = result->last_host,
                        .last_by = last_clocks(run)[result->last_host].by,
                        .charge = charge,
                        .ticks = run->costs};
    for (uint32_t host = 0; host < run->n_hosts; host++)
        x->finish[host] = (double)(int64_t)result->finish[host];
    return x;
}

static LoggopsTicksResult *run_goal(const Goal *goal, const LoggopsTicks *ticks, bool timed)
{
    LoggopsRun run;
    run_init(&run, goal, ticks, NULL);
    if (timed)
        run_keep_times(&run);
    run_events(&run);
    LoggopsTicksResult *result = g_new(LoggopsTicksResult, 1);
    *result = (LoggopsTicksResult){.n_hosts = run.n_hosts, .stuck = find_stuck(&run), .unequal = run.unequal};
    if (result->stuck->len == 0)
        finish(&run, result);
    if (timed && result->finish)
        result->times = times_of(&run, result, goal);
    g_free(run.start_by);
    g_free(run.take_by);
    g_free(run.start);
    g_free(run.take);
    run_clear(&run);
    return result;
}

LoggopsTicksResult *loggops_run_ticks(const Goal *goal, const LoggopsTicks *ticks)
{
    return run_goal(goal, ticks, false);
}

LoggopsTicksResult *loggops_run_ticks_timed(const Goal *goal, const LoggopsTicks *ticks)
{
    return run_goal(goal, ticks, true);
}

void loggops_ticks_result_free(LoggopsTicksResult *result)
{
    g_array_unref(result->stuck);
    g_free(result->finish);
    if (result->times) {
        g_free(result->times->start);
        g_free(result->times->take);
        g_free(result->times->start_by);
        g_free(result->times->take_by);
        g_free(result->times->finish);
        g_free(result->times);
    }
    g_free(result);
}
