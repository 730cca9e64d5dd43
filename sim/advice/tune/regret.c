#include "advice/tune/regret.h"
#include "base/parallel.h"
#include "base/distinct.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>
#include <time.h>

static const double steep = 1.5; // the least factor of a cliff

static void place_clear(gpointer data)
{
    RegretPlace *place = data;
    g_free(place->decided);
    g_free(place->missing);
    g_free(place->best);
    g_free(place->best_id);
    g_free(place->all);
}

void regret_free(Regret *x)
{
    if (!x)
        return;
    g_array_unref(x->places);
    g_array_unref(x->cliffs);
    g_free(x->left_out);
    g_free(x->searched);
    if (x->contests)
        g_ptr_array_unref(x->contests);
    g_free(x);
}

double regret_x(const RegretPlace *place)
{
    return place->default_s == place->best_s ? 1 : place->default_s / place->best_s; // both may be 0, on one rank
}

Sure regret_sure(const RegretPlace *place, const Platform *platform)
{
    return sure_of(platform, place->default_s, place->default_entry, place->best_s,
                   place->entry ? place->entry : place->default_entry);
}

Sure regret_gain(const RegretPlace *place, const Platform *platform, const Point *point)
{
    return sure_of(platform, place->default_s, place->default_entry, point->time_s, point->algorithm);
}

static RegretPlace *place_at(const Regret *x, guint i)
{
    return &g_array_index(x->places, RegretPlace, i);
}

// ---- Times ----------------------------------------------------------------------------------------------------------

typedef struct RegretJob {
    const Request *request;
    RegretPlace *place;
    const CollAlgorithm *usual; // the library's default
    gboolean file;              // a rules file is loaded, but no rule decides
} RegretJob;

// Times the default. A point that is too large to simulate counts as not known.
static gboolean time_default(gpointer data, gpointer unused, GError **error)
{
    const RegretJob *job = data;
    RegretPlace *place = job->place;
    g_autoptr(GError) why = NULL;
    (void)unused;
    Point *point = point_new(job->request, job->usual, place->p, place->per_node, place->m, error);
    if (!point)
        return FALSE;
    const double time_s = point_run(point, job->request, &why) && point_timed(point) ? point->time_s : NAN;
    place->default_s = time_s;
    place->default_entry = point->decision ? point->decision->entry : NULL;
    if (job->file) {
        place->usual_s = time_s;
        place->usual_entry = place->default_entry;
    }
    g_free(place->decided);
    g_free(place->missing);
    place->decided = point->decision ? decision_text(point->decision) : NULL;
    place->missing = g_strdup(why ? why->message : point->decision ? point->decision->missing : NULL);
    point_free(point);
    return TRUE;
}

// Returns TRUE if the default at a place is HAN's or a composition, which the request switches off.
static gboolean is_switched_off(const RegretPlace *place, const Request *r)
{
    const DecideCall without = request_call(r, place->p, place->per_node, place->m, NULL);
    DecideCall with = without;
    with.no_han = with.no_compositions = FALSE;
    with.han = r->library.han_usual;
    g_autoptr(Decision) one = decide_call(r->library.only, &without), two = decide_call(r->library.only, &with);
    return !decide_alike(one, two);
}

static gboolean time_defaults(const Request *r, GPtrArray *places, gboolean file, GError **error)
{
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < places->len; i++) {
        RegretJob *job = g_new(RegretJob, 1);
        *job = (RegretJob){r, places->pdata[i], g_ptr_array_index(r->question.named, 0), file};
        g_ptr_array_add(jobs, job);
    }
    const ParallelWork work = {.run = time_default, .what = "defaults"};
    return parallel_run(jobs, &work, error);
}

// Times what runs without a rule, and then the default where it is another.
static gboolean time_all_defaults(const Regret *x, Request *r, GError **error)
{
    const gboolean no_han = r->library.no_han, no_compositions = r->library.no_compositions;
    const DecideHan han = r->library.han;
    g_autoptr(GPtrArray) all = g_ptr_array_new(), other = g_ptr_array_new();
    for (guint i = 0; i < x->places->len; i++) {
        g_ptr_array_add(all, place_at(x, i));
        if (r->library.by_file && is_switched_off(place_at(x, i), r))
            g_ptr_array_add(other, place_at(x, i));
    }
    if (!time_defaults(r, all, TRUE, error))
        return FALSE;
    r->library.no_han = r->library.no_compositions = FALSE;
    r->library.han = r->library.han_usual;
    const gboolean good = time_defaults(r, other, FALSE, error);
    r->library.no_han = no_han;
    r->library.no_compositions = no_compositions;
    r->library.han = han;
    return good;
}

// Holds contests of the request's algorithms against the default, wherever that is known, or with `all`, against the best
// of the library, on the grid alone. Adds their places (RegretPlace). Free with g_ptr_array_unref.
static GPtrArray *hold_contests(const Regret *x, const Request *r, gboolean all, GPtrArray *places, GError **error)
{
    g_autoptr(GArray) where = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    for (guint i = 0; i < x->places->len; i++) {
        RegretPlace *place = place_at(x, i);
        const ContestPlace at = {place->p, place->per_node, place->m, all ? place->best_s : place->usual_s};
        if (isnan(place->usual_s) || (all && !place->grid))
            continue;
        g_array_append_val(where, at);
        g_ptr_array_add(places, place);
    }
    g_autoptr(GPtrArray) contests = contest_make_places(r, all ? 1 : x->top, where);
    return contest_run_all(contests, NULL, NULL, error) ? g_steal_pointer(&contests) : NULL;
}

// Returns what wins contest i of these in less time than most_s; NULL if nothing does.
static const Point *winner_below(const GPtrArray *contests, guint i, double most_s)
{
    const Contest *contest = contests->pdata[i];
    const Point *point = contest->ranking->len ? ((Contender *)contest->ranking->pdata[0])->point : NULL;
    return point && point->time_s < most_s ? point : NULL;
}

// Finds the best of what the library can be told to run, wherever the default is known. The default is one of these.
static gboolean find_best(Regret *x, gboolean keep, const Request *r, GError **error)
{
    g_autoptr(GPtrArray) places = g_ptr_array_new(), contests = hold_contests(x, r, FALSE, places, error);
    guint grid = 0;
    for (guint i = 0; contests && i < contests->len; i++) {
        RegretPlace *place = places->pdata[i];
        const Point *point = winner_below(contests, i, place->usual_s);
        grid += place->grid ? 1 : 0;
        place->best_s = point ? point->time_s : place->usual_s;
        place->best = point ? point_choice(point) : g_strdup("the default");
        place->best_id = point ? point_library_id(&r->library, point) : NULL;
        place->entry = point ? point->algorithm : NULL;
        if (point)
            place->par = point->par;
    }
    if (!contests)
        return FALSE;
    x->left_out = contest_left_out(contests, grid);
    x->searched = contest_searched(contests);
    x->counts = contest_counts(contests);
    if (keep) {
        g_ptr_array_set_size(contests, (int)grid); // the grid comes first
        x->contests = g_steal_pointer(&contests);
    }
    return TRUE;
}

// Finds the best of all algorithms on the grid, as `collsim best` does without --only, if that is of interest.
static gboolean find_best_of_all(Regret *x, Request *r, GError **error)
{
    const RequestLibrary library = r->library;
    if (!library.of_all)
        return TRUE;
    GPtrArray *named = g_steal_pointer(&r->question.named);
    g_autoptr(GPtrArray) places = g_ptr_array_new();
    r->library = (RequestLibrary){0};
    g_autoptr(GPtrArray) contests = hold_contests(x, r, TRUE, places, error);
    double logs = 0;
    for (guint i = 0; contests && i < contests->len; i++) {
        RegretPlace *place = places->pdata[i];
        const Point *point = winner_below(contests, i, place->best_s);
        place->all_s = point ? point->time_s : place->best_s;
        place->all = point ? point_choice(point) : g_strdup(place->best);
        logs += place->best_s > 0 ? log(place->all_s / place->best_s) : 0;
    }
    x->all_mean = contests && contests->len ? exp(logs / contests->len) : NAN;
    r->library = library;
    r->question.named = named;
    return contests != NULL;
}

// ---- Results --------------------------------------------------------------------------------------------------------

static int by_factor(const void *a, const void *b)
{
    const RegretPair *x = a, *y = b;
    if (x->factor != y->factor)
        return x->factor > y->factor ? -1 : 1;
    return x->place[0] != y->place[0] ? (x->place[0] < y->place[0] ? -1 : 1) : 0;
}

static void keep_cliffs(Regret *x)
{
    for (guint i = x->cliffs->len; i-- > 0;) {
        RegretPair *pair = &g_array_index(x->cliffs, RegretPair, i);
        const double one = regret_x(place_at(x, pair->place[0])), two = regret_x(place_at(x, pair->place[1]));
        pair->factor = MAX(one, two) / MIN(one, two);
        if (!(pair->factor >= steep))
            g_array_remove_index(x->cliffs, i);
    }
    g_array_sort(x->cliffs, by_factor);
    for (guint i = x->cliffs->len; i-- > 1;) // a pair may have been found in two ways
        if (memcmp(&g_array_index(x->cliffs, RegretPair, i), &g_array_index(x->cliffs, RegretPair, i - 1),
                   sizeof(guint[2])) == 0)
            g_array_remove_index(x->cliffs, i);
}

static void sum_up(Regret *x)
{
    double logs = 0;
    guint above_1_1 = 0, above_2 = 0;
    for (guint i = 0; i < x->places->len; i++) {
        const RegretPlace *place = place_at(x, i);
        const double ratio = regret_x(place);
        if (!place->grid)
            continue;
        x->unknown += isnan(ratio) ? 1 : 0;
        if (isnan(ratio))
            continue;
        x->known++;
        logs += log(ratio);
        above_1_1 += ratio > 1.1;
        above_2 += ratio > 2;
    }
    x->mean = x->known ? exp(logs / x->known) : NAN;
    x->above_1_1 = (double)above_1_1 / x->known;
    x->above_2 = (double)above_2 / x->known;
}

// Begins a regret of a collective, and names its default.
static Regret *begin(Request *r, Collective collective, size_t elem)
{
    Regret *x = g_new0(Regret, 1);
    question_turn(&r->question, collective, elem);
    x->collective = collective;
    x->elem = elem;
    x->root = r->question.root;
    x->top = 1;
    x->all_mean = NAN;
    x->places = g_array_new(FALSE, FALSE, sizeof(RegretPlace));
    x->cliffs = g_array_new(FALSE, FALSE, sizeof(RegretPair));
    g_array_set_clear_func(x->places, place_clear);
    request_name_default(r, r->library.only);
    return x;
}

// Notes whether HAN, or the compositions of MPICH, count in the default.
static void note_nodes(const Regret *x, Request *r)
{
    const gboolean han = decide_has_han(r->library.only, x->collective, &r->library.han),
                   mpich = r->library.only->library->family == LIBRARY_MPICH;
    gboolean nodes = request_several_nodes(r);
    for (guint i = 0; i < r->question.ranks->len && mpich; i++) // compositions take one node too
        nodes |= request_per_node(r, i) > 0;
    if (nodes && han && !r->library.by_file && r->library.no_han)
        request_note_default(r, g_strdup("the default is that without HAN (--mca coll ^han)"));
    else if (nodes && han)
        request_note_default(r, g_strdup_printf("the default is that with HAN, which decides first on several nodes%s",
                                                r->library.by_file && r->library.no_han
                                                    ? "; the best is without HAN (--mca coll ^han)"
                                                    : ""));
    else if (nodes && mpich)
        request_note_default(r, g_strdup_printf("the default has the compositions of the device ch4%s",
                                                r->library.no_compositions ? "; the best is without them "
                                                                             "(MPIR_CVAR_DEVICE_COLLECTIVES=none)"
                                                                           : ""));
}

// Notes in the request what is to be said of the grid: what its contests leave out, and what the data do not know of
// the default. Returns the regret.
static Regret *noted(Regret *x, Request *r)
{
    note_nodes(x, r);
    for (guint i = 0; i < x->places->len; i++) {
        const RegretPlace *place = place_at(x, i);
        if (place->grid && place->missing)
            request_note_default(r, g_strdup_printf("%s: %s", collectives[x->collective].name, place->missing));
    }
    request_leave_out_of(r, x->collective, x->left_out);
    return x;
}

// Times all places. Returns FALSE and an error if one of them is too large or cannot be timed.
static gboolean time_all(Regret *x, Request *r, gboolean keep, GError **error)
{
    for (guint i = 0; i < x->places->len; i++) {
        const RegretPlace *place = place_at(x, i);
        if (!question_check_size(&r->question, (size_t)place->p, place->m, error))
            return FALSE;
    }
    KnownTimes *own = known_begin(&r->known); // the default is one of those that the search tries
    const gboolean good = time_all_defaults(x, r, error) && find_best(x, keep, r, error);
    known_end(&r->known, own);
    if (good) {
        keep_cliffs(x);
        sum_up(x);
    }
    return good;
}

Regret *regret_compute(Request *r, Collective collective, size_t elem, gboolean pairs, GError **error)
{
    g_autoptr(Regret) x = begin(r, collective, elem);
    regret_places_add_grid(x->places, pairs ? x->cliffs : NULL, r);
    return time_all(x, r, FALSE, error) && find_best_of_all(x, r, error) ? noted(g_steal_pointer(&x), r) : NULL;
}

Regret *regret_contests(Request *r, Collective collective, size_t elem, int top, GError **error)
{
    g_autoptr(Regret) x = begin(r, collective, elem);
    x->top = top;
    regret_places_add_grid(x->places, x->cliffs, r);
    return time_all(x, r, TRUE, error) && find_best_of_all(x, r, error) ? noted(g_steal_pointer(&x), r) : NULL;
}

// What a part of the grid takes of a processor, in seconds for each rank.
typedef struct GridSample {
    int most;      // it has no place with more ranks
    double rank_s; // the mean
    double last_s; // the mean of the places that were timed last, which have most ranks
    double rise;   // beyond these, that mean grows with this power of the ranks
} GridSample;

// Times the places of the grid with m bytes, more than `above` ranks and at most `most`. Returns what this takes of a
// processor, in seconds, and adds to *ranks what the places have; returns NAN and an error on bad input.
static double time_part(const Regret *all, Request *r, size_t m, int above, int most, double *ranks, GError **error)
{
    g_autoptr(Regret) x = begin(r, all->collective, all->elem);
    const clock_t start = clock();
    x->top = all->top;
    for (guint i = 0; i < all->places->len; i++) {
        const RegretPlace *place = place_at(all, i);
        if (!place->grid || place->m != m || place->p <= above || place->p > most)
            continue;
        g_array_append_val(x->places, *place);
        *ranks += place->p;
    }
    return time_all(x, r, FALSE, error) ? (double)(clock() - start) / CLOCKS_PER_SEC : NAN;
}

// Returns the power of x with which a time has grown, from `before_s` to `after_s` while x became `factor` times as
// large. Work that is too little to be measured well may seem to grow faster than x itself, which the time for each rank
// never does for long.
static double power(double before_s, double after_s, double factor)
{
    return factor > 1 && before_s > 0 && after_s > before_s ? fmin(1, log(after_s / before_s) / log(factor)) : 0;
}

// Times the places of the grid with m bytes, those with few ranks first, until this shows what the others take.
static gboolean take_sample(const Regret *all, Request *r, size_t m, GridSample *sample, GError **error)
{
    enum { FEW_RANKS = 1 << 10 };
    static const double shown_s = 0.5; // of a processor
    int largest = 0;
    double spent_s = 0, ranks = 0;
    for (guint i = 0; i < all->places->len; i++)
        largest = MAX(largest, place_at(all, i)->p);
    *sample = (GridSample){0};
    for (int above = 0, most = FEW_RANKS; above < largest && spent_s < shown_s; above = most, most *= 2) {
        double more = 0;
        const double part_s = time_part(all, r, m, above, most, &more, error);
        if (isnan(part_s))
            return FALSE;
        if (more == 0)
            continue;
        sample->rise = sample->most ? power(sample->last_s, part_s / more, (double)most / sample->most) : 0;
        sample->most = most;
        sample->last_s = part_s / more;
        spent_s += part_s;
        ranks += more;
    }
    sample->rank_s = ranks > 0 ? spent_s / ranks : 0;
    return TRUE;
}

double regret_foresee(Request *r, Collective collective, size_t elem, int top, GError **error)
{
    g_autoptr(Regret) all = begin(r, collective, elem);
    g_autoptr(GArray) sizes = regret_places_sizes(&r->question);
    if (!sizes->len)
        return 0;
    all->top = top;
    regret_places_add_grid(all->places, all->cliffs, r);
    g_array_sort(sizes, distinct_by_size);
    const guint middle = sizes->len / 2;
    const size_t m = g_array_index(sizes, size_t, middle),
                 next = g_array_index(sizes, size_t, MIN(middle + 1, sizes->len - 1));
    GridSample one;
    if (!take_sample(all, r, m, &one, error))
        return NAN;
    double ranks = 0;
    const double next_s = next > m ? time_part(all, r, next, 0, one.most, &ranks, error) : 0;
    if (isnan(next_s))
        return NAN;
    const double rise = ranks > 0 && m > 0 ? power(one.rank_s, next_s / ranks, (double)next / (double)m) : 0;
    double sum_s = 0;
    for (guint i = 0; i < all->places->len; i++) {
        const RegretPlace *place = place_at(all, i);
        const double rank_s =
            place->p <= one.most ? one.rank_s : one.last_s * pow((double)place->p / one.most, one.rise);
        sum_s += rank_s * place->p * (place->m > m ? pow((double)place->m / (double)m, rise) : 1);
    }
    return sum_s;
}

// Begins a regret at these places (ContestPlace).
static Regret *begin_at(Request *r, Collective collective, size_t elem, const GArray *places)
{
    Regret *x = begin(r, collective, elem);
    g_autoptr(GHashTable) known = regret_places_new();
    for (guint i = 0; i < places->len; i++) {
        const ContestPlace *place = &g_array_index(places, ContestPlace, i);
        regret_places_add(x->places, known, place->p, place->per_node, place->m, TRUE);
    }
    return x;
}

Regret *regret_at(Request *r, Collective collective, size_t elem, const GArray *places, GError **error)
{
    g_autoptr(Regret) x = begin_at(r, collective, elem, places);
    return time_all(x, r, FALSE, error) ? g_steal_pointer(&x) : NULL;
}

gboolean regret_defaults(Request *r, const GPtrArray *contests, Regret **defaults, GError **error)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    for (guint i = 0; i < contests->len; i++) {
        const Contest *x = contests->pdata[i];
        const ContestPlace place = {x->p, x->per_node, x->m, 0};
        g_array_append_val(places, place);
    }
    *defaults = NULL;
    if (!r->library.only)
        return TRUE;
    GPtrArray *const named = g_steal_pointer(&r->question.named), *const autos = g_steal_pointer(&r->library.autos);
    g_autoptr(Regret) x = begin_at(r, r->question.collective, r->question.elem, places);
    const gboolean good = time_all_defaults(x, r, error);
    request_name_none(r);
    r->question.named = named;
    r->library.autos = autos;
    *defaults = good ? g_steal_pointer(&x) : NULL;
    return good;
}

const RegretPlace *regret_place(const Regret *x, int p, int per_node, size_t m)
{
    for (guint i = 0; i < x->places->len; i++) {
        const RegretPlace *place = place_at(x, i);
        if (place->p == p && place->per_node == per_node && place->m == m)
            return place;
    }
    return NULL;
}

GArray *regret_worst(const Regret *x, guint most)
{
    GArray *worst = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < x->places->len; i++) {
        const double ratio = regret_x(place_at(x, i));
        guint at = worst->len;
        if (!place_at(x, i)->grid || !(ratio > 1))
            continue;
        while (at > 0 && regret_x(place_at(x, g_array_index(worst, guint, at - 1))) < ratio)
            at--;
        g_array_insert_val(worst, at, i);
        if (worst->len > most)
            g_array_set_size(worst, most);
    }
    return worst;
}
