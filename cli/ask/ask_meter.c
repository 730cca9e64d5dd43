#include "ask/ask_meter.h"
#include "out/note.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
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

// Parses a number of repetitions; *out keeps its value if the option was not given.
static gboolean find_count(const char *option, const char *text, size_t least, int *out, GError **error)
{
    enum { MOST = 1000000 };
    size_t n = (size_t)*out;
    const gboolean good = options_number(option, text, least, MOST, &n, error);
    *out = (int)n;
    return good;
}

static gboolean find_time(const char *option, const char *text, double *out, GError **error)
{
    g_autofree char *quoted = text ? error_quote(text) : NULL;
    return !text || (units_parse_time(text, out, NULL) && *out > 0) ||
           bad_input(error, "%s %s; allowed: a time above 0, such as 500ms or 2s", option, quoted);
}

gboolean ask_meter(const MeterOptions *o, Meter *meter, GError **error)
{
    static const char *const mpis[] = {[LAUNCH_MPI] = "openmpi", [LAUNCH_MPICH] = "mpich", NULL};
    meter_init(meter);
    JobPlan *plan = &meter->plan;
    int mpi = LAUNCH_MPI, sync = SYNC_BARRIER;
    if ((o->mpi && !nearest_find("MPI", o->mpi, mpis, &mpi, error)) ||
        (o->sync && !nearest_find("synchronisation", o->sync, sync_names, &sync, error)) ||
        !find_time("--budget", o->budget, &plan->budget_s, error) ||
        !number_percent("--precision", o->precision, "0.5%", &plan->precision, error) ||
        !find_count("--repetitions", o->repetitions, 1, &plan->most, error) ||
        !find_count("--warmup", o->warmup, 0, &plan->warmup, error) ||
        !find_time("--patience", o->patience, &meter->launch.patience_s, error))
        return FALSE;
    if (o->repetitions)
        plan->least = plan->most;
    plan->sync = (JobSync)sync;
    meter->launch.kind = (LaunchKind)mpi;
    meter->launch.launcher = o->launcher;
    if (o->launcher)
        meter->cores = meter->sockets = 0;
    meter->note = note_line;
    return TRUE;
}
