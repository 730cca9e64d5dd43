// A rules file of tuned and one of HAN together, as Open MPI has them on several nodes: HAN's says which calls tuned
// serves, and tuned's which algorithm it then runs.
#include "libraries/decide/rules_han.h"
#include <string.h>

// Returns the size, as HAN's rules count it, of a call that tuned's count as `bytes`.
static gint64 han_bytes(int collective, gint64 ranks, gint64 bytes)
{
    return bytes == RULES_NO_LIMIT || tuned_collectives[collective].size != TUNED_SIZE_ALL ? bytes
                                                                                           : bytes / MAX(ranks, 1);
}

// Returns TRUE if HAN's rule hands a call to tuned that the other rule is for.
static gboolean hands_over(const LibraryRule *han, const LibraryRule *rule)
{
    const gint64 first = MAX(MAX(han->when.ranks.first, rule->when.ranks.first), 2),
                 last = MIN(han->when.ranks.last, rule->when.ranks.last);
    return han->collective == rule->collective && han->level == HAN_GLOBAL && strcmp(han->runs, "tuned") == 0 &&
           first <= last && han->when.bytes.first <= han_bytes(rule->collective, first, rule->when.bytes.last) &&
           han_bytes(rule->collective, last, rule->when.bytes.first) <= han->when.bytes.last;
}

// Returns HAN's rule for the least call that a rule of tuned is for; NULL if the variables decide.
static const LibraryRule *taker_of(const RulesFile *han, const LibraryRule *rule)
{
    const gint64 ranks = MAX(rule->when.ranks.first, 2);
    return rules_han_find(han, rule->collective, HAN_GLOBAL, ranks,
                          han_bytes(rule->collective, ranks, MAX(rule->when.bytes.first, 0)));
}

// Returns TRUE if HAN's algorithms call a collective within nodes, where tuned serves it.
static gboolean within_nodes(int collective)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        gboolean han = FALSE;
        for (int k = 0; k < COLL_MAX_ALIASES && a->aliases[k]; k++)
            han |= g_str_has_prefix(a->aliases[k], "han:");
        for (int k = 0; han && k < algorithm_n_params(a); k++)
            if (a->params[k].kind == PARAM_ALGORITHM && a->params[k].within &&
                a->params[k].of == tuned_ours(collective))
                return TRUE;
    }
    return FALSE;
}

// Reports a rule that never acts on several nodes, but perhaps within them.
static void judge_rule(RulesFile *file, const RulesFile *han, const LibraryRule *rule)
{
    const char *name = tuned_collectives[rule->collective].name;
    for (guint i = 0; i < han->han->len; i++)
        if (hands_over(&g_array_index(han->han, LibraryRule, i), rule))
            return;
    const LibraryRule *taker = taker_of(han, rule);
    g_autofree char *served =
        taker          ? g_strdup_printf("%s serves its calls there, by line %zu of", taker->runs, taker->line)
        : han->ignored ? g_strdup("HAN serves its calls there, as the library ignores")
                       : g_strdup("HAN serves its calls there, as nothing hands them to tuned in");
    if (within_nodes(rule->collective) && rule->when.ranks.last != RULES_NO_LIMIT) // meant for some numbers of ranks
        rules_trap(file, TRAP_NOTE, rule->line, "%s: on several nodes, this rule acts only within a node: %s %s", name,
                   served, han->name);
    else
        rules_trap(file, TRAP_DEAD, rule->line, "%s: this rule never acts on several nodes: %s %s", name, served,
                   han->name);
}

static gboolean acts(const RulesFile *file, const LibraryRule *rule)
{
    const HanFile *served = rules_han_served(file->names, rule->collective);
    return served && *served->algorithms && rule->id != 0 && !rule->dead && !rule->disabled &&
           rule->when.flags[SELECT_ONE_NODE] != RULE_YES;
}

// Notes the fewest ranks for which a rule names an id: tuned also serves what HAN runs within a node.
static void note_nodes(RulesFile *file)
{
    const LibraryRule *fewest = NULL;
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        if (acts(file, rule) && (!fewest || rule->when.ranks.first < fewest->when.ranks.first))
            fewest = rule;
    }
    if (fewest)
        rules_trap(file, TRAP_NOTE, fewest->line,
                   "%s: on nodes of %" G_GINT64_FORMAT
                   " ranks and more, this rule also acts in what HAN runs within a node",
                   tuned_collectives[fewest->collective].name, MAX(fewest->when.ranks.first, 2));
}

void rules_pair_judge(RulesFile *file, const RulesFile *han)
{
    note_nodes(file);
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule rule = g_array_index(file->rules, LibraryRule, i);
        if (acts(file, &rule))
            judge_rule(file, han, &rule);
    }
    rules_sort_traps(file);
}

void rules_pair_note(RulesFile *file)
{
    const LibraryRule *first = NULL;
    for (guint i = 0; i < file->rules->len && !first; i++)
        if (acts(file, &g_array_index(file->rules, LibraryRule, i)))
            first = &g_array_index(file->rules, LibraryRule, i);
    if (!first || file->library->id == LIBRARY_OMPI_41)
        return;
    rules_trap(
        file, TRAP_NOTE, first->line,
        "%s: on several nodes HAN serves this and others before tuned, so their rules act there with --mca coll ^han, "
        "or where a file for HAN names tuned (--han FILE), and else only on one node",
        tuned_collectives[first->collective].name);
    rules_sort_traps(file);
}
