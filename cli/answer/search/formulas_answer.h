// The answer of `check` without --backends.
#pragma once
#include "out/answer.h"

// Checks these entries (const CollAlgorithm *) on these numbers of ranks (size_t) against their formulas, and prints or
// writes the result. Returns TRUE if nothing differs. *done becomes how many were checked: the first ones, if a signal
// stops it (stop.h).
gboolean formulas_report(const Answer *answer, const GPtrArray *entries, const GArray *ranks, guint *done);
