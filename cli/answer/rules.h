// Writes the answers of `collsim rules`.
#pragma once
#include "decide/rules.h"
#include "out/answer.h"

// Writes what the file makes the library run, and its traps.
void rules_report(const Answer *answer, const RulesFile *file);
// Writes the rules, and in a table also a map of the ids for each collective.
void rules_show(const Answer *answer, const RulesFile *file);
// Writes where the two files, read for one library, make it run something else. Returns TRUE if that is so anywhere.
gboolean rules_difference(const Answer *answer, const RulesFile *first, const RulesFile *second);
