#include "run/launch/probe.h"
#include "base/error.h"
#include <string.h>

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

// How often all texts are timed, so that other work on the machine does not hit all times of one of them; the least
// median counts.
enum { TEXT_ROUNDS = 3, MOST_TEXTS = 64, TEXT_ELEMENT = 8 };

// A text of shared memory that is timed: its slots are those of the entry if `slots` is 0.
typedef struct TextProbe {
    Collective collective;
    const char *name;
    int slots;
} TextProbe;

// Sets the jobs of the texts at every second power of two from 8 B on, which leaves the others to test the figures.
// Returns their number.
static int text_jobs(Job *job)
{
    static const TextProbe texts[] = {
        {COLL_BCAST, "shm_flat", 0},   {COLL_BCAST, "shm_flat", 256},   {COLL_REDUCE, "shm_flat", 0},
        {COLL_REDUCE, "shm_fused", 0}, {COLL_ALLREDUCE, "shm_flat", 0},
    };
    int n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        for (size_t m = 8; m <= 1 << 20; m *= 4) {
            const CollAlgorithm *a = algorithm_find(texts[i].collective, texts[i].name);
            g_assert(a && n < MOST_TEXTS);
            job[n] = (Job){.kind = JOB_ALGORITHM,
                           .collective = texts[i].collective,
                           .algorithm = a,
                           .par = algorithm_defaults(a),
                           .m = m,
                           .elem = TEXT_ELEMENT};
            if (texts[i].slots)
                job[n].par.slots = texts[i].slots;
            n++;
        }
    return n;
}

// Adds the times of texts of shared memory on p ranks.
static gboolean add_texts(Log *log, const Meter *meter, int p, GError **error)
{
    Job job[MOST_TEXTS];
    JobResult result[MOST_TEXTS];
    double least[MOST_TEXTS];
    const int n = text_jobs(job);
    Meter each = *meter;
    each.plan.budget_s /= TEXT_ROUNDS;
    each.plan.sync = SYNC_WINDOW;
    for (int round = 0; round < TEXT_ROUNDS; round++) {
        memset(result, 0, sizeof result);
        gboolean good = meter_run(&each, p, job, n, result, error);
        for (int i = 0; i < n; i++) {
            if (good && result[i].wrong)
                good = bad_input(error, "%s of %" G_GSIZE_FORMAT " bytes: %s", job[i].algorithm->name, job[i].m,
                                 result[i].wrong);
            least[i] = round ? MIN(least[i], result[i].median_s) : result[i].median_s;
            job_result_clear(&result[i]);
        }
        if (!good)
            return FALSE;
    }
    for (int i = 0; i < n; i++) {
        const LogSample sample = {.log = log,
                                  .kind = LOG_COLLECTIVE,
                                  .collective = job[i].collective,
                                  .algorithm = job[i].algorithm->name,
                                  .params = job[i].par.slots == 256 ? "slots=256" : "",
                                  .map = "",
                                  .bytes = job[i].m,
                                  .time_s = least[i],
                                  .p = p,
                                  .crowded = meter_crowded(meter, p),
                                  .element = TEXT_ELEMENT,
                                  .factor = 1};
        g_array_append_val(log->samples, sample);
    }
    return TRUE;
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
    // Ranks that share a core would wait for each other's turns, which is no figure of the memory.
    for (int p = 2; model->shared && (p == 2 || p <= meter->cores); p *= 2)
        if (!add_texts(log, meter, p, error))
            return NULL;
    return g_steal_pointer(&log);
}
