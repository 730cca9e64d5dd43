// Finds what a claim should have said.
#pragma once
#include "judge/audit/form.h"
#include "judge/audit/judge.h"

typedef struct Right {
    char *text;   // NULL if nothing was found
    int fitted;   // how many points the formula was found on; 0 if it was known before
    int verified; // how many other points it was verified on; 0 if it was not
} Right;

// Returns, by the claim's quantity:
//   crossover  the equation of the two algorithms' formulas, "m where .. = .."
//   speedup    the quotient of these formulas
//   segment    the formula of the segment's size, touched or allocated
//   others     the formula that fits the samples, or formulas for classes; if these leave points out and the registry's
//              formula holds at all samples where it applies, the registry's formula too
// If there is no formula, the text is the true value, provided that it is the same number at all points that the claim
// is about. The caller frees the text with g_free.
Right right_find(const Claim *claim, const Truth *truth, const Claimed *claimed, const TruthOptions *options);
