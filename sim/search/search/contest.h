// The search for the fastest algorithm of a collective with its best parameters.
#pragma once
#include "search/search/ahead.h"

// An algorithm with the parameters that are best for it.
typedef struct Contender {
    Point *point;       // predicted
    int S;              // segments of each part (SegmentForm.parts); 0 if the algorithm has none, or the model no forms
    SegmentForm form;   // with its other parameters; valid, like the two below, if S > 0 and form.linear. Never
                        // linear where closed forms do not hold (request_flat)
    double S_best;      // the number of segments that is best by the form, not rounded
    double time_best_s; // T by the form with S_best segments
} Contender;

// What became of the settings that a contest has considered: algorithms with values of their parameters, or with all
// lengths of segments, if one bound excludes them all.
typedef struct ContestCounts {
    int algorithms; // that can run
    int excluded;   // settings that no run could make the fastest, by their forms or bounds
    int ran;        // to their end
    int stopped;    // runs whose clock had passed what is of use
    int given_up;   // not tried: several before them gained nothing, or they cost much for what they can gain
} ContestCounts;

// All algorithms of the request (tries_groups) at one p, on nodes of `per_node` ranks (see Point), and one m.
typedef struct Contest {
    const Request *request;
    int p, per_node;
    size_t m;
    int top;             // the most contenders to keep, apart from those of Request.kept
    double limit_s;      // see ContestPlace; INFINITY if all contenders are of use
    gboolean usual;      // only the usual numbers are tried, and not those of try_numbers.h
    GPtrArray *ranking;  // of Contender, the fastest first. From place `top` on, there are only algorithms of
                         // Request.kept, and others between them may be missing
    GPtrArray *left_out; // of Point without a prediction: what has no time here (left_out.h); NULL until it has run
    ContestCounts counts;
    GPtrArray *seeds;   // of Point, the fastest first: the early runs (early_runs.h); only while the contest runs
    double seeded_s;    // what takes as long is not among the `top` fastest, as the seeds show; INFINITY if they do not
    gboolean flat;      // request_flat() here; only while the contest runs
    gboolean composes;  // one of the algorithms has parts that are replaced; only while the contest runs
    gboolean changing;  // the parts of compositions are being replaced by others
    gboolean deep;      // .. which have parameters of their own; on many ranks only at the end (change_parts)
    int round;          // how often parts were replaced
    GArray *put_off;    // of Try: those that wait until parts were replaced; only while the contest runs
    GHashTable *prints; // of TextPrint, by Try.number; NULL before the first (standing_same)
    GError *error;      // only while the contest runs
    Crew *crew;         // of all contests; a reference-counted box
    Ahead *ahead;       // its helpers; only while the contest runs
} Contest;

// Makes the contests of all p and m, in this order; contest_run_all runs them. Returns NULL and an error on bad input.
// Free with g_ptr_array_unref.
GPtrArray *contest_make_all(const Request *request, int top, GError **error);
// Where a contest is held.
typedef struct ContestPlace {
    int p, per_node;
    size_t m;
    double limit_s; // contenders that take as long are of no use, and may be missing; 0 if all are of use
} ContestPlace;
// Makes contests at these places (ContestPlace), which must be good ones for the request. Free with g_ptr_array_unref.
GPtrArray *contest_make_places(const Request *request, int top, const GArray *places);
// Finds all rankings, on all processors; their number does not change the answer. Calls ready(n, user) whenever more
// contests at the beginning are done, the first n in all; if `ready` is NULL, the longest begin first. Returns FALSE
// and an error if a contest fails.
gboolean contest_run_all(const GPtrArray *contests, void (*ready)(guint n, gpointer user), gpointer user,
                         GError **error);
// Returns what the first n contests, which have run, leave out, and why (left_out_end). NULL if it is nothing. Free
// with g_free.
char *contest_left_out(const GPtrArray *contests, guint n);
// Adds the settings of x to those of *sum, which then has the more algorithms of the two.
void contest_counts_add(ContestCounts *sum, const ContestCounts *x);
// Returns how many settings were considered and what became of them: "9WHAT: 4 excluded by forms and bounds, ..".
// Free with g_free.
char *contest_counts_text(const ContestCounts *x, const char *what);
// Returns what these contests, which have run, have searched, as counts and as text. Free the text with g_free.
ContestCounts contest_counts(const GPtrArray *contests);
char *contest_searched(const GPtrArray *contests);
// Finds the ranking of one contest, for contest_run_all. Returns FALSE and an error if it fails.
gboolean contest_run(gpointer contest, gpointer unused, GError **error);
// Returns true if the fastest so far is as near the lower bound as the request asks (Question.enough).
gboolean contest_near_enough(const Contest *contest);
