// Prints bars as text.
#include "figure/bars.h"
#include <math.h>
#include <string.h>

// The characters of parts, by term.
static const char marks[BARS_MAX_TERMS] = {'#', '=', '+', '-', 'o', ':', '%', '.'};

static size_t longest(const Bars *bars, gboolean labels)
{
    size_t most = 0;
    for (guint k = 0; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        for (guint i = 0; i < group->bars->len; i++) {
            const Bar *const bar = &g_array_index(group->bars, Bar, i);
            g_autofree char *text = labels ? g_strdup(bar->line->label) : bar_text(bars, group, bar);
            most = MAX(most, (size_t)g_utf8_strlen(text, -1));
        }
    }
    return most;
}

// Adds a bar of at most `width` characters, and spaces behind it. A part has its share of the characters, rounded so that
// all of them add up to the bar.
static void add_bar(const Bars *bars, const BarGroup *group, const Bar *bar, size_t width, GString *line)
{
    const gboolean shares = bars->figure->y == FIGURE_Y_SHARES;
    const double length = (double)width * (shares ? 1 : bar_length(group, bar->value));
    const size_t end = MAX((size_t)lround(length), 1);
    const gboolean cut = !shares && bar->value > group->scale;
    double before = 0;
    size_t drawn = 0;
    for (guint i = 0; i < bar->parts->len; i++) {
        const BarPart *const part = &g_array_index(bar->parts, BarPart, i);
        before += part->seconds;
        const double share = shares ? before / bar->point->time_s : before / group->scale;
        const size_t to = MIN((size_t)lround(MIN(share, 1) * (double)width), end);
        for (; drawn < to; drawn++)
            g_string_append_c(line, marks[part->term]);
    }
    for (; drawn < end; drawn++)
        g_string_append_c(line, bar->parts->len ? ' ' : '#');
    if (cut)
        line->str[line->len - 1] = '>';
    for (; drawn < width; drawn++)
        g_string_append_c(line, ' ');
}

void bars_print(const Bars *bars, const char *title, size_t columns, FILE *to)
{
    enum { LEAST = 10 };
    g_autofree char *own = bars_title(bars, (double)columns, LETTERS_CELLS), *note = bars_note(bars);
    const size_t labels = longest(bars, TRUE), texts = longest(bars, FALSE);
    const size_t width = columns > labels + texts + 4 + LEAST ? columns - labels - texts - 4 : LEAST;
    letters_print(title ? title : own, columns, to);
    g_autoptr(GString) keys = g_string_new(NULL);
    for (guint i = 0; i < bars->terms->len; i++)
        g_string_append_printf(keys, "%s%c %s", i ? ", " : "", marks[i], (char *)bars->terms->pdata[i]);
    letters_print(keys->str, columns, to);
    for (guint k = 0; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        fprintf(to, "%s%s%s", "\n", group->heading, *group->heading ? "\n" : "");
        for (guint i = 0; i < group->bars->len; i++) {
            const Bar *const bar = &g_array_index(group->bars, Bar, i);
            g_autofree char *text = bar_text(bars, group, bar);
            g_autoptr(GString) line = g_string_new(NULL);
            g_string_append_printf(line, "%*s%s  ", (int)(labels - (size_t)g_utf8_strlen(bar->line->label, -1)), "",
                                   bar->line->label);
            add_bar(bars, group, bar, width, line);
            fprintf(to, "%s  %s\n", line->str, text);
        }
    }
    if (*note)
        fputc('\n', to);
    letters_print(note, columns, to);
}
