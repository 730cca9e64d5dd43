// Points: a request is run point by point. A point is one algorithm with one choice of parameters on p ranks with m
// bytes and one root, and the result of running it.
#pragma once
#include "engine/schedule/memory.h"
#include "search/search/relief.h"
#include "search/search/request.h"

typedef struct Point {
    const CollAlgorithm *algorithm;
    CollParams par;   // the parameters that the algorithm gets: at most what p ranks allow
    CollParams asked; // the parameters that were asked for
    int p, per_node;  // per_node: K of NxK, block:K or cyclic:K; 0 if nothing says it
    int root;
    size_t m;
    CollCounts *counts;       // NULL if all blocks are equal and touch
    const CollAlgorithm *ran; // `algorithm`, or its fallback if a need is not met; NULL if it has no fallback either
    const char *why;          // the need that is not met ("count < p"); NULL if all are met
    Decision *decision;       // of a library, for LIB:auto; then `ran` and `par` are what it decided. NULL for others
    GError *refused;          // why the operation is too large to predict, if that is the reason that nothing ran
    Platform *calcs;          // of a GOAL schedule: the platform, with a gamma that makes calcs last as they say
    double enough_s;          // if above 0: a time that is longer is of no use (PredictOptions.enough_s)
    Prediction *prediction;   // NULL until point_run, and for measurements
    double time_s;            // predicted or measured
    Memory memory;            // set if the request asks for it
    GArray *relief;           // of Relief; NULL unless a path is asked for
    double wall_s;            // how long the prediction itself took
} Point;

// Returns a point of a search, at the request's root. It has not been checked, and lacks what point_operation() sets.
Point point_tried(const Request *request, const CollAlgorithm *a, const CollParams *par, int p, int per_node, size_t m);
// Makes one point, and sets `ran` and `why`. Its root is the request's, or 0 if the request is about every rank in turn. If
// a --param lists several values, it has the first. Returns NULL and an error on bad input. Free with point_free.
Point *point_new(const Request *request, const CollAlgorithm *a, int p, int per_node, size_t m, GError **error);
// Does the same with this root and these parameters.
Point *point_make(const Request *request, const CollAlgorithm *a, const CollParams *asked, int p, int per_node,
                  size_t m, int root, GError **error);
void point_free(gpointer point);
// Makes all points of a request (Point *), ordered by p and nodes, m, root, algorithm and values of parameters. This
// finds all bad input before anything runs: it returns NULL and an error on bad input, above 10,000 points per
// algorithm, and if nothing can run at any point. Algorithms that cannot run at some points have points without `ran`
// there. Free with g_ptr_array_unref.
GPtrArray *points_make(const Request *request, GError **error);
// Sets point->ran and point->why, and returns the operation that runs; its algorithm is NULL if `ran` is.
Operation point_operation(const Request *request, Point *point);
// Returns the entry that a point asks for: its algorithm, or what a library decided; NULL if that is not known.
const CollAlgorithm *point_entry(const Point *point);
// Returns TRUE if a part of the point's entry has other parameters than its defaults, as a library may decide: a
// program that is only told the names of parts cannot run it.
gboolean point_part_differs(const Point *point);
// Predicts one point: sets `prediction`, `time_s`, `wall_s` and, if asked for, `memory`. Does nothing if `ran` is NULL.
// If the operation is too large to sum or to simulate, a request of one algorithm gets an error, and in others the
// point counts as one that cannot run, and keeps the error in `refused`.
gboolean point_run(Point *point, const Request *request, GError **error);
// Does the same, and drops the clocks of the ranks afterwards, for a caller that keeps many points.
gboolean point_run_lean(Point *point, const Request *request, GError **error);
// Makes points find out when their ranks end. Does not if the model has no such times, or if there are so many ranks that they
// would take much memory.
void points_ask_for_ends(Request *request);
// Returns the time of a point by the exact formula of its algorithm, in seconds, without running it; NAN if no formula
// applies (search/form/closed_form.h). `op` is its point_operation().
double point_form(const Request *request, const Point *point, const Operation *op);

// Returns why a run was refused as too large or too much, in a few words; NULL if there is no error. The text is
// static.
const char *points_refusal(const GError *refused);

// Returns FALSE and the first error that points keep if no point of a list has a prediction; otherwise TRUE.
gboolean points_any(const GPtrArray *points, GError **error);

// Returns true if the point has a predicted time: it could run, and did not end in a deadlock.
gboolean point_timed(const Point *point);
// Returns true if the point takes longer than its enough_s, and how much longer is not known.
gboolean point_beyond(const Point *point);
// Returns true if the point takes longer than enough_s, in seconds; 0 is no limit. Such a point can have a time: a helper
// ran it with a longer limit, or an earlier search has kept its run (same_path.h).
gboolean point_too_slow(const Point *point, double enough_s);
// Returns the fallback that ran and why, such as "linear (count < p)"; NULL if there was no fallback, and for LIB:auto.
// Free with g_free.
char *point_ran(const Point *point);
// Returns which parts of a composition ran as their fallbacks (engine/schedule/parts.h); NULL if none did. Free with
// g_free.
char *point_parts(const Request *request, const Point *point);
// Gives a point that has not run other parameters, cut to what its ranks allow: p - 1 chains at most, for example.
void point_set_params(Point *point, const CollParams *asked);
// Returns the parameters as "segment=64K;chains=3", with those of parts that are not at their defaults, as
// "outer=recexch;outer.radix=4". Without `brief`, --param takes each of them back. With `brief` it leaves out those
// that have their defaults, and writes a value that p cut as "chains=3 (of 4)". Free with g_free.
char *point_params(const Point *point, gboolean brief);
// Returns "ring segment=64K": the algorithm with the parameters that are not at their defaults. Free with g_free.
char *point_choice(const Point *point);
// Return what the point's library calls what ran ("6"), and the setting that makes it run that (decide_whole_setting). The
// library is that of LIB:auto, or else that of --only. NULL if there is no library or no setting. Free with g_free.
char *point_library_id(const RequestLibrary *lib, const Point *point);
char *point_setting(const RequestLibrary *lib, const Point *point);
// Returns "ring segment=64K, 1M bytes on 1024 ranks", as people name the point; if a fallback runs, that follows: "ring, 8
// bytes on 16 ranks, ran: recursive_doubling (count < p)". Free with g_free.
char *point_name(const Point *point);
// Returns the size of the shared-memory segment, in bytes (engine/schedule/segment.h). The algorithm must be one of
// shared memory.
size_t point_segment(const Request *request, const Point *point);
// Returns how unusual a choice is, 0 or more: algorithms of Open MPI come first, then algorithms of MPICH, then others;
// and within these groups, those with fewer parameters that differ from their defaults. Ties are broken by this number.
int points_oddity(const CollAlgorithm *a, const CollParams *par);
// Returns TRUE if two points have the same p, nodes, m and root, so that their times can be ranked.
gboolean points_same_place(const Point *a, const Point *b);
// Compares two points (Point **) for qsort: by time, then by oddity, by name and by parameters.
int points_faster(const void *a, const void *b);
