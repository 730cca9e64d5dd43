// The answers of `rules check` and `rules show` for files of libraries/targets.
#pragma once
#include "libraries/targets/target.h"
#include "out/answer.h"

// Writes what was read, the rules and the traps. With `points`, (int) ranks and sizes as in RulesPoints, also what
// decides there.
void target_rules_report(const Answer *answer, const TargetFile *file, const GArray *ranks, const GArray *sizes);
// Writes what was read, and the rules.
void target_rules_show(const Answer *answer, const TargetFile *file);
