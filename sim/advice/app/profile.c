#include "advice/app/profile.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/units.h"
#include "measurements/logs/logs.h"
#include <math.h>
#include <string.h>

// ---- Rows -----------------------------------------------------------------------------------------------------------

static void other_clear(gpointer other)
{
    g_free(((ProfileOther *)other)->name);
}

// Returns the index under which a key is known, or -1, and then makes `next` its index. Frees the key with g_free.
static int find(Profile *profile, char *key, guint next)
{
    gpointer at;
    if (g_hash_table_lookup_extended(profile->known, key, NULL, &at)) {
        g_free(key);
        return GPOINTER_TO_INT(at);
    }
    g_hash_table_insert(profile->known, key, GUINT_TO_POINTER(next));
    return -1;
}

// Adds calls and a time to sums, which stay as they are if the result is too large. A sum with a time that is not known is
// not known.
static gboolean add(gint64 *calls, double *time_s, gint64 more, double more_s)
{
    gint64 sum;
    if (__builtin_add_overflow(*calls, more, &sum) || isinf(*time_s + more_s))
        return FALSE;
    *calls = sum;
    *time_s += more_s;
    return TRUE;
}

static gboolean too_large(const Profile *profile, guint64 line, GError **error)
{
    return bad_input(error,
                     "%s:%" G_GUINT64_FORMAT ": the sum of the calls or of their times is too large; allowed: below "
                     "2^63",
                     profile->name, line);
}

enum { MOST = 10000 }; // rows, and functions

static gboolean too_many(const Profile *profile, guint64 line, GError **error)
{
    return bad_input(error, "%s:%" G_GUINT64_FORMAT ": too many different calls; allowed: at most %d", profile->name,
                     line, MOST);
}

gboolean profile_add(Profile *profile, guint64 line, const ProfileRow *row, GError **error)
{
    char *key = g_strdup_printf("%d %d %d %d %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT, (int)row->collective, row->block,
                                row->p, row->per_node, row->m, row->elem);
    const int at = find(profile, key, profile->rows->len);
    if (at >= 0) {
        ProfileRow *x = &g_array_index(profile->rows, ProfileRow, at);
        return add(&x->calls, &x->time_s, row->calls, row->time_s) || too_large(profile, line, error);
    }
    if (profile->rows->len == MOST)
        return too_many(profile, line, error);
    g_array_append_val(profile->rows, *row);
    return TRUE;
}

gboolean profile_add_other(Profile *profile, guint64 line, const char *name, const char *why, gint64 calls,
                           double time_s, GError **error)
{
    const int at = find(profile, g_strconcat(name, "\t", why, NULL), profile->others->len);
    if (at >= 0) {
        ProfileOther *x = &g_array_index(profile->others, ProfileOther, at);
        return add(&x->calls, &x->time_s, calls, time_s) || too_large(profile, line, error);
    }
    if (profile->others->len == MOST)
        return too_many(profile, line, error);
    const ProfileOther other = {g_strdup(name), why, calls, time_s};
    g_array_append_val(profile->others, other);
    return TRUE;
}

void profile_note(Profile *profile, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_ptr_array_add(profile->notes, g_strdup_vprintf(format, args));
    va_end(args);
}

void profile_fault(Profile *profile, GError *fault)
{
    enum { SHOWN = 8 };
    if (++profile->faults <= SHOWN)
        profile_note(profile, "%s; the row is passed over", fault->message);
    else if (profile->faults == SHOWN + 1)
        profile_note(profile, "%s: more rows like these are passed over", profile->name);
    if (profile->first)
        g_error_free(fault);
    else
        profile->first = fault;
}

// ---- What is missing ------------------------------------------------------------------------------------------------

// Makes a vector of p blocks, if the row has a block.
static gboolean make_vector(const Profile *profile, ProfileRow *row, GError **error)
{
    if (row->block)
        row->m = units_multiply_sizes(row->m, (size_t)row->p);
    row->block = FALSE;
    return row->m <= LIMIT_BYTES ||
           bad_input(error, "%s: the vector of %s on %d ranks is too long; allowed: at most 2^50 bytes", profile->name,
                     collectives[row->collective].name, row->p);
}

gboolean profile_complete(Profile *profile, int p, int per_node, size_t elem, GError **error)
{
    g_autoptr(GArray) rows = profile->rows;
    profile->rows = g_array_new(FALSE, FALSE, sizeof(ProfileRow));
    g_hash_table_remove_all(profile->known);
    gboolean differ = FALSE;
    for (guint i = 0; i < rows->len; i++) {
        ProfileRow row = g_array_index(rows, ProfileRow, i);
        if (row.p && p)
            return bad_input(error, "-p %d: %s has the number of ranks in each row; allowed: without -p", p,
                             profile->name);
        if (!row.p && !p)
            return bad_input(error, "%s does not say on how many ranks the calls are; allowed: with -p", profile->name);
        if (!row.p) {
            row.p = p;
            row.per_node = per_node;
        }
        if (!make_vector(profile, &row, error))
            return FALSE;
        const size_t said = row.elem;
        row.elem = log_element_of(collectives[row.collective].reduces, row.m, elem, said, LOG_USUAL_ELEMENT);
        differ |= said && said != row.elem;
        if (row.m % row.elem != 0)
            return bad_input(error,
                             "%s: %s has %" G_GSIZE_FORMAT " bytes, which are not whole elements of %" G_GSIZE_FORMAT
                             "; allowed: a multiple",
                             profile->name, collectives[row.collective].name, row.m, row.elem);
        if (!profile_add(profile, 0, &row, error))
            return FALSE;
    }
    if (differ)
        profile_note(profile, "--element makes elements of reductions %zu bytes long, and the profile says otherwise",
                     elem);
    return TRUE;
}

Profile *profile_new(const char *name)
{
    Profile *profile = g_new0(Profile, 1);
    profile->name = g_filename_display_name(name);
    profile->mpi_s = NAN;
    profile->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    profile->rows = g_array_new(FALSE, FALSE, sizeof(ProfileRow));
    profile->others = g_array_new(FALSE, FALSE, sizeof(ProfileOther));
    g_array_set_clear_func(profile->others, other_clear);
    profile->notes = g_ptr_array_new_with_free_func(g_free);
    return profile;
}

void profile_free(Profile *profile)
{
    if (!profile)
        return;
    g_free(profile->name);
    g_hash_table_unref(profile->known);
    g_array_unref(profile->rows);
    g_array_unref(profile->others);
    g_ptr_array_unref(profile->notes);
    g_clear_error(&profile->first);
    g_free(profile);
}
