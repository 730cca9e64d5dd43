// Fits of known shape to sweeps over sizes, and the rows of a sweep that do not belong to it. Points are sorted by x, and
// several may have one x.
#pragma once
#include "measurements/calibrate/fit.h"

// Returns y of a curve at x; `curve` is a FitStep or a FitLadder.
typedef double FitAt(const void *curve, double x);

// A line with one jump: y = at_zero + slope x, and `jump` more where x is above `limit`.
typedef struct FitStep {
    double at_zero, slope, jump;
    double last, next;          // neighbouring x between which y jumps; INFINITY if it does not
    double limit;               // as calibration_eager chooses it; INFINITY without a jump of 5 %
    double spread;              // standard deviation of ln(y / curve), without spikes
    double zero_off, slope_off; // standard errors of at_zero and slope
} FitStep;

// Fits a step to points of at least 3 different x; those with spike[i] set do not count. `spike` may be NULL. Of all places
// for a jump it takes the one with the least sum of |ln(y / curve)|, if the Bayesian information criterion prefers it to none.
// Returns FALSE if the points have fewer x.
gboolean fit_step(const FitPoint *points, size_t n, const gboolean *spike, FitStep *step);
double fit_step_at(const void *step, double x);

// The time from one message of a window to the next: the same for short messages, and proportional to x for longer ones, with
// a second factor from some x on where another thing limits them.
typedef struct FitLadder {
    double flat, flat_to; // the time, and the last x that is so short; NAN if fewer than 3 are
    double
        slope[2]; // of the first and the second part that rise; NAN for a part that is not there; the second always is
    double from[2];              // the first x of each
    gboolean rises;              // the times of the second part are above `flat`; if not, slope[1] says nothing
    double spread;               // as above
    guint flat_rows, slope_rows; // points that `flat` and slope[1] come from
} FitLadder;

// Fits a ladder in the same way. Returns FALSE if the points have fewer than 6 different x.
gboolean fit_ladder(const FitPoint *points, size_t n, const gboolean *spike, FitLadder *ladder);
double fit_ladder_at(const void *ladder, double x);

// Sets spike[i] for points that are off the curve (by point) by more than 5 standard deviations and more than 8 %, and also
// off by as much from what the nearest points that are on the curve are off. Three or more neighbouring x that are off on
// one side are a bend that the curve does not have, and no spikes.
void fit_spikes(const FitPoint *points, size_t n, const double *curve, gboolean *spike);
