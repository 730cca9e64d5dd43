#include "decide/rules.h"
#include "base/error.h"

const char *const trap_names[] = {
    [TRAP_IGNORED] = "ignored", [TRAP_MISREAD] = "misread", [TRAP_SHIFTED] = "shifted", [TRAP_UNREAD] = "unread",
    [TRAP_DEAD] = "dead",       [TRAP_REACH] = "reach",     [TRAP_ERROR] = "error",     [TRAP_ELSE] = "else",
    [TRAP_ORDER] = "order",     [TRAP_RANKS] = "ranks",     [TRAP_CRASH] = "crash",     [TRAP_START] = "start",
    [TRAP_CALL] = "call",       [TRAP_WRONG] = "wrong",     [TRAP_NOTE] = "note",
};

const char *const rule_nodes_names[] = {"any", "one-per-node", "single-node"};

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

gboolean rules_usual(const RulesFile *file, GError **error)
{
    return !file->variable ||
           bad_input(error, "%s is a file for %s; allowed: rules check, rules show", file->name, file->variable);
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

gboolean rules_cover(const LibraryRule *rule, int ranks, gint64 bytes)
{
    return rule->ranks.first <= ranks && ranks <= rule->ranks.last && rule->bytes.first <= bytes &&
           bytes <= rule->bytes.last;
}

const LibraryRule *rules_find(const RulesFile *file, int collective, int ranks, RuleNodes nodes, gint64 bytes)
{
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        if (rule->collective == collective && (rule->nodes == RULE_NODES_ANY || rule->nodes == nodes) &&
            rules_cover(rule, ranks, bytes))
            return rule;
    }
    return NULL;
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
