// The texts of a picture of bars: title, headings, note, and what stands beside each bar.
#include "figure/bars.h"
#include "base/units.h"
#include <string.h>

static char *count_text(size_t n, const char *unit)
{
    g_autofree char *number = units_format_size(n);
    return g_strdup_printf("%s %s%s", number, unit, n == 1 ? "" : "s");
}

// Adds ", 64K bytes" to a text, unless it would begin with a comma, or a barrier has no bytes.
static void add_count(GString *text, size_t n, const char *unit)
{
    g_autofree char *count = count_text(n, unit);
    if (n || strcmp(unit, "byte"))
        g_string_append_printf(text, "%s%s", text->len ? ", " : "", count);
}

static const char *x_unit(const Figure *figure)
{
    return figure->x == FIGURE_X_SIZE ? "byte" : figure->x == FIGURE_X_RANKS ? "rank" : "rank per node";
}

// Adds a value of the quantity on the x axis: "8 ranks per node".
static void add_x(GString *text, const Figure *figure, size_t x)
{
    g_autofree char *number = units_format_size(x);
    if (figure->x == FIGURE_X_PER_NODE)
        g_string_append_printf(text, "%s%s ranks per node", text->len ? ", " : "", number);
    else
        add_count(text, x, x_unit(figure));
}

// In what the groups of a figure differ.
typedef struct {
    gboolean collective, other, x;
} BarDifference;

static BarDifference difference_of(const Bars *bars)
{
    const BarGroup *const first = bars->groups->pdata[0];
    BarDifference differ = {FALSE, FALSE, FALSE};
    for (guint k = 1; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        differ.collective |= group->panel->number != first->panel->number;
        differ.other |= group->panel->other != first->panel->other;
        differ.x |= group->x != first->x;
    }
    return differ;
}

void bars_set_headings(Bars *bars)
{
    const BarDifference differ = difference_of(bars);
    for (guint k = 0; k < bars->groups->len; k++) {
        BarGroup *const group = bars->groups->pdata[k];
        GString *const heading = g_string_new(differ.collective ? group->panel->collective : "");
        if (differ.other)
            add_count(heading, group->panel->other, bars->figure->x == FIGURE_X_SIZE ? "rank" : "byte");
        if (differ.x)
            add_x(heading, bars->figure, group->x);
        group->heading = g_string_free(heading, FALSE);
    }
}

char *bar_times_text(double times)
{
    return times > 1.005 ? g_strdup_printf(times < 999.5 ? ", x%.3g" : ", x%.0f", times) : g_strdup("");
}

char *bar_text(const Bars *bars, const BarGroup *group, const Bar *bar)
{
    const FigureY y = bars->figure->y;
    const double best = g_array_index(group->bars, Bar, 0).contest->time_s, times = bar->contest->time_s / best;
    g_autofree char *value = figure_value_text(y, bar->value);
    GString *const text = g_string_new(NULL);
    if (figure_is_ratio(y))
        g_string_append_printf(text, "x%s", value);
    else
        g_string_append(text, value);
    if (bar->seen) {
        g_autofree char *seen = figure_value_text(y, figure_value(y, bar->seen->time_s, bar->seen->against));
        g_string_append_printf(text, "; measured %s", seen);
    }
    g_autofree char *longer = bar_times_text(times);
    if (!figure_is_ratio(y))
        g_string_append(text, longer);
    return g_string_free(text, FALSE);
}

// Returns what all groups have in common: "allreduce, 128 ranks, 64K bytes, lumi".
static char *common_head(const Bars *bars)
{
    const Figure *const figure = bars->figure;
    const BarGroup *const first = bars->groups->pdata[0];
    const BarDifference differ = difference_of(bars);
    GString *const head = g_string_new(differ.collective ? "" : first->panel->collective);
    const size_t other = figure->split ? first->panel->other : figure->others[0];
    if (!differ.other && figure->x != FIGURE_X_SIZE && !differ.x)
        add_x(head, figure, first->x);
    if (!differ.other)
        add_count(head, other, figure->x == FIGURE_X_SIZE ? "rank" : "byte");
    if (figure->x == FIGURE_X_SIZE && !differ.x)
        add_x(head, figure, first->x);
    if (*figure->platform && !(figure->predicted && figure->measured)) // the note says what is from where
        g_string_append_printf(head, "%s%s", head->len ? ", " : "", figure->platform);
    if (figure->measured && !figure->predicted && figure->y != FIGURE_Y_X_PREDICTED)
        g_string_append_printf(head, "%smeasured", head->len ? ", " : "");
    return g_string_free(head, FALSE);
}

// Returns "; 86 % of it is alpha.far", the largest part of a bar, or "" if bars have no parts.
static char *largest_part(const Bars *bars, const Bar *bar)
{
    const BarPart *largest = NULL;
    for (guint i = 0; i < bar->parts->len; i++) {
        const BarPart *const part = &g_array_index(bar->parts, BarPart, i);
        largest = !largest || part->seconds > largest->seconds ? part : largest;
    }
    return largest ? g_strdup_printf("; %.0f %% of it is %s", 100 * largest->seconds / bar->point->time_s,
                                     (char *)bars->terms->pdata[largest->term])
                   : g_strdup("");
}

// Returns who wins in the only group.
static char *outcome(const Bars *bars, const BarGroup *group)
{
    const FigureY y = bars->figure->y;
    const Bar *const best = &g_array_index(group->bars, Bar, 0), *const second =
                                                                     group->ties < group->bars->len
                                                                         ? &g_array_index(group->bars, Bar, group->ties)
                                                                         : NULL;
    g_autofree char *value = figure_value_text(y, figure_value(y, best->contest->time_s, best->contest->against));
    g_autofree char *part = largest_part(bars, best);
    if (y == FIGURE_Y_SPEEDUP && !strcmp(best->line->algorithm, bars->figure->baseline))
        return g_strdup_printf("nothing is faster than %s", bars->figure->baseline);
    GString *const text = g_string_new(best->line->label);
    if (group->ties == 2)
        g_string_append_printf(text, " and %s tie", best[1].line->label);
    else if (group->ties > 2)
        g_string_append_printf(text, " and %u others tie", group->ties - 1);
    else if (group->bars->len > 1)
        g_string_append(text, " wins");
    else
        g_string_append(text, figure_is_ratio(y) ? " is" : y == FIGURE_Y_BANDWIDTH ? " has" : " takes");
    g_string_append_printf(
        text, "%s %s",
        group->bars->len > 1 ? y == FIGURE_Y_BANDWIDTH || figure_is_ratio(y) || group->ties == 1 ? " with" : " at" : "",
        value);
    if (y == FIGURE_Y_SPEEDUP)
        g_string_append_printf(text, " times the speed of %s", bars->figure->baseline);
    else if (y == FIGURE_Y_X_BOUND)
        g_string_append(text, " times the lower bound");
    g_string_append(text, part);
    if (second && !*part && !figure_is_ratio(y))
        g_string_append_printf(text, "; %s takes %.3g times as long", second->line->label,
                               second->contest->time_s / best->contest->time_s);
    return g_string_free(text, FALSE);
}

// Returns TRUE if the same algorithm is the first of all groups.
static gboolean one_winner(const Bars *bars)
{
    const char *const first = g_array_index(((BarGroup *)bars->groups->pdata[0])->bars, Bar, 0).line->label;
    for (guint k = 1; k < bars->groups->len; k++)
        if (strcmp(first, g_array_index(((BarGroup *)bars->groups->pdata[k])->bars, Bar, 0).line->label))
            return FALSE;
    return TRUE;
}

// Returns the term on which the fastest of a group spends most.
static const char *leading_term(const Bars *bars, const BarGroup *group)
{
    const GArray *const parts = g_array_index(group->bars, Bar, 0).parts;
    const BarPart *largest = &g_array_index(parts, BarPart, 0);
    for (guint i = 1; i < parts->len; i++)
        if (g_array_index(parts, BarPart, i).seconds > largest->seconds)
            largest = &g_array_index(parts, BarPart, i);
    return bars->terms->pdata[largest->term];
}

// Returns what the fastest spend most on: "the fastest spends most on alpha up to 1K, on beta from 64K on". Only groups
// of one panel have an order.
static char *leading_terms(const Bars *bars)
{
    GString *const text = g_string_new("the fastest spends most on ");
    const guint n = bars->groups->len;
    guint stretches = 0;
    for (guint begin = 0, end; begin < n; begin = end) {
        const BarGroup *const first = bars->groups->pdata[begin];
        const char *const term = leading_term(bars, first);
        for (end = begin + 1; end < n && !strcmp(leading_term(bars, bars->groups->pdata[end]), term); end++)
            ;
        if (first->panel != ((BarGroup *)bars->groups->pdata[n - 1])->panel)
            return g_string_free(g_string_assign(text, "what the time consists of"), FALSE);
        g_autofree char *from = units_format_size(first->x),
                        *to = units_format_size(((BarGroup *)bars->groups->pdata[end - 1])->x);
        g_string_append_printf(text, "%s%s", stretches++ ? ", on " : "", term);
        if (begin && end == n)
            g_string_append_printf(text, " from %s on", from);
        else if (end < n)
            g_string_append_printf(text, "%s to %s", begin ? "" : " up", to);
    }
    return g_string_free(text, FALSE);
}

char *bars_title(const Bars *bars, double width, Letters font)
{
    const BarGroup *const first = bars->groups->pdata[0];
    g_autofree char *head = common_head(bars);
    g_autofree char *body =
        bars->figure->y == FIGURE_Y_X_PREDICTED && bars->groups->len == 1 ? figure_agreement(first->panel)
        : bars->groups->len == 1                                          ? outcome(bars, first)
        : figure_has_parts(bars->figure->y)                               ? leading_terms(bars)
        : bars->figure->y == FIGURE_Y_X_PREDICTED                         ? g_strdup(bars->figure->axis)
        : one_winner(bars) ? g_strdup_printf("%s wins each time", g_array_index(first->bars, Bar, 0).line->label)
                           : g_strdup("the winners differ");
    char *const title = *head ? figure_fit(head, body, width, font) : letters_wrap(body, width, font);
    g_autofree char *text = g_strdup_printf("%s: %s", head, body);
    return title ? title : letters_wrap(text, width, font);
}

// Returns how many algorithms are left out of the group from which the most are.
static guint left_out(const Bars *bars)
{
    guint most = 0;
    for (guint k = 0; k < bars->groups->len; k++)
        most = MAX(most, ((BarGroup *)bars->groups->pdata[k])->panel->left_out);
    return most;
}

char *bars_note(const Bars *bars)
{
    g_autofree char *note = figure_note(bars->figure);
    GString *const text = g_string_new(note);
    if (bars->cut)
        canvas_say(text, "%u bar%s cut at %d times %s", bars->cut, bars->cut == 1 ? " is" : "s are", BARS_CUT,
                   figure_is_ratio(bars->figure->y) ? "the best, or 1" : "the shortest");
    if (left_out(bars))
        canvas_say(text, "%u algorithm%s omitted", left_out(bars), left_out(bars) == 1 ? "" : "s");
    return g_string_free(text, FALSE);
}
