// Computes the place of everything in a picture of bars, in pixels from the lower left corner, for plots/bars.gp.
#include "base/units.h"
#include "figure/bars.h"
#include "figure/grid.h"
#include "out/gnuplot.h"
#include <string.h>

// Sizes in pixels. The script's text is 16 pixels high and its title 17.
enum {
    WIDTH = 900,
    EDGE = 20,
    TITLE_ROW = 25,
    NOTE_ROW = 24,
    KEY_ROW = 26,
    HEADING = 34,
    BAR_ROW = 25,
    BAR = 17,
    GROUP_GAP = 10,
    SWATCH = 22,
    LEAST_BARS = 240 // width of the longest bar; the picture becomes wider if labels leave less
};

// The looks of parts, a row for each resource, and one for terms that stand for none. Two looks differ in grey as well: they are filled, or hatched in
// different ways.
enum { LOOKS = 4 };
typedef struct {
    int color, pattern; // gnuplot's fill patterns; 3 is solid
} TermLook;
static const TermLook term_looks[N_RESOURCES + 1][LOOKS] = {
    [RESOURCE_LATENCY] = {{0x0072B2, 3}, {0x0072B2, 4}, {0xA8D3EE, 3}, {0x0072B2, 2}},
    [RESOURCE_BANDWIDTH] = {{0xE69F00, 3}, {0xA05000, 5}, {0xF8E3B0, 3}, {0xA05000, 1}},
    [RESOURCE_REDUCTION] = {{0x009E73, 2}, {0x009E73, 7}, {0x009E73, 3}, {0x009E73, 6}},
    [RESOURCE_NIC] = {{0xCC79A7, 1}, {0xEBD3E1, 3}, {0xCC79A7, 6}, {0xCC79A7, 7}},
    [RESOURCE_MEMORY] = {{0xD55E00, 4}, {0xF3C9AC, 3}, {0xD55E00, 2}, {0xD55E00, 7}},
    [RESOURCE_CPU] = {{0x56B4E9, 6}, {0xD2EAF9, 3}, {0x56B4E9, 1}, {0x56B4E9, 2}},
    [RESOURCE_WAITING] = {{0xF0E442, 3}, {0x8A8200, 5}, {0x8A8200, 1}, {0x8A8200, 2}},
    [N_RESOURCES] = {{0xDDDDDD, 3}, {0x555555, 4}, {0x555555, 5}, {0x555555, 1}},
};

typedef struct {
    const Bars *bars;
    GString *boxes[8]; // by pattern: x0 y0 x1 y1 colour
    GString *lines[2]; // x y dx dy colour; the second ones are thick
    GString *points;   // x y
    GString *setup;
    int height, width;
    int bars_left, bars_width;
    TermLook looks[BARS_MAX_TERMS];
    guint labels;
} Canvas;

// Gives each term a look of its resource that no term before it has, or of any kind if there are no more.
static void set_looks(Canvas *canvas)
{
    gboolean taken[N_RESOURCES + 1][LOOKS] = {0};
    for (guint i = 0; i < canvas->bars->terms->len; i++) {
        guint at = (guint)bar_term_resource(canvas->bars->terms->pdata[i]) * LOOKS;
        while (taken[at / LOOKS][at % LOOKS])
            at = (at + 1) % ((N_RESOURCES + 1) * LOOKS);
        taken[at / LOOKS][at % LOOKS] = TRUE;
        canvas->looks[i] = term_looks[at / LOOKS][at % LOOKS];
    }
}

// A label's place relative to x.
typedef enum { BEGINS, ENDS, CENTERED } LabelSide;

// Adds a text whose middle has this height; y counts from above.
static void add_label(Canvas *canvas, int x, int y, LabelSide side, int color, gboolean bold, const char *text)
{
    gnuplot_text(canvas->setup, "text", ++canvas->labels, text);
    g_string_append_printf(canvas->setup, "x_%u = %d; y_%u = %d; side_%u = %d; bold_%u = %d; ink_%u = '#%06X'; ",
                           canvas->labels, x, canvas->labels, canvas->height - y, canvas->labels, side, canvas->labels,
                           bold, canvas->labels, (guint)color);
}

enum { INK = 0x222222, PALE = 0x555555, WHITE = 0xFFFFFF };

static void add_box(Canvas *canvas, double x, int y, double width, int height, int color, int pattern)
{
    g_string_append_printf(canvas->boxes[pattern], "%.2f %d %.2f %d %d\n", x, canvas->height - y - height, x + width,
                           canvas->height - y, color);
}

static void add_line(Canvas *canvas, gboolean thick, double x, double y, double dx, double dy, int color)
{
    g_string_append_printf(canvas->lines[thick], "%.2f %.2f %.2f %.2f %d\n", x, canvas->height - y, dx, -dy, color);
}

// Returns the width of a text of labels, in pixels.
static int text_width(const char *text)
{
    return (int)letters_width(text, LETTERS_TEXT) + 1;
}

// Two white strokes across a bar say that it is cut.
static void add_cut(Canvas *canvas, double end, int top)
{
    for (int i = 0; i < 2; i++)
        add_line(canvas, TRUE, end - 22 + 9 * i, top + BAR + 2, 8, -(BAR + 4), WHITE);
}

static double place_of(const Canvas *canvas, const BarGroup *group, double value)
{
    return canvas->bars_left + canvas->bars_width * bar_length(group, value);
}

// Draws from the least time of a measurement to its 95th percentile, and a diamond if it is not the bar itself.
static void add_measured(Canvas *canvas, const BarGroup *group, const FigurePoint *seen, gboolean diamond, int middle)
{
    const FigureY y = canvas->bars->figure->y;
    const double one = place_of(canvas, group, figure_value(y, seen->low_s, seen->against)),
                 two = place_of(canvas, group, figure_value(y, seen->high_s, seen->against)), low = MIN(one, two),
                 high = MAX(one, two);
    if (high > low) {
        add_line(canvas, FALSE, low, middle, high - low, 0, INK);
        add_line(canvas, FALSE, low, middle - 4, 0, 8, INK);
        add_line(canvas, FALSE, high, middle - 4, 0, 8, INK);
    }
    if (diamond)
        g_string_append_printf(canvas->points, "%.2f %d\n",
                               place_of(canvas, group, figure_value(y, seen->time_s, seen->against)),
                               canvas->height - middle);
}

// Returns where a bar and everything on it ends.
static double end_of(const Canvas *canvas, const BarGroup *group, const Bar *bar)
{
    const FigureY y = canvas->bars->figure->y;
    const FigurePoint *const seen = bar->seen ? bar->seen : bar->point;
    const double most = MAX(figure_value(y, seen->low_s, seen->against), figure_value(y, seen->high_s, seen->against));
    return place_of(canvas, group, MAX(bar->value, most));
}

static void add_bar(Canvas *canvas, const BarGroup *group, const Bar *bar, int top)
{
    const Bars *const bars = canvas->bars;
    const gboolean shares = bars->figure->y == FIGURE_Y_SHARES;
    const int y = top + (BAR_ROW - BAR) / 2, middle = top + BAR_ROW / 2;
    const double length = shares ? canvas->bars_width : canvas->bars_width * bar_length(group, bar->value);
    g_autofree char *text = bar_text(bars, group, bar);
    double before = 0;
    const int color = figure_color(bar->look.color);
    const gboolean measured = bar->seen || bar->contest->high_s > bar->contest->low_s;
    if (!bar->parts->len) // what is measured is drawn on the bar, so the bar is light
        add_box(canvas, canvas->bars_left, y, length, BAR, measured ? figure_mix(color, WHITE, 0.5) : color, 3);
    for (guint i = 0; i < bar->parts->len; i++) {
        const BarPart *const part = &g_array_index(bar->parts, BarPart, i);
        const double unit = shares ? canvas->bars_width / bar->point->time_s : canvas->bars_width / group->scale;
        const double from = MIN(before * unit, length), to = MIN((before + part->seconds) * unit, length);
        add_box(canvas, canvas->bars_left + from, y, to - from, BAR, canvas->looks[part->term].color,
                canvas->looks[part->term].pattern);
        before += part->seconds;
    }
    if (!shares && bar->value > group->scale)
        add_cut(canvas, canvas->bars_left + length, y);
    if (measured)
        add_measured(canvas, group, bar->contest, bar->seen != NULL, middle);
    add_label(canvas, canvas->bars_left - 10, middle, ENDS, INK, FALSE, bar_label(bar));
    add_label(canvas, (int)(shares ? canvas->bars_left + length : end_of(canvas, group, bar)) + 10, middle, BEGINS, INK,
              FALSE, text);
}

// Adds the thin line at 1, or at the shares that the axis names.
static void add_scale(Canvas *canvas, const BarGroup *group, int top, int bottom)
{
    if (figure_is_ratio(canvas->bars->figure->y) && group->scale >= 1)
        add_line(canvas, FALSE, place_of(canvas, group, 1), top, 0, bottom - top, PALE);
}

// Adds the names of the terms, several in a row, and returns the height that they take. Only measures if !draw.
static int add_keys(Canvas *canvas, int top, gboolean draw)
{
    int x = EDGE, y = top;
    for (guint i = 0; i < canvas->bars->terms->len; i++) {
        const char *const name = canvas->bars->terms->pdata[i];
        const int width = SWATCH + 8 + text_width(name) + 28;
        if (x > EDGE && x + width > canvas->width - EDGE) {
            x = EDGE;
            y += KEY_ROW;
        }
        if (draw) {
            add_box(canvas, x, y + 5, SWATCH, BAR, canvas->looks[i].color, canvas->looks[i].pattern);
            add_label(canvas, x + SWATCH + 8, y + 13, BEGINS, INK, FALSE, name);
        }
        x += width;
    }
    return canvas->bars->terms->len ? y + KEY_ROW - top : 0;
}

// Sets the width of the picture, and where the bars are.
static void set_widths(Canvas *canvas)
{
    const Bars *const bars = canvas->bars;
    int labels = 0, texts = 0;
    for (guint k = 0; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        for (guint i = 0; i < group->bars->len; i++) {
            const Bar *const bar = &g_array_index(group->bars, Bar, i);
            g_autofree char *text = bar_text(bars, group, bar);
            labels = MAX(labels, text_width(bar_label(bar)));
            texts = MAX(texts, text_width(text));
        }
    }
    const int beside = EDGE + labels + 10 + 10 + texts + EDGE;
    canvas->width = MAX(bars->figure->size.width > 0 ? (int)bars->figure->size.width : WIDTH, beside + LEAST_BARS);
    canvas->bars_left = EDGE + labels + 10;
    canvas->bars_width = canvas->width - beside;
}

static int groups_height(const Bars *bars)
{
    int height = 0;
    for (guint k = 0; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        height += (*group->heading ? HEADING : 0) + BAR_ROW * (int)group->bars->len + GROUP_GAP;
    }
    return height;
}

// Returns what the bars show, which stands under the title.
static char *subtitle_of(const Bars *bars)
{
    const FigureY y = bars->figure->y;
    return y == FIGURE_Y_TIME     ? g_strdup("time, and how many times that of the fastest")
           : y == FIGURE_Y_SHARES ? g_strdup("shares of the time on the critical path; beside them the time")
           : y == FIGURE_Y_PARTS  ? g_strdup("parts of the time on the critical path")
           : figure_is_ratio(y)   ? g_strdup_printf("%s; the thin line is 1", bars->figure->axis)
                                  : g_strdup(bars->figure->axis);
}

static void add_groups(Canvas *canvas, int top)
{
    for (guint k = 0; k < canvas->bars->groups->len; k++) {
        const BarGroup *const group = canvas->bars->groups->pdata[k];
        if (*group->heading) {
            add_label(canvas, EDGE, top + HEADING / 2 + 4, BEGINS, PALE, FALSE, group->heading);
            top += HEADING;
        }
        const int bottom = top + BAR_ROW * (int)group->bars->len;
        add_scale(canvas, group, top, bottom);
        for (guint i = 0; i < group->bars->len; i++)
            add_bar(canvas, group, &g_array_index(group->bars, Bar, i), top + BAR_ROW * (int)i);
        top = bottom + GROUP_GAP;
    }
}

static void finish_block(GString *block, const char *empty, GString *data)
{
    g_string_append(data, block->len ? block->str : empty);
    g_string_append(data, "\n\n");
    g_string_free(block, TRUE);
}

char *bars_setup(const Bars *bars, const char *format, const char *title, GString *data)
{
    Canvas canvas = {.bars = bars, .points = g_string_new(NULL), .setup = g_string_new(NULL)};
    for (size_t i = 0; i < G_N_ELEMENTS(canvas.boxes); i++)
        canvas.boxes[i] = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(canvas.lines); i++)
        canvas.lines[i] = g_string_new(NULL);
    set_widths(&canvas);
    set_looks(&canvas);
    g_autofree char *note = bars_note(bars), *subtitle = subtitle_of(bars);
    const double room = canvas.width - 2 * EDGE;
    g_autofree char *titles = title ? letters_wrap(title, room, LETTERS_TITLE) : bars_title(bars, room, LETTERS_TITLE);
    g_autofree char *notes = letters_wrap(note, room, LETTERS_TEXT);
    const int title_height = 12 + TITLE_ROW * (int)letters_lines(titles);
    const int keys = add_keys(&canvas, 0, FALSE);
    const int top = title_height + NOTE_ROW + keys + 8;
    canvas.height = top + groups_height(bars) + 12 + NOTE_ROW * (int)letters_lines(notes);
    g_auto(GStrv) title_rows = g_strsplit(titles, "\n", -1), note_rows = g_strsplit(notes, "\n", -1);
    for (int i = 0; title_rows[i]; i++)
        add_label(&canvas, EDGE, 24 + TITLE_ROW * i, BEGINS, INK, TRUE, title_rows[i]);
    add_label(&canvas, EDGE, title_height + 10, BEGINS, PALE, FALSE, subtitle);
    add_keys(&canvas, title_height + NOTE_ROW, TRUE);
    add_groups(&canvas, top);
    for (int i = 0; note_rows[i]; i++)
        add_label(&canvas, EDGE, canvas.height - NOTE_ROW * (int)letters_lines(notes) + NOTE_ROW * i + 4, BEGINS, PALE,
                  FALSE, note_rows[i]);
    g_string_append_printf(canvas.setup, "format = '%s'; width = %d; height = %d; texts = %u; ", format, canvas.width,
                           canvas.height, canvas.labels);
    for (size_t i = 0; i < G_N_ELEMENTS(canvas.boxes); i++)
        finish_block(canvas.boxes[i], "NaN NaN NaN NaN 0\n", data);
    for (size_t i = 0; i < G_N_ELEMENTS(canvas.lines); i++)
        finish_block(canvas.lines[i], "NaN NaN NaN NaN 0\n", data);
    finish_block(canvas.points, "NaN NaN\n", data);
    return g_string_free(canvas.setup, FALSE);
}
