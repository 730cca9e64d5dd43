#include "search/search/early_runs.h"
#include "api/integers.h"
#include "search/form/segment_bound.h"
#include "search/form/text_count.h"
#include "search/search/tries.h"
#include "search/search/try_values.h"
#include "shapes/symmetry.h"
#include <math.h>

enum {
    MORE_SEEDS = 4,            // than contenders that are kept, on a flat machine: some with the least bounds are slow
    MOST_MESSAGES = 1 << 17,   // of a run
    MOST_OPERATIONS = 1 << 13, // of a text whose messages are counted
    MOST_TOP = 16              // contenders; if more are kept, the slowest of them limits little
};
// Runs whose times differ by rounding alone are equal, and each of those that tie must be found.
static const double as_fast = 1 + 1e-6;

// Returns about how many messages a run has. An algorithm may fold ranks away, which then have little to do. The rank
// half way round, which try_work_of() asks, may be one of these, so we also ask the one a third of the way round.
static double work_of(const Contest *x, const Operation *op)
{
    TextCount count;
    text_count(op, (op->c.root + op->c.p / 3) % op->c.p, &count);
    const double third = op->c.p * (count.messages[TEXT_OUT] + count.messages[TEXT_IN]) / 2;
    return fmax(try_work_of(op, x->per_node, INFINITY), op->algorithm->same_as == same_always ? 0 : third);
}

// Returns about the length of segments of a pipeline over a tree: as many as the tree has rounds.
static size_t likely_segment(const Contest *x)
{
    const size_t most = x->m / (size_t)log2_ceil(x->p);
    size_t length = x->request->question.elem;
    while (length <= most / 2)
        length *= 2;
    return length <= most ? length : 0;
}

// Gives the point the parameters of one of the group's tries: that without segments if there are several, or if `cut` one
// with segments. Returns FALSE if there is none, if it cannot run, or costs more than it may save.
static gboolean choose(const Contest *x, const TryGroup *group, gboolean cut, Point *point)
{
    const CollAlgorithm *a = algorithms[group->algorithm];
    const CollParam *segment = try_segment_param(a);
    const gboolean chosen = segment && !group->alone && !try_is_given(&x->request->question, segment);
    const size_t length = cut ? likely_segment(x) : 0;
    *point = point_tried(x->request, a, &group->par, x->p, x->per_node, x->m);
    if (cut && (!chosen || !segment_is_length(segment) || length == 0))
        return FALSE;
    if (chosen)
        param_set(segment, &point->par, (int64_t)length);
    const Operation op = point_operation(x->request, point);
    if (point->why || a->shared || algorithm_is_added(a) || text_is_longer(&op, op.c.root, MOST_OPERATIONS))
        return FALSE;
    return work_of(x, &op) <= MOST_MESSAGES;
}

// Returns the time below which tries may be among the `top` fastest; INFINITY before as many seeds have run.
static double limit_s(const Contest *x)
{
    const Point *last = x->seeds->len < (guint)x->top ? NULL : x->seeds->pdata[x->top - 1];
    return last ? last->time_s * as_fast : INFINITY;
}

// Adds the point. Of two of the same algorithm, the faster one stays.
static void add_seed(Contest *x, Point *point)
{
    guint i = 0;
    while (i < x->seeds->len && ((const Point *)x->seeds->pdata[i])->algorithm != point->algorithm)
        i++;
    if (i < x->seeds->len && points_faster(&x->seeds->pdata[i], &point) <= 0) {
        point_free(point);
        return;
    }
    if (i < x->seeds->len)
        g_ptr_array_remove_index(x->seeds, i);
    g_ptr_array_add(x->seeds, point);
    g_ptr_array_sort(x->seeds, points_faster);
}

static void run(Contest *x, const Point *chosen)
{
    const double enough_s = isfinite(limit_s(x)) ? limit_s(x) : 0;
    Point *point = ahead_simulate(x->request, x->p, x->per_node, x->m, algorithm_number(chosen->algorithm),
                                  &chosen->par, enough_s, NULL, &x->error);
    if (point && point_timed(point) && !point_too_slow(point, enough_s))
        add_seed(x, point);
    else
        point_free(point);
}

void early_runs_begin(Contest *x, GArray *groups)
{
    g_autofree gboolean *asked = g_new0(gboolean, n_algorithms);
    const gboolean many = x->p > TRY_FEW_RANKS, on_nodes = many && !x->flat;
    int left = x->top > MOST_TOP ? 0 : many && x->flat ? x->top + MORE_SEEDS : n_algorithms;
    for (guint i = 0; i < groups->len && left > 0 && !x->error;) {
        const TryGroup *group = &g_array_index(groups, TryGroup, i);
        const gboolean useful = !asked[group->algorithm] && group->bound_s < limit_s(x);
        Point chosen;
        if (useful && tries_deepen(x->request, x->p, x->per_node, x->m, limit_s(x), groups, i))
            continue; // another group may be at index i now
        i++;
        if (!useful)
            continue;
        asked[group->algorithm] = TRUE;
        if (choose(x, group, FALSE, &chosen)) {
            run(x, &chosen);
            left--;
        }
        if (on_nodes && choose(x, group, TRUE, &chosen))
            run(x, &chosen);
    }
    x->seeded_s = limit_s(x);
}

// Returns the place of the try's point among the seeds, or -1.
static int find_seed(const Contest *x, const Try *try)
{
    for (guint i = 0; i < x->seeds->len; i++) {
        const Point *point = x->seeds->pdata[i];
        if (point->algorithm == algorithms[try->algorithm] && params_same(point->algorithm, &point->par, &try->par))
            return (int)i;
    }
    return -1;
}

Point *early_runs_take(Contest *x, const Try *try)
{
    const int i = find_seed(x, try);
    return i < 0 ? NULL : g_ptr_array_steal_index(x->seeds, (guint)i);
}

gboolean early_runs_have(const Contest *x, const Try *try)
{
    return find_seed(x, try) >= 0;
}
