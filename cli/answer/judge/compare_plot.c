// Draws the picture of `compare`: a measured curve as points, and what candidates are predicted to take as lines. The
// candidates that fit are thick, and come first.
#include "answer/judge/compare_answer.h"
#include "base/error.h"
#include "figure/chart.h"

enum { MOST_LINES = 6 };

// Returns the candidates that are drawn: first the *fitting ones that fit, then the others by deviation. Free with
// g_array_unref.
static GArray *lines_of(const Compared *x, guint *fitting)
{
    const CurveVerdict *v = x->verdict;
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < v->pieces->len + x->candidates->len && lines->len < MOST_LINES; i++) {
        const guint at =
            i < v->pieces->len ? g_array_index(v->pieces, VerdictPiece, i).candidate : v->order[i - v->pieces->len];
        gboolean there = FALSE;
        for (guint k = 0; k < lines->len; k++)
            there |= g_array_index(lines, guint, k) == at;
        if (!there)
            g_array_append_val(lines, at);
        if (i < v->pieces->len)
            *fitting = lines->len;
    }
    return lines;
}

Canvas *compare_canvas(const CompareAnswer *c, const PictureAsk *ask, GError **error)
{
    if (c->all->len != 1) {
        bad_input(error, "--draw: there are %u curves; allowed: one, which --where COLUMN=VALUE can choose",
                  c->all->len);
        return NULL;
    }
    const Compared *x = g_ptr_array_index(c->all, 0);
    const GPtrArray *points = x->curve->points;
    guint fitting = 0;
    g_autoptr(GArray) lines = lines_of(x, &fitting);
    g_autofree char *what = compare_title(x), *sentence = compare_sentence(x),
                    *found = g_strdup_printf("%s: %s", what, sentence);
    g_autoptr(Chart) chart = chart_new(&(ChartHead){.title = found, .x = CHART_SIZE, .y = CHART_TIME});
    const guint measured = chart_series(chart, "measured", (CanvasLook){.color = 0x000000, .point = 7});
    for (guint k = 0; k < lines->len; k++) {
        const CompareCandidate *candidate = g_ptr_array_index(x->candidates, g_array_index(lines, guint, k));
        static const guint looks[MOST_LINES] = {0, 1, 2, 4, 5, 6}; // without black, which is what was measured
        const CanvasLook look = {
            .color = chart_look(looks[k]).color, .dash = (int)k % 5 + 1, .width = k < fitting ? 3 : 1.7};
        g_autofree char *name = compare_candidate(candidate);
        const guint line = chart_series(chart, name, look);
        for (guint i = 0; i < points->len; i++)
            chart_point(chart, 0, line, (double)curve_at(x->curve, i)->bytes, candidate->time_s[i]);
    }
    for (guint i = 0; i < points->len; i++) {
        const LogSample *point = g_ptr_array_index(points, i);
        chart_point(chart, 0, measured, (double)point->bytes, point->time_s);
    }
    return chart_canvas(chart, ask);
}
