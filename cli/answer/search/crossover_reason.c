// Why the winner changes with the size.
#include "answer/report/reasons.h"
#include "answer/search/crossover_answer.h"
#include <string.h>

// Returns TRUE if what the two algorithms run depends on the size: they have their best settings, or a library decides.
static gboolean varies(const Rivalry *x)
{
    const RequestLibrary *lib = &x->request->library;
    return x->best || request_auto(lib, rivalry_algorithm(x, 0)) || request_auto(lib, rivalry_algorithm(x, 1));
}

// Returns what the i-th algorithm runs at m bytes. NULL if it cannot run there. Free with point_free.
static Point *run_at(const Rivalry *x, int i, size_t m)
{
    return x->best ? rival_settings_fastest(&x->settings, i, m, NULL)
                   : point_new(x->request, rivalry_algorithm(x, i), x->p, x->per_node, m, 0, NULL);
}

// Returns "binomial segment=8K": what runs, be it what a library decided. Free with g_free.
static char *runs_text(const Point *point)
{
    Point runs = *point; // borrowed
    if (point->ran)
        runs.algorithm = point->ran;
    runs.decision = NULL;
    return point_choice(&runs);
}

// Counts for what a run does, with the parameters that it has. Returns FALSE if this cannot be counted. `name` must outlive
// the reason.
static gboolean find_reason(const Rivalry *x, const Point *point, const char *name, Reason *reason)
{
    if (!point || !point->ran || point->why ||
        !reason_find_set(x->request, point->ran, &point->par, x->per_node, reason))
        return FALSE;
    reason->name = name;
    return TRUE;
}

// Appends what a library runs at a crossover, such as "From 2049 bytes on, ompi-4.1:auto runs binomial instead of bintree." if
// that changes where the winner does.
static void add_decided(GString *s, const Rivalry *x, int i, size_t m, const Point *last, const Point *next)
{
    if (!last || !next || !request_auto(&x->request->library, rivalry_algorithm(x, i)))
        return;
    g_autofree char *old = runs_text(last), *now = runs_text(next);
    if (strcmp(old, now) == 0)
        g_string_append_printf(s, "There, %s runs %s. ", rivalry_algorithm(x, i)->name, now);
    else
        g_string_append_printf(s, "From %" G_GSIZE_FORMAT " bytes on, %s runs %s instead of %s. ", m,
                               rivalry_algorithm(x, i)->name, now, old);
}

// Returns the sentence about what the two run at a crossover: each as it is where it wins. NULL if it is not known.
static char *crossing_text(const Rivalry *x, const Crossover *c)
{
    Point *run[2];
    char *name[2];
    Reason reason[2];
    gboolean found = TRUE;
    g_autoptr(GString) s = g_string_new(NULL);
    for (int i = 0; i < 2; i++) {
        Point *last = run_at(x, i, c->last.m), *next = run_at(x, i, c->next.m);
        add_decided(s, x, i, c->next.m, last, next);
        run[i] = c->last.winner == i ? last : next;
        point_free(c->last.winner == i ? next : last);
        name[i] = run[i] ? runs_text(run[i]) : NULL;
        found = find_reason(x, run[i], name[i], &reason[i]) && found;
    }
    g_autofree char *pair = found && strcmp(name[0], name[1]) != 0 ? reason_pair_text(&reason[0], &reason[1]) : NULL;
    if (pair)
        g_string_append(s, pair);
    for (int i = 0; i < 2; i++) {
        point_free(run[i]);
        g_free(name[i]);
    }
    g_strchomp(s->str);
    return *s->str ? g_strdup(s->str) : NULL;
}

static char *explanation(const Rivalry *x, guint k)
{
    if (varies(x))
        return k < x->search.found->len ? crossing_text(x, &g_array_index(x->search.found, Crossover, k)) : NULL;
    return reason_of_pair(x->request, rivalry_algorithm(x, 0), rivalry_algorithm(x, 1), x->per_node);
}

// Returns the first rivalry that has as many ranks on a node: its runs are the same.
static const Rivalry *like(const GPtrArray *rivalries, const Rivalry *x)
{
    guint i = 0;
    while (((const Rivalry *)rivalries->pdata[i])->per_node != x->per_node)
        i++;
    return rivalries->pdata[i];
}

GPtrArray *crossover_explanations(const GPtrArray *rivalries)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) begin = g_hash_table_new(NULL, NULL); // a rivalry -> the number of its first sentence
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = rivalries->pdata[i], *first = like(rivalries, x);
        g_hash_table_insert(begin, rivalries->pdata[i], GUINT_TO_POINTER(all->len));
        const guint other = GPOINTER_TO_UINT(g_hash_table_lookup(begin, first));
        for (guint k = 0; k < MAX(x->search.found->len, 1); k++)
            g_ptr_array_add(all, varies(x) || (first == x && k == 0) ? explanation(x, k) : g_strdup(all->pdata[other]));
    }
    return all;
}

Sheet *crossover_growth_sheet(const GPtrArray *rivalries)
{
    Sheet *sheet = reasons_growth_sheet();
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = rivalries->pdata[i];
        for (int k = 0; k < 2 && !varies(x) && like(rivalries, x) == x; k++)
            reasons_add_growth(sheet, x->request, rivalry_algorithm(x, k), x->per_node);
    }
    return reasons_unless_empty(sheet);
}
