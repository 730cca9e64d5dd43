// Fits that a few wrong rows do not spoil. What is minimised is the sum of |ln(predicted / measured)|, so that half of
// the rows lie above and half below: a microsecond weighs as much in 2 us as a millisecond in 2 ms, double as much as
// half, and a row that is wrong by far pulls no harder than one that is wrong by little (least squares would follow
// it). No figure comes out negative.
#pragma once
#include <glib.h>

enum { FIT_MAX_TERMS = 6, FIT_MAX_PIECES = 3, FIT_MIN_PIECE = 4 };

// Sets x[0..k-1] >= 0 so that the sum over rows i of weight[i] |ln(1 + r)| is least, and returns that sum, where
// r = (sum_j a[i * k + j] x[j] - b[i]) / measured[i] is a row's relative error: b is what of the measured time (> 0)
// the x have to explain. weight NULL: 1 each; k <= FIT_MAX_TERMS. A column of zeros gets 0. By iteratively reweighted
// least squares, each a non-negative one solved exactly: O(n k^2 + 2^k k^3) for each of 60 steps.
double fit_relative(const double *a, const double *b, const double *measured, const double *weight, size_t n, int k,
                    double *x);

// The same for the sum of |sum_j a[i * k + j] x[j] - b[i]| / scale, for b that may be 0 or negative; scale > 0.
double fit_absolute(const double *a, const double *b, double scale, size_t n, int k, double *x);

// Which columns the rows do not tell apart: determined[j] is FALSE for a column that is zero, and for all columns of a
// set of which each is a linear combination of the others. Arguments as fit_relative's.
void fit_determined(const double *a, const double *measured, size_t n, int k, gboolean *determined);

// A point of a line: y (> 0) over x; its error counts `weight` times.
typedef struct FitPoint {
    double x, y, weight;
} FitPoint;

// Sets the weights so that each doubling of x weighs the same, however many points lie in it, and 1 in the mean. Points
// with x rising.
void fit_weigh_doublings(FitPoint *points, size_t n);

// y = at_zero + slope x for x in [from, to]. `to` and the next piece's `from` are measured points.
typedef struct FitPiece {
    double from, to, at_zero, slope;
} FitPiece;

// One line through n >= 2 points, all in [from, to].
FitPiece fit_line(const FitPoint *points, size_t n);

// At most FIT_MAX_PIECES lines through n >= 2 points with x rising (equal x allowed), each of FIT_MIN_PIECE different x
// at least. The bends stand where the sum of errors is least (found by dynamic programming over all places, up to 128
// of them), and there are as many as lower the Bayesian information criterion of errors that follow Laplace's
// distribution (taken as 0.1 % in the mean where they are less), a further piece counted as six parameters. Returns an
// array of FitPiece, to free with g_array_unref.
GArray *fit_pieces(const FitPoint *points, size_t n);

// y of the piece that x belongs to; beyond the ends, and between two pieces, of the nearer to the left.
double fit_pieces_at(const GArray *pieces, double x);

// How far y of the right piece stands above that of the left one where piece i begins: 1 is the same, 2 the
// double. i >= 1.
double fit_jump(const GArray *pieces, guint i);

// Of |predicted / measured - 1|: the median, the 90th percentile (nearest rank), the largest. All 0 for n = 0.
typedef struct FitErrors {
    double median, p90, worst;
} FitErrors;
FitErrors fit_errors(const double *absolute, size_t n);

// From which |ln(predicted / measured)| on a row is an outlier: 5 times what the median would be the standard deviation
// of if errors were normal, and a quarter of the time at least.
double fit_outlier_from(const double *logarithms, size_t n);

// Which points are outliers: as far as fit_outlier_from says off their piece, and off the straight line between their
// neighbours (the median of others with the same x, where there are two), so that a bend without a piece of its own is
// none. Neighbours tell within a factor of 4 (0 taken as 1/2); the first and the last x are judged by their piece, if
// the next two x are as near. Points with x rising.
void fit_outliers(const FitPoint *points, size_t n, const GArray *pieces, gboolean *outlier);
