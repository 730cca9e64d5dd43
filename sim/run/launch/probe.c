#include "run/launch/probe.h"
#include "base/error.h"

const char *probe_name(JobKind kind)
{
    return kind == JOB_PINGPONG ? "pingpong" : "reduce_local";
}

const char *probe_algorithm(JobKind kind)
{
    return kind == JOB_PINGPONG ? "sendrecv" : "sum";
}

GArray *probe_run(const Meter *meter, JobKind kind, size_t elem, const GArray *sizes, GError **error)
{
    const int p = kind == JOB_PINGPONG ? 2 : 1, n = (int)sizes->len;
    g_autofree Job *job = g_new0(Job, n);
    g_autofree JobResult *result = g_new0(JobResult, n);
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(ProbeSample));
    for (int i = 0; i < n; i++)
        job[i] = (Job){.kind = kind, .elem = elem, .m = g_array_index(sizes, size_t, i)};
    gboolean good = meter_run(meter, p, job, n, result, error);
    for (int i = 0; i < n; i++) {
        if (good && result[i].wrong)
            good = bad_input(error, "%s of %" G_GSIZE_FORMAT " bytes: %s", probe_name(kind), job[i].m, result[i].wrong);
        job_result_clear(&result[i]);
        const ProbeSample sample = {job[i].m, result[i]};
        g_array_append_val(samples, sample);
    }
    return good ? g_steal_pointer(&samples) : NULL;
}

static gboolean add_probe(Log *log, const Meter *meter, LogSampleKind kind, size_t least, GError **error)
{
    enum { MOST = 4 << 20, ELEMENT = 8 };
    const gboolean reduces = kind == LOG_REDUCE;
    const int p = reduces ? 1 : 2;
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof least);
    for (size_t size = least; size <= MOST; size *= 2)
        g_array_append_val(sizes, size);
    g_autoptr(GArray) measured =
        probe_run(meter, reduces ? JOB_REDUCE : JOB_PINGPONG, reduces ? ELEMENT : 1, sizes, error);
    for (guint i = 0; measured && i < measured->len; i++) {
        const ProbeSample *probe = &g_array_index(measured, ProbeSample, i);
        const LogSample sample = {.log = log,
                                  .kind = kind,
                                  .bytes = probe->bytes,
                                  .time_s = probe->times.median_s,
                                  .p = p,
                                  .crowded = meter_crowded(meter, p),
                                  .params = "",
                                  .element = reduces ? ELEMENT : 1};
        g_array_append_val(log->samples, sample);
    }
    return measured != NULL;
}

Log *probe_machine(const Model *model, const Meter *meter, GError **error)
{
    // Shorter reductions take less time than a clock with a step of about 10 ns can measure.
    enum { LEAST_REDUCED = 256 };
    g_autofree char *cores = meter->cores ? g_strdup_printf(" on %d core%s", meter->cores, meter->cores == 1 ? "" : "s")
                                          : g_strdup(" by --launcher");
    g_autofree char *format = g_strdup_printf("collsim with %s%s", meter->mpi, cores);
    g_autoptr(Log) log = log_new("measured here", format, "median");
    log->warm = TRUE;
    if ((!model->shared && !add_probe(log, meter, LOG_ONE_WAY, 1, error)) ||
        !add_probe(log, meter, LOG_REDUCE, LEAST_REDUCED, error))
        return NULL;
    return g_steal_pointer(&log);
}
