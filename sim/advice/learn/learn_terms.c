#include "advice/learn/learn_terms.h"
#include "api/integers.h"
#include <math.h>
#include <string.h>

enum { TERMS = 7, LEAST_POINTS = 3 };

static void terms_of(const LearnPoint *at, double *x)
{
    const double p = at->p, m = (double)at->m, rounds = log2_ceil(at->p);
    const double terms[TERMS] = {1, rounds, p - 1, m, m * rounds, m * (p - 1), m / p};
    memcpy(x, terms, sizeof terms);
}

// What a fit has to know of its points, each divided by its time: the products of any two terms, and the sum of each.
typedef struct TermsFit {
    double product[TERMS][TERMS], sum[TERMS];
    guint points;
} TermsFit;

static void fit_add(TermsFit *f, const LearnPoint *at, double time_s)
{
    double x[TERMS];
    terms_of(at, x);
    for (int i = 0; i < TERMS; i++) {
        f->sum[i] += x[i] / time_s;
        for (int k = 0; k < TERMS; k++)
            f->product[i][k] += x[i] / time_s * (x[k] / time_s);
    }
    f->points++;
}

// Solves for the terms of a set, with Gauss's elimination of the terms in scaled units. Returns false if they depend on each
// other, or if one is below 0.
static bool solve(const TermsFit *f, unsigned set, double *a)
{
    double row[TERMS][TERMS + 1];
    int term[TERMS] = {0}, n = 0;
    for (int i = 0; i < TERMS; i++)
        if (set >> i & 1)
            term[n++] = i;
    for (int i = 0; i < n; i++) {
        const double unit = sqrt(f->product[term[i]][term[i]]);
        if (!(unit > 0))
            return false;
        for (int k = 0; k < n; k++)
            row[i][k] = f->product[term[i]][term[k]] / unit / sqrt(f->product[term[k]][term[k]]);
        row[i][n] = f->sum[term[i]] / unit;
    }
    for (int i = 0; i < n; i++) { // the matrix is positive, so its diagonal serves in order
        if (row[i][i] < 1e-9)
            return false;
        for (int k = i + 1; k < n; k++) {
            const double factor = row[k][i] / row[i][i];
            for (int j = i; j <= n; j++)
                row[k][j] -= factor * row[i][j];
        }
    }
    memset(a, 0, TERMS * sizeof *a);
    for (int i = n; i-- > 0;) {
        double rest = row[i][n];
        for (int k = i + 1; k < n; k++)
            rest -= row[i][k] * a[term[k]] * sqrt(f->product[term[k]][term[k]]);
        a[term[i]] = rest / row[i][i] / sqrt(f->product[term[i]][term[i]]);
        if (a[term[i]] < 0)
            return false;
    }
    return true;
}

// Sets the best coefficients. The best ones that are not negative are those of some set of terms without limits, and there
// are few sets, so all are tried.
static void fit_end(const TermsFit *f, double *best)
{
    double least = INFINITY;
    memset(best, 0, TERMS * sizeof *best);
    for (unsigned set = 1; set < 1u << TERMS; set++) {
        double a[TERMS], error = f->points;
        if (!solve(f, set, a))
            continue;
        for (int i = 0; i < TERMS; i++) // at the solution, the sum of squares is points - a sum
            error -= a[i] * f->sum[i];
        if (error < least - 1e-12) {
            least = error;
            memcpy(best, a, sizeof a);
        }
    }
}

// Returns true if the terms of one point say something about the other.
static bool alike(const LearnPoint *a, const LearnPoint *b)
{
    return a->collective == b->collective && a->request == b->request && a->per_node == b->per_node;
}

// Does what learn_terms_errors does, for one choice and the points that are like one of those left out.
static void errors_of(const LearnData *data, LearnFeature feature, gint64 left_out, guint choice,
                      const LearnPoint *like, GArray *errors)
{
    TermsFit fit = {.points = 0};
    double a[TERMS];
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *at = learn_point(data, i);
        if (at->x[feature] != left_out && alike(at, like) && learn_time(data, at, choice) > 0)
            fit_add(&fit, at, learn_time(data, at, choice));
    }
    if (fit.points < LEAST_POINTS)
        return;
    fit_end(&fit, a);
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *at = learn_point(data, i);
        const double time_s = alike(at, like) ? learn_time(data, at, choice) : NAN;
        double x[TERMS], sum = 0;
        if (at->x[feature] != left_out || !(time_s > 0))
            continue;
        terms_of(at, x);
        for (int k = 0; k < TERMS; k++)
            sum += a[k] * x[k];
        const double error = fabs(sum / time_s - 1);
        g_array_append_val(errors, error);
    }
}

void learn_terms_errors(const LearnData *data, LearnFeature feature, gint64 left_out, GArray *errors)
{
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *at = learn_point(data, i);
        bool first = at->x[feature] == left_out;
        for (guint k = 0; k < i && first; k++)
            first = learn_point(data, k)->x[feature] != left_out || !alike(learn_point(data, k), at);
        const guint choice = data->first[at->collective];
        for (guint c = choice; first && c < choice + data->n[at->collective]; c++)
            errors_of(data, feature, left_out, c, at, errors);
    }
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double learn_terms_quantile(GArray *errors, double part)
{
    if (errors->len == 0)
        return NAN;
    g_array_sort(errors, by_size);
    return g_array_index(errors, double, MIN((guint)(part * errors->len), errors->len - 1));
}
