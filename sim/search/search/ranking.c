#include "search/search/ranking.h"
#include <math.h>
#include <stdlib.h>

Ranking *ranking_new(void)
{
    Ranking *x = g_new0(Ranking, 1);
    x->ranked = g_ptr_array_new();
    return x;
}

void ranking_free(gpointer ranking)
{
    Ranking *x = ranking;
    g_ptr_array_unref(x->ranked);
    g_free(x);
}

guint ranking_end(const GPtrArray *points, guint first)
{
    guint end = first + 1;
    while (end < points->len && points_same_place(points->pdata[first], points->pdata[end]))
        end++;
    return end;
}

Ranking *ranking_make(const GPtrArray *points, guint first)
{
    Ranking *x = ranking_new();
    x->first = first;
    x->end = ranking_end(points, first);
    for (guint i = x->first; i < x->end; i++) {
        const Point *point = g_ptr_array_index(points, i);
        if (point_timed(point) && !point->why) // a fallback's time is not the algorithm's
            g_ptr_array_add(x->ranked, (gpointer)(uintptr_t)point);
    }
    if (x->ranked->len > 0)
        qsort(x->ranked->pdata, x->ranked->len, sizeof *x->ranked->pdata, points_faster);
    return x;
}

guint ranking_tied(const Ranking *x)
{
    guint n = 0;
    while (n < x->ranked->len &&
           ((const Point *)x->ranked->pdata[n])->time_s == ((const Point *)x->ranked->pdata[0])->time_s)
        n++;
    return n;
}

guint ranking_place(const Ranking *x, const Point *point)
{
    for (guint i = 0; i < x->ranked->len; i++)
        if (x->ranked->pdata[i] == point)
            return i + 1;
    return 0;
}

double ranking_x_bound(const Request *r, const Point *point)
{
    const double bound_s = request_bound(r, point->p, point->per_node, point->m);
    return bound_s > 0 ? point->time_s / bound_s : NAN;
}
