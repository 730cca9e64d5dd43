// CSV with a header line. The names of the columns are in measurements/logs/log_columns.c; others are ignored.
//
//     collective    allreduce, MPI_Allreduce; MPI_Send and such are listed as not predicted
//     calls         how often one rank calls it
//     bytes         the size, by default as -m means it
//     bytes_are     m (default), block (one rank's block), or total (all p blocks together)
//     ranks         the size of the communicator; without the column, -p says it
//     per_node      ranks on each node, which must divide the number of ranks; 0 or empty for unknown
//     element       bytes of an element
//     time          the measured time of one rank in all of these calls
#include "advice/app/profile.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "measurements/logs/log_columns.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

gboolean profile_csv_is(const char *line)
{
    g_auto(GStrv) names = g_strsplit(line, ",", -1);
    for (int i = 0; names[i]; i++) {
        const char *const name = g_strstrip(names[i]);
        if (strcmp(name, "collective") == 0 || strcmp(name, "call") == 0 || strcmp(name, "\"collective\"") == 0)
            return TRUE;
    }
    return FALSE;
}

// Converts the bytes of a row into what -m is.
static gboolean convert(const Csv *csv, size_t i, const char *are, ProfileRow *row, GError **error)
{
    const CollectiveInfo *info = &collectives[row->collective];
    const gboolean block = strcmp(are, "block") == 0, total = strcmp(are, "total") == 0;
    if (*are && !block && !total && strcmp(are, "m") != 0)
        return bad_input(error, "%s:%" G_GSIZE_FORMAT ": bytes_are is `%.40s`; allowed: m, block or total",
                         csv_name(csv), csv_line(csv, i), are);
    const gboolean divide = total && !info->vector;
    row->block = block && row->collective == COLL_REDUCE_SCATTER;
    if (divide && !row->p)
        return bad_input(
            error, "%s:%" G_GSIZE_FORMAT ": bytes_are total needs the number of ranks; allowed: with a column ranks",
            csv_name(csv), csv_line(csv, i));
    if (divide && row->m % (size_t)row->p != 0)
        return bad_input(error,
                         "%s:%" G_GSIZE_FORMAT ": %" G_GSIZE_FORMAT " bytes in all are not %d equal blocks; allowed: a "
                         "multiple",
                         csv_name(csv), csv_line(csv, i), row->m, row->p);
    row->m = divide ? row->m / (size_t)row->p : row->m;
    return TRUE;
}

static gboolean read_numbers(const LogColumns *c, size_t i, ProfileRow *row, GError **error)
{
    const Csv *const csv = c->csv;
    const gboolean barrier = row->collective == COLL_BARRIER;
    if ((!barrier && !csv_size(csv, i, c->at[COLUMN_BYTES], 0, LIMIT_BYTES, &row->m, error)) ||
        (c->at[COLUMN_RANKS] >= 0 && !csv_int(csv, i, c->at[COLUMN_RANKS], 1, LIMIT_RANKS, &row->p, error)) ||
        !log_column_int(c, i, COLUMN_PER_NODE, 0, &row->per_node, error) ||
        !log_column_element(c, i, (size_t)1 << 30, &row->elem, error))
        return FALSE;
    if (row->per_node && (!row->p || row->p % row->per_node != 0))
        return bad_input(error, "%s:%" G_GSIZE_FORMAT ": per_node is %d on %d ranks; allowed: a divisor of ranks",
                         csv_name(csv), csv_line(csv, i), row->per_node, row->p);
    return convert(csv, i, log_column_text(c, i, COLUMN_BYTES_ARE), row, error) &&
           (!row->elem || row->m % row->elem == 0 ||
            bad_input(error,
                      "%s:%" G_GSIZE_FORMAT ": %" G_GSIZE_FORMAT " bytes are not whole elements of %" G_GSIZE_FORMAT
                      "; allowed: a multiple",
                      csv_name(csv), csv_line(csv, i), row->m, row->elem));
}

static gboolean read_row(Profile *profile, const LogColumns *c, size_t i, GError **error)
{
    const char *const name = log_column_text(c, i, COLUMN_COLLECTIVE);
    const guint64 line = csv_line(c->csv, i);
    ProfileRow row = {.time_s = NAN};
    size_t calls;
    g_autoptr(GError) unknown = NULL;
    if (!csv_size(c->csv, i, c->at[COLUMN_CALLS], 0, (size_t)1 << 62, &calls, error) ||
        (*log_column_text(c, i, COLUMN_TIME) && !csv_number(c->csv, i, c->at[COLUMN_TIME], &row.time_s, error)))
        return FALSE;
    row.time_s *= c->unit;
    row.calls = (gint64)calls;
    if (collective_parse(name, &row.collective, &unknown))
        return read_numbers(c, i, &row, error) && profile_add(profile, line, &row, error);
    if (g_str_has_prefix(name, "MPI_"))
        return profile_add_other(profile, line, name, profile_why_not(name), row.calls, row.time_s, error);
    return bad_input(error, "%s:%" G_GUINT64_FORMAT ": %s", profile->name, line, unknown->message);
}

// Returns the time of all calls; NAN if some have none.
static double sum_times(const Profile *profile)
{
    double sum = 0;
    for (guint i = 0; i < profile->rows->len; i++)
        sum += g_array_index(profile->rows, ProfileRow, i).time_s;
    for (guint i = 0; i < profile->others->len; i++)
        sum += g_array_index(profile->others, ProfileOther, i).time_s;
    return sum;
}

gboolean profile_csv_read(Profile *profile, const char *text, size_t len, GError **error)
{
    LogColumns c;
    g_autoptr(GPtrArray) faults = g_ptr_array_new();
    g_autoptr(Csv) csv = csv_parse_good(text, len, profile->name, faults, error);
    for (guint i = 0; i < faults->len; i++)
        profile_fault(profile, faults->pdata[i]);
    if (!csv)
        return FALSE;
    log_columns_find(csv, &c);
    if (c.at[COLUMN_TIME] >= 0 && !g_str_has_prefix(csv_column_name(csv, c.at[COLUMN_TIME]), "time_"))
        c.at[COLUMN_TIME] = -1; // a mean or the like is of one call
    if (!LOG_COLUMNS_NEED(&c, error, COLUMN_COLLECTIVE, COLUMN_CALLS, COLUMN_BYTES))
        return FALSE;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        GError *fault = NULL;
        if (!read_row(profile, &c, i, &fault))
            profile_fault(profile, fault);
    }
    profile->mpi_s = sum_times(profile);
    return TRUE;
}
