#include "figure.h"
#include "error.h"
#include "units.h"
#include <string.h>

// A row of the table with what is needed of it. Pointers belong to the Csv.
typedef struct {
    const char *collective, *algorithm, *params;
    size_t p, bytes, row;
    double time_s;
    gboolean fallback;
    guint panel;     // order of its collective in the file
    size_t x, other; // p and bytes, or bytes and p
} Row;

static void line_free(void *data)
{
    FigureLine *const line = data;
    g_free(line->label);
    g_ptr_array_unref(line->same);
    g_array_unref(line->points);
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

// What every row says in a column, "" where they differ.
static const char *shared_field(const Csv *csv, const char *column)
{
    const int c = csv_column(csv, column);
    for (size_t row = 1; row < csv_rows(csv); row++)
        if (strcmp(csv_field(csv, row, c), csv_field(csv, 0, c)))
            return "";
    return csv_field(csv, 0, c);
}

static gboolean read_rows(const Csv *csv, GArray *rows, GError **error)
{
    int collective, algorithm, p, bytes, time_s;
    if (!csv_need(csv, "collective", &collective, error) || !csv_need(csv, "algorithm", &algorithm, error) ||
        !csv_need(csv, "p", &p, error) || !csv_need(csv, "bytes", &bytes, error) ||
        !csv_need(csv, "time_s", &time_s, error))
        return FALSE;
    const int params = csv_column(csv, "params"), ran = csv_column(csv, "ran");
    for (size_t i = 0; i < csv_rows(csv); i++) {
        Row row = {.collective = csv_field(csv, i, collective),
                   .algorithm = csv_field(csv, i, algorithm),
                   .params = csv_field(csv, i, params),
                   .row = i,
                   .fallback = *csv_field(csv, i, ran) != '\0'};
        if (!*row.collective || !*row.algorithm)
            return bad_input(error, "%s:%zu: a row without collective or algorithm", csv_name(csv), csv_line(csv, i));
        if (!csv_integer(csv, i, p, &row.p, error) || !csv_integer(csv, i, bytes, &row.bytes, error) ||
            !csv_number(csv, i, time_s, &row.time_s, error))
            return FALSE;
        if (row.time_s > 1e12 || (row.time_s > 0 && row.time_s < 1e-15))
            return bad_input(error, "%s:%zu: time_s is %s; 0, or 1e-15 to 1e12 seconds is allowed", csv_name(csv),
                             csv_line(csv, i), csv_field(csv, i, time_s));
        g_array_append_val(rows, row);
    }
    return rows->len ? TRUE : bad_input(error, "%s: a header and no rows: nothing to draw", csv_name(csv));
}

static int by_size_t(gconstpointer a, gconstpointer b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// The distinct values of p (or of bytes, if any is above 0 without the zeros) in rising order.
static GArray *distinct(const GArray *rows, gboolean of_p)
{
    GArray *const values = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < rows->len; i++) {
        const Row *const row = &g_array_index(rows, Row, i);
        g_array_append_val(values, *(of_p ? &row->p : &row->bytes));
    }
    g_array_sort(values, by_size_t);
    guint n = 0;
    for (guint i = 0; i < values->len; i++) {
        const size_t value = g_array_index(values, size_t, i);
        if (!n || g_array_index(values, size_t, n - 1) != value)
            g_array_index(values, size_t, n++) = value;
    }
    g_array_set_size(values, n);
    if (!of_p && n > 1 && g_array_index(values, size_t, 0) == 0)
        g_array_remove_index(values, 0);
    return values;
}

// Chooses the axis and fills x, other and panel of every row.
static gboolean set_axis(Figure *figure, const Csv *csv, GArray *rows, FigureX wanted, GError **error)
{
    g_autoptr(GArray) ranks = distinct(rows, TRUE), sizes = distinct(rows, FALSE);
    figure->x = wanted != FIGURE_X_AUTO ? wanted : sizes->len >= ranks->len ? FIGURE_X_SIZE : FIGURE_X_RANKS;
    const gboolean over_size = figure->x == FIGURE_X_SIZE;
    const GArray *const others = over_size ? ranks : sizes;
    if (others->len > G_N_ELEMENTS(figure->others))
        return bad_input(
            error, "%s: %u values of %s; over %s at most 2 are drawn: keep fewer rows, or draw it over %s (--x %s)",
            csv_name(csv), others->len, over_size ? "p" : "bytes", over_size ? "size" : "p", over_size ? "p" : "size",
            over_size ? "p" : "size");
    figure->n_others = others->len;
    memcpy(figure->others, others->data, others->len * sizeof(size_t));
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < rows->len; i++) {
        Row *const row = &g_array_index(rows, Row, i);
        row->x = over_size ? row->bytes : row->p;
        row->other = over_size ? row->p : row->bytes;
        if (!g_ptr_array_find_with_equal_func(names, row->collective, g_str_equal, &row->panel)) {
            row->panel = names->len;
            g_ptr_array_add(names, (char *)row->collective);
        }
    }
    if (names->len > FIGURE_MAX_PANELS)
        return bad_input(error, "%s: %u collectives; at most %d are drawn side by side: keep fewer rows", csv_name(csv),
                         names->len, FIGURE_MAX_PANELS);
    return TRUE;
}

static int by_algorithm(const Row *a, const Row *b)
{
    return a->panel != b->panel ? (a->panel > b->panel) - (a->panel < b->panel) : strcmp(a->algorithm, b->algorithm);
}

static int by_point(const Row *a, const Row *b)
{
    return a->other != b->other ? (a->other > b->other) - (a->other < b->other) : (a->x > b->x) - (a->x < b->x);
}

static int compare_points(gconstpointer a, gconstpointer b)
{
    const int first = by_algorithm(a, b), second = by_point(a, b);
    const size_t i = ((const Row *)a)->row, j = ((const Row *)b)->row;
    return first ? first : second ? second : (i > j) - (i < j);
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    const int first = by_algorithm(a, b), second = strcmp(((const Row *)a)->params, ((const Row *)b)->params);
    return first ? first : second ? second : compare_points(a, b);
}

// Sorts rows into lines. Parameters tell lines apart only where an algorithm has the same point with several: elsewhere
// they are emptied, as a parameter may follow the number of ranks.
static void sort_into_lines(GArray *rows)
{
    g_array_sort(rows, compare_points);
    for (guint begin = 0, end; begin < rows->len; begin = end) {
        Row *const first = &g_array_index(rows, Row, begin);
        gboolean twice = FALSE;
        for (end = begin + 1; end < rows->len && !by_algorithm(first, first + (end - begin)); end++)
            twice |= !by_point(first + (end - begin) - 1, first + (end - begin));
        for (guint i = 0; !twice && i < end - begin; i++)
            first[i].params = "";
    }
    g_array_sort(rows, compare_lines);
}

static gboolean point_twice(const Csv *csv, const Row *a, const Row *b, GError **error)
{
    static const char *const COLUMNS[] = {"platform", "model", "transfer", "root"};
    g_autoptr(GString) why = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(COLUMNS) && !why->len; i++) {
        const int column = csv_column(csv, COLUMNS[i]);
        const char *const one = csv_field(csv, a->row, column), *const two = csv_field(csv, b->row, column);
        if (strcmp(one, two))
            g_string_printf(why, " with %s %s, here %s", COLUMNS[i], one, two);
    }
    return bad_input(error, "%s:%zu: %s %s, p %zu, bytes %zu a second time (line %zu%s): keep one of them",
                     csv_name(csv), csv_line(csv, b->row), b->collective, b->algorithm, b->p, b->bytes,
                     csv_line(csv, a->row), why->str);
}

static char *line_label(const Figure *figure, const Row *row)
{
    enum { MAX_LABEL = 34 };
    g_autoptr(GString) label = g_string_new(row->algorithm);
    if (*row->params)
        g_string_append_printf(label, " %s", row->params);
    if (figure->n_others > 1) {
        g_autofree char *other = units_format_size(row->other);
        g_string_append_printf(label, figure->x == FIGURE_X_SIZE ? ", %s ranks" : ", %s bytes", other);
    }
    if (g_utf8_strlen(label->str, -1) <= MAX_LABEL)
        return g_strdup(label->str);
    g_autofree char *head = g_utf8_substring(label->str, 0, MAX_LABEL - 2);
    return g_strconcat(head, "..", NULL);
}

// Adds a point, or a hole, to a line and to the figure's counts.
static void add_point(Figure *figure, FigureLine *line, const Row *row)
{
    const gboolean zero = !row->fallback && (!row->x || row->time_s <= 0);
    const FigurePoint point = {row->x, row->time_s, row->fallback || zero};
    g_array_append_val(line->points, point);
    figure->fallbacks += row->fallback;
    figure->zeros += zero;
    if (!point.hole)
        line->last = point;
}

static gboolean add_lines(Figure *figure, const Csv *csv, const GArray *rows, GError **error)
{
    FigurePanel *panel = NULL;
    FigureLine *line = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const Row *const row = &g_array_index(rows, Row, i), *const before = i ? row - 1 : NULL;
        const gboolean new_panel = !before || before->panel != row->panel;
        const gboolean new_algorithm = !before || by_algorithm(before, row);
        if (new_panel) {
            panel = g_new0(FigurePanel, 1);
            panel->collective = row->collective;
            panel->lines = g_ptr_array_new_with_free_func(line_free);
            g_ptr_array_add(figure->panels, panel);
        }
        if (new_algorithm || strcmp(before->params, row->params) || before->other != row->other) {
            const guint variant = new_algorithm ? 0 : line->variant + 1;
            line = g_new0(FigureLine, 1);
            line->algorithm = row->algorithm;
            line->params = row->params;
            line->other = row->other;
            line->variant = variant;
            line->label = line_label(figure, row);
            line->same = g_ptr_array_new_with_free_func(g_free);
            line->points = g_array_new(FALSE, FALSE, sizeof(FigurePoint));
            g_ptr_array_add(panel->lines, line);
        } else if (before->x == row->x) {
            return point_twice(csv, before, row, error);
        }
        add_point(figure, line, row);
    }
    return TRUE;
}

static int by_last_time(gconstpointer a, gconstpointer b)
{
    const FigureLine *const one = *(FigureLine *const *)a, *const two = *(FigureLine *const *)b;
    const double t = one->last.time_s, u = two->last.time_s;
    const int names = strcmp(one->algorithm, two->algorithm);
    return t != u ? (t < u) - (t > u) : names ? names : (one->variant > two->variant) - (one->variant < two->variant);
}

// Removes lines and panels in which nothing is drawn.
static gboolean drop_empty(Figure *figure, const Csv *csv, GError **error)
{
    for (guint k = figure->panels->len; k-- > 0;) {
        FigurePanel *const panel = figure->panels->pdata[k];
        for (guint i = panel->lines->len; i-- > 0;)
            if (((FigureLine *)panel->lines->pdata[i])->last.time_s <= 0)
                g_ptr_array_remove_index(panel->lines, i);
        if (!panel->lines->len)
            g_ptr_array_remove_index(figure->panels, k);
    }
    if (figure->panels->len)
        return TRUE;
    g_autofree char *note = figure_note(figure);
    return bad_input(error, "%s: nothing to draw: %s", csv_name(csv), note);
}

// Widens the figure's ranges to hold a line.
static void measure(Figure *figure, const FigureLine *line)
{
    for (guint i = 0; i < line->points->len; i++) {
        const FigurePoint point = g_array_index(line->points, FigurePoint, i);
        if (point.hole)
            continue;
        figure->x_min = figure->x_max ? MIN(figure->x_min, point.x) : point.x;
        figure->x_max = MAX(figure->x_max, point.x);
        figure->time_min = figure->time_max > 0 ? MIN(figure->time_min, point.time_s) : point.time_s;
        figure->time_max = MAX(figure->time_max, point.time_s);
    }
}

// Sorts the lines that are drawn, measures them and holds the limit.
static gboolean tidy(Figure *figure, const Csv *csv, GError **error)
{
    for (guint k = 0; k < figure->panels->len; k++) {
        FigurePanel *const panel = figure->panels->pdata[k];
        if (panel->lines->len > FIGURE_MAX_LINES)
            return bad_input(error, "%s: %u lines for %s; at most %d are told apart: name some with --only",
                             csv_name(csv), panel->lines->len, panel->collective, FIGURE_MAX_LINES);
        g_ptr_array_sort(panel->lines, by_last_time);
        for (guint i = 0; i < panel->lines->len; i++)
            measure(figure, panel->lines->pdata[i]);
    }
    return TRUE;
}

Figure *figure_read(const Csv *csv, FigureX x, const FigureChoice *choice, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
    if (!read_rows(csv, rows, error))
        return NULL;
    g_autoptr(Figure) figure = g_new0(Figure, 1);
    figure->panels = g_ptr_array_new_with_free_func(panel_free);
    figure->platform = shared_field(csv, "platform");
    figure->model = shared_field(csv, "model");
    figure->transfer = shared_field(csv, "transfer");
    if (!set_axis(figure, csv, rows, x, error))
        return NULL;
    sort_into_lines(rows);
    const gboolean done = add_lines(figure, csv, rows, error) && drop_empty(figure, csv, error) &&
                          figure_choose(figure, choice, error) && tidy(figure, csv, error);
    return done ? g_steal_pointer(&figure) : NULL;
}
