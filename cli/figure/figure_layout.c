// Computes the place of everything in the picture, and sets the variables of plots/lines.gp.
#include "figure/figure.h"
#include "out/gnuplot.h"
#include <math.h>
#include <string.h>

// Sizes around a panel's plot, in pixels. The script's text is 16 pixels high and its titles are 17.
enum {
    LEFT = 92,
    TOP = 88, // two lines of title and the name of the vertical axis
    SUBTITLE = 22,
    BOTTOM = 66,
    NOTE = 28,
    NAMES_GAP = 56, // from the plot to the names: room for leaders and points
    LETTER = 10,
    NAME_ROW = 22,
    NAMES_ALIKE = 27, // characters in a row of names that share their points
    TITLE_LETTER = 11,
    NOTE_LETTER = 9,
    TITLE_ROW = 25,
    NOTE_ROW = 24,
    MARKS = 40 // a line with more points has a mark at some of them only
};

// Returns the number of rows that a line's name takes: one, and those of the names that share its points.
static guint rows_of(const FigureLine *line)
{
    g_autofree char *same = figure_same(line, NAMES_ALIKE);
    guint rows = *same ? 2 : 1;
    for (const char *c = same; *c; c++)
        rows += *c == '\n';
    return rows;
}

static guint rows_of_all(const FigurePanel *panel)
{
    guint rows = 0;
    for (guint i = 0; i < panel->lines->len; i++)
        rows += rows_of(panel->lines->pdata[i]);
    return rows;
}

void figure_place(const double *want, const guint *rows, guint n, double gap, double *place)
{
    g_autofree double *mean = g_new(double, n);
    g_autofree guint *size = g_new(guint, n), *above = g_new(guint, n); // rows of all names above a name
    guint blocks = 0, all = 0;
    for (guint i = 0; i < n; i++) {
        above[i] = all;
        all += rows[i];
        mean[blocks] = want[i] + above[i] * gap;
        size[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 1] > mean[blocks - 2]) {
            const guint a = size[blocks - 2], b = size[blocks - 1];
            mean[blocks - 2] = (mean[blocks - 2] * a + mean[blocks - 1] * b) / (a + b);
            size[blocks - 2] = a + b;
            blocks--;
        }
    }
    for (guint block = 0, i = 0; block < blocks; block++)
        for (guint k = 0; k < size[block]; k++, i++)
            place[i] = mean[block] - above[i] * gap;
    for (guint i = 0; i < n; i++) // no name is above the plot
        place[i] = MIN(place[i], 1 - above[i] * gap);
    for (guint i = n; i-- > 0;) // and none is below it
        place[i] = MAX(place[i], (all - 1 - above[i]) * gap);
}

static void place_names(const Figure *figure, const FigurePanel *panel, double gap, double *place)
{
    const double low = log(figure->y_min), span = log(figure->y_max) - low;
    const guint n = panel->lines->len;
    g_autofree double *want = g_new(double, n);
    g_autofree guint *rows = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        want[i] = (log(line->end) - low) / span;
        rows[i] = rows_of(line);
    }
    figure_place(want, rows, n, gap, place);
}

// Sets the order in which lines are drawn. Dashed lines come after solid ones, so that both show where they coincide.
static void set_order(const FigurePanel *panel, const FigureLook *looks, guint first, GString *setup)
{
    guint next = first;
    for (int dashed = 0; dashed < 2; dashed++)
        for (guint i = 0; i < panel->lines->len; i++)
            if ((looks[i].dash != 1) == dashed)
                g_string_append_printf(setup, "draw_%u = %u; ", next++, first + i);
}

// Sets the variables of one panel's lines, which are numbered from `first`.
static void set_lines(const Figure *figure, const FigurePanel *panel, guint first, double gap, gboolean dumb,
                      GString *setup)
{
    g_autofree FigureLook *looks = figure_looks(panel);
    g_autofree double *place = g_new(double, panel->lines->len);
    place_names(figure, panel, gap, place);
    set_order(panel, looks, first, setup);
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        g_autofree char *same = figure_same(line, NAMES_ALIKE);
        g_autofree char *more = g_strdup_printf("%s +%u", line->label, line->same->len);
        gnuplot_text(setup, "name", first + i, dumb && *same ? more : line->label);
        g_auto(GStrv) rows = g_strsplit(same, "\n", -1);
        g_string_append_printf(setup, "rows_%u = %u; ", first + i, g_strv_length(rows));
        for (guint row = 0; rows[row]; row++) {
            g_autofree char *name = g_strdup_printf("same_%u", first + i);
            gnuplot_text(setup, name, row + 1, rows[row]);
        }
        gnuplot_text(setup, "color", first + i, looks[i].color);
        g_string_append_printf(setup, "dash_%u = %d; point_%u = %d; ", first + i, looks[i].dash, first + i,
                               looks[i].point);
        g_string_append_printf(setup, "end_x_%u = %zu.; ", first + i, line->last.x);
        g_autofree char *end = g_strdup_printf("end_y_%u", first + i), *at = g_strdup_printf("place_%u", first + i);
        gnuplot_number(setup, end, line->end);
        gnuplot_number(setup, at, place[i]);
    }
}

// Returns the length of the longest row of names, in characters.
static guint longest_name(const FigurePanel *panel)
{
    glong longest = 0;
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        g_autofree char *same = figure_same(line, NAMES_ALIKE);
        g_auto(GStrv) rows = g_strsplit(same, "\n", -1);
        longest = MAX(longest, g_utf8_strlen(line->label, -1));
        for (guint row = 0; rows[row]; row++)
            longest = MAX(longest, g_utf8_strlen(rows[row], -1));
    }
    return (guint)longest;
}

// Returns the figure with a wider vertical range: a margin around the data, and at least a factor of 3, so that noise
// does not look like a slope and the axis has labels. All panels share the range.
static Figure widened(const Figure *figure)
{
    Figure wide = *figure;
    const double ratio = figure->y_max / figure->y_min;
    const double air = ratio < 3 ? sqrt(4 / ratio) : pow(ratio, 0.04);
    wide.y_min /= air;
    wide.y_max *= air;
    return wide;
}

// Sets the ranges of the axes, which all panels share. `wide` is what widened() returns.
static void set_axes(const Figure *wide, GString *setup)
{
    const double least = wide->measured ? 1.2 : 1; // room for points that are drawn side by side
    const double air = wide->x_min == wide->x_max ? 2 : pow((double)wide->x_max / (double)wide->x_min, 0.02);
    static const char *const axes[] = {
        [FIGURE_X_SIZE] = "size (bytes)", [FIGURE_X_RANKS] = "ranks", [FIGURE_X_PER_NODE] = "ranks per node"};
    gnuplot_text(setup, "axis", 0, axes[wide->x]);
    gnuplot_number(setup, "x_min", (double)wide->x_min / MAX(air, least));
    gnuplot_number(setup, "x_max", (double)wide->x_max * MAX(air, least));
    gnuplot_number(setup, "x_last", (double)wide->x_max);
    gnuplot_number(setup, "y_min", wide->y_min);
    gnuplot_number(setup, "y_max", wide->y_max);
    gnuplot_text(setup, "axis", 1, figure_y_names[wide->y]);
    g_string_append_printf(setup, "mark_step = %u; ", 1 + wide->most_points / MARKS);
    g_string_append_printf(setup, "predicted = %d; measured = %d; ", wide->predicted, wide->measured);
}

// The sizes of a picture, in pixels, or in characters for a text. Each panel has a cell.
typedef struct {
    int width, height, columns, cell_width, cell_height;
    int top, bottom;  // margins of a cell above and below its plot
    guint title_rows; // room for the lines of a title
} Frame;

// Sets NAME_K+1 to a share of the picture's width or height.
static void set_share(GString *setup, const char *name, guint k, double value)
{
    g_autofree char *of_panel = g_strdup_printf("%s_%u", name, k + 1);
    gnuplot_number(setup, of_panel, value);
}

// Sets the title and subtitle of panel k, its edges as shares of the picture, and the numbers of its lines.
static void set_panel(const Figure *figure, guint k, const char *title, const char *subtitle, const Frame *frame,
                      guint first, GString *setup)
{
    const FigurePanel *const panel = figure->panels->pdata[k];
    gnuplot_lines(setup, "title", k + 1, title);
    g_string_append_printf(setup, "title_rows_%u = %u; ", k + 1, figure_line_count(title));
    gnuplot_text(setup, "subtitle", k + 1, subtitle);
    const double names = NAMES_GAP + LETTER * (double)longest_name(panel);
    const int column = (int)k % frame->columns, row = (int)k / frame->columns;
    const double x = frame->cell_width * column,
                 y = frame->height - frame->cell_height * row; // gnuplot counts y from below
    set_share(setup, "cell_x", k, x / frame->width);
    set_share(setup, "cell_y", k, y / frame->height);
    set_share(setup, "left", k, (x + LEFT) / frame->width);
    set_share(setup, "right", k, (x + frame->cell_width - names) / frame->width);
    set_share(setup, "top", k, (y - frame->top) / frame->height);
    set_share(setup, "bottom", k, (y - frame->cell_height + frame->bottom) / frame->height);
    g_string_append_printf(setup, "first_%u = %u; last_%u = %u; ", k + 1, first, k + 1, first + panel->lines->len - 1);
}

static int cell_width_of(const Figure *figure)
{
    return figure->panels->len == 1 ? 900 : 750;
}

// Returns the titles of all panels. Free with g_strfreev.
static char **titles_of(const Figure *figure, const char *title, size_t letters)
{
    char **const titles = g_new0(char *, figure->panels->len + 1);
    for (guint k = 0; k < figure->panels->len; k++)
        titles[k] = title ? figure_wrap(title, letters) : figure_title(figure, figure->panels->pdata[k], letters);
    return titles;
}

// Returns the sizes of the picture. A text has the size that is asked for; other pictures are high enough for the names
// beside each plot, and for all lines of titles and of the note.
static Frame frame_of(const Figure *figure, const FigureChoice *choice, char **titles, const char *note, gboolean dumb,
                      int columns, int rows)
{
    const guint panels = figure->panels->len, note_rows = figure_line_count(note);
    guint most = 0, title_rows = 2;
    gboolean subtitles = FALSE;
    for (guint k = 0; k < panels; k++) {
        g_autofree char *subtitle = figure_subtitle(figure, figure->panels->pdata[k], choice);
        subtitles |= *subtitle != '\0';
        title_rows = MAX(title_rows, figure_line_count(titles[k]));
        most = MAX(most, rows_of_all(figure->panels->pdata[k]));
    }
    const int note_height = note_rows ? NOTE + NOTE_ROW * (int)(note_rows - 1) : 0;
    const int top = TOP + TITLE_ROW * (int)(title_rows - 2) + (subtitles ? SUBTITLE : 0);
    Frame frame = {columns, MAX(rows - (int)note_rows, 12), 1, columns, rows, top, BOTTOM, title_rows};
    if (dumb)
        return frame;
    frame.columns = (int)figure->columns;
    frame.cell_width = cell_width_of(figure);
    frame.width = frame.cell_width * frame.columns;
    const int names_height = frame.top + BOTTOM + NAME_ROW * (int)most;
    const int lines = ((int)panels + frame.columns - 1) / frame.columns;
    const int usual = (panels == 1 ? 560 : lines == 1 ? 600 : 500) + TITLE_ROW * (int)(title_rows - 2);
    frame.cell_height = MAX(usual - (*note ? NOTE : 0), names_height);
    frame.height = frame.cell_height * lines + note_height;
    return frame;
}

char *figure_setup(const Figure *figure, const FigureChoice *choice, const char *format, const char *title, int columns,
                   int rows)
{
    const guint panels = figure->panels->len;
    const gboolean dumb = !strcmp(format, "dumb");
    const int cell_width = dumb ? columns : cell_width_of(figure);
    g_auto(GStrv) titles = titles_of(figure, title, (size_t)(dumb ? cell_width - 2 : (cell_width - 24) / TITLE_LETTER));
    const size_t note_letters = (size_t)(dumb ? columns : (cell_width * (int)figure->columns - 40) / NOTE_LETTER);
    g_autofree char *plain = figure_note(figure), *note = figure_wrap(plain, note_letters);
    const Frame frame = frame_of(figure, choice, titles, note, dumb, columns, rows);
    const int plot_height = frame.cell_height - frame.bottom - frame.top;
    const Figure wide = widened(figure);
    GString *const setup = g_string_new(NULL);
    g_string_append_printf(setup, "format = '%s'; width = %d; height = %d; panels = %u; ", format, frame.width,
                           frame.height, panels);
    gnuplot_lines(setup, "note", 0, note);
    g_string_append_printf(setup, "title_rows = %u; note_rows = %u; ", frame.title_rows, figure_line_count(note));
    set_axes(&wide, setup);
    for (guint k = 0, first = 1; k < panels; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        g_autofree char *subtitle = figure_subtitle(figure, panel, choice);
        set_panel(figure, k, titles[k], subtitle, &frame, first, setup);
        set_lines(&wide, panel, first, dumb ? 0 : (double)NAME_ROW / plot_height, dumb, setup);
        first += panel->lines->len;
    }
    return g_string_free(setup, FALSE);
}

// Adds a block of gnuplot's data: a row `x y` for each point of a line, and also `low high crowded` if it is measured.
// gnuplot does not count an empty block, so a block without points has a row of NaN, which is not drawn.
static void add_block(const Figure *figure, const FigureLine *line, const GArray *points, gboolean measured,
                      GString *data)
{
    gboolean open = FALSE, any = FALSE; // a blank line breaks a curve; two would end the block
    char at[G_ASCII_DTOSTR_BUF_SIZE], low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint i = 0; i < points->len; i++) {
        const FigurePoint *const point = &g_array_index(points, FigurePoint, i);
        const size_t bytes = figure_bytes(figure, line, point);
        const double one = figure_value(figure->y, point->low_s, bytes),
                     two = figure_value(figure->y, point->high_s, bytes);
        if (!point->hole)
            g_string_append_printf(data, "%zu %s", point->x,
                                   g_ascii_dtostr(at, sizeof at, figure_value(figure->y, point->time_s, bytes)));
        if (!point->hole && measured)
            g_string_append_printf(data, " %s %s %d", g_ascii_dtostr(low, sizeof low, MIN(one, two)),
                                   g_ascii_dtostr(high, sizeof high, MAX(one, two)), point->crowded);
        if (!point->hole || open)
            g_string_append_c(data, '\n');
        open = !point->hole;
        any |= open;
    }
    g_string_append(data, !any ? "NaN NaN NaN NaN 0\n\n\n" : open ? "\n\n" : "\n");
}

GString *figure_data(const Figure *figure)
{
    GString *const data = g_string_new(NULL);
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        for (guint l = 0; l < panel->lines->len; l++) {
            const FigureLine *const line = panel->lines->pdata[l];
            add_block(figure, line, line->points, FALSE, data);
            add_block(figure, line, line->measured, TRUE, data);
        }
    }
    return data;
}
