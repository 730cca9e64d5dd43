#include "answer/judge/audit_picture.h"
#include "figure/chart.h"
#include <math.h>

// What is drawn: one coefficient, at points that differ only in p.
typedef struct DrawnCost {
    int part, family;
    const Sample *last;  // the sample with the most ranks
    double k_min, k_max; // the parameter k of its points
    double ratio;        // claimed / true at that sample
} DrawnCost;

static double coefficient(const Audited *r, const Sample *s, double value, int part)
{
    return cost_models[r->claim->costs].bytes[part] ? value / s->m : value;
}

// Returns the family that has the most points.
static int largest_family(const Truth *t, const Claimed *claimed)
{
    g_autofree int *points = g_new0(int, t->families);
    int largest = 0;
    for (guint i = 0; i < t->samples->len; i++)
        points[g_array_index(t->samples, Sample, i).family] += claimed->covered[i];
    for (int f = 1; f < t->families; f++)
        largest = points[f] > points[largest] ? f : largest;
    return largest;
}

static void add_points(const Audited *r, const Claimed *claimed, DrawnCost *d, Chart *chart)
{
    const GArray *samples = r->samples->samples;
    const guint line = chart_series(chart, "claimed", (CanvasLook){.color = 0x0072B2, .dash = 1, .width = 2.5}),
                dots = chart_series(chart, "simulated", (CanvasLook){.color = 0xD55E00, .point = 7});
    for (guint i = 0; i < samples->len; i++) {
        const Sample *s = &g_array_index(samples, Sample, i);
        if (!claimed->covered[i] || s->family != d->family)
            continue;
        chart_point(chart, 0, line, s->p, coefficient(r, s, claimed_at(claimed, i)[d->part], d->part));
        chart_point(chart, 0, dots, s->p, coefficient(r, s, s->part[d->part], d->part));
    }
}

// Finds the sample with the most ranks, and how k goes.
static void find_last(const Audited *r, const Claimed *claimed, DrawnCost *d)
{
    for (guint i = 0; i < r->samples->samples->len; i++) {
        const Sample *s = &g_array_index(r->samples->samples, Sample, i);
        if (!claimed->covered[i] || s->family != d->family)
            continue;
        d->last = s;
        d->k_min = fmin(d->k_min, s->k);
        d->k_max = fmax(d->k_max, s->k);
        d->ratio = claimed_at(claimed, i)[d->part] / s->part[d->part];
    }
}

static char *title_of(const Audited *r, const DrawnCost *d)
{
    const char *what = cost_models[r->claim->costs].name[d->part];
    GString *s = g_string_new(NULL);
    g_string_printf(s, "%s %s: ", collectives[r->claim->collective].name, r->claim->algorithm->name);
    if (d->ratio == 0)
        g_string_append_printf(s, "%s is left out", what);
    else if (d->ratio > 1)
        g_string_append_printf(s, "%s is claimed %.3g times too high", what, d->ratio);
    else
        g_string_append_printf(s, "%.*g times the %s that is claimed", d->ratio < 0.01 ? 5 : 3, 1 / d->ratio, what);
    return g_string_free(s, FALSE);
}

// Returns the label of the y axis, which also says at which point the title's figure holds.
static char *axis_of(const Audited *r, const DrawnCost *d)
{
    const CostNames *names = &cost_models[r->claim->costs];
    GString *s = g_string_new(names->bytes[d->part] ? "bytes/m" : "count");
    g_string_append_printf(s, " of %s in T; in the end p = %d", names->name[d->part], d->last->p);
    if (r->claim->varies_S)
        g_string_append_printf(s, ", S = %g", d->last->S);
    if (r->claim->varies_k)
        g_string_append_printf(s, ", k = %g", d->last->k);
    return g_string_free(s, FALSE);
}

GString *audit_picture(const Audited *r, char **title, GError **error)
{
    const Verdict *v = audited_verdict(r);
    g_auto(Claimed) claimed = {0};
    if (!claimed_take(r->claim, r->samples, &claimed, error))
        return NULL;
    DrawnCost d = {.part = v->part,
                   .k_min = INFINITY,
                   .family = v->why <= WRONG_TO_ZERO ? v->trend.family : largest_family(r->samples, &claimed)};
    find_last(r, &claimed, &d);
    *title = title_of(r, &d);
    g_autofree char *axis = axis_of(r, &d), *claim = g_strconcat("claimed: ", r->claim->text, NULL);
    g_autofree char *ranks = r->claim->varies_k && d.k_max > d.k_min
                                 ? g_strdup_printf("ranks; k grows along, from %g to %g", d.k_min, d.k_max)
                                 : g_strdup("ranks");
    g_autoptr(Chart) chart = chart_new(&(ChartHead){
        .title = *title, .subtitle = claim, .x = CHART_RANKS, .x_name = ranks, .y = CHART_NUMBER, .y_name = axis});
    add_points(r, &claimed, &d, chart);
    g_autoptr(Canvas) canvas = chart_canvas(chart, NULL);
    return canvas_draw(canvas, "svg", error);
}
