// A rules file of tuned and one of HAN together, as Open MPI has them on several nodes: HAN's says which calls tuned
// serves, and tuned's which algorithm it then runs.
#include "libraries/decide/decide.h"
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

// Returns TRUE if HAN's algorithms, as its file chooses them, make calls of a collective that tuned serves: `within` a
// node, or between the nodes.
static gboolean is_called(const Tables *names, const RulesFile *han, int collective, gboolean within)
{
    gboolean called = FALSE;
    for (guint i = 0; i < names->han_files->len; i++) {
        const HanFile *served = &g_array_index(names->han_files, HanFile, i);
        const int caller = tuned_collective(served->collective);
        g_auto(GStrv) all = g_strsplit(served->algorithms, " ", -1);
        for (char **name = all; *name; name++)
            called |= rules_han_runs(han, caller, *name) &&
                      decide_han_calls(names, tuned_ours(caller), *name, tuned_ours(collective), within);
    }
    return called;
}

// Reports a rule that never acts on all ranks of several nodes, but perhaps on those of one, or on one of each.
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
    const gboolean within = is_called(file->names, han, rule->collective, TRUE),
                   between = is_called(file->names, han, rule->collective, FALSE);
    if ((within || between) && rule->when.ranks.last != RULES_NO_LIMIT) // meant for some numbers of ranks
        rules_trap(file, TRAP_NOTE, rule->line, "%s: on several nodes, this rule acts only %s%s%s: %s %s", name,
                   within ? "within a node" : "", within && between ? " and " : "", between ? "between the nodes" : "",
                   served, han->name);
    else
        rules_trap(file, TRAP_DEAD, rule->line, "%s: this rule never acts on %sseveral nodes: %s %s", name,
                   within || between ? "all ranks of " : "", served, han->name);
}

static gboolean acts(const RulesFile *file, const LibraryRule *rule)
{
    const HanFile *served = rules_han_served(file->names, rule->collective);
    return served && *served->algorithms && rule->id != 0 && !rule->dead && !rule->disabled &&
           rule->when.flags[SELECT_ONE_NODE] != RULE_YES;
}

// Returns "8 nodes", "8 to 15 nodes" or "8 nodes and more". Free with g_free.
static char *numbers_text(const RuleRange *range, const char *what)
{
    const gint64 first = MAX(range->first, 2);
    return range->last == RULES_NO_LIMIT ? g_strdup_printf("%" G_GINT64_FORMAT " %s and more", first, what)
           : range->last == first
               ? g_strdup_printf("%" G_GINT64_FORMAT " %s", first, what)
               : g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " %s", first, range->last, what);
}

// Notes the fewest ranks for which a rule names an id that also acts in what HAN calls: `within` a node, or between
// them.
static void note_fewest(RulesFile *file, const RulesFile *han, gboolean within)
{
    const LibraryRule *fewest = NULL;
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        if (acts(file, rule) && (!fewest || rule->when.ranks.first < fewest->when.ranks.first) &&
            is_called(file->names, han, rule->collective, within))
            fewest = rule;
    }
    if (!fewest)
        return;
    g_autofree char *where = numbers_text(&fewest->when.ranks, within ? "ranks" : "nodes");
    rules_trap(file, TRAP_NOTE, fewest->line, "%s: on %s%s, this rule also acts in what HAN runs %s",
               tuned_collectives[fewest->collective].name, within ? "nodes of " : "", where,
               within ? "within a node" : "between the nodes");
}

void rules_pair_judge(RulesFile *file, const RulesFile *han)
{
    note_fewest(file, han, TRUE);
    note_fewest(file, han, FALSE);
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
        "%s: on several nodes HAN serves this and others before tuned, so their rules act on all ranks there with "
        "--mca coll ^han, or where a file for HAN names tuned (--han FILE), and else only on one node and in what HAN "
        "calls within nodes or between them",
        tuned_collectives[first->collective].name);
    rules_sort_traps(file);
}
