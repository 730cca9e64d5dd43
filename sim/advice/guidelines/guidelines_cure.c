// What cures a violation: what the library can be told to run in place of the slow side.
#include "advice/guidelines/guidelines.h"
#include "advice/tune/regret.h"
#include "advice/tune/tune.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

static const GuidelineTime *left_of(const Guidelines *x, guint row)
{
    const GuidelineRow *at = &g_array_index(x->rows, GuidelineRow, row);
    const GuidelineCase *one = &g_array_index(x->cases, GuidelineCase, at->worst[GUIDELINE_PREDICTED]);
    return &g_array_index(x->times, GuidelineTime, one->left);
}

static const GuidelinePlace *place_of(const Guidelines *x, const GuidelineTime *time)
{
    return x->places->pdata[time->place];
}

static void cure_clear(gpointer data)
{
    GuidelineCure *cure = data;
    g_free(cure->best);
    g_free(cure->setting);
}

static void make_cures(Guidelines *x)
{
    const GuidelineCure none = {.best_s = NAN, .file_s = NAN, .file_sure = {NAN, NAN, NAN, NAN}, .elsewhere_x = NAN};
    x->cures = g_array_sized_new(FALSE, FALSE, sizeof(GuidelineCure), x->rows->len);
    g_array_set_clear_func(x->cures, cure_clear);
    for (guint i = 0; i < x->rows->len; i++)
        g_array_append_val(x->cures, none);
}

// Returns TRUE if a row is to be cured, and has this collective on the left, with an element of this length. A file cures nothing
// that the library cannot be told at all.
static gboolean is_of(const Guidelines *x, guint row, gboolean by_file, int collective, size_t elem)
{
    const GuidelineTime *left = left_of(x, row);
    return left->collective == collective && left->elem == elem &&
           (!by_file || g_array_index(x->cures, GuidelineCure, row).cures) &&
           guidelines_violated(x, &g_array_index(x->rows, GuidelineRow, row), GUIDELINE_PREDICTED);
}

// Returns the places of such rows (ContestPlace). Free with g_array_unref.
static GArray *violated_places(const Guidelines *x, const GArray *rows, gboolean by_file, int collective, size_t elem)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    for (guint i = 0; i < rows->len; i++) {
        const GuidelineTime *left = left_of(x, g_array_index(rows, guint, i));
        const ContestPlace place = {place_of(x, left)->p, place_of(x, left)->per_node, left->m, 0};
        if (is_of(x, g_array_index(rows, guint, i), by_file, collective, elem))
            g_array_append_val(places, place);
    }
    return places;
}

// Returns the setting that makes the library run the best at a place; NULL if there is none. Free with g_free.
static char *setting_of(const RequestLibrary *lib, Collective collective, const RegretPlace *place)
{
    const LibraryAlgorithm *a =
        place->entry ? decide_algorithm(lib->only, algorithm_entry(place->entry), &place->par) : NULL;
    const gboolean one_node = place->per_node >= place->p;
    return a ? decide_setting(lib->only, a, algorithm_entry(place->entry), &place->par,
                              !one_node && decide_has_han(lib->only, collective, &lib->han))
             : NULL;
}

// Notes what was found at the place of a violation.
static void note_cure(Guidelines *x, guint row, const Request *r, gboolean by_file, const RegretPlace *place)
{
    const GuidelineRow *at = &g_array_index(x->rows, GuidelineRow, row);
    const GuidelineCase *one = &g_array_index(x->cases, GuidelineCase, at->worst[GUIDELINE_PREDICTED]);
    const GuidelineTime *left = left_of(x, row);
    GuidelineCure *cure = &g_array_index(x->cures, GuidelineCure, row);
    const double most_s = (1 + x->tolerance) * guidelines_right(x, one, GUIDELINE_PREDICTED);
    if (by_file) {
        cure->file_s = place->best_s;
        cure->file_sure = regret_sure(place, r->machine.platform);
        cure->tunes = place->best_s <= most_s;
        return;
    }
    cure->best_s = place->best_s;
    cure->best = g_strdup(place->best);
    cure->setting = setting_of(&r->library, (Collective)left->collective, place);
    cure->cures = place->best_s <= most_s;
}

// Finds what the best at a place takes at the other sizes of it, if one choice must serve all of these. Returns FALSE and an
// error if a simulation fails.
static gboolean price_elsewhere(Guidelines *x, guint row, const Request *r, const RegretPlace *place, GError **error)
{
    const GuidelineTime *left = left_of(x, row);
    GuidelineCure *cure = &g_array_index(x->cures, GuidelineCure, row);
    if (!place->entry || left->collective == COLL_BARRIER ||
        !tune_has_one(r->library.only->library, (Collective)left->collective))
        return TRUE;
    for (guint i = 0; i < x->times->len; i++) {
        const GuidelineTime *at = &g_array_index(x->times, GuidelineTime, i);
        const double now = at->time_s[GUIDELINE_PREDICTED];
        if (at->collective != left->collective || at->place != left->place || !(now > 0))
            continue;
        Point *point = point_make(r, place->entry, &place->par, place->p, place->per_node, at->m, 0, error);
        if (!point || !point_run(point, r, error)) {
            point_free(point);
            return FALSE;
        }
        const double ratio = point_timed(point) ? point->time_s / now : NAN;
        if (ratio > cure->elsewhere_x || (isnan(cure->elsewhere_x) && !isnan(ratio))) {
            cure->elsewhere_x = ratio;
            cure->elsewhere_m = at->m;
        }
        point_free(point);
    }
    return TRUE;
}

static gboolean cure_collective(Guidelines *x, const GArray *rows, Request *r, gboolean by_file, int collective,
                                size_t elem, GError **error)
{
    g_autoptr(GArray) places = violated_places(x, rows, by_file, collective, elem);
    if (places->len == 0 || (by_file && !tune_can(r->library.only, (Collective)collective)))
        return TRUE;
    g_autoptr(Regret) regret = regret_at(r, (Collective)collective, elem, places, error);
    for (guint i = 0; regret && i < rows->len; i++) {
        const guint row = g_array_index(rows, guint, i);
        const GuidelineTime *left = left_of(x, row);
        const RegretPlace *place = regret_place(regret, place_of(x, left)->p, place_of(x, left)->per_node, left->m);
        if (!is_of(x, row, by_file, collective, elem) || !place || isnan(place->best_s))
            continue;
        note_cure(x, row, r, by_file, place);
        if (!by_file && !price_elsewhere(x, row, r, place, error))
            return FALSE;
    }
    return regret != NULL;
}

gboolean guidelines_cure(Guidelines *x, const GArray *rows, Request *r, gboolean by_file, GError **error)
{
    enum { MOST_ELEMENTS = 8 }; // lengths that logs of one collective have
    if (!x->cures)
        make_cures(x);
    for (int c = 0; c < N_COLLECTIVES; c++) {
        size_t done[MOST_ELEMENTS];
        guint n = 0;
        for (guint i = 0; i < x->times->len; i++) {
            const GuidelineTime *time = &g_array_index(x->times, GuidelineTime, i);
            guint k = 0;
            while (k < n && done[k] != time->elem)
                k++;
            if (time->collective != c || k < n || n == MOST_ELEMENTS)
                continue;
            done[n++] = time->elem;
            if (!cure_collective(x, rows, r, by_file, c, time->elem, error))
                return FALSE;
        }
    }
    return TRUE;
}

// Returns TRUE if the library decides alike for two sizes.
static gboolean alike(const Request *r, const GuidelinePlace *place, size_t one, size_t two)
{
    const DecideCall a = request_call(r, place->p, place->per_node, one, NULL),
                     b = request_call(r, place->p, place->per_node, two, NULL);
    g_autoptr(Decision) first = decide_call(r->library.only, &a), second = decide_call(r->library.only, &b);
    return decide_alike(first, second);
}

char *guidelines_decided_sizes(Request *r, const GuidelinePlace *place, const GuidelineTime *time)
{
    if (time->collective == COLL_BARRIER || time->collective == GUIDELINE_LOCAL || !time->decided)
        return NULL;
    r->question.collective = (Collective)time->collective;
    r->question.elem = time->elem;
    const DecideCall call = request_call(r, place->p, place->per_node, time->m, NULL);
    g_autoptr(GArray) bounds = decide_sizes(r->library.only, &call);
    size_t from = 0, below = 0; // 0: no bound
    for (guint i = 0; i < bounds->len && !below; i++) {
        const size_t m = g_array_index(bounds, size_t, i);
        if (m < time->elem || alike(r, place, m - time->elem, m))
            continue;
        if (m <= time->m)
            from = m;
        else
            below = m;
    }
    g_autofree char *first = units_format_size(from), *last = units_format_size(below ? below - time->elem : 0);
    return !from && !below ? g_strdup("at all sizes")
           : !below        ? g_strdup_printf("from %s on", first)
           : !from         ? g_strdup_printf("up to %s", last)
                           : g_strdup_printf("from %s to %s", first, last);
}
