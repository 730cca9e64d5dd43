// The answer of `check FILE` and `check --prove`.
#pragma once
#include "out/answer.h"

// Proves each of the entries (const CollAlgorithm *), up to its first fault, and writes the answer; a table shows each
// step as soon as it is taken. Returns TRUE if all are proven. *done becomes the number of entries tried, which
// is smaller if a signal stops it (stop.h).
gboolean proofs_report(const Answer *answer, const GPtrArray *entries, guint *done);
