#pragma once
#include "libraries/decide/selection.h"

// Appends the traps that the rows of a tuning file of MPICH have: calls that end the program, or return wrong data.
void selection_judge(RulesFile *file, const Selection *selection);
