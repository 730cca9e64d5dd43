#include "judge/compare/nccl_choices.h"
#include "base/error.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

static int by_size(gconstpointer a, gconstpointer b)
{
    const NcclCompared *x = a, *y = b;
    if (x->function != y->function)
        return x->function - y->function;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void add(GArray *all, NcclCompared one)
{
    NcclPair next;
    one.predicted = nccl_choose(one.table, one.function, one.bytes, &next);
    one.margin = next < 0 ? NAN
                          : nccl_estimate(one.table, one.function, next, one.bytes) /
                                nccl_estimate(one.table, one.function, one.predicted, one.bytes);
    g_array_append_val(all, one);
}

// Adds the sizes that a log has choices of.
static void add_choices(const Log *log, GArray *all)
{
    for (guint i = 0; i < log->nccl->choices->len; i++) {
        const NcclChoice *c = &g_array_index(log->nccl->choices, NcclChoice, i);
        const NcclTable *table = nccl_log_table(log->nccl, c->table);
        if (table && c->function >= 0)
            add(all, (NcclCompared){.log = log,
                                    .table = table,
                                    .line = c->line,
                                    .function = c->function,
                                    .bytes = c->bytes,
                                    .ran = c->pair,
                                    .measured_s = NAN});
    }
}

// Adds the time of a row to what is known of its size, or the size if nothing is: then what its algorithm says ran.
static void add_row(const Log *log, const LogSample *s, GHashTable *index, GArray *all)
{
    const int function = nccl_function_of(s->collective);
    const size_t bytes = units_multiply_sizes(s->bytes, s->collective == COLL_ALLGATHER ? (size_t)s->p : 1);
    const NcclTable *table = nccl_log_table(log->nccl, -1);
    if (!table || function < 0 || s->in_place)
        return;
    const gint64 key[] = {function, (gint64)bytes};
    g_autoptr(GBytes) bytes_key = g_bytes_new(key, sizeof key);
    const guint at = GPOINTER_TO_UINT(g_hash_table_lookup(index, bytes_key));
    if (at == 0) {
        add(all, (NcclCompared){.log = log,
                                .table = table,
                                .line = s->line,
                                .function = function,
                                .bytes = bytes,
                                .ran = s->algorithm ? nccl_pair(s->algorithm) : -1,
                                .measured_s = s->time_s});
        g_hash_table_insert(index, g_bytes_ref(bytes_key), GUINT_TO_POINTER(all->len));
        return;
    }
    NcclCompared *known = &g_array_index(all, NcclCompared, at - 1);
    if (isnan(known->measured_s) || s->time_s < known->measured_s)
        known->measured_s = s->time_s;
}

static void add_log(const Log *log, GArray *all)
{
    g_autoptr(GHashTable) index =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL); // place in `all`, + 1
    const guint first = all->len;
    add_choices(log, all);
    for (guint i = first; i < all->len; i++) {
        const NcclCompared *c = &g_array_index(all, NcclCompared, i);
        const gint64 key[] = {c->function, (gint64)c->bytes};
        g_hash_table_insert(index, g_bytes_new(key, sizeof key), GUINT_TO_POINTER(i + 1));
    }
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *s = &g_array_index(log->samples, LogSample, i);
        if (s->kind == LOG_COLLECTIVE)
            add_row(log, s, index, all);
    }
}

// Notes what a log's choices lack. Returns FALSE and an error if the log has nothing else, and `n` of them are of use.
static gboolean check(const Log *log, guint n, GPtrArray *notes, GError **error)
{
    const NcclLog *said = log->nccl;
    const NcclTable *table = nccl_log_table(said, -1);
    const char *lacks = table ? nccl_lacks(table) : NULL;
    guint unknown = 0;
    for (guint i = 0; i < said->choices->len; i++)
        unknown += g_array_index(said->choices, NcclChoice, i).function < 0;
    g_autofree char *no_table = table || said->choices->len == 0
                                    ? NULL
                                    : g_strdup_printf(
                                          "%s: NCCL's choices have no table of latencies and bandwidths; allowed: with "
                                          "NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING, which prints it",
                                          log->name),
                    *no_name = unknown == 0
                                   ? NULL
                                   : g_strdup_printf("%s: lines of NCCL's choices that do not say the collective: %u; "
                                                     "allowed: a label, as allreduce=%s",
                                                     log->name, unknown, log_path(log));
    if (n == 0 && log->samples->len == 0)
        return bad_input(error, "%s",
                         no_table  ? no_table
                         : no_name ? no_name
                                   : "NCCL's table has no choices beside it");
    if (no_table)
        g_ptr_array_add(notes, g_steal_pointer(&no_table));
    if (no_name)
        g_ptr_array_add(notes, g_steal_pointer(&no_name));
    if (lacks)
        g_ptr_array_add(notes, g_strdup_printf("%s: the log does not say %s", log->name, lacks));
    return TRUE;
}

GArray *nccl_choices(const GPtrArray *logs, GPtrArray *notes, GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(NcclCompared));
    for (guint i = 0; i < logs->len; i++) {
        const Log *log = logs->pdata[i];
        if (!log->nccl)
            continue;
        g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(NcclCompared));
        add_log(log, own);
        g_array_sort(own, by_size);
        g_array_append_vals(all, own->data, own->len);
        if (!check(log, own->len, notes, error))
            return NULL;
    }
    return g_steal_pointer(&all);
}

guint nccl_choices_agree(const GArray *compared, guint *known)
{
    guint agree = 0;
    *known = 0;
    for (guint i = 0; i < compared->len; i++) {
        const NcclCompared *c = &g_array_index(compared, NcclCompared, i);
        *known += c->ran >= 0;
        agree += c->ran >= 0 && c->ran == c->predicted;
    }
    return agree;
}
