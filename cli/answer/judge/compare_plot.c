// Draws the picture of `compare` with plots/compare.gp.
#include "answer/judge/compare_answer.h"
#include "base/error.h"
#include "figure/figure.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include <math.h>

enum { MOST_LINES = 6, WIDTH = 1000 }; // as compare.gp has colours, and pixels

// Appends a point, in bytes and seconds, and widens the range of times.
static void add_point(GString *data, size_t bytes, double time_s, double *least, double *most)
{
    char y[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(data, "%" G_GSIZE_FORMAT " %s\n", bytes, g_ascii_formatd(y, sizeof y, "%.9g", time_s));
    *least = fmin(*least, time_s);
    *most = fmax(*most, time_s);
}

static void end_block(GString *data)
{
    g_string_append(data, "\n\n");
}

// Returns the candidates that are drawn: first the *fitting ones that fit, then the others by deviation. Free with
// g_array_unref.
static GArray *lines_of(const Compared *x, guint *fitting)
{
    const CurveVerdict *v = x->verdict;
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < v->pieces->len + x->candidates->len && lines->len < MOST_LINES; i++) {
        const guint at =
            i < v->pieces->len ? g_array_index(v->pieces, VerdictPiece, i).candidate : v->order[i - v->pieces->len];
        gboolean there = FALSE;
        for (guint k = 0; k < lines->len; k++)
            there |= g_array_index(lines, guint, k) == at;
        if (!there)
            g_array_append_val(lines, at);
        if (i < v->pieces->len)
            *fitting = lines->len;
    }
    return lines;
}

gboolean compare_draw(const CompareAnswer *c, const char *path, const char *title, FILE *to, GError **error)
{
    const char *format;
    if (!picture_format("--draw", path, &format, error))
        return FALSE;
    if (c->all->len != 1)
        return bad_input(error, "--draw %s: there are %u curves; allowed: one, which --where COLUMN=VALUE can choose",
                         path, c->all->len);
    const Compared *x = g_ptr_array_index(c->all, 0);
    const GPtrArray *points = x->curve->points;
    guint fitting = 0;
    g_autoptr(GArray) lines = lines_of(x, &fitting);
    g_autoptr(GString) data = g_string_new(NULL), setup = g_string_new(NULL);
    double least = INFINITY, most = 0;
    for (guint i = 0; i < points->len; i++) {
        const LogSample *point = g_ptr_array_index(points, i);
        add_point(data, point->bytes, point->time_s, &least, &most);
    }
    end_block(data);
    for (guint k = 0; k < lines->len; k++) {
        const CompareCandidate *candidate = g_ptr_array_index(x->candidates, g_array_index(lines, guint, k));
        for (guint i = 0; i < points->len; i++)
            add_point(data, curve_at(x->curve, i)->bytes, candidate->time_s[i], &least, &most);
        end_block(data);
        g_autofree char *name = compare_candidate(candidate);
        gnuplot_text(setup, "name", k + 1, name);
    }
    g_autofree char *what = compare_title(x), *sentence = compare_sentence(x),
                    *found = g_strdup_printf("%s: %s", what, sentence),
                    *wrapped = letters_wrap(title ? title : found, WIDTH - 40, LETTERS_TITLE);
    g_string_append_printf(setup, "format = '%s'; n = %u; fitting = %u; title_rows = %u; ", format, lines->len, fitting,
                           figure_line_count(wrapped));
    gnuplot_lines(setup, "title", 0, wrapped);
    gnuplot_number(setup, "x_min", (double)curve_at(x->curve, 0)->bytes);
    gnuplot_number(setup, "x_max", (double)curve_at(x->curve, points->len - 1)->bytes);
    gnuplot_number(setup, "y_min", least);
    gnuplot_number(setup, "y_max", most);
    return picture_write("compare.gp", setup->str, data, format, title ? title : found, to, error);
}
