#include "answer/calibrate_cli.h"
#include "base/error.h"

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
        const LogSample sample = {.kind = kind,
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

Log *calibrate_run(const Model *model, const MeterOptions *options, GError **error)
{
    enum { LEAST_REDUCED = 256 }; // what a clock of some 10 ns can tell
    MeterOptions o = *options;
    char budget[] = "500ms";
    if (!o.budget)
        o.budget = budget;
    g_auto(Meter) meter = {0};
    if (!meter_read(&o, &meter, error) || !meter_open(&meter, error))
        return NULL;
    g_autofree char *cores = meter.cores ? g_strdup_printf(" on %d core%s", meter.cores, meter.cores == 1 ? "" : "s")
                                         : g_strdup(" by --launcher");
    g_autofree char *format = g_strdup_printf("collsim with %s%s", meter.mpi, cores);
    g_autoptr(Log) log = log_new("measured here", format, "median");
    log->warm = TRUE;
    if ((!model->shared && !add_probe(log, &meter, LOG_ONE_WAY, 1, error)) ||
        !add_probe(log, &meter, LOG_REDUCE, LEAST_REDUCED, error))
        return NULL;
    return g_steal_pointer(&log);
}
