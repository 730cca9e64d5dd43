// Simulations that a contest begins before their turn, on processors that have nothing else to do.
#pragma once
#include "search/tries.h"

// What all contests share. Set both to 0 first, and then `contests` to the number of contests; each subtracts itself at
// its end. Access is atomic.
typedef struct Crew {
    int contests; // that are not done; each may take a processor
    int helpers;  // simulations begun by ahead_begin that are not done
} Crew;

typedef struct Ahead Ahead;

// Simulates an algorithm with these parameters, as p, m and the request say. If enough_s is above 0, the run may end early
// once it takes longer (point_beyond). Returns NULL if it does not end, cannot begin or fails; *error is set if it fails. If it is refused because it is too large or too much, that is not a failure,
// and *refused says why; `refused` may be NULL. Free with point_free.
Point *ahead_simulate(const Request *request, int p, int per_node, size_t m, int algorithm, const CollParams *par,
                      double enough_s, GError **refused, GError **error);
// Begins to simulate a try on another thread, to its end. Returns NULL if there is no processor for it. End it with ahead_end().
Ahead *ahead_begin(Crew *crew, const Request *request, int p, int per_node, size_t m, const Try *try);
// Returns true if this is the simulation of the try.
gboolean ahead_is(const Ahead *x, const Try *try);
// Waits for the end of the simulation, and returns the point as ahead_simulate() does. Errors are forgotten: after
// NULL, simulate again. Frees x.
Point *ahead_end(Ahead *x);
