#include "search/search/rivalry.h"
#include "base/error.h"
#include "base/parallel.h"
#include "search/form/closed_form.h"
#include "search/search/points.h"
#include <math.h>

const CollAlgorithm *rivalry_algorithm(const Rivalry *x, int i)
{
    return g_ptr_array_index(x->request->question.named, i);
}

// ---- One size, one p ------------------------------------------------------------------------------------------------

// Adds one side's terms to counts of n terms, with values, where `place` has the number of each term. Returns how many
// terms there are then. A term whose value is another one than that of its namesake, as that of bytes on links that are
// counted in other parts, is a term of its own.
static guint add_terms(GHashTable *place, const GArray *terms, guint n, int64_t *count, double *value)
{
    for (guint i = 0; i < terms->len; i++) {
        const PredictionTerm *x = &g_array_index(terms, PredictionTerm, i);
        const double worth = term_value(&x->term);
        gpointer found;
        const gboolean known = g_hash_table_lookup_extended(place, &x->term, NULL, &found);
        const guint at = known && value[GPOINTER_TO_UINT(found)] == worth ? GPOINTER_TO_UINT(found) : n++;
        if (!known)
            g_hash_table_insert(place, (gpointer)(uintptr_t)&x->term, GUINT_TO_POINTER(at));
        count[at] += x->n;
        value[at] = worth;
    }
    return n;
}

// Returns which of two runs is faster, as duel_winner does, or -1.
static int winner_of(const RequestMachine *machine, const Prediction *first, const Prediction *second)
{
    if (machine->model->shared) // both times are sums of the same integer counts
        return first->time_s == second->time_s ? -1 : first->time_s > second->time_s;
    // Under measured, each run has the terms that it pays.
    const gsize most = (gsize)first->terms->len + second->terms->len;
    g_autoptr(GHashTable) place = g_hash_table_new(term_hash, term_equal);
    g_autofree int64_t *count = g_new0(int64_t, 2 * most);
    g_autofree double *value = g_new0(double, most);
    const guint n = add_terms(place, first->terms, 0, count, value);
    return duel_winner(count, count + most, value, (int)add_terms(place, second->terms, n, count + most, value));
}

// Returns TRUE if the time is that of the longest chain, and longer messages take longer (Duel.fixed). Under measured
// they may take less time, when they become too long to be eager. On a network nothing is proven.
static gboolean is_fixed(const RequestMachine *machine, const Prediction *x)
{
    return x->fixed && machine->model == &hockney_model && !machine->options.network;
}

// Runs both algorithms with their best settings. Returns FALSE and an error if a run fails; sets *fair to FALSE if one
// of them cannot run.
static gboolean run_best(const Rivalry *x, size_t m, Point *side[2], gboolean *fair, GError **error)
{
    GError *why = NULL;
    for (int i = 0; i < 2 && !why; i++) {
        side[i] = *fair ? rival_settings_fastest(&x->settings, i, m, &why) : NULL;
        *fair &= side[i] != NULL;
    }
    if (why)
        g_propagate_error(error, why);
    return !why;
}

// Does the same with the settings that they have.
static gboolean run_given(const Rivalry *x, size_t m, Point *side[2], gboolean *fair, GError **error)
{
    const Request *r = x->request;
    gboolean good = TRUE;
    for (int i = 0; i < 2 && good; i++) {
        side[i] = point_new(r, rivalry_algorithm(x, i), x->p, x->per_node, m, error);
        good = side[i] != NULL;
        *fair &= good && !side[i]->why;
    }
    for (int i = 0; i < 2 && good && *fair; i++) {
        good = point_run(side[i], r, error);
        *fair &= good && point_timed(side[i]);
    }
    return good;
}

// Runs both algorithms at duel->m bytes (a DuelRun).
static gboolean run_duel(Duel *duel, gpointer data, GError **error)
{
    Rivalry *x = data;
    const Request *r = x->request;
    Point *side[2] = {NULL, NULL};
    duel->fair = TRUE;
    const gboolean good =
        x->best ? run_best(x, duel->m, side, &duel->fair, error) : run_given(x, duel->m, side, &duel->fair, error);
    if (good && duel->fair) {
        duel->winner = winner_of(&r->machine, side[0]->prediction, side[1]->prediction);
        // Of several settings the fastest one changes with the size, and then no line through three times bounds the
        // others.
        duel->fixed =
            !x->best && is_fixed(&r->machine, side[0]->prediction) && is_fixed(&r->machine, side[1]->prediction);
        for (int i = 0; i < 2; i++) {
            duel->time_s[i] = side[i]->time_s;
            duel->sent[i] = side[i]->prediction->totals.messages;
        }
    }
    point_free(side[0]);
    point_free(side[1]);
    return good;
}

// Finds the forms of both times near m bytes, and where they meet.
static gboolean meet(const Rivalry *x, size_t m, Meeting *meeting, GError **error)
{
    const Request *r = x->request;
    *meeting = (Meeting){.known = request_flat(r, x->p, x->per_node) && !x->best, .m = NAN};
    for (int i = 0; i < 2 && meeting->known; i++) {
        Point *side = point_new(r, rivalry_algorithm(x, i), x->p, x->per_node, m, error);
        if (!side)
            return FALSE;
        const Operation op = point_operation(r, side);
        meeting->known &= op.algorithm == rivalry_algorithm(x, i) &&
                          size_form(&op, r->machine.platform, r->machine.options.transfer,
                                    question_most(&r->question, (size_t)x->p), &meeting->form[i]);
        point_free(side);
    }
    if (meeting->known)
        meeting->m = size_forms_meet(&meeting->form[0], &meeting->form[1], r->machine.platform);
    return TRUE;
}

// Finds which needs keep the algorithms from running at the largest size at which they do not both run.
static gboolean find_needs(Rivalry *x, GError **error)
{
    const size_t m = x->search.first.fair ? x->search.alone.m : x->search.final.m;
    for (int i = 0; i < 2 && m > 0; i++) {
        Point *side = point_new(x->request, rivalry_algorithm(x, i), x->p, x->per_node, m, error);
        if (!side)
            return FALSE;
        x->why[i] = side->why;
        point_free(side);
    }
    return TRUE;
}

// Finds the settings of both algorithms.
static gboolean find_settings(Rivalry *x, size_t most, GError **error)
{
    x->settings = (RivalSettings){.request = x->request,
                                  .p = x->p,
                                  .per_node = x->per_node,
                                  .algorithm = {rivalry_algorithm(x, 0), rivalry_algorithm(x, 1)}};
    return rival_settings_find(&x->settings, most, error);
}

// Searches for the crossovers. With --best, it also searches for settings where the winner changes, and a third of the size
// from there, until this shows none that were not known.
static gboolean search(Rivalry *x, GError **error)
{
    enum { MOST_ROUNDS = 12 };
    const CrossoverSearch given = x->search;
    for (int round = 0;; round++) {
        gboolean grown = FALSE;
        if (!crossover_search(&x->search, error))
            return FALSE;
        for (guint i = 0; i < x->search.found->len && x->best && round < MOST_ROUNDS; i++) {
            const Crossover *found = &g_array_index(x->search.found, Crossover, i);
            const size_t near[] = {found->before.m, found->last.m, found->next.m, found->last.m / 4 * 3,
                                   found->next.m / 3 * 4};
            for (size_t k = 0; k < G_N_ELEMENTS(near); k++) {
                const size_t m = near[k] / given.element * given.element;
                if (m > 0 && m <= given.most && !rival_settings_add(&x->settings, m, &grown, error))
                    return FALSE;
            }
        }
        if (!grown)
            return TRUE;
        crossover_search_clear(&x->search);
        x->search = given;
    }
}

static gboolean rivalry_run(gpointer data, gpointer user, GError **error)
{
    enum { LARGE = 1 << 20 }; // without a crossover, the forms are those near this size
    Rivalry *x = data;
    const Request *r = x->request;
    // Shared memory is simulated fragment by fragment. With thousands of them the time per byte no longer changes.
    const size_t largest = x->best ? RIVAL_SETTINGS_LARGEST : (size_t)1 << (r->machine.model->shared ? 26 : 40);
    const size_t most = MIN(largest, question_most(&r->question, (size_t)x->p));
    (void)user;
    if (most < r->question.elem)
        return bad_input(error, "--element %" G_GSIZE_FORMAT " on %d ranks; allowed: at most %" G_GSIZE_FORMAT " bytes",
                         r->question.elem, x->p, most);
    const size_t unit = closed_form_unit(x->p, r->question.elem);
    x->search = (CrossoverSearch){.element = r->question.elem,
                                  .most = most,
                                  .blocks = (size_t)x->p,
                                  .unit = unit < most ? unit : 0,
                                  .tries = 32,
                                  .run = run_duel,
                                  .data = x};
    if ((x->best && !find_settings(x, most, error)) || !search(x, error) || !find_needs(x, error))
        return FALSE;
    const GArray *found = x->search.found;
    x->meeting = g_new0(Meeting, MAX(found->len, 1));
    for (guint i = 0; i < found->len; i++)
        if (!meet(x, g_array_index(found, Crossover, i).next.m, &x->meeting[i], error))
            return FALSE;
    return found->len > 0 || !x->search.first.fair ||
           meet(x, CLAMP(LARGE / r->question.elem * r->question.elem, x->search.first.m, x->search.final.m), x->meeting,
                error);
}

static void rivalry_free(gpointer data)
{
    Rivalry *x = data;
    crossover_search_clear(&x->search);
    rival_settings_clear(&x->settings);
    g_free(x->meeting);
    g_free(x);
}

GPtrArray *rivalry_make_all(const Request *r, gboolean best)
{
    GPtrArray *rivalries = g_ptr_array_new_with_free_func(rivalry_free);
    for (guint i = 0; i < r->question.ranks->len; i++) {
        Rivalry *x = g_new0(Rivalry, 1);
        *x = (Rivalry){.request = r,
                       .p = (int)g_array_index(r->question.ranks, size_t, i),
                       .per_node = request_per_node(r, i),
                       .best = best};
        g_ptr_array_add(rivalries, x);
    }
    return rivalries;
}

static char *rivalry_name(gconstpointer rivalry, gconstpointer unused)
{
    (void)unused;
    return g_strdup_printf("%d ranks", ((const Rivalry *)rivalry)->p);
}

gboolean rivalry_run_all(const GPtrArray *rivalries, GError **error)
{
    const ParallelWork work = {.run = rivalry_run, .what = "numbers of ranks", .name = rivalry_name};
    return parallel_run(rivalries, &work, error);
}
