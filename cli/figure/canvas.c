#include "figure/canvas.h"
#include "base/escape.h"
#include "out/gnuplot.h"
#include <stdint.h>

enum {
    TITLE_ROW = 26,
    KEY = 34, // the sample of a legend's entry
    KEY_TEXT = 8,
    KEY_GAP = 26,
    BOX = 18
};

struct Canvas {
    const PictureAsk *ask;
    int width, height;
    char *name; // of the picture, for screen readers
    guint texts;
    GString *labels;   // statements for the texts
    GString *elements; // the elements of gnuplot's `plot`: consecutive ones of one style are one
    GString *data;     // of the elements
    char *style;       // of the last element
    const char *part;  // to which elements belong now
    GPtrArray *parts;  // .. of each element
};

Canvas *canvas_new(int width, const PictureAsk *ask)
{
    Canvas *canvas = g_new(Canvas, 1);
    *canvas = (Canvas){.ask = ask,
                       .width = width,
                       .name = g_strdup(""),
                       .labels = g_string_new(NULL),
                       .elements = g_string_new(NULL),
                       .data = g_string_new(NULL),
                       .style = g_strdup(""),
                       .part = "page",
                       .parts = g_ptr_array_new()};
    return canvas;
}

void canvas_free(Canvas *canvas)
{
    if (!canvas)
        return;
    g_string_free(canvas->labels, TRUE);
    g_string_free(canvas->elements, TRUE);
    g_string_free(canvas->data, TRUE);
    g_ptr_array_unref(canvas->parts);
    g_free(canvas->style);
    g_free(canvas->name);
    g_free(canvas);
}

int canvas_width(const PictureAsk *ask, int usual)
{
    return ask && ask->size.width > 0 ? (int)ask->size.width : usual;
}

// ---- What can be drawn ----------------------------------------------------------------------------------------------

void canvas_part(Canvas *canvas, const char *name)
{
    canvas->part = name;
}

static void add_numbers(GString *to, const double *numbers, size_t n)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    for (size_t i = 0; i < n; i++)
        g_string_append_printf(to, "%s%s", i ? " " : "", g_ascii_formatd(buffer, sizeof buffer, "%.2f", numbers[i]));
}

void canvas_text(Canvas *canvas, double x, double y, CanvasSide side, Letters font, int color, const char *text)
{
    static const char *const sides[] = {"left", "right", "center"};
    g_autofree char *quoted = escape_gnuplot(text);
    g_string_append_printf(canvas->labels, "set label %u %s at ", ++canvas->texts, quoted);
    add_numbers(canvas->labels, &x, 1);
    g_string_append(canvas->labels, ", ");
    add_numbers(canvas->labels, &y, 1);
    g_string_append_printf(canvas->labels, " %s font font_%d textcolor rgb '#%06X' front\n", sides[side], font,
                           (guint)color);
}

int canvas_paragraph(Canvas *canvas, double x, int y, double width, Letters font, int color, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const int height = font == LETTERS_TITLE ? TITLE_ROW : CANVAS_ROW;
    for (char **line = lines; *line; line++) {
        g_autofree char *wrapped = letters_wrap(*line, width, font);
        g_auto(GStrv) rows = g_strsplit(wrapped, "\n", -1);
        for (char **row = rows; *row; row++, y += height)
            canvas_text(canvas, x, y + height / 2., CANVAS_BEGINS, font, color, *row);
    }
    return y;
}

// Begins an element of this style, which it frees, or goes on with the last one.
static void begin(Canvas *canvas, char *style)
{
    const guint n = canvas->parts->len;
    const gboolean same = n && canvas->parts->pdata[n - 1] == canvas->part && g_str_equal(style, canvas->style);
    if (!same)
        g_ptr_array_add(canvas->parts, (gpointer)(uintptr_t)canvas->part);
    if (!same)
        g_string_append_printf(canvas->elements, "%s'-' using %s notitle", canvas->elements->len ? ", \\\n" : "",
                               style);
    if (!same && canvas->data->len)
        g_string_append(canvas->data, "e\n");
    g_free(canvas->style);
    canvas->style = style;
}

static void add_row(Canvas *canvas, const double *numbers, size_t n)
{
    add_numbers(canvas->data, numbers, n);
    g_string_append_c(canvas->data, '\n');
}

static void add_box(Canvas *canvas, double x, double y, double width, double height, int color, char *fill)
{
    const double row[] = {x + width / 2, y + height / 2, width / 2, height / 2, color};
    g_autofree char *filled = fill;
    begin(canvas,
          g_strdup_printf("1:2:3:4:5 with boxxyerror fillstyle %s linewidth 0.7 linecolor rgb variable", filled));
    add_row(canvas, row, G_N_ELEMENTS(row));
}

void canvas_box(Canvas *canvas, double x, double y, double width, double height, int color, int pattern, int border)
{
    g_autofree char *edge = border < 0 ? g_strdup("noborder") : g_strdup_printf("border rgb '#%06X'", (guint)border);
    add_box(canvas, x, y, width, height, color,
            pattern == CANVAS_SOLID ? g_strdup_printf("solid 1 %s", edge)
                                    : g_strdup_printf("pattern %d %s", pattern, edge));
}

void canvas_hatches(Canvas *canvas, double x, double y, double width, double height)
{
    add_box(canvas, x, y, width, height, CANVAS_INK,
            g_strdup_printf("transparent pattern %d noborder", CANVAS_HATCHES));
}

void canvas_path(Canvas *canvas, const CanvasLook *look)
{
    char width[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(width, sizeof width, "%.3g", look->width > 0 ? look->width : 2);
    g_string_append(canvas->data, canvas->data->len ? "\n" : ""); // a blank line ends the path before
    begin(canvas, g_strdup_printf("1:2 with lines linewidth %s dashtype %d linecolor rgb '#%06X'", width,
                                  MAX(look->dash, 1), (guint)look->color));
}

void canvas_to(Canvas *canvas, double x, double y)
{
    const double row[] = {x, y};
    add_row(canvas, row, G_N_ELEMENTS(row));
}

void canvas_line(Canvas *canvas, const CanvasLook *look, double x, double y, double x2, double y2)
{
    canvas_path(canvas, look);
    canvas_to(canvas, x, y);
    canvas_to(canvas, x2, y2);
}

void canvas_point(Canvas *canvas, const CanvasLook *look, double x, double y)
{
    char size[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(size, sizeof size, "%.3g", look->size > 0 ? look->size : 1);
    begin(canvas, g_strdup_printf("1:2 with points pointtype %d pointsize %s * mark linewidth %s linecolor rgb '#%06X'",
                                  look->point, size, look->size > 0 ? "1" : "2", (guint)look->color));
    canvas_to(canvas, x, y);
}

// ---- The layout -----------------------------------------------------------------------------------------------------

void canvas_name(Canvas *canvas, const char *name)
{
    g_free(canvas->name);
    canvas->name = g_strdelimit(g_strdup(name), "\n", ' ');
}

int canvas_head(Canvas *canvas, const char *title, const char *subtitle)
{
    const double room = canvas->width - 2 * CANVAS_EDGE;
    const char *asked = canvas->ask ? canvas->ask->title : NULL;
    canvas_name(canvas, asked && *asked ? asked : title);
    const int y =
        canvas_paragraph(canvas, CANVAS_EDGE, CANVAS_EDGE / 2, room, LETTERS_TITLE, CANVAS_INK, asked ? asked : title);
    return canvas_paragraph(canvas, CANVAS_EDGE, y, room, LETTERS_TEXT, CANVAS_PALE, subtitle);
}

static void key_clear(void *key)
{
    g_free(((CanvasKey *)key)->text);
}

GArray *canvas_keys_new(void)
{
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(CanvasKey));
    g_array_set_clear_func(keys, key_clear);
    return keys;
}

void canvas_keys_add(GArray *keys, char *text, CanvasLook look)
{
    const CanvasKey key = {text, look};
    g_array_append_val(keys, key);
}

// Draws what a look looks like, from (x, y) on, where y is its middle.
static void add_sample(Canvas *canvas, const CanvasLook *look, double x, double y)
{
    CanvasLook point = *look;
    point.size = 0;
    if (look->pattern)
        canvas_box(canvas, x, y - BOX / 2., BOX, BOX, look->color, look->pattern, CANVAS_PALE);
    if (look->hatched)
        canvas_hatches(canvas, x, y - BOX / 2., BOX, BOX);
    if (look->dash)
        canvas_line(canvas, look, x, y, x + KEY, y);
    if (look->point)
        canvas_point(canvas, &point, x + (look->dash ? KEY / 2. : BOX / 2.), y);
}

int canvas_legend(Canvas *canvas, int y, const GArray *keys)
{
    const int room = canvas->width - CANVAS_EDGE;
    int x = CANVAS_EDGE;
    canvas_part(canvas, "legend");
    for (guint i = 0; i < keys->len; i++) {
        const CanvasKey *const key = &g_array_index(keys, CanvasKey, i);
        const gboolean heading = !key->look.dash && !key->look.point && !key->look.pattern;
        const int sample = heading ? 0 : (key->look.dash ? KEY : BOX) + KEY_TEXT;
        const int width = sample + (int)letters_width(key->text, LETTERS_TEXT) + 1;
        if (x > CANVAS_EDGE && (heading || x + width > room)) {
            x = CANVAS_EDGE;
            y += CANVAS_ROW;
        }
        add_sample(canvas, &key->look, x, y + CANVAS_ROW / 2.);
        const int end = canvas_paragraph(canvas, x + sample, y, MAX(room - x - sample, 1), LETTERS_TEXT,
                                         heading ? CANVAS_PALE : CANVAS_INK, key->text);
        y = MAX(end - CANVAS_ROW, y); // what is wider than the page has rows of its own
        x = x + width > room ? room : x + width + KEY_GAP;
    }
    return keys->len ? y + CANVAS_ROW : y;
}

void canvas_say(GString *note, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_string_append(note, note->len ? "; " : "");
    g_string_append_vprintf(note, format, args);
    va_end(args);
}

void canvas_omitted(GString *note, guint n, const char *why)
{
    if (n)
        canvas_say(note, "%u point%s omitted: %s", n, n == 1 ? "" : "s", why);
}

void canvas_note(Canvas *canvas, int y, const char *note)
{
    const double room = canvas->width - 2 * CANVAS_EDGE;
    canvas->height = canvas_paragraph(canvas, CANVAS_EDGE, y, room, LETTERS_TEXT, CANVAS_PALE, note) + CANVAS_EDGE / 2;
}

// ---- The picture ----------------------------------------------------------------------------------------------------

GString *canvas_draw(const Canvas *canvas, const char *format, GError **error)
{
    g_autofree char *page = canvas->ask ? picture_page(&canvas->ask->size) : g_strdup("");
    g_autofree char *setup =
        g_strdup_printf("%sformat = '%s'; width = %d; height = %d; ", page, format, canvas->width, canvas->height);
    g_autoptr(GString) drawing = g_string_new(canvas->labels->str);
    g_string_append_printf(drawing, "plot %s\n%se\n", canvas->elements->len ? canvas->elements->str : "'-'",
                           canvas->data->len ? canvas->data->str : "0 0\n");
    GString *const picture = gnuplot_draw(setup, drawing, error);
    for (guint i = canvas->parts->len; picture && i > 0; i--) { // what the svg terminal calls an element
        g_autofree char *element = g_strdup_printf("<title>gnuplot_plot_%u</title>", i),
                        *part = g_strdup_printf("<title>%s</title>", (const char *)canvas->parts->pdata[i - 1]);
        g_string_replace(picture, element, part, 1);
    }
    if (picture)
        picture_finish(picture, format, canvas->name);
    return picture;
}

gboolean canvas_write(Canvas *canvas, FILE *to, GError **error)
{
    g_autoptr(Canvas) drawn = canvas;
    g_autoptr(GString) picture = drawn ? canvas_draw(drawn, drawn->ask->format, error) : NULL;
    if (picture)
        fwrite(picture->str, 1, picture->len, to);
    return picture != NULL;
}

gboolean canvas_close(Canvas *canvas, Output *to, GError **error)
{
    return canvas_write(canvas, to->to, error) && output_close(to, error);
}

gboolean canvas_html(Canvas *canvas, Html *page, const char *caption, GError **error)
{
    g_autoptr(Canvas) drawn = canvas;
    g_autoptr(GString) picture = drawn ? canvas_draw(drawn, "svg", error) : NULL;
    if (picture)
        html_picture(page, picture, caption);
    return picture != NULL;
}

int canvas_mix(int color, int other, double share)
{
    int all = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int one = color >> shift & 255, two = other >> shift & 255;
        all |= (int)(two + share * (one - two) + 0.5) << shift;
    }
    return all;
}

int canvas_ink_on(int color)
{
    const int light = 299 * (color >> 16 & 255) + 587 * (color >> 8 & 255) + 114 * (color & 255);
    return light < 140 * 1000 ? CANVAS_WHITE : CANVAS_INK;
}
