#include "measurements/calibrate/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The parameters that a further piece counts as: two for its line, and four because its place is chosen among many.
// With 6, at most 4 % of samples of noise without a bend (uniform, normal or Laplace's, 16 to 72 points) get a second
// piece; with 3 it was up to 49 %.
enum { BEND_COST = 6 };
enum {
    STEPS = 60,
    FEW_STEPS = 20,      // to compare places, where an error of 1 % does not matter
    MAX_PLACES = 128,    // at which a piece may begin
    MAX_SEARCHED = 1024, // points among which bends are searched
    NEAREST = 6          // points nearest to a line that draw it together
};
#define SINGULAR    1e-12 // a column of length 1 with a smaller pivot is a combination of the columns before it
#define SAME_COLUMN 1e-8  // a column is a combination of others that leave at most this share of its square
#define LEAST_ERROR 1e-3  // times are not measured more precisely than this

// ---- Non-negative least squares -------------------------------------------------------------------------------------

// Solves the normal equations of the columns in `set` by Cholesky's method; the other x become 0. Returns FALSE if the
// columns are linearly dependent.
static gboolean solve_set(const double (*gram)[FIT_MAX_TERMS], const double *right, int k, unsigned set, double *x)
{
    double l[FIT_MAX_TERMS][FIT_MAX_TERMS], y[FIT_MAX_TERMS];
    int column[FIT_MAX_TERMS], n = 0;
    for (int j = 0; j < k; j++) {
        x[j] = 0;
        if (set & 1U << j)
            column[n++] = j;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = gram[column[i]][column[j]];
            for (int m = 0; m < j; m++)
                sum -= l[i][m] * l[j][m];
            if (i == j && sum <= SINGULAR)
                return FALSE;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
        y[i] = right[column[i]];
        for (int m = 0; m < i; m++)
            y[i] -= l[i][m] * y[m];
        y[i] /= l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int m = i + 1; m < n; m++)
            y[i] -= l[m][i] * y[m];
        y[i] /= l[i][i];
        x[column[i]] = y[i];
    }
    return TRUE;
}

// Solves the non-negative problem: of all sets of columns it takes the best one whose solution has no negative x. With
// 6 terms these are 64 small systems. The result is exact, and no iteration can cycle.
static void solve(const double (*gram)[FIT_MAX_TERMS], const double *right, int k, double *x)
{
    double scaled[FIT_MAX_TERMS][FIT_MAX_TERMS], size[FIT_MAX_TERMS], b[FIT_MAX_TERMS], least = INFINITY;
    for (int i = 0; i < k; i++)
        size[i] = gram[i][i] > 0 ? sqrt(gram[i][i]) : 1;
    for (int i = 0; i < k; i++) {
        b[i] = right[i] / size[i];
        for (int j = 0; j < k; j++)
            scaled[i][j] = gram[i][j] / size[i] / size[j];
    }
    for (unsigned set = 0; set < 1U << k; set++) {
        double trial[FIT_MAX_TERMS], value = 0;
        gboolean good = solve_set(scaled, b, k, set, trial);
        for (int i = 0; good && i < k; i++) {
            good = trial[i] >= 0;
            value -= trial[i] * b[i]; // at a solution, x' N x - 2 x' b = -x' b
        }
        if (!good || value >= least)
            continue;
        least = value;
        for (int i = 0; i < k; i++)
            x[i] = trial[i] / size[i];
    }
}

// The rows of a fit. If `measured` is set, errors are logarithms; otherwise they are absolute, in units of `scale`.
typedef struct FitRows {
    const double *a, *b, *measured, *weight;
    double scale;
    size_t n;
    int k, steps;
    double square; // errors up to this count by their squares (loss_of); 0 if none do
} FitRows;

static double weight_of(const FitRows *r, size_t i)
{
    return r->weight ? r->weight[i] : 1;
}

// Returns the error of row i. *stretch becomes the number for which half of d^2 / (error x stretch), with its
// denominator held fixed, has the same derivative in d as the error, where d is the row's difference a x - b. So a step
// of least squares on d pulls as the error would.
static double error_of(const FitRows *r, size_t i, const double *x, double *stretch)
{
    const double unit = r->measured ? r->measured[i] : r->scale;
    double sum = -r->b[i];
    for (int j = 0; j < r->k; j++)
        sum += r->a[i * (size_t)r->k + (size_t)j] * x[j];
    const double e = r->measured ? MAX(sum / unit, -0.999) : sum / unit;
    const double logarithm = r->measured ? log1p(e) : e;
    *stretch = unit * unit * (r->measured && fabs(e) > 1e-9 ? e * (1 + e) / logarithm : 1);
    return fabs(logarithm);
}

// Returns what an error adds to the sum that a fit minimises: the error, or below `square`, by Huber's loss, its square
// over 2 `square`.
static double loss_of(const FitRows *r, double error)
{
    return error >= r->square ? error - r->square / 2 : error * error / 2 / r->square;
}

// Takes one step: solves least squares with the weights that follow from the errors of x. An error counts as at least
// `floor`, so that a row which fits exactly does not get all the weight.
static void step(const FitRows *r, double floor, double *x)
{
    double gram[FIT_MAX_TERMS][FIT_MAX_TERMS] = {{0}}, right[FIT_MAX_TERMS] = {0};
    for (size_t i = 0; i < r->n; i++) {
        const double *row = &r->a[i * (size_t)r->k];
        double stretch;
        const double error = error_of(r, i, x, &stretch), pull = weight_of(r, i) / (MAX(error, floor) * stretch);
        for (int j = 0; j < r->k; j++) {
            right[j] += pull * row[j] * r->b[i];
            for (int m = 0; m < r->k; m++)
                gram[j][m] += pull * row[j] * row[m];
        }
    }
    solve(gram, right, r->k, x);
}

static double fit(const FitRows *r, double *x)
{
    double best[FIT_MAX_TERMS] = {0}, least = INFINITY, floor = 1e9; // the first step is plain least squares
    g_assert(r->n >= 1 && r->k >= 1 && r->k <= FIT_MAX_TERMS);
    memset(x, 0, (size_t)r->k * sizeof *x);
    const double shrink = pow(1e-6, 1.0 / r->steps); // the floor shrinks from 0.1 to 1e-7
    for (int i = 0; i < r->steps; i++) {
        double sum = 0, unused;
        step(r, MAX(floor, r->square), x);
        for (size_t k = 0; k < r->n; k++)
            sum += weight_of(r, k) * loss_of(r, error_of(r, k, x, &unused));
        if (sum < least) {
            least = sum;
            memcpy(best, x, (size_t)r->k * sizeof *x);
        }
        floor = i == 0 ? 0.1 : floor * shrink;
    }
    memcpy(x, best, (size_t)r->k * sizeof *x);
    return least;
}

double fit_relative(const double *a, const double *b, const double *measured, const double *weight, size_t n, int k,
                    double *x)
{
    return fit(&(FitRows){.a = a, .b = b, .measured = measured, .weight = weight, .n = n, .k = k, .steps = STEPS}, x);
}

double fit_absolute(const double *a, const double *b, double scale, size_t n, int k, double *x)
{
    return fit(&(FitRows){.a = a, .b = b, .scale = scale, .n = n, .k = k, .steps = STEPS}, x);
}

void fit_determined(const double *a, const double *measured, size_t n, int k, gboolean *determined)
{
    g_assert(n >= 1 && k <= FIT_MAX_TERMS);
    // Gram-Schmidt on the scaled columns. combine[j] holds base j as a combination of the columns.
    g_autofree double *base = g_new0(double, n *(size_t)k);
    double combine[FIT_MAX_TERMS][FIT_MAX_TERMS] = {{0}}, norm[FIT_MAX_TERMS] = {0};
    for (int j = 0; j < k; j++) {
        double *column = &base[n * (size_t)j], whole = 0;
        determined[j] = TRUE;
        combine[j][j] = 1;
        for (size_t i = 0; i < n; i++) {
            column[i] = a[i * (size_t)k + (size_t)j] / measured[i];
            whole += column[i] * column[i];
        }
        for (int m = 0; m < j; m++) {
            const double *other = &base[n * (size_t)m];
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += column[i] * other[i];
            const double share = norm[m] > 0 ? dot / norm[m] : 0;
            for (size_t i = 0; i < n; i++)
                column[i] -= share * other[i];
            for (int l = 0; l <= m; l++)
                combine[j][l] -= share * combine[m][l];
        }
        for (size_t i = 0; i < n; i++)
            norm[j] += column[i] * column[i];
        if (norm[j] > whole * SAME_COLUMN)
            continue;
        norm[j] = 0;
        determined[j] = FALSE;
        for (int m = 0; m < j && whole > 0; m++) {
            double size = 0;
            for (size_t i = 0; i < n; i++)
                size += pow(combine[j][m] * a[i * (size_t)k + (size_t)m] / measured[i], 2);
            if (size > whole * SAME_COLUMN)
                determined[m] = FALSE;
        }
    }
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

// Fits one line in `steps` steps and returns the sum of its errors, in which errors up to `square` count by their
// squares.
static double line_error(const FitPoint *points, size_t n, int steps, double square, FitPiece *piece)
{
    g_autofree double *a = g_new(double, 2 * n), *y = g_new(double, n), *weight = g_new(double, n);
    double x[2];
    for (size_t i = 0; i < n; i++) {
        a[2 * i] = 1;
        a[2 * i + 1] = points[i].x;
        y[i] = points[i].y;
        weight[i] = points[i].weight;
    }
    const double sum = fit(
        &(FitRows){.a = a, .b = y, .measured = y, .weight = weight, .n = n, .k = 2, .steps = steps, .square = square},
        x);
    *piece = (FitPiece){points[0].x, points[n - 1].x, x[0], x[1]};
    return sum;
}

void fit_weigh_doublings(FitPoint *points, size_t n)
{
    size_t doublings = 0;
    for (size_t i = 0; i < n; doublings++) {
        size_t end = i;
        while (end < n && (int)floor(log2(MAX(points[end].x, 0.5))) == (int)floor(log2(MAX(points[i].x, 0.5))))
            end++;
        for (const size_t first = i; i < end; i++)
            points[i].weight = 1 / (double)(end - first);
    }
    for (size_t i = 0; i < n; i++)
        points[i].weight *= (double)n / (double)doublings;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

FitPiece fit_line(const FitPoint *points, size_t n)
{
    FitPiece piece;
    line_error(points, n, STEPS, 0, &piece);
    if (n <= 2)
        return piece;
    g_autofree double *errors = g_new(double, n);
    for (size_t i = 0; i < n; i++)
        errors[i] = fabs(log(MAX((piece.at_zero + piece.slope * points[i].x) / points[i].y, 1e-3)));
    qsort(errors, n, sizeof *errors, compare_doubles);
    line_error(points, n, STEPS, errors[MIN(n, NEAREST) - 1], &piece);
    return piece;
}

// Finds the places at which a piece may begin: the first point of each different x, or evenly chosen ones if there are
// more than MAX_PLACES. Returns their number; n follows them as the last place.
static size_t find_places(const FitPoint *points, size_t n, size_t *places)
{
    g_autofree size_t *all = g_new(size_t, n);
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || points[i].x > points[i - 1].x)
            all[found++] = i;
    const size_t stride = (found + MAX_PLACES - 1) / MAX_PLACES;
    for (size_t i = 0; i < found; i += stride)
        places[kept++] = all[i];
    places[kept] = n;
    return kept;
}

// The best cut of the points into some number of pieces.
typedef struct Bends {
    double sum;                   // of the errors
    size_t start[FIT_MAX_PIECES]; // the place at which each piece begins
} Bends;

double fit_criterion(double sum, size_t n, guint bends)
{
    const double error = MAX(sum / (double)n, LEAST_ERROR);
    return 2 * (double)n * log(error) + (BEND_COST * bends + 2) * log((double)n);
}

// Finds the best cut of the points and appends to `starts` the x at which each piece begins.
static void find_bends(const FitPoint *points, size_t n, GArray *starts)
{
    size_t places[MAX_PLACES + 1];
    const size_t k = find_places(points, n, places);
    FitPiece unused;
    g_autofree Bends *table = g_new(Bends, FIT_MAX_PIECES * (k + 1)); // [pieces - 1][end]
    guint best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < FIT_MAX_PIECES * (k + 1); i++)
        table[i].sum = INFINITY;
    for (size_t from = 0; from < k; from++)
        for (size_t end = from + 1; end <= k; end++) {
            if (!(from == 0 && end == k) && end - from < FIT_MIN_PIECE)
                continue;
            const double sum = line_error(&points[places[from]], places[end] - places[from], FEW_STEPS, 0, &unused);
            for (guint q = from > 0; q < (from > 0 ? FIT_MAX_PIECES : 1); q++) {
                const Bends left = from > 0 ? table[(q - 1) * (k + 1) + from] : (Bends){0};
                Bends *bends = &table[q * (k + 1) + end];
                if (left.sum + sum >= bends->sum)
                    continue;
                *bends = left;
                bends->sum += sum;
                bends->start[q] = from;
            }
        }
    for (guint q = 0; q < FIT_MAX_PIECES; q++) {
        const double criterion = fit_criterion(table[q * (k + 1) + k].sum, n, q);
        if (criterion < least) {
            least = criterion;
            best = q;
        }
    }
    for (guint q = 0; q <= best; q++)
        g_array_append_val(starts, points[places[table[best * (k + 1) + k].start[q]]].x);
}

GArray *fit_pieces(const FitPoint *points, size_t n)
{
    // The search takes O(MAX_PLACES^2) fits, so it sees only every stride-th point; the pieces are fitted to all.
    const size_t stride = (n + MAX_SEARCHED - 1) / MAX_SEARCHED, searched = (n + stride - 1) / stride;
    g_autofree FitPoint *some = g_new(FitPoint, searched);
    g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(double));
    for (size_t i = 0; i < searched; i++)
        some[i] = points[i * stride];
    find_bends(some, searched, starts);
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(FitPiece));
    for (size_t from = 0, end, q = 0; q < starts->len; from = end, q++) {
        end = n;
        if (q + 1 < starts->len)
            for (end = from; points[end].x < g_array_index(starts, double, q + 1);)
                end++;
        FitPiece piece;
        line_error(&points[from], end - from, STEPS, 0, &piece);
        g_array_append_val(pieces, piece);
    }
    return pieces;
}

double fit_pieces_at(const GArray *pieces, double x)
{
    const FitPiece *piece = &g_array_index(pieces, FitPiece, 0);
    for (guint i = 1; i < pieces->len && g_array_index(pieces, FitPiece, i).from <= x; i++)
        piece = &g_array_index(pieces, FitPiece, i);
    return piece->at_zero + piece->slope * x;
}

double fit_jump(const GArray *pieces, guint i)
{
    const FitPiece *left = &g_array_index(pieces, FitPiece, i - 1), *right = &g_array_index(pieces, FitPiece, i);
    const double below = left->at_zero + left->slope * right->from;
    return below > 0 ? (right->at_zero + right->slope * right->from) / below : INFINITY;
}

// ---- Errors ---------------------------------------------------------------------------------------------------------

// Returns the values in ascending order. Free with g_free.
static double *in_order(const double *values, size_t n)
{
    double *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return sorted;
}

double fit_quantile(const double *values, size_t n, double q)
{
    g_autofree double *sorted = in_order(values, n);
    return sorted[MAX((size_t)ceil(q * (double)n), 1) - 1];
}

FitErrors fit_errors(const double *absolute, size_t n)
{
    if (!n)
        return (FitErrors){0};
    g_autofree double *sorted = in_order(absolute, n);
    const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    return (FitErrors){median, sorted[(9 * n + 9) / 10 - 1], sorted[n - 1]};
}

double fit_outlier_from(const double *logarithms, size_t n)
{
    return MAX(5 * FIT_NORMAL_MEDIAN * fit_errors(logarithms, n).median, log(1.25));
}

// The points with one x.
typedef struct SameX {
    double x, median; // the median of their y
    size_t n;
} SameX;

static GArray *groups_of(const FitPoint *points, size_t n)
{
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(SameX));
    g_autofree double *y = g_new(double, n);
    for (size_t from = 0, end; from < n; from = end) {
        for (end = from; end < n && points[end].x == points[from].x; end++)
            y[end - from] = points[end].y;
        const SameX group = {points[from].x, fit_errors(y, end - from).median, end - from};
        g_array_append_val(groups, group);
    }
    return groups;
}

// Returns TRUE if groups i and k exist and their x are within a factor of 4; values below 1/2 count as 1/2.
static gboolean near(const GArray *groups, gint64 i, gint64 k)
{
    if (MIN(i, k) < 0 || MAX(i, k) >= groups->len)
        return FALSE;
    const double ratio = MAX(g_array_index(groups, SameX, i).x, 0.5) / MAX(g_array_index(groups, SameX, k).x, 0.5);
    return ratio <= 4 && ratio >= 0.25;
}

// Returns the y that the points with the same x suggest for group i, or else its neighbours; 0 if it has none on one
// side, or not near enough.
static double by_neighbours(const GArray *groups, gint64 i)
{
    const SameX *at = &g_array_index(groups, SameX, i), *left = at - 1, *right = at + 1;
    if (at->n > 2)
        return at->median;
    if (!near(groups, i - 1, i) || !near(groups, i + 1, i))
        return 0;
    return left->median + (right->median - left->median) * (at->x - left->x) / (right->x - left->x);
}

// Returns TRUE if group i is the first or the last one and the second x from it is near.
static gboolean is_near_end(const GArray *groups, gint64 i)
{
    return (i == 0 && near(groups, 2, 0)) || (i + 1 == groups->len && near(groups, i - 2, i));
}

void fit_outliers(const FitPoint *points, size_t n, const GArray *pieces, gboolean *outlier)
{
    g_autofree double *errors = g_new(double, n);
    g_autoptr(GArray) groups = groups_of(points, n);
    for (size_t i = 0; i < n; i++)
        errors[i] = fabs(log(fit_pieces_at(pieces, points[i].x) / points[i].y));
    const double limit = fit_outlier_from(errors, n);
    gint64 group = 0;
    for (size_t i = 0; i < n; i++) {
        group += points[i].x > g_array_index(groups, SameX, group).x;
        const double local = by_neighbours(groups, group);
        outlier[i] =
            errors[i] > limit && (local > 0 ? fabs(log(local / points[i].y)) > limit : is_near_end(groups, group));
    }
}
