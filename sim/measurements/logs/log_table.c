// A log as a table.
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "measurements/logs/log.h"
#include <stdint.h>
#include <string.h>

static const char header[] =
    "collective,algorithm,params,ranks,bytes,root,per_node,platform,time_is,oversubscribed,time_s\n";

// Returns what a row is called: its algorithm, or the file's name with what its log says that NCCL chose. `choices` has the
// pairs by function and size. Free with g_free.
static char *name_of(const LogSample *s, const char *unnamed, GHashTable *choices)
{
    const gint64 key[] = {nccl_function_of(s->collective),
                          (gint64)units_multiply_sizes(s->bytes, s->collective == COLL_ALLGATHER ? (size_t)s->p : 1)};
    g_autoptr(GBytes) bytes = g_bytes_new(key, sizeof key);
    const NcclPair pair = s->algorithm ? -1 : GPOINTER_TO_INT(g_hash_table_lookup(choices, bytes)) - 1;
    return g_strconcat(s->algorithm ? s->algorithm : unnamed, pair < 0 ? "" : " ", nccl_pair_name(pair),
                       s->in_place ? " in place" : "", NULL);
}

// Returns the choices of a log, for name_of. Free with g_hash_table_unref.
static GHashTable *choices_of(const Log *log)
{
    GHashTable *choices = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    for (guint i = 0; log->nccl && i < log->nccl->choices->len; i++) {
        const NcclChoice *c = &g_array_index(log->nccl->choices, NcclChoice, i);
        const gint64 key[] = {c->function, (gint64)c->bytes};
        g_hash_table_insert(choices, g_bytes_new(key, sizeof key), GINT_TO_POINTER(c->pair + 1));
    }
    return choices;
}

// Returns what a row says apart from its time. Free with g_free.
static char *row_text(const LogSample *s, const char *unnamed, GHashTable *choices)
{
    g_autofree char *name = name_of(s, unnamed, choices);
    g_autofree char *algorithm = escape_csv(name), *params = escape_csv(s->params),
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
    g_autoptr(GHashTable) choices = choices_of(log);
    g_autofree char *unnamed = g_path_get_basename(log->name);
    unnamed[strcspn(unnamed, ".")] = '\0';
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *const s = &g_array_index(log->samples, LogSample, i);
        char *const row = row_text(s, *unnamed ? unnamed : log->format, choices);
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
