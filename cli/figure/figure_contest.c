// The fastest algorithm at each x, and the errors of predictions.
#include "figure/figure.h"
#include "base/distinct.h"
#include "engine/schedule/parse.h"
#include "search/search/points.h"
#include "measurements/calibrate/fit.h"
#include <math.h>
#include <string.h>

int figure_oddity(const FigureRow *row)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *const a = algorithms[i];
        if (strcmp(a->name, row->algorithm) != 0 || strcmp(collectives[a->collective].name, row->collective) != 0)
            continue;
        CollParams par = algorithm_defaults(a);
        g_auto(GStrv) given = g_strsplit(csv_field(row->csv, row->row, csv_column(row->csv, "params")), ";", -1);
        for (char **text = given; *text; text++) {
            gboolean known;
            param_parse(a, *text, &par, &known, NULL); // what is wrong with a parameter does not matter to a picture
        }
        return points_oddity(a, &par);
    }
    return INT_MAX;
}

int figure_by_rule(const FigureLine *a, const FigureLine *b)
{
    if (a->oddity != b->oddity)
        return a->oddity < b->oddity ? -1 : 1;
    const int names = strcmp(a->algorithm, b->algorithm);
    return names ? names : strcmp(a->label, b->label);
}

const FigurePoint *figure_point_at(const GArray *points, size_t x)
{
    for (guint i = 0; i < points->len; i++) {
        const FigurePoint *const point = &g_array_index(points, FigurePoint, i);
        if (point->x == x && !point->hole)
            return point;
    }
    return NULL;
}

// Sets *x to the smallest x above `after`, or to the smallest of all if `first`, at which a line with this `other`
// takes part in the contest. Returns FALSE if there is none.
static gboolean next_x(const FigurePanel *panel, size_t other, gboolean first, size_t after, size_t *x)
{
    gboolean found = FALSE;
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        for (guint i = 0; line->other == other && i < line->contest->len; i++) {
            const FigurePoint *const point = &g_array_index(line->contest, FigurePoint, i);
            if (!point->hole && (first || point->x > after) && (!found || point->x < *x)) {
                *x = point->x;
                found = TRUE;
            }
        }
    }
    return found;
}

double figure_least(const FigurePanel *panel, size_t other, size_t x, gboolean predicted)
{
    double least = INFINITY;
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        const FigurePoint *const point =
            line->other == other ? figure_point_at(predicted ? line->points : line->contest, x) : NULL;
        least = point ? MIN(least, point->time_s) : least;
    }
    return least;
}

// Returns TRUE if a line that ties with another is named in its place: when times are measured, the winner at the
// previous x, and otherwise what figure_by_rule says.
static gboolean preferred(const FigureLine *line, const FigureLine *other, const FigureLine *before)
{
    if (line->contest == line->measurements && (line == before || other == before))
        return line == before;
    return figure_by_rule(line, other) < 0;
}

// Returns the fastest line at x; `before` is the winner at the previous x. Measured lines tie if their bars reach down
// to the fastest.
static const FigureLine *winner_at(const FigurePanel *panel, size_t other, size_t x, const FigureLine *before)
{
    const FigureLine *winner = NULL;
    const double best = figure_least(panel, other, x, FALSE);
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        const FigurePoint *const point = line->other == other ? figure_point_at(line->contest, x) : NULL;
        if (point && point->low_s <= best && (!winner || preferred(line, winner, before)))
            winner = line;
    }
    return winner;
}

GArray *figure_stretches(const FigurePanel *panel, size_t other)
{
    GArray *const all = g_array_new(FALSE, FALSE, sizeof(FigureStretch));
    FigureStretch now = {NULL, 0, 0};
    size_t x = 0;
    for (gboolean first = TRUE; next_x(panel, other, first, x, &x); first = FALSE) {
        const FigureLine *const winner = winner_at(panel, other, x, now.winner);
        if (winner != now.winner) {
            now = (FigureStretch){winner, x, x};
            g_array_append_val(all, now);
        }
        g_array_index(all, FigureStretch, all->len - 1).last = x;
    }
    return all;
}

gboolean figure_undecided(const FigurePanel *panel)
{
    guint pairs = 0;
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        for (guint i = 0; i < line->contest->len; i++) {
            const FigurePoint *const point = &g_array_index(line->contest, FigurePoint, i);
            const double best = figure_least(panel, line->other, point->x, FALSE);
            if (point->hole)
                continue;
            if (point->low_s > best)
                return FALSE;
            pairs += point->time_s > best;
        }
    }
    return pairs > 0;
}

// Returns TRUE if a line that is predicted to be the fastest at x also wins or ties as measured. Sets *contest to TRUE
// if at least two lines are both predicted and measured at x, and to FALSE otherwise.
static gboolean right_at(const FigurePanel *panel, size_t other, size_t x, gboolean *contest)
{
    const double predicted = figure_least(panel, other, x, TRUE), measured = figure_least(panel, other, x, FALSE);
    gboolean right = FALSE;
    guint both = 0;
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        const FigurePoint *const said = line->other == other ? figure_point_at(line->points, x) : NULL;
        const FigurePoint *const seen = said ? figure_point_at(line->measurements, x) : NULL;
        both += seen != NULL;
        right |= seen && said->time_s <= predicted * (1 + FIGURE_SAME) && seen->low_s <= measured;
    }
    *contest = both > 1;
    return right;
}

FigureTrust figure_trust(const FigurePanel *panel)
{
    FigureTrust trust = {0};
    g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) seen =
        g_array_new(FALSE, FALSE, sizeof(size_t)); // the x that are counted; all lines have the same `other` here
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        for (guint i = 0; i < line->points->len; i++) {
            const FigurePoint *const said = &g_array_index(line->points, FigurePoint, i);
            const FigurePoint *const measured = said->hole ? NULL : figure_point_at(line->measurements, said->x);
            if (!measured)
                continue;
            const double error = fabs(said->time_s / measured->time_s - 1);
            g_array_append_val(errors, error);
            const gboolean again = distinct_has_size(seen, said->x);
            gboolean contest;
            g_array_append_val(seen, said->x);
            if (again)
                continue;
            const gboolean right = right_at(panel, line->other, said->x, &contest);
            trust.contests += contest;
            trust.right += contest && right;
        }
    }
    const FitErrors all = fit_errors((const double *)(void *)errors->data, errors->len);
    trust.n = errors->len;
    trust.median = all.median;
    trust.worst = all.worst;
    return trust;
}
