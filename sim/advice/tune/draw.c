#include "advice/tune/draw.h"
#include "base/distinct.h"
#include <math.h>

enum { DRAWS = 64 }; // after this many attempts a value of the grid is taken

// Draws a multiple of `unit` between the least and the greatest of some values, but none of them if there are others.
static size_t draw_between(GRand *random, const GArray *values, size_t unit)
{
    size_t least = SIZE_MAX, most = 0, x = 0;
    for (guint i = 0; i < values->len; i++) {
        least = MIN(least, g_array_index(values, size_t, i));
        most = MAX(most, g_array_index(values, size_t, i));
    }
    const double from = log((double)MAX(least, unit)), to = log((double)MAX(most, unit));
    for (int i = 0; i < DRAWS; i++) {
        x = (size_t)exp(from + (to - from) * g_rand_double(random)) / unit * unit;
        x = CLAMP(x, MAX(least, unit), MAX(most, unit));
        if (!distinct_has_size(values, x))
            break;
    }
    return x;
}

static ContestPlace draw(const Request *r, const GArray *sizes, GRand *random)
{
    ContestPlace place = {0};
    if (r->question.per_node) {
        const guint i = (guint)g_rand_int_range(random, 0, (gint32)r->question.ranks->len);
        place.p = (int)g_array_index(r->question.ranks, size_t, i);
        place.per_node = request_per_node(r, i);
    } else {
        place.p = (int)draw_between(random, r->question.ranks, 1);
    }
    place.m = r->question.collective == COLL_BARRIER ? 0 : draw_between(random, sizes, r->question.elem);
    return place;
}

GArray *draw_calls(const Request *r, GRand *random, guint n)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    g_autoptr(GArray) sizes = question_whole_sizes(&r->question);
    for (guint i = 0; i < n && (sizes->len > 0 || r->question.collective == COLL_BARRIER); i++) {
        const ContestPlace call = draw(r, sizes, random);
        g_array_append_val(calls, call);
    }
    return calls;
}
