#include "search/search/try_values.h"
#include "api/integers.h"
#include "registry/composition.h"
#include "search/form/closed_form.h"
#include <math.h>
#include <string.h>

enum {
    NEAREST = 64,                 // radices up to this one are promising, and the least ones for so many runs
    MOST_PROMISING = 3 * NEAREST, // radices that promising() finds
    TAKEN = 2,                    // those with the least times that are tried
    BOUNDED = 16,                 // as NEAREST, where bounds stand for times
    BOUNDED_TAKEN = 6,            // .. and as TAKEN
    NODE_PARTS = 8                // groups of equal size that a node's ranks are divided into, at most
};

gboolean try_is_given(const Question *q, const CollParam *param)
{
    if (q->defaults)
        return TRUE;
    for (char **w = q->params; w && *w; w++)
        if (g_str_has_prefix(*w, param->name) && strchr("=.", (*w)[strlen(param->name)]))
            return TRUE;
    return FALSE;
}

gboolean try_limits_requests(const CollParam *param)
{
    return strcmp(param->name, "max_requests") == 0;
}

gboolean try_plans_long(const CollParam *param, int p)
{
    return p > TRY_FEW_RANKS && strcmp(param->name, "extra") == 0;
}

// Adds a value to the n of `value` if it is allowed, at most `most` and not there yet, and returns their number.
static int add_value(const CollParam *param, int64_t most, int64_t x, int64_t *value, int n)
{
    bool fresh = x >= param->min && x <= MIN(most, param->max);
    for (int k = 0; k < n; k++)
        fresh &= value[k] != x;
    if (fresh)
        value[n++] = x;
    return n;
}

// Adds the sizes of groups that divide the ranks of a node, so that groups end where nodes do, or the numbers of
// leaders that do.
static int add_divisors(const CollParam *param, int64_t most, int per_node, int64_t *value, int n)
{
    const bool divides = strcmp(param->name, "group") == 0 || strcmp(param->name, "leaders") == 0;
    for (int i = 1; divides && i <= NODE_PARTS; i++)
        if (per_node % i == 0)
            n = add_value(param, most, per_node / i, value, n);
    return n;
}

static int numbers(const CollParam *param, int p, int per_node, int64_t *value)
{
    const int64_t few[] = {param->min, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, (int64_t)ceil(cbrt(p)), (int64_t)ceil(sqrt(p)),
                           p - 1,      p};
    // 0 requests mean "no bound", and larger numbers of them act much like it.
    const gboolean few_more = try_limits_requests(param) || try_plans_long(param, p);
    const int64_t most = param->cut ? param_most(param, p) : few_more ? 2 : p;
    const gboolean all = param->cut == CUT_ROUNDS || param->cut == CUT_TWO_GROUPS;
    int n = 1;
    value[0] = all ? MIN(param->def, most) : param->def;
    for (int64_t i = 0; i < (all ? most + 1 : (int64_t)G_N_ELEMENTS(few)); i++)
        n = add_value(param, most, all ? i : few[i], value, n);
    return add_divisors(param, most, per_node, value, n);
}

static int choices(const CollParam *param, int64_t *value)
{
    int n = 0;
    for (int64_t i = 0; i <= param->max; i++)
        value[n++] = (param->def + i) % (param->max + 1);
    return n;
}

int try_values(const CollParam *param, int p, int per_node, int64_t value[TRY_MOST_VALUES])
{
    return param->kind == PARAM_CHOICE ? choices(param, value)
           : param->kind == PARAM_INT  ? numbers(param, p, per_node, value)
                                       : 0;
}

// Fills `radix` with radices of p ranks, and returns how many. A formula's rounds change where one more run of places,
// or one more digit, is needed; between two such radices the smaller one sends fewer messages.
static int promising(int p, int nearest, int64_t radix[MOST_PROMISING])
{
    int n = 0;
    for (int i = 1; i <= nearest; i++) {
        const int64_t some[] = {i, (p + i - 1) / i, (int64_t)ceil(sqrt((double)p / i))};
        for (size_t k = 0; k < G_N_ELEMENTS(some); k++)
            if (some[k] >= 2 && some[k] <= p)
                radix[n++] = some[k];
    }
    return n;
}

// Returns the time by the formula in a unit of its own, as if all blocks were of equal length and nodes shared nothing;
// -1 if it is not known, or if the algorithm cannot run: a formula may rely on what the algorithm needs. `near` is the
// level of messages within a node; -1 if all cost the same.
static int64_t estimate(const Operation *op, const Platform *platform, int near)
{
    const char *why;
    Coll view = op->c;
    if (coll_resolve(op->algorithm, &view, &why) != op->algorithm)
        return -1;
    CollPoint x = closed_form_point(op, false);
    const int far = platform->levels.n - 1;
    const double unit = 0x1p28 / platform_at(platform, KEY_ALPHA, far);
    x.alpha = 1 << 28;
    x.beta = llrint(platform_at(platform, KEY_BETA, far) * unit);
    x.gamma = llrint(platform->value[KEY_GAMMA] * unit);
    x.levels = near >= 0;
    if (x.levels) {
        x.near_alpha = llrint(platform_at(platform, KEY_ALPHA, near) * unit);
        x.near_beta = llrint(platform_at(platform, KEY_BETA, near) * unit);
    }
    const double most = (double)x.m * (double)(x.beta + x.near_beta + x.gamma + 1) * x.p;
    return most < 0x1p56 ? algorithm_time(op->algorithm, &x) : -1;
}

// Returns the time by the formula with another value of the parameter.
static int64_t estimate_at(const Operation *op, const CollParam *param, const Platform *platform, int near,
                           int64_t value)
{
    Operation at = *op;
    param_set(param, &at.c.par, value);
    return estimate(&at, platform, near);
}

// Adds a number and its neighbours.
static int add_three(const CollParam *param, int64_t x, int64_t *value, int n)
{
    for (int64_t i = -1; i <= 1; i++)
        n = add_value(param, param->max, x + i, value, n);
    return n;
}

// Adds the number of extra rounds with the least time by the formula, and its neighbours. More rounds gain less and
// less, so we bisect; beyond 2 ceil(log2 p) rounds, bruck is as good.
static int add_extra(const Operation *op, const CollParam *param, const Platform *flat, int64_t *value, int n)
{
    int64_t low = 0, high = 2 * log2_ceil(op->c.p);
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (estimate_at(op, param, flat, -1, mid + 1) < estimate_at(op, param, flat, -1, mid))
            low = mid + 1;
        else
            high = mid;
    }
    return add_three(param, low, value, n);
}

// Adds the number of direct messages with the least time by the formula, and its neighbours. With more of them the time
// falls and then rises, but in steps. So we look at powers of two, and then around the best one in ever smaller steps.
static int add_direct(const Operation *op, const CollParam *param, const Platform *platform, int near, int64_t *value,
                      int n)
{
    int64_t best = 0, least = estimate_at(op, param, platform, near, 0);
    for (int64_t i = 1; i < op->c.p; i *= 2) {
        const int64_t t = estimate_at(op, param, platform, near, i);
        if (t < least) {
            best = i;
            least = t;
        }
    }
    for (int64_t step = best / 2; step > 0; step /= 2) {
        const int64_t some[] = {best - step, best + step};
        for (size_t k = 0; k < G_N_ELEMENTS(some); k++) {
            const int64_t t = estimate_at(op, param, platform, near, some[k]);
            if (t < least) {
                best = some[k];
                least = t;
            }
        }
    }
    return add_three(param, best, value, n);
}

// Adds shares of a vector, in percent; the rest of the vector goes to other nodes. Where a byte takes longer within a
// node, the best share leaves as much to the NICs as these can carry in the time that a rank's port needs for both.
// Messages wait for each other at the NICs, so we also add what is a little less or more.
static int add_share(const Operation *op, const CollParam *param, const Platform *platform, int near, int64_t *value,
                     int n)
{
    const double near_s = platform_at(platform, KEY_BETA, near),
                 far_s = platform_at(platform, KEY_BETA, platform->levels.n - 1);
    const int k = coll_nodes_equal(op->c.nodes);
    if (near_s <= far_s || k == 0 || !platform->has[KEY_NIC_RATE])
        return n;
    const double nics_s = k * platform->value[KEY_NIC_RATE] / platform->value[KEY_NICS];
    const int64_t share = llrint(100 * (1 - near_s / (near_s - far_s + fmax(nics_s, far_s))));
    for (int64_t i = -4; i <= 4; i += 4)
        n = add_value(param, param->max, share + i, value, n);
    return n;
}

static int add_radices(const Operation *op, const CollParam *param, const Platform *flat, int64_t *value, int n)
{
    int64_t radix[MOST_PROMISING], time[MOST_PROMISING];
    const int of = promising(op->c.p, NEAREST, radix);
    for (int i = 0; i < of; i++)
        time[i] = estimate_at(op, param, flat, -1, radix[i]);
    for (int taken = 0; taken < TAKEN; taken++) {
        int best = -1;
        for (int i = 0; i < of; i++)
            if (time[i] >= 0 && (best < 0 || time[i] < time[best]) && add_value(param, op->c.p, radix[i], value, n) > n)
                best = i;
        n = best < 0 ? n : add_value(param, op->c.p, radix[best], value, n);
    }
    return n;
}

int try_add_bounded(TrySearch *s, const CollParams *par, const CollParam *param, int64_t value[TRY_MOST_VALUES], int n)
{
    int64_t radix[MOST_PROMISING];
    double bound_s[MOST_PROMISING];
    const bool few = s->p <= TRY_FEW_RANKS && !s->a->shared && strcmp(param->name, "radix") == 0;
    const int of = few ? promising(s->p, BOUNDED, radix) : 0;
    for (int i = 0; i < of; i++) {
        CollParams at = *par;
        param_set(param, &at, radix[i]);
        bound_s[i] =
            add_value(param, s->p, radix[i], value, n) == n ? INFINITY : try_search_bound(s, &at, TRUE, INFINITY);
    }
    for (int taken = 0; taken < BOUNDED_TAKEN && of > 0; taken++) {
        int best = 0;
        for (int i = 1; i < of; i++)
            best = bound_s[i] < bound_s[best] ? i : best;
        n = isinf(bound_s[best]) ? n : add_value(param, s->p, radix[best], value, n);
        for (int i = 0; i < of; i++)
            bound_s[i] = radix[i] == radix[best] ? INFINITY : bound_s[i];
    }
    return n;
}

int try_add_promising(const Operation *op, const CollParam *param, const Platform *platform, const Platform *flat,
                      int64_t value[TRY_MOST_VALUES], int n)
{
    const int near = op->c.nodes ? levels_node(&platform->levels) : -1;
    if (op->algorithm->shared || flat->value[KEY_ALPHA] <= 0)
        return n;
    if (strcmp(param->name, "share") == 0)
        return near < 0 ? n : add_share(op, param, platform, near, value, n);
    if (strcmp(param->name, "direct") == 0)
        return near < 0 || estimate(op, platform, near) < 0 ? n : add_direct(op, param, platform, near, value, n);
    const bool radices = strcmp(param->name, "radix") == 0, extra = strcmp(param->name, "extra") == 0;
    if (!(radices || extra) || estimate(op, flat, -1) < 0)
        return n;
    return extra ? add_extra(op, param, flat, value, n) : add_radices(op, param, flat, value, n);
}
