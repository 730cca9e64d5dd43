// Rankings: the points of one number of ranks, size and root, the fastest first.
//
// Points that take exactly as long as each other tie. points_faster() orders them: what a library has comes first, then
// what departs less from its defaults. Tables, CSV, plots and the line of winners all follow it.
#pragma once
#include "search/search/points.h"

typedef struct Ranking {
    guint first, end;  // the points of this ranking are first .. end - 1 of those it was made from
    GPtrArray *ranked; // of const Point *; without those that did not run, or ran as a fallback
} Ranking;

// Returns the end of the points from `first` on that have the same p, m and root as the first.
guint ranking_end(const GPtrArray *points, guint first);
// Makes the ranking of these points, which have run. Free with ranking_free.
Ranking *ranking_make(const GPtrArray *points, guint first);
// Makes an empty ranking, to which points are added from the fastest on.
Ranking *ranking_new(void);
void ranking_free(gpointer ranking);

// Returns how many points are as fast as the fastest; 0 if none is ranked.
guint ranking_tied(const Ranking *ranking);
// Returns the place of a point, 1 for the fastest, or 0 if it is not ranked.
guint ranking_place(const Ranking *ranking, const Point *point);
// Returns the point's time divided by the lower bound. Returns NAN if no bound is known, or if the bound is 0.
double ranking_x_bound(const Request *request, const Point *point);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ranking, ranking_free)
