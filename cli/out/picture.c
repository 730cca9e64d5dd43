#define _GNU_SOURCE // memmem
#include "out/picture.h"
#include "out/gnuplot.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"
#include <string.h>

// Returns the format that the ending of a path names, or NULL.
static const char *format_of(const char *path)
{
    static const char *const formats[] = {"svg", "png", "pdf"};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < G_N_ELEMENTS(formats); i++)
        if (!g_ascii_strcasecmp(dot + 1, formats[i]))
            return formats[i];
    return NULL;
}

void picture_synonym(char **output, PictureAsk *ask)
{
    if (!ask->path && *output && format_of(*output))
        ask->path = g_steal_pointer(output);
}

// Sets *number to a number from least to most, at which the text ends or goes on with `after`.
static gboolean take_number(const char **text, double least, double most, char after, double *number)
{
    const size_t n = strcspn(*text, (char[]){after, '\0'});
    g_autofree char *part = g_strndup(*text, n);
    if (!number_real(part, number) || *number < least || *number > most)
        return FALSE;
    *text += n + ((*text)[n] != '\0');
    return TRUE;
}

void picture_ask_clear(PictureAsk *ask)
{
    g_free(ask->path);
    g_free(ask->title);
    g_free(ask->size_text);
    g_free(ask->font);
}

gboolean picture_ask(PictureAsk *ask, const char *option, GError **error)
{
    const char *const size = ask->size_text, *const font = ask->font;
    enum { INCH = 96, PLAIN_PT = 12, SMALL_PT = 8, COLUMN_TENTHS = 34, PAGE = 7 };
    double width = 0, height = 0, points = size ? SMALL_PT : PLAIN_PT;
    const char *text = size, *font_text = font;
    g_autofree char *shown = error_quote(size ? size : ""), *shown_font = error_quote(font ? font : "");
    if (ask->title && !g_utf8_validate(ask->title, -1, NULL))
        return bad_input(error, "--title is not text; allowed: UTF-8");
    if (!ask->path && (size || font))
        return bad_input(error, "--size and --font are for a picture in a file; allowed: with %s", option);
    if (!ask->path && ask->title && strcmp(option, "-o") != 0)
        return bad_input(error, "--title is for a picture; allowed: with %s", option);
    if (ask->path && !(ask->format = format_of(ask->path)))
        return bad_input(error, "%s %s: the name must end in .svg, .png or .pdf", option, ask->path);
    if (size && strcmp(size, "column") == 0)
        width = COLUMN_TENTHS / 10.;
    else if (size && strcmp(size, "page") == 0)
        width = PAGE;
    else if (size && (!take_number(&text, 1, 100, 'x', &width) ||
                      ((*text || g_str_has_suffix(size, "x")) && !take_number(&text, 1, 100, '\0', &height))))
        return bad_input(error, "--size %s; allowed: column, page, or inches from 1 to 100, such as 7 or 7x4", shown);
    if (font && !take_number(&font_text, 4, 48, '\0', &points))
        return bad_input(error, "--font %s; allowed: 4 to 48 points", shown_font);
    const double scale = PLAIN_PT / points;
    ask->size =
        (PictureSize){width * INCH * scale, height * INCH * scale, width * INCH, height * INCH, font ? 1 / scale : 0};
    return TRUE;
}

gboolean picture_open(const PictureAsk *ask, Output *to, GError **error)
{
    return !ask->path || output_open(to, ask->path, error);
}

char *picture_page(const PictureSize *size)
{
    GString *const setup = g_string_new(NULL);
    if (size->page_width > 0) {
        gnuplot_number(setup, "page_width", size->page_width);
        gnuplot_number(setup, "page_height", size->page_height);
    } else if (size->zoom > 0) {
        gnuplot_number(setup, "page_zoom", size->zoom);
    }
    return g_string_free(setup, FALSE);
}

// Replaces the date in a pdf, which would differ from run to run. The length stays the same, because a pdf refers to
// its parts by their offsets.
static void finish_pdf(GString *picture)
{
    static const char KEY[] = "/CreationDate (D:", EPOCH[] = "19700101000000";
    char *const key = memmem(picture->str, picture->len, KEY, strlen(KEY));
    if (key && key + strlen(KEY) + strlen(EPOCH) <= picture->str + picture->len)
        memcpy(key + strlen(KEY), EPOCH, strlen(EPOCH)); // NOLINT(bugprone-not-null-terminated-result)
}

// Adds to an svg what gnuplot cannot write: the title for screen readers, fallback fonts and font weights.
static void finish_svg(GString *picture, const char *title)
{
    g_autofree char *escaped = escape_xml(title), *element = g_strconcat("<title>", escaped, "</title>", NULL);
    g_string_replace(picture, "<title>Gnuplot</title>", element, 1);
    g_string_replace(picture, "\"DejaVu Sans\"", "\"DejaVu Sans, Verdana, sans-serif\"", 0);
    g_string_replace(picture, "\"DejaVu Sans:Bold\"", "\"DejaVu Sans, Verdana, sans-serif\" font-weight=\"bold\"", 0);
}

void picture_finish(GString *picture, const char *format, const char *title)
{
    if (strcmp(format, "pdf") == 0)
        finish_pdf(picture);
    else if (strcmp(format, "svg") == 0)
        finish_svg(picture, title);
}
