// Lists of guidelines, as files.
#include "advice/guidelines/guideline.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/share.h"
#include "base/text.h"
#include <string.h>

static gboolean read_row(const Csv *csv, size_t row, int text, int source, GHashTable *seen, GPtrArray *list,
                         GError **error)
{
    g_autofree char *what = g_strdup_printf("%s:%zu", csv_name(csv), csv_line(csv, row));
    Guideline *g = guideline_parse(csv_field(csv, row, text), what, error);
    if (!g)
        return FALSE;
    g_free(g->source);
    g->source = g_strdup(csv_field(csv, row, source));
    g_ptr_array_add(list, g);
    const size_t before = GPOINTER_TO_SIZE(g_hash_table_lookup(seen, g->text));
    if (before)
        return bad_input(error, "%s: %s stands on line %zu already; allowed: each guideline once", what, g->text,
                         before);
    g_hash_table_insert(seen, g->text, GSIZE_TO_POINTER(csv_line(csv, row)));
    return TRUE;
}

GPtrArray *guidelines_parse(const char *text, size_t length, const char *name, GError **error)
{
    g_autoptr(Csv) csv =
        text_check(text, length, LIMIT_TABLE_BYTES, name, error) ? csv_parse(text, length, name, error) : NULL;
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(guideline_free);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    int column;
    if (!csv || !csv_need(csv, "guideline", &column, error))
        return NULL;
    for (size_t row = 0; row < csv_rows(csv); row++)
        if (!read_row(csv, row, column, csv_column(csv, "source"), seen, list, error))
            return NULL;
    if (list->len > 0)
        return g_steal_pointer(&list);
    bad_input(error, "%s has no guideline; allowed: one or more rows", name);
    return NULL;
}

GPtrArray *guidelines_read(const char *path, GError **error)
{
    g_autofree char *own = path ? g_strdup(path) : share_path(SHARE_DECISIONS, "guidelines.csv");
    size_t length;
    g_autofree char *text =
        path || share_check(SHARE_DECISIONS, own, error) ? text_read(own, LIMIT_TABLE_BYTES, &length, error) : NULL;
    return text ? guidelines_parse(text, length, text_name(own), error) : NULL;
}
