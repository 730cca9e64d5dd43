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

// Returns what the system says of a hardware thread in this file; NULL if it has none. Free with g_free.
static char *topology_of(int cpu, const char *file)
{
    g_autofree char *path = g_strdup_printf("/sys/devices/system/cpu/cpu%d/topology/%s", cpu, file);
    size_t length;
    char *const text = text_read(path, LIMIT_LINE_BYTES, &length, NULL);
    return text ? g_strchomp(text) : NULL;
}

// Counts the cores that this program and its children may run on, and their sockets; 0 if the system does not say. All
// hardware threads of a core have the same list of these, "0,4" or "0-1"; a thread without a list is a core.
static void count_cores(int *n_cores, int *n_sockets)
{
    enum { MOST = 1 << 15 };
    g_autoptr(GHashTable) cores = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                          sockets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const size_t size = CPU_ALLOC_SIZE(MOST);
    cpu_set_t *set = CPU_ALLOC(MOST);
    CPU_ZERO_S(size, set);
    if (sched_getaffinity(0, size, set) == 0)
        for (int cpu = 0; cpu < MOST; cpu++) {
            if (!CPU_ISSET_S((size_t)cpu, size, set))
                continue;
            char *const core = topology_of(cpu, "thread_siblings_list");
            char *const socket = topology_of(cpu, "physical_package_id");
            g_hash_table_add(cores, core ? core : g_strdup_printf("%d", cpu));
            g_hash_table_add(sockets, socket ? socket : g_strdup("0"));
        }
    CPU_FREE(set);
    *n_cores = (int)g_hash_table_size(cores);
    *n_sockets = (int)g_hash_table_size(sockets);
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
    };
    count_cores(&meter->cores, &meter->sockets);
}

gboolean meter_open(Meter *meter, GError **error)
{
    meter->mpi = launch_library(&meter->launch, error);
    meter->launch.library = meter->mpi;
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
