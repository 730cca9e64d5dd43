#include "advice/tune/difference.h"
#include "base/error.h"
#include "advice/tune/decided.h"
#include <math.h>
#include <string.h>

static void place_clear(gpointer data)
{
    DifferencePlace *place = data;
    for (int i = 0; i < 2; i++) {
        g_free(place->of[i].text);
        g_free(place->of[i].missing);
    }
}

double difference_ratio(const DifferencePlace *place)
{
    const double one = place->of[0].time_s, two = place->of[1].time_s;
    return one == two ? 1 : one / two; // both may be 0, on one rank
}

double difference_cost(const DifferencePlace *place)
{
    const double ratio = difference_ratio(place);
    return isnan(ratio) ? 0 : MAX(ratio, 1 / ratio);
}

// ---- Points ---------------------------------------------------------------------------------------------------------

// Adds a point if the files run something else there. Returns FALSE and an error if its messages are too large.
static gboolean add_place(GArray *places, const Request *r, const RulesFile *const files[2], int p, int per_node,
                          size_t m, GError **error)
{
    if (m > question_most(&r->question, (size_t)p))
        return bad_input(
            error, "-m %" G_GSIZE_FORMAT " on %d ranks overflows; allowed: less than 2^62 bytes in all messages", m, p);
    const DecideCall call = request_call(r, p, per_node, m, NULL);
    g_autoptr(Decision) a = rules_decision(r->library.only, &call, files[0]),
                        b = rules_decision(r->library.only, &call, files[1]);
    DifferencePlace place = {
        r->question.collective, r->question.elem, p, per_node, m, rules_size(r->library.only->library, &call),
        {{NAN, NULL, NULL}}};
    place.of[1].time_s = NAN;
    if (decide_alike(a, b))
        return TRUE;
    for (guint i = 0; i < places->len; i++) {
        const DifferencePlace *old = &g_array_index(places, DifferencePlace, i);
        if (old->p == p && old->per_node == per_node && old->m == m)
            return TRUE;
    }
    g_array_append_val(places, place);
    return TRUE;
}

static gboolean add_places(GArray *places, const Request *r, const RulesFile *const files[2], const GArray *more,
                           GError **error)
{
    const gboolean barrier = r->question.collective == COLL_BARRIER; // it has no bytes
    g_autoptr(GArray) sizes = question_whole_sizes(&r->question);
    for (guint i = 0; i < r->question.ranks->len; i++)
        for (guint k = 0; k < (barrier ? 1 : sizes->len); k++) {
            const size_t p = g_array_index(r->question.ranks, size_t, i),
                         m = barrier ? 0 : g_array_index(sizes, size_t, k);
            if (p >= 2 && !add_place(places, r, files, (int)p, request_per_node(r, i), m, error))
                return FALSE;
        }
    for (guint i = 0; i < more->len; i++) {
        const DifferencePlace *x = &g_array_index(more, DifferencePlace, i);
        if (x->m <= question_most(&r->question, (size_t)x->p) && !add_place(places, r, files, x->p, 0, x->m, error))
            return FALSE;
    }
    return TRUE;
}

// ---- Times ----------------------------------------------------------------------------------------------------------

// Times both files at all places. What is too large to simulate counts as not known.
static gboolean time_places(GArray *places, const Request *r, GError **error)
{
    g_autoptr(GArray) times = decided_new();
    for (guint i = 0; i < 2 * places->len; i++) {
        const DifferencePlace *place = &g_array_index(places, DifferencePlace, i / 2);
        decided_add(times, r->question.named->pdata[i % 2], place->p, place->per_node, place->m);
    }
    if (!decided_times(times, r, "calls", error))
        return FALSE;
    for (guint i = 0; i < times->len; i++) {
        DecidedTime *time = &g_array_index(times, DecidedTime, i);
        DifferencePlace *place = &g_array_index(places, DifferencePlace, i / 2);
        place->of[i % 2].time_s = time->time_s;
        place->of[i % 2].text = g_steal_pointer(&time->text);
        place->of[i % 2].missing = g_steal_pointer(&time->missing);
    }
    return TRUE;
}

static int by_cost(const void *a, const void *b)
{
    const DifferencePlace *x = a, *y = b;
    const double one = difference_cost(x), two = difference_cost(y);
    if (one != two)
        return one > two ? -1 : 1;
    if (x->p != y->p || x->per_node != y->per_node)
        return x->p != y->p ? x->p - y->p : x->per_node - y->per_node;
    return (x->m > y->m) - (x->m < y->m);
}

GArray *difference_compute(Request *r, Collective collective, size_t elem, const RulesFile *const files[2],
                           const GArray *more, GError **error)
{
    static const char *const names[] = {"first file", "second file"};
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(DifferencePlace));
    g_array_set_clear_func(places, place_clear);
    r->question.collective = collective;
    r->question.elem = elem;
    request_name_none(r);
    for (int i = 0; i < 2; i++)
        request_name_decider(r, r->library.only, names[i], rules_decision, files[i]);
    if (!add_places(places, r, files, more, error) || !time_places(places, r, error))
        return NULL;
    g_array_sort(places, by_cost);
    return g_steal_pointer(&places);
}
