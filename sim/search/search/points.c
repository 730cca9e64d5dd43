#include "search/search/points.h"
#include "libraries/decide/decide_ways.h"
#include "libraries/decide/names.h"
#include "machine/platform/platform_figure.h"
#include "engine/schedule/goal_entry.h"
#include "engine/schedule/parts.h"
#include "engine/schedule/segment.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include "search/form/closed_form.h"
#include "api/make.h"
#include <math.h>
#include <string.h>
#include <time.h>

void point_free(gpointer data)
{
    Point *point = data;
    if (!point)
        return;
    prediction_free(point->prediction);
    platform_free(point->calcs);
    counts_free(point->counts);
    decision_free(point->decision);
    g_clear_error(&point->refused);
    if (point->relief)
        g_array_unref(point->relief);
    g_free(point);
}

void point_set_params(Point *x, const CollParams *asked)
{
    x->par = x->asked = *asked;
    for (int i = 0; i < algorithm_n_params(x->algorithm); i++) {
        const CollParam *param = &x->algorithm->params[i];
        if (param->cut)
            param_set(param, &x->par, MIN(param_get(param, &x->par), param_most(param, x->p)));
    }
}

// Checks the number of points. An algorithm counts once for each combination of parameters, but algorithms do not add
// up: with one combination, `all` may have as many points as a single algorithm.
static gboolean check_number(const Question *q, guint variants, GError **error)
{
    enum { MAX_POINTS = 10000 };
    double points = 0;
    for (guint i = 0; i < q->ranks->len; i++)
        points += variants * (q->sizes->len * (q->root < 0 ? (double)g_array_index(q->ranks, size_t, i) : 1));
    return points <= MAX_POINTS ||
           bad_input(error, "the lists have %.0f points; allowed: at most %d", points, MAX_POINTS);
}

// Returns what the library of --only calls the point's algorithm.
static const LibraryAlgorithm *algorithm_of(const RequestLibrary *lib, const Point *x)
{
    const CollAlgorithm *a = algorithm_entry(x->algorithm);
    return lib->only && !x->decision ? decide_algorithm(lib->only, a, &x->par) : NULL;
}

// If the library of --only would return a wrong result for the request's operation without a word, says so.
static const char *misorders(const Request *r, const Point *x)
{
    const LibraryAlgorithm *a = question_commutes(&r->question) ? NULL : algorithm_of(&r->library, x);
    return a && a->ordered ? library_misorders : NULL;
}

Operation point_operation(const Request *r, Point *x)
{
    const Mapping *placed = request_mapping(&r->machine, x->p, x->per_node);
    const CollCounts *counts = x->counts ? x->counts : question_blocks(&r->question, x->p, x->m);
    const CollAlgorithm *a = x->algorithm;
    decision_free(x->decision);
    x->decision = request_decide(r, x->algorithm, x->p, x->per_node, x->m, counts);
    if (x->decision) {
        a = x->decision->entry;
        x->par = x->asked = x->decision->par;
    }
    const Coll all = {.p = x->p,
                      .root = x->root,
                      .elem = r->question.elem,
                      .commutative = question_commutes(&r->question),
                      .nodes = placed ? placed->nodes : NULL,
                      .par = x->par,
                      .counts = counts};
    Operation op = {.c = coll_make(r->question.collective, &all, x->root, x->m, NULL), .m = x->m};
    x->why = a ? NULL : x->decision->missing;
    op.algorithm = x->ran = a ? coll_resolve(a, &op.c, &x->why) : NULL;
    if (x->decision && a) // our fallback's text is the library's as well, and a fallback of the library is its decision
        x->why = x->decision->told ? x->decision->why : NULL;
    const char *wrong = x->ran ? misorders(r, x) : NULL;
    if (wrong) {
        x->why = wrong;
        op.algorithm = x->ran = NULL;
    }
    return op;
}

const CollAlgorithm *point_entry(const Point *x)
{
    return x->decision ? x->decision->entry : x->algorithm;
}

gboolean point_part_differs(const Point *x)
{
    const CollAlgorithm *a = point_entry(x);
    gboolean differs = FALSE;
    for (int i = 0; a && i < COLL_MAX_PARTS; i++)
        differs |= x->par.part[i] && x->par.part[i]->variant_of;
    return differs;
}

// Addresses within the shared segment must stay below SCHEDULE_MOST, as sizes of messages do.
static gboolean check_segment(const Point *x, GError **error)
{
    size_t bytes;
    const bool too_large = __builtin_mul_overflow((size_t)x->p * (size_t)x->par.slots, x->par.fragment, &bytes);
    return !x->algorithm->shared || (!too_large && bytes < SCHEDULE_MOST) ||
           bad_input(error,
                     "--param: the queues of %s on %d ranks have 2^62 bytes or more; allowed: less, with a smaller "
                     "fragment or fewer slots",
                     x->algorithm->name, x->p);
}

Point *point_make(const Request *r, const CollAlgorithm *a, const CollParams *asked, int p, int per_node, size_t m,
                  int root, GError **error)
{
    Point *x = g_new0(Point, 1);
    *x = (Point){.algorithm = a, .p = p, .per_node = per_node, .m = m, .root = root};
    point_set_params(x, asked);
    if (!question_check_size(&r->question, (size_t)p, m, error) ||
        !question_check_root(&r->question, (size_t)p, root, error) || !check_segment(x, error) ||
        !question_make_blocks(&r->question, p, m, &x->counts, error)) {
        point_free(x);
        return NULL;
    }
    point_operation(r, x);
    return x;
}

Point point_tried(const Request *r, const CollAlgorithm *a, const CollParams *par, int p, int per_node, size_t m)
{
    return (Point){.algorithm = a, .p = p, .per_node = per_node, .m = m, .root = r->question.root, .par = *par};
}

Point *point_new(const Request *r, const CollAlgorithm *a, int p, int per_node, size_t m, GError **error)
{
    g_autoptr(GArray) variants = question_variants(&r->question, a, NULL, error);
    return variants ? point_make(r, a, &g_array_index(variants, CollParams, 0), p, per_node, m,
                                 MAX(r->question.root, 0), error)
                    : NULL;
}

static void free_variants(gpointer variants)
{
    if (variants)
        g_array_unref(variants);
}

// Returns the variants of each algorithm of the request (GArray, see request_variants), by the number that
// request_algorithm takes; NULL where that number has no algorithm. Returns NULL and an error on bad input.
static GPtrArray *make_variants(const Request *r, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_variants);
    guint most = 1;
    if (!request_check_params(r, error))
        return NULL;
    g_ptr_array_set_size(all, n_algorithms);
    for (int k = 0; k < n_algorithms; k++) {
        GArray *variants =
            request_algorithm(r, k) ? question_variants(&r->question, request_algorithm(r, k), NULL, error) : NULL;
        if (request_algorithm(r, k) && !variants)
            return NULL;
        all->pdata[k] = variants;
        most = variants ? MAX(most, variants->len) : most;
    }
    return check_number(&r->question, most, error) ? g_steal_pointer(&all) : NULL;
}

// Adds the points of all algorithms at ranks[i], m and a root.
static gboolean add_points(const Request *r, GPtrArray *points, const GPtrArray *variants, guint i, size_t m, int root,
                           GError **error)
{
    const int p = (int)g_array_index(r->question.ranks, size_t, i), per_node = request_per_node(r, i);
    for (int k = 0; k < n_algorithms; k++) {
        const GArray *of = variants->pdata[k];
        for (guint n = 0; of && n < of->len; n++) {
            const CollParams *asked = &g_array_index(of, CollParams, n);
            Point *x = point_make(r, request_algorithm(r, k), asked, p, per_node, m, root, error);
            if (!x)
                return FALSE;
            g_ptr_array_add(points, x);
        }
    }
    return TRUE;
}

static gboolean check_any(const Request *r, const GPtrArray *points, GError **error)
{
    if (points->len == 0)
        return bad_input(error, "model %s times no algorithm of %s; allowed: another --model", r->machine.model->name,
                         collectives[r->question.collective].name);
    for (guint i = 0; i < points->len; i++)
        if (((const Point *)g_ptr_array_index(points, i))->ran)
            return TRUE;
    const Point *x = g_ptr_array_index(points, 0);
    return bad_input(error, "%s %s cannot run on %d ranks: %s; allowed: -p, -m and options that meet its needs",
                     collectives[r->question.collective].name, x->algorithm->name, x->p, x->why);
}

GPtrArray *points_make(const Request *r, GError **error)
{
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(point_free);
    g_autoptr(GPtrArray) variants = make_variants(r, error);
    if (!variants || !request_check_map(r, error) || !request_check_arrival(r, error))
        return NULL;
    for (guint i = 0; i < r->question.ranks->len; i++)
        for (guint j = 0; j < r->question.sizes->len; j++) {
            const size_t m = g_array_index(r->question.sizes, size_t, j);
            const int p = (int)g_array_index(r->question.ranks, size_t, i);
            const int first = MAX(r->question.root, 0), end = r->question.root < 0 ? p : r->question.root + 1;
            for (int root = first; root < end; root++)
                if (!add_points(r, points, variants, i, m, root, error))
                    return NULL;
        }
    return check_any(r, points, error) ? g_steal_pointer(&points) : NULL;
}

// Predicts a point's run, or finds what an earlier search has predicted of it. Returns NULL and an error if it is too
// much.
static Prediction *predict(const Point *x, const Request *r, const Operation *op, const PredictOptions *options,
                           GError **error)
{
    const CollAlgorithm *chosen = x->decision ? x->decision->entry : x->algorithm;
    const KnownRun run = {x->ran, x->par, x->p, x->per_node, x->m, r->question.elem, x->root};
    const gboolean plain = !options->why && !options->ledger && !options->clocks && !x->calcs;
    KnownTimes *known = plain && x->ran == chosen && !x->counts ? r->known : NULL;
    Prediction *found = known ? known_find(known, &run, options->enough_s) : NULL;
    if (found)
        return found;
    if (parallel_stopped(error))
        return NULL;
    const Model *model = r->machine.model;
    g_assert(options->network || !request_has_rates(&r->machine)); // a time must not forget the network
    found = model->predict(model, op, r->machine.platform, options, error);
    if (known && found)
        known_add(known, &run, found, options->enough_s);
    return found;
}

double point_form(const Request *r, const Point *x, const Operation *op)
{
    const PredictOptions *options = &r->machine.options;
    // No formula knows the links of a network, late starts or the order of a port's eager messages.
    if (r->machine.model != &hockney_model || options->network || options->skew || options->start ||
        options->transfer == TRANSFER_EAGER_PORT || !question_commutes(&r->question))
        return NAN;
    return closed_form(op, r->machine.platform, request_mapping(&r->machine, x->p, x->per_node),
                       options->transfer == TRANSFER_EAGER, 0);
}

const char *points_refusal(const GError *refused)
{
    return !refused                                                           ? NULL
           : g_error_matches(refused, COLLSIM_ERROR, COLLSIM_ERROR_TOO_LARGE) ? "2^62 bytes or more in all messages"
                                                                              : "too much to simulate";
}

// Returns the point's run with half as many ranks on each node, on more nodes; none if a fallback would run there.
static ReliefNodes fewer_per_node(const Request *r, const Point *x)
{
    Point other = *x;
    other.per_node = x->per_node / 2;
    other.decision = NULL; // point_operation() decides for the copy
    if (x->per_node < 2 || x->per_node % 2 != 0 || r->machine.map.kind == MAP_FILE)
        return (ReliefNodes){.op = {.algorithm = NULL}};
    ReliefNodes fewer = {point_operation(r, &other), other.per_node};
    if (other.ran != point_entry(&other))
        fewer.op.algorithm = NULL;
    decision_free(other.decision);
    return fewer;
}

gboolean point_run(Point *x, const Request *r, GError **error)
{
    const Operation op = point_operation(r, x);
    if (!x->ran)
        return TRUE;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    g_autoptr(GError) why = NULL;
    PredictOptions options = r->machine.options;
    options.map = request_mapping(&r->machine, x->p, x->per_node);
    options.sampled = r->known ? known_sampled(r->known) : options.sampled;
    // The texts of the registry are proven to end. An algorithm that somebody added may wait for ever, and this must be
    // noticed.
    if (!options.why && !options.ledger && !options.clocks && !algorithm_is_added(x->ran))
        options.enough_s = x->enough_s;
    Request calcs = *r; // borrowed
    if (goal_entry_graph(x->ran)) {
        calcs.machine.platform = x->calcs = platform_copy(r->machine.platform);
        platform_figure_none(x->calcs, KEY_REDUCE); // measured has a gamma of its own
        if (!platform_set(x->calcs, "gamma=1ns/B", error))
            return FALSE;
        r = &calcs;
    }
    x->prediction = predict(x, r, &op, &options, &why);
    if (x->calcs && x->prediction)
        prediction_name_calcs(x->prediction);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const gboolean refused = g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_LARGE) ||
                             g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_MUCH);
    if (!question_only(&r->question) && refused) {
        x->ran = NULL; // the other algorithms can still run
        x->why = points_refusal(why);
        x->refused = g_steal_pointer(&why);
        return TRUE;
    }
    if (!x->prediction) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    if (r->question.memory) {
        if (!memory_admit(&op, &x->prediction->totals, error))
            return FALSE;
        x->memory = memory_of(&op);
        if (!memory_check(&x->memory, op.algorithm->name, x->p, error))
            return FALSE;
    }
    x->time_s = x->prediction->time_s;
    x->wall_s = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    if (options.why && x->prediction->stuck->len == 0) {
        const ReliefNodes fewer = fewer_per_node(r, x);
        x->relief = relief_of(r, &op, &options, &fewer, x->prediction);
    }
    return TRUE;
}

gboolean point_run_lean(Point *x, const Request *r, GError **error)
{
    if (!point_run(x, r, error))
        return FALSE;
    if (x->prediction)
        g_clear_pointer(&x->prediction->clock, g_free);
    return TRUE;
}

void points_ask_for_ends(Request *r)
{
    enum { MOST = 1 << 18 };
    r->machine.options.clocks = model_replays(r->machine.model) && question_most_ranks(&r->question) <= MOST;
}

gboolean points_any(const GPtrArray *points, GError **error)
{
    const GError *refused = NULL;
    for (guint i = points->len; i-- > 0;) {
        const Point *x = g_ptr_array_index(points, i);
        if (x->prediction)
            return TRUE;
        refused = x->refused ? x->refused : refused;
    }
    if (refused && error)
        *error = g_error_copy(refused);
    return !refused;
}

char *point_ran(const Point *x)
{
    return x->why && x->ran ? g_strdup_printf("%s (%s)", x->ran->name, x->why) : NULL;
}

char *point_parts(const Request *r, const Point *x)
{
    if (!x->ran || !x->prediction)
        return NULL;
    Point copy = *x;
    copy.decision = NULL; // the copy gets its own
    const Operation op = point_operation(r, &copy);
    char *parts = parts_else(&op);
    decision_free(copy.decision);
    return parts;
}

gboolean point_timed(const Point *x)
{
    return x->prediction && x->prediction->stuck->len == 0 && !x->prediction->beyond;
}

gboolean point_beyond(const Point *x)
{
    return x->prediction && x->prediction->beyond;
}

gboolean point_too_slow(const Point *x, double enough_s)
{
    return point_beyond(x) || (enough_s > 0 && x->time_s > enough_s);
}

char *point_library_id(const RequestLibrary *lib, const Point *x)
{
    const LibraryAlgorithm *a = algorithm_of(lib, x);
    const char *way =
        lib->only && !x->decision && !a ? decide_way_name(lib->only, algorithm_entry(x->algorithm), &x->par) : NULL;
    return x->decision                                         ? decision_id(x->decision)
           : a                                                 ? tables_id(a)
           : way && lib->only->library->family == LIBRARY_OMPI ? g_strdup_printf("han %s", way)
                                                               : g_strdup(way);
}

char *point_setting(const RequestLibrary *lib, const Point *x)
{
    const CollAlgorithm *entry = algorithm_entry(x->algorithm);
    for (guint i = 0; x->decision && i < lib->tables->len; i++)
        if (((const Tables *)lib->tables->pdata[i])->library == x->decision->library)
            return decision_setting(x->decision, lib->tables->pdata[i]);
    const gboolean one_node = x->per_node >= x->p;
    return lib->only && !x->decision
               ? decide_whole_setting(lib->only, entry, &x->par, x->m,
                                      !one_node && decide_has_han(lib->only, entry->collective, &lib->han))
               : NULL;
}

size_t point_segment(const Request *r, const Point *x)
{
    Point copy = *x;
    const Operation op = point_operation(r, &copy);
    return segment_bytes(&op);
}

// Returns 0 for an algorithm that Open MPI has, 1 for one that only MPICH has, and 2 for all others.
static int rarity(const CollAlgorithm *a)
{
    int least = 2;
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        least = MIN(least, g_str_has_prefix(a->aliases[i], "ompi:")    ? 0
                           : g_str_has_prefix(a->aliases[i], "mpich:") ? 1
                                                                       : 2);
    return least;
}

int points_oddity(const CollAlgorithm *a, const CollParams *par)
{
    const CollParams defaults = algorithm_defaults(a);
    int departures = 0;
    for (int i = 0; i < algorithm_n_params(a); i++)
        departures += param_get(&a->params[i], par) != param_get(&a->params[i], &defaults);
    return rarity(a) * (COLL_MAX_PARAMS + 1) + departures;
}

gboolean points_same_place(const Point *a, const Point *b)
{
    return a->p == b->p && a->per_node == b->per_node && a->m == b->m && a->root == b->root;
}

int points_faster(const void *a, const void *b)
{
    const Point *x = *(const Point *const *)a, *y = *(const Point *const *)b;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    const int odder = points_oddity(x->algorithm, &x->asked) - points_oddity(y->algorithm, &y->asked);
    const int after = odder ? odder : strcmp(x->algorithm->name, y->algorithm->name);
    return after ? after : params_compare(x->algorithm, &x->asked, &y->asked);
}
