// Cuts bars into what each term of the certificate costs.
#include "figure/bars.h"
#include "base/number.h"
#include "base/error.h"
#include <string.h>

// Returns the name under which a term is shown: one(far, 8K), which the model measured has for each size, is one.far.
// Free with g_free.
static char *term_name(const char *text, size_t length)
{
    g_autofree char *name = g_strndup(text, length), *level = NULL;
    CostTerm term;
    if (!term_read(name, &term, &level))
        return figure_cut(name);
    term.bytes = -1;
    g_autofree char *shown = term_text(&term);
    return figure_cut(shown);
}

// Returns the place of a term: parts follow each other by resource, and then in the order of term_kinds. What no model
// has comes last.
static guint place_of(const char *name)
{
    g_autofree char *level = NULL;
    CostTerm term;
    return term_read(name, &term, &level) ? (guint)term_kinds[term.kind].resource * N_TERM_KINDS + (guint)term.kind
                                          : (guint)N_RESOURCES * N_TERM_KINDS;
}

TermResource bar_term_resource(const char *name)
{
    return (TermResource)(place_of(name) / N_TERM_KINDS);
}

typedef struct {
    const char *name;
    double worth; // the sum of its shares
} BarTerm;

static int by_worth(gconstpointer a, gconstpointer b)
{
    const BarTerm *const one = a, *const two = b;
    return one->worth != two->worth ? (one->worth < two->worth) - (one->worth > two->worth)
                                    : strcmp(one->name, two->name);
}

static int by_place(gconstpointer a, gconstpointer b)
{
    const char *const one = ((const BarTerm *)a)->name, *const two = ((const BarTerm *)b)->name;
    const guint i = place_of(one), k = place_of(two);
    return i != k ? (i > k) - (i < k) : strcmp(one, two);
}

// Calls `take` with each term of a point's costs. Returns FALSE if these are not NAME=SECONDS joined by `;`.
static gboolean each_cost(const char *costs, void (*take)(const char *name, double seconds, void *data), void *data)
{
    while (*costs) {
        const size_t length = strcspn(costs, ";"), equals = strcspn(costs, "=");
        if (equals == 0 || equals >= length)
            return FALSE;
        double seconds;
        g_autofree char *number = g_strndup(costs + equals + 1, length - equals - 1);
        if (!number_real(number, &seconds) || seconds > 1e12)
            return FALSE;
        g_autofree char *name = term_name(costs, equals);
        take(name, seconds, data);
        costs += length + (costs[length] == ';');
    }
    return TRUE;
}

// Adds a term's seconds to those of its name in a table.
static void add_worth(const char *name, double seconds, void *data)
{
    GHashTable *const worth = data;
    double *const known = g_hash_table_lookup(worth, name);
    if (known)
        *known += seconds;
    else
        g_hash_table_insert(worth, g_strdup(name), g_memdup2(&seconds, sizeof seconds));
}

static GHashTable *worth_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

// Returns the sum of all costs, in seconds.
static double sum_of(GHashTable *costs)
{
    double sum = 0;
    GHashTableIter iter;
    void *seconds;
    g_hash_table_iter_init(&iter, costs);
    while (g_hash_table_iter_next(&iter, NULL, &seconds))
        sum += *(double *)seconds;
    return sum;
}

// Returns what each name costs at a point, or NULL and an error. A point takes some time, so one of its costs is above 0.
static GHashTable *costs_of(const FigureLine *line, const FigurePoint *point, GError **error)
{
    g_autoptr(GHashTable) costs = worth_new();
    if (each_cost(point->costs, add_worth, costs) && sum_of(costs) > 0)
        return g_steal_pointer(&costs);
    g_autofree char *shown = error_quote(point->costs);
    bad_input(error, "costs of %s are %s; allowed: NAME=SECONDS, joined by ;, and not all of them 0", line->label,
              shown);
    return NULL;
}

// Fills bars->terms. All shares of all bars count alike, so that a slow algorithm does not decide alone.
static gboolean find_terms(Bars *bars, GError **error)
{
    g_autoptr(GHashTable) all = worth_new();
    for (guint k = 0; k < bars->groups->len; k++) {
        const BarGroup *const group = bars->groups->pdata[k];
        for (guint i = 0; i < group->bars->len; i++) {
            const Bar *const bar = &g_array_index(group->bars, Bar, i);
            g_autoptr(GHashTable) costs = costs_of(bar->line, bar->point, error);
            GHashTableIter iter;
            void *name, *seconds;
            if (!costs)
                return FALSE;
            g_hash_table_iter_init(&iter, costs);
            while (g_hash_table_iter_next(&iter, &name, &seconds))
                add_worth(name, *(double *)seconds / bar->point->time_s, all);
        }
    }
    g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(BarTerm));
    GHashTableIter iter;
    void *name, *worth;
    g_hash_table_iter_init(&iter, all);
    while (g_hash_table_iter_next(&iter, &name, &worth)) {
        const BarTerm term = {name, *(double *)worth};
        g_array_append_val(terms, term);
    }
    g_array_sort(terms, by_worth);
    const gboolean rest = terms->len > BARS_MAX_TERMS;
    g_array_set_size(terms, MIN(terms->len, rest ? BARS_MAX_TERMS - 1 : BARS_MAX_TERMS));
    g_array_sort(terms, by_place);
    for (guint i = 0; i < terms->len; i++)
        g_ptr_array_add(bars->terms, g_strdup(g_array_index(terms, BarTerm, i).name));
    if (rest)
        g_ptr_array_add(bars->terms, g_strdup("other terms"));
    return TRUE;
}

// Cuts a bar into its parts.
static gboolean cut_bar(const Bars *bars, Bar *bar, GError **error)
{
    g_autoptr(GHashTable) costs = costs_of(bar->line, bar->point, error);
    if (!costs)
        return FALSE;
    double rest = sum_of(costs);
    for (guint i = 0; i < bars->terms->len; i++) {
        const double *const known = g_hash_table_lookup(costs, bars->terms->pdata[i]);
        const gboolean other = i + 1 == BARS_MAX_TERMS && !known;
        const BarPart part = {i, known ? *known : other ? MAX(rest, 0) : 0};
        rest -= part.seconds;
        if (part.seconds > 0)
            g_array_append_val(bar->parts, part);
    }
    return TRUE;
}

gboolean bars_cut(Bars *bars, GError **error)
{
    if (!find_terms(bars, error))
        return FALSE;
    for (guint k = 0; k < bars->groups->len; k++) {
        BarGroup *const group = bars->groups->pdata[k];
        for (guint i = 0; i < group->bars->len; i++)
            if (!cut_bar(bars, &g_array_index(group->bars, Bar, i), error))
                return FALSE;
    }
    return TRUE;
}
