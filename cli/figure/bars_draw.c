// Draws bars.
#include "base/units.h"
#include "figure/bars.h"

// Sizes in pixels.
enum {
    HEADING = 34,
    BAR_ROW = 25,
    BAR = 17,
    GROUP_GAP = 10,
    LEAST_BARS = 240 // width of the longest bar; the picture becomes wider if labels leave less
};

// The looks of parts, a row for each resource, and one for terms that stand for none. Two looks differ in grey as well: they are filled, or hatched in
// different ways.
enum { LOOKS = 4 };
typedef struct {
    int color, pattern;
} TermLook;
static const TermLook term_looks[N_RESOURCES + 1][LOOKS] = {
    [RESOURCE_LATENCY] = {{0x0072B2, 3}, {0x0072B2, 4}, {0xA8D3EE, 3}, {0x0072B2, 2}},
    [RESOURCE_BANDWIDTH] = {{0xE69F00, 3}, {0xA05000, 5}, {0xF8E3B0, 3}, {0xA05000, 1}},
    [RESOURCE_REDUCTION] = {{0x009E73, 2}, {0x009E73, 7}, {0x009E73, 3}, {0x009E73, 6}},
    [RESOURCE_NIC] = {{0xCC79A7, 1}, {0xEBD3E1, 3}, {0xCC79A7, 6}, {0xCC79A7, 7}},
    [RESOURCE_MEMORY] = {{0xD55E00, 4}, {0xF3C9AC, 3}, {0xD55E00, 2}, {0xD55E00, 7}},
    [RESOURCE_CPU] = {{0x56B4E9, 6}, {0xD2EAF9, 3}, {0x56B4E9, 1}, {0x56B4E9, 2}},
    [RESOURCE_WAITING] = {{0xF0E442, 3}, {0x8A8200, 5}, {0x8A8200, 1}, {0x8A8200, 2}},
    [RESOURCE_LATE] = {{0x332288, 3}, {0x332288, 2}, {0x332288, 6}, {0x332288, 7}},
    [RESOURCE_NOISE] = {{0xAA4499, 4}, {0xAA4499, 5}, {0xAA4499, 1}, {0xAA4499, 2}},
    [N_RESOURCES] = {{0xDDDDDD, 3}, {0x555555, 4}, {0x555555, 5}, {0x555555, 1}},
};

typedef struct {
    const Bars *bars;
    Canvas *canvas;
    int width, left, length; // of the picture; and where bars begin, and the length of the longest
    CanvasLook looks[BARS_MAX_TERMS];
} Chalk;

// Gives each term a look of its resource that no term before it has, or of any kind if there are no more.
static void set_looks(Chalk *chalk)
{
    gboolean taken[N_RESOURCES + 1][LOOKS] = {0};
    for (guint i = 0; i < chalk->bars->terms->len; i++) {
        guint at = (guint)bar_term_resource(chalk->bars->terms->pdata[i]) * LOOKS;
        while (taken[at / LOOKS][at % LOOKS])
            at = (at + 1) % ((N_RESOURCES + 1) * LOOKS);
        taken[at / LOOKS][at % LOOKS] = TRUE;
        chalk->looks[i] = (CanvasLook){.color = term_looks[at / LOOKS][at % LOOKS].color,
                                       .pattern = term_looks[at / LOOKS][at % LOOKS].pattern};
    }
}

static int text_width(const char *text)
{
    return (int)letters_width(text, LETTERS_TEXT) + 1;
}

static double place_of(const Chalk *chalk, const BarGroup *group, double value)
{
    return chalk->left + chalk->length * bar_length(group, value);
}

// Two white strokes across a bar say that it is cut.
static void add_cut(const Chalk *chalk, double end, int top)
{
    const CanvasLook stroke = {.color = CANVAS_WHITE, .width = 4};
    for (int i = 0; i < 2; i++)
        canvas_line(chalk->canvas, &stroke, end - 22 + 9 * i, top + BAR + 2, end - 14 + 9 * i, top - 2);
}

// Draws from the least time of a measurement to its 95th percentile, and a diamond if it is not the bar itself.
static void add_measurements(const Chalk *chalk, const BarGroup *group, const FigurePoint *seen, gboolean diamond,
                             int middle)
{
    const CanvasLook line = {.color = CANVAS_INK, .width = 1.2}, inside = {.color = CANVAS_WHITE, .point = 13},
                     edge = {.color = CANVAS_INK, .point = 12};
    const FigureY y = chalk->bars->figure->y;
    const double one = place_of(chalk, group, figure_value(y, seen->low_s, seen->against)),
                 two = place_of(chalk, group, figure_value(y, seen->high_s, seen->against)), low = MIN(one, two),
                 high = MAX(one, two), at = place_of(chalk, group, figure_value(y, seen->time_s, seen->against));
    if (high > low) {
        canvas_line(chalk->canvas, &line, low, middle, high, middle);
        canvas_line(chalk->canvas, &line, low, middle - 4, low, middle + 4);
        canvas_line(chalk->canvas, &line, high, middle - 4, high, middle + 4);
    }
    if (diamond) {
        canvas_point(chalk->canvas, &inside, at, middle);
        canvas_point(chalk->canvas, &edge, at, middle);
    }
}

// Returns where a bar and everything on it ends.
static double end_of(const Chalk *chalk, const BarGroup *group, const Bar *bar)
{
    const FigureY y = chalk->bars->figure->y;
    const FigurePoint *const seen = bar->seen ? bar->seen : bar->point;
    const double most = MAX(figure_value(y, seen->low_s, seen->against), figure_value(y, seen->high_s, seen->against));
    return place_of(chalk, group, MAX(bar->value, most));
}

static void add_bar(const Chalk *chalk, const BarGroup *group, const Bar *bar, int top)
{
    const Bars *const bars = chalk->bars;
    const gboolean shares = bars->figure->y == FIGURE_Y_SHARES;
    const int y = top + (BAR_ROW - BAR) / 2, middle = top + BAR_ROW / 2;
    const double length = shares ? chalk->length : chalk->length * bar_length(group, bar->value);
    g_autofree char *text = bar_text(bars, group, bar);
    double before = 0;
    const gboolean measured = bar->seen || bar->contest->high_s > bar->contest->low_s;
    if (!bar->parts->len) // what is measured is drawn on the bar, so the bar is light
        canvas_box(chalk->canvas, chalk->left, y, length, BAR,
                   measured ? canvas_mix(bar->look.color, CANVAS_WHITE, 0.5) : bar->look.color, CANVAS_SOLID,
                   CANVAS_PALE);
    for (guint i = 0; i < bar->parts->len; i++) {
        const BarPart *const part = &g_array_index(bar->parts, BarPart, i);
        const double unit = chalk->length / (shares ? bar->point->time_s : group->scale);
        const double from = MIN(before * unit, length), to = MIN((before + part->seconds) * unit, length);
        canvas_box(chalk->canvas, chalk->left + from, y, to - from, BAR, chalk->looks[part->term].color,
                   chalk->looks[part->term].pattern, CANVAS_PALE);
        before += part->seconds;
    }
    if (!shares && bar->value > group->scale)
        add_cut(chalk, chalk->left + length, y);
    if (measured)
        add_measurements(chalk, group, bar->contest, bar->seen != NULL, middle);
    canvas_text(chalk->canvas, chalk->left - 10, middle, CANVAS_ENDS, LETTERS_TEXT, CANVAS_INK, bar->line->label);
    canvas_text(chalk->canvas, (shares ? chalk->left + length : end_of(chalk, group, bar)) + 10, middle, CANVAS_BEGINS,
                LETTERS_TEXT, CANVAS_INK, text);
}

// Sets the width of the picture, and where the bars are.
static void set_widths(Chalk *chalk, const PictureAsk *ask)
{
    const Bars *const bars = chalk->bars;
    int labels = 0, texts = 0;
    for (guint k = 0; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        for (guint i = 0; i < group->bars->len; i++) {
            const Bar *const bar = &g_array_index(group->bars, Bar, i);
            g_autofree char *text = bar_text(bars, group, bar);
            labels = MAX(labels, text_width(bar->line->label));
            texts = MAX(texts, text_width(text));
        }
    }
    chalk->left = CANVAS_EDGE + labels + 10;
    chalk->length = MAX(canvas_width(ask, CANVAS_WIDTH) - chalk->left - 10 - texts - CANVAS_EDGE, LEAST_BARS);
    chalk->width = chalk->left + chalk->length + 10 + texts + CANVAS_EDGE;
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

// Adds the groups from `top` on. Returns where the last one ends.
static int add_groups(const Chalk *chalk, int top)
{
    const CanvasLook one = {.color = CANVAS_PALE, .width = 1.2};
    canvas_part(chalk->canvas, "bars");
    for (guint k = 0; k < chalk->bars->groups->len; k++) {
        const BarGroup *const group = chalk->bars->groups->pdata[k];
        if (*group->heading) {
            canvas_text(chalk->canvas, CANVAS_EDGE, top + HEADING / 2. + 4, CANVAS_BEGINS, LETTERS_TEXT, CANVAS_PALE,
                        group->heading);
            top += HEADING;
        }
        const int bottom = top + BAR_ROW * (int)group->bars->len;
        if (figure_is_ratio(chalk->bars->figure->y) && group->scale >= 1)
            canvas_line(chalk->canvas, &one, place_of(chalk, group, 1), top, place_of(chalk, group, 1), bottom);
        for (guint i = 0; i < group->bars->len; i++)
            add_bar(chalk, group, &g_array_index(group->bars, Bar, i), top + BAR_ROW * (int)i);
        top = bottom + GROUP_GAP;
    }
    return top;
}

Canvas *bars_canvas(const Bars *bars, const PictureAsk *ask)
{
    Chalk chalk = {.bars = bars};
    set_widths(&chalk, ask);
    set_looks(&chalk);
    g_autofree char *note = bars_note(bars), *subtitle = subtitle_of(bars),
                    *title = bars_title(bars, chalk.width - 2 * CANVAS_EDGE, LETTERS_TITLE);
    g_autoptr(GArray) keys = canvas_keys_new();
    for (guint i = 0; i < bars->terms->len; i++)
        canvas_keys_add(keys, g_strdup(bars->terms->pdata[i]), chalk.looks[i]);
    chalk.canvas = canvas_new(chalk.width, ask);
    const int y = canvas_legend(chalk.canvas, canvas_head(chalk.canvas, title, subtitle), keys);
    canvas_note(chalk.canvas, add_groups(&chalk, y + CANVAS_EDGE / 2) + CANVAS_EDGE / 2, note);
    return chalk.canvas;
}
