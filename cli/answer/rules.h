// Writes the answers of `collsim rules`.
#pragma once
#include "decide/rules.h"
#include "out/answer.h"

// Writes what the file makes the library run, and its traps.
void rules_report(const Answer *answer, const RulesFile *file);
