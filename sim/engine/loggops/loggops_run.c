// The LogGOPS run on clocks of doubles.
#include "base/rounding.h"
#include "engine/loggops/loggops_events.h"
#include <stdbool.h>

// Aborts unless the counts' value is the last clock, because a difference shows a bug. The two may differ by rounding:
// a clock is a sum of a few terms for each operation of its chain, and no chain has more operations than the graph.
static void check_end(const LoggopsResult *result)
{
    const double value = loggops_time(&result->last, &result->params);
    if (!rounding_explains(value, result->last.t, 4 * (double)goal_n_ops(result->goal)))
        g_error("host %u ends at %.17g, but its counts are worth %.17g", result->last_host, result->last.t, value);
}

static void finish(LoggopsRun *run, LoggopsResult *result)
{
    result->finish = g_new(double, run->n_hosts);
    result->finish_by = g_new(uint32_t, run->n_hosts);
    const Clock *last = last_clocks(run);
    for (uint32_t host = 0; host < run->n_hosts; host++) {
        result->finish[host] = last[host].t;
        result->finish_by[host] = last[host].by;
        if (last[host].t > result->finish[result->last_host])
            result->last_host = host;
    }
    result->last = loggops_stamp(result, result->last_host);
    check_end(result);
}

// Returns a table in which every level of the graph has the same L and G. Free with g_free.
static LoggopsLevel *one_for_all(const Goal *goal, double L, double G)
{
    const int n = goal_n_levels(goal);
    LoggopsLevel *level = g_new(LoggopsLevel, n);
    for (int k = 0; k < n; k++)
        level[k] = (LoggopsLevel){L, G};
    return level;
}

static double charge(const LoggopsTimes *times, LoggopsStepKind kind, const GoalOp *op, double t)
{
    return loggops_charge(&times->params, kind, op, t);
}

// Makes the times of a run that has come to its end. They borrow from the result.
static LoggopsTimes *times_of(const LoggopsRun *run, const LoggopsResult *result)
{
    LoggopsTimes *x = g_new(LoggopsTimes, 1);
    *x = (LoggopsTimes){.goal = result->goal,
                        .start = run->start,
                        .take = run->take,
                        .start_by = run->start_by,
                        .take_by = run->take_by,
                        .finish = result->finish,
                        .last_host = result->last_host,
                        .last_by = result->finish_by[result->last_host],
                        .charge = charge,
                        .params = result->params};
    return x;
}

static LoggopsResult *run_goal(const Goal *goal, const LoggopsParams *q, bool timed, const LoggopsFew *few)
{
    g_assert(q->L >= 0 && q->o >= 0 && q->g >= 0 && q->G >= 0 && q->O >= 0 && q->S >= 0 && q->gamma >= 0);
    g_assert(q->n_levels == 0 || q->n_levels >= goal_n_levels(goal));
    for (int k = 0; k < q->n_levels; k++)
        g_assert(q->level[k].L >= 0 && q->level[k].G >= 0);
    LoggopsResult *result = g_new(LoggopsResult, 1);
    *result = (LoggopsResult){.n_hosts = goal_n_hosts(goal), .goal = goal, .params = *q};
    if (q->n_levels == 0)
        result->params.level = result->own = one_for_all(goal, q->L, q->G);
    LoggopsRun run;
    run_init(&run, goal, &result->params, few);
    if (timed)
        run_keep_times(&run);
    run_events(&run);
    result->stuck = find_stuck(&run);
    result->start_by = run.start_by;
    result->take_by = run.take_by;
    const bool holds = !few || (!run.few.undecided && result->stuck->len == 0);
    if (holds && result->stuck->len == 0)
        finish(&run, result);
    if (timed && result->finish) {
        result->times = times_of(&run, result);
    } else {
        g_free(run.start);
        g_free(run.take);
    }
    run_clear(&run);
    if (!holds)
        g_clear_pointer(&result, loggops_result_free);
    return result;
}

LoggopsResult *loggops_run(const Goal *goal, const LoggopsParams *q)
{
    return run_goal(goal, q, false, NULL);
}

LoggopsResult *loggops_run_timed(const Goal *goal, const LoggopsParams *q)
{
    return run_goal(goal, q, true, NULL);
}

LoggopsResult *loggops_run_few(const Goal *goal, const LoggopsParams *q, const LoggopsFew *few)
{
    g_assert(!goal_is_placed(goal) && few->p % goal_n_hosts(goal) == 0);
    return run_goal(goal, q, false, few);
}

void loggops_result_free(LoggopsResult *result)
{
    g_array_unref(result->stuck);
    g_free(result->finish);
    g_free(result->last.level);
    g_free(result->start_by);
    g_free(result->take_by);
    g_free(result->finish_by);
    g_free(result->own);
    if (result->times) {
        g_free(result->times->start);
        g_free(result->times->take);
        g_free(result->times);
    }
    g_free(result);
}
