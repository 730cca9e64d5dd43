// The search simulates the most promising try first, and stops when no try promises to beat what it has found. It looks
// at the tries of a group only when no known try promises less time than these may, and never if the group's bound is
// above what it has found.
#include "search/search/contest.h"
#include "search/form/closed_form.h"
#include "search/search/agenda.h"
#include "search/search/early_runs.h"
#include "search/search/left_out.h"
#include "search/search/try_parts.h"
#include <math.h>

// After this many messages the search simulates no more lengths of uneven segments.
enum { UNEVEN_MESSAGES = 1 << 12 };

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
    if (!segment || r->machine.model != &hockney_model || r->question.defaults) // nobody asks for other segments then
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
    return best &&
           best->point->time_s <= enough * request_bound(x->request, x->p, x->per_node, x->m) / standing_no_better;
}

static void take(Contest *x, Standing *c, const Try *try, Point *point)
{
    if (c->best && points_faster(&c->best->point, &point) <= 0) {
        point_free(point);
        return;
    }
    if (c->best && x->changing)
        standing_note_earlier(c, &c->best->point->par, c->best->point->time_s, &point->par);
    c->gains += !c->best || point->time_s < c->best->point->time_s * standing_no_better;
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
    Point *seed = early_runs_take(x, try), *point = seed ? seed : job ? g_steal_pointer(&job->point) : NULL;
    const gboolean again = !seed && (!job || job->error);
    if (job && !c->refused)
        c->refused = g_steal_pointer(&job->refused);
    ahead_job_free(job);
    return again ? ahead_simulate(x->request, x->p, x->per_node, x->m, try->algorithm, &try->par,
                                  standing_enough_s(x, c, try), c->refused ? NULL : &c->refused, &x->error)
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
    const gboolean beyond = point_too_slow(point, try->longest == 0 ? standing_enough_s(x, c, try) : 0);
    const double time_s = beyond ? INFINITY : point->time_s;
    *messages += (double)point->prediction->totals.messages;
    if (beyond) {
        c->beyond = TRUE;
        x->counts.stopped++;
        x->counts.ran--; // which consider() has counted
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
    const double limit_s = standing_limit_s(x, c, try);
    return (job && job->excluded) || try_excluded(x->request, x->p, x->per_node, x->m, limit_s, try);
}

static void consider(Contest *x, Standing *c, const Try *try)
{
    const gboolean alike = standing_is_alike(x, c, try);
    AheadJob *job = try->longest > 0 || alike ? NULL : ahead_take(x->ahead, AHEAD_SIMULATE, try->number);
    if (try->longest > 0) {
        x->counts.ran++;
        make_uneven(x, c, try);
    } else if (alike || excluded(x, c, try, job)) {
        if (alike && x->flat) // segments that are longer than parts: that they gain nothing is worth as much as a run
            standing_count(c, try, try->work, FALSE);
        x->counts.excluded++;
        ahead_job_free(job);
    } else if (standing_hardly_gains(x, c, try)) {
        x->counts.given_up++;
        ahead_job_free(job);
    } else {
        x->counts.ran++;
        const int gains = c->gains;
        double messages = 0;
        standing_note_run(x, c, try);
        const double best_s = c->best ? c->best->point->time_s : INFINITY,
                     time_s = simulate(x, c, try, &try->par, job, &messages);
        standing_note(c, try, time_s);
        standing_note_loss(x, c, try, time_s, best_s);
        standing_count(c, try, messages, c->gains != gains);
        if (x->changing)
            standing_note_choice(c, try);
    }
}

// Appends groups to the first `before` ones. They replace parts in the fastest try of each composition: the first round
// combines parts, and each later round changes one parameter.
static void change_each(Contest *x, Agenda *todo, Standing *standings, guint before)
{
    for (guint i = 0; i < before; i++) {
        const TryGroup group = *agenda_group(todo, i); // a copy, because the list grows
        const CollAlgorithm *a = algorithms[group.algorithm];
        Standing *c = &standings[group.algorithm];
        // A library's algorithm may have several groups, as HAN's two, whose parts differ in what can be told.
        const gboolean each = x->request->library.only && x->round == 1;
        CollParams now = c->best && !each ? *standing_start(c) : group.par;
        if (c->round == x->round && !each)
            continue;
        c->round = x->round;
        c->unchanged = c->base.of && params_same(a, &now, &c->base) ? c->unchanged + 1 : 0;
        if (c->unchanged >= algorithm_n_params(a) && standing_go_back(x, c)) {
            now = c->start;
            c->unchanged = 0;
        }
        c->base = now;
        standing_begin_changes(c, &now, !c->best || !params_same(a, &now, &c->best->point->par));
        const TryParts parts = {x->request,
                                x->p,
                                x->per_node,
                                x->m,
                                group.algorithm,
                                &now,
                                standing_useful_s(x, group.algorithm, c),
                                x->deep,
                                FALSE,
                                todo->groups,
                                todo->known,
                                &x->counts.excluded};
        if (!try_has_parts(a) || x->request->library.by_file || (x->round > 1 && !standing_near(x, c)) ||
            (x->round == 1 && try_parts_combine(&parts)))
            continue;
        for (gboolean added = FALSE; !added && c->unchanged < algorithm_n_params(a); c->unchanged += !added)
            added = try_parts_change(&parts, c->next_part++ % algorithm_n_params(a));
    }
    x->round++;
}

// Adds groups that differ in one number from the fastest try of each algorithm that is little behind the fastest one.
static void refine_numbers(Contest *x, Agenda *todo, Standing *standings)
{
    for (guint i = 0; i < x->ranking->len && !x->request->library.by_file; i++) {
        const Point *point = ((const Contender *)x->ranking->pdata[i])->point;
        const int algorithm = algorithm_number(point->algorithm);
        Standing *c = &standings[algorithm];
        if (!standing_refines(x, c))
            continue;
        standing_begin_refining(x, c);
        const double useful_s = standing_useful_s(x, algorithm, c);
        try_parts_refine(&(TryParts){x->request, x->p, x->per_node, x->m, algorithm, &point->par, useful_s, TRUE,
                                     i == 0, todo->groups, todo->known, &x->counts.excluded});
    }
}

// Lets the tries that waited until parts were replaced come now. Returns FALSE if there is none.
static gboolean take_put_off(Contest *x, Agenda *todo)
{
    if (x->put_off->len == 0)
        return FALSE;
    g_array_remove_range(todo->tries, 0, todo->next_try);
    todo->next_try = 0;
    tries_add(todo->tries, x->put_off);
    g_array_set_size(x->put_off, 0);
    return TRUE;
}

// Adds groups with other parts, as change_each() does it. On many ranks, parts that replace others have their defaults
// until nothing becomes faster, and then parameters of their own, too. Returns FALSE if no composition has become
// faster since its parameters were last changed, each in turn, or if all are to keep their defaults.
static gboolean change_parts(Contest *x, Agenda *todo, Standing *standings)
{
    const guint before = todo->groups->len;
    if (x->request->question.defaults || standing_leave_parts(x, standings))
        return FALSE;
    x->changing = TRUE;
    change_each(x, todo, standings, before);
    if (todo->groups->len == before && !x->deep) {
        x->deep = TRUE;
        for (int i = 0; i < n_algorithms; i++)
            standing_begin_again(&standings[i]);
        change_each(x, todo, standings, before);
    }
    if (todo->groups->len == before && take_put_off(x, todo))
        return TRUE;
    if (todo->groups->len == before && !x->usual)
        refine_numbers(x, todo, standings);
    tries_sort_groups(todo->groups, before);
    return todo->groups->len > before;
}

// Lets the seeds take part whose tries have not come, as where the search gave up their algorithm's tries before.
static void add_seeds(Contest *x, Standing *standings)
{
    while (x->seeds->len > 0) {
        Point *seed = g_ptr_array_steal_index(x->seeds, 0);
        const Try try = {.algorithm = algorithm_number(seed->algorithm), .par = seed->par, .form = {.parts = 1}};
        standings[try.algorithm].seen = standings[try.algorithm].ran = TRUE;
        take(x, &standings[try.algorithm], &try, seed);
    }
}

// Sets *try to the next one, or to NULL if more have to be found first. Returns FALSE if there is none.
static gboolean go_on(Contest *x, Agenda *todo, Standing *standings, const Try **try)
{
    *try = agenda_next(todo, x, standings);
    if (!*try)
        add_seeds(x, standings);
    return *try || change_parts(x, todo, standings);
}

static gboolean is_asked(const Contest *x, int algorithm)
{
    return algorithms[algorithm]->collective == x->request->question.collective;
}

// Finds what has no time, and frees the standings.
static void find_left_out(Contest *x, Standing *standings)
{
    g_autofree LeftOutSearch *search = g_new0(LeftOutSearch, n_algorithms);
    // Nothing has touched the standings of other collectives' algorithms, so the system has no memory for them yet.
    for (int i = 0; i < n_algorithms; i++) {
        const Standing *c = is_asked(x, i) ? &standings[i] : &(Standing){0};
        x->counts.algorithms += c->seen;
        search[i] = (LeftOutSearch){c->seen, c->ran, c->best || c->beyond, c->refused};
    }
    if (!x->error)
        x->left_out = left_out_points(x->request, x->p, x->per_node, x->m, search, &x->error);
    for (int i = 0; i < n_algorithms; i++) {
        if (!is_asked(x, i))
            continue;
        g_clear_error(&standings[i].refused);
        g_clear_pointer(&standings[i].runs, g_array_unref);
        g_clear_pointer(&standings[i].losses, g_array_unref);
        g_clear_pointer(&standings[i].choices, g_hash_table_unref);
    }
}

// Marks the group with this number as given up.
static void drop(const Agenda *todo, int number)
{
    for (guint i = 0; i < todo->groups->len; i++) {
        TryGroup *group = &g_array_index(todo->groups, TryGroup, i);
        group->dropped |= group->number == number;
    }
}

static void put_off(Contest *x, const Try *try)
{
    Try later = *try;
    later.put_off = TRUE;
    g_array_append_val(x->put_off, later);
}

static gboolean composes(const GArray *groups)
{
    gboolean has_parts = FALSE;
    for (guint i = 0; groups && i < groups->len; i++)
        has_parts |= try_has_parts(algorithms[g_array_index(groups, TryGroup, i).algorithm]);
    return has_parts;
}

static void consider_all(Contest *x)
{
    Agenda todo = {tries_groups(x->request, x->p, x->per_node, x->m, &x->error), g_array_new(FALSE, FALSE, sizeof(Try)),
                   0, 0, x->request->known};
    KnownTimes *own = known_begin(&todo.known);
    g_autofree Standing *standings = g_new0(Standing, n_algorithms);
    x->ahead = ahead_new(x->crew, x->request, x->p, x->per_node, x->m);
    x->seeds = g_ptr_array_new_with_free_func(point_free);
    x->deep = x->p <= TRY_PARTS_FEW;
    x->put_off = g_array_new(FALSE, FALSE, sizeof(Try));
    x->composes = composes(todo.groups);
    x->flat = request_flat(x->request, x->p, x->per_node);
    if (!x->error)
        early_runs_begin(x, todo.groups);
    for (const Try *try; !x->error && !contest_near_enough(x) && go_on(x, &todo, standings, &try);) {
        if (!try)
            continue;
        Standing *c = &standings[try->algorithm];
        c->seen = TRUE;
        x->counts.excluded += try->alike;
        const gboolean promises = standing_promises(x, c, try);
        if (promises && standing_puts_off(x, c, try)) {
            put_off(x, try);
        } else if (promises) {
            agenda_look_ahead(&todo, x, standings, todo.next_try, try);
            consider(x, c, try);
        } else if (try->least_s >= standing_limit_s(x, c, try)) {
            x->counts.excluded++;
        } else if (x->changing && !try->put_off) {
            drop(&todo, tries_group_number(try));
        } else {
            x->counts.given_up++;
        }
    }
    x->counts.given_up += (int)x->put_off->len; // where parts were not replaced
    g_clear_pointer(&x->put_off, g_array_unref);
    for (guint i = 0; todo.groups && i < todo.groups->len; i++)
        x->counts.given_up += agenda_group(&todo, i)->dropped;
    g_clear_pointer(&x->ahead, ahead_free);
    g_clear_pointer(&x->seeds, g_ptr_array_unref);
    g_clear_pointer(&x->prints, g_hash_table_unref);
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
    const Request *const asked = x->request;
    request_mapping(&asked->machine, x->p, x->per_node); // which then owns the nodes that the copy sees, too
    Request own = *asked;                                // borrowed
    own.machine.options.sampled = x->crew->sampled;
    own.machine.options.form = closed_form_certificate;
    x->request = &own;
    consider_all(x);
    x->request = asked;
    drop_slow(x);
    for (guint i = 0; i < x->ranking->len && !x->error; i++)
        contender_finish(g_ptr_array_index(x->ranking, i), x);
    g_atomic_int_add(&x->crew->contests, -1);
    if (!x->error)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&x->error));
    return FALSE;
}
