#include "ask/once.h"
#include "ask/machines.h"
#include "base/error.h"
#include <string.h>

// Refuses a word that is in a list twice: its rows would be there twice too.
static gboolean check_words(const char *option, char *const *words, GError **error)
{
    for (guint i = 0; words[i]; i++)
        if (g_strv_contains((const char *const *)words + i + 1, words[i])) {
            g_autofree char *shown = error_quote(words[i]);
            return bad_input(error, "%s has %s twice; allowed: each once", option, shown);
        }
    return TRUE;
}

gboolean once_lists(const SweepSpec *spec, GError **error)
{
    const struct {
        SweepKey key;
        const char *option;
    } lists[] = {{SWEEP_COLLECTIVE, "the list of collectives"},
                 {SWEEP_ROOT, "--root"},
                 {SWEEP_MODEL, "--model"},
                 {SWEEP_TRANSFER, "--transfer"}};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        const char *text = spec->text[lists[i].key];
        g_auto(GStrv) words = machines_split(text ? text : "");
        if (!check_words(lists[i].option, words, error))
            return FALSE;
    }
    return TRUE;
}

gboolean once_machines(const GPtrArray *machines, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < machines->len; i++) {
        const AskedMachine *x = machines->pdata[i];
        g_autofree char *sets = x->sets ? g_strjoinv(" ", x->sets) : g_strdup("");
        g_ptr_array_add(names, g_strstrip(g_strjoin(" ", x->platform ? x->platform : "", sets, NULL)));
    }
    g_ptr_array_add(names, NULL);
    return check_words("the list of machines", (char *const *)names->pdata, error);
}

// Adds a value to those that are known. Frees it.
static gboolean add_value(GHashTable *known, const char *option, char *value, GError **error)
{
    const gboolean twice = g_hash_table_contains(known, value);
    if (twice)
        bad_input(error, "%s has %s twice; allowed: each once", option, value);
    g_hash_table_add(known, value);
    return !twice;
}

gboolean once_points(const Request *r, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const size_t p = g_array_index(r->question.ranks, size_t, i);
        const int per_node = request_per_node(r, i);
        if (!add_value(known, "-p",
                       per_node > 0 ? g_strdup_printf("%zu ranks, %d a node", p, per_node)
                                    : g_strdup_printf("%zu ranks", p),
                       error))
            return FALSE;
    }
    for (guint i = 0; i < r->question.sizes->len; i++)
        if (!add_value(known, "-m", g_strdup_printf("%zu bytes", g_array_index(r->question.sizes, size_t, i)), error))
            return FALSE;
    return TRUE;
}
