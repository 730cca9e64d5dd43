#include "figure/figure.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/number.h"
#include "base/units.h"
#include <string.h>

static void line_free(void *data)
{
    FigureLine *const line = data;
    g_free(line->label);
    g_ptr_array_unref(line->same);
    g_array_unref(line->points);
    g_array_unref(line->measurements);
    g_free(line);
}

static void panel_free(void *data)
{
    FigurePanel *const panel = data;
    g_ptr_array_unref(panel->lines);
    g_free(panel);
}

void figure_free(Figure *figure)
{
    if (!figure)
        return;
    g_ptr_array_unref(figure->panels);
    g_free(figure);
}

// Returns the distinct values of p, or of bytes, in ascending order. A size of 0 is left out if there are others,
// because a log axis cannot show it.
static GArray *distinct(const GArray *rows, gboolean of_p)
{
    GArray *const values = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        g_array_append_val(values, *(of_p ? &row->p : &row->bytes));
    }
    distinct_sort(values, distinct_by_size);
    if (!of_p && values->len > 1 && g_array_index(values, size_t, 0) == 0)
        g_array_remove_index(values, 0);
    return values;
}

// Sets x of every row to its ranks per node.
static gboolean set_per_node(GArray *rows, GError **error)
{
    size_t nodes = 0;
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        int column;
        size_t here;
        if (!csv_need(row->csv, "per_node", &column, error) ||
            !csv_size(row->csv, row->row, column, 1, (size_t)1 << 62, &row->x, error))
            return FALSE;
        here = row->p / row->x + (row->p % row->x != 0);
        if (i > 0 && here != nodes)
            return bad_input(error, "%s:%zu: %zu nodes, and others have %zu; allowed with --x per-node: one number",
                             csv_name(row->csv), csv_line(row->csv, row->row), here, nodes);
        nodes = here;
    }
    return TRUE;
}

// Fills x, other and collective_number of every row.
static gboolean set_rows(const Figure *figure, const char *names, GArray *rows, GError **error)
{
    g_autoptr(GPtrArray) names_seen = g_ptr_array_new();
    if (figure->x == FIGURE_X_PER_NODE && !set_per_node(rows, error))
        return FALSE;
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        const gboolean over_size = figure->x == FIGURE_X_SIZE;
        row->x = over_size ? row->bytes : figure->x == FIGURE_X_RANKS ? row->p : row->x;
        row->other = over_size ? row->p : row->bytes;
        row->collective_number = distinct_name(names_seen, row->collective);
    }
    const guint panels = names_seen->len * (figure->split ? figure->n_others : 1);
    if (names_seen->len > FIGURE_MAX_COLLECTIVES)
        return bad_input(error, "%s: %u collectives; allowed: at most %d, side by side; keep fewer rows", names,
                         names_seen->len, FIGURE_MAX_COLLECTIVES);
    return panels <= FIGURE_MAX_PANELS ||
           bad_input(error,
                     "%s: %u panels for %u collectives and %u values of %s; allowed: at most %d; keep fewer rows",
                     names, panels, names_seen->len, figure->n_others, figure->x == FIGURE_X_SIZE ? "p" : "bytes",
                     FIGURE_MAX_PANELS);
}

// Chooses the x axis, and whether each value of the other quantity gets panels of its own: one panel cannot show more
// than two values, nor predictions and measurements for two.
static gboolean set_axis(Figure *figure, const char *names, GArray *rows, FigureX wanted, GError **error)
{
    g_autoptr(GArray) ranks = distinct(rows, TRUE), sizes = distinct(rows, FALSE);
    figure->x = wanted != FIGURE_X_AUTO ? wanted : sizes->len >= ranks->len ? FIGURE_X_SIZE : FIGURE_X_RANKS;
    const gboolean over_size = figure->x == FIGURE_X_SIZE;
    const GArray *const others = over_size ? ranks : sizes;
    if (others->len > G_N_ELEMENTS(figure->others))
        return bad_input(error,
                         "%s: %u values of %s; allowed over %s: at most %d; keep fewer rows, or draw over %s (--x %s)",
                         names, others->len, over_size ? "p" : "bytes", over_size ? "size" : "p", FIGURE_MAX_VALUES,
                         over_size ? "p" : "size", over_size ? "p" : "size");
    figure->n_others = others->len;
    memcpy(figure->others, others->data, others->len * sizeof(size_t));
    for (guint i = 0; i < rows->len; i++) {
        const gboolean measured = g_array_index(rows, FigureRow, i).measured;
        figure->measured |= measured;
        figure->predicted |= !measured;
    }
    figure->split = others->len > 2 || (others->len > 1 && figure->predicted && figure->measured);
    return set_rows(figure, names, rows, error);
}

// Returns the name of a row's line: "ring segment=8K, 64 ranks", which may be cut. It is printable, although a CSV's
// field may hold anything.
static char *line_label(const Figure *figure, const FigureRow *row)
{
    g_autoptr(GString) label = g_string_new(row->algorithm);
    if (*row->params)
        g_string_append_printf(label, " %s", row->params);
    if (figure->n_others > 1 && !figure->split) {
        g_autofree char *other = units_format_size(row->other);
        g_string_append_printf(label, figure->x == FIGURE_X_SIZE ? ", %s ranks" : ", %s bytes", other);
    }
    return figure_cut(label->str);
}

// Adds a row to a line as a point, or as a hole if it cannot be drawn, and counts it in the figure.
static void add_point(Figure *figure, FigureLine *line, const FigureRow *row)
{
    // Bars have no log axis, so a size of 0 is drawn too.
    const gboolean zero = !row->fallback && ((!row->x && !figure->bars) || row->time_s <= 0 || row->low_s <= 0 ||
                                             (figure->y == FIGURE_Y_BANDWIDTH && row->against <= 0));
    const gboolean alone =
        !row->fallback && !zero &&
        ((figure_is_ratio(figure->y) && row->against <= 0) || (figure_has_parts(figure->y) && !*row->costs));
    const FigurePoint point = {.x = row->x,
                               .time_s = row->time_s,
                               .hole = row->fallback || zero || alone,
                               .low_s = row->low_s,
                               .high_s = row->high_s,
                               .crowded = row->crowded,
                               .against = row->against,
                               .costs = row->costs};
    GArray *const points = row->measured ? line->measurements : line->points;
    g_array_append_val(points, point);
    figure->fallbacks += row->fallback;
    figure->zeros += zero;
    figure->unrelated += alone;
    figure->crowded += row->crowded && !point.hole;
}

static FigurePanel *add_panel(Figure *figure, const FigureRow *row)
{
    FigurePanel *const panel = g_new0(FigurePanel, 1);
    panel->collective = row->collective;
    panel->number = row->collective_number;
    panel->other = figure->split ? row->other : 0;
    panel->lines = g_ptr_array_new_with_free_func(line_free);
    g_ptr_array_add(figure->panels, panel);
    return panel;
}

// Returns the panel of a row, or NULL if it has not been added yet.
static FigurePanel *panel_of(const Figure *figure, const FigureRow *row)
{
    for (guint k = 0; k < figure->panels->len; k++) {
        FigurePanel *const panel = figure->panels->pdata[k];
        if (!strcmp(panel->collective, row->collective) && (!figure->split || panel->other == row->other))
            return panel;
    }
    return NULL;
}

static const char *params_of(const FigureRow *row)
{
    return csv_field(row->csv, row->row, csv_column(row->csv, "params"));
}

static FigureLine *add_line(const Figure *figure, FigurePanel *panel, const FigureRow *row)
{
    FigureLine *const line = g_new0(FigureLine, 1);
    for (guint i = 0; i < panel->lines->len; i++)
        line->variant += !strcmp(((FigureLine *)panel->lines->pdata[i])->algorithm, row->algorithm);
    line->algorithm = row->algorithm;
    line->params = row->params;
    line->other = row->other;
    line->oddity = figure_oddity(row);
    line->label = line_label(figure, row);
    line->same = g_ptr_array_new_with_free_func(g_free);
    line->points = g_array_new(FALSE, FALSE, sizeof(FigurePoint));
    line->measurements = g_array_new(FALSE, FALSE, sizeof(FigurePoint));
    line->contest = figure->measured ? line->measurements : line->points;
    g_ptr_array_add(panel->lines, line);
    return line;
}

static gboolean add_lines(Figure *figure, const GArray *rows, GError **error)
{
    FigurePanel *panel = NULL;
    FigureLine *line = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i), *const before = i ? row - 1 : NULL;
        if (!before || !figure_rows_same_algorithm(before, row) || strcmp(before->params, row->params) ||
            before->other != row->other) {
            panel = panel_of(figure, row);
            if (!panel)
                panel = add_panel(figure, row);
            line = add_line(figure, panel, row);
        } else if (before->x == row->x && before->measured == row->measured) {
            return figure_rows_twice(before, row, error);
        } else {
            line->changes |= strcmp(params_of(before), params_of(row)) != 0;
        }
        add_point(figure, line, row);
    }
    return TRUE;
}

static int by_place(gconstpointer a, gconstpointer b)
{
    const FigurePanel *const one = *(FigurePanel *const *)a, *const two = *(FigurePanel *const *)b;
    return one->number != two->number ? (one->number > two->number) - (one->number < two->number)
                                      : (one->other > two->other) - (one->other < two->other);
}

static const FigurePoint *last_drawn(const GArray *points)
{
    for (guint i = points->len; i-- > 0;)
        if (!g_array_index(points, FigurePoint, i).hole)
            return &g_array_index(points, FigurePoint, i);
    return NULL;
}

static int by_end(gconstpointer a, gconstpointer b)
{
    const FigureLine *const one = *(FigureLine *const *)a, *const two = *(FigureLine *const *)b;
    const double t = one->end, u = two->end;
    const int names = strcmp(one->algorithm, two->algorithm);
    return t != u ? (t < u) - (t > u) : names ? names : (one->variant > two->variant) - (one->variant < two->variant);
}

// Sets the last point of each line, and removes lines and panels that have only holes. Returns FALSE and an error if
// nothing is left.
static gboolean drop_empty(Figure *figure, const char *names, GError **error)
{
    for (guint k = figure->panels->len; k-- > 0;) {
        FigurePanel *const panel = figure->panels->pdata[k];
        for (guint i = panel->lines->len; i-- > 0;) {
            FigureLine *const line = panel->lines->pdata[i];
            const FigurePoint *const predicted = last_drawn(line->points), *const measured =
                                                                               last_drawn(line->measurements);
            if (!predicted && !measured) {
                g_ptr_array_remove_index(panel->lines, i);
                continue;
            }
            line->last = *(predicted ? predicted : measured);
            line->end = figure_value(figure->y, line->last.time_s, line->last.against);
        }
        if (!panel->lines->len)
            g_ptr_array_remove_index(figure->panels, k);
    }
    if (figure->panels->len)
        return TRUE;
    g_autofree char *note = figure_note(figure);
    return bad_input(error, "%s: nothing to draw: %s", names, note);
}

// Extends the figure's ranges so that they contain these points of a line with their error bars.
static void measure(Figure *figure, const GArray *points)
{
    for (guint i = 0; i < points->len; i++) {
        const FigurePoint point = g_array_index(points, FigurePoint, i);
        if (point.hole)
            continue;
        figure->x_min = figure->x_max ? MIN(figure->x_min, point.x) : point.x;
        figure->x_max = MAX(figure->x_max, point.x);
        const double one = figure_value(figure->y, point.low_s, point.against),
                     two = figure_value(figure->y, point.high_s, point.against);
        figure->y_min = figure->y_max > 0 ? MIN(figure->y_min, MIN(one, two)) : MIN(one, two);
        figure->y_max = MAX(figure->y_max, MAX(one, two));
    }
}

// Marks the lines that are the fastest somewhere.
static void mark_winners(const FigurePanel *panel)
{
    for (guint i = 0; i < panel->lines->len; i++) {
        FigureLine *const line = panel->lines->pdata[i];
        g_autoptr(GArray) stretches = figure_stretches(panel, line->other);
        for (guint k = 0; k < stretches->len; k++)
            line->wins |= g_array_index(stretches, FigureStretch, k).winner == line;
    }
}

// Sorts panels and lines, computes the figure's ranges and columns, and refuses panels with too many lines.
static gboolean tidy(Figure *figure, const char *names, GError **error)
{
    g_ptr_array_sort(figure->panels, by_place);
    for (guint k = 0; k < figure->panels->len; k++) {
        FigurePanel *const panel = figure->panels->pdata[k];
        const gboolean same_row = !figure->split || panel->number == ((FigurePanel *)figure->panels->pdata[0])->number;
        figure->columns += same_row;
        if (panel->lines->len > FIGURE_MAX_LINES)
            return bad_input(error, "%s: %u lines for %s; allowed: at most %d; choose some with --only", names,
                             panel->lines->len, panel->collective, FIGURE_MAX_LINES);
        g_ptr_array_sort(panel->lines, by_end);
        mark_winners(panel);
        for (guint i = 0; i < panel->lines->len; i++) {
            const FigureLine *const line = panel->lines->pdata[i];
            measure(figure, line->points);
            measure(figure, line->measurements);
            figure->most_points = MAX(figure->most_points, line->points->len);
        }
    }
    figure_count_absent(figure);
    if (figure_is_ratio(figure->y)) {
        figure->y_min = MIN(figure->y_min, 1);
        figure->y_max = MAX(figure->y_max, 1);
    }
    return TRUE;
}

char *figure_names(const GPtrArray *tables)
{
    GString *const names = g_string_new(NULL);
    for (guint i = 0; i < tables->len; i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "", csv_name(tables->pdata[i]));
    return g_string_free(names, FALSE);
}

// Returns TRUE if all rows have the same x.
static gboolean one_x(const GArray *rows)
{
    const FigureRow *const first = &g_array_index(rows, FigureRow, 0);
    for (guint i = 1; i < rows->len; i++)
        if (first[i].x != first->x)
            return FALSE;
    return TRUE;
}

Figure *figure_read(const GPtrArray *tables, FigureX x, FigureY y, const char *baseline, const FigureChoice *choice,
                    GError **error)
{
    g_autoptr(GArray) rows = figure_rows_read(tables, error);
    if (!rows)
        return NULL;
    g_autofree char *names = figure_names(tables);
    g_autoptr(Figure) figure = g_new0(Figure, 1);
    figure->panels = g_ptr_array_new_with_free_func(panel_free);
    figure->y = y;
    if (!set_axis(figure, names, rows, x, error))
        return NULL;
    figure->platform = figure_shared_field(rows, !figure->predicted, "platform");
    figure->model = figure_shared_field(rows, !figure->predicted, "model");
    figure->transfer = figure_shared_field(rows, !figure->predicted, "transfer");
    if (!number_size(figure_shared_field(rows, !figure->predicted, "per_node"), 1, (size_t)1 << 62, &figure->per_node))
        figure->per_node = 0;
    figure->mpi = figure_shared_field(rows, TRUE, "mpi");
    figure->one_x = one_x(rows);
    figure->bars = figure->one_x || figure_has_parts(y);
    figure->split |= figure->bars && figure->n_others > 1;
    figure_rows_sort(rows, figure->x == FIGURE_X_PER_NODE);
    const gboolean done = figure_relate(figure, names, rows, baseline, error) && add_lines(figure, rows, error) &&
                          drop_empty(figure, names, error) && figure_choose(figure, choice, error) &&
                          tidy(figure, names, error);
    return done ? g_steal_pointer(&figure) : NULL;
}
