#include "advice/tune/verify.h"
#include "advice/tune/decided.h"
#include "advice/tune/draw.h"
#include <math.h>

enum { SEED = 1 };

static void place_clear(gpointer data)
{
    VerifyPlace *place = data;
    g_free(place->runs);
    g_free(place->best);
}

void verify_free(Verify *x)
{
    if (!x)
        return;
    g_array_unref(x->places);
    g_free(x);
}

double verify_x(const VerifyPlace *place)
{
    return place->file_s == place->best_s ? 1 : place->file_s / place->best_s; // both may be 0
}

// ---- Times ----------------------------------------------------------------------------------------------------------

// Times the file at the places from `first` on. What is too large to simulate stays unknown.
static gboolean time_files(Verify *x, guint first, Request *r, DecidePart *decide, gconstpointer from, GError **error)
{
    g_autoptr(GArray) times = decided_new();
    request_name_none(r);
    request_name_decider(r, r->library.only, "file", decide, from);
    for (guint i = first; i < x->places->len; i++) {
        const VerifyPlace *place = &g_array_index(x->places, VerifyPlace, i);
        decided_add(times, r->question.named->pdata[0], place->p, place->per_node, place->m);
    }
    if (!decided_times(times, r, "calls", error))
        return FALSE;
    for (guint i = 0; i < times->len; i++) {
        VerifyPlace *place = &g_array_index(x->places, VerifyPlace, first + i);
        DecidedTime *time = &g_array_index(times, DecidedTime, i);
        place->file_s = time->time_s;
        place->runs = g_steal_pointer(&time->text);
        if (place->file_s < place->best_s) { // HAN's file names more than ids
            place->best_s = place->file_s;
            g_free(place->best);
            place->best = g_strdup(place->runs);
        }
    }
    return TRUE;
}

static gboolean add_collective(Verify *x, Request *r, DecidePart *decide, gconstpointer from, const VerifyOf *of,
                               guint n, GRand *random, GError **error)
{
    const guint first = x->places->len;
    r->question.collective = of->collective;
    r->question.elem = of->elem;
    r->library.han.segment = of->segsize;
    g_autoptr(GArray) calls = draw_calls(r, random, n);
    g_autoptr(Regret) regret = regret_at(r, of->collective, of->elem, calls, error);
    for (guint i = 0; regret && i < regret->places->len; i++) {
        const RegretPlace *at = &g_array_index(regret->places, RegretPlace, i);
        const VerifyPlace place = {of->collective,
                                   at->p,
                                   at->per_node,
                                   at->m,
                                   at->default_s,
                                   NAN,
                                   at->best_s,
                                   NULL,
                                   at->best_id ? g_strdup_printf("%s %s", at->best_id, at->best) : g_strdup(at->best)};
        x->asked++;
        if (!isnan(at->usual_s))
            g_array_append_val(x->places, place);
    }
    const gboolean good = regret && time_files(x, first, r, decide, from, error);
    r->library.han = r->library.han_usual;
    return good;
}

// ---- Results --------------------------------------------------------------------------------------------------------

static int by_x(const void *a, const void *b)
{
    const VerifyPlace *one = a, *two = b;
    const double x = verify_x(one), y = verify_x(two);
    if (x != y)
        return x > y ? -1 : 1;
    if (one->collective != two->collective)
        return one->collective < two->collective ? -1 : 1;
    return one->p != two->p ? one->p - two->p : (one->m > two->m) - (one->m < two->m);
}

static void sum_up(Verify *x)
{
    double before = 0, after = 0;
    guint known = 0;
    for (guint i = x->places->len; i-- > 0;)
        if (isnan(g_array_index(x->places, VerifyPlace, i).file_s))
            g_array_remove_index(x->places, i);
    g_array_sort(x->places, by_x);
    for (guint i = 0; i < x->places->len; i++) {
        const VerifyPlace *place = &g_array_index(x->places, VerifyPlace, i);
        known += !isnan(place->default_s);
        before += isnan(place->default_s) || place->best_s <= 0 ? 0 : log(place->default_s / place->best_s);
        after += log(verify_x(place));
    }
    x->mean_before = known || !x->places->len ? exp(before / MAX(known, 1)) : NAN;
    x->mean = exp(after / MAX(x->places->len, 1));
}

Verify *verify_file(Request *r, const RulesFile *file, DecidePart *decide, gconstpointer from, const GArray *which,
                    guint n, GError **error)
{
    g_autoptr(Verify) x = g_new0(Verify, 1);
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    x->places = g_array_new(FALSE, FALSE, sizeof(VerifyPlace));
    g_array_set_clear_func(x->places, place_clear);
    gboolean good = TRUE;
    r->library.rules = file;
    for (guint i = 0; i < which->len && good; i++) {
        const guint share = n / which->len + (i < n % which->len ? 1 : 0);
        good = add_collective(x, r, decide, from, &g_array_index(which, VerifyOf, i), share, random, error);
    }
    r->library.rules = NULL;
    if (!good)
        return NULL;
    sum_up(x);
    return g_steal_pointer(&x);
}

double verify_above(const Verify *x, double limit)
{
    guint n = 0;
    while (n < x->places->len && verify_x(&g_array_index(x->places, VerifyPlace, n)) > limit)
        n++;
    return (double)n / MAX(x->places->len, 1);
}
