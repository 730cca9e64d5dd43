// The legend that the panels of a figure share.
#include "base/units.h"
#include "figure/figure.h"
#include <string.h>

// With at most so many panels that are at least so wide, each names its lines beside them.
enum { OWN_NAMES = 2, OWN_NAMES_WIDTH = 700 };

static void entry_clear(void *data)
{
    g_free(((FigureEntry *)data)->same);
}

static gboolean same_name(const FigureLine *a, const FigureLine *b)
{
    return !strcmp(a->algorithm, b->algorithm) && !strcmp(a->params, b->params) && !strcmp(a->label, b->label);
}

static FigureEntry *entry_of(const GArray *legend, const FigureLine *line)
{
    for (guint i = 0; i < legend->len; i++) {
        FigureEntry *const entry = &g_array_index(legend, FigureEntry, i);
        if (same_name(entry->line, line))
            return entry;
    }
    return NULL;
}

// Returns what tells a panel from the others: "bcast", "64" ranks, or "bcast, 64 ranks" if there are several collectives.
static char *panel_text(const Figure *figure, const FigurePanel *panel, gboolean several)
{
    g_autofree char *other = figure->split ? figure_other_text(figure, panel->other) : g_strdup("");
    if (!several)
        return units_format_size(panel->other);
    return g_strconcat(panel->collective, *other ? ", " : "", other, NULL);
}

// Appends "= b, c (8, 16 ranks)" for the names that share an entry's points in panel `first` and in others of the same names,
// unless an earlier panel has them. Sets *everywhere to FALSE if a panel has the entry with other names.
static void add_same(const Figure *figure, const GPtrArray *same, guint first, gboolean *everywhere, GString *text)
{
    const FigurePanel *const last = figure->panels->pdata[figure->panels->len - 1];
    const char *const names = same->pdata[first];
    g_autoptr(GString) where = g_string_new(NULL);
    for (guint k = 0; k < same->len; k++) {
        const gboolean alike = same->pdata[k] && !strcmp(same->pdata[k], names);
        if (alike && k < first)
            return;
        *everywhere &= alike || !same->pdata[k];
        g_autofree char *panel = panel_text(figure, figure->panels->pdata[k], last->number > 0);
        if (alike)
            g_string_append_printf(where, "%s%s", where->len ? ", " : "", panel);
    }
    if (!*names)
        return;
    g_string_append_printf(text, "%s%s", text->len ? "; " : "", names);
    if (!*everywhere)
        g_string_append_printf(text, " (%s%s)", where->str,
                               last->number                 ? ""
                               : figure->x == FIGURE_X_SIZE ? " ranks"
                                                            : " bytes");
}

// Returns which names share the points of an entry, and if they do not in every panel that has it, also where.
static char *same_of(const Figure *figure, const FigureEntry *entry)
{
    g_autoptr(GPtrArray) same = g_ptr_array_new_with_free_func(g_free); // of each panel; NULL if it lacks the entry
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint k = 0; k < figure->panels->len; k++) {
        const GPtrArray *const lines = ((FigurePanel *)figure->panels->pdata[k])->lines;
        g_ptr_array_add(same, NULL);
        for (guint i = 0; i < lines->len; i++)
            if (!same->pdata[k] && same_name(entry->line, lines->pdata[i]))
                same->pdata[k] = figure_same(lines->pdata[i], G_MAXINT);
    }
    gboolean everywhere = TRUE;
    for (guint k = 0; k < same->len; k++)
        if (same->pdata[k])
            add_same(figure, same, k, &everywhere, text);
    return g_strdup(text->str);
}

// Sets the looks of all entries, as if they were the lines of one panel.
static void set_looks(GArray *legend)
{
    g_autofree FigureLine *copies = g_new(FigureLine, legend->len);
    g_autoptr(GPtrArray) lines = g_ptr_array_new();
    for (guint i = 0; i < legend->len; i++) {
        copies[i] = *g_array_index(legend, FigureEntry, i).line;
        copies[i].variant = 0;
        for (guint k = 0; k < i; k++)
            copies[i].variant += !strcmp(copies[k].algorithm, copies[i].algorithm);
        g_ptr_array_add(lines, &copies[i]);
    }
    g_autofree CanvasLook *looks = figure_looks(&(FigurePanel){.lines = lines});
    for (guint i = 0; i < legend->len; i++)
        g_array_index(legend, FigureEntry, i).look = looks[i];
}

GArray *figure_legend(const Figure *figure, int width)
{
    g_autoptr(GArray) legend = g_array_new(FALSE, FALSE, sizeof(FigureEntry));
    g_array_set_clear_func(legend, entry_clear);
    for (guint k = 0; k < figure->panels->len; k++) {
        const GPtrArray *const lines = ((FigurePanel *)figure->panels->pdata[k])->lines;
        for (guint i = 0; i < lines->len; i++) {
            FigureLine *const line = lines->pdata[i];
            const FigureEntry entry = {.line = line}, *const before = entry_of(legend, line);
            if (before)
                ((FigureLine *)before->line)->wins |= line->wins;
            else
                g_array_append_val(legend, entry);
        }
    }
    const gboolean narrow = width < (int)figure->panels->len * OWN_NAMES_WIDTH;
    if ((figure->panels->len <= OWN_NAMES && !narrow) || legend->len > FIGURE_MAX_LINES)
        return NULL;
    for (guint i = 0; i < legend->len; i++) {
        FigureEntry *const entry = &g_array_index(legend, FigureEntry, i);
        entry->same = same_of(figure, entry);
    }
    set_looks(legend);
    return g_steal_pointer(&legend);
}

CanvasLook *figure_panel_looks(const FigurePanel *panel, const GArray *legend)
{
    if (!legend)
        return figure_looks(panel);
    CanvasLook *const looks = g_new(CanvasLook, panel->lines->len);
    for (guint i = 0; i < panel->lines->len; i++)
        looks[i] = entry_of(legend, panel->lines->pdata[i])->look;
    return looks;
}
