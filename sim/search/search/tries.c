#include "search/search/tries.h"
#include "search/form/text_count.h"
#include "search/form/text_samples.h"
#include "search/search/estimates.h"
#include "search/search/try_parts.h"
#include "search/search/try_segments.h"
#include "search/search/try_values.h"
#include "engine/schedule/kept.h"
#include "engine/schedule/variant.h"
#include "libraries/decide/decide_ways.h"
#include "libraries/decide/rules_call.h"
#include <math.h>
#include <string.h>

// Numbers of tries: those of a group follow each other, and so do the numbers of groups.
enum { NUMBERS = 1 << 12 };
enum {
    LONG_TEXT = 1 << 12, // operations of a text that takes too long to be compared with others
    PRINTED = 24         // ranks whose texts are compared
};
// A try that costs so many times as much as another one does not run before it (tries_prefer).
enum { DEARER = 4 };
// The texts that give a group's bound are left where it is this many times the least one: most groups are of no use
// long before their turn comes, and the texts of a large radix take the longest.
static const double far_from_least = 4;

// Returns TRUE if the library can be told the value of a parameter, in the way that the request asks for.
static gboolean can_tell(const TrySearch *s, const CollParam *param)
{
    return s->r->library.by_file ? decide_file_takes(s->r->library.only, s->told, param) : decide_takes(s->told, param);
}

// Returns rank i of those whose texts are compared: the first ranks, which are leaders of the first node, as many that
// are leaders of other nodes, and others that are spread over all.
static int printed_rank(int p, int per_node, int i)
{
    const int share = PRINTED / 3, nodes = per_node > 0 ? MAX(p / per_node, 1) : p;
    const uint64_t spread = (uint64_t)i * 2654435761u;
    const int leader = per_node > 0 ? i % share % per_node : 0;
    return i < share       ? i % p
           : i < 2 * share ? (int)(spread % (uint64_t)nodes) * MAX(per_node, 1) + leader
                           : (int)(spread % (uint64_t)p);
}

TextPrint tries_print(const Operation *op)
{
    const int per_node = op->c.nodes ? op->c.nodes->equal : 0;
    TextPrint all = {{0}};
    if (op->c.p <= TRY_FEW_RANKS || op->algorithm->shared || kept_find(op, KEPT_PRINT, &all, sizeof all))
        return all;
    int ranks[PRINTED];
    for (int i = 0; i < PRINTED; i++)
        ranks[i] = printed_rank(op->c.p, per_node, i);
    all = text_print(op, text_is_longer(op, op->c.root, LONG_TEXT) ? 0 : text_samples(op, PRINTED), ranks);
    kept_note(op, KEPT_PRINT, &all, sizeof all);
    return all;
}

// Returns a fingerprint of what some ranks do with these parameters; 0 if texts are long, if the algorithm has
// segments, which the group leaves open, or if it cannot run.
static TextPrint print_of(const TrySearch *s, const CollParams *par)
{
    Point point = try_search_point(s, par);
    const Operation op = point_operation(s->r, &point);
    return try_segment_param(s->a) || point.why ? (TextPrint){{0}} : tries_print(&op);
}

// Returns TRUE if the group does what another one of its algorithm does, as with a radix between two divisors of p. The
// one with the more usual parameters stays.
static gboolean is_alike(const TrySearch *s, const TryGroup *group)
{
    for (guint i = s->groups->len; i > 0 && group->print.word[0] != 0; i--) {
        TryGroup *other = &g_array_index(s->groups, TryGroup, i - 1);
        if (other->algorithm != group->algorithm)
            return FALSE;
        if (memcmp(&other->print, &group->print, sizeof other->print) != 0)
            continue;
        if (points_oddity(s->a, &group->par) < points_oddity(s->a, &other->par))
            other->par = group->par;
        return TRUE;
    }
    return FALSE;
}

// Sets the group's bound, which from limit_s on is only known to be that long or longer, unless it holds for all
// lengths of segments.
static void find_bound(TrySearch *s, TryGroup *group, double limit_s)
{
    const double bound_s = try_search_bound(s, &group->par, FALSE, limit_s);
    if (s->counted == s->a)
        memcpy(group->limit_s, s->counted_s, sizeof group->limit_s);
    group->bound_s = bound_s * try_rounding;
    group->from_s = bound_s * try_estimate_share;
    group->cut = !try_segment_param(s->a) && bound_s >= limit_s * try_rounding;
}

// Adds a group with these values, and those segments that it tries.
static void add_group(TrySearch *s, const CollParams *par)
{
    const CollParam *segment = try_segment_param(s->a);
    TryGroup group = {.algorithm = s->algorithm,
                      .par = *par,
                      .number = (int)s->groups->len,
                      .alone = s->told && segment && !can_tell(s, segment),
                      .print = s->told ? (TextPrint){{0}} : print_of(s, par)};
    if (is_alike(s, &group))
        return;
    if (s->p > TRY_FEW_RANKS)
        find_bound(s, &group, s->least_s > 0 ? far_from_least * s->least_s : INFINITY);
    if (group.bound_s > 0 && (s->least_s == 0 || group.bound_s < s->least_s))
        s->least_s = group.bound_s;
    g_array_append_val(s->groups, group);
}

// Adds a group for each combination of values of parameter i and of those after it. Segments are left to the group.
static void add_groups(TrySearch *s, const CollParams *par, int i)
{
    const CollParam *param = &s->a->params[i];
    if (i < algorithm_n_params(s->a)) {
        int64_t value[TRY_MOST_VALUES];
        const gboolean fixed = try_is_given(&s->r->question, param) || (s->told && !can_tell(s, param));
        // Of a composition, these are tried when its parts are known.
        const int node_ranks = try_has_parts(s->a) ? 0 : s->node_ranks;
        int n = fixed ? 0 : try_values(param, s->p, node_ranks, value);
        if (n > 0 && !try_segment_param(s->a)) { // segments would change which radix is the best
            const Operation op = try_search_operation(s, par);
            n = s->blind ? try_add_bounded(s, par, param, value, n)
                         : try_add_promising(&op, param, s->r->machine.platform, &s->plain, value, n);
        }
        for (int k = 0; k < n; k++) {
            CollParams next = *par;
            param_set(param, &next, value[k]);
            add_groups(s, &next, i + 1);
        }
        if (n == 0)
            add_groups(s, par, i + 1);
        return;
    }
    if (s->estimated)
        g_array_append_val(s->estimated, *par);
    else
        add_group(s, par);
}

// Adds groups as add_groups() does, but if the algorithm has estimates, only those that they say are the fastest.
static void add_likely_groups(TrySearch *s, const CollParams *par)
{
    if (!estimates_know(s)) {
        add_groups(s, par, 0);
        return;
    }
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(CollParams));
    s->estimated = all;
    add_groups(s, par, 0);
    s->estimated = NULL;
    estimates_keep_likely(s, all);
    for (guint i = 0; i < all->len; i++)
        add_group(s, &g_array_index(all, CollParams, i));
}

static int by_start(const void *a, const void *b)
{
    const TryGroup *x = a, *y = b;
    return x->from_s != y->from_s ? (x->from_s < y->from_s ? -1 : 1) : x->number - y->number;
}

void tries_sort_groups(GArray *groups, guint from)
{
    if (groups->len > from) // an array without elements may have no memory
        qsort(&g_array_index(groups, TryGroup, from), groups->len - from, sizeof(TryGroup), by_start);
}

gboolean tries_deepen(const Request *r, int p, int per_node, size_t m, double limit_s, GArray *groups, guint i)
{
    const double no_rounding = 1 + 1e-6; // so that a bound that is cut again is not below limit_s
    TryGroup group = g_array_index(groups, TryGroup, i);
    if (!group.cut || group.bound_s >= limit_s)
        return FALSE;
    TrySearch s = try_search_begin(r, p, per_node, m);
    s.algorithm = group.algorithm;
    s.a = algorithms[group.algorithm];
    find_bound(&s, &group, limit_s * no_rounding);
    for (; i + 1 < groups->len && by_start(&group, &g_array_index(groups, TryGroup, i + 1)) > 0; i++)
        g_array_index(groups, TryGroup, i) = g_array_index(groups, TryGroup, i + 1);
    g_array_index(groups, TryGroup, i) = group;
    return TRUE;
}

int try_waits(const Try *x)
{
    return x->longest > 0 ? 2 : x->long_text || x->work >= TRY_COSTLY;
}

// Returns a number that doubles with the work of a costly run, and 0 for others.
static int cost_class(const Try *x)
{
    return x->work < TRY_COSTLY ? 0 : ilogb(x->work);
}

// Compares tries for sorting: those that wait for others come last, of these the runs that cost twice as much, and
// otherwise the try that may take the least time comes first. If nothing is known about tries, the one that takes the
// least work comes first.
static int by_promise(const void *a, const void *b)
{
    const Try *x = a, *y = b;
    if (try_waits(x) != try_waits(y))
        return try_waits(x) - try_waits(y);
    if (cost_class(x) != cost_class(y))
        return cost_class(x) - cost_class(y);
    if (x->turn != y->turn || x->turn > 0)
        return x->turn != y->turn ? x->turn - y->turn : x->number - y->number;
    if (x->least_s != y->least_s)
        return x->least_s < y->least_s ? -1 : 1;
    if (x->messages != y->messages)
        return x->messages < y->messages ? -1 : 1;
    return x->oddity != y->oddity ? x->oddity - y->oddity : x->number - y->number;
}

const char *tries_cannot_tell(const Request *r, const LibraryAlgorithm *a, const DecideCall *call)
{
    LibraryAlgorithm told = *a;
    told.needs |= r->library.by_file ? a->file_needs : 0;
    const char *unmet = decide_cannot(&told, call);
    const bool ordered = r->library.any_operation || !question_commutes(&r->question);
    return unmet                                                ? unmet
           : r->library.by_file && *a->differs                  ? a->differs // what is timed is not what would run
           : r->library.by_file && a->needs & LIBRARY_NEEDS_TWO ? "its rule would also act where p is not 2"
           : ordered && a->ordered                              ? library_misorders
                                                                : NULL;
}

gboolean tries_has(const Request *r, const CollAlgorithm *a)
{
    return a->collective == r->question.collective && a->shared == r->machine.model->shared &&
           !question_lacks(&r->question, a) && (!r->question.named || g_ptr_array_find(r->question.named, a, NULL));
}

// Gives the parameters those values that the question sets. Returns FALSE if the library cannot be told them.
static gboolean take_given(const TrySearch *s, CollParams *par)
{
    const Request *r = s->r;
    if (!r->question.params)
        return TRUE;
    g_autoptr(GArray) given = question_variants(&r->question, variant_find(s->a, par), NULL, NULL);
    const gboolean tells =
        given && decide_tells(r->library.only, s->a, &g_array_index(given, CollParams, 0), s->m, par);
    if (tells)
        *par = g_array_index(given, CollParams, 0);
    return tells;
}

// Adds the groups of what a library can be told to run, with the parts that it then takes.
static void add_told(TrySearch *s)
{
    const Request *r = s->r;
    DecideCall call = request_call(r, s->p, s->per_node, s->m, NULL);
    call.decide_part = r->library.rules ? rules_decision : NULL;
    call.from = r->library.rules;
    for (guint i = 0; i < r->library.only->algorithms->len; i++) {
        s->told = &g_array_index(r->library.only->algorithms, LibraryAlgorithm, i);
        if (s->told->collective != r->question.collective || tries_cannot_tell(r, s->told, &call))
            continue;
        g_autoptr(Decision) d = decide_told(r->library.only, &call, s->told);
        CollParams par;
        s->a = decide_entry(r->library.only, s->told, &par);
        if (!s->a || s->a->shared != r->machine.model->shared || question_lacks(&r->question, s->a))
            continue;
        s->algorithm = algorithm_number(s->a);
        if (d->entry == s->a)
            memcpy(par.part, d->par.part, sizeof par.part);
        for (int k = 0; k < algorithm_n_params(s->a); k++)
            if (decide_takes(s->told, &s->a->params[k]) && !can_tell(s, &s->a->params[k]))
                param_set(&s->a->params[k], &par, d->entry == s->a ? param_get(&s->a->params[k], &d->par) : 0);
        if (take_given(s, &par))
            add_groups(s, &par, 0);
    }
}

// Adds the groups of what decides first, HAN or the compositions of ch4, with the parts that the library takes.
static void add_ways(TrySearch *s)
{
    const Request *r = s->r;
    const DecideCall call = request_call(r, s->p, s->per_node, s->m, NULL);
    g_autoptr(GArray) ways = decide_ways(r->library.only, r->question.collective, &r->library.han);
    for (guint i = 0; i < ways->len; i++) {
        g_autoptr(Decision) d = decide_way(r->library.only, &call, &g_array_index(ways, DecideWay, i));
        if (!d || d->entry->shared != r->machine.model->shared || question_lacks(&r->question, d->entry))
            continue;
        s->a = d->entry;
        s->algorithm = algorithm_number(s->a);
        decide_tell_between(r->library.only, s->a, &d->par, s->m);
        if (!take_given(s, &d->par))
            continue;
        const CollParam *segment = try_segment_param(s->a);
        // Between the nodes tuned serves a broadcast of one segment, but not what follows the first of several.
        const gboolean whole = r->question.collective == COLL_BCAST && s->m <= d->par.segment,
                       alone = segment && (whole || !decide_tells_segment(r->library.only, s->a, &d->par));
        const TryGroup group = {s->algorithm, d->par, 0, 0, (int)s->groups->len, alone};
        g_array_append_val(s->groups, group);
    }
}

GArray *tries_groups(const Request *r, int p, int per_node, size_t m, GError **error)
{
    TrySearch s = try_search_begin(r, p, per_node, m);
    s.groups = g_array_new(FALSE, FALSE, sizeof(TryGroup));
    if (r->library.only)
        add_told(&s);
    if (r->library.only && !r->library.by_file) // the files of a pair say more (advice/tune/ways.h)
        add_ways(&s);
    for (int i = 0; i < n_algorithms && !r->library.only; i++) {
        s.algorithm = i;
        s.a = algorithms[i];
        if (!tries_has(r, s.a))
            continue;
        Point *x = point_new(r, s.a, p, per_node, m, error);
        if (!x) {
            g_array_unref(s.groups);
            return NULL;
        }
        add_likely_groups(&s, &x->par);
        point_free(x);
    }
    tries_sort_groups(s.groups, 0);
    return s.groups;
}

int tries_group_number(const Try *x)
{
    return x->number / NUMBERS;
}

void tries_replace(GArray *tries, guint i, const Try *refined)
{
    Try *at = &g_array_index(tries, Try, i);
    guint low = 0, high = tries->len - i - 1; // bounds on how many of those behind it come before it
    // A long text runs as soon as it has a bound, unless it costs so much that others should set a limit before it.
    const gboolean stays = refined->long_text && at->long_text && refined->work < TRY_DEAREST;
    while (low < high && !stays) {
        const guint mid = (low + high) / 2;
        if (by_promise(refined, at + mid + 1) > 0)
            low = mid + 1;
        else
            high = mid;
    }
    memmove(at, at + 1, low * sizeof *at);
    at[low] = *refined;
}

void tries_prefer(GArray *tries, guint i)
{
    const Try next = g_array_index(tries, Try, i);
    guint best = i;
    for (guint k = i + 1; k < tries->len && next.work > 0 && next.longest == 0; k++) {
        const Try *try = &g_array_index(tries, Try, k);
        if (try->algorithm == next.algorithm && !try->rough && try->longest == 0 && try->work > 0 &&
            try->work <= DEARER * next.work && try->least_s < g_array_index(tries, Try, best).least_s)
            best = k;
    }
    const Try first = g_array_index(tries, Try, best);
    Try *at = &g_array_index(tries, Try, i);
    memmove(at + 1, at, (best - i) * sizeof *at);
    *at = first;
}

void tries_add(GArray *tries, const GArray *more)
{
    g_array_append_vals(tries, more->data, more->len);
    g_array_sort(tries, by_promise);
}

void tries_of_group(const Request *r, int p, int per_node, size_t m, const TryGroup *group, double limit_s,
                    GArray *tries)
{
    TrySearch s = try_search_begin(r, p, per_node, m);
    s.enough_s = s.blind ? limit_s : 2 * limit_s; // an uneven try has at least half of the least time of the even one
    s.parts = group->parts;
    s.text_s = group->text_s;
    s.limit_s = group->limit_s;
    s.algorithm = group->algorithm;
    s.a = algorithms[group->algorithm];
    s.tries = tries;
    s.number = group->number * NUMBERS;
    const guint before = tries->len;
    try_segments_add(&s, &group->par, group->alone);
    for (guint i = before; i < tries->len; i++)
        g_array_index(tries, Try, i).turn = group->turn;
    g_array_sort(tries, by_promise);
}

GArray *tries_make(const Request *r, int p, int per_node, size_t m, GError **error)
{
    g_autoptr(GArray) groups = tries_groups(r, p, per_node, m, error);
    GArray *tries = groups ? g_array_new(FALSE, FALSE, sizeof(Try)) : NULL;
    for (guint i = 0; groups && i < groups->len; i++)
        tries_of_group(r, p, per_node, m, &g_array_index(groups, TryGroup, i), INFINITY, tries);
    return tries;
}
