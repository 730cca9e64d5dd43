// What is true of a claim's algorithm, over a grid: simulated, message by message.
#pragma once
#include "audit/claim.h"
#include "platform/platform.h"

typedef struct TruthOptions {
    int refine;               // 1: the grid; 2: one twice as fine, and twice as far
    bool eager;               // in place of rendezvous
    const Platform *platform; // of which alpha, beta and gamma are, for crossovers
} TruthOptions;

// Points of the grid at which a fallback runs are left out.
typedef struct Truth {
    GArray *samples;  // Sample, by p, then m, S, k
    CollParams *par;  // by sample: what the algorithm gets there
    double figure[3]; // the platform's alpha, beta, gamma
    int families;
    int left_out;     // points at which another algorithm runs
    const char *need; // why, static; NULL: none
} Truth;

// Two claims of equal keys have the same truth. Free with g_free.
char *truth_key(const Claim *claim);
// Of a claim that has an algorithm, and is none of ids. NULL and bad input. Free with truth_free.
Truth *truth_new(const Claim *claim, const TruthOptions *options, GError **error);
void truth_free(Truth *t);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Truth, truth_free)
