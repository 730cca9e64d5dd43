#define _GNU_SOURCE // sched_getaffinity
#include "base/error.h"
#include "answer/measure.h"
#include "base/nearest.h"
#include "base/units.h"
#include <sched.h>
#include <stdio.h>
#include <string.h>

void meter_options_clear(MeterOptions *o)
{
    g_free(o->mpi);
    g_free(o->launcher);
    g_free(o->sync);
    g_free(o->budget);
    g_free(o->precision);
    g_free(o->repetitions);
    g_free(o->warmup);
    g_free(o->patience);
}

void meter_clear(Meter *meter)
{
    g_free(meter->mpi);
}

// ---- The host ------------------------------------------------------------------------------------------------------

// The hardware threads of a core, "0,4" or "0-1", by which cores are told from each other; the thread's own number where
// the system does not say.
static char *core_of(int cpu)
{
    g_autofree char *path = g_strdup_printf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) ? g_strchomp(text) : g_strdup_printf("%d", cpu);
}

// Cores that this program, and what it starts, may run on; 0: the system does not say.
static int count_cores(void)
{
    enum { MOST = 1 << 15 };
    g_autoptr(GHashTable) cores = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const size_t size = CPU_ALLOC_SIZE(MOST);
    cpu_set_t *set = CPU_ALLOC(MOST);
    CPU_ZERO_S(size, set);
    if (sched_getaffinity(0, size, set) == 0)
        for (int cpu = 0; cpu < MOST; cpu++)
            if (CPU_ISSET_S((size_t)cpu, size, set))
                g_hash_table_add(cores, core_of(cpu));
    CPU_FREE(set);
    return (int)g_hash_table_size(cores);
}

gboolean meter_crowded(const Meter *meter, int p)
{
    return meter->cores > 0 && p > meter->cores;
}

void meter_warn(const Meter *meter, int p)
{
    if (meter_crowded(meter, p))
        fprintf(stderr, "%d ranks share %d core%s: their times say nothing about the algorithm\n", p, meter->cores,
                meter->cores == 1 ? "" : "s");
}

// ---- Options -------------------------------------------------------------------------------------------------------

// A number of repetitions; *out stays where it is not given.
static gboolean find_count(const char *option, const char *text, int least, int *out, GError **error)
{
    enum { MOST = 1000000 };
    size_t n = (size_t)*out;
    if (text && (!units_parse_size(text, &n, NULL) || n < (size_t)least || n > MOST)) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "%s %s; allowed: %d .. %d", option, quoted, least, MOST);
    }
    *out = (int)n;
    return TRUE;
}

static gboolean find_time(const char *option, const char *text, double *out, GError **error)
{
    g_autofree char *quoted = text ? error_quote(text) : NULL;
    return !text || (units_parse_time(text, out, NULL) && *out > 0) ||
           bad_input(error, "%s %s; allowed: a time above 0, as 500ms or 2s", option, quoted);
}

static gboolean find_precision(const char *text, double *out, GError **error)
{
    char *end = NULL;
    const double percent = text ? g_ascii_strtod(text, &end) : 0;
    if (!text)
        return TRUE;
    if (end == text || strcmp(end, "%") != 0 || !(percent >= 0 && percent < 100)) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "--precision %s; allowed: 0%% .. 99%%, as 0.5%%", quoted);
    }
    *out = percent / 100;
    return TRUE;
}

gboolean meter_read(const MeterOptions *o, Meter *meter, GError **error)
{
    enum { LEAST = 10, MOST = 100000, WARMUP = 3 };
    static const char *const mpis[] = {[LAUNCH_MPI] = "openmpi", [LAUNCH_MPICH] = "mpich", NULL};
    int mpi = LAUNCH_MPI, sync = SYNC_BARRIER;
    *meter = (Meter){.plan = {.warmup = WARMUP, .least = LEAST, .most = MOST, .budget_s = 1, .precision = 0.01}};
    JobPlan *plan = &meter->plan;
    if ((o->mpi && !nearest_find("MPI", o->mpi, mpis, &mpi, error)) ||
        (o->sync && !nearest_find("synchronisation", o->sync, sync_names, &sync, error)) ||
        !find_time("--budget", o->budget, &plan->budget_s, error) ||
        !find_precision(o->precision, &plan->precision, error) ||
        !find_count("--repetitions", o->repetitions, 1, &plan->most, error) ||
        !find_count("--warmup", o->warmup, 0, &plan->warmup, error) ||
        !find_time("--patience", o->patience, &meter->launch.patience_s, error))
        return FALSE;
    plan->least = o->repetitions ? plan->most : LEAST;
    plan->sync = (JobSync)sync;
    meter->launch.kind = (LaunchKind)mpi;
    meter->launch.launcher = o->launcher;
    meter->cores = o->launcher ? 0 : count_cores();
    return TRUE;
}

gboolean meter_open(Meter *meter, GError **error)
{
    meter->mpi = launch_library(meter->launch.kind, error);
    meter->open_mpi = meter->mpi && g_str_has_prefix(meter->mpi, "Open MPI");
    return meter->mpi != NULL;
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

gboolean meter_run(const Meter *meter, int p, const Job *job, int n, JobResult *result, GError **error)
{
    JobPlan plan = meter->plan;
    plan.p = p;
    memset(result, 0, (size_t)n * sizeof *result);
    g_autofree char *command = launch_command(&meter->launch, p, error);
    if (!command)
        return FALSE;
    fprintf(stderr, "running: %s\n", command);
    return launch_run(&meter->launch, &plan, job, n, result, error);
}

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
