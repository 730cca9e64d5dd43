#include "decide/rules_call.h"

gint64 rules_size(const DecideCall *call)
{
    const int collective = tuned_collective(collectives[call->collective].name);
    return collective < 0 ? 0 : tuned_size(collective, call->p, (gint64)call->m, (gint64)call->elem);
}

// Returns how rules call the places of a call's ranks.
static RuleNodes placed(const DecideCall *call)
{
    return !call->nodes                ? RULE_NODES_ANY
           : call->nodes->n == 1       ? RULE_NODES_ONE
           : call->nodes->n == call->p ? RULE_NODES_EACH
                                       : RULE_NODES_ANY;
}

Decision *rules_decide(const RulesFile *file, Tables *tables, const DecideCall *call, const LibraryRule **rule)
{
    const int collective = tuned_collective(collectives[call->collective].name);
    const LibraryRule *found =
        collective < 0 ? NULL : rules_find(file, collective, call->p, placed(call), rules_size(call));
    *rule = found && found->id != 0 ? found : NULL;
    if (!*rule)
        return decide_call(tables, call);
    const TunedAlgorithm *a = tuned_algorithm(file->library, collective, found->id);
    const LibraryAlgorithm *known = a ? tables_algorithm(tables, call->collective, a->id) : NULL;
    if (!known || (a->need == TUNED_NEEDS_TWO && call->p != 2))
        return NULL;
    const DecidePassed passed = {(size_t)MAX(found->segment, 0), found->fanout, found->max_requests};
    return decide_passing(tables, call, known, &passed);
}

Decision *rules_decision(Tables *tables, const DecideCall *call, gconstpointer file)
{
    DecideCall with = *call;
    with.decide_part = rules_decision;
    with.from = file;
    const LibraryRule *rule;
    Decision *decision = rules_decide(file, tables, &with, &rule);
    const LibraryAlgorithm unknown = {.collective = call->collective, .id = rule ? rule->id : 0};
    return decision ? decision : decide_told(tables, &with, &unknown);
}
