// Keys of rules files that are lists: numbers of ranks, and message sizes, from which on rules act. They must ascend,
// and libraries do not look; which rules act where a key repeats or falls is each library's own.
#pragma once
#include "libraries/decide/rules.h"

typedef struct RulesKey {
    gint64 key;
    size_t line;
    RuleRange range; // that the library makes of it; empty if nothing gets there
} RulesKey;

typedef enum {
    RULES_KEYS_RANKS,   // of sets of rules
    RULES_KEYS_SHIFTED, // the same, where a set serves the numbers below its key
    RULES_KEYS_BYTES,   // of rules
} RulesKeys;

gboolean rules_keys_ascend(const GArray *keys);
// Reports the keys of a list (RulesKey) that repeat or fall: which rules are lost or serve others than their key says,
// and which ones act in their place. `what` is whose rules they are.
void rules_keys_judge(RulesFile *file, const char *what, RulesKeys kind, const GArray *keys);
