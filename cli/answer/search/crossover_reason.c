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
                   : point_new(x->request, rivalry_algorithm(x, i), x->p, x->per_node, m, NULL);
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

// Finds the reason of what runs, with its parameters. Returns FALSE if it cannot be counted. `name` must outlive the reason.
static gboolean find_reason(const Rivalry *x, const Point *point, const char *name, Reason *reason)
{
    if (!point || !point->ran || point->why ||
        !reason_find_set(x->request, point->ran, &point->par, x->per_node, reason))
        return FALSE;
    reason->name = name;
    return TRUE;
}

// Appends what a library runs at a crossover: "From 2049 bytes on, ompi-4.1:auto runs binomial instead of bintree." if that
// changes there, and otherwise "There, ompi-4.1:auto runs binomial."
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

// Returns the sentence about what runs at a crossover: of each algorithm, what it runs on the side where it wins. NULL if it
// is not known.
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
    if (found && strcmp(name[0], name[1]) != 0) {
        g_autofree char *pair = reason_pair_text(&reason[0], &reason[1]);
        g_string_append(s, pair);
    }
    for (int i = 0; i < 2; i++) {
        point_free(run[i]);
        g_free(name[i]);
    }
    g_strchomp(s->str);
    return *s->str ? g_strdup(s->str) : NULL;
}

// Returns the sentence about two algorithms that are the same at all sizes; NULL if it is not known. `known` keeps it for
// the other rivalries with as many ranks per node, because nothing else of a rivalry counts.
static const char *pair_text(const Rivalry *x, GHashTable *known)
{
    const gpointer key = GINT_TO_POINTER(x->per_node);
    if (!g_hash_table_contains(known, key))
        g_hash_table_insert(known, key,
                            reason_of_pair(x->request, rivalry_algorithm(x, 0), rivalry_algorithm(x, 1), x->per_node));
    return g_hash_table_lookup(known, key);
}

GPtrArray *crossover_explanations(const GPtrArray *rivalries)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = rivalries->pdata[i];
        const GArray *found = x->search.found;
        for (guint k = 0; k < MAX(found->len, 1); k++)
            g_ptr_array_add(all, !varies(x)       ? g_strdup(pair_text(x, known))
                                 : k < found->len ? crossing_text(x, &g_array_index(found, Crossover, k))
                                                  : NULL);
    }
    return all;
}

Sheet *crossover_growth_sheet(const GPtrArray *rivalries)
{
    Sheet *sheet = reasons_growth_sheet();
    g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL); // ranks per node: nothing else of a rivalry counts
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = rivalries->pdata[i];
        if (varies(x) || !g_hash_table_add(done, GINT_TO_POINTER(x->per_node)))
            continue;
        for (int k = 0; k < 2; k++)
            reasons_add_growth(sheet, x->request, rivalry_algorithm(x, k), x->per_node);
    }
    return reasons_unless_empty(sheet);
}
