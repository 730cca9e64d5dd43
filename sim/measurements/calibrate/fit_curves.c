#include "measurements/calibrate/fit_curves.h"
#include "measurements/calibrate/calibrate.h"
#include <math.h>
#include <string.h>

enum {
    LEAST_SIDE = 3, // different x on each side of a jump, and of a part of a ladder that is not in its middle
    LEAST_MIDDLE = 2,
    BEND = 3, // neighbouring x that are off on one side make a bend
};
#define TOO_FAST 4    // what disturbs a row makes it slow, so a row that is too fast counts as so many
#define SPIKE    1.08 // a spike is off by at least this factor
#define RISES    1.25 // a part of a ladder whose times are this many times the flat one rises

// Returns the points that count, as an array of FitPoint whose doublings weigh the same.
static GArray *kept_points(const FitPoint *points, size_t n, const gboolean *spike)
{
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(FitPoint));
    for (size_t i = 0; i < n; i++)
        if (!spike || !spike[i])
            g_array_append_val(kept, points[i]);
    if (kept->len)
        fit_weigh_doublings((FitPoint *)(void *)kept->data, kept->len);
    return kept;
}

static const FitPoint *point_at(const GArray *points, guint i)
{
    return &g_array_index(points, FitPoint, i);
}

// Returns the different x of the points, as an array of double.
static GArray *different(const GArray *points)
{
    GArray *x = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < points->len; i++)
        if (i == 0 || point_at(points, i)->x > point_at(points, i - 1)->x)
            g_array_append_val(x, point_at(points, i)->x);
    return x;
}

static double x_at(const GArray *x, guint i)
{
    return g_array_index(x, double, i);
}

static double spread_of(const GArray *points, FitAt *at, const void *curve)
{
    g_autofree double *errors = g_new(double, MAX(points->len, 1));
    for (guint i = 0; i < points->len; i++)
        errors[i] = fabs(log(point_at(points, i)->y / MAX(at(curve, point_at(points, i)->x), 1e-300)));
    return FIT_NORMAL_MEDIAN * fit_errors(errors, points->len).median;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

double fit_step_at(const void *step, double x)
{
    const FitStep *const s = step;
    return s->at_zero + s->slope * x + (x > s->last ? s->jump : 0);
}

// Fits a line, with a jump above `last` unless it is INFINITY. Returns the sum of errors.
static double fit_jump_at(const GArray *points, double last, double next, FitStep *step)
{
    const guint n = points->len;
    const int k = isinf(last) ? 2 : 3;
    g_autofree double *a = g_new(double, (gsize)n * 3), *y = g_new(double, n), *weight = g_new(double, n);
    double x[3] = {0};
    for (guint i = 0; i < n; i++) {
        double *const row = &a[(gsize)i * (gsize)k];
        row[0] = 1;
        row[1] = point_at(points, i)->x;
        if (k == 3)
            row[2] = point_at(points, i)->x > last;
        y[i] = point_at(points, i)->y;
        weight[i] = point_at(points, i)->weight;
    }
    const double sum = fit_relative(a, y, y, weight, n, k, x);
    *step = (FitStep){.at_zero = x[0], .slope = x[1], .jump = x[2], .last = last, .next = next};
    return sum;
}

// Returns the sum of errors by which places for the jump are compared.
static double place_sum(const GArray *points, const FitStep *step, double sum)
{
    for (guint i = 0; i < points->len; i++) {
        const FitPoint *const p = point_at(points, i);
        const double error = log(p->y / MAX(fit_step_at(step, p->x), 1e-300));
        if (error < -log(SPIKE))
            sum -= (TOO_FAST - 1) * p->weight * error;
    }
    return sum;
}

// Sets the standard errors of the line: those of least squares on relative errors, as large as a fit of least sums has them.
static void find_errors(const GArray *points, FitStep *step)
{
    double n00 = 0, n01 = 0, n11 = 0, n02 = 0, n12 = 0, n22 = 0;
    for (guint i = 0; i < points->len; i++) {
        const FitPoint *const p = point_at(points, i);
        const double u = 1 / p->y, v = p->x / p->y, w = p->x > step->last ? u : 0;
        n00 += u * u;
        n01 += u * v;
        n11 += v * v;
        n02 += u * w;
        n12 += v * w;
        n22 += w * w;
    }
    if (n22 > 0) { // takes the jump out
        n00 -= n02 * n02 / n22;
        n01 -= n02 * n12 / n22;
        n11 -= n12 * n12 / n22;
    }
    const double determinant = n00 * n11 - n01 * n01;
    if (!(determinant > 0))
        return;
    step->zero_off = FIT_MEDIAN_ERROR * step->spread * sqrt(n11 / determinant);
    step->slope_off = FIT_MEDIAN_ERROR * step->spread * sqrt(n00 / determinant);
}

// Sets the eager limit by the rule of all fits.
static void find_limit(const GArray *x, FitStep *step)
{
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(FitPiece));
    const FitPiece below = {x_at(x, 0), step->last, step->at_zero, step->slope},
                   above = {step->next, x_at(x, x->len - 1), step->at_zero + step->jump, step->slope};
    g_array_append_val(pieces, below);
    if (!isinf(step->last))
        g_array_append_val(pieces, above);
    step->limit = calibration_eager(pieces, 0);
}

// Moves the jump behind spikes that are faster than what is beyond it: they are slow rows of what is before it.
static void pass_spikes(const FitPoint *points, size_t n, const gboolean *spike, FitStep *step)
{
    for (size_t i = 0; spike && i < n; i++) {
        const double x = points[i].x, beyond = step->at_zero + step->slope * x + step->jump;
        if (spike[i] && x > step->last && x < step->next && points[i].y * SPIKE < beyond)
            step->last = x;
    }
}

gboolean fit_step(const FitPoint *points, size_t n, const gboolean *spike, FitStep *step)
{
    g_autoptr(GArray) kept = kept_points(points, n, spike);
    g_autoptr(GArray) x = different(kept);
    if (x->len < 3)
        return FALSE;
    double least = INFINITY;
    for (guint i = 0; i == 0 || i + LEAST_SIDE <= x->len; i++) {
        FitStep trial;
        if (i > 0 && i < LEAST_SIDE)
            continue;
        const double sum = fit_jump_at(kept, i ? x_at(x, i - 1) : INFINITY, i ? x_at(x, i) : INFINITY, &trial);
        const double criterion = fit_criterion(place_sum(kept, &trial, sum), kept->len, i > 0);
        if (criterion >= least)
            continue;
        least = criterion;
        *step = trial;
    }
    pass_spikes(points, n, spike, step);
    step->spread = spread_of(kept, fit_step_at, step);
    find_errors(kept, step);
    find_limit(x, step);
    return TRUE;
}

// ---- Ladders --------------------------------------------------------------------------------------------------------

double fit_ladder_at(const void *ladder, double x)
{
    const FitLadder *const l = ladder;
    const gboolean last = x >= l->from[1] || isnan(l->slope[0]);
    if (!isnan(l->flat) && x <= l->flat_to)
        return l->flat;
    const double rising = l->slope[last] * x;
    return isnan(l->flat) || x >= l->from[1] ? rising : MAX(l->flat, rising);
}

// Returns the median of y, or of y / x, over the points with x in [from, to); *rows becomes their number.
static double median_in(const GArray *points, double from, double to, gboolean by_x, guint *rows)
{
    g_autofree double *values = g_new(double, points->len);
    *rows = 0;
    for (guint i = 0; i < points->len; i++) {
        const FitPoint *const p = point_at(points, i);
        if (p->x >= from && p->x < to && (!by_x || p->x > 0))
            values[(*rows)++] = by_x ? p->y / p->x : p->y;
    }
    return *rows ? fit_errors(values, *rows).median : NAN;
}

static double sum_of(const GArray *points, const FitLadder *l)
{
    double sum = 0;
    for (guint i = 0; i < points->len; i++) {
        const FitPoint *const p = point_at(points, i);
        sum += p->weight * fabs(log(p->y / MAX(fit_ladder_at(l, p->x), 1e-300)));
    }
    return sum;
}

gboolean fit_ladder(const FitPoint *points, size_t n, const gboolean *spike, FitLadder *ladder)
{
    g_autoptr(GArray) kept = kept_points(points, n, spike);
    g_autoptr(GArray) x = different(kept);
    double least = INFINITY;
    guint rows;
    if (x->len < 2 * LEAST_SIDE)
        return FALSE;
    for (guint i = 0; i + LEAST_SIDE <= x->len; i++) { // where the first part that rises begins, and the second
        for (guint k = i; k + LEAST_SIDE <= x->len; k++) {
            if ((i > 0 && i < LEAST_SIDE) || (k > i && k - i < LEAST_MIDDLE))
                continue;
            FitLadder trial = {.flat_to = i ? x_at(x, i - 1) : 0, .from = {x_at(x, i), x_at(x, k)}};
            trial.flat = i ? median_in(kept, 0, trial.from[0], FALSE, &trial.flat_rows) : NAN;
            trial.slope[0] = k > i ? median_in(kept, trial.from[0], trial.from[1], TRUE, &rows) : NAN;
            trial.slope[1] = median_in(kept, trial.from[1], INFINITY, TRUE, &trial.slope_rows);
            const double criterion = fit_criterion(sum_of(kept, &trial), kept->len, (i > 0) + (k > i));
            if (isnan(trial.slope[1]) || trial.slope[1] < trial.slope[0] || criterion >= least)
                continue; // what limits longer messages does not make a byte faster
            least = criterion;
            *ladder = trial;
        }
    }
    if (isinf(least))
        return FALSE;
    ladder->rises =
        isnan(ladder->flat) || median_in(kept, ladder->from[1], INFINITY, FALSE, &rows) > RISES * ladder->flat;
    ladder->spread = spread_of(kept, fit_ladder_at, ladder);
    return TRUE;
}

// ---- Spikes ---------------------------------------------------------------------------------------------------------

// Returns the index of the nearest point on the curve from i on in one direction (-1 or 1), whose x is within a factor of 4;
// n if there is none.
static size_t nearest_on(const FitPoint *points, size_t n, const gboolean *off, size_t i, int direction)
{
    const double x = MAX(points[i].x, 0.5);
    for (size_t k = i + (size_t)direction; k < n; k += (size_t)direction) { // -1 wraps to above n
        const double ratio = MAX(points[k].x, 0.5) / x;
        if (ratio > 4 || ratio < 0.25)
            break;
        if (!off[k])
            return k;
    }
    return n;
}

// Returns how many different x around point i in a row have all their points off on its side.
static guint run_of(const FitPoint *points, size_t n, const double *error, const gboolean *off, size_t i)
{
    guint run = 1;
    for (int direction = -1; direction <= 1; direction += 2)
        for (size_t k = i + (size_t)direction; k < n; k += (size_t)direction) {
            if (!off[k] || (error[k] > 0) != (error[i] > 0))
                break;
            run += points[k].x != points[k - (size_t)direction].x;
        }
    return run;
}

void fit_spikes(const FitPoint *points, size_t n, const double *curve, gboolean *spike)
{
    g_autofree double *error = g_new(double, MAX(n, 1)), *size = g_new(double, MAX(n, 1));
    g_autofree gboolean *off = g_new(gboolean, MAX(n, 1));
    for (size_t i = 0; i < n; i++) {
        error[i] = log(points[i].y / MAX(curve[i], 1e-300));
        size[i] = fabs(error[i]);
    }
    const double limit = MAX(5 * FIT_NORMAL_MEDIAN * fit_errors(size, n).median, log(SPIKE));
    for (size_t i = 0; i < n; i++)
        off[i] = size[i] > limit;
    for (size_t i = 0; i < n; i++) {
        const size_t left = nearest_on(points, n, off, i, -1), right = nearest_on(points, n, off, i, 1);
        const guint sides = (left < n) + (right < n);
        const double local = sides ? ((left < n ? error[left] : 0) + (right < n ? error[right] : 0)) / sides : 0;
        spike[i] = off[i] && sides && fabs(error[i] - local) > limit && run_of(points, n, error, off, i) < BEND;
    }
}
