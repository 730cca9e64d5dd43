// Prints a figure as text: points are letters, A those of the line that ends highest.
//
//     time
//      10 ms |           A B   A ring
//       1 ms | A   A           B bruck
//            +------------
//              8  64 512 4K    size (bytes)
#include "figure/chart.h"
#include "figure/figure.h"
#include <math.h>
#include <string.h>

enum { LEFT = 10, LEAST_ROWS = 10, LEAST_COLUMNS = 24 };

// The places of a plot, in characters.
typedef struct {
    const Figure *figure;
    int columns, rows;
    char **row; // from above
} TextField;

static int column_of(const TextField *field, double x)
{
    const double low = (double)field->figure->x_min, high = (double)field->figure->x_max;
    return high > low ? (int)lround((field->columns - 1) * log(x / low) / log(high / low)) : field->columns / 2;
}

static int row_of(const TextField *field, double y)
{
    const double low = field->figure->y_min, high = field->figure->y_max;
    return high > low ? (int)lround((field->rows - 1) * (1 - log(y / low) / log(high / low))) : field->rows / 2;
}

static char letter_of(guint line)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    if (line < strlen(letters))
        return letters[line];
    return '*';
}

static void add_points(const TextField *field, const GArray *points, size_t first, size_t last, char letter)
{
    for (guint i = 0; i < points->len; i++) {
        const FigurePoint *const point = &g_array_index(points, FigurePoint, i);
        if (point->hole || point->x < first || point->x > last)
            continue;
        const double y = figure_value(field->figure->y, point->time_s, point->against);
        field->row[row_of(field, y)][column_of(field, (double)point->x)] = letter;
    }
}

// Adds the points of a panel. Of points in one place, that of the fastest is the last.
static void add_lines(const TextField *field, const FigurePanel *panel)
{
    const gboolean measured = field->figure->measured;
    for (guint i = 0; i < panel->lines->len; i++)
        if (measured)
            add_points(field, ((FigureLine *)panel->lines->pdata[i])->points, 0, G_MAXSIZE, '.');
    for (guint i = panel->lines->len; i-- > 0;) {
        const FigureLine *const line = panel->lines->pdata[i];
        add_points(field, measured ? line->measurements : line->points, 0, G_MAXSIZE, letter_of(i));
    }
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        g_autoptr(GArray) stretches = figure_stretches(panel, line->other);
        for (guint s = 0; s < stretches->len; s++) {
            const FigureStretch *const stretch = &g_array_index(stretches, FigureStretch, s);
            if (stretch->winner == line)
                add_points(field, line->contest, stretch->first, stretch->last, letter_of(i));
        }
    }
}

// Returns the label of a row: the power of ten that it has, or "". Free with g_free.
static char *row_label(const TextField *field, int row)
{
    const Figure *const figure = field->figure;
    const double from = log10(figure->y_min), to = log10(figure->y_max);
    for (int e = (int)ceil(from - 1e-9); e <= (int)floor(to + 1e-9); e++)
        if (row_of(field, pow(10, e)) == row)
            return figure_value_text(figure->y, pow(10, e));
    // Without a power of ten, the ends have labels.
    const gboolean none = ceil(from - 1e-9) > floor(to + 1e-9), end = row == 0 || row == field->rows - 1;
    return none && end ? figure_value_text(figure->y, row ? figure->y_min : figure->y_max) : g_strdup("");
}

// Prints the labels of the x axis, at powers of two that are far enough apart.
static void print_x(const TextField *field, const char *name, FILE *to)
{
    g_autoptr(GString) line = g_string_new(NULL);
    const double high = (double)field->figure->x_max;
    for (int power = (int)ceil(log2((double)field->figure->x_min) - 1e-9); exp2(power) <= high; power++) {
        const double x = exp2(power);
        g_autofree char *label = chart_text(CHART_SIZE, x);
        const int at = LEFT + 2 + column_of(field, x) - (int)strlen(label) / 2;
        if (line->len && at < (int)line->len + 2)
            continue;
        g_string_append_printf(line, "%*s%s", MAX(at - (int)line->len, 0), "", label);
    }
    fprintf(to, "%*s\n%s  %s\n", 0, "", line->str, name);
}

static void print_panel(const Figure *figure, const FigurePanel *panel, const char *x_axis, int columns, int rows,
                        FILE *to)
{
    int names = 0;
    for (guint i = 0; i < panel->lines->len; i++)
        names = MAX(names, (int)g_utf8_strlen(((FigureLine *)panel->lines->pdata[i])->label, -1) + 7);
    TextField field = {figure, MAX(columns - LEFT - names - 4, LEAST_COLUMNS),
                       MAX(MAX(rows, LEAST_ROWS), (int)panel->lines->len), NULL};
    g_auto(GStrv) grid G_GNUC_UNUSED = field.row = g_new0(char *, (gsize)field.rows + 1); // frees the rows at the end
    for (int i = 0; i < field.rows; i++)
        field.row[i] = g_strnfill((gsize)field.columns, ' ');
    add_lines(&field, panel);
    fprintf(to, "%s\n", figure->axis);
    for (int i = 0; i < field.rows; i++) {
        const FigureLine *const line = i < (int)panel->lines->len ? panel->lines->pdata[i] : NULL;
        g_autofree char *label = row_label(&field, i),
                        *more = line && line->same->len ? g_strdup_printf(" +%u", line->same->len) : g_strdup("");
        g_autofree char *key =
            line ? g_strdup_printf("  %c %s%s", letter_of((guint)i), line->label, more) : g_strdup("");
        g_autofree char *row = g_strdup_printf("%*s |%s%s", LEFT - 1, label, field.row[i], key);
        fprintf(to, "%s\n", g_strchomp(row));
    }
    fprintf(to, "%*s +", LEFT - 1, "");
    for (int i = 0; i < field.columns; i++)
        fputc('-', to);
    print_x(&field, x_axis, to);
}

void figure_print(const Figure *figure, const FigureChoice *choice, const char *title, int columns, int rows, FILE *to)
{
    static const char *const axes[] = {
        [FIGURE_X_SIZE] = "size (bytes)", [FIGURE_X_RANKS] = "ranks", [FIGURE_X_PER_NODE] = "ranks per node"};
    g_autofree char *note = figure_note(figure);
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        g_autofree char *own = figure_title(figure, panel, columns, LETTERS_CELLS),
                        *subtitle = figure_subtitle(figure, panel, choice);
        const char *const shown = title && k ? "" : title ? title : own;
        if (k)
            fputc('\n', to);
        letters_print(shown, (size_t)columns, to);
        letters_print(subtitle, (size_t)columns, to);
        print_panel(figure, panel, axes[figure->x], columns, rows - 7, to);
    }
    if (*note)
        fputc('\n', to);
    letters_print(note, (size_t)columns, to);
    for (guint k = 0; k < figure->panels->len; k++) {
        const GPtrArray *const lines = ((FigurePanel *)figure->panels->pdata[k])->lines;
        for (guint i = 0; i < lines->len; i++) { // the names that "+2" hides
            const FigureLine *const line = lines->pdata[i];
            g_autofree char *same = figure_same(line, (size_t)columns - MIN((size_t)columns, strlen(line->label) + 1));
            if (*same)
                fprintf(to, "%s %s\n", line->label, same);
        }
    }
}
