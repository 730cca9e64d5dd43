#include "answer/report/report_winners.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include <string.h>

void report_winners_ties(FILE *to, const Ranking *x)
{
    enum { SHOWN = 8 };
    const guint n = ranking_tied(x);
    if (n < 2)
        return;
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < MIN(n, SHOWN); i++) {
        g_autofree char *name = point_choice(x->ranked->pdata[i]);
        g_string_append_printf(names, "%s%s", i ? ", " : "", name);
    }
    if (n > SHOWN)
        g_string_append_printf(names, " and %u more", n - SHOWN);
    wrap_print(to, "tied for the fastest: ", names->str);
}

static const Point *winner_of(const GPtrArray *rankings, guint i)
{
    return ((const Ranking *)rankings->pdata[i])->ranked->pdata[0];
}

// Returns the name of a choice: the algorithm, with its parameters if `choices`. Free with g_free.
static char *name_of(const Point *x, gboolean choices)
{
    return choices ? point_choice(x) : g_strdup(x->algorithm->name);
}

// Returns true if a choice of this name ties with the winner in each of the rankings first .. end - 1.
static gboolean ties_everywhere(const GPtrArray *rankings, guint first, guint end, const char *name, gboolean choices)
{
    for (guint i = first; i < end; i++) {
        const Ranking *x = rankings->pdata[i];
        const guint n = ranking_tied(x);
        gboolean found = FALSE;
        for (guint k = 0; k < n && !found; k++) {
            g_autofree char *other = name_of(x->ranked->pdata[k], choices);
            found = strcmp(name, other) == 0;
        }
        if (!found)
            return FALSE;
    }
    return TRUE;
}

// Returns "linear", or "linear (tied with chain, pipeline)" if these tie with the winner in all the rankings first ..
// end - 1. Free with g_free.
static char *winner_text(const GPtrArray *rankings, guint first, guint end, gboolean choices)
{
    enum { SHOWN = 3 };
    const Ranking *x = rankings->pdata[first];
    g_autofree char *winner = name_of(winner_of(rankings, first), choices);
    GString *s = g_string_new(winner);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_add(seen, g_steal_pointer(&winner));
    guint n = 0;
    for (guint k = 1; k < ranking_tied(x); k++) {
        char *name = name_of(x->ranked->pdata[k], choices);
        if (!g_hash_table_add(seen, name) || !ties_everywhere(rankings, first, end, name, choices))
            continue;
        if (n++ < SHOWN)
            g_string_append_printf(s, "%s%s", n == 1 ? " (tied with " : ", ", name);
    }
    if (n > SHOWN)
        g_string_append_printf(s, " and %u more", n - SHOWN);
    if (n > 0)
        g_string_append_c(s, ')');
    return g_string_free(s, FALSE);
}

static gboolean same_winner(const GPtrArray *rankings, guint i, guint k, gboolean choices)
{
    g_autofree char *one = name_of(winner_of(rankings, i), choices), *two = name_of(winner_of(rankings, k), choices);
    return strcmp(one, two) == 0;
}

// Prints who wins in the rankings first .. end - 1, whose sizes rise.
static void print_winners(FILE *to, const Request *r, const GPtrArray *rankings, guint first, guint end,
                          gboolean choices)
{
    const Point *any = winner_of(rankings, first);
    g_autofree char *ranks = report_ranks_text(r, any->p, any->per_node);
    g_autofree char *head = g_strdup_printf("fastest on %s: ", ranks);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint from = first; from < end;) {
        guint next = from + 1;
        while (next < end && same_winner(rankings, next, from, choices))
            next++;
        const gboolean last = next == end;
        g_autofree char *name = winner_text(rankings, from, next, choices);
        g_autofree char *size = units_format_size(winner_of(rankings, last ? from : next - 1)->m);
        if (from == first && last)
            g_string_append_printf(text, "%s everywhere", name);
        else
            g_string_append_printf(text, last ? "%s from %s on" : "%s up to %s, ", name, size);
        from = next;
    }
    wrap_print(to, head, text->str);
}

void report_winners_print(FILE *to, const Request *r, const GPtrArray *rankings, gboolean choices)
{
    g_autoptr(GPtrArray) won = g_ptr_array_new(); // those that have a winner
    for (guint i = 0; i < rankings->len; i++)
        if (((const Ranking *)rankings->pdata[i])->ranked->len > 0)
            g_ptr_array_add(won, rankings->pdata[i]);
    for (guint i = 0, end; i < won->len; i = end) {
        end = i + 1;
        while (end < won->len && winner_of(won, end)->p == winner_of(won, i)->p &&
               winner_of(won, end)->per_node == winner_of(won, i)->per_node &&
               winner_of(won, end)->root == winner_of(won, i)->root)
            end++;
        if (end - i > 1)
            print_winners(to, r, won, i, end, choices);
    }
}
