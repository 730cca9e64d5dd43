// Judges what a source has measured (kind `measured`). A model does not make a measurement right or wrong: the verdict
// says whether the model can give the number at all, and what a message would have to cost for it.
#pragma once
#include "judge/audit/audited.h"

// Judges a claim of the kind `measured`: simulates its one point, and sets the verdict of the result and its texts.
//   time     the claim is in seconds. The implied cost of a message is this time divided by the rounds of the
//            simulation, the coefficient of alpha in T.
//   speedup  the claim is T of claim->against over T of claim->algorithm. `against` has the parameters that the claim gives, and
//            the size m_against if `let` gives one. If both send messages, the model can give every ratio between those
//            where alpha alone costs something, or beta alone, or gamma alone; for a ratio outside, the implied cost of
//            a message is that of one algorithm in terms of the other's. If only one sends messages, the implied cost
//            follows from the other's time in shared memory on the platform.
// Returns FALSE and an error on bad input.
gboolean claim_measurement_judge(const Claim *claim, const Platform *platform, Audited *result, GError **error);
