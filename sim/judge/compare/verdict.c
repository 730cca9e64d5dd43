#include "judge/compare/verdict.h"
#include <math.h>
#include <stdlib.h>

typedef struct Judge {
    guint n_sizes, n;
    double *off; // |ln(measured/predicted)| by candidate and size
} Judge;

static double off_at(const Judge *x, guint candidate, guint size)
{
    return x->off[(gsize)candidate * x->n_sizes + size];
}

// Returns the deviation of a candidate over the sizes first .. last.
static double deviation_of(const Judge *x, guint candidate, guint first, guint last)
{
    double sum = 0;
    for (guint i = first; i <= last; i++)
        sum += off_at(x, candidate, i);
    return sum / (last - first + 1);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double bias_of(const double *measured, const double *predicted, guint n)
{
    g_autofree double *ratio = g_new(double, n);
    for (guint i = 0; i < n; i++)
        ratio[i] = predicted[i] / measured[i];
    qsort(ratio, n, sizeof *ratio, compare_numbers);
    return (ratio[(n - 1) / 2] + ratio[n / 2]) / 2 - 1;
}

static int compare_deviations(gconstpointer a, gconstpointer b, gpointer user)
{
    const double *deviation = user;
    const guint x = *(const guint *)a, y = *(const guint *)b;
    const int by_deviation = compare_numbers(&deviation[x], &deviation[y]);
    return by_deviation ? by_deviation : (x > y) - (x < y);
}

// Returns how many times a deviation is another one. A prediction that is exact to the bit is not infinitely better.
static double times_worse(double deviation, double least)
{
    const double exact = 1e-9;
    return fmax(deviation, exact) / fmax(least, exact);
}

// Completes a piece: how well its candidate fits it, and which other one comes next.
static void judge_piece(const Judge *x, VerdictPiece *piece)
{
    double next = INFINITY;
    piece->deviation = deviation_of(x, piece->candidate, piece->first, piece->last);
    piece->second = piece->candidate;
    for (guint c = 0; c < x->n; c++) {
        const double other = c == piece->candidate ? INFINITY : deviation_of(x, c, piece->first, piece->last);
        if (other < next) {
            next = other;
            piece->second = c;
        }
    }
    piece->times_worse = times_worse(next, piece->deviation);
}

// Cuts the sizes into pieces. cost[c] is the least cost of the sizes so far if candidate c fits the last one, and
// from[i * n + c] the candidate that fits the size before then; it stays the same unless a change is cheaper.
static void cut(const Judge *x, GArray *pieces)
{
    g_autofree double *cost = g_new0(double, x->n);
    g_autofree guint *from = g_new0(guint, (gsize)x->n * x->n_sizes);
    for (guint i = 0; i < x->n_sizes; i++) {
        guint least = 0;
        for (guint c = 1; c < x->n; c++)
            if (cost[c] < cost[least])
                least = c;
        const double change = cost[least] + VERDICT_SWITCH;
        for (guint c = 0; c < x->n; c++) {
            const gboolean changes = i > 0 && change < cost[c];
            from[(gsize)i * x->n + c] = changes ? least : c;
            cost[c] = (changes ? change : cost[c]) + off_at(x, c, i);
        }
    }
    guint at = 0;
    for (guint c = 1; c < x->n; c++)
        if (cost[c] < cost[at])
            at = c;
    VerdictPiece piece = {.last = x->n_sizes - 1};
    for (guint i = x->n_sizes; i-- > 0;) {
        const guint before = from[(gsize)i * x->n + at];
        if (i > 0 && before == at)
            continue;
        piece.first = i;
        piece.candidate = at;
        g_array_prepend_val(pieces, piece);
        piece.last = i ? i - 1 : 0;
        at = before;
    }
}

CurveVerdict *verdict_new(const double *measured, guint n_sizes, const double *const *predicted, guint n, double tie)
{
    g_autofree double *off = g_new(double, (gsize)n *n_sizes);
    const Judge x = {n_sizes, n, off};
    CurveVerdict *v = g_new(CurveVerdict, 1);
    *v = (CurveVerdict){.order = g_new(guint, n),
                        .deviation = g_new(double, n),
                        .bias = g_new(double, n),
                        .pieces = g_array_new(FALSE, FALSE, sizeof(VerdictPiece)),
                        .times_worse = INFINITY};
    for (guint c = 0; c < n; c++) {
        for (guint i = 0; i < n_sizes; i++)
            off[(gsize)c * n_sizes + i] = fabs(log(measured[i] / predicted[c][i]));
        v->order[c] = c;
        v->deviation[c] = deviation_of(&x, c, 0, n_sizes - 1);
        v->bias[c] = bias_of(measured, predicted[c], n_sizes);
    }
    g_qsort_with_data(v->order, (gint)n, sizeof *v->order, compare_deviations, v->deviation);
    cut(&x, v->pieces);
    for (guint i = 0; i < v->pieces->len; i++) {
        VerdictPiece *piece = &g_array_index(v->pieces, VerdictPiece, i);
        judge_piece(&x, piece);
        v->fit += piece->deviation * (piece->last - piece->first + 1) / n_sizes;
        v->times_worse = fmin(v->times_worse, piece->times_worse);
    }
    v->tied = v->times_worse < 1 + tie;
    v->near_tied = n > 1 && times_worse(v->deviation[v->order[1]], v->deviation[v->order[0]]) < 1 + tie;
    return v;
}

void verdict_free(CurveVerdict *v)
{
    if (!v)
        return;
    g_free(v->order);
    g_free(v->deviation);
    g_free(v->bias);
    g_array_unref(v->pieces);
    g_free(v);
}
