// What a claim should have said.
#pragma once
#include "audit/form.h"
#include "audit/judge.h"

typedef struct Right {
    char *text;           // NULL: nothing is known
    int fitted, verified; // points that it was found on, and others that it was verified on; 0: it was not searched for
} Right;

// The formula that fits, or formulas by classes; the registry's where the search has none of all; of a crossover where two
// formulas meet, of a speed-up their ratio; of a claim about one value that value.
Right right_find(const Claim *claim, const Truth *truth, const Claimed *claimed, const TruthOptions *options);
