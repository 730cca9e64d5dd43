#include "libraries/decide/rules.h"
#include "base/error.h"
#include <string.h>

// What files say of the nodes of a communicator, as conditions.
static const struct {
    const char *name;
    int hierarchies, one_node;
} places[] = {{"any", SELECT_ANY_HIERARCHY, RULE_ANY},
              {"one-per-node", SELECT_FLAT, RULE_NO},
              {"single-node", SELECT_ANY_HIERARCHY, RULE_YES}};

gboolean rules_set_nodes(LibraryRule *rule, const char *nodes)
{
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
        if (strcmp(places[i].name, nodes) == 0) {
            rule->when.hierarchies = (guint8)places[i].hierarchies;
            rule->when.flags[SELECT_ONE_NODE] = (guint8)places[i].one_node;
            return TRUE;
        }
    return FALSE;
}

const char *rules_nodes(const LibraryRule *rule)
{
    size_t i = 0;
    while (places[i].hierarchies != rule->when.hierarchies || places[i].one_node != rule->when.flags[SELECT_ONE_NODE])
        i++;
    return places[i].name;
}

gboolean rules_any_nodes(const LibraryRule *rule)
{
    return strcmp(rules_nodes(rule), "any") == 0;
}

void rules_free(RulesFile *file)
{
    if (!file)
        return;
    g_free(file->name);
    tables_free(file->names);
    g_array_unref(file->rules);
    g_array_unref(file->traps);
    g_clear_pointer(&file->han, g_array_unref);
    selection_free(file->selection);
    g_free(file);
}

void rules_trap(RulesFile *file, TrapKind kind, size_t line, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    trap_add(file->traps, kind, line, format, words);
    va_end(words);
}

void rules_sort_traps(RulesFile *file)
{
    trap_sort(file->traps);
}

gboolean rules_usual(const RulesFile *file, GError **error)
{
    return !file->variable || bad_input(error, "%s is a file for %s; allowed: rules check, rules show%s", file->name,
                                        file->variable, file->han || file->selection ? ", rules convert" : "");
}

guint rules_n_traps(const RulesFile *file, gboolean ordered)
{
    return trap_count(file->traps, ordered);
}

const LibraryRule *rules_find(const RulesFile *file, int collective, int ranks, gint64 bytes)
{
    const RuleCall call = rule_call(collective, ranks, bytes);
    return rule_find(file->rules, &call);
}

RulesFile *rules_new(const char *name, const Tables *tables)
{
    RulesFile *file = g_new0(RulesFile, 1);
    file->library = tables->library;
    file->names = tables_ref(tables);
    file->name = g_strdup(name);
    file->rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    file->traps = trap_list_new();
    return file;
}
