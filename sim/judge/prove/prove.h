// Proves one algorithm, step by step.
#pragma once
#include "registry/entry.h"
#include <glib.h>

typedef enum {
    PROVE_CONTENTS, // every rank's result is right: every root, many sizes, kinds of counts, nodes and parameters
    PROVE_MUTANTS,  // the checker of contents finds every operation that is dropped, swapped, misrouted or shortened
    PROVE_SYMMETRY, // ranks that the entry declares to be alike do the same
    PROVE_GEARS,    // all gears of the engine give the same times, and no rank waits for ever
    PROVE_FORMULA,  // the formula gives the simulated time, as an integer
    N_PROVE_STEPS
} ProveStep;
extern const char *const prove_names[N_PROVE_STEPS];

typedef struct Proof {
    int64_t cases; // what was compared
    char *said;    // how much that is, as "3980 cases"; if nothing, why
    char *fault;   // the first thing that is wrong, as one line; NULL if there is none
} Proof;

// Takes a step. After a fault, the steps behind it may say nothing of use, or end the program. Clear with proof_clear.
void prove_step(const CollAlgorithm *a, ProveStep step, Proof *proof);
void proof_clear(Proof *proof);
