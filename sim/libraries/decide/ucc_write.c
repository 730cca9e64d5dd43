// Writing UCC's selection strings and ucc.conf.
#include "libraries/decide/ucc_string.h"
#include "base/error.h"
#include "libraries/decide/ucc.h"
#include <string.h>

static void add_end(GString *s, gint64 last, gint64 more)
{
    if (last == RULES_NO_LIMIT)
        g_string_append(s, "inf");
    else
        g_string_append_printf(s, "%" G_GINT64_FORMAT, last + more);
}

char *ucc_string_text(const Tables *tables, const GArray *rules, const char *section)
{
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < rules->len; i++) {
        const LibraryRule *rule = &g_array_index(rules, LibraryRule, i);
        const LibraryAlgorithm *a = tables_tuned(tables, rule->collective, rule->id);
        const gint64 least = MAX(rule->when.ranks.first, 2);
        if ((section && g_strcmp0(section, rule->params) != 0) || (!a && !rule->runs) ||
            least > rule->when.ranks.last || rule->when.bytes.first > rule->when.bytes.last)
            continue;
        g_string_append_printf(s, "%s%s:host:%" G_GINT64_FORMAT "-", s->len ? "#" : "",
                               ucc_collectives[ucc_of_tuned(rule->collective)].name, MAX(rule->when.bytes.first, 0));
        add_end(s, rule->when.bytes.last, 1);
        if (!section || !*section) {
            g_string_append_printf(s, ":[%" G_GINT64_FORMAT "-", least);
            add_end(s, rule->when.ranks.last, 0);
            g_string_append_c(s, ']');
        }
        if (rule->runs)
            g_string_append(s, ":0");
        else
            g_string_append_printf(s, ":@%s", a->name);
    }
    return g_string_free(s, FALSE);
}

// Appends what sets a string: a section of ucc.conf, or a shell's variable. Returns FALSE and an error if a line of
// ucc.conf would be too long.
static gboolean add_setting(GString *s, const RulesFile *file, const char *section, const char *text, GError **error)
{
    enum { LONGEST = 199 }; // that UCC reads as one
    if (!*section) {
        g_string_append_printf(s, "export UCC_TL_UCP_TUNE='%s'\n", text);
        return TRUE;
    }
    const size_t from = s->len;
    g_string_append_printf(s, "[%s]\n", section);
    const size_t at = s->len;
    g_string_append_printf(s, "UCC_TL_UCP_TUNE=%s\n", text);
    if (s->len - 1 - at <= LONGEST && at - 1 - from <= LONGEST)
        return TRUE;
    return bad_input(error, "%s: the string of section %s has a line of more than %d characters, which UCC cuts",
                     file->name, section, LONGEST);
}

char *ucc_convert(const RulesFile *file, const Library *target, GError **error)
{
    g_autoptr(Tables) names = tables_names(target, error);
    g_autoptr(GString) s = g_string_new(NULL);
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; names && i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        const LibraryAlgorithm *a = tables_tuned(file->names, rule->collective, rule->id);
        if (a && !tables_named(names, a->collective, a->name)) {
            bad_input(error, "%s:%zu: %s has no algorithm %s of %s", file->name, rule->line, target->title, a->name,
                      collectives[a->collective].name);
            return NULL;
        }
        if (!g_hash_table_add(done, (gpointer)(guintptr)rule->params))
            continue;
        g_autofree char *text = ucc_string_text(file->names, file->rules, rule->params);
        if (!add_setting(s, file, rule->params, text, error))
            return NULL;
    }
    if (names && s->len == 0)
        bad_input(error, "%s has no rule that acts, so there is nothing to convert; see collsim rules check",
                  file->name);
    return s->len ? g_strdup(s->str) : NULL;
}
