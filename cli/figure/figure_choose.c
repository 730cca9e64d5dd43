#include "figure/figure.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

#define DEFAULT ":auto" // LIB:auto, as `collsim run` names it

// A line and how near it comes to the fastest one.
typedef struct {
    FigureLine *line;
    double ratio; // the least ratio of its time to the fastest time at the same x
} Candidate;

static const FigurePoint *point_of(const GArray *points, guint i)
{
    return &g_array_index(points, FigurePoint, i);
}

// Returns the index of the first point from i on that is not a hole, or points->len if there is none.
static guint next_drawn(const GArray *points, guint i)
{
    while (i < points->len && point_of(points, i)->hole)
        i++;
    return i;
}

// Returns TRUE if two lists have the same x and the same times.
static gboolean same_points(const GArray *a, const GArray *b)
{
    guint i = next_drawn(a, 0), k = next_drawn(b, 0);
    while (i < a->len && k < b->len) {
        const FigurePoint *const one = point_of(a, i), *const two = point_of(b, k);
        if (one->x != two->x || fabs(one->time_s - two->time_s) > FIGURE_SAME * one->time_s)
            return FALSE;
        i = next_drawn(a, i + 1);
        k = next_drawn(b, k + 1);
    }
    return i >= a->len && k >= b->len;
}

static gboolean same_lines(const FigureLine *a, const FigureLine *b)
{
    return a->other == b->other && same_points(a->points, b->points) && same_points(a->measurements, b->measurements);
}

static int by_rule(gconstpointer a, gconstpointer b)
{
    return figure_by_rule(*(FigureLine *const *)a, *(FigureLine *const *)b);
}

// Of lines with the same points, keeps the first by figure_by_rule and adds the labels of the others to it.
static void join_same(FigurePanel *panel)
{
    g_ptr_array_sort(panel->lines, by_rule);
    for (guint i = 0; i < panel->lines->len; i++) {
        FigureLine *const first = panel->lines->pdata[i];
        for (guint k = i + 1; k < panel->lines->len;) {
            const FigureLine *const line = panel->lines->pdata[k];
            if (same_lines(first, line)) {
                g_ptr_array_add(first->same, g_strdup(line->label));
                g_ptr_array_remove_index(panel->lines, k); // keeps the order; frees the line
            } else {
                k++;
            }
        }
    }
}

// Returns the least ratio of the line's time to the fastest time at the same x; INFINITY if it takes part at no x.
static double least_ratio(const FigurePanel *panel, const FigureLine *line)
{
    double ratio = INFINITY;
    const GArray *const points = line->contest;
    for (guint i = next_drawn(points, 0); i < points->len; i = next_drawn(points, i + 1))
        ratio =
            MIN(ratio, point_of(points, i)->time_s / figure_least(panel, line->other, point_of(points, i)->x, FALSE));
    return ratio;
}

static int by_ratio(gconstpointer a, gconstpointer b)
{
    const Candidate *const one = a, *const two = b;
    return one->ratio != two->ratio ? (one->ratio > two->ratio) - (one->ratio < two->ratio)
                                    : figure_by_rule(one->line, two->line);
}

static void leave_out(FigurePanel *panel, FigureLine *line)
{
    panel->left_out += 1 + line->same->len;
    g_ptr_array_remove(panel->lines, line);
}

// Returns TRUE if the line is what a library runs by default.
static gboolean is_default(const FigureLine *line)
{
    gboolean found = g_str_has_suffix(line->label, DEFAULT);
    for (guint i = 0; i < line->same->len; i++)
        found |= g_str_has_suffix(line->same->pdata[i], DEFAULT);
    return found;
}

// Removes the lines of a panel that are nowhere near the fastest: of more than `few` lines, those that are not a library's
// default and never the fastest, if they take more than `near` times its time or come after as many others.
static void keep_few(FigurePanel *panel, guint few, double near)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Candidate));
    for (guint i = 0; i < panel->lines->len; i++) {
        const Candidate candidate = {panel->lines->pdata[i], least_ratio(panel, panel->lines->pdata[i])};
        g_array_append_val(all, candidate);
    }
    g_array_sort(all, by_ratio);
    for (guint i = 0; i < all->len; i++) {
        const Candidate *const one = &g_array_index(all, Candidate, i);
        if (one->ratio <= 1 || is_default(one->line) || (i < few && one->ratio <= near))
            continue;
        if (!panel->left_out)
            panel->left_ratio = one->ratio;
        leave_out(panel, one->line);
    }
}

static gboolean named(char *const *names, const char *name)
{
    return g_strv_contains((const char *const *)names, name);
}

// Removes the lines of algorithms that are not in `names`, and the panels that become empty. Returns FALSE and an error
// if a name is unknown.
static gboolean keep_named(Figure *figure, char *const *names, GError **error)
{
    for (guint n = 0; names[n]; n++) {
        gboolean found = FALSE;
        for (guint k = 0; k < figure->panels->len && !found; k++) {
            const GPtrArray *const lines = ((FigurePanel *)figure->panels->pdata[k])->lines;
            for (guint i = 0; i < lines->len && !found; i++)
                found = !strcmp(names[n], ((FigureLine *)lines->pdata[i])->algorithm);
        }
        if (!found)
            return bad_input(error, "--only: `%s` has no point that can be drawn; allowed: algorithms of the files",
                             names[n]);
    }
    for (guint k = figure->panels->len; k-- > 0;) {
        FigurePanel *const panel = figure->panels->pdata[k];
        for (guint i = panel->lines->len; i-- > 0;)
            if (!named(names, ((FigureLine *)panel->lines->pdata[i])->algorithm))
                leave_out(panel, panel->lines->pdata[i]);
        if (!panel->lines->len)
            g_ptr_array_remove_index(figure->panels, k);
    }
    return TRUE;
}

gboolean figure_choose(Figure *figure, const FigureChoice *choice, GError **error)
{
    if (choice->only && !keep_named(figure, choice->only, error))
        return FALSE;
    for (guint k = 0; k < figure->panels->len; k++) {
        // Bars that are equal stand below each other, and there is room for many.
        FigurePanel *const panel = figure->panels->pdata[k];
        const guint few = figure->one_x ? FIGURE_MAX_LINES : FIGURE_FEW;
        if (!figure->bars || panel->lines->len > FIGURE_MAX_LINES)
            join_same(panel);
        if (!choice->all && !choice->only && panel->lines->len > few)
            keep_few(panel, few, figure->bars ? INFINITY : FIGURE_NEAR);
    }
    return TRUE;
}
