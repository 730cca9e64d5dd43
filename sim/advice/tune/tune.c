#include "advice/tune/tune.h"
#include "base/distinct.h"
#include "base/parallel.h"
#include "libraries/decide/rules_call.h"
#include "libraries/decide/selection_tree.h"
#include "libraries/decide/rules_write.h"
#include "libraries/decide/tuned.h"
#include "libraries/decide/ucc_string.h"
#include "advice/tune/narrow.h"
#include "advice/tune/refine.h"
#include "advice/tune/settle.h"
#include "advice/tune/ways.h"
#include "search/search/intervals.h"
#include "search/search/sure.h"
#include <math.h>
#include <string.h>

// Rounds of refinement and of settling, at most; settling ends after a few without a bad call.
enum { ROUNDS = 4, SETTLE_ROUNDS = 16, SETTLE_CLEAN = 3, SETTLE_SEED = 2 };

static void place_clear(gpointer data)
{
    TunePlace *place = data;
    g_array_unref(place->options);
    if (place->ways)
        g_array_unref(place->ways);
}

void tune_free(Tune *tune)
{
    if (!tune)
        return;
    g_array_unref(tune->places);
    g_array_unref(tune->rules);
    if (tune->ways)
        g_array_unref(tune->ways);
    g_free(tune);
}

// ---- Options --------------------------------------------------------------------------------------------------------

TuneChoice tune_choice(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    static const struct {
        const char *name;
        size_t field;
    } fields[] = {{"segment", offsetof(TuneChoice, segment)},
                  {"first_segment", offsetof(TuneChoice, segment)},
                  {"chains", offsetof(TuneChoice, fanout)},
                  {"radix", offsetof(TuneChoice, fanout)},
                  {"max_requests", offsetof(TuneChoice, max_requests)}};
    const LibraryAlgorithm *a = decide_algorithm(tables, entry, par);
    g_assert(a);
    const int number = (int)(a - &g_array_index(tables->algorithms, LibraryAlgorithm, 0)) + 1; // MPICH has no ids
    TuneChoice choice = {.id = a->id ? a->id : number, .fanout = a->one_fanout && !algorithm_param(entry, "chains")};
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
        const CollParam *param = algorithm_param(entry, fields[i].name);
        if (param && decide_file_takes(tables, a, param))
            *(int *)(void *)((char *)&choice + fields[i].field) = (int)param_get(param, par);
    }
    return choice;
}

// Returns TRUE if rules may name these parameters: the length of its segments is a power of two, which other points try too.
static gboolean is_handy(const CollAlgorithm *a, const CollParams *par)
{
    const CollParam *segment = try_segment_param(a);
    const int64_t bytes = segment ? param_get(segment, par) : 0;
    return (bytes & (bytes - 1)) == 0;
}

typedef struct TuneJob {
    const Request *request;
    TunePlace *place;
    double within; // the share of time above the fastest option that an option may take; INFINITY off the grid, where
                   // as few rules as possible are to fill in
    double slack;  // the share of time above the default that an option may take here if it serves all sizes, and gains
                   // at others; negative if each size has a choice of its own
    double most_s; // of an option, as far as it is known
} TuneJob;

// Returns the time that an option must be below to be surely faster than the default. Clocks may be a little wrong by
// rounding, so what takes as long as the default is not below.
static double limit_of(const TuneJob *job, const CollAlgorithm *a)
{
    const TunePlace *place = job->place;
    const Platform *platform = job->request->machine.platform;
    // Rules for what HAN calls within nodes may have made it faster than the default, which is what a gain is against.
    const gboolean faster = place->ways && place->usual_s < place->default_s;
    const double z = job->request->library.z,
                 limit_s = faster ? MIN(sure_limit(platform, place->default_s, place->by_default, a, z), place->usual_s)
                                  : sure_limit(platform, place->usual_s, place->usual, a, z);
    return MIN(limit_s * (1 - 1e-9), job->most_s * (1 + 1e-12));
}

// Does the same for what is offered. One choice for all sizes may be what the default runs here, or a little slower than it if
// no certainty is asked for: intervals_find() takes it only if it gains over all sizes.
static double offered_limit(const TuneJob *job, const CollAlgorithm *a)
{
    const TunePlace *place = job->place;
    const double strict_s = limit_of(job, a);
    if (job->slack < 0 || place->ways)
        return strict_s;
    const double lax_s = job->request->library.z <= 0     ? place->usual_s * (1 + job->slack)
                         : a == place->usual && a != NULL ? place->usual_s
                                                          : 0;
    return MAX(strict_s, MIN(lax_s * (1 + 1e-9), job->most_s * (1 + 1e-12)));
}

// Returns the time of a try, in seconds, which the search for the best one may have found; INFINITY if it does not end,
// or perhaps if it takes limit_s or longer. Sets *error if its simulation fails.
static double time_of(const TuneJob *job, Try *try, double limit_s, GError **error)
{
    const Request *r = job->request;
    const TunePlace *place = job->place;
    const KnownRun run = {algorithms[try->algorithm], try->par,        place->p, place->per_node, place->m,
                          r->question.elem,           r->question.root};
    double time_s = INFINITY;
    g_autoptr(Prediction) found = known_find(r->known, &run, limit_s);
    if (found)
        return found->stuck->len ? INFINITY : found->time_s;
    try_refine(r, place->p, place->per_node, place->m, limit_s, try);
    if (try->least_s >= limit_s)
        return INFINITY;
    Point *point =
        ahead_simulate(r, place->p, place->per_node, place->m, try->algorithm, &try->par, limit_s, NULL, error);
    if (point)
        time_s = point->time_s;
    point_free(point);
    return time_s;
}

// Times the default if it calls something that rules decide otherwise; rules_parts_decision was named last.
static gboolean time_usual(const TuneJob *job, GError **error)
{
    const Request *r = job->request;
    TunePlace *place = job->place;
    DecideCall call = request_call(r, place->p, place->per_node, place->m, NULL);
    g_autoptr(Decision) without = decide_call(r->library.only, &call),
                        with = rules_parts_decision(r->library.only, &call, r->library.rules);
    if (decide_alike(without, with))
        return TRUE;
    const CollAlgorithm *a = g_ptr_array_index(r->question.named, r->question.named->len - 1);
    Point *point = point_new(r, a, place->p, place->per_node, place->m, error);
    const gboolean good = point && point_run(point, r, error);
    if (good && point_timed(point)) {
        place->usual_s = point->time_s;
        place->best_s = MIN(place->best_s, place->usual_s); // the library can be told to run this, too
    }
    point_free(point);
    return good;
}

// Returns TRUE if a grid has the size. A barrier has one, which the list lacks.
static gboolean has_size(const Question *q, size_t m)
{
    return q->collective == COLL_BARRIER || distinct_has_size(q->sizes, m);
}

// Finds the options of one place: the default only where nothing is surely faster, or between the sizes of the grid.
// There it delays a switch to the next size of the grid, and the switches on many numbers of ranks are one.
static gboolean find_options(gpointer data, gpointer unused, GError **error)
{
    TuneJob *job = data;
    TunePlace *place = job->place;
    const Request *r = job->request;
    g_autoptr(GError) why = NULL;
    gboolean gains = job->slack < 0;
    (void)unused;
    if (r->library.rules && !time_usual(job, error))
        return FALSE;
    for (guint i = 0; place->ways && i < place->ways->len; i++) {
        const TuneOption *way = &g_array_index(place->ways, TuneOption, i);
        if (way->time_s < limit_of(job, NULL))
            intervals_offer(place, way, job->within, &job->most_s);
    }
    if (!place->ways && place->best && is_handy(place->best, &place->best_par) &&
        place->best_s < limit_of(job, place->best))
        job->most_s = place->best_s * (1 + job->within); // the search finds it among the tries
    g_autoptr(GArray) groups = tries_groups(r, place->p, place->per_node, place->m, &why),
                      tries = g_array_new(FALSE, FALSE, sizeof(Try));
    for (guint i = 0; groups && i < groups->len;) {
        const TryGroup *group = &g_array_index(groups, TryGroup, i);
        const double limit_s = offered_limit(job, algorithms[group->algorithm]);
        if (tries_deepen(r, place->p, place->per_node, place->m, limit_s, groups, i))
            continue; // another group may be at index i now
        i++;
        if (group->bound_s < limit_s)
            tries_of_group(r, place->p, place->per_node, place->m, group, limit_s, tries);
    }
    for (guint i = 0; i < tries->len && !why; i++) {
        Try *try = &g_array_index(tries, Try, i);
        const CollAlgorithm *a = algorithms[try->algorithm];
        const double limit_s = offered_limit(job, a);
        if (try->longest > 0 || !is_handy(a, &try->par) || try->least_s >= limit_s)
            continue;
        const double sure_s = limit_of(job, a), time_s = time_of(job, try, limit_s, &why);
        if (time_s >= limit_s)
            continue;
        const TuneOption option = {tune_choice(r->library.only, a, &try->par), time_s, a};
        intervals_offer(place, &option, job->within, &job->most_s);
        gains |= time_s < sure_s;
    }
    if (why) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    intervals_keep(place, !gains || !has_size(&r->question, place->m), job->most_s);
    return TRUE;
}

// Finds the options of all places that have none.
static gboolean find_all_options(const Tune *tune, const Request *r, double within, GError **error)
{
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < tune->places->len; i++) {
        TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        if (place->options->len > 0)
            continue;
        TuneJob *job = g_new(TuneJob, 1);
        *job = (TuneJob){r, place, place->grid ? within : INFINITY, tune->one ? within : -1, INFINITY};
        g_ptr_array_add(jobs, job);
    }
    const ParallelWork work = {.run = find_options, .what = "points"};
    return parallel_run(jobs, &work, error);
}

// ---- Places ---------------------------------------------------------------------------------------------------------

static void add_places(Tune *tune, LibraryFamily family, const Regret *regret, gboolean grid)
{
    for (guint i = 0; i < regret->places->len; i++) {
        const RegretPlace *at = &g_array_index(regret->places, RegretPlace, i);
        const TunePlace place = {.p = at->p,
                                 .per_node = at->per_node,
                                 .m = at->m,
                                 .bytes = intervals_size(tune, family, at->p, at->m),
                                 .grid = grid,
                                 .default_s = at->default_s,
                                 .usual_s = at->usual_s,
                                 .by_default = at->default_entry,
                                 .usual = at->usual_entry,
                                 .best_s = at->best_s,
                                 .best = at->entry,
                                 .best_par = at->par,
                                 .time_s = at->usual_s};
        if (at->p < 2 || isnan(at->usual_s))
            continue;
        g_array_append_val(tune->places, place);
        g_array_index(tune->places, TunePlace, tune->places->len - 1).options =
            g_array_new(FALSE, FALSE, sizeof(TuneOption));
    }
    g_array_sort(tune->places, intervals_by_place);
}

// Notes what the rules choose at each place, and how good that is.
static void apply_rules(Tune *tune)
{
    double before = 0, sure = 0, after = 0;
    guint n = 0, known = 0;
    tune->worst = 1;
    tune->logs = 0;
    intervals_apply(tune);
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        const double x = place->best_s > 0 ? place->time_s / place->best_s : 1;
        if (!place->grid)
            continue;
        n++;
        known += !isnan(place->default_s);
        before += isnan(place->default_s) || place->best_s <= 0 ? 0 : log(place->default_s / place->best_s);
        sure += place->best_s > 0 ? log(place->sure_s / place->best_s) : 0;
        after += log(x);
        tune->logs += place->time_s > 0 ? log(place->time_s) : 0;
        tune->worst = MAX(tune->worst, x);
    }
    tune->before = known ? exp(before / known) : n ? NAN : 1;
    tune->sure = n ? exp(sure / n) : 1;
    tune->after = n ? exp(after / n) : 1;
}

// Adds places, and finds the rules anew.
static gboolean add_all(Tune *tune, Request *r, const Regret *regret, gboolean grid, double within, GError **error)
{
    add_places(tune, r->library.only->library->family, regret, grid);
    contest_counts_add(&tune->searched, &regret->counts);
    if (tune->ways && !ways_time(tune, r, error))
        return FALSE;
    if (r->library.rules)
        request_name_decider(r, r->library.only, "default with rules", rules_parts_decision, r->library.rules);
    if (!find_all_options(tune, r, within, error))
        return FALSE;
    g_array_set_size(tune->rules, 0);
    intervals_find(tune);
    if (tune->ways && r->library.only->library->family == LIBRARY_OMPI)
        ways_clip(tune, r);
    apply_rules(tune);
    return TRUE;
}

// Adds calls (ContestPlace) that are not of the grid.
static gboolean add_calls(Tune *tune, Request *r, const GArray *calls, double within, GError **error)
{
    g_autoptr(Regret) regret = calls->len ? regret_at(r, tune->collective, tune->elem, calls, error) : NULL;
    return calls->len == 0 || (regret && add_all(tune, r, regret, FALSE, within, error));
}

gboolean tune_has_one(const Library *library, Collective collective)
{
    if (library->family == LIBRARY_MPICH)
        return selection_tree_number(collective) == SELECT_N_NUMBERS;
    const int number = tuned_collective(collectives[collective].name);
    const TunedSize size = number < 0 ? TUNED_SIZE_NO_METHOD : tuned_kind(library->family, number);
    return size == TUNED_SIZE_NONE || size == TUNED_SIZE_TYPE || collective == COLL_GATHER ||
           collective == COLL_SCATTER;
}

gboolean tune_can(const Tables *tables, Collective collective)
{
    const int number = tuned_collective(collectives[collective].name);
    int n = 0;
    for (guint i = 0; i < tables->algorithms->len; i++)
        n += g_array_index(tables->algorithms, LibraryAlgorithm, i).collective == collective;
    const LibraryFamily family = tables->library->family;
    const gboolean named = number >= 0 && tuned_kind(family, number) != TUNED_SIZE_NO_METHOD;
    return family == LIBRARY_OMPI ? named : n > 1 && (named || family == LIBRARY_MPICH);
}

// Does the work of tune_compute() for a request that notes times.
static Tune *compute(Request *r, Collective collective, size_t elem, double within, gboolean by_call, GError **error)
{
    g_autoptr(Regret) regret = regret_compute(r, collective, elem, FALSE, error);
    if (!regret)
        return NULL;
    g_autoptr(Tune) tune = g_new0(Tune, 1);
    tune->collective = collective;
    const LibraryFamily family = r->library.only->library->family;
    tune->number = family == LIBRARY_MPICH ? (int)collective : tuned_collective(collectives[collective].name);
    tune->elem = elem;
    tune->all_mean = regret->all_mean;
    tune->places = g_array_new(FALSE, FALSE, sizeof(TunePlace));
    g_array_set_clear_func(tune->places, place_clear);
    tune->rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    tune->by_call = by_call;
    tune->ways = r->library.pair ? ways_of(r->library.only, collective, &r->library.han) : NULL;
    tune->segsize = r->library.han.segment;
    tune->one = by_call ? collective == COLL_BARRIER || collective == COLL_ALLTOALLV
                        : tune_has_one(r->library.only->library, collective);
    if (!add_all(tune, r, regret, TRUE, within, error))
        return NULL;
    return g_steal_pointer(&tune);
}

Tune *tune_compute(Request *r, Collective collective, size_t elem, double within, gboolean by_call, GError **error)
{
    KnownTimes *own = known_begin(&r->known);
    Tune *tune = compute(r, collective, elem, within, by_call, error);
    known_end(&r->known, own);
    return tune;
}

// Does the work of tune_refine() for a request that notes times.
static gboolean refine(Tune *tune, Request *r, double within, GError **error)
{
    g_autoptr(GArray) ranks = refine_ranks(tune);
    if (!r->question.per_node && !add_calls(tune, r, ranks, within, error))
        return FALSE;
    g_autoptr(GArray) few = refine_few(tune);
    if (!add_calls(tune, r, few, within, error))
        return FALSE;
    for (int round = 0; round < ROUNDS; round++) {
        g_autoptr(GArray) sizes = refine_sizes(tune);
        if (!add_calls(tune, r, sizes, within, error))
            return FALSE;
    }
    return TRUE;
}

// Adds random calls at which the rules are bad, until SETTLE_CLEAN rounds in a row find none.
static gboolean settle(Tune *tune, Request *r, double within, GError **error)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SETTLE_SEED);
    int clean = 0;
    for (int round = 0; round < SETTLE_ROUNDS && clean < SETTLE_CLEAN; round++) {
        g_autoptr(GArray) calls = settle_calls(tune, r, random, error);
        if (!calls)
            return FALSE;
        clean = calls->len == 0 ? clean + 1 : 0;
        if (!add_calls(tune, r, calls, within, error))
            return FALSE;
        g_autoptr(GArray) sizes = refine_sizes(tune);
        if (!add_calls(tune, r, sizes, within, error))
            return FALSE;
    }
    return TRUE;
}

gboolean tune_refine(Tune *tune, Request *r, double within, GError **error)
{
    KnownTimes *own = known_begin(&r->known);
    const gboolean good = refine(tune, r, within, error) && settle(tune, r, within, error);
    known_end(&r->known, own);
    return good;
}

// ---- Files ----------------------------------------------------------------------------------------------------------

gboolean tune_has_comments(const Library *library)
{
    return library->id != LIBRARY_OMPI_MAIN;
}

char *tune_comment(const Library *library, const char *text, const GPtrArray *header)
{
    g_autoptr(GString) s = g_string_new(NULL);
    const size_t first = library->id == LIBRARY_OMPI_5 ? (size_t)(strchr(text, '\n') - text) + 1 : 0;
    for (guint i = 0; tune_has_comments(library) && i < header->len; i++)
        g_string_append_printf(s, "# %s\n", (const char *)header->pdata[i]);
    return g_strdup_printf("%.*s%s%s", (int)first, text, s->str, text + first);
}

// Returns the rules of UCC as variables of a shell, because a line of ucc.conf cannot be as long. UCC itself runs something
// else where an algorithm cannot run.
static char *ucc_text(const Tables *tables, const GPtrArray *tunes)
{
    g_autoptr(GArray) rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        g_array_append_vals(rules, tune->rules->data, tune->rules->len);
    }
    g_autofree char *text = ucc_string_text(tables, rules, NULL);
    return g_strdup_printf("export UCC_TL_UCP_TUNE='%s'\n", text);
}

char *tune_file(const Tables *tables, const GPtrArray *tunes, const GPtrArray *header)
{
    const Library *library = tables->library;
    if (library->family == LIBRARY_UCC) {
        g_autofree char *line = ucc_text(tables, tunes);
        return tune_comment(library, line, header);
    }
    g_autoptr(RulesFile) file = rules_new("rules", tables);
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        for (guint k = 0; k < tune->rules->len; k++)
            if (g_array_index(tune->rules, LibraryRule, k).id)
                narrow_add(file->rules, tune, &g_array_index(tune->rules, LibraryRule, k), tables);
    }
    g_autofree char *text = rules_convert(file, library, NULL); // the library itself has each of these rules
    g_assert(text);
    return tune_comment(library, text, header);
}

gboolean tune_calls_others(const Tables *tables, Collective collective)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        if (a->collective == collective && a->calls[0])
            return TRUE;
    }
    return FALSE;
}

const TunePlace *tune_most(const Tune *tune)
{
    const TunePlace *most = NULL;
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        if (place->grid && place->time_s < place->default_s &&
            (!most || place->default_s / place->time_s > most->default_s / most->time_s))
            most = place;
    }
    return most;
}

Sure tune_sure(const TunePlace *place, const Platform *platform)
{
    return sure_of(platform, place->default_s, place->by_default, place->time_s, place->runs);
}

char *tune_means(const Tune *tune)
{
    g_autofree char *before = tune_ratio(tune->before);
    g_autofree char *of_all = isnan(tune->all_mean) ? NULL : g_strdup_printf(", best of all %.3f", tune->all_mean);
    return g_strdup_printf("default %s, these rules %.3f (%.3f of what is sure), at worst %.3f%s", before, tune->after,
                           tune->after / tune->sure, tune->worst, of_all ? of_all : "");
}

char *tune_ratio(double mean)
{
    return isnan(mean) ? g_strdup("unknown") : g_strdup_printf("%.3f", mean);
}
