#include "advice/tune/refine.h"
#include "search/search/contest.h"
#include <math.h>

enum { MOST_RANKS = 1 << 8, MOST_BYTES = 1 << 28 };

static const TunePlace *place_at(const Tune *tune, guint i)
{
    return &g_array_index(tune->places, TunePlace, i);
}

gboolean refine_can(int p, size_t m)
{
    return p <= MOST_RANKS && m <= (size_t)MOST_BYTES / (size_t)p;
}

GArray *refine_ranks(const Tune *tune)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    guint begin = 0, end; // of the places with the same ranks
    for (end = 0; end < tune->places->len; end++) {
        const int p = place_at(tune, begin)->p, q = place_at(tune, end)->p;
        if (p == q)
            continue;
        const int between[] = {p + 1, p + (q - p) / 2, q - 1};
        for (int i = 0; i < 3; i++)
            for (guint k = begin; k < end && between[i] > (i > 0 ? between[i - 1] : p) && between[i] < q; k++) {
                const ContestPlace call = {between[i], 0, place_at(tune, k)->m};
                if (refine_can(q, call.m))
                    g_array_append_val(calls, call);
            }
        begin = end;
    }
    return calls;
}

GArray *refine_few(const Tune *tune)
{
    static const size_t few[] = {2, 3, 5, 6, 7}; // grids are likely to have powers of two
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    for (guint i = 1; i < tune->places->len && collectives[tune->collective].reduces && !tune->one; i++) {
        const TunePlace *below = place_at(tune, i - 1), *above = place_at(tune, i);
        for (size_t k = 0; k < G_N_ELEMENTS(few); k++) {
            const ContestPlace call = {above->p, above->per_node, few[k] * tune->elem};
            if (below->p == above->p && below->per_node == above->per_node && refine_can(call.p, call.m) &&
                below->m < call.m && call.m < above->m)
                g_array_append_val(calls, call);
        }
    }
    return calls;
}

GArray *refine_sizes(const Tune *tune)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    for (guint i = 1; i < tune->places->len && !tune->one; i++) {
        const TunePlace *below = place_at(tune, i - 1), *above = place_at(tune, i);
        const size_t elem = tune->elem, middle = (size_t)sqrt((double)below->m * (double)above->m) / elem * elem;
        if (!refine_can(above->p, above->m) || below->p != above->p || below->per_node != above->per_node ||
            intervals_option(above, &below->choice) || above->m - below->m <= below->m / 8 || middle <= below->m ||
            middle >= above->m)
            continue;
        const ContestPlace call = {above->p, above->per_node, middle};
        g_array_append_val(calls, call);
    }
    return calls;
}
