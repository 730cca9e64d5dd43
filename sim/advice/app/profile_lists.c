// The ranks and the sizes of a profile as users write them.
#include "advice/app/profile.h"
#include "base/distinct.h"
#include "base/units.h"

static const ProfileRow *row_at(const Profile *profile, guint i)
{
    return &g_array_index(profile->rows, ProfileRow, i);
}

static gboolean chosen(const Profile *profile, const gboolean *which, guint i)
{
    return !which || which[row_at(profile, i)->collective];
}

// Returns TRUE if an earlier row that counts has the ranks and nodes of row i.
static gboolean ranks_before(const Profile *profile, const gboolean *which, guint i)
{
    const ProfileRow *row = row_at(profile, i);
    for (guint k = 0; k < i; k++)
        if (chosen(profile, which, k) && row_at(profile, k)->p == row->p &&
            row_at(profile, k)->per_node == row->per_node)
            return TRUE;
    return FALSE;
}

char *profile_ranks(const Profile *profile, const gboolean *which)
{
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < profile->rows->len; i++) {
        const ProfileRow *row = row_at(profile, i);
        if (!chosen(profile, which, i) || ranks_before(profile, which, i))
            continue;
        g_autofree char *ranks = units_format_ranks(row->p, row->per_node);
        g_string_append_printf(s, "%s%s", s->len ? "," : "", ranks);
    }
    return g_string_free(s, FALSE);
}

// Returns the sizes, ascending and each once. Free with g_array_unref.
static GArray *sizes_of(const Profile *profile, const gboolean *which)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < profile->rows->len; i++)
        if (chosen(profile, which, i) && row_at(profile, i)->collective != COLL_BARRIER)
            g_array_append_val(sizes, row_at(profile, i)->m);
    return distinct_sort(sizes, distinct_by_size);
}

char *profile_sizes(const Profile *profile, const gboolean *which)
{
    enum { FEW = 12 };
    g_autoptr(GArray) sizes = sizes_of(profile, which);
    GString *s = g_string_new(sizes->len ? NULL : "0");
    if (sizes->len > FEW) {
        size_t least = 1, most = 1;
        while (least * 2 <= g_array_index(sizes, size_t, 0))
            least *= 2;
        while (most < g_array_index(sizes, size_t, sizes->len - 1))
            most *= 2;
        g_autofree char *from = units_format_size(least), *to = units_format_size(most);
        g_string_printf(s, "%s..%s:x2", from, to);
    }
    for (guint i = 0; i < sizes->len && sizes->len <= FEW; i++) {
        g_autofree char *size = units_format_size(g_array_index(sizes, size_t, i));
        g_string_append_printf(s, "%s%s", i ? "," : "", size);
    }
    return g_string_free(s, FALSE);
}
