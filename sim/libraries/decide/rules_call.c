#include "libraries/decide/rules_call.h"
#include "libraries/decide/decide.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection.h"
#include <string.h>

gint64 rules_size(const Library *library, const DecideCall *call)
{
    const int collective = tuned_collective(collectives[call->collective].name);
    return collective < 0
               ? 0
               : tuned_kind_size(tuned_kind(library->family, collective), call->p, (gint64)call->m, (gint64)call->elem);
}

gint64 rules_counted(const RulesFile *file, const DecideCall *call)
{
    if (!file->selection)
        return rules_size(file->library, call);
    const RuleCall c = selection_call(call);
    return c.numbers[selection_bytes(file->selection, c.collective)];
}

// Returns what a LibraryRule names.
static DecideLeaf named_leaf(const DecideCall *call, gconstpointer rule)
{
    (void)call;
    return (DecideLeaf){((const LibraryRule *)rule)->runs, "", NULL};
}

Decision *rules_serve(Tables *tables, const DecideCall *call, const LibraryRule *rule)
{
    DecideCall with = *call;
    if (tables->library->family == LIBRARY_UCC) {
        const LibraryAlgorithm none = {.collective = call->collective}; // tl/ucp leaves the call to another layer
        return decide_told(tables, call, &none);
    }
    if (tables->library->family == LIBRARY_MPICH) {
        with.compositions = named_leaf;
        with.from = rule;
        return decide_call(tables, &with);
    }
    with.no_han = strcmp(rule->runs, "han") != 0;
    if (*rule->params)
        with.han.algorithm = rule->params;
    return decide_call(tables, &with);
}

// Decides a call by a file of Open MPI. Sets *rule to the rule that decides, or to NULL if none does and the fixed decision
// runs. Returns NULL if the call returns an error.
static Decision *decide_file(const RulesFile *file, Tables *tables, const DecideCall *call, const LibraryRule **rule)
{
    const int collective = tuned_collective(collectives[call->collective].name);
    const RuleCall asked = decide_tuned_call(call, rules_size(file->library, call));
    const LibraryRule *found = collective < 0 || file->selection ? NULL : rule_find(file->rules, &asked);
    if (found && found->runs) {
        *rule = NULL;
        return rules_serve(tables, call, found);
    }
    *rule = found && found->id != 0 ? found : NULL;
    if (!*rule)
        return decide_call(tables, call);
    const LibraryAlgorithm *known = tables_algorithm(tables, call->collective, found->id);
    if (!known || (known->needs & LIBRARY_NEEDS_TWO && call->p != 2))
        return NULL;
    const DecidePassed passed = {(size_t)MAX(found->segment, 0), found->fanout, found->max_requests};
    return decide_passing(tables, call, known, &passed);
}

static DecideLeaf leaf_of(const RulesFile *file, const DecideCall *call)
{
    const RuleCall asked = selection_call(call);
    const SelectionRun run = selection_run(file->selection, &asked);
    const LibraryAlgorithm *a = run.row ? run.row->algorithm : NULL;
    return (DecideLeaf){a ? a->function : NULL, run.row ? run.row->params : "", run.ends};
}

// Returns what the tree of algorithms of a RulesPair * has for a call.
static DecideLeaf find_leaf(const DecideCall *call, gconstpointer pair)
{
    return leaf_of(((const RulesPair *)pair)->algorithms, call);
}

static DecideLeaf find_composition(const DecideCall *call, gconstpointer pair)
{
    return leaf_of(((const RulesPair *)pair)->first, call);
}

// Decides a call by files of MPICH; the library's own tree takes the place of one that is NULL.
static Decision *decide_trees(Tables *tables, const DecideCall *call, const RulesPair *pair)
{
    DecideCall with = *call;
    with.tree = pair->algorithms ? find_leaf : NULL;
    with.compositions = pair->first ? find_composition : NULL;
    with.from = pair;
    return decide_call(tables, &with);
}

Decision *rules_pair_decision(Tables *tables, const DecideCall *call, gconstpointer from)
{
    const RulesPair *pair = from;
    DecideCall with = *call;
    if (pair->algorithms->selection)
        return decide_trees(tables, call, pair);
    with.decide_part = rules_pair_decision;
    with.from = pair;
    with.han_stays = TRUE;
    with.no_han = FALSE;
    const LibraryRule *rule, none = {.runs = "tuned", .params = ""};
    const int collective = tuned_collective(collectives[call->collective].name);
    g_autoptr(Decision) usual = decide_call(tables, &with);
    const gboolean han = strcmp(usual->name, "han") == 0; // serves it, unless its file says otherwise
    const LibraryRule *first =
        han ? rules_han_find(pair->first, collective, HAN_GLOBAL, call->p, (gint64)decide_bytes(call)) : &none;
    if (!first)
        return g_steal_pointer(&usual);
    if (strcmp(first->runs, "tuned") != 0)
        return rules_serve(tables, &with, first);
    with.no_han = TRUE;
    Decision *decision = decide_file(pair->algorithms, tables, &with, &rule);
    const LibraryAlgorithm unknown = {.collective = call->collective, .id = rule ? rule->id : 0};
    return decision ? decision : decide_told(tables, &with, &unknown);
}

Decision *rules_decision(Tables *tables, const DecideCall *call, gconstpointer from)
{
    const RulesFile *file = from;
    DecideCall with = *call;
    if (file->selection) {
        const gboolean composes = selection_composes(file->selection);
        return decide_trees(tables, call, &(RulesPair){composes ? NULL : file, composes ? file : NULL});
    }
    with.decide_part = rules_decision;
    with.from = file;
    const LibraryRule *rule;
    Decision *decision = decide_file(file, tables, &with, &rule);
    const LibraryAlgorithm unknown = {.collective = call->collective, .id = rule ? rule->id : 0};
    return decision ? decision : decide_told(tables, &with, &unknown);
}

Decision *rules_parts_decision(Tables *tables, const DecideCall *call, gconstpointer from)
{
    DecideCall with = *call;
    with.decide_part = from ? rules_decision : NULL;
    with.from = from;
    return decide_call(tables, &with);
}

static char *selection_runs(const RulesFile *file, const DecideCall *call, size_t *line)
{
    const RuleCall c = selection_call(call);
    const SelectionRun run = selection_run(file->selection, &c);
    *line = run.row ? run.row->line : 0;
    const char *name = run.row && run.row->algorithm ? run.row->algorithm->function : NULL;
    if (run.ends)
        return g_strdup_printf("%s%sthe program ends: %s", name ? name : "", name ? ", " : "", run.ends);
    if (run.row->end == ROW_TREE)
        return g_strdup(selection_composes(file->selection) ? "the tree of algorithms, on all ranks"
                                                            : "the tree of algorithms");
    return g_strdup_printf("%s%s%s%s", name, run.nonblocking ? ", which runs " : "",
                           run.nonblocking ? run.nonblocking->algorithm->function : "",
                           run.wrong ? " (wrong data)" : "");
}

char *rules_runs(const RulesFile *file, Tables *tables, const DecideCall *call, size_t *line)
{
    if (file->selection)
        return selection_runs(file, call, line);
    const LibraryRule *rule;
    g_autoptr(Decision) decision = decide_file(file, tables, call, &rule);
    *line = rule ? rule->line : 0;
    return decision ? decision_text(decision) : g_strdup("an error");
}
