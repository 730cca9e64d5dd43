// The true values of a claim's quantity at all points of a grid, from simulating every message.
#pragma once
#include "judge/audit/claim.h"
#include "machine/platform/platform.h"

// The times of long schedules, which claims that differ in what they say of one algorithm share.
typedef struct TruthTimes TruthTimes;
TruthTimes *truth_times_new(void);
void truth_times_free(TruthTimes *times); // NULL is allowed

typedef struct TruthOptions {
    int refine;               // 1, or 2 for a finer and larger grid (claim_grid.h)
    bool eager;               // messages are sent under eager; if false, under rendezvous
    const Platform *platform; // the platform that crossovers refer to
    TruthTimes *times;        // not owned; NULL: each claim simulates all of its points
} TruthOptions;

// The points that a claim is about, and what is true there. Points at which the algorithm's fallback runs are left out,
// and so are points at which more than claim_grid_max_messages() messages would have to be simulated or counted.
typedef struct Truth {
    GArray *samples;  // Sample, by p, then m, S, k
    CollParams *par;  // the algorithm's parameters at each sample
    double figure[3]; // the platform's alpha, beta, gamma
    int families;     // how many families the grid has
    int fallbacks;    // how many points were left out because the fallback runs there
    const char *need; // the reason for the fallback, static; NULL if there is none
    int too_large;    // how many points were left out because of their messages
} Truth;

// Returns a text that is the same for two claims only if they have the same truth. The claim must have an algorithm.
// Free with g_free.
char *truth_key(const Claim *claim);
// Simulates all points of a claim that has an algorithm and is not about a fact (facts.h). Returns NULL and an error on
// bad input, also if the algorithm runs at none of the points. Free with truth_free.
Truth *truth_new(const Claim *claim, const TruthOptions *options, GError **error);
void truth_free(Truth *t);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Truth, truth_free)
