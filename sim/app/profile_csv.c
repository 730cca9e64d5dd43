// CSV with a header line. Names in any order; other columns are ignored.
//
//     collective, call           allreduce, MPI_Allreduce; MPI_Send and such are listed as not predicted
//     calls, count               how often one rank calls it
//     bytes, size_bytes          the size, by default as -m means it
//     bytes_are                  m (default), block (one rank's block), or total (all p blocks together)
//     ranks, p, comm_size        the size of the communicator; without the column, -p says it
//     per_node                   ranks on each node, of which the number of ranks is a multiple; 0 or empty for unknown
//     element                    bytes of an element
//     time_s                     the measured time of one rank in all of these calls
#include "app/profile.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "schedule/names.h"
#include <math.h>
#include <string.h>

typedef struct ProfileColumns {
    int collective, calls, bytes, bytes_are, ranks, per_node, element, time;
} ProfileColumns;

// Returns the first column with one of these names, or -1.
static int any_column(const Csv *csv, const char *const *names)
{
    int at = -1;
    for (int i = 0; names[i] && at < 0; i++)
        at = csv_column(csv, names[i]);
    return at;
}
#define ANY(csv, ...) any_column(csv, (const char *const[]){__VA_ARGS__, NULL})

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

static gboolean find_columns(const Csv *csv, ProfileColumns *c, GError **error)
{
    *c = (ProfileColumns){.collective = ANY(csv, "collective", "call"),
                          .calls = ANY(csv, "calls", "count"),
                          .bytes = ANY(csv, "bytes", "size_bytes"),
                          .bytes_are = csv_column(csv, "bytes_are"),
                          .ranks = ANY(csv, "ranks", "p", "comm_size"),
                          .per_node = csv_column(csv, "per_node"),
                          .element = csv_column(csv, "element"),
                          .time = csv_column(csv, "time_s")};
    const char *const missing = c->collective < 0 ? "collective"
                                : c->calls < 0    ? "calls"
                                : c->bytes < 0    ? "bytes"
                                                  : NULL;
    return !missing || bad_input(error,
                                 "%s:1: the column %s is missing; allowed: collective, calls, bytes, and perhaps "
                                 "ranks, bytes_are, per_node, element and time_s",
                                 csv_name(csv), missing);
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

// Reads an optional field; *value stays if it is empty.
static gboolean optional_int(const Csv *csv, size_t i, int column, int least, int *value, GError **error)
{
    return !*csv_field(csv, i, column) || csv_int(csv, i, column, least, LIMIT_RANKS, value, error);
}

static gboolean read_numbers(const Csv *csv, const ProfileColumns *c, size_t i, ProfileRow *row, GError **error)
{
    const gboolean barrier = row->collective == COLL_BARRIER;
    if ((!barrier && !csv_size(csv, i, c->bytes, 0, LIMIT_BYTES, &row->m, error)) ||
        (c->ranks >= 0 && !csv_int(csv, i, c->ranks, 1, LIMIT_RANKS, &row->p, error)) ||
        !optional_int(csv, i, c->per_node, 0, &row->per_node, error) ||
        (*csv_field(csv, i, c->element) && !csv_size(csv, i, c->element, 1, (size_t)1 << 30, &row->elem, error)))
        return FALSE;
    if (row->per_node && (!row->p || row->p % row->per_node != 0))
        return bad_input(error, "%s:%" G_GSIZE_FORMAT ": per_node is %d on %d ranks; allowed: a divisor of ranks",
                         csv_name(csv), csv_line(csv, i), row->per_node, row->p);
    return convert(csv, i, csv_field(csv, i, c->bytes_are), row, error) &&
           (!row->elem || row->m % row->elem == 0 ||
            bad_input(error,
                      "%s:%" G_GSIZE_FORMAT ": %" G_GSIZE_FORMAT " bytes are no whole elements of %" G_GSIZE_FORMAT
                      "; allowed: a multiple",
                      csv_name(csv), csv_line(csv, i), row->m, row->elem));
}

static gboolean read_row(Profile *profile, const Csv *csv, const ProfileColumns *c, size_t i, GError **error)
{
    const char *const name = csv_field(csv, i, c->collective);
    const guint64 line = csv_line(csv, i);
    ProfileRow row = {.time_s = NAN};
    size_t calls;
    g_autoptr(GError) unknown = NULL;
    if (!csv_size(csv, i, c->calls, 0, (size_t)1 << 62, &calls, error) ||
        (*csv_field(csv, i, c->time) && !csv_number(csv, i, c->time, &row.time_s, error)))
        return FALSE;
    row.calls = (gint64)calls;
    if (collective_parse(name, &row.collective, &unknown))
        return read_numbers(csv, c, i, &row, error) && profile_add(profile, line, &row, error);
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
    ProfileColumns c;
    g_autoptr(Csv) csv = csv_parse(text, len, profile->name, error);
    if (!csv || !find_columns(csv, &c, error))
        return FALSE;
    for (size_t i = 0; i < csv_rows(csv); i++)
        if (!read_row(profile, csv, &c, i, error))
            return FALSE;
    profile->mpi_s = sum_times(profile);
    return TRUE;
}
