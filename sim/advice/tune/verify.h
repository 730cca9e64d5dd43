// Verification: what a rules file costs at random calls between those for which it was made.
#pragma once
#include "libraries/decide/rules.h"
#include "advice/tune/regret.h"

typedef struct VerifyPlace {
    Collective collective;
    int p, per_node;
    size_t m;
    double default_s, file_s, best_s; // file_s: with the file
    char *runs, *best;                // what the file makes the library run, and the best that it could name
} VerifyPlace;

// Returns the file's time divided by the best one.
double verify_x(const VerifyPlace *place);

// A collective to verify.
typedef struct VerifyOf {
    Collective collective;
    size_t elem, segsize; // segsize: see Tune
} VerifyOf;

typedef struct Verify {
    GArray *places;           // of VerifyPlace, the worst first
    guint asked;              // numbers of calls that were drawn; those whose times are not known are not in `places`
    double mean_before, mean; // geometric means of the default's and of the file's time divided by the best one
} Verify;

// Draws n calls of each collective (VerifyOf), and times them with and
// without the file, with which `decide` makes the library's decisions from `from` (rules_decision, rules_pair_decision). The same grid always gives the same calls (draw_calls). The request must be as for regret_compute.
// Returns NULL and an error if a simulation fails. Free with verify_free.
Verify *verify_file(Request *r, const RulesFile *file, DecidePart *decide, gconstpointer from, const GArray *which,
                    guint n, GError **error);
void verify_free(Verify *verify);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Verify, verify_free)
// Returns the share of the places whose x is above a limit.
double verify_above(const Verify *verify, double limit);
