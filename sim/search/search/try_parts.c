#include "search/search/try_parts.h"
#include "search/search/estimates.h"
#include "search/search/try_numbers.h"
#include "search/form/text_count.h"
#include "engine/schedule/parts.h"
#include "engine/schedule/variant.h"
#include "libraries/decide/decide_ways.h"
#include "registry/composition.h"
#include <math.h>

enum {
    FEW_SEGMENTS = 2,      // .. and only every second power is combined with other values
    MOST_COMBINED = 48,    // combinations that are tried, those with the least sums of bounds
    MOST_OF_VALUE = 2,     // .. and of each value as many, so that no other value can take its place
    MOST_BASES = 1 << 13,  // combinations that are asked whether they can run, to find one
    MOST_PIECES = 1 << 16, // of the message
    MOST_ISSUED = 1 << 20, // operations of a rank
    FEW_TIMES = 4,         // on few ranks, where a run costs little, this many times as many
    MOST_VARIANTS = 3,     // .. and so many of a part's variants
    MOST_OTHERS = 6000     // so many changes are found of an algorithm that is not the fastest, or none
};
// Parameters of parts are not searched where the time is expected to be this many times what is of use, and no
// combination is tried.
static const double far_behind = 2;
// Variants of a part are of use beside other parts if their bounds are at most this many times the least.
static const double little_behind = 1.2;
// Bounds order other numbers of an algorithm without parts as far as they differ by this share of what time and bound
// differ by.
static const double telling = 0.25;
// Other numbers are of no use if an estimate of their time is this many times that of the present ones; on many ranks,
// where runs cost much, this many times.
static const double unlikely = 1.1, unlikely_many = 1.02;

gboolean try_has_parts(const CollAlgorithm *a)
{
    return algorithm_has_parts(a) && !a->branch; // whose parts are of its own collective: they are tried as such
}

// ---- Groups ---------------------------------------------------------------------------------------------------------

static TrySearch begin(const TryParts *x)
{
    TrySearch s = try_search_begin(x->request, x->p, x->per_node, x->m);
    s.groups = x->groups;
    s.algorithm = x->algorithm;
    s.a = algorithms[x->algorithm];
    s.enough_s = x->limit_s;
    s.base = x->base;
    s.known = x->known;
    s.deep = x->deep;
    return s;
}

// Returns the most pieces into which a part cuts the message.
static size_t pieces_of(const CollAlgorithm *a, const CollParams *par, size_t m)
{
    size_t most = 1;
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param->kind == PARAM_ALGORITHM ? param_part(param, par) : NULL;
        const CollParams own = part ? algorithm_defaults(part) : *par;
        const size_t cut = param->kind == PARAM_SIZE ? (size_t)param_get(param, par) : 0;
        const size_t pieces = part ? pieces_of(part, &own, m) : cut > 0 ? m / cut : 1;
        most = MAX(most, pieces);
    }
    return most;
}

// Returns TRUE if a part cuts the message, or each of the blocks that a rank handles, into more pieces than can be run to
// bound the time.
static gboolean cuts_too_fine(const Operation *op)
{
    const size_t pieces = pieces_of(op->algorithm, &op->c.par, op->m);
    return pieces > MOST_PIECES ||
           (pieces > MOST_ISSUED / (size_t)op->c.p && text_is_longer(op, op->c.root, MOST_ISSUED));
}

// Returns a time that the composition cannot beat, in seconds: INFINITY if it cannot run, takes too long to run, or is
// nothing that the library can be told. It returns limit_s for all times from there on, whatever was found before.
static double bound_of(const TrySearch *s, const CollParams *par, double limit_s)
{
    if (s->r->library.only && !decide_tells(s->r->library.only, s->a, par, s->m, s->base))
        return INFINITY;
    Point point = try_search_point(s, par);
    const KnownRun run = {s->a, *par, s->p, s->per_node, s->m, s->r->question.elem, s->r->question.root};
    double bound_s;
    if (!known_find_bound(s->known, &run, limit_s, &bound_s)) {
        const Operation op = point_operation(s->r, &point);
        bound_s = point.why || cuts_too_fine(&op) ? INFINITY : try_search_least(s->r, &op, s->p, s->per_node, limit_s);
        known_add_bound(s->known, &run, bound_s, isinf(bound_s) ? INFINITY : limit_s);
    }
    return isinf(bound_s) ? INFINITY : MIN(bound_s, limit_s);
}

// Returns TRUE if a part would run as another algorithm wherever it runs: that is tried in its own name.
static gboolean falls_back(const TrySearch *s, const CollParams *par)
{
    Point point = try_search_point(s, par);
    const Operation op = point_operation(s->r, &point);
    return parts_never_run(&op);
}

// Adds a group with these parameters, if they are not among those of the algorithm's groups that count. Adds 1 to
// *excluded if it takes too long.
static void add_group(const TrySearch *s, const CollParams *par, int *excluded)
{
    for (guint i = 0; i < s->groups->len; i++) {
        TryGroup *known = &g_array_index(s->groups, TryGroup, i);
        if (known->algorithm != s->algorithm || !params_same(s->a, &known->par, par))
            continue;
        if (!known->dropped)
            return;
        known->dropped = FALSE; // the new one takes its place
    }
    const double limit_s = s->enough_s / try_rounding, text_s = bound_of(s, par, limit_s),
                 bound_s = text_s * try_rounding;
    *excluded += text_s >= limit_s && isfinite(text_s);
    if (text_s >= limit_s || falls_back(s, par))
        return;
    const TryGroup group = {.algorithm = s->algorithm,
                            .par = *par,
                            .bound_s = bound_s,
                            .from_s = bound_s,
                            .number = (int)s->groups->len,
                            .alone = try_segment_param(s->a) != NULL,
                            .parts = TRUE,
                            .text_s = text_s};
    g_array_append_val(s->groups, group);
}

gboolean try_parts_change(const TryParts *x, int param)
{
    const TrySearch s = begin(x);
    const guint before = x->groups->len;
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(CollParams));
    const TryWhole whole = try_whole_of(&s);
    if (try_is_free(&s, &s.a->params[param]))
        try_add_changes(&s, &whole, x->base, param, 1, changes);
    for (guint i = 0; i < changes->len; i++)
        add_group(&s, &g_array_index(changes, CollParams, i), x->excluded);
    return x->groups->len > before;
}

// Has the groups from `before` on, which differ in numbers of an algorithm without parts, come in an order of their
// own. The less the base's bound says about its time, the larger a difference of two bounds counts as none; what counts
// as none is tried in the order in which it was found.
static void take_turns(const TrySearch *s, guint before)
{
    const double least_s = bound_of(s, s->base, s->enough_s) * try_rounding;
    const double step_s = (s->enough_s - least_s) * telling;
    for (guint i = before; i < s->groups->len && least_s > 0 && step_s > 0; i++) {
        TryGroup *group = &g_array_index(s->groups, TryGroup, i);
        group->turn = 1 + (int)(fmax(group->bound_s - least_s, 0) / step_s);
        group->from_s = 0; // so that all of them take part
    }
}

// Leaves out what takes much longer than the base by the algorithm's estimate, if it has one.
static void leave_out_unlikely(const TrySearch *s, GArray *changes)
{
    if (!estimates_know(s))
        return;
    const double most = (s->p > TRY_FEW_RANKS ? unlikely_many : unlikely) * (double)estimates_time(s, s->base);
    guint n = 0;
    for (guint i = 0; i < changes->len; i++) {
        const CollParams par = g_array_index(changes, CollParams, i);
        if ((double)estimates_time(s, &par) <= most)
            g_array_index(changes, CollParams, n++) = par;
    }
    g_array_set_size(changes, n);
}

gboolean try_parts_refine(const TryParts *x)
{
    TrySearch s = begin(x);
    const guint before = x->groups->len;
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(CollParams));
    s.deepest = x->p <= TRY_PARTS_FEW;
    const TryWhole whole = try_whole_of(&s);
    for (int i = 0; s.deepest && i < algorithm_n_params(s.a); i++)
        if (s.a->params[i].kind == PARAM_ALGORITHM && try_is_free(&s, &s.a->params[i]))
            try_add_changes(&s, &whole, x->base, i, 1, changes);
    if (!x->fastest && changes->len > MOST_OTHERS)
        g_array_set_size(changes, 0);
    try_add_other_numbers(&s, s.a, x->base, changes);
    leave_out_unlikely(&s, changes);
    for (guint i = 0; i < changes->len; i++)
        add_group(&s, &g_array_index(changes, CollParams, i), x->excluded);
    if (!try_has_parts(s.a))
        take_turns(&s, before);
    return x->groups->len > before;
}

// ---- Combinations ---------------------------------------------------------------------------------------------------

// The base with another value of one parameter.
typedef struct Choice {
    CollParams par;
    double bound_s;
    guint at[COLL_MAX_PARAMS]; // of a combination: which value on each axis it has
} Choice;

static int by_bound(const void *a, const void *b)
{
    const Choice *x = a, *y = b;
    return x->bound_s < y->bound_s ? -1 : x->bound_s > y->bound_s;
}

// Returns the bound from which on improve_value() keeps no more variants, because enough of `others` have lesser
// bounds. An entry with the choice's own parameters does not count, because it is not another variant. Every other
// entry counts for good: the choice never becomes one of them later.
static double kept_below_s(const TrySearch *s, const Choice *choice, const GArray *others)
{
    double kept_s[MOST_VARIANTS - 1]; // the least bounds, in ascending order
    for (size_t i = 0; i < G_N_ELEMENTS(kept_s); i++)
        kept_s[i] = INFINITY;
    for (guint k = 0; k < others->len; k++) {
        const Choice *other = &g_array_index(others, Choice, k);
        double bound_s = other->bound_s;
        for (size_t i = 0; i < G_N_ELEMENTS(kept_s) && !params_same(s->a, &other->par, &choice->par); i++) {
            const double less_s = MIN(bound_s, kept_s[i]);
            bound_s = MAX(bound_s, kept_s[i]);
            kept_s[i] = less_s;
        }
    }
    return kept_s[G_N_ELEMENTS(kept_s) - 1];
}

// Gives the part that is parameter i of the choice those values of its own parameters that have the least bounds, one
// parameter after the other. A part's part that would run as another algorithm is none of them: the combinations with
// it would all be left out. Adds to `others`, unless it is NULL, what else is little behind and may be kept.
static void improve(const TrySearch *s, int i, Choice *choice, GArray *others)
{
    const CollParam *param = &s->a->params[i];
    const CollAlgorithm *entry = algorithm_entry(param_part(param, &choice->par));
    const TryWhole whole = try_whole_of(s), part = try_part_of(s, &whole, param, entry, TRY_PARTS_DEPTH - 1);
    const gboolean falls = falls_back(s, &choice->par);
    for (int k = 0; k < algorithm_n_params(entry); k++) {
        const CollParams own = try_defaults_of(param_part(param, &choice->par));
        g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(CollParams));
        try_add_changes(s, &part, &own, k, FEW_SEGMENTS, changes);
        for (guint j = 0; j < changes->len; j++) {
            const double kept_s = others ? kept_below_s(s, choice, others) : 0,
                         other_s = MIN(choice->bound_s * little_behind, kept_s);
            Choice next = *choice;
            param_set_part(param, &next.par, variant_find(entry, &g_array_index(changes, CollParams, j)));
            // What is cut off at the limit may be rounded to less than the limit.
            next.bound_s = bound_of(s, &next.par, MAX(choice->bound_s, other_s) / try_rounding);
            const gboolean better = next.bound_s < choice->bound_s * try_rounding;
            const gboolean other = others && next.bound_s < other_s;
            if (!(better || other) || (!falls && falls_back(s, &next.par)))
                continue;
            if (others)
                g_array_append_val(others, *(better ? choice : &next));
            if (better)
                *choice = next;
        }
    }
}

// Puts parameter i of `from` into `to`.
static void copy_value(const CollParam *param, const CollParams *from, CollParams *to)
{
    if (param->kind == PARAM_ALGORITHM)
        param_set_part(param, to, param_part(param, from));
    else
        param_set(param, to, param_get(param, from));
}

// The composition, and for each of its parameters the values (Choice) that are combined.
typedef struct Combination {
    TrySearch s;
    Choice base;
    GArray *axis[COLL_MAX_PARAMS];
    double sum_s; // of the values with the least bounds, as if what the parts take added up
} Combination;

// Returns about the bound of the combination of a value of parameter i with the values of the others with the least
// bounds.
static double sum_with(const Combination *x, int i, const Choice *choice)
{
    return x->sum_s + choice->bound_s - g_array_index(x->axis[i], Choice, 0).bound_s;
}

// Finds the values of parameter i; parts have their defaults.
static void find_axis(Combination *x, int i)
{
    const TrySearch *s = &x->s;
    const CollParam *param = &s->a->params[i];
    double least_s = x->base.bound_s;
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(CollParams));
    x->axis[i] = g_array_new(FALSE, FALSE, sizeof(Choice));
    g_array_append_val(x->axis[i], x->base);
    const TryWhole whole = try_whole_of(s);
    if (try_is_free(s, param) && param->kind == PARAM_ALGORITHM)
        try_add_algorithms(s, &whole, param, &x->base.par, changes);
    else if (try_is_free(s, param))
        try_add_numbers(s, param, &x->base.par, FEW_SEGMENTS, changes);
    for (guint k = 0; k < changes->len; k++) {
        Choice choice = {g_array_index(changes, CollParams, k)};
        if (params_same(s->a, &choice.par, &x->base.par))
            continue;
        choice.bound_s = bound_of(s, &choice.par, far_behind * least_s);
        least_s = MIN(least_s, choice.bound_s);
        if (isfinite(choice.bound_s))
            g_array_append_val(x->axis[i], choice);
    }
    g_array_sort(x->axis[i], by_bound);
    x->sum_s += least_s - x->base.bound_s;
}

// Gives the part in value k of parameter i parameters of its own. What has the least bound need not be the fastest
// beside other parts, so on few ranks a few other variants become values too.
static void improve_value(Combination *x, int i, guint k)
{
    g_autoptr(GArray) others = x->s.p > TRY_PARTS_FEW ? NULL : g_array_new(FALSE, FALSE, sizeof(Choice));
    improve(&x->s, i, &g_array_index(x->axis[i], Choice, k), others);
    if (!others)
        return;
    const CollParams least = g_array_index(x->axis[i], Choice, k).par;
    g_array_sort(others, by_bound);
    for (guint j = 0, kept = 1; j < others->len && kept < MOST_VARIANTS; j++)
        if (!params_same(x->s.a, &g_array_index(others, Choice, j).par, &least)) {
            g_array_append_val(x->axis[i], g_array_index(others, Choice, j));
            kept++;
        }
}

// Gives parts that may be of use parameters of their own, and keeps the best values.
static void improve_axis(Combination *x, int i)
{
    GArray *axis = x->axis[i];
    const double before_s = g_array_index(axis, Choice, 0).bound_s;
    if (x->s.a->params[i].kind == PARAM_ALGORITHM && try_is_free(&x->s, &x->s.a->params[i]))
        for (guint k = 0, n = axis->len; k < n; k++)
            if (sum_with(x, i, &g_array_index(axis, Choice, k)) < far_behind * x->s.enough_s)
                improve_value(x, i, k);
    g_array_sort(axis, by_bound);
    x->sum_s += g_array_index(axis, Choice, 0).bound_s - before_s;
}

// Keeps the combinations of values of the first `axes` parameters that seem the best, and the best of each value.
static void keep_best(const Combination *x, int axes, GArray *all)
{
    const guint most = MOST_COMBINED * (x->s.p > TRY_PARTS_FEW ? 1 : FEW_TIMES);
    guint *kept[COLL_MAX_PARAMS]; // of each value
    guint n = 0;
    for (int i = 0; i < axes; i++)
        kept[i] = g_new0(guint, x->axis[i]->len);
    g_array_sort(all, by_bound);
    for (guint k = 0; k < all->len; k++) {
        const Choice choice = g_array_index(all, Choice, k);
        gboolean keeps = n < most;
        for (int i = 0; i < axes; i++)
            keeps |= kept[i][choice.at[i]] < MOST_OF_VALUE;
        for (int i = 0; i < axes; i++)
            kept[i][choice.at[i]] += keeps;
        if (keeps)
            g_array_index(all, Choice, n++) = choice;
    }
    g_array_set_size(all, n);
    for (int i = 0; i < axes; i++)
        g_free(kept[i]);
}

// Adds the groups of the combinations that seem the best.
static void add_combinations(const Combination *x, int *excluded)
{
    const CollAlgorithm *a = x->s.a;
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Choice));
    Choice first = x->base;
    first.bound_s = x->sum_s;
    g_array_append_val(all, first);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const guint n = all->len;
        for (guint k = 0; k < n * x->axis[i]->len; k++) {
            const Choice *value = &g_array_index(x->axis[i], Choice, k / n);
            Choice next = g_array_index(all, Choice, k % n);
            copy_value(&a->params[i], &value->par, &next.par);
            next.bound_s += value->bound_s - g_array_index(x->axis[i], Choice, 0).bound_s;
            next.at[i] = k / n;
            g_array_append_val(all, next);
        }
        g_array_remove_range(all, 0, n);
        keep_best(x, i + 1, all);
    }
    for (guint k = 0; k < all->len; k++)
        if (g_array_index(all, Choice, k).bound_s < far_behind * x->s.enough_s)
            add_group(&x->s, &g_array_index(all, Choice, k).par, excluded);
}

// Returns the need that keeps the composition from running with these parameters, or NULL.
static const char *unmet(const TrySearch *s, const CollParams *par)
{
    Point point = try_search_point(s, par);
    point_operation(s->r, &point);
    return point.why;
}

// Gives the base the first combination of other numbers, and of other algorithms as parts if `parts`, with which it can
// run, among as many as are tried. If there is none, the first one that lacks only the composition's last need, if
// there is such a one. Returns the need that is not met then; NULL if all are.
static const char *change_base(const TrySearch *s, CollParams *base, gboolean parts)
{
    GArray *axis[COLL_MAX_PARAMS]; // of CollParams that have the value of one parameter
    const int n = algorithm_n_params(s->a);
    const char *last = s->a->needs[algorithm_n_needs(s->a) - 1]->otherwise, *left = unmet(s, base);
    const TryWhole whole = try_whole_of(s);
    const CollParams from = *base;
    guint all = 1;
    for (int i = 0; i < n; i++) {
        const CollParam *param = &s->a->params[i];
        axis[i] = g_array_new(FALSE, FALSE, sizeof(CollParams));
        g_array_append_val(axis[i], from);
        if (try_is_free(s, param) && param->kind != PARAM_ALGORITHM)
            try_add_numbers(s, param, &from, FEW_SEGMENTS, axis[i]);
        else if (try_is_free(s, param) && parts)
            try_add_algorithms(s, &whole, param, &from, axis[i]);
        all = MIN(all * axis[i]->len, MOST_BASES);
    }
    for (guint k = 1; k < all && left; k++) {
        CollParams par = from;
        guint rest = k;
        for (int i = 0; i < n; rest /= axis[i++]->len)
            copy_value(&s->a->params[i], &g_array_index(axis[i], CollParams, rest % axis[i]->len), &par);
        const char *why = unmet(s, &par);
        if (why && (why != last || left == last))
            continue;
        *base = par;
        left = why;
    }
    for (int i = 0; i < n; i++)
        g_array_unref(axis[i]);
    return left;
}

// If the base cannot run, gives it parameters with which it can: of parts too if they are the reason, as where they
// would reorder an operation, which is the last need. It stays as it is if none are found.
static void find_base(const TrySearch *s, CollParams *base)
{
    const int needs = algorithm_n_needs(s->a);
    const char *why = unmet(s, base);
    if (!why || needs == 0 || why == need_nodes.otherwise)
        return;
    const char *last = s->a->needs[needs - 1]->otherwise;
    if (why != last)
        why = change_base(s, base, FALSE);
    if (why == last)
        change_base(s, base, TRUE);
}

gboolean try_parts_combine(const TryParts *parts)
{
    CollParams base = *parts->base;
    Combination x = {.s = begin(parts)};
    const guint before = parts->groups->len;
    const int n = algorithm_n_params(x.s.a);
    find_base(&x.s, &base);
    x.base.par = base;
    x.sum_s = x.base.bound_s = bound_of(&x.s, &base, INFINITY);
    if (isinf(x.base.bound_s))
        return FALSE;
    for (int i = 0; i < n; i++)
        find_axis(&x, i);
    for (int i = 0; i < n && x.sum_s < far_behind * x.s.enough_s; i++)
        improve_axis(&x, i);
    if (x.sum_s < far_behind * x.s.enough_s)
        add_combinations(&x, parts->excluded);
    for (int i = 0; i < n; i++)
        g_array_unref(x.axis[i]);
    return parts->groups->len > before;
}
