#include "search/search/site_checks.h"
#include "base/number.h"
#include "libraries/decide/library.h"
#include "search/search/measurement_rows.h"
#include <math.h>
#include <string.h>

enum {
    MOST_RANKS = 4096,     // of a table that is predicted
    MOST_SIZES = 6,        // of a table
    MOST_BYTES = 16 << 20, // of a size; longer vectors are cut into many segments
    TREE_MESSAGES = 64     // of a rank, about, where it does not send to all
};
#define MOST_MESSAGES 4e6 // in all sizes of a table

static void check_clear(gpointer data)
{
    SiteCheck *const check = data;
    g_free(check->library);
    g_free(check->missing);
}

// Returns the library whose tables decide as the one of this name; NULL if none is known to.
static const Library *library_of(const char *mpi)
{
    static const struct {
        const char *name;
        int major, minor; // from this version on
        LibraryId id;
    } known[] = {{"Open MPI ", 5, 0, LIBRARY_OMPI_5},
                 {"Open MPI ", 4, 0, LIBRARY_OMPI_41},
                 {"MPICH ", 4, 1, LIBRARY_MPICH_43},
                 {"MPICH ", 4, 0, LIBRARY_MPICH_40}};
    for (guint i = 0; mpi && i < G_N_ELEMENTS(known); i++) {
        if (!g_str_has_prefix(mpi, known[i].name))
            continue;
        g_auto(GStrv) parts = g_strsplit(mpi + strlen(known[i].name), ".", 3);
        int major, minor = 0;
        if (!parts[0] || !number_int(parts[0], 0, 1 << 20, &major))
            continue;
        if (parts[1])
            number_int(parts[1], 0, 1 << 20, &minor);
        if (major > known[i].major || (major == known[i].major && minor >= known[i].minor))
            return &libraries[known[i].id];
    }
    return NULL;
}

// Returns a log with some of a table's rows, of what the library chooses on the ranks of the launch.
static Log *some_rows(const SiteTable *t, const Library *library)
{
    const Collective collective = t->first->collective;
    const gboolean all = collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV || collective == COLL_ALLGATHER ||
                         collective == COLL_ALLGATHERV;
    const double messages = (double)t->launch.ranks * (all ? t->launch.ranks : TREE_MESSAGES);
    const guint most = (guint)CLAMP(MOST_MESSAGES / messages, 1, MOST_SIZES), n = MIN(t->n, most);
    Log *log = log_new(t->log->name, t->log->format, t->log->time_is);
    g_autofree char *name = g_strdup_printf("%s:auto", library->name);
    for (guint i = 0; i < n; i++) {
        LogSample s = t->first[n > 1 ? i * (t->n - 1) / (n - 1) : t->n / 2];
        s.log = log;
        s.algorithm = g_string_chunk_insert_const(log->texts, name);
        s.p = t->launch.ranks;
        s.per_node = t->launch.per_node;
        if (s.time_s > 0 && s.bytes <= MOST_BYTES)
            g_array_append_val(log->samples, s);
    }
    return log;
}

static int compare_offs(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Predicts the rows of a log. Returns FALSE and an error if one cannot be.
static gboolean predict(SiteCheck *check, Log *log, Platform *platform, GError **error)
{
    g_autoptr(GPtrArray) logs = g_ptr_array_new(), notes = g_ptr_array_new_with_free_func(g_free),
                         keep = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_ptr_array_add(logs, log);
    g_autoptr(GArray) rows = measurement_rows_make(logs, &measured_model, platform, keep, notes, error);
    g_autofree double *off = rows ? g_new(double, MAX(rows->len, 1)) : NULL;
    for (guint i = 0; rows && i < rows->len; i++) {
        const CalibrateRow *const row = &g_array_index(rows, CalibrateRow, i);
        const PredictOptions options = {.map = row->map, .clocks = row->sample->mean};
        g_autoptr(Prediction) p = measured_model.predict(&measured_model, &row->op, platform, &options, error);
        if (!p)
            return FALSE;
        off[i] = prediction_mean(p) / row->sample->time_s - 1;
        if (i && fabs(off[i]) < fabs(check->worst))
            continue;
        check->worst = off[i];
        check->worst_bytes = row->sample->bytes;
    }
    if (!rows)
        return FALSE;
    check->n = rows->len;
    if (!rows->len) {
        check->missing = g_strdup(notes->len ? notes->pdata[0] : "nothing is known of what ran");
        return TRUE;
    }
    qsort(off, rows->len, sizeof *off, compare_offs);
    check->median = (off[(rows->len - 1) / 2] + off[rows->len / 2]) / 2;
    return TRUE;
}

GArray *site_checks_make(const SiteLogs *site, Platform *platform, const char *mpi)
{
    GArray *checks = g_array_new(FALSE, TRUE, sizeof(SiteCheck));
    g_array_set_clear_func(checks, check_clear);
    for (guint i = 0; i < site->tables->len; i++) {
        const SiteTable *const t = &g_array_index(site->tables, SiteTable, i);
        const Library *const library = library_of(t->log->mpi ? t->log->mpi : mpi);
        SiteCheck check = {.table = t, .library = library ? g_strdup(library->name) : NULL};
        g_autoptr(GError) fault = NULL;
        if (t->use != SITE_CHECK || t->first->kind != LOG_COLLECTIVE)
            continue;
        const gboolean few = t->launch.ranks <= MOST_RANKS;
        g_autoptr(Log) log = library && few && t->launch.ranks > 1 ? some_rows(t, library) : NULL;
        if (!library)
            check.missing =
                g_strdup("no log and no `mpi` of --base names a library whose defaults are known: Open MPI 4 or 5, "
                         "or MPICH 4");
        else if (!platform)
            check.missing = g_strdup("there is no machine to predict with");
        else if (!few)
            check.missing = g_strdup_printf("it had %d ranks, and more than %d take long; `run` predicts them",
                                            t->launch.ranks, MOST_RANKS);
        else if (!log)
            check.missing = g_strdup("no launch line says how many ranks it had");
        else if (!predict(&check, log, platform, &fault))
            check.missing = g_strdup(fault->message);
        g_array_append_val(checks, check);
    }
    return checks;
}
