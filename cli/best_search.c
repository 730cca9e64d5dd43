// The search of `best`: every algorithm with all values of its parameters that are worth it. Forms tell what each would
// take, and those that come first are simulated.
#include "contest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_MESSAGES = 1 << 27,   // of segments, that are simulated
    ENOUGH_MESSAGES = 1 << 23, // after so many no more tries of an algorithm are simulated
    BLIND_SEGMENTS = 64,       // where no form is known
    BLIND_VALUE = 32,          // of a number, likewise
    TRIES = 6,                 // of an algorithm, that are simulated where forms are known
};
static const double near_best = 1.01; // of an algorithm's estimates those up to so many times the least are simulated
static const double vague = 0.95;     // what an estimate is worth that is not of an exact form

// An algorithm's parameters, and what it would take by its form; INFINITY: not known.
typedef struct Try {
    CollParams par;
    double estimate_s;
    int number;
} Try;

typedef struct Contender {
    const CollAlgorithm *a;
    int number; // in the registry
    GArray *tries;
} Contender;

typedef struct Search {
    const Request *r;
    int p;
    size_t m;
    GError **error;
} Search;

static void contender_free(gpointer data)
{
    g_array_unref(((Contender *)data)->tries);
    g_free(data);
}

// ---- What to try -----------------------------------------------------------------------------------------------------

static gboolean is_given(const Request *r, const CollParam *param)
{
    for (char **w = r->params; w && *w; w++)
        if (g_str_has_prefix(*w, param->name) && (*w)[strlen(param->name)] == '=')
            return TRUE;
    return FALSE;
}

static const CollParam *segment_param(const CollAlgorithm *a)
{
    for (int i = 0; i < count_params(a); i++)
        if (a->params[i].kind == PARAM_SIZE)
            return &a->params[i];
    return NULL;
}

// So that sums of the same terms are equal however they were added.
static double whole_digits(double x)
{
    int exponent = 0;
    const double mantissa = frexp(x, &exponent);
    return isinf(x) ? x : ldexp(rint(mantissa * 0x1p40), exponent - 40);
}

// Adds a try where it runs under its own name. NULL: no form.
static void add_try(const Search *s, Contender *c, const CollParams *par, const SegmentForm *form, double S)
{
    Point x = {.algorithm = c->a, .p = s->p, .m = s->m, .par = *par};
    point_operation(s->r, &x);
    const double parts = form ? form->parts : 1;
    if (x.why || (S > 1 && S * parts * s->p > MOST_MESSAGES))
        return;
    for (int i = 0; !form && i < count_params(c->a); i++) {
        const CollParam *param = &c->a->params[i];
        const int64_t value = param_get(param, par);
        if (param->kind == PARAM_INT && value > BLIND_VALUE && value != param->def && !is_given(s->r, param))
            return;
    }
    const double estimate_s =
        form ? segment_form_time(form, s->r->platform, s->m, S) * (form->linear ? 1 : vague) : INFINITY;
    const Try try = {*par, whole_digits(estimate_s), (int)c->tries->len};
    g_array_append_val(c->tries, try);
}

static void add_segment(const Search *s, Contender *c, CollParams par, const SegmentForm *form, size_t segment)
{
    const size_t elem = s->r->elem, part = segment_size(form, s->m, elem, 1);
    param_set(segment_param(c->a), &par, (int64_t)segment);
    segment -= segment % elem;
    add_try(s, c, &par, form, segment == 0 || segment >= part ? 1 : (double)((part + segment - 1) / segment));
}

// No segments; the number of them that is best by the form, rounded both ways; powers of two.
static void add_segments(const Search *s, Contender *c, const CollParams *par, const SegmentForm *form)
{
    const CollParam *param = segment_param(c->a);
    const size_t elem = s->r->elem, part = segment_size(form, s->m, elem, 1), count = part / elem;
    if (is_given(s->r, param)) {
        add_segment(s, c, *par, form, (size_t)param_get(param, par));
        return;
    }
    add_segment(s, c, *par, form, 0);
    if (count == 0)
        return;
    const size_t feasible = (size_t)MAX(MOST_MESSAGES / s->p / form->parts, 1);
    const double most = (double)MIN(count, feasible);
    const int64_t best = (int64_t)segment_form_best(form, s->r->platform, s->m, most);
    const int more = form->linear ? 0 : 1;
    for (int64_t S = MAX(best - more, 2); S <= MIN(best + 1 + more, (int64_t)most); S++)
        add_segment(s, c, *par, form, segment_size(form, s->m, elem, (size_t)S));
    for (size_t segment = elem; segment < part; segment *= 2)
        add_segment(s, c, *par, form, segment);
}

static void add_blind_segments(const Search *s, Contender *c, const CollParams *par)
{
    const SegmentForm whole = {.parts = 1};
    const CollParam *param = segment_param(c->a);
    const size_t given = is_given(s->r, param) ? (size_t)param_get(param, par) : 0;
    for (size_t S = 1; S <= (given ? 1 : BLIND_SEGMENTS); S *= 2) {
        CollParams cut = *par;
        param_set(param, &cut, (int64_t)(given ? given : S == 1 ? 0 : segment_size(&whole, s->m, s->r->elem, S)));
        add_try(s, c, &cut, NULL, (double)S);
    }
}

// A few values of a number; the default comes first.
static int some_values(const CollParam *param, int p, int64_t *value)
{
    const int64_t root = (int64_t)ceil(sqrt(p)),
                  few[] = {param->def, param->min, 2, 3, 4, 5, 6, 7, 8, 16, 32, root, p - 1, p};
    const int64_t most = param->cut ? p - 1 : param->min == 0 ? 2 : p; // 0: without a bound, and more comes near that
    int n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(few); i++) {
        bool new = i == 0 || (few[i] >= param->min && few[i] <= MIN(most, param->max));
        for (int k = 0; k < n; k++)
            new &= value[k] != few[i];
        if (new)
            value[n++] = few[i];
    }
    return n;
}

static int choices(const CollParam *param, int64_t *value)
{
    int n = 0;
    for (int64_t i = 0; i <= param->max; i++)
        value[n++] = (param->def + i) % (param->max + 1);
    return n;
}

// All values of parameter i and those behind it; the segments last.
static void add_tries(const Search *s, Contender *c, const CollParams *par, int i)
{
    const CollParam *param = &c->a->params[i];
    if (i < count_params(c->a)) {
        int64_t value[32];
        const gboolean fixed = is_given(s->r, param) || param->kind == PARAM_ALGORITHM || param->kind == PARAM_SIZE;
        const int n = fixed ? 1 : param->kind == PARAM_CHOICE ? choices(param, value) : some_values(param, s->p, value);
        for (int k = 0; k < n; k++) {
            CollParams next = *par;
            if (!fixed)
                param_set(param, &next, value[k]);
            add_tries(s, c, &next, i + 1);
        }
        return;
    }
    const CollParam *segment = segment_param(c->a);
    Point x = {.algorithm = c->a, .p = s->p, .m = s->m, .par = *par};
    const Operation op = point_operation(s->r, &x);
    Operation own = op;
    own.algorithm = c->a; // whose needs may be met with another segment
    own.c.par = *par;
    SegmentForm form;
    const gboolean known = segment_form(&own, segment, s->r->platform, s->r->options.transfer, &form);
    if (!segment)
        add_try(s, c, par, known ? &form : NULL, 1);
    else if (known)
        add_segments(s, c, par, &form);
    else
        add_blind_segments(s, c, par);
}

static int by_estimate(const void *a, const void *b)
{
    const Try *x = a, *y = b;
    return x->estimate_s != y->estimate_s ? (x->estimate_s < y->estimate_s ? -1 : 1) : x->number - y->number;
}

// NULL where it runs with no parameters, or an error.
static Contender *contender_new(const Search *s, int number)
{
    const CollAlgorithm *a = algorithms[number];
    Point *x = point_new(s->r, a, s->p, s->m, 0, s->error);
    if (!x)
        return NULL;
    Contender *c = g_new(Contender, 1);
    *c = (Contender){a, number, g_array_new(FALSE, FALSE, sizeof(Try))};
    add_tries(s, c, &x->par, 0);
    point_free(x);
    if (c->tries->len == 0) {
        contender_free(c);
        return NULL;
    }
    g_array_sort(c->tries, by_estimate);
    return c;
}

// ---- The ranking -----------------------------------------------------------------------------------------------------

// 0 where there is a try of which nothing is known.
static double least_estimate(const Contender *c)
{
    const Try *first = &g_array_index(c->tries, Try, 0), *last = &g_array_index(c->tries, Try, c->tries->len - 1);
    return isinf(last->estimate_s) ? 0 : first->estimate_s;
}

static int by_least_estimate(const void *a, const void *b)
{
    const Contender *x = *(Contender *const *)a, *y = *(Contender *const *)b;
    const double first = least_estimate(x), second = least_estimate(y);
    return first != second ? (first < second ? -1 : 1) : x->number - y->number;
}

// Predicts a try; NULL and an error.
static Point *simulate(const Search *s, const Contender *c, const Try *try)
{
    Point *x = point_new(s->r, c->a, s->p, s->m, 0, s->error);
    if (!x)
        return NULL;
    x->par = x->asked = try->par;
    if (point_run(x, s->r, s->error))
        return x;
    point_free(x);
    return NULL;
}

// Of those tries that can be the best one by their estimates, and of those that have none.
static Point *best_try(const Search *s, const Contender *c)
{
    Point *best = NULL;
    const double most = near_best * g_array_index(c->tries, Try, 0).estimate_s;
    double messages = 0;
    for (guint i = 0; i < c->tries->len && messages < ENOUGH_MESSAGES; i++) {
        const Try *try = &g_array_index(c->tries, Try, i);
        if (!isinf(try->estimate_s) && (i >= TRIES || try->estimate_s > most))
            continue;
        Point *x = simulate(s, c, try);
        if (x)
            messages += (double)x->prediction->totals.messages;
        if (x && point_timed(x) && (!best || x->time_s < best->time_s)) {
            point_free(best);
            best = x;
        } else {
            point_free(x);
        }
        if (*s->error) {
            point_free(best);
            return NULL;
        }
    }
    return best;
}

static void entry_free(gpointer data)
{
    point_free(((Entry *)data)->point);
    g_free(data);
}

static Entry *entry_new(const Search *s, Point *point)
{
    Entry *e = g_new0(Entry, 1);
    e->point = point;
    const CollParam *segment = segment_param(point->algorithm);
    if (!segment)
        return e;
    const Operation op = point_operation(s->r, point);
    const size_t bytes = (size_t)param_get(segment, &point->par), elem = s->r->elem, cut = bytes - bytes % elem;
    if (!segment_form(&op, segment, s->r->platform, s->r->options.transfer, &e->form) || !e->form.linear)
        e->form = (SegmentForm){.parts = 1};
    const size_t part = segment_size(&e->form, s->m, elem, 1);
    e->S = cut == 0 || cut >= part ? 1 : (int)((part + cut - 1) / cut);
    e->S_best = segment_form_best(&e->form, s->r->platform, s->m, MAX((double)(part / elem), 1));
    e->time_best_s = segment_form_time(&e->form, s->r->platform, s->m, e->S_best);
    return e;
}

static int by_time(const void *a, const void *b)
{
    const Entry *x = *(Entry *const *)a, *y = *(Entry *const *)b;
    return points_faster(&x->point, &y->point);
}

void contest_run(gpointer data, gpointer unused)
{
    Contest *x = data;
    const Request *r = x->request;
    const Search s = {r, x->p, x->m, &x->error};
    g_autoptr(GPtrArray) contenders = g_ptr_array_new_with_free_func(contender_free);
    (void)unused;
    x->ranking = g_ptr_array_new_with_free_func(entry_free);
    for (int i = 0; i < n_algorithms && !x->error; i++) {
        Contender *c = algorithms[i]->collective == r->collective && algorithms[i]->shared == r->model->shared
                           ? contender_new(&s, i)
                           : NULL;
        if (c)
            g_ptr_array_add(contenders, c);
    }
    g_ptr_array_sort(contenders, by_least_estimate);
    for (guint i = 0; i < contenders->len && !x->error; i++) {
        const Contender *c = g_ptr_array_index(contenders, i);
        const guint top = (guint)x->top;
        if (x->ranking->len >= top) {
            const Entry *last = g_ptr_array_index(x->ranking, top - 1);
            if (least_estimate(c) > last->point->time_s * (1 - 1e-9))
                break;
        }
        Point *best = best_try(&s, c);
        if (!best)
            continue;
        g_ptr_array_add(x->ranking, entry_new(&s, best));
        g_ptr_array_sort(x->ranking, by_time);
    }
    if (x->ranking->len > (guint)x->top)
        g_ptr_array_set_size(x->ranking, x->top);
}

void contest_free(gpointer data)
{
    Contest *x = data;
    if (x->ranking)
        g_ptr_array_unref(x->ranking);
    g_clear_error(&x->error);
    g_free(x);
}
