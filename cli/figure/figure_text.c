// Titles, subtitles and the note of a figure.
#include "figure/figure.h"
#include "search/search/points.h"
#include "base/distinct.h"
#include "base/escape.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

char *figure_model_text(const char *model, const char *transfer)
{
    const char *const name = strcmp(model, measured_model.name) == 0 ? "model measured" : model; // or it would mislead
    return g_strconcat(name, transfer && *transfer ? ", " : NULL, transfer, NULL);
}

// Returns the name of a line in the title, which gives the number of ranks or bytes separately.
static char *short_name(const FigureLine *line)
{
    return *line->params ? g_strdup_printf("%s %s", line->algorithm, line->params) : g_strdup(line->algorithm);
}

// Returns the winners: "a wins up to 4K, b to 1M, c from 2M on". If `brief`, only the first and the last winner are
// named. Returns "" if the panel has no point with this `other`.
static char *winners(const FigurePanel *panel, size_t other, gboolean brief)
{
    g_autoptr(GArray) all = figure_stretches(panel, other);
    GString *const text = g_string_new(NULL);
    if (all->len == 1 && figure_undecided(panel))
        return g_string_free(g_string_append(text, "none is clearly faster than another"), FALSE);
    for (guint i = 0; i < all->len; i++) {
        const FigureStretch *const now = &g_array_index(all, FigureStretch, i);
        g_autofree char *name = short_name(now->winner);
        const gboolean end = i + 1 == all->len;
        g_autofree char *x = units_format_size(end ? now->first : now->last);
        if (all->len == 1)
            g_string_append_printf(text, "%s wins everywhere", name);
        else if (i == 0)
            g_string_append_printf(text, "%s wins up to %s", name, x);
        else if (end)
            g_string_append_printf(text, ", %s from %s on", name, x);
        else if (!brief)
            g_string_append_printf(text, ", %s to %s", name, x);
        else if (i == 1)
            g_string_append_printf(text, ", %s between", all->len == 3 ? "another" : "others");
    }
    return g_string_free(text, FALSE);
}

// Returns the range of a panel's only line: "ring takes 5 us to 2 ms", "ring has 2 MB/s to 1 GB/s".
static char *course(const Figure *figure, const FigurePanel *panel)
{
    const FigureLine *const line = panel->lines->pdata[0];
    const GArray *const points = line->contest->len ? line->contest : line->points;
    double low = INFINITY, high = 0;
    for (guint i = 0; i < points->len; i++) {
        const FigurePoint *const point = &g_array_index(points, FigurePoint, i);
        const double value = figure_value(figure->y, point->time_s, point->against);
        low = point->hole ? low : MIN(low, value);
        high = point->hole ? high : MAX(high, value);
    }
    g_autofree char *from = figure_value_text(figure->y, low), *to = figure_value_text(figure->y, high);
    g_autofree char *name = short_name(line);
    if (figure->y == FIGURE_Y_SPEEDUP)
        return g_strdup_printf("%s is %s to %s times as fast as %s", name, from, to, figure->baseline);
    if (figure->y == FIGURE_Y_X_BOUND)
        return g_strdup_printf("%s takes %s to %s times the lower bound", name, from, to);
    return g_strdup_printf("%s %s %s to %s", name, figure->y == FIGURE_Y_TIME ? "takes" : "has", from, to);
}

char *figure_other_text(const Figure *figure, size_t other)
{
    g_autofree char *number = units_format_size(other);
    if (figure->x == FIGURE_X_SIZE && figure->per_node > 0 && other % figure->per_node == 0)
        return g_strdup_printf("%zu node%s of %zu rank%s", other / figure->per_node,
                               other == figure->per_node ? "" : "s", figure->per_node,
                               figure->per_node == 1 ? "" : "s");
    return g_strdup_printf(figure->x == FIGURE_X_SIZE ? "%s ranks" : "%s bytes", number);
}

char *figure_fit(const char *head, const char *body, double width, Letters font)
{
    g_autofree char *text = g_strdup_printf("%s: %s", head, body);
    if (letters_width(text, font) <= width)
        return g_steal_pointer(&text);
    for (size_t end = strlen(text); end-- > 1;) {
        if (text[end] != ' ' || (!strchr(",;:", text[end - 1])))
            continue;
        text[end] = '\0';
        const gboolean fits = letters_width(text, font) <= width && letters_width(text + end + 1, font) <= width;
        text[end] = fits ? '\n' : ' ';
        if (fits)
            return g_steal_pointer(&text);
    }
    char *const wrapped = letters_wrap(text, width, font);
    if (letters_lines(wrapped) <= 2)
        return wrapped;
    g_free(wrapped);
    return NULL;
}

// Returns TRUE if the note names the platform, because the titles need the room.
static gboolean platform_in_note(const Figure *figure)
{
    return (figure->n_others > 1 && !figure->split) || (figure->predicted && figure->measured);
}

// Returns what was run: "allreduce, 32K ranks, lumi". A barrier has 0 bytes, which the title does not mention.
static char *title_head(const Figure *figure, const char *collective, const char *others)
{
    g_autoptr(GString) head = g_string_new(collective);
    if (*others && strcmp(others, "0 bytes"))
        g_string_append_printf(head, ", %s", others);
    if (*figure->platform && !platform_in_note(figure))
        g_string_append_printf(head, ", %s", figure->platform);
    if (figure->measured)
        g_string_append(head, ", measured");
    return g_strdup(head->str);
}

// Returns "; predictions are off by 23 %", or "" if no point is both predicted and measured.
static char *trust_text(const FigurePanel *panel)
{
    const FigureTrust trust = figure_trust(panel);
    return trust.n ? g_strdup_printf("; predictions are off by %.*f %%", trust.median < 1 ? 1 : 0, 100 * trust.median)
                   : g_strdup("");
}

// Returns the title of a panel that shows two values of the quantity that is not on the x axis, with different winners.
// Each value has a line, "bcast, 8 ranks, lumi: a wins everywhere" and "64 ranks: b wins everywhere"; if these do not
// fit, the title says that the winners depend on the value.
static char *title_of_two(const Figure *figure, const FigurePanel *panel, double width, Letters font)
{
    g_autoptr(GString) title = g_string_new(NULL);
    gboolean all_fit = TRUE;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *other = figure_other_text(figure, figure->others[i]);
        g_autofree char *head = title_head(figure, panel->collective, other);
        g_autofree char *full = winners(panel, figure->others[i], FALSE);
        g_autofree char *brief = winners(panel, figure->others[i], TRUE);
        const char *const start = i ? other : head;
        g_autofree char *longest = g_strdup_printf("%s: %s", start, full);
        g_autofree char *shorter = g_strdup_printf("%s: %s", start, brief);
        all_fit &= letters_width(shorter, font) <= width;
        g_string_append_printf(title, "%s%s", i ? "\n" : "", letters_width(longest, font) <= width ? longest : shorter);
    }
    if (all_fit)
        return g_strdup(title->str);
    g_autofree char *head = title_head(figure, panel->collective, "");
    g_autofree char *text = g_strdup_printf("%s: the winners depend on the %s", head,
                                            figure->x == FIGURE_X_SIZE ? "number of ranks" : "size");
    return letters_wrap(text, width, font);
}

char *figure_head(const Figure *figure, const FigurePanel *panel)
{
    g_autofree char *other = figure->n_others == 1 || figure->split
                                 ? figure_other_text(figure, figure->split ? panel->other : figure->others[0])
                                 : g_strdup("");
    return title_head(figure, panel->collective, other);
}

char *figure_title(const Figure *figure, const FigurePanel *panel, double width, Letters font)
{
    if (figure->y == FIGURE_Y_X_PREDICTED) {
        g_autofree char *head = figure_head(figure, panel), *agreement = figure_agreement(panel);
        char *const title = figure_fit(head, agreement, width, font);
        g_autofree char *text = g_strdup_printf("%s: %s", head, agreement);
        return title ? title : letters_wrap(text, width, font);
    }
    const gboolean contest = panel->lines->len > 1 || panel->left_out;
    g_autofree char *body = NULL, *brief = NULL, *others = g_strdup("");
    for (guint i = 0; i < figure->n_others; i++) {
        g_autofree char *here = winners(panel, figure->others[i], FALSE);
        if (!*here) // nothing is drawn for this value in this panel
            continue;
        // At a second value, trust_text() is "": a figure with predictions and measurements is split, one value a
        // panel.
        if (body && contest && strcmp(body, here))
            return title_of_two(figure, panel, width, font);
        g_autofree char *before = g_steal_pointer(&others), *other = figure_other_text(figure, figure->others[i]);
        others = *before ? g_strdup_printf("%s and %s", before, other) : g_strdup(other);
        g_free(body);
        g_free(brief);
        g_autofree char *trust = trust_text(panel), *line = contest ? NULL : course(figure, panel);
        g_autofree char *less = contest ? winners(panel, figure->others[i], TRUE) : NULL;
        body = g_strconcat(contest ? here : line, trust, NULL);
        brief = g_strconcat(contest ? less : line, trust, NULL);
    }
    g_autofree char *head = title_head(figure, panel->collective, others);
    char *title = figure_fit(head, body, width, font);
    if (!title)
        title = figure_fit(head, brief, width, font);
    if (title)
        return title;
    g_autofree char *text = g_strdup_printf("%s: %s", head, brief);
    return letters_wrap(text, width, font);
}

// Returns how many algorithms are omitted. If there is `room`, it also says how far from the fastest they are, or why.
static char *left_text(const FigurePanel *panel, const FigureChoice *choice, gboolean room)
{
    const char *const plural = panel->left_out == 1 ? "" : "s";
    if (!panel->left_out)
        return g_strdup("");
    if (room && choice->only)
        return g_strdup_printf("only the algorithms asked for are compared; %u other%s omitted", panel->left_out,
                               panel->left_out == 1 ? " is" : "s are");
    // The ratio is rounded down, so that "nowhere below" stays true.
    const double ratio = panel->left_ratio,
                 steps = ratio < 1.1  ? 100
                         : ratio < 10 ? 10
                                      : 1,
                 cut = floor(ratio * steps) / steps;
    if (!room || isinf(ratio) || cut <= 1)
        return g_strdup_printf("%u other%s omitted", panel->left_out, plural);
    return g_strdup_printf("%u other%s omitted: nowhere below %g times the fastest", panel->left_out, plural, cut);
}

char *figure_subtitle(const Figure *figure, const FigurePanel *panel, const FigureChoice *choice)
{
    const FigureTrust trust = figure_trust(panel);
    g_autofree char *left = left_text(panel, choice, !trust.contests);
    if (!trust.contests)
        return g_steal_pointer(&left);
    return g_strdup_printf("the fastest is as predicted at %u of %u %s%s%s", trust.right, trust.contests,
                           figure->x == FIGURE_X_SIZE ? "sizes" : "numbers of ranks", *left ? "; " : "", left);
}

char *figure_same(const FigureLine *line, size_t width)
{
    GString *const text = g_string_new(NULL);
    size_t used = 0;
    for (guint i = 0; i < line->same->len; i++) {
        const char *const name = line->same->pdata[i], *const comma = i + 1 < line->same->len ? "," : "";
        const size_t len = (size_t)g_utf8_strlen(name, -1) + strlen(comma);
        const gboolean fits = i && used + 1 + len <= width;
        g_string_append_printf(text, "%s%s%s", !i ? "= " : fits ? " " : "\n   ", name, comma);
        used = fits ? used + 1 + len : 2 + len;
    }
    return g_string_free(text, FALSE);
}

// Returns the names of the algorithms whose parameters change along their lines, or "". Free with g_free.
static char *changing(const Figure *figure)
{
    enum { MOST = 3 };
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    GString *const text = g_string_new(NULL);
    for (guint k = 0; k < figure->panels->len; k++) {
        const GPtrArray *const lines = ((FigurePanel *)figure->panels->pdata[k])->lines;
        for (guint i = 0; i < lines->len; i++) {
            const FigureLine *const line = lines->pdata[i];
            const guint before = names->len;
            if (line->changes && distinct_name(names, line->algorithm) == before && before < MOST)
                g_string_append_printf(text, "%s%s", before ? ", " : "", line->algorithm);
        }
    }
    if (names->len > MOST)
        g_string_append_printf(text, " and %u more", names->len - MOST);
    g_autofree char *plain = g_string_free(text, FALSE);
    return escape_terminal(plain);
}

char *figure_note(const Figure *figure)
{
    static const char *const alone[N_FIGURE_Y] = {[FIGURE_Y_SPEEDUP] = "the baseline has no time there",
                                                  [FIGURE_Y_X_BOUND] = "no lower bound is known",
                                                  [FIGURE_Y_X_PREDICTED] = "nothing predicts them",
                                                  [FIGURE_Y_SHARES] = "not simulated",
                                                  [FIGURE_Y_PARTS] = "not simulated"};
    const gboolean both = figure->predicted && figure->measured;
    const char *const drawn = !both ? "" : figure->bars ? "bars: " : "lines: ";
    GString *const note = g_string_new(NULL);
    g_autofree char *model = figure_model_text(figure->model, figure->transfer), *names = changing(figure);
    if (*figure->platform && platform_in_note(figure))
        canvas_say(note, "%s%s", drawn, figure->platform);
    if (*figure->model && figure->y == FIGURE_Y_X_PREDICTED)
        canvas_say(note, "predicted: %s", model);
    if (*figure->model && figure->predicted)
        canvas_say(note, "%s%s", *figure->platform ? "" : drawn, model);
    if (figure->measured)
        canvas_say(note, "%smeasured%s%s, %s: minimum to 95th percentile",
                   !figure->bars ? "points: "
                   : both        ? "diamonds: "
                                 : "",
                   *figure->mpi ? ", " : "", figure->mpi, figure->bars ? "lines" : "bars");
    if (figure->crowded)
        canvas_say(note, figure->bars ? "ranks shared cores" : "hollow: ranks share cores");
    canvas_omitted(note, figure->fallbacks, FIGURE_FELL_BACK);
    canvas_omitted(note, figure->unrelated, alone[figure->y]);
    canvas_omitted(note, figure->zeros,
                   figure->x == FIGURE_X_SIZE        ? "size or time is 0"
                   : figure->y == FIGURE_Y_BANDWIDTH ? "p, size or time is 0"
                                                     : "p or time is 0");
    if (figure->absent)
        canvas_say(note, "thin or ringed: %u point%s there %s no time in the files", figure->absent,
                   figure->absent == 1 ? "" : "s", figure->absent == 1 ? "has" : "have");
    if (figure->ends && !figure->bars)
        canvas_say(note, "ringed: the point beside it is omitted");
    if (*names)
        canvas_say(note, "parameters change along %s", names);
    return g_string_free(note, FALSE);
}
