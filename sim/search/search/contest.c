// The search simulates the most promising try first, and stops when no try promises to beat what it has found. It looks
// at the tries of a group only when no known try promises less time than these may, and never if the group's bound is
// above what it has found.
#include "search/search/contest.h"
#include "search/search/left_out.h"
#include "search/search/try_parts.h"
#include <math.h>

// After this many messages the search simulates no more tries of an algorithm, also under a model that has no forms, or
// no more lengths of uneven segments.
enum { ENOUGH_MESSAGES = 1 << 23, BLIND_MESSAGES = 1 << 22, UNEVEN_MESSAGES = 1 << 12 };
// Of the tries with other parts, those with the least bounds run, until so many one after the other are no faster and
// have had so many messages. From then on, those of equal bounds also count as one.
enum { ENOUGH_PARTS = 8, ENOUGH_IDLE = 1 << 17 };
// Where only simulations know how the time depends on the segments, so many lengths in a row are no faster, and have had
// so many messages, until the search simulates no more of the algorithm: those on both sides of the best.
enum { ENOUGH_LENGTHS = 2, LENGTHS_IDLE = 1 << 19 };
// On few ranks, where a run costs little, a composition may take this many times the time of the fastest while its parts
// are replaced, one after the other.
static const double promising = 1.15;
// A try must promise a time below this share of the best one, because a smaller gain may be rounding.
static const double no_better = 1 - 1e-9;

static void contender_free(gpointer data)
{
    Contender *e = data;
    point_free(e->point);
    g_free(e);
}

// Sets the number of segments of the contender, and the best number and its time by the form (of even segments).
static void contender_finish(Contender *e, const Contest *x)
{
    const Request *r = x->request;
    const CollParam *segment = try_segment_param(e->point->algorithm);
    if (!segment || r->machine.model != &hockney_model)
        return;
    const size_t bytes = (size_t)param_get(segment, &e->point->par), cut = bytes - bytes % r->question.elem;
    const Platform plain = try_plain(r->machine.platform);
    const size_t part = segment_form_bytes(&e->form, x->m, r->question.elem, 1);
    e->S = cut == 0 || cut >= part ? 1 : (int)((part + cut - 1) / cut);
    const size_t count = MAX(part / r->question.elem, 1);
    e->form.linear = e->form.linear && request_flat(r, x->p, x->per_node);
    e->S_best = segment_form_best(&e->form, &plain, x->m, (double)count);
    e->time_best_s = segment_form_time(&e->form, &plain, x->m, e->S_best);
}

static int by_time(const void *a, const void *b)
{
    const Contender *x = *(Contender *const *)a, *y = *(Contender *const *)b;
    return points_faster(&x->point, &y->point);
}

gboolean contest_near_enough(const Contest *x)
{
    const double enough = x->request->question.enough;
    const Contender *best = enough > 0 && x->ranking->len > 0 ? g_ptr_array_index(x->ranking, 0) : NULL;
    return best && best->point->time_s <= enough * request_bound(x->request, x->p, x->per_node, x->m) / no_better;
}

// What the search knows about an algorithm.
typedef struct Standing {
    Contender *best; // its entry in the ranking; NULL if none of its tries has run
    int gains;       // how often a try became this entry, and was faster than the one before
    double messages, uneven_messages;
    Try last; // the last try that was simulated, valid if `ran`
    gboolean ran;
    gboolean seen;   // a try has met its needs
    gboolean beyond; // a try was given up, because it takes too long to change the ranking
    // While parts are replaced by others: the parameters whose part was replaced last (valid if base.of), the place of the
    // next part, the number of parts replaced since the last that was of use, and of tries since then.
    CollParams base;
    int round, next_part, unchanged, idle;
    double idle_messages; // of these tries
    double last_bound_s;  // of the try before
    GError *refused;      // why the first of its tries that was refused was; NULL if none was
} Standing;

// Returns the time below which a try with other parts is of use: they are only tried to find the fastest of all.
static double winning_s(const Contest *x)
{
    const Contender *first = x->changing && x->ranking->len > 0 ? g_ptr_array_index(x->ranking, 0) : NULL;
    return first ? first->point->time_s * (x->p > TRY_PARTS_FEW ? 1 : promising) : INFINITY;
}

// Returns the time below which a run of the algorithm, whose standing is c, may change the ranking. It never grows. A
// run of just this time may, too, if it comes first among equals. If only the fastest one matters, those that take
// x->limit_s are of no use from the start. While parts are replaced, winning_s() says what is of use.
static double entry_s(const Contest *x, int algorithm, const Standing *c)
{
    const gboolean room = x->changing || x->ranking->len < (guint)x->top ||
                          question_keeps(&x->request->question, algorithm_at(algorithm));
    const Contender *last = room ? NULL : g_ptr_array_index(x->ranking, x->top - 1);
    const double ranked_s = last ? last->point->time_s : INFINITY, own_s = c->best ? c->best->point->time_s : INFINITY;
    const double limit_s = x->top == 1 && !x->request->question.kept ? x->limit_s : INFINITY;
    return MIN(x->changing ? winning_s(x) : ranked_s, MIN(own_s, limit_s));
}

// Returns the time above which a run of the algorithm is of no use, also if its clocks are a little wrong by rounding;
// 0 if there is none.
static double enough_s(const Contest *x, int algorithm, const Standing *c)
{
    const double enough = entry_s(x, algorithm, c);
    return isfinite(enough) ? enough / no_better : 0;
}

// Returns true if the try may change the ranking, and is worth a simulation.
static gboolean promises(const Contest *x, const Standing *c, const Try *try)
{
    if (try->least_s >= entry_s(x, try->algorithm, c) * no_better)
        return FALSE;
    // The form gives this try the same time as the last one. They may differ in what the form does not contain, for
    // example in the number of requests.
    const gboolean same = c->ran && try->by_form && try->longest == 0 && try->least_s == c->last.least_s &&
                          try->par.segment == c->last.par.segment;
    if (x->changing)
        return c->idle_messages < ENOUGH_IDLE ||
               (c->idle < ENOUGH_PARTS && ((try->rough && !try->bounded) || try->least_s != c->last_bound_s));
    if (try->form.simulated && c->idle >= ENOUGH_LENGTHS && c->idle_messages >= LENGTHS_IDLE)
        return FALSE;
    const int enough = x->request->machine.model == &hockney_model ? ENOUGH_MESSAGES : BLIND_MESSAGES;
    return c->messages < enough && !same;
}

static void take(Contest *x, Standing *c, const Try *try, Point *point)
{
    if (c->best && points_faster(&c->best->point, &point) <= 0) {
        point_free(point);
        return;
    }
    c->gains += !c->best || point->time_s < c->best->point->time_s * no_better;
    if (c->best)
        g_ptr_array_remove(x->ranking, c->best);
    c->best = g_new0(Contender, 1);
    c->best->point = point;
    c->best->form = try->form;
    g_ptr_array_add(x->ranking, c->best);
    g_ptr_array_sort(x->ranking, by_time);
}

// Simulates a try, or takes the point of a helper that has done so; NULL is allowed for the helper's job.
static Point *simulate_even(Contest *x, Standing *c, const Try *try, AheadJob *job)
{
    Point *point = job ? g_steal_pointer(&job->point) : NULL;
    const gboolean again = !job || job->error;
    if (job && !c->refused)
        c->refused = g_steal_pointer(&job->refused);
    ahead_job_free(job);
    return again ? ahead_simulate(x->request, x->p, x->per_node, x->m, try->algorithm, &try->par,
                                  enough_s(x, try->algorithm, c), c->refused ? NULL : &c->refused, &x->error)
                 : point;
}

// Simulates the try's algorithm with these parameters and returns its time, in seconds. If the algorithm has not been
// faster yet, the run takes its place in the ranking. Adds the run's messages to *messages. Returns INFINITY if the run
// is given up, does not end, cannot begin or fails; x->error is set if it fails. `job`: see simulate_even.
static double simulate(Contest *x, Standing *c, const Try *try, const CollParams *par, AheadJob *job, double *messages)
{
    // With uneven segments a slow run, too, says which lengths come next.
    Point *point = try->longest == 0 ? simulate_even(x, c, try, job)
                                     : ahead_simulate(x->request, x->p, x->per_node, x->m, try->algorithm, par, 0,
                                                      c->refused ? NULL : &c->refused, &x->error);
    if (!point)
        return INFINITY;
    const double time_s = point->time_s;
    *messages += (double)point->prediction->totals.messages;
    if (point_beyond(point)) {
        c->beyond = TRUE;
        point_free(point);
    } else {
        take(x, c, try, point);
    }
    return time_s;
}

// Tries longer segments with a shorter last one. T is convex in the length, so we bisect to find the best one.
static void make_uneven(Contest *x, Standing *c, const Try *try)
{
    size_t low = try->shortest, high = try->longest;
    while (low < high && c->uneven_messages < UNEVEN_MESSAGES && !x->error) {
        const size_t mid = (low + high) / 2;
        double time_s[2];
        for (size_t i = 0; i < 2; i++) {
            CollParams par = try->par;
            param_set(try_segment_param(algorithms[try->algorithm]), &par,
                      (int64_t)((mid + i) * x->request->question.elem));
            time_s[i] = simulate(x, c, try, &par, NULL, &c->uneven_messages);
        }
        if (time_s[1] < time_s[0])
            low = mid + 1;
        else
            high = mid;
    }
}

// Returns TRUE if the texts of the try exclude it, although its form does not. What a helper has found with another
// limit makes no difference.
static gboolean excluded(const Contest *x, const Standing *c, const Try *try, const AheadJob *job)
{
    const double limit_s = entry_s(x, try->algorithm, c) * no_better;
    return (job && job->excluded) || try_excluded(x->request, x->p, x->per_node, x->m, limit_s, try);
}

static void consider(Contest *x, Standing *c, const Try *try)
{
    AheadJob *job = try->longest > 0 ? NULL : ahead_take(x->ahead, AHEAD_SIMULATE, try->number);
    if (try->longest > 0) {
        x->counts.ran++;
        make_uneven(x, c, try);
    } else if (excluded(x, c, try, job)) {
        x->counts.excluded++;
        ahead_job_free(job);
    } else {
        x->counts.ran++;
        const int gains = c->gains;
        const double messages = c->messages;
        simulate(x, c, try, &try->par, job, &c->messages);
        c->idle = c->gains == gains ? c->idle + 1 : 0;
        c->idle_messages = c->gains == gains ? c->idle_messages + c->messages - messages : 0;
        c->last_bound_s = try->least_s;
        c->last = *try;
        c->ran = TRUE;
    }
}

// What is left to consider.
typedef struct Agenda {
    GArray *groups; // of TryGroup, in the order of from_s
    GArray *tries;  // of Try, those of the groups before next_group
    guint next_group, next_try;
    KnownTimes *known; // the request's, or else the contest's own
} Agenda;

// Returns the time below which a try of the algorithm may be of use.
static double useful_s(const Contest *x, const Standing *standings, int algorithm)
{
    return MIN(entry_s(x, algorithm, &standings[algorithm]) * no_better, x->limit_s);
}

static const Try *try_at(const Agenda *todo, guint i)
{
    return i < todo->tries->len ? &g_array_index(todo->tries, Try, i) : NULL;
}

static const TryGroup *group_at(const Agenda *todo, guint i)
{
    return i < todo->groups->len ? &g_array_index(todo->groups, TryGroup, i) : NULL;
}

// Returns TRUE if the turn of the try comes before that of the group; either may be NULL for none.
static gboolean comes_first(const Try *try, const TryGroup *group)
{
    return !group || (try && try_waits(try) == 0 && try->least_s < group->from_s);
}

// Gives helpers what is likely to come next, as far as there is room: the groups, and the tries from index i on, that
// may change the ranking as it is. While nothing limits an algorithm's time, only its first try is simulated, unless
// that is `now`, which the caller simulates, or those of others before it are going to fill the ranking.
static void look_ahead(Contest *x, const Agenda *todo, const Standing *standings, guint i, const Try *now)
{
    int room = ahead_room(x->ahead);
    g_autofree gboolean *begun = room > 0 ? g_new0(gboolean, n_algorithms) : NULL;
    guint expected = x->ranking->len; // algorithms in the ranking, with those whose first try comes before
    if (begun && now) {
        begun[now->algorithm] = TRUE;
        expected += standings[now->algorithm].best == NULL;
    }
    for (guint k = todo->next_group; room > 0;) {
        const Try *try = try_at(todo, i);
        const TryGroup *group = group_at(todo, k);
        const gboolean first = comes_first(try, group);
        const int algorithm = !first ? group->algorithm : try ? try->algorithm : -1;
        AheadJob job = {.kind = AHEAD_GROUP};
        if (first && (!try || try_waits(try)))
            return;
        if (!first) {
            job.group = *group;
            job.number = group->number;
        } else {
            job.kind = try->rough ? AHEAD_REFINE : AHEAD_SIMULATE;
            job.try = *try;
            job.number = try->number;
        }
        const Standing *c = &standings[algorithm];
        job.limit_s = job.kind == AHEAD_SIMULATE ? enough_s(x, algorithm, c) : useful_s(x, standings, algorithm);
        const gboolean unlimited = job.kind == AHEAD_SIMULATE && job.limit_s == 0;
        const gboolean wanted = !unlimited || (!begun[algorithm] && expected < (guint)x->top);
        if ((first ? promises(x, c, try) : group->bound_s < job.limit_s) && wanted)
            room -= ahead_add(x->ahead, &job);
        expected += unlimited && !begun[algorithm];
        begun[algorithm] |= unlimited;
        i += first;
        k += !first;
    }
}

// Refines the next try.
static void refine(Contest *x, Agenda *todo, const Standing *standings)
{
    Try try = *try_at(todo, todo->next_try);
    look_ahead(x, todo, standings, todo->next_try + 1, NULL);
    AheadJob *job = ahead_take(x->ahead, AHEAD_REFINE, try.number);
    if (job)
        try = job->try;
    else
        try_refine(x->request, x->p, x->per_node, x->m, useful_s(x, standings, try.algorithm), &try);
    ahead_job_free(job);
    tries_replace(todo->tries, todo->next_try, &try);
}

// Adds the tries of the next group, if they may be of use.
static void add_group(Contest *x, Agenda *todo, Standing *standings)
{
    const TryGroup *group = group_at(todo, todo->next_group++);
    const double limit_s = useful_s(x, standings, group->algorithm);
    if (group->bound_s >= limit_s) {
        standings[group->algorithm].seen = TRUE; // a text has run
        x->counts.excluded++;
        return;
    }
    look_ahead(x, todo, standings, todo->next_try, NULL);
    AheadJob *job = ahead_take(x->ahead, AHEAD_GROUP, group->number);
    g_array_remove_range(todo->tries, 0, todo->next_try);
    todo->next_try = 0;
    if (job)
        tries_add(todo->tries, job->tries);
    else
        tries_of_group(x->request, x->p, x->per_node, x->m, group, limit_s, todo->tries);
    ahead_job_free(job);
}

// Returns the next try, or NULL if there is none. It first adds the tries of groups that might come before it.
static const Try *next_try(Agenda *todo, Contest *x, Standing *standings)
{
    for (;;) {
        const Try *try = try_at(todo, todo->next_try);
        if (!comes_first(try, group_at(todo, todo->next_group))) {
            add_group(x, todo, standings);
        } else if (try && try->rough && promises(x, &standings[try->algorithm], try)) {
            refine(x, todo, standings);
        } else {
            todo->next_try += try != NULL;
            return try;
        }
    }
}

static gboolean has_parts(const CollAlgorithm *a)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_ALGORITHM)
            return !a->branch; // whose parts are algorithms of the same collective
    return FALSE;
}

// Adds groups with other parts than in the fastest try of each composition: in the first round, combinations of parts;
// from then on, one parameter at a time, in turn. Returns FALSE if no composition has become faster since its parameters
// were last changed, each in turn.
static gboolean change_parts(Contest *x, Agenda *todo, Standing *standings)
{
    const guint before = todo->groups->len;
    x->changing = TRUE;
    for (guint i = 0; i < before; i++) {
        const TryGroup group = *group_at(todo, i); // a copy, because the list grows
        const CollAlgorithm *a = algorithms[group.algorithm];
        Standing *c = &standings[group.algorithm];
        // A library's algorithm may have several groups, as HAN's two, whose parts differ in what can be told.
        const gboolean each = x->request->library.only && x->round == 1;
        const CollParams now = c->best && !each ? c->best->point->par : group.par;
        if (c->round == x->round && !each)
            continue;
        c->round = x->round;
        c->unchanged = c->base.of && params_compare(a, &now, &c->base) == 0 ? c->unchanged + 1 : 0;
        c->base = now;
        c->idle = 0;
        c->idle_messages = 0;
        c->last_bound_s = -1;
        const TryParts parts = {x->request,
                                x->p,
                                x->per_node,
                                x->m,
                                group.algorithm,
                                &now,
                                useful_s(x, standings, group.algorithm),
                                todo->groups,
                                todo->known,
                                &x->counts.excluded};
        if (!has_parts(a) || x->request->library.by_file || (x->round == 1 && try_parts_combine(&parts)))
            continue;
        for (gboolean added = FALSE; !added && c->unchanged < algorithm_n_params(a); c->unchanged += !added)
            added = try_parts_change(&parts, c->next_part++ % algorithm_n_params(a));
    }
    x->round++;
    tries_sort_groups(todo->groups, before);
    return todo->groups->len > before;
}

// Finds what has no time, and frees the standings.
static void find_left_out(Contest *x, Standing *standings)
{
    g_autofree LeftOutSearch *search = g_new0(LeftOutSearch, n_algorithms);
    for (int i = 0; i < n_algorithms; i++) {
        const Standing *c = &standings[i];
        x->counts.algorithms += c->seen;
        search[i] = (LeftOutSearch){c->seen, c->ran, c->best || c->beyond, c->refused};
    }
    if (!x->error)
        x->left_out = left_out_points(x->request, x->p, x->per_node, x->m, search, &x->error);
    for (int i = 0; i < n_algorithms; i++)
        g_clear_error(&standings[i].refused);
}

// Marks the group with this number as given up.
static void drop(const Agenda *todo, int number)
{
    for (guint i = 0; i < todo->groups->len; i++) {
        TryGroup *group = &g_array_index(todo->groups, TryGroup, i);
        group->dropped |= group->number == number;
    }
}

static void consider_all(Contest *x)
{
    Agenda todo = {tries_groups(x->request, x->p, x->per_node, x->m, &x->error), g_array_new(FALSE, FALSE, sizeof(Try)),
                   0, 0, x->request->known};
    KnownTimes *own = known_begin(&todo.known);
    g_autofree Standing *standings = g_new0(Standing, n_algorithms);
    x->ahead = ahead_new(x->crew, x->request, x->p, x->per_node, x->m);
    if (!x->error)
        for (const Try *try; !x->error && !contest_near_enough(x) &&
                             ((try = next_try(&todo, x, standings)) || change_parts(x, &todo, standings));) {
            if (!try)
                continue;
            Standing *c = &standings[try->algorithm];
            c->seen = TRUE;
            if (promises(x, c, try)) {
                look_ahead(x, &todo, standings, todo.next_try, try);
                consider(x, c, try);
            } else if (try->least_s >= entry_s(x, try->algorithm, c) * no_better) {
                x->counts.excluded++;
            } else if (x->changing) {
                drop(&todo, tries_group_number(try));
            } else {
                x->counts.given_up++;
            }
        }
    for (guint i = 0; todo.groups && i < todo.groups->len; i++)
        x->counts.given_up += group_at(&todo, i)->dropped;
    g_clear_pointer(&x->ahead, ahead_free);
    known_end(&todo.known, own);
    g_clear_pointer(&todo.groups, g_array_unref);
    g_array_unref(todo.tries);
    find_left_out(x, standings);
}

// Takes those that are not among the fastest out of the ranking, apart from those that the request keeps.
static void drop_slow(const Contest *x)
{
    for (guint i = x->ranking->len; i > (guint)x->top; i--)
        if (!question_keeps(&x->request->question, ((const Contender *)x->ranking->pdata[i - 1])->point->algorithm))
            g_ptr_array_remove_index(x->ranking, i - 1);
}

gboolean contest_run(gpointer data, gpointer unused, GError **error)
{
    Contest *x = data;
    (void)unused;
    x->ranking = g_ptr_array_new_with_free_func(contender_free);
    consider_all(x);
    drop_slow(x);
    for (guint i = 0; i < x->ranking->len && !x->error; i++)
        contender_finish(g_ptr_array_index(x->ranking, i), x);
    g_atomic_int_add(&x->crew->contests, -1);
    if (!x->error)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&x->error));
    return FALSE;
}
