#include "libraries/decide/rule.h"

RuleWhen rule_all(void)
{
    RuleWhen when = {.hierarchies = SELECT_ANY_HIERARCHY};
    for (int i = 0; i < SELECT_N_NUMBERS; i++)
        when.numbers[i] = (RuleRange){0, RULES_NO_LIMIT};
    for (int i = 0; i < SELECT_N_FLAGS; i++)
        when.flags[i] = RULE_ANY;
    return when;
}

RuleWhen rule_when(RuleRange ranks, RuleRange bytes)
{
    RuleWhen when = rule_all();
    when.ranks = ranks;
    when.bytes = bytes;
    return when;
}

gboolean rule_fits(const RuleWhen *when, const RuleCall *call)
{
    for (int i = 0; i < SELECT_N_NUMBERS; i++)
        if (call->numbers[i] < when->numbers[i].first || call->numbers[i] > when->numbers[i].last)
            return FALSE;
    for (int i = 0; i < SELECT_N_FLAGS; i++)
        if (!(when->flags[i] & (call->flags[i] ? RULE_YES : RULE_NO)))
            return FALSE;
    return (when->hierarchies & call->hierarchy) != 0;
}

const LibraryRule *rule_find(const GArray *rules, const RuleCall *call)
{
    for (guint i = 0; i < rules->len; i++) {
        const LibraryRule *rule = &g_array_index(rules, LibraryRule, i);
        if ((rule->collective < 0 || rule->collective == call->collective) && rule_fits(&rule->when, call))
            return rule;
    }
    return NULL;
}

RuleCall rule_call(int collective, int ranks, gint64 bytes)
{
    RuleCall call = {.collective = collective, .hierarchy = SELECT_PARENT};
    call.numbers[SELECT_RANKS] = ranks;
    call.numbers[SELECT_BYTES] = bytes;
    return call;
}
