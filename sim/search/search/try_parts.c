#include "search/search/try_parts.h"
#include "search/search/try_values.h"
#include "engine/schedule/parts.h"
#include "engine/schedule/variant.h"
#include "libraries/decide/decide_ways.h"
#include <math.h>
#include <stddef.h>

enum {
    DEPTH = 2,             // parts of parts have parameters of their own, but no parts
    MOST_HALVED = 6,       // segments of a part are at least a message divided by 2 to this power
    FEW_SEGMENTS = 2,      // .. and only every second power is combined with other values
    MOST_COMBINED = 48,    // combinations that are tried, those with the least sums of bounds
    MOST_OF_VALUE = 2,     // .. and of each value as many, so that no other value can take its place
    MOST_BASES = 1 << 13,  // combinations that are asked whether they can run, to find one
    MOST_PIECES = 1 << 16, // of the message
    FEW_TIMES = 4          // on few ranks, where a run costs little, this many times as many
};
// Parameters of parts are not searched where the time is expected to be this many times what is of use, and no
// combination is tried.
static const double far_behind = 2;

// ---- Values ---------------------------------------------------------------------------------------------------------

static gboolean is_free(const TrySearch *s, const CollParam *param)
{
    return !try_is_given(&s->r->question, param);
}

// Returns how many levels of parts are searched: a library can be told parts of the whole alone.
static int depth_of(const TrySearch *s)
{
    return s->r->library.only ? 1 : DEPTH;
}

// Returns TRUE if the algorithm may be this part. One that groups ranks by node finds no nodes among one rank of each, and
// within a node only where the machine has units such as sockets.
static gboolean may_be(const TrySearch *s, const CollParam *param, int i)
{
    const size_t part = (param->field - offsetof(CollParams, part)) / sizeof(const CollAlgorithm *);
    const gboolean nodes =
        s->per_node > 0 && (!algorithm_needs_nodes(s->a) || s->a->groups[part] == RAILS_ALL_LEADERS ||
                            s->r->machine.platform->levels.n > 2);
    return param_allows(param, i) && (nodes || !algorithm_needs_nodes(algorithms[i])) &&
           !question_lacks(&s->r->question, algorithms[i]);
}

// Returns the parameters of a part: those of a variant, or the defaults of an entry. A part that waits for some of its
// requests cannot run where the whole has others under way (coll_throttle).
static CollParams defaults_of(const CollAlgorithm *part)
{
    CollParams par = algorithm_defaults(part);
    const CollParam *requests = part->defaults ? NULL : algorithm_param(part, "max_requests");
    if (requests)
        param_set(requests, &par, 0);
    return par;
}

static void add_changes(const TrySearch *s, const CollAlgorithm *a, const CollParams *par, int i, int depth, int step,
                        GArray *to);

// Returns the bytes of a segment, in whole elements, if what one of `share` ranks has of m bytes is halved k times; 0 if
// these are too few. A whole message is cut into 2^k segments, and not into as many and a rest.
static size_t halved(size_t m, size_t elem, size_t share, int k)
{
    const size_t count = m / elem / share, least = count >> k;
    return (share == 1 && least << k < count && least > 0 ? least + 1 : least) * elem;
}

// Adds what differs from `par` in a number. Segments cut a message, or what one of a node's ranks has of it, into 2^i
// pieces, i a multiple of `step` plus 1.
static void add_numbers(const TrySearch *s, const CollParam *param, const CollParams *par, int step, GArray *to)
{
    const size_t elem = s->r->question.elem, shares[] = {1, (size_t)MAX(s->per_node, 1)};
    int64_t value[TRY_MOST_VALUES];
    int n = g_str_equal(param->name, "max_requests") ? 0 : try_values(param, s->p, value);
    if (param->kind == PARAM_SIZE)
        value[n++] = 0;
    for (size_t i = 0; param->kind == PARAM_SIZE && i < G_N_ELEMENTS(shares); i++)
        for (int k = 1; k <= MOST_HALVED; k += step) {
            const size_t segment = halved(s->m, elem, shares[i], k);
            if (segment > 0 && (i == 0 || shares[i] > 1))
                value[n++] = (int64_t)segment;
        }
    for (int k = 0; k < n; k++) {
        CollParams next = *par;
        param_set(param, &next, value[k]);
        g_array_append_val(to, next);
    }
}

// Returns the segment at `to` bytes that is the same share of the message as one at `from` bytes.
static size_t segment_at(size_t elem, int per_node, size_t segment, size_t from, size_t to)
{
    const size_t shares[] = {1, (size_t)MAX(per_node, 1)};
    for (size_t i = 0; i < G_N_ELEMENTS(shares); i++)
        for (int k = 1; k <= MOST_HALVED; k++)
            if (segment > 0 && halved(from, elem, shares[i], k) == segment)
                return MAX(halved(to, elem, shares[i], k), elem);
    return segment;
}

CollParams try_parts_at(const Question *q, int per_node, const CollAlgorithm *a, const CollParams *par, size_t from,
                        size_t to)
{
    CollParams at = *par;
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param->kind == PARAM_ALGORITHM ? param_part(param, par) : NULL;
        if (!part || try_is_given(q, param))
            continue;
        const CollAlgorithm *entry = algorithm_entry(part);
        const CollParams own = algorithm_defaults(part);
        CollParams inner = try_parts_at(q, per_node, entry, &own, from, to);
        for (int k = 0; k < algorithm_n_params(entry); k++)
            if (entry->params[k].kind == PARAM_SIZE)
                param_set(&entry->params[k], &inner,
                          (int64_t)segment_at(q->elem, per_node, (size_t)param_get(&entry->params[k], &own), from, to));
        param_set_part(param, &at, variant_find(entry, &inner));
    }
    return at;
}

// Adds what differs from `par` in the algorithm of a part that a library can be told.
static void add_told(const TrySearch *s, const CollParam *param, const CollParams *par, GArray *to)
{
    const Request *r = s->r;
    const DecideCall call = request_call(r, s->p, s->per_node, s->m, NULL);
    const gboolean ordered = r->library.any_operation || !question_commutes(&r->question);
    g_autoptr(GArray) parts = decide_parts_told(r->library.only, &call, s->a, par, param, ordered);
    for (guint i = 0; i < parts->len; i++) {
        const CollAlgorithm *part = g_array_index(parts, const CollAlgorithm *, i);
        CollParams next = *par;
        if (!may_be(s, param, algorithm_number(algorithm_entry(part))))
            continue;
        param_set_part(param, &next, part);
        g_array_append_val(to, next);
    }
}

// Adds what differs from `par` in the algorithm of a part.
static void add_algorithms(const TrySearch *s, const CollParam *param, const CollParams *par, GArray *to)
{
    if (s->r->library.only) {
        add_told(s, param, par, to);
        return;
    }
    for (int i = 0; i < n_algorithms; i++) {
        CollParams next = *par;
        if (!may_be(s, param, i))
            continue;
        const CollParams defaults = defaults_of(algorithms[i]);
        param_set_part(param, &next, variant_find(algorithms[i], &defaults));
        g_array_append_val(to, next);
    }
}

// Adds what differs from `par` in one parameter of the part that it has.
static void change_part(const TrySearch *s, const CollParam *param, const CollParams *par, int depth, int step,
                        GArray *to)
{
    const CollAlgorithm *now = param_part(param, par), *entry = algorithm_entry(now);
    const CollParams own = defaults_of(now);
    g_autoptr(GArray) inner = g_array_new(FALSE, FALSE, sizeof(CollParams));
    for (int i = 0; i < algorithm_n_params(entry); i++)
        add_changes(s, entry, &own, i, depth, step, inner);
    for (guint k = 0; k < inner->len; k++) {
        CollParams next = *par;
        param_set_part(param, &next, variant_find(entry, &g_array_index(inner, CollParams, k)));
        g_array_append_val(to, next);
    }
}

// Adds what differs from `par` in a part: the one that is there with one parameter changed, and any other algorithm; on
// few ranks also these with one parameter changed.
static void add_parts(const TrySearch *s, const CollParam *param, const CollParams *par, int depth, int step,
                      GArray *to)
{
    const guint before = to->len;
    add_algorithms(s, param, par, to);
    for (guint i = before, n = depth == depth_of(s) && s->p <= TRY_PARTS_FEW ? to->len : before; i < n; i++) {
        const CollParams other = g_array_index(to, CollParams, i);
        change_part(s, param, &other, 0, step, to);
    }
    change_part(s, param, par, depth - 1, step, to);
}

// Adds to `to` (CollParams) what differs from `par` in parameter i of `a`.
static void add_changes(const TrySearch *s, const CollAlgorithm *a, const CollParams *par, int i, int depth, int step,
                        GArray *to)
{
    if (a->params[i].kind != PARAM_ALGORITHM)
        add_numbers(s, &a->params[i], par, step, to);
    else if (depth > 0)
        add_parts(s, &a->params[i], par, depth, step, to);
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
    return s;
}

// Returns TRUE if a part cuts the message into more pieces than can be run to bound the time.
static gboolean cuts_too_fine(const CollAlgorithm *a, const CollParams *par, size_t m)
{
    gboolean fine = FALSE;
    for (int i = 0; i < algorithm_n_params(a) && !fine; i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param->kind == PARAM_ALGORITHM ? param_part(param, par) : NULL;
        const CollParams own = part ? algorithm_defaults(part) : *par;
        const size_t cut = param->kind == PARAM_SIZE ? (size_t)param_get(param, par) : 0;
        fine = part ? cuts_too_fine(part, &own, m) : cut > 0 && m / cut > MOST_PIECES;
    }
    return fine;
}

// Returns a time that the composition cannot beat, in seconds: INFINITY if it cannot run, takes too long to run, or is
// nothing that the library can be told. Times from limit_s on are all alike to the caller.
static double bound_of(const TrySearch *s, const CollParams *par, double limit_s)
{
    if (s->r->library.only && !decide_tells(s->r->library.only, s->a, par, s->base))
        return INFINITY;
    Point point = {.algorithm = s->a, .p = s->p, .per_node = s->per_node, .m = s->m, .par = *par};
    const KnownRun run = {s->a, *par, s->p, s->per_node, s->m, s->r->question.elem};
    double bound_s;
    if (known_find_bound(s->known, &run, limit_s, &bound_s))
        return bound_s;
    const Operation op = point_operation(s->r, &point);
    bound_s = point.why || cuts_too_fine(s->a, par, s->m) ? INFINITY
                                                          : try_search_least(s->r, &op, s->p, s->per_node, limit_s);
    known_add_bound(s->known, &run, bound_s, isinf(bound_s) ? INFINITY : limit_s);
    return bound_s;
}

// Returns TRUE if a part would run as another algorithm, which is tried in its own name.
static gboolean falls_back(const TrySearch *s, const CollParams *par)
{
    Point point = {.algorithm = s->a, .p = s->p, .per_node = s->per_node, .m = s->m, .par = *par};
    const Operation op = point_operation(s->r, &point);
    g_autofree char *parts = parts_else(&op);
    return parts != NULL;
}

// Adds a group with these parameters, if they are not among those of the algorithm's groups that count. Adds 1 to
// *excluded if it takes too long.
static void add_group(const TrySearch *s, const CollParams *par, int *excluded)
{
    for (guint i = 0; i < s->groups->len; i++) {
        TryGroup *known = &g_array_index(s->groups, TryGroup, i);
        if (known->algorithm != s->algorithm || params_compare(s->a, &known->par, par) != 0)
            continue;
        if (!known->dropped)
            return;
        known->dropped = FALSE; // the new one takes its place
    }
    const double text_s = bound_of(s, par, s->enough_s), bound_s = text_s * try_rounding;
    *excluded += bound_s >= s->enough_s && isfinite(bound_s);
    if (bound_s >= s->enough_s || falls_back(s, par))
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
    if (is_free(&s, &s.a->params[param]))
        add_changes(&s, s.a, x->base, param, depth_of(&s), 1, changes);
    for (guint i = 0; i < changes->len; i++)
        add_group(&s, &g_array_index(changes, CollParams, i), x->excluded);
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

// Gives the part that is parameter i of the choice those values of its own parameters that have the least bounds, one
// parameter after the other.
static void improve(const TrySearch *s, int i, Choice *choice)
{
    const CollParam *param = &s->a->params[i];
    const CollAlgorithm *entry = algorithm_entry(param_part(param, &choice->par));
    for (int k = 0; k < algorithm_n_params(entry); k++) {
        const CollParams own = defaults_of(param_part(param, &choice->par));
        g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(CollParams));
        add_changes(s, entry, &own, k, depth_of(s) - 1, FEW_SEGMENTS, changes);
        for (guint j = 0; j < changes->len; j++) {
            Choice next = *choice;
            param_set_part(param, &next.par, variant_find(entry, &g_array_index(changes, CollParams, j)));
            next.bound_s = bound_of(s, &next.par, choice->bound_s);
            if (next.bound_s < choice->bound_s * try_rounding)
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
    if (is_free(s, param) && param->kind == PARAM_ALGORITHM)
        add_algorithms(s, param, &x->base.par, changes);
    else if (is_free(s, param))
        add_numbers(s, param, &x->base.par, FEW_SEGMENTS, changes);
    for (guint k = 0; k < changes->len; k++) {
        Choice choice = {g_array_index(changes, CollParams, k)};
        if (params_compare(s->a, &choice.par, &x->base.par) == 0)
            continue;
        choice.bound_s = bound_of(s, &choice.par, far_behind * least_s);
        least_s = MIN(least_s, choice.bound_s);
        if (isfinite(choice.bound_s))
            g_array_append_val(x->axis[i], choice);
    }
    g_array_sort(x->axis[i], by_bound);
    x->sum_s += least_s - x->base.bound_s;
}

// Gives parts that may be of use parameters of their own, and keeps the best values.
static void improve_axis(Combination *x, int i)
{
    GArray *axis = x->axis[i];
    const double before_s = g_array_index(axis, Choice, 0).bound_s;
    if (x->s.a->params[i].kind == PARAM_ALGORITHM && is_free(&x->s, &x->s.a->params[i]))
        for (guint k = 0; k < axis->len; k++)
            if (sum_with(x, i, &g_array_index(axis, Choice, k)) < far_behind * x->s.enough_s)
                improve(&x->s, i, &g_array_index(axis, Choice, k));
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
    Point point = {.algorithm = s->a, .p = s->p, .per_node = s->per_node, .m = s->m, .par = *par};
    point_operation(s->r, &point);
    return point.why;
}

// If the base cannot run, gives it the first combination of parameters with which it can: of parts too if they are the
// reason, as where they would reorder an operation, which is the last need. It stays as it is if there is none, or none
// among as many as are tried.
static void find_base(const TrySearch *s, CollParams *base)
{
    GArray *axis[COLL_MAX_PARAMS]; // of CollParams that have the value of one parameter
    const int n = algorithm_n_params(s->a), needs = algorithm_n_needs(s->a);
    const char *why = unmet(s, base);
    guint all = 1;
    if (!why || needs == 0 || why == need_nodes.otherwise)
        return;
    for (int i = 0; i < n; i++) {
        const CollParam *param = &s->a->params[i];
        axis[i] = g_array_new(FALSE, FALSE, sizeof(CollParams));
        g_array_append_val(axis[i], *base);
        if (is_free(s, param) && param->kind != PARAM_ALGORITHM)
            add_numbers(s, param, base, FEW_SEGMENTS, axis[i]);
        else if (is_free(s, param) && why == s->a->needs[needs - 1]->otherwise)
            add_algorithms(s, param, base, axis[i]);
        all = MIN(all * axis[i]->len, MOST_BASES);
    }
    for (guint k = 1; k < all && why; k++) {
        CollParams par = *base;
        guint rest = k;
        for (int i = 0; i < n; rest /= axis[i++]->len)
            copy_value(&s->a->params[i], &g_array_index(axis[i], CollParams, rest % axis[i]->len), &par);
        why = unmet(s, &par);
        if (!why)
            *base = par;
    }
    for (int i = 0; i < n; i++)
        g_array_unref(axis[i]);
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
