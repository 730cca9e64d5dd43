#include "run/launch/probe.h"
#include "base/error.h"
#include "run/launch/times.h"
#include <string.h>

static const struct {
    const char *name, *algorithm;
    int ranks;
} probes[] = {
    [JOB_PINGPONG] = {"pingpong", "sendrecv", 2},
    [JOB_REDUCE] = {"reduce_local", "sum", 1},
    [JOB_SINGLE] = {"single_copy", "process_vm_readv", 2},
};

const char *probe_name(JobKind kind)
{
    return probes[kind].name;
}

const char *probe_algorithm(JobKind kind)
{
    return probes[kind].algorithm;
}

int probe_ranks(JobKind kind)
{
    return probes[kind].ranks;
}

// Runs jobs in one launch, and clears their results of what must be freed. Returns FALSE and an error if the launch
// fails or if the data are wrong.
static gboolean run_jobs(const Meter *meter, int p, const Job *job, int n, JobResult *result, GError **error)
{
    memset(result, 0, (size_t)n * sizeof *result);
    gboolean good = meter_run(meter, p, job, n, result, error);
    for (int i = 0; i < n; i++) {
        const char *name = job[i].algorithm ? job[i].algorithm->name : probe_name(job[i].kind);
        if (good && result[i].wrong)
            good = bad_input(error, "%s of %" G_GSIZE_FORMAT " bytes: %s", name, job[i].m, result[i].wrong);
        job_result_clear(&result[i]);
    }
    return good;
}

GArray *probe_run(const Meter *meter, JobKind kind, size_t elem, const GArray *sizes, GError **error)
{
    const int p = probe_ranks(kind), n = (int)sizes->len;
    g_autofree Job *job = g_new0(Job, n);
    g_autofree JobResult *result = g_new(JobResult, n);
    for (int i = 0; i < n; i++)
        job[i] = (Job){.kind = kind, .elem = elem, .m = g_array_index(sizes, size_t, i)};
    if (!run_jobs(meter, p, job, n, result, error))
        return NULL;
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(ProbeSample));
    for (int i = 0; i < n; i++) {
        const ProbeSample sample = {job[i].m, result[i]};
        g_array_append_val(samples, sample);
    }
    return samples;
}

static gboolean add_probe(Log *log, const Meter *meter, LogSampleKind kind, size_t least, GError **error)
{
    enum { MOST = 4 << 20, MOST_SINGLE = 64 << 10, ELEMENT = 8 }; // a start-up time shows in short copies alone
    const gboolean reduces = kind == LOG_REDUCE;
    const JobKind probed = reduces ? JOB_REDUCE : kind == LOG_SINGLE ? JOB_SINGLE : JOB_PINGPONG;
    const int p = probe_ranks(probed);
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof least);
    for (size_t size = least; size <= (kind == LOG_SINGLE ? MOST_SINGLE : MOST); size *= 2)
        g_array_append_val(sizes, size);
    g_autoptr(GArray) measured = probe_run(meter, probed, reduces ? ELEMENT : 1, sizes, error);
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

// A text of shared memory that is timed: its slots are those of the entry if `slots` is 0.
typedef struct TextProbe {
    Collective collective;
    const char *name;
    int slots;
    const char *params; // the same as text
} TextProbe;

static const TextProbe texts[] = {
    {COLL_BCAST, "shm_flat", 0, ""},   {COLL_BCAST, "shm_flat", 256, "slots=256"}, {COLL_REDUCE, "shm_flat", 0, ""},
    {COLL_REDUCE, "shm_fused", 0, ""}, {COLL_ALLREDUCE, "shm_flat", 0, ""},
};

enum {
    TEXT_ELEMENT = 8,
    // All texts are timed so often, and the median of the medians counts. Other work on the machine may make one of them
    // longer. It may also make it shorter: ranks of a virtual machine that run on two threads of one core for a while copy
    // twice as fast and write slots again at no cost, and the least of the times would mix such texts with others.
    TEXT_ROUNDS = 3,
    TEXT_SIZES = 9, // every second power of two from 8 B to 512 KiB, which leaves the others to test the figures
    N_TEXT_JOBS = G_N_ELEMENTS(texts) * TEXT_SIZES
};

static Job text_job(const TextProbe *text, int size)
{
    const CollAlgorithm *a = algorithm_find(text->collective, text->name);
    g_assert(a);
    Job job = {.kind = JOB_ALGORITHM,
               .collective = text->collective,
               .algorithm = a,
               .par = algorithm_defaults(a),
               .m = (size_t)8 << 2 * size,
               .elem = TEXT_ELEMENT};
    if (text->slots)
        job.par.slots = text->slots;
    return job;
}

// Adds the times of texts of shared memory on p ranks, as rows of the flag of a level if `level` is not NULL.
static gboolean add_texts(Log *log, const Meter *meter, int p, LaunchPlace place, const char *level, GError **error)
{
    Job job[N_TEXT_JOBS];
    JobResult result[N_TEXT_JOBS];
    double times[N_TEXT_JOBS][TEXT_ROUNDS];
    Meter each = *meter;
    each.plan.budget_s /= TEXT_ROUNDS;
    each.plan.sync = SYNC_WINDOW;
    each.launch.options = launch_place_words(meter->open_mpi, place);
    for (int i = 0; i < N_TEXT_JOBS; i++)
        job[i] = text_job(&texts[i / TEXT_SIZES], i % TEXT_SIZES);
    for (int round = 0; round < TEXT_ROUNDS; round++) {
        if (!run_jobs(&each, p, job, N_TEXT_JOBS, result, error))
            return FALSE;
        for (int i = 0; i < N_TEXT_JOBS; i++)
            times[i][round] = result[i].median_s;
    }
    for (int i = 0; i < N_TEXT_JOBS; i++) {
        times_sort(times[i], TEXT_ROUNDS);
        const LogSample sample = {.log = log,
                                  .kind = LOG_COLLECTIVE,
                                  .collective = job[i].collective,
                                  .algorithm = job[i].algorithm->name,
                                  .params = texts[i / TEXT_SIZES].params,
                                  .map = "",
                                  .bytes = job[i].m,
                                  .time_s = times[i][TEXT_ROUNDS / 2],
                                  .p = p,
                                  .crowded = meter_crowded(meter, p),
                                  .element = TEXT_ELEMENT,
                                  .part = level ? LOG_PART_FLAG : LOG_PART_NONE,
                                  .level = level,
                                  .factor = 1};
        g_array_append_val(log->samples, sample);
    }
    return TRUE;
}

// Adds the times of texts of shared memory on 2, 4 .. ranks. Ranks that share a core would wait for each other's turns,
// which does not measure the memory.
static gboolean add_all_texts(Log *log, const Meter *meter, const char *socket, GError **error)
{
    const gboolean placed = meter->sockets > 1;
    for (int p = 2; p == 2 || p <= meter->cores; p *= 2)
        if (!add_texts(log, meter, p, placed ? PLACE_APART : PLACE_ANY, NULL, error))
            return FALSE;
    return !placed || !socket || add_texts(log, meter, 2, PLACE_NEAR, socket, error);
}

Log *probe_machine(const Model *model, const Meter *meter, const char *socket, GError **error)
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
    // A kernel may forbid these copies, as containers often do. Then all else can still be measured.
    g_autoptr(GError) forbidden = NULL;
    if (model->shared && !add_probe(log, meter, LOG_SINGLE, 1, &forbidden))
        log_pass(log, "single is not measured: %s", forbidden->message);
    return !model->shared || add_all_texts(log, meter, socket, error) ? g_steal_pointer(&log) : NULL;
}
