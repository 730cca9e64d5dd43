#define LOGGOPS_TICKS
#include "loggops/loggops_events.h"

static void finish(const LoggopsRun *run, LoggopsTicksResult *result)
{
    result->finish = g_new0(uint64_t, run->n_hosts);
    for (uint32_t host = 0; host < run->n_hosts; host++) {
        for (uint32_t i = 0; i < run->n_cpus; i++)
            result->finish[host] = MAX(result->finish[host], run->cpu[(size_t)host * run->n_cpus + i].t);
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
    *result = (LoggopsTicksResult){.n_hosts = run.n_hosts, .stuck = find_stuck(&run)};
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
