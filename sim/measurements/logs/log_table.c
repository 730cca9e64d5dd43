// A log as a table.
#include "base/error.h"
#include "base/escape.h"
#include "measurements/logs/log.h"
#include <stdint.h>
#include <string.h>

static const char header[] =
    "collective,algorithm,params,ranks,bytes,root,per_node,platform,time_is,oversubscribed,time_s\n";

// Returns what a row says apart from its time. Free with g_free.
static char *row_text(const LogSample *s, const char *unnamed)
{
    g_autofree char *algorithm = escape_csv(s->algorithm ? s->algorithm : unnamed), *params = escape_csv(s->params),
                    *machine = escape_csv(s->machine ? s->machine : "");
    g_autofree char *per_node = s->per_node ? g_strdup_printf("%d", s->per_node) : g_strdup("");
    return g_strdup_printf("%s,%s,%s,%d,%zu,%d,%s,%s,%s,%d", log_kind_name(s->kind, s->collective), algorithm, params,
                           s->p, s->bytes, s->root, per_node, machine, s->predicted ? "predicted" : "measured",
                           s->crowded);
}

Csv *log_table(const Log *log, GError **error)
{
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) order = g_ptr_array_new(); // of the keys of `index`
    g_autofree char *unnamed = g_path_get_basename(log->name);
    unnamed[strcspn(unnamed, ".")] = '\0';
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *const s = &g_array_index(log->samples, LogSample, i);
        char *const row = row_text(s, *unnamed ? unnamed : log->format);
        const LogSample *const before = g_hash_table_lookup(index, row);
        if (!s->p) {
            g_autofree char *label = log_label_for(log, s, FALSE);
            g_free(row);
            bad_input(error, "%s:%u: the log does not say on how many ranks; allowed: a label, as %s", log->name,
                      s->line, label);
            return NULL;
        }
        if (!before)
            g_ptr_array_add(order, row);
        if (!before || s->time_s < before->time_s)
            g_hash_table_insert(index, row, (gpointer)(uintptr_t)s); // which frees the key if there is one
        else
            g_free(row);
    }
    g_autoptr(GString) text = g_string_new(header);
    for (guint i = 0; i < order->len; i++) {
        const LogSample *const s = g_hash_table_lookup(index, g_ptr_array_index(order, i));
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(text, "%s,%s\n", (char *)g_ptr_array_index(order, i),
                               g_ascii_dtostr(number, sizeof number, s->time_s));
    }
    return csv_parse(text->str, text->len, log->name, error);
}
