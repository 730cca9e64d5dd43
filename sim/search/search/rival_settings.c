#include "search/search/rival_settings.h"
#include "search/search/try_changes.h"
#include <math.h>

enum { SIZES_APART = 8 };

// Adds a setting that may be the best from one size to another. Returns FALSE if that was known.
static gboolean add_setting(RivalSettings *x, int i, const CollParams *par, size_t found, size_t from, size_t to)
{
    for (guint k = 0; k < x->of[i]->len; k++) {
        RivalSetting *known = &g_array_index(x->of[i], RivalSetting, k);
        if (!params_same(x->algorithm[i], par, &known->par))
            continue;
        const gboolean wider = from < known->from || to > known->to;
        known->from = MIN(known->from, from);
        known->to = MAX(known->to, to);
        return wider;
    }
    const RivalSetting setting = {*par, from, to, found};
    g_array_append_val(x->of[i], setting);
    return TRUE;
}

gboolean rival_settings_add(RivalSettings *x, size_t m, gboolean *grown, GError **error)
{
    const ContestPlace at = {x->p, x->per_node, m, 0};
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    g_array_append_val(places, at);
    g_autoptr(GPtrArray) contests = contest_make_places(x->request, 2, places);
    if (!contest_run(contests->pdata[0], NULL, error))
        return FALSE;
    const Contest *contest = contests->pdata[0];
    contest_counts_add(&x->searched, &contest->counts);
    for (guint k = 0; k < contest->ranking->len; k++) {
        const Point *point = ((const Contender *)contest->ranking->pdata[k])->point;
        for (int i = 0; i < 2; i++)
            if (point->algorithm == x->algorithm[i])
                *grown |= add_setting(x, i, &point->par, m, m / SIZES_APART, m * SIZES_APART);
    }
    return TRUE;
}

gboolean rival_settings_find(RivalSettings *x, size_t most, GError **error)
{
    const size_t elem = x->request->question.elem;
    gboolean grown;
    for (int i = 0; i < 2; i++) {
        Point *usual = point_new(x->request, x->algorithm[i], x->p, x->per_node, elem, error);
        if (!usual)
            return FALSE;
        x->of[i] = g_array_new(FALSE, FALSE, sizeof(RivalSetting));
        add_setting(x, i, &usual->asked, 0, 0, SIZE_MAX);
        point_free(usual);
    }
    for (size_t m = elem; m <= most; m *= SIZES_APART)
        if (!rival_settings_add(x, m, &grown, error))
            return FALSE;
    return TRUE;
}

// Adds parameters to those that are run at one size, if they are not among them.
static void add_params(GArray *all, const CollAlgorithm *a, const CollParams *par)
{
    for (guint k = 0; k < all->len; k++)
        if (params_same(a, &g_array_index(all, CollParams, k), par))
            return;
    g_array_append_vals(all, par, 1);
}

// Returns the parameters (CollParams) with which the i-th algorithm runs at m bytes. Free with g_array_unref.
static GArray *params_at(const RivalSettings *x, int i, size_t m)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(CollParams));
    for (guint k = 0; k < x->of[i]->len; k++) {
        const RivalSetting *setting = &g_array_index(x->of[i], RivalSetting, k);
        if (m < setting->from || m > setting->to)
            continue;
        add_params(all, x->algorithm[i], &setting->par);
        if (setting->found == 0 || setting->found == m)
            continue;
        const CollParams here =
            try_parts_at(&x->request->question, request_node_ranks(&x->request->machine, x->p, x->per_node),
                         x->algorithm[i], &setting->par, setting->found, m);
        add_params(all, x->algorithm[i], &here);
    }
    return all;
}

Point *rival_settings_fastest(const RivalSettings *x, int i, size_t m, GError **error)
{
    Point *fastest = NULL;
    GError *why = NULL;
    g_autoptr(GArray) all = params_at(x, i, m);
    for (guint k = 0; k < all->len && !why; k++) {
        Point *point = ahead_simulate(x->request, x->p, x->per_node, m, algorithm_number(x->algorithm[i]),
                                      &g_array_index(all, CollParams, k), fastest ? fastest->time_s : 0, NULL, &why);
        const gboolean faster =
            point && !point_beyond(point) && point_timed(point) && (!fastest || point->time_s < fastest->time_s);
        if (faster) {
            point_free(fastest);
            fastest = g_steal_pointer(&point);
        }
        point_free(point);
    }
    if (why) {
        point_free(fastest);
        g_propagate_error(error, why);
        return NULL;
    }
    return fastest;
}

void rival_settings_clear(RivalSettings *x)
{
    for (int i = 0; i < 2; i++)
        g_clear_pointer(&x->of[i], g_array_unref);
}
