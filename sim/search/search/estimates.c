#include "search/search/estimates.h"
#include "search/form/closed_form.h"
#include "search/search/try_values.h"
#include <math.h>

// Combinations of values that are tried, on few ranks and on many.
enum { LIKELY = 6, LIKELY_MANY = 2 };
// Messages of so many bytes say what one costs where tables do.
enum { SHORT = 1 << 10, LONG = 1 << 16 };
// The costs of messages of a level.
typedef struct EstimateCost {
    double alpha, beta;
} EstimateCost;

gboolean estimates_know(const TrySearch *s)
{
    const Model *model = s->r->machine.model;
    // On many ranks, tables with steps make times jump too much from one segment to the next.
    return s->a->estimate && (model == &hockney_model || (model == &measured_model && s->p <= TRY_FEW_RANKS));
}

static EstimateCost level_cost(const RequestMachine *machine, int level)
{
    const Platform *platform = machine->platform;
    if (machine->model == &hockney_model)
        return (EstimateCost){platform_at(platform, KEY_ALPHA, level), platform_at(platform, KEY_BETA, level)};
    const Table *gap = platform->measured->level[level].gap; // of many messages, ports take longest
    const double short_s = table_time_at(gap, SHORT), beta = (table_time_at(gap, LONG) - short_s) / (LONG - SHORT);
    return (EstimateCost){MAX(short_s - SHORT * beta, 0), beta};
}

// Returns the point with these costs, in a unit in which no time that is of use overflows.
static CollPoint point_of(const TrySearch *s, const CollParams *par)
{
    const RequestMachine *machine = &s->r->machine;
    const Platform *platform = machine->platform;
    const Operation op = try_search_operation(s, par);
    const int far = platform->levels.n - 1, near = op.c.nodes ? levels_node(&platform->levels) : -1;
    const double gamma =
        machine->model == &hockney_model ? platform->value[KEY_GAMMA] : platform->measured->work[WORK_REDUCE].per_byte;
    const EstimateCost outer = level_cost(machine, far), inner = level_cost(machine, near < 0 ? far : near);
    const double most = (double)(op.m + 1) * (outer.beta + inner.beta + gamma) + outer.alpha + inner.alpha,
                 unit = 0x1p60 / ((double)op.c.p * op.c.p * most);
    CollPoint x = closed_form_point(&op, false);
    x.levels = near >= 0;
    x.alpha = llrint(outer.alpha * unit);
    x.beta = llrint(outer.beta * unit);
    x.near_alpha = llrint(inner.alpha * unit);
    x.near_beta = llrint(inner.beta * unit);
    x.gamma = llrint(gamma * unit);
    return x;
}

int64_t estimates_time(const TrySearch *s, const CollParams *par)
{
    const CollPoint x = point_of(s, par);
    return s->a->estimate(&x);
}

int64_t estimates_best(const TrySearch *s, CollParams *par)
{
    const CollParam *segment = try_segment_param(s->a);
    const gboolean fixed = !segment || try_is_given(&s->r->question, segment);
    CollPoint x = point_of(s, par);
    int64_t best = s->a->estimate(&x);
    for (size_t bytes = s->r->question.elem; !fixed && bytes < s->m; bytes *= 2) {
        param_set(segment, &x.par, (int64_t)bytes);
        const int64_t t = s->a->estimate(&x);
        if (t < best || bytes == s->r->question.elem) {
            best = t;
            *par = x.par;
        }
    }
    return best;
}

// A combination of values, and about its least time.
typedef struct EstimatedTry {
    CollParams par;
    int64_t time;
    guint number;
} EstimatedTry;

static int by_estimate(const void *a, const void *b)
{
    const EstimatedTry *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->number < y->number ? -1 : x->number > y->number;
}

void estimates_keep_likely(const TrySearch *s, GArray *all)
{
    const guint most = s->p > TRY_FEW_RANKS ? LIKELY_MANY : LIKELY;
    g_autoptr(GArray) likely = g_array_new(FALSE, FALSE, sizeof(EstimatedTry));
    for (guint i = 0; i < all->len; i++) {
        EstimatedTry one = {.par = g_array_index(all, CollParams, i), .number = i};
        CollParams best = one.par;
        one.time = estimates_best(s, &best);
        g_array_append_val(likely, one);
    }
    if (likely->len > 0)
        qsort(likely->data, likely->len, sizeof(EstimatedTry), by_estimate);
    g_array_set_size(all, MIN(all->len, most));
    for (guint i = 0; i < all->len; i++)
        g_array_index(all, CollParams, i) = g_array_index(likely, EstimatedTry, i).par;
}
