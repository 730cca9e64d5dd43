#include "calibrate_site.h"
#include "answer/measurements/site_answer.h"
#include "ask/ask.h"
#include "base/error.h"
#include "base/number.h"
#include "base/output.h"
#include "out/note.h"
#include "search/search/calibrated.h"
#include <string.h>

// Adds the levels of "socket=24,node=48", where each has so many ranks.
static gboolean read_levels(Platform *platform, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    if (platform->levels.n > 1)
        return bad_input(error, "--levels %s, and --base has [levels]; allowed: one of them", text);
    if (!*parts)
        return bad_input(error, "--levels is empty; allowed: NAME=RANKS, the innermost first, as socket=24,node=48");
    for (char **part = parts; *part; part++) {
        char *const equals = strchr(g_strstrip(*part), '=');
        size_t ranks;
        if (!equals || !number_size(equals + 1, 1, LIMIT_RANKS, &ranks))
            return bad_input(error, "--levels: `%s`; allowed: NAME=RANKS, the innermost first, as socket=24,node=48",
                             *part);
        *equals = '\0';
        g_autofree char *size = g_strdup_printf("%zu ranks", ranks);
        if (!levels_read(&platform->levels, *part, size, error)) {
            g_prefix_error(error, "--levels: ");
            return FALSE;
        }
    }
    return TRUE;
}

// Returns the machine that is known before the logs are read; `path` is the file of --base, or NULL. NULL and an error if it
// has no levels.
static Platform *known_machine(const CalibrateSite *site, const char *path, GError **error)
{
    g_autoptr(Platform) base = path ? platform_load(path, error) : platform_new("");
    if (!base || (site->levels && !read_levels(base, site->levels, error)))
        return NULL;
    if (base->levels.n == 1) {
        bad_input(error,
                  "--site needs to know the levels of the machine, which no log names; allowed: with --levels, as "
                  "socket=24,node=48, or --base FILE.ini with [levels]");
        return NULL;
    }
    g_autoptr(Platform) assumed = calibrated_assume(base);
    return ask_sets(assumed, site->sets, &measured_model, error) ? g_steal_pointer(&assumed) : NULL;
}

char *calibrate_name(const char *path)
{
    char *name = g_path_get_basename(path);
    if (g_str_has_suffix(name, ".ini"))
        name[strlen(name) - strlen(".ini")] = '\0';
    return name;
}

static gboolean write_machine(const CalibrateSite *site, MeasuredFit *fit, const char *base, GError **error)
{
    g_auto(OutputSet) set = {0};
    const Output *const out = output_set_open(&set, site->write, error);
    if (site->title || !base) {
        g_free(fit->platform->title);
        fit->platform->title = site->title ? g_strdup(site->title) : calibrate_name(site->write);
    }
    g_autofree char *text = out ? platform_text(fit->platform, base, error) : NULL;
    if (!text)
        return FALSE;
    fputs(text, out->to); // output_set_close() reports a failure
    return output_set_close(&set, error);
}

// Sets the spreads of the machine, if there is one, to those of the library's own collectives, and notes them.
static void set_spreads(const GArray *rows, Platform *platform, GPtrArray *notes)
{
    SpreadFound found[N_SPREADS];
    spreads_find(rows, found);
    g_autofree char *few = spreads_few(found);
    if (platform && spreads_set(platform, found, "calibrate --site, rows of the library's own collectives"))
        g_ptr_array_add(notes,
                        g_strdup_printf("spreads of ln(measured / predicted) are from %s", platform->spread_source));
    if (few)
        g_ptr_array_add(
            notes, g_strdup_printf("spreads need %d rows of a family, so these have none: %s", SPREAD_LEAST_ROWS, few));
}

int calibrate_site(const CalibrateSite *site, GError **error)
{
    g_auto(Answer) answer = {0};
    g_autofree char *path = site->base ? ask_platform_path(site->base, error) : NULL;
    g_autoptr(Platform) assumed = site->base && !path ? NULL : known_machine(site, path, error);
    g_autoptr(SiteLogsNames) names = NULL;
    if (!assumed || (site->names && !(names = site_logs_names_read(site->names, error))) ||
        !site_logs_names_check(names, &assumed->levels, error))
        return 2;
    g_autoptr(SiteLogs) logs = site_logs_read(site->folder, error);
    if (!logs || !answer_open(&answer, site->answer, error))
        return 2;
    if (!assumed->mpi)
        assumed->mpi = g_strdup(logs->mpi);
    g_autoptr(GError) fault = NULL;
    site_logs_place(logs, &assumed->levels, names);
    g_autoptr(MeasuredFit) fit = site_logs_fit(logs, assumed, &fault);
    if (!fit && site->write) {
        g_propagate_error(error, g_steal_pointer(&fault));
        return 2;
    }
    if (!fit)
        g_ptr_array_add(logs->notes, g_strdup(fault->message));
    g_autoptr(GArray) spreads = g_array_new(FALSE, FALSE, sizeof(SpreadRow)),
                      checks = site_checks_make(logs, fit ? fit->platform : NULL, assumed->mpi, spreads);
    set_spreads(spreads, fit ? fit->platform : NULL, logs->notes);
    if (site->write && !write_machine(site, fit, path, error))
        return 2;
    site_report(&answer, logs, &assumed->levels, checks);
    return answer_close(&answer, error) ? 0 : 2;
}
