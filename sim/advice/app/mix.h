// An application's mix of collectives: how long the calls of a profile take with a library's defaults, what share of
// the time each has, and how much of it the best settings of the library save.
//
//     Profile  -->  regret_at() for each collective and element  -->  rows, the longest first  -->  sums
#pragma once
#include "advice/app/profile.h"
#include "advice/tune/regret.h"

// Sums over rows. Rows whose time is not known add their calls and their measured time only.
typedef struct MixSum {
    gint64 calls;
    double total_s, best_s; // of all calls, with the defaults and with the best
    double measured_s;      // NAN if a row has no measured time
    guint unknown;          // rows whose time is not known
} MixSum;

typedef struct MixRow {
    ProfileRow of;            // complete
    double default_s, best_s; // of one call; NAN if the default is not known
    char *decided;            // what the library runs (decision_text); NULL without a library
    char *missing;            // why the default is not known, or what was simulated instead; NULL if all is known
    char *best, *best_id;     // the best with its parameters, and the library's name of it
    Sure sure;                // what the best saves; all is NAN without a library, or a known default
    MixSum sum;
} MixRow;

typedef struct MixCollective {
    Collective collective;
    MixSum sum;
} MixCollective;

typedef struct Mix {
    GArray *rows;        // of MixRow, those that take longest first
    GArray *collectives; // of MixCollective, those that take longest first
    MixSum sum;          // of all rows
} Mix;

// Returns what the best saves of a sum's time, in seconds.
double mix_saves(const MixSum *sum);
// Returns a part of a sum's time as a share of it: 0 if the sum is 0.
double mix_share(double part_s, const MixSum *sum);

// Predicts a complete profile on the request's machine. If r->only is set, the default is that of the library, and the
// best is what it can be told to run; otherwise both are the best of all algorithms. The ranks of the request must be
// those of the profile, and it must have no algorithms; its collective and its elements are changed. Returns NULL and
// an error if a call is too large, if the calls on the profile overflow, or if a simulation fails. Free with mix_free.
Mix *mix_compute(Request *r, const Profile *profile, GError **error);
void mix_free(Mix *mix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Mix, mix_free)
