#include "libraries/decide/rules_keys.h"

static const RulesKey *key_at(const GArray *keys, guint i)
{
    return &g_array_index(keys, RulesKey, i);
}

gboolean rules_keys_ascend(const GArray *keys)
{
    for (guint i = 1; i < keys->len; i++)
        if (key_at(keys, i)->key <= key_at(keys, i - 1)->key)
            return FALSE;
    return TRUE;
}

static int by_first(const void *a, const void *b)
{
    const gint64 x = (*(const RulesKey *const *)a)->range.first, y = (*(const RulesKey *const *)b)->range.first;
    return (x > y) - (x < y);
}

// Returns the entries that serve something (const RulesKey *), which no two do, in ascending order. Free with
// g_ptr_array_unref.
static GPtrArray *servers_of(const GArray *keys)
{
    GPtrArray *servers = g_ptr_array_new();
    for (guint i = 0; i < keys->len; i++)
        if (key_at(keys, i)->range.first <= key_at(keys, i)->range.last)
            g_ptr_array_add(servers, (void *)(guintptr)key_at(keys, i));
    g_ptr_array_sort(servers, by_first);
    return servers;
}

// Returns the entry that serves a value, or NULL.
static const RulesKey *server_of(const GPtrArray *servers, gint64 value)
{
    guint low = 0, high = servers->len; // the last one that begins at or below the value is the one below `low`
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (((const RulesKey *)servers->pdata[middle])->range.first <= value)
            low = middle + 1;
        else
            high = middle;
    }
    const RulesKey *found = low > 0 ? servers->pdata[low - 1] : NULL;
    return found && value <= found->range.last ? found : NULL;
}

// Returns TRUE if an entry serves nothing only because no numbers lie between its key and the keys next to it.
static gboolean is_blameless(const GArray *keys, guint i, gint64 least)
{
    const gint64 key = key_at(keys, i)->key;
    return (i == 0 || (key < least && key_at(keys, i - 1)->key < key)) &&
           (i + 1 == keys->len || key < key_at(keys, i + 1)->key);
}

// Returns "8 and more" or "2 to 7"; free with g_free.
static char *range_text(gint64 first, gint64 last)
{
    return last == RULES_NO_LIMIT ? g_strdup_printf("%" G_GINT64_FORMAT " and more", first)
                                  : g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, first, last);
}

// Reports an entry that another one, `server`, takes its key from. It serves the numbers from `first` on, or none.
static void report_key(RulesFile *file, const char *what, gboolean bytes, const RulesKey *entry, gint64 first,
                       const RulesKey *server)
{
    const gboolean lost = first > entry->range.last, same = server && server->key == entry->key;
    g_autofree char *acts = server ? g_strdup_printf("line %zu", server->line) : g_strdup("no other line"),
                    *serves = range_text(first, entry->range.last),
                    *rest = lost ? g_strdup(bytes ? "this one is lost" : "these are lost")
                                 : g_strdup_printf(bytes ? "this one serves %s bytes" : "these serve %s ranks", serves);
    const TrapKind kind = lost ? TRAP_DEAD : TRAP_SHIFTED;
    if (same)
        rules_trap(file, kind, entry->line, "%s: two %s %" G_GINT64_FORMAT ": %s of %s %s, and %s", what,
                   bytes ? "rules have the message size" : "sets of rules have the number of ranks", entry->key,
                   bytes ? "that" : "those", acts, bytes ? "acts" : "act", rest);
    else
        rules_trap(file, kind, entry->line, "%s: %s must ascend: on %" G_GINT64_FORMAT " %s of %s %s, and %s", what,
                   bytes ? "message sizes" : "numbers of ranks", entry->key,
                   bytes ? "bytes the rule" : "ranks the rules", acts, bytes ? "acts" : "act", rest);
}

void rules_keys_judge(RulesFile *file, const char *what, RulesKeys kind, const GArray *keys)
{
    const gboolean bytes = kind == RULES_KEYS_BYTES;
    const gint64 least = bytes ? 0 : 2;
    if (rules_keys_ascend(keys))
        return;
    g_autoptr(GPtrArray) servers = servers_of(keys);
    for (guint i = 0; i < keys->len; i++) {
        const RulesKey *entry = key_at(keys, i), *server = server_of(servers, MAX(entry->key, least));
        const gint64 first = MAX(entry->range.first, least);
        const gboolean lost = first > entry->range.last;
        if (lost ? !is_blameless(keys, i, least) : server != entry && kind != RULES_KEYS_SHIFTED)
            report_key(file, what, bytes, entry, first, server);
    }
}
