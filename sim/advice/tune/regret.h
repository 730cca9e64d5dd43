// Regret: how much time a library's defaults cost, against the best of what the same version can be told to run.
//
// At a point, x is the time of the default divided by that of the best. Both are computed here for all who show them,
// and the request's remarks say whether HAN counts, and what the data do not know of the default. With
// request->by_file, the best and the time without a rule are those that a rules file leaves: without HAN and without
// the compositions of MPICH's ch4 (no_han, no_compositions). The default always has them, unless a user has switched
// them off.
//
// With request->library.of_all, regret_compute and regret_contests also find the best of all algorithms on the grid,
// which is what `collsim best` finds without --only.
//
// The points are a grid, and pairs of neighbours on both sides of every place where the library decides otherwise.
// Neighbours are two sizes one element apart on p ranks, or p and p + 1 ranks with one size. On nodes, they differ by
// one node, or by one rank on each node. A pair whose x differ much is a cliff.
#pragma once
#include "advice/tune/regret_places.h"
#include "search/search/contest.h"
#include "search/search/sure.h"

typedef struct Regret {
    Collective collective;
    size_t elem;
    int root;                  // 0 if the collective has none
    GArray *places;            // of RegretPlace, the grid first
    GArray *cliffs;            // of RegretPair, the steepest first
    guint known, unknown;      // numbers of points of the grid
    char *left_out;            // what the contests of the grid leave out (contest_left_out); NULL for nothing
    char *searched;            // what all contests for the best considered (contest_searched); NULL before
    ContestCounts counts;      // .. in numbers
    double all_mean;           // geometric mean over the grid of all_s / best_s; NAN unless these were looked for
    double mean;               // geometric mean of x over the grid; NAN without a point
    double above_1_1, above_2; // the shares of the grid's points whose x is above
    int top;                   // how many of the fastest a contest looks for, at least 1
    GPtrArray *contests; // of Contest, those of the grid's known points, with the request; NULL unless they are kept
} Regret;

// Returns the default's time divided by the best one; NAN where it is not known.
double regret_x(const RegretPlace *place);
// Returns what the best saves against the default. All is NAN where the default is not known.
Sure regret_sure(const RegretPlace *place, const Platform *platform);
// Returns what another point (Point) of the place saves against the default, likewise.
Sure regret_gain(const RegretPlace *place, const Platform *platform, const Point *point);
// Computes the regret of r->only for a collective, over the request's ranks and those of its sizes that are whole
// elements; pairs of neighbours are examined if `pairs` is set. The request must have no algorithms; its collective and
// its elements are set to these (question_turn). Returns NULL and an error on bad input. Free with regret_free.
Regret *regret_compute(Request *r, Collective collective, size_t elem, gboolean pairs, GError **error);
// Does the same with pairs, and keeps the contests, which find the `top` fastest. The request must outlive the regret;
// what it says of collective and elements may change.
Regret *regret_contests(Request *r, Collective collective, size_t elem, int top, GError **error);
// Returns roughly how much time of a processor regret_contests() will take, in seconds; NAN and an error on bad input.
// Two sizes of the grid are timed for this, the middle one and the next: on few ranks first, and on more until it shows
// what the others take. If r->known is set, regret_contests() then need not simulate these again.
double regret_foresee(Request *r, Collective collective, size_t elem, int top, GError **error);
// Does the same as regret_compute at these places (ContestPlace), which count as a grid; equal ones count once.
Regret *regret_at(Request *r, Collective collective, size_t elem, const GArray *places, GError **error);
// Times the defaults alone, at the places of contests (Contest) of the request, which stays as it is. Sets *defaults to NULL
// if the request has no library.
gboolean regret_defaults(Request *r, const GPtrArray *contests, Regret **defaults, GError **error);
// Returns the place of these ranks and bytes; NULL if there is none.
const RegretPlace *regret_place(const Regret *regret, int p, int per_node, size_t m);
void regret_free(Regret *regret);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Regret, regret_free)
// Returns the places of the grid whose x is largest, at most `most` and all above 1 (guint, indices of `places`). Free
// with g_array_unref.
GArray *regret_worst(const Regret *regret, guint most);
