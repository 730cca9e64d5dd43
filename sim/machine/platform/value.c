#include "machine/platform/value.h"
#include "base/error.h"
#include "base/units.h"
#include <string.h>

static const double most_fall = 0.05;
static const char above_word[] = " above ", gap_word[] = "gap";

// Returns FALSE and an error unless a table of times has at least two points and rises, but for noise.
static gboolean check_times(const Table *t, GError **error)
{
    if (t->n < 2)
        return bad_input(error, "the table has only one point; allowed: a list of SIZE:TIME, at least two, such as "
                                "8:1.31us 4K:2.9us");
    for (int i = 1; i < t->n; i++) {
        const TablePoint *a = &t->at[i - 1], *b = &t->at[i];
        if (b->value >= (1 - most_fall) * a->value)
            continue;
        g_autofree char *from = units_format_size(a->bytes), *to = units_format_size(b->bytes),
                        *high = figure_text(PLATFORM_TIME, a->value), *low = figure_text(PLATFORM_TIME, b->value);
        return bad_input(error,
                         "%s at %s is %.3g %% less than %s at %s; allowed: times that rise with the size, or fall by "
                         "at most 5 %% from one point to the next",
                         low, to, 100 * (1 - b->value / a->value), high, from);
    }
    return TRUE;
}

static gboolean read_times(const char *text, FigureValue *out, GError **error)
{
    g_autoptr(Table) table = table_parse(PLATFORM_TIME, text, error);
    if (!table || !check_times(table, error))
        return FALSE;
    out->table = g_steal_pointer(&table);
    return TRUE;
}

// Reads a table of times, or the word gap.
static gboolean read_takes(const char *text, FigureValue *out, GError **error)
{
    if (strcmp(text, gap_word) == 0) {
        out->number = 1;
        return TRUE;
    }
    if (strchr(text, ':'))
        return read_times(text, out, error);
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a table of times; allowed: a list of SIZE:TIME such as 8:200ns 4K:500ns, or gap",
                     shown);
}

// Returns the text without blanks. Free with g_free.
static char *without_blanks(const char *text)
{
    g_auto(GStrv) parts = g_strsplit_set(text, " \t", -1);
    return g_strjoinv("", parts);
}

// Reads "RATE" or "RATE above SIZE"; there may be a blank between the rate's number and unit.
static gboolean read_rate(const char *text, FigureValue *out, GError **error)
{
    const char *word = strstr(text, above_word);
    g_autofree char *head = word ? g_strndup(text, (gsize)(word - text)) : g_strdup(text), *rate = without_blanks(head),
                    *size = word ? without_blanks(word + strlen(above_word)) : NULL;
    FigureValue value = {0};
    size_t above = 0;
    if (!figure_parse(PLATFORM_WORK, rate, &value.number, error) || (size && !units_parse_size(size, &above, error)))
        return FALSE;
    value.above = above;
    *out = value;
    return TRUE;
}

gboolean value_parse(PlatformUnit unit, const char *text, FigureValue *out, GError **error)
{
    if (unit == PLATFORM_SHARE)
        return (out->table = table_parse(unit, text, error)) != NULL;
    if (unit == PLATFORM_TAKES)
        return read_takes(text, out, error);
    if (unit == PLATFORM_TIMES || (unit == PLATFORM_WORK && strchr(text, ':')))
        return read_times(text, out, error);
    if (unit == PLATFORM_WORK)
        return read_rate(text, out, error);
    return figure_parse(unit, text, &out->number, error);
}

char *value_text(PlatformUnit unit, const FigureValue *value)
{
    if (value->table)
        return table_text(unit == PLATFORM_SHARE ? unit : PLATFORM_TIME, value->table);
    if (unit == PLATFORM_TAKES)
        return g_strdup(gap_word);
    g_autofree char *number = figure_text(unit, value->number);
    if (unit != PLATFORM_WORK || value->above == 0)
        return g_steal_pointer(&number);
    g_autofree char *size = units_format_size(value->above);
    return g_strconcat(number, above_word, size, NULL);
}
