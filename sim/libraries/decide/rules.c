#include "libraries/decide/rules.h"
#include "base/error.h"
#include <string.h>

const char *const trap_names[] = {
    [TRAP_IGNORED] = "ignored", [TRAP_MISREAD] = "misread", [TRAP_SHIFTED] = "shifted", [TRAP_UNREAD] = "unread",
    [TRAP_DEAD] = "dead",       [TRAP_REACH] = "reach",     [TRAP_ERROR] = "error",     [TRAP_ELSE] = "else",
    [TRAP_ORDER] = "order",     [TRAP_RANKS] = "ranks",     [TRAP_CRASH] = "crash",     [TRAP_START] = "start",
    [TRAP_CALL] = "call",       [TRAP_WRONG] = "wrong",     [TRAP_NOTE] = "note",
};

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

static void trap_clear(void *trap)
{
    g_free(((Trap *)trap)->text);
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
    const Trap trap = {kind, line, g_strdup_vprintf(format, words)};
    va_end(words);
    g_array_append_val(file->traps, trap);
}

static int by_line(const void *a, const void *b)
{
    const Trap *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

void rules_sort_traps(RulesFile *file)
{
    g_array_sort(file->traps, by_line); // the sort is stable
}

gboolean rules_usual(const RulesFile *file, GError **error)
{
    return !file->variable || bad_input(error, "%s is a file for %s; allowed: rules check, rules show%s", file->name,
                                        file->variable, file->han || file->selection ? ", rules convert" : "");
}

guint rules_n_traps(const RulesFile *file, gboolean ordered)
{
    guint n = 0;
    for (guint i = 0; i < file->traps->len; i++) {
        const TrapKind kind = g_array_index(file->traps, Trap, i).kind;
        n += kind != TRAP_NOTE && (ordered || kind != TRAP_ORDER);
    }
    return n;
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
    file->traps = g_array_new(FALSE, FALSE, sizeof(Trap));
    g_array_set_clear_func(file->traps, trap_clear);
    return file;
}
