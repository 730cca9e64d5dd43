// What a contest does before its turn, on processors that have nothing else to do: helpers find the tries of groups,
// refine tries and simulate them. A contest takes a result only when it would begin the same work, so its answer does
// not depend on what helpers do.
#pragma once
#include "search/search/tries.h"

// What all contests share. Set both numbers to 0 first, and then `contests` to the number of contests; each subtracts
// itself at its end. Access is atomic.
typedef struct Crew {
    int contests;     // that are not done; each may take a processor
    int helpers;      // of all contests
    Sampled *sampled; // the shapes that their runs have sampled, unless Request.known has others
} Crew;

// Simulates an algorithm with these parameters, as p, m and the request say. If enough_s is above 0, the run may end
// early once it takes longer (point_beyond). Returns NULL if it does not end, cannot begin or fails; *error is set if
// it fails. If it is refused because it is too large or too much, that is not a failure, and *refused says why;
// `refused` may be NULL. Free with point_free.
Point *ahead_simulate(const Request *request, int p, int per_node, size_t m, int algorithm, const CollParams *par,
                      double enough_s, GError **refused, GError **error);

// Work for a helper. `kind`, `number`, limit_s and either `group` or `try` say what it is; the rest is the result.
typedef enum AheadKind { AHEAD_GROUP, AHEAD_REFINE, AHEAD_SIMULATE } AheadKind;
typedef struct AheadJob {
    AheadKind kind;
    int number;        // of the group, or of the try
    double limit_s;    // as tries_of_group(), try_refine() or ahead_simulate() takes it
    TryGroup group;    // AHEAD_GROUP
    Try try;           // AHEAD_REFINE: it becomes the refined one. AHEAD_SIMULATE
    GArray *tries;     // AHEAD_GROUP: its tries
    gboolean excluded; // AHEAD_SIMULATE: try_excluded() says that it takes longer than limit_s, so that it has not run
    Point *point;      // AHEAD_SIMULATE: what ahead_simulate() returns
    GError *refused;   // AHEAD_SIMULATE: why it was refused
    GError *error;     // AHEAD_SIMULATE: why it failed
} AheadJob;
void ahead_job_free(AheadJob *job); // NULL is allowed

// The helpers of one contest.
typedef struct Ahead Ahead;
// Makes helpers for work on p ranks with m bytes. There is none yet.
Ahead *ahead_new(Crew *crew, const Request *request, int p, int per_node, size_t m);
// Returns how many jobs may be added now. It starts helpers if there are processors for them.
int ahead_room(Ahead *x);
// Adds a job. Returns FALSE, and adds none, if the same kind of work with this number has been added before.
gboolean ahead_add(Ahead *x, const AheadJob *job);
// Returns the job with the result, if a helper has begun it; does other jobs until it has ended. Otherwise no helper
// will do it any more, and the result is NULL. Free with ahead_job_free.
AheadJob *ahead_take(Ahead *x, AheadKind kind, int number);
// Waits for what helpers have begun, and frees all.
void ahead_free(Ahead *x);
