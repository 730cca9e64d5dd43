#include "machine/platform/table.h"
#include "base/error.h"
#include "base/units.h"
#include <string.h>

// Returns what a table of this unit may be.
static const char *allowed_tables(PlatformUnit unit)
{
    return unit == PLATFORM_TIME ? "a list of SIZE:TIME such as 8:1.31us 4K:2.9us"
                                 : "one value, or a list of SIZE:VALUE such as 4K:0.5 1M:1";
}

// Adds the point that `item` has, SIZE:VALUE or, if it is the only one, VALUE.
static gboolean add_point(Table *t, PlatformUnit unit, char *item, gboolean only, GError **error)
{
    char *value = strchr(item, ':');
    size_t bytes = 0;
    if (!value && !only) {
        g_autofree char *shown = error_quote(item);
        return bad_input(error, "%s has no ':'; allowed: %s", shown, allowed_tables(unit));
    }
    if (value) {
        *value++ = '\0';
        if (!units_parse_size(item, &bytes, error))
            return FALSE;
    } else {
        value = item;
    }
    if (t->n && bytes <= t->at[t->n - 1].bytes)
        return bad_input(error, "the size %s does not rise; allowed: each size above the one before", item);
    t->at[t->n].bytes = bytes;
    return figure_parse(unit, value, &t->at[t->n++].value, error);
}

Table *table_parse(PlatformUnit unit, const char *text, GError **error)
{
    g_autofree char *given = g_strstrip(g_strdup(text));
    g_auto(GStrv) items = g_strsplit_set(given, " \t", -1);
    const guint most = g_strv_length(items);
    g_autoptr(Table) t = g_new0(Table, 1);
    t->at = g_new(TablePoint, MAX(1, most));
    for (guint i = 0; i < most; i++) {
        if (!*items[i])
            continue;
        if (t->n == TABLE_MOST) {
            bad_input(error, "the table has too many points; allowed: at most %d", TABLE_MOST);
            return NULL;
        }
        if (!add_point(t, unit, items[i], most == 1, error))
            return NULL;
    }
    if (t->n == 0) {
        bad_input(error, "the table is empty; allowed: %s", allowed_tables(unit));
        return NULL;
    }
    return g_steal_pointer(&t);
}

char *table_text(PlatformUnit unit, const Table *t)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < t->n; i++) {
        g_autofree char *size = units_format_size(t->at[i].bytes), *value = figure_text(unit, t->at[i].value);
        if (t->n == 1)
            g_string_append(text, value);
        else
            g_string_append_printf(text, "%s%s:%s", i ? " " : "", size, value);
    }
    return g_string_free(text, FALSE);
}

double table_at(const Table *t, uint64_t bytes)
{
    int low = 0, high = t->n - 1; // the point is not before low, and not after high
    if (bytes <= t->at[low].bytes)
        return t->at[low].value;
    if (bytes >= t->at[high].bytes)
        return t->at[high].value;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (t->at[middle].bytes <= bytes)
            low = middle;
        else
            high = middle;
    }
    const TablePoint *a = &t->at[low], *b = &t->at[high];
    return a->value + (b->value - a->value) * ((double)(bytes - a->bytes) / (double)(b->bytes - a->bytes));
}

double table_most(const Table *t)
{
    double most = t->at[0].value;
    for (int i = 1; i < t->n; i++)
        most = MAX(most, t->at[i].value);
    return most;
}

Table *table_copy(const Table *t)
{
    if (!t)
        return NULL;
    Table *copy = g_new(Table, 1);
    *copy = (Table){.n = t->n, .at = g_memdup2(t->at, (gsize)t->n * sizeof *t->at)};
    return copy;
}

void table_free(Table *t)
{
    if (!t)
        return;
    g_free(t->at);
    g_free(t);
}
