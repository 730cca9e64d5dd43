#define _GNU_SOURCE // sched_getaffinity
#include "run/launch/meter.h"
#include "base/limits.h"
#include "base/text.h"
#include <sched.h>
#include <string.h>

void meter_clear(Meter *meter)
{
    g_free(meter->mpi);
}

// ---- The host ------------------------------------------------------------------------------------------------------

// Returns a text that is the same for all hardware threads of a core: the list of these, "0,4" or "0-1". If the system
// does not provide the list, the text is the thread's own number.
static char *core_of(int cpu)
{
    g_autofree char *path = g_strdup_printf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    size_t length;
    char *const text = text_read(path, LIMIT_LINE_BYTES, &length, NULL);
    return text ? g_strchomp(text) : g_strdup_printf("%d", cpu);
}

// Returns how many cores this program and its children may run on; 0 if the system does not say.
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
    if (!meter->note || !meter_crowded(meter, p))
        return;
    g_autofree char *line = g_strdup_printf("%d ranks share %d core%s: their times say nothing about the algorithm", p,
                                            meter->cores, meter->cores == 1 ? "" : "s");
    meter->note(line);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

void meter_init(Meter *meter)
{
    enum { LEAST = 10, MOST = 100000, WARMUP = 3 };
    *meter = (Meter){
        .launch.kind = LAUNCH_MPI,
        .plan =
            {.sync = SYNC_BARRIER, .warmup = WARMUP, .least = LEAST, .most = MOST, .budget_s = 1, .precision = 0.01},
        .cores = count_cores()};
}

gboolean meter_open(Meter *meter, GError **error)
{
    meter->mpi = launch_library(&meter->launch, error);
    meter->open_mpi = meter->mpi && g_str_has_prefix(meter->mpi, "Open MPI");
    return meter->mpi != NULL;
}

gboolean meter_run(const Meter *meter, int p, const Job *job, int n, JobResult *result, GError **error)
{
    JobPlan plan = meter->plan;
    plan.p = p;
    memset(result, 0, (size_t)n * sizeof *result);
    g_autofree char *command = launch_command(&meter->launch, p, error);
    if (!command)
        return FALSE;
    if (meter->note) {
        g_autofree char *line = g_strdup_printf("running: %s", command);
        meter->note(line);
    }
    return launch_run(&meter->launch, &plan, job, n, result, error);
}
