// Computes the place of everything in the picture, and sets the variables of plots/lines.gp.
#include "figure/figure.h"
#include "out/gnuplot.h"
#include <math.h>
#include <string.h>

// Sizes around a panel's plot, in pixels. The script's text is 16 pixels high and its titles are 17.
enum {
    LEFT = 92,
    TOP = 88, // two lines of title and the name of the vertical axis
    SUBTITLE = 24,
    BOTTOM = 66,
    NOTE = 28,
    NAMES_GAP = 56, // from the plot to the names: room for leaders and points
    RIGHT = 24,     // from the plot to the right, without names
    NAME_ROW = 22,
    NAMES_ALIKE = 27, // characters in a row of names that share their points
    TITLE_ROW = 26,
    NOTE_ROW = 24,
    KEY = 58,         // in a legend, from the left end of a sample to its name
    KEY_WIDTH = 240,  // .. the least room for a name
    KEY_GAP = 24,     // .. between columns, and around it
    LEAST_CELL = 380, // width of a panel, if the picture has a given one
    LEAST_PLOT = 100, // height of a plot
    PLOT_PERCENT =
        60,    // height of a plot in percent of its panel's width, at most, if only the picture's width is given
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

// Sets NAME_rows_I to the number of rows of a text, and NAME_row_I_J to row J.
static void set_rows(GString *setup, const char *name, guint i, const char *text)
{
    g_auto(GStrv) rows = g_strsplit(text, "\n", -1);
    g_autofree char *of_row = g_strdup_printf("%s_row_%u", name, i);
    g_string_append_printf(setup, "%s_rows_%u = %u; ", name, i, g_strv_length(rows));
    for (guint row = 0; rows[row]; row++)
        gnuplot_text(setup, of_row, row + 1, rows[row]);
}

// Sets the variables of one panel's lines, which are numbered from `first`.
static void set_lines(const Figure *figure, const FigurePanel *panel, const GArray *legend, guint first, double gap,
                      gboolean dumb, GString *setup)
{
    g_autofree FigureLook *looks = figure_panel_looks(panel, legend);
    g_autofree double *place = g_new(double, panel->lines->len);
    place_names(figure, panel, gap, place);
    set_order(panel, looks, first, setup);
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        g_autofree char *same = figure_same(line, NAMES_ALIKE);
        g_autofree char *more = g_strdup_printf("%s +%u", line->label, line->same->len);
        gnuplot_text(setup, "name", first + i, dumb && *same ? more : line->label);
        set_rows(setup, "line", first + i, same);
        gnuplot_text(setup, "color", first + i, looks[i].color);
        g_string_append_printf(setup, "dash_%u = %d; point_%u = %d; ", first + i, looks[i].dash, first + i,
                               looks[i].point);
        g_string_append_printf(setup, "end_x_%u = %zu.; ", first + i, line->last.x);
        g_autofree char *end = g_strdup_printf("end_y_%u", first + i), *at = g_strdup_printf("place_%u", first + i);
        gnuplot_number(setup, end, line->end);
        gnuplot_number(setup, at, place[i]);
    }
}

// Returns the width of the longest row of names.
static double widest_name(const FigurePanel *panel)
{
    double widest = 0;
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        g_autofree char *same = figure_same(line, NAMES_ALIKE);
        g_auto(GStrv) rows = g_strsplit(same, "\n", -1);
        widest = MAX(widest, letters_width(line->label, LETTERS_TEXT));
        for (guint row = 0; rows[row]; row++)
            widest = MAX(widest, letters_width(rows[row], LETTERS_TEXT));
    }
    return widest;
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
    gnuplot_text(setup, "axis", 1, wide->axis);
    gnuplot_text(setup, "unit", 0, figure_is_ratio(wide->y) ? "" : wide->y == FIGURE_Y_BANDWIDTH ? "B/s" : "s");
    g_string_append_printf(setup, "mark_step = %u; ", 1 + wide->most_points / MARKS);
    g_string_append_printf(setup, "predicted = %d; measured = %d; lacking = %d; ", wide->predicted, wide->measured,
                           wide->absent > 0 || wide->ends);
}

// The sizes of a picture, in pixels, or in characters for a text. Each panel has a cell.
typedef struct {
    int width, height, columns, cell_width, cell_height;
    int top, bottom;                 // margins of a cell above and below its plot
    guint title_rows, subtitle_rows; // room for the lines of a title and a subtitle
    int legend_top;                  // from the top of the picture; 0 if there is none
} Frame;

// The rows of a shared legend.
typedef struct {
    int columns, column_width, height; // height: in rows, of the longest column
    char **same;                       // for each entry, the text under its name, broken into rows
} Legend;

static void legend_clear(Legend *legend)
{
    g_strfreev(legend->same);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Legend, legend_clear)

static int entry_rows(const Legend *legend, guint i)
{
    return 1 + (int)letters_lines(legend->same[i]);
}

// Returns how many columns of so many rows hold the first n entries, none of which is split.
static int columns_for(const Legend *legend, guint n, int rows)
{
    int columns = 1, used = 0;
    for (guint i = 0; i < n; i++) {
        const int more = entry_rows(legend, i);
        columns += used && used + more > rows;
        used = used && used + more > rows ? more : used + more;
    }
    return columns;
}

// Lays out the entries in as many columns as the width has room for. The column that is the longest is as short as it can
// be.
static Legend legend_of(const GArray *entries, int width)
{
    Legend all = {.same = g_new0(char *, (entries ? entries->len : 0) + 1)};
    if (!entries)
        return all;
    double widest = KEY_WIDTH;
    for (guint i = 0; i < entries->len; i++)
        widest = MAX(widest, letters_width(g_array_index(entries, FigureEntry, i).line->label, LETTERS_TEXT));
    all.columns = MAX((width - KEY_GAP) / (int)(KEY + widest + KEY_GAP), 1);
    all.column_width = (width - KEY_GAP) / all.columns;
    for (guint i = 0; i < entries->len; i++) {
        const char *const same = g_array_index(entries, FigureEntry, i).same;
        all.same[i] = letters_wrap(same, all.column_width - KEY - KEY_GAP, LETTERS_TEXT);
        all.height = MAX(all.height, entry_rows(&all, i));
    }
    while (columns_for(&all, entries->len, all.height) > all.columns)
        all.height++;
    return all;
}

// Sets the variables of the legend's entries.
static void set_legend(const GArray *entries, const Legend *legend, const Frame *frame, GString *setup)
{
    int column = 0, used = 0;
    g_string_append_printf(setup, "entries = %u; ", entries ? entries->len : 0);
    for (guint i = 0; entries && i < entries->len; i++) {
        const FigureEntry *const entry = &g_array_index(entries, FigureEntry, i);
        const int rows = entry_rows(legend, i);
        if (used && used + rows > legend->height) {
            column++;
            used = 0;
        }
        gnuplot_text(setup, "entry", i + 1, entry->line->label);
        set_rows(setup, "entry", i + 1, legend->same[i]);
        gnuplot_text(setup, "entry_color", i + 1, entry->look.color);
        g_string_append_printf(setup, "entry_dash_%u = %d; entry_point_%u = %d; entry_x_%u = %d.; entry_y_%u = %d.; ",
                               i + 1, entry->look.dash, i + 1, entry->look.point, i + 1,
                               KEY_GAP + column * legend->column_width, i + 1,
                               frame->height - frame->legend_top - NAME_ROW * used - NAME_ROW / 2);
        used += rows;
    }
}

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
    g_string_append_printf(setup, "title_rows_%u = %u; ", k + 1, letters_lines(title));
    gnuplot_lines(setup, "subtitle", k + 1, subtitle);
    const double names = frame->legend_top ? RIGHT : NAMES_GAP + widest_name(panel) + 10;
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

// Returns the number of panels side by side.
static int columns_of(const Figure *figure, gboolean legend)
{
    const int panels = (int)figure->panels->len;
    if (figure->size.width > 0)
        return CLAMP((int)figure->size.width / LEAST_CELL, 1, MIN(panels, FIGURE_MAX_COLLECTIVES));
    if (!legend || (figure->split && (int)figure->columns < panels && figure->columns <= FIGURE_MAX_COLLECTIVES))
        return MIN((int)figure->columns, FIGURE_MAX_COLLECTIVES);
    return panels == 4 ? 2 : panels <= 9 ? 3 : 4;
}

static int cell_width_of(const Figure *figure, gboolean legend)
{
    if (figure->size.width > 0)
        return (int)figure->size.width / columns_of(figure, legend);
    return figure->panels->len == 1 ? 900 : legend ? 580 : 750;
}

// The texts of a figure, broken into lines.
typedef struct {
    char **titles, **subtitles; // of each panel
    char *note;
    gboolean untitled; // --title '' asks for no title
} Texts;

static void texts_clear(Texts *texts)
{
    g_strfreev(texts->titles);
    g_strfreev(texts->subtitles);
    g_free(texts->note);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

// Returns the texts for panels and a picture of these widths: pixels, or characters of a text picture.
static Texts lay_texts(const Figure *figure, const FigureChoice *choice, const char *title, int cell_width, int width,
                       gboolean dumb)
{
    const guint panels = figure->panels->len;
    const Letters title_font = dumb ? LETTERS_CELLS : LETTERS_TITLE, font = dumb ? LETTERS_CELLS : LETTERS_TEXT;
    g_autofree char *note = figure_note(figure);
    Texts texts = {.titles = g_new0(char *, panels + 1),
                   .subtitles = g_new0(char *, panels + 1),
                   .untitled = title && !*title,
                   .note = letters_wrap(note, dumb ? width : width - 40, font)};
    for (guint k = 0; k < panels; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        const double room = dumb ? cell_width - 2 : cell_width - 40;
        g_autofree char *subtitle = figure_subtitle(figure, panel, choice);
        texts.titles[k] = title ? letters_wrap(title, room, title_font) : figure_title(figure, panel, room, title_font);
        texts.subtitles[k] = letters_wrap(subtitle, room, font);
    }
    return texts;
}

// Returns the sizes of the picture. A text has the size that is asked for; other pictures are high enough for the names
// beside each plot, for the legend, and for all lines of titles and of the note.
static Frame frame_of(const Figure *figure, const Texts *texts, const Legend *legend, gboolean dumb, int columns,
                      int rows)
{
    const guint panels = figure->panels->len, note_rows = letters_lines(texts->note);
    const gboolean shared = legend->height > 0;
    guint most = 0, title_rows = texts->untitled ? 0 : 2, subtitle_rows = 0;
    for (guint k = 0; k < panels; k++) {
        title_rows = MAX(title_rows, letters_lines(texts->titles[k]));
        subtitle_rows = MAX(subtitle_rows, letters_lines(texts->subtitles[k]));
        most = MAX(most, shared ? 0 : rows_of_all(figure->panels->pdata[k]));
    }
    const int note_height = note_rows ? NOTE + NOTE_ROW * (int)(note_rows - 1) : 0;
    const int top = TOP + TITLE_ROW * ((int)title_rows - 2) + SUBTITLE * (int)subtitle_rows;
    Frame frame = {columns, MAX(rows - (int)note_rows, 12), 1, columns, rows, top, BOTTOM, title_rows, subtitle_rows,
                   0};
    if (dumb)
        return frame;
    frame.columns = columns_of(figure, shared);
    frame.cell_width = cell_width_of(figure, shared);
    frame.width = frame.cell_width * frame.columns;
    const int names_height = frame.top + BOTTOM + NAME_ROW * (int)most;
    const int lines = ((int)panels + frame.columns - 1) / frame.columns;
    const int usual = (panels == 1  ? 560
                       : lines == 1 ? (shared ? 540 : 600)
                       : shared     ? 440
                                    : 500) +
                      TITLE_ROW * ((int)title_rows - 2) + SUBTITLE * (int)MAX(subtitle_rows, 1) - SUBTITLE;
    const int below = note_height + (shared ? legend->height * NAME_ROW + KEY_GAP : 0);
    const PictureSize *const size = &figure->size;
    const int wanted = size->height > 0  ? (int)(size->height - below) / lines
                       : size->width > 0 ? frame.top + BOTTOM + frame.cell_width * PLOT_PERCENT / 100
                                         : usual - (note_rows ? NOTE : 0);
    frame.cell_height = MAX(MAX(wanted, names_height), frame.top + BOTTOM + LEAST_PLOT);
    frame.height = frame.cell_height * lines + below;
    frame.legend_top = shared ? frame.cell_height * lines + KEY_GAP / 2 : 0;
    return frame;
}

char *figure_setup(const Figure *figure, const FigureChoice *choice, const char *format, const char *title, int columns,
                   int rows)
{
    const guint panels = figure->panels->len;
    const gboolean dumb = !strcmp(format, "dumb");
    g_autoptr(GArray) entries = dumb ? NULL : figure_legend(figure);
    const int cell_width = dumb ? columns : cell_width_of(figure, entries != NULL);
    const int width = dumb ? columns : cell_width * columns_of(figure, entries != NULL);
    g_auto(Texts) texts = lay_texts(figure, choice, title, cell_width, width, dumb);
    g_auto(Legend) legend = legend_of(entries, width);
    const Frame frame = frame_of(figure, &texts, &legend, dumb, columns, rows);
    const int plot_height = frame.cell_height - frame.bottom - frame.top;
    const Figure wide = widened(figure);
    GString *const setup = g_string_new(NULL);
    g_string_append_printf(setup, "format = '%s'; width = %d; height = %d; panels = %u; ", format, frame.width,
                           frame.height, panels);
    gnuplot_lines(setup, "note", 0, texts.note);
    g_string_append_printf(setup, "title_rows = %u; subtitle_rows = %u; note_rows = %u; ", frame.title_rows,
                           frame.subtitle_rows, letters_lines(texts.note));
    set_axes(&wide, setup);
    set_legend(entries, &legend, &frame, setup);
    guint first = 1;
    for (guint k = 0; k < panels; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        set_panel(figure, k, texts.titles[k], texts.subtitles[k], &frame, first, setup);
        set_lines(&wide, panel, entries, first, dumb ? 0 : (double)NAME_ROW / plot_height, dumb, setup);
        first += panel->lines->len;
    }
    g_string_append_printf(setup, "all_lines = %u; ", first - 1);
    return g_string_free(setup, FALSE);
}
