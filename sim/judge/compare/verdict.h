// Which candidate a measured curve is: a judgement of numbers alone, without algorithms.
//
// The deviation of a candidate is the mean over the sizes of |ln(measured/predicted)|, the quantity that calibration
// minimises too. It does not depend on the unit, weighs each size alike, and lets no single size decide. A candidate
// that is off by 20 % everywhere deviates by about 0.2.
//
// A library may change its algorithm between two sizes. So the sizes are cut into pieces with a candidate each, such
// that
//
//     sum of |ln(measured/predicted)| + VERDICT_SWITCH * (pieces - 1)
//
// is the least, by dynamic programming over the sizes.
#pragma once
#include <glib.h>

// What another piece must save: as much as four sizes at which the change makes the prediction better by a factor of
// 2.1.
#define VERDICT_SWITCH 3.0

// Sizes first .. last, which one candidate fits.
typedef struct VerdictPiece {
    guint first, last, candidate;
    double deviation;   // of the candidate, over these sizes
    double times_worse; // the least deviation of the others, divided by that; INFINITY if there is none
    guint second;       // the candidate of that deviation; the piece's own if there is no other
} VerdictPiece;

typedef struct CurveVerdict {
    guint *order;       // the candidates, by deviation over all sizes and then by number
    double *deviation;  // by candidate, over all sizes
    double *bias;       // by candidate: the median of predicted/measured - 1
    GArray *pieces;     // of VerdictPiece
    double fit;         // the deviation of the pieces together
    double times_worse; // the least of the pieces
    gboolean tied;      // two candidates fit a piece equally well, so which one it is remains open
    gboolean near_tied; // the two nearest candidates over all sizes are tied
} CurveVerdict;

// Judges n_sizes > 0 measured times, in the order of sizes, against n > 0 candidates with a predicted time for each of
// them; all are above 0. Candidates are tied if times_worse is below 1 + tie. Free with verdict_free.
CurveVerdict *verdict_new(const double *measured, guint n_sizes, const double *const *predicted, guint n, double tie);
void verdict_free(CurveVerdict *verdict); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CurveVerdict, verdict_free)
