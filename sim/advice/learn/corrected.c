#include "advice/learn/corrected.h"
#include "base/rounding.h"
#include <math.h>

// The weights of the mean; `spread` is the width of the kernel in octaves.
static const struct {
    LearnFeature feature;
    double spread;
} near[] = {{FEATURE_P, 2}, {FEATURE_M, 3}, {FEATURE_PER_NODE, 2}};
static const double drawn = 4; // points with the mean of all algorithms
static const double far = 0.5; // the weight of what counts far from all measurements

// Returns the prediction of a choice; NAN if there is none.
static double predicted(const LearnData *data, const LearnPoint *point, guint choice)
{
    return point->predicted_s ? point->predicted_s[choice - data->first[point->collective]] : NAN;
}

// Returns log(measured / predicted); NAN unless both are known.
static double missed(const LearnData *data, const LearnPoint *point, guint choice)
{
    return log(learn_time(data, point, choice) / predicted(data, point, choice));
}

Corrected *corrected_new(const LearnData *data, const guint *rows, guint n)
{
    Corrected *x = g_new(Corrected, 1);
    const guint choices = data->choices->len;
    g_autofree guint *points = g_new0(guint, choices);
    guint all = 0;
    *x = (Corrected){.data = data, .rows = rows, .n = n, .factor = g_new0(double, choices)};
    for (guint i = 0; i < n; i++)
        for (guint c = 0; c < choices; c++) {
            const double r = missed(data, learn_point(data, rows[i]), c);
            if (isnan(r))
                continue;
            x->factor[c] += r;
            x->all += r;
            points[c]++;
            all++;
        }
    x->all = all ? x->all / all : 0;
    for (guint c = 0; c < choices; c++)
        x->factor[c] = (x->factor[c] + drawn * x->all) / (points[c] + drawn);
    return x;
}

void corrected_free(Corrected *x)
{
    if (x)
        g_free(x->factor);
    g_free(x);
}

static double weight(const LearnPoint *a, const LearnPoint *b)
{
    double sum = 0;
    for (guint i = 0; i < G_N_ELEMENTS(near); i++) {
        const gint64 u = MAX(a->x[near[i].feature], 1), v = MAX(b->x[near[i].feature], 1);
        const double apart = (log2((double)u) - log2((double)v)) / near[i].spread;
        sum += apart * apart;
    }
    return exp(-sum / 2);
}

double corrected_time(const Corrected *x, const LearnPoint *point, guint choice)
{
    double sum = far * x->factor[choice], weights = far;
    for (guint i = 0; i < x->n; i++) {
        const LearnPoint *other = learn_point(x->data, x->rows[i]);
        const double r = missed(x->data, other, choice);
        if (isnan(r))
            continue;
        const double w = weight(point, other);
        sum += w * r;
        weights += w;
    }
    return predicted(x->data, point, choice) * exp(sum / weights);
}

int corrected_choose(const Corrected *x, const LearnPoint *point)
{
    const guint first = x->data->first[point->collective];
    double least = INFINITY;
    int best = -1;
    for (guint c = first; c < first + x->data->n[point->collective]; c++) {
        if (isnan(learn_time(x->data, point, c)) || isnan(predicted(x->data, point, c)))
            continue;
        const double t = corrected_time(x, point, c);
        if (best < 0 || (t < least && !rounding_explains(t, least, x->n))) {
            least = t;
            best = (int)c;
        }
    }
    return best;
}
