// Fits that a few wrong rows do not spoil. They minimise the sum of |ln(predicted / measured)|, with three effects.
// Errors are relative: 1 us in 2 us weighs as much as 1 ms in 2 ms. Twice the measured time is as wrong as half of it.
// And a row that is far off pulls no harder than a row that is a little off, whereas least squares would follow it;
// half of the rows end up above the fit and half below. No fitted figure is negative.
#pragma once
#include <glib.h>

// The standard deviation of normal errors, divided by the median of their absolute values.
#define FIT_NORMAL_MEDIAN 1.4826
// The standard error of a median, divided by that of a mean.
#define FIT_MEDIAN_ERROR 1.2533

enum { FIT_MAX_TERMS = 10, FIT_MAX_PIECES = 3, FIT_MIN_PIECE = 4 };

// Sets x[0..k-1] >= 0 so that the sum over the n rows i of weight[i] |ln(1 + r)| is least, and returns that sum. In it
//     r = (sum_j a[i * k + j] x[j] - b[i]) / measured[i]
// is the relative error of row i: measured[i] > 0 is its time, and b[i] the part of it that x has to explain. `weight`
// may be NULL for weights of 1; n >= 1 and 1 <= k <= FIT_MAX_TERMS. The x of a column of zeros is 0. The method is
// iteratively reweighted least squares: each of 60 steps solves a non-negative least squares problem exactly, in
// O(n k^2 + 2^k k^3).
double fit_relative(const double *a, const double *b, const double *measured, const double *weight, size_t n, int k,
                    double *x);

// Does the same for the sum of |sum_j a[i * k + j] x[j] - b[i]| / scale, where b may be 0 or negative; scale > 0.
double fit_absolute(const double *a, const double *b, double scale, size_t n, int k, double *x);

// Finds which x the rows determine. determined[j] becomes FALSE if column j is zero, or a linear combination of the
// other columns. The arguments have the same meaning as for fit_relative.
void fit_determined(const double *a, const double *measured, size_t n, int k, gboolean *determined);

// A point to fit a line to: y > 0 over x. Its error counts `weight` times.
typedef struct FitPoint {
    double x, y, weight;
} FitPoint;

// Sets the weights of n points, sorted by x, so that each doubling of x weighs the same however many points it has. The
// mean of the weights is 1.
void fit_weigh_doublings(FitPoint *points, size_t n);

// A line y = at_zero + slope x, fitted to the points with x in [from, to]. `to` and the `from` of the next piece are
// the x of neighbouring points.
typedef struct FitPiece {
    double from, to, at_zero, slope;
} FitPiece;

// Fits one line to n >= 2 points, sorted by x. The least sum of errors alone passes exactly through two of the points,
// which a sparse sweep of noisy times does not bear: one of the two may be far off. So the errors of the 6 points
// nearest to that line count by their squares (Huber's loss), and larger errors as they are. Six points then have a
// line of least squares, and the line through a dense sweep hardly moves.
FitPiece fit_line(const FitPoint *points, size_t n);

// Fits 1 to FIT_MAX_PIECES lines to n >= 2 points, sorted by x; several points may have the same x. If there are
// several pieces, each has at least FIT_MIN_PIECE different x. For each number of pieces, dynamic programming finds the
// bends with the least sum of errors. It sees up to 1024 points and considers up to 128 different x as bends, both
// evenly chosen if there are more. The number of pieces is the one with the least Bayesian information criterion, for
// errors that follow Laplace's distribution; a mean error below 0.1 % counts as 0.1 %, and a further piece counts as
// six parameters. Returns an array of FitPiece; free with g_array_unref.
GArray *fit_pieces(const FitPoint *points, size_t n);

// Returns the criterion of a fit of n points with this sum of errors, and bends whose places it has chosen; the least is best.
double fit_criterion(double sum, size_t n, guint bends);

// Returns y at x by the last piece that begins at x or below it; by the first piece if none does.
double fit_pieces_at(const GArray *pieces, double x);

// Returns the factor by which y jumps where piece i >= 1 begins: y of this piece divided by y of the piece before it,
// both at that x. 1 means no jump. Returns INFINITY if the piece before is not above 0 there.
double fit_jump(const GArray *pieces, guint i);

// Returns the smallest of n >= 1 values that at least a share q of them do not exceed.
double fit_quantile(const double *values, size_t n, double q);
// Statistics of errors: the median, the 90th percentile (nearest rank) and the largest.
typedef struct FitErrors {
    double median, p90, worst;
} FitErrors;
// Returns the statistics of n errors, such as |predicted / measured - 1|; all 0 for n = 0.
FitErrors fit_errors(const double *absolute, size_t n);

// Returns the |ln(predicted / measured)| beyond which a row is an outlier, from these values of all rows. It is 5
// standard deviations, where the standard deviation is computed from the median as if errors were normal; but at least
// ln 1.25, so that a row whose prediction is within a factor of 1.25 is never an outlier.
double fit_outlier_from(const double *logarithms, size_t n);

// Sets outlier[i] for each of n points, sorted by x. An outlier is farther than fit_outlier_from() from its piece, and
// also from the straight line between its two neighbours in x; so a bend without a piece of its own has no outliers. If
// three or more points have the same x, their median takes the place of that line. Neighbours count only if their x is
// within a factor of 4 (an x of 0 counts as 1/2). A point without two such neighbours is not an outlier, except that
// the first and the last x are judged by their piece alone if the next two x are within that factor.
void fit_outliers(const FitPoint *points, size_t n, const GArray *pieces, gboolean *outlier);
