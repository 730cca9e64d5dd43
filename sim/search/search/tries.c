#include "search/search/tries.h"
#include "search/search/try_values.h"
#include "engine/schedule/variant.h"
#include "libraries/decide/rules_call.h"
#include "api/integers.h"
#include "search/form/bounds.h"
#include "search/form/closed_form.h"
#include "search/form/path_bound.h"
#include "search/form/segment_bound.h"
#include "search/form/shared_form.h"
#include "search/form/text_bound.h"
#include <math.h>
#include <string.h>

enum {
    MOST_MESSAGES = 1 << 27,  // a try has at most this many segments on all ranks together
    BLIND_MESSAGES = 1 << 20, // the same for an algorithm without a known form
    UNEVEN_SEGMENTS = 1 << 9, // the same for uneven segments
    LONG_TEXT = 1 << 12,      // with more segments than this, texts take too long to be run for their bound
    FEW_RANKS =
        1 << 8, // on more ranks, no segments are uneven, groups have bounds, and estimates are taken as they are
    FEW = 8,    // 2 .. FEW segments are always tried
    LEAST_FRAGMENT = 64, // the least fragment of shared memory that is tried
    NEAR = 2,            // numbers and lengths to try on each side of the best one
};
// A form that is not exact may overestimate the time, so the least time to expect is this share of the form's.
static const double estimate_share = 0.9;

// Numbers of tries: those of a group follow each other, and so do the numbers of groups.
enum { NUMBERS = 1 << 12 };
// Forms add up the same terms as bounds, but in another order.
static const double rounding = 1 - 1e-9;
// Runs that take equally long are ordered by more than their times, so a bound must not be the time itself.
static const double path_share = 1 - 1e-6;

// The groups or tries on p ranks with m bytes that have been found so far, and the algorithm that is being tried.
typedef struct TrySearch {
    const Request *r;
    int p, per_node;
    size_t m;
    gboolean flat;  // closed forms hold (request_flat)
    gboolean blind; // the model has no forms, so tries can hardly be compared without simulation
    Platform plain; // where closed forms do not hold, those of this machine say which segments to try
    int algorithm;  // the place of `a` in the registry
    const CollAlgorithm *a;
    const LibraryAlgorithm *told; // what the library calls `a`; NULL if the request is not about one library
    GArray *groups;               // of TryGroup, for all algorithms up to `a`
    GArray *tries;                // of Try; those of other groups come first
    int number;                   // of the next try
    double enough_s;              // a try with a bound as large is of no use, nor are the uneven tries made from it
    SegmentForm form;             // of the group that is being tried
    const PathForm *path;         // .. where closed forms do not hold; NULL if it is not known
} TrySearch;

Platform tries_plain(const Platform *platform)
{
    Platform plain = *platform;
    plain.levels.n = 1;
    memset(plain.by_level, 0, sizeof plain.by_level);
    plain.has[KEY_NIC_RATE] = plain.has[KEY_NIC_MESSAGES] = plain.has[KEY_MEMORY] = FALSE;
    plain.memory = NULL;
    return plain;
}

const CollParam *tries_segment_param(const CollAlgorithm *a)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_SIZE)
            return &a->params[i];
    return NULL;
}

// Rounds to 40 bits, so that two sums of the same terms are equal even if they were added in different orders.
static double round_to_40_bits(double x)
{
    int exponent = 0;
    const double mantissa = frexp(x, &exponent);
    return ldexp(rint(mantissa * 0x1p40), exponent - 40);
}

// An operation for which tries with different segment lengths are made. Its other parameters are fixed.
typedef struct SegmentCuts {
    Operation op;
    const CollParam *param;  // the parameter that sets the segment length; NULL if the algorithm has none
    const SegmentForm *form; // NULL if no form is known
    size_t part;             // the length of what is cut, in bytes: the message, or one of its SegmentForm.parts
    guint first;             // the index in TrySearch.tries of the first try for this operation
} SegmentCuts;

// Returns the time of m bytes with S segments, as if all blocks and segments were of equal length, in seconds: by the
// form if it is linear, else from the costs at this S. Returns NAN if it is unknown.
static double time_of(const TrySearch *s, const SegmentCuts *x, size_t m, double S)
{
    const Request *r = s->r;
    if (!x->form)
        return NAN;
    if (x->form->linear)
        return segment_form_time(x->form, &s->plain, m, S);
    Operation op = x->op;
    op.m = m;
    return segment_form_at(&op, x->param, &s->plain, r->machine.options.transfer, x->form->parts, (size_t)S);
}

// Returns the most bytes, at most `m`, that p ranks, the largest power of two and k of them divide into whole elements.
// Some block of m bytes may be that short.
static size_t even_below(size_t m, size_t elem, int p, int k)
{
    const size_t count = m / elem, ranks = (size_t)p, pow2 = (size_t)pow2_floor(p),
                 power = (size_t)pow_floor(p, MAX(k, 2));
    return MIN(MIN(count - count % ranks, count - count % pow2), count - count % power) * elem;
}

// Returns about the least time that the operation may take with the parameters `par`, which cut each part into S
// segments, in seconds; NAN if no form knows it. It is the time by the form if all blocks and segments are of equal
// length.
//
// Otherwise no block or segment is shorter than one of an operation whose lengths are equal. That operation has S
// segments as short as the last one, or one segment less and all of the others' length. (An algorithm may round the
// number of segments to the nearest, so a last one of less than half of the others' length may not count.) Shorter
// messages can make a run longer where a rank reduces while others wait, so a share is taken off that covers it. On
// many ranks, where a run takes long, segments that differ by so little are not told apart: the result is as if all
// were of equal length.
static double least_by_form(const TrySearch *s, const SegmentCuts *x, const CollParams *par, double S)
{
    const size_t elem = s->r->question.elem, parts = x->form ? (size_t)x->form->parts : 1, part = s->m / elem / parts;
    const CollectiveInfo *of = &collectives[s->r->question.collective];
    const gboolean even =
        !of->vector || closed_form_holds(s->p, s->m, elem); // without a vector, each rank has a block of m
    const double share = of->reduces && s->p <= FEW_RANKS ? estimate_share : 1;
    // Some algorithms do not send empty blocks. Under eager-port, messages that are a little shorter may meet at a port in
    // another order, and all of the time changes.
    if ((of->vector && s->m / elem < (size_t)s->p) || (s->m == 0 && s->r->question.collective != COLL_BARRIER) ||
        s->r->machine.options.transfer == TRANSFER_EAGER_PORT)
        return NAN;
    if (S == 1)
        return even ? time_of(s, x, s->m, S) : share * time_of(s, x, even_below(s->m, elem, s->p, par->radix), S);
    const size_t length = (size_t)param_get(x->param, par) / elem, others = (size_t)S - 1,
                 last = part > others * length ? part - others * length : 0;
    if ((even && last == length) || s->p > FEW_RANKS)
        return time_of(s, x, s->m, S);
    const double fewer_s = time_of(s, x, parts * others * length * elem, (double)others),
                 short_s = 2 * last > length ? time_of(s, x, parts * (size_t)S * last * elem, S) : NAN;
    return share * (isnan(short_s) ? fewer_s : fmax(fewer_s, short_s));
}

// Returns the number of segments that some rank sends if a part has S: at least half of them. Where only a first
// message is cut off, that says nothing.
static double least_sent(const TrySearch *s, double S)
{
    const CollParam *segment = tries_segment_param(s->a);
    return segment && strcmp(segment->name, "segment") == 0 ? S / 2 : 0;
}

// Returns the time, in seconds, of a rank that sends half of S segments. Each of them occupies a port for a gap, and
// some rank sends at least as many.
static double blind_half(const TrySearch *s, const CollParams *par, double S)
{
    const Measured *figures = s->r->machine.platform->measured;
    const CollParam *segment = tries_segment_param(s->a);
    double gap_s = INFINITY;
    for (int i = 0; segment && i < figures->n_levels; i++)
        gap_s = MIN(gap_s, table_time_at(figures->level[i].gap, (uint64_t)param_get(segment, par)));
    return segment ? MAX(least_sent(s, S) - 1, 0) * gap_s / figures->ports : 0;
}

static Transfer transfer_of(const RequestMachine *machine)
{
    return machine->model == &hockney_model ? machine->options.transfer : TRANSFER_MEASURED;
}

// Returns the bytes of a segment, in whole elements; 0 if nothing is cut.
static size_t cut_bytes(const TrySearch *s, const CollParams *par)
{
    const size_t bytes = (size_t)param_get(tries_segment_param(s->a), par);
    return bytes > 0 ? MAX(bytes - bytes % s->r->question.elem, s->r->question.elem) : 0;
}

// Adds a try with S segments under a model without forms.
static void add_blind(TrySearch *s, const Operation *op, const CollParams *par, double S)
{
    Try try = {.algorithm = s->algorithm,
               .par = *par,
               .messages = S * s->p,
               .oddity = points_oddity(s->a, par),
               .number = s->number++};
    double least_s = s->a->shared ? shared_form_time(op, s->r->machine.platform) : blind_half(s, par, S);
    least_s = isnan(least_s) ? 0 : least_s;
    if (s->path)
        least_s = MAX(least_s, path_share * path_form_time(s->path, cut_bytes(s, par)));
    try.rough = !s->a->shared && least_s < s->enough_s;
    try.least_s = round_to_40_bits(least_s * rounding);
    g_array_append_val(s->tries, try);
}

// Adds a try with the parameters `par`, which cut each part into S segments. Adds nothing if a need of the algorithm is
// not met, or if there are too many segments.
static void add_try(TrySearch *s, const SegmentCuts *x, const CollParams *par, double S)
{
    const Request *r = s->r;
    Point point = {.algorithm = s->a, .p = s->p, .per_node = s->per_node, .m = s->m, .par = *par};
    const Operation op = point_operation(r, &point);
    const double parts = x->form ? x->form->parts : 1;
    if (point.why || (S > 1 && S * parts * s->p > (x->form ? MOST_MESSAGES : BLIND_MESSAGES)))
        return;
    if (s->blind) {
        add_blind(s, &op, par, S);
        return;
    }
    double least_s = s->flat ? least_by_form(s, x, par, S) : NAN;
    const gboolean by_form = !isnan(least_s);
    const Mapping *map = request_mapping(&r->machine, s->p, s->per_node);
    const double half_s = least_sent(s, S) * bounds_figures(r->machine.platform, map).alpha;
    const gboolean is_long = S * parts > LONG_TEXT;
    if (!by_form)
        least_s = is_long && x->form && s->flat
                      ? MAX(estimate_share * segment_form_time(x->form, &s->plain, s->m, S), half_s)
                      : half_s;
    if (s->path)
        least_s = MAX(least_s, path_share * path_form_time(s->path, cut_bytes(s, par)));
    const Try try = {.algorithm = s->algorithm,
                     .par = *par,
                     .least_s = round_to_40_bits(least_s),
                     .by_form = by_form,
                     .rough = !by_form && !(is_long && x->form && s->flat) && least_s < s->enough_s,
                     .long_text = !by_form && is_long && !(x->form && s->flat),
                     .form = s->form,
                     .oddity = points_oddity(s->a, par),
                     .number = s->number++};
    g_array_append_val(s->tries, try);
}

// Adds a try with segments of this many bytes, or without segments if it is 0. Adds nothing if there is one already.
static void add_segment(TrySearch *s, const SegmentCuts *x, size_t segment)
{
    const size_t cut = segment - segment % s->r->question.elem;
    CollParams par = x->op.c.par;
    for (guint i = x->first; i < s->tries->len; i++)
        if (param_get(x->param, &g_array_index(s->tries, Try, i).par) == (int64_t)segment)
            return;
    // A fragment of shared memory is never empty, and one below a cache line's length costs a flag for a few bytes.
    if (s->a->shared && !try_is_given(&s->r->question, x->param) && segment < MIN(LEAST_FRAGMENT, x->part))
        return;
    param_set(x->param, &par, (int64_t)segment);
    const size_t S = cut == 0 || cut >= x->part ? 1 : (x->part + cut - 1) / cut;
    add_try(s, x, &par, (double)S);
}

// Adds a copy of the try added last, but with uneven segments: S - 1 segments of equal length, `shortest` to `longest`
// elements, and a shorter last one. The last segment may be almost empty, so the least time to expect is the time of
// the S - 1 others.
static void add_uneven(TrySearch *s, const SegmentCuts *x, int64_t S, int64_t shortest, int64_t longest)
{
    try_refine(s->r, s->p, s->per_node, s->m, s->enough_s, &g_array_index(s->tries, Try, s->tries->len - 1));
    Try try = g_array_index(s->tries, Try, s->tries->len - 1);
    const double others = (double)(S - 1), share = others / (double)S;
    try.least_s *= share;
    if (x->form && x->form->linear && s->flat)
        try.least_s = segment_form_time(x->form, &s->plain, (size_t)((double)s->m * share), others);
    try.least_s = round_to_40_bits(try.least_s);
    try.by_form = FALSE;
    try.shortest = (size_t)shortest;
    try.longest = (size_t)longest;
    try.number = s->number++;
    g_array_append_val(s->tries, try);
}

// Adds tries with S segments: one with segments as short as possible, and one with longer segments and a shorter last
// one. Example: 100 elements in 3 segments are 34, 34 and 32 elements, or up to 49, 49 and 2. Adds nothing if no length
// gives S segments.
static void add_number(TrySearch *s, const SegmentCuts *x, int64_t S)
{
    const int64_t count = (int64_t)(x->part / s->r->question.elem), length = S > 0 ? (count + S - 1) / S : 0;
    const guint before = s->tries->len;
    if (S < 2 || S > count || (count + length - 1) / length != S)
        return;
    add_segment(s, x, (size_t)length * s->r->question.elem);
    const int64_t longest = (count + S - 2) / (S - 1) - 1;
    if (s->tries->len > before && longest > length && S * s->p <= UNEVEN_SEGMENTS && !s->blind)
        add_uneven(s, x, S, length, longest);
}

// Adds tries with the number of segments that a part has if a segment has this many elements. Adds none for 0 or less.
static void add_length(TrySearch *s, const SegmentCuts *x, int64_t elements)
{
    const int64_t count = (int64_t)(x->part / s->r->question.elem);
    if (elements > 0)
        add_number(s, x, (count + elements - 1) / elements);
}

// Returns the number of segments, 1 .. most, with the least time_of(). T is convex in this number, so we bisect.
static double convex_best(const TrySearch *s, const SegmentCuts *x, double most)
{
    double low = 1;
    while (2 * low <= most && time_of(s, x, s->m, 2 * low) < time_of(s, x, s->m, low))
        low *= 2;
    double high = MIN(2 * low, floor(most));
    low = MAX(low / 2, 1);
    while (low < high) {
        const double mid = floor((low + high) / 2);
        if (time_of(s, x, s->m, mid + 1) < time_of(s, x, s->m, mid))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Adds tries near the best number of segments and near the best length.
static void add_near(TrySearch *s, const SegmentCuts *x, double best)
{
    const size_t count = x->part / s->r->question.elem;
    for (int64_t i = 1 - NEAR; i <= NEAR; i++) {
        add_number(s, x, (int64_t)best + i);
        add_length(s, x, (int64_t)((double)count / best) + i);
    }
}

// Adds tries near the best number of segments by the form. A form that is not linear is only an estimate. If it comes
// from a formula, which is cheap to evaluate at many numbers, tries near the best number by that formula are added too.
static void add_best_segments(TrySearch *s, const SegmentCuts *x)
{
    const size_t count = x->part / s->r->question.elem, feasible = (size_t)(MOST_MESSAGES / s->p / x->form->parts);
    const double most = (double)MAX(MIN(count, feasible), 1);
    add_near(s, x, segment_form_best(x->form, &s->plain, s->m, most));
    if (!x->form->linear && !x->form->simulated)
        add_near(s, x, convex_best(s, x, most));
}

// Adds tries without segments, near the best number of segments, with few segments, and with lengths of the element
// times a power of two. If the request sets the length, this is the only try.
static void add_segments(TrySearch *s, const SegmentCuts *x)
{
    if (try_is_given(&s->r->question, x->param)) {
        add_segment(s, x, (size_t)param_get(x->param, &x->op.c.par));
        return;
    }
    add_segment(s, x, 0);
    // What is cut may be more than a part is expected to be, as where blocks travel together, so the default may be
    // long.
    add_segment(s, x, (size_t)x->param->def);
    if (x->form && x->part > 0)
        add_best_segments(s, x);
    for (int S = 2; S <= FEW; S++)
        add_number(s, x, S);
    for (size_t segment = s->r->question.elem; segment < x->part; segment *= 2)
        add_segment(s, x, segment);
    if (s->a->shared && x->part > 0)
        add_segment(s, x, x->part);
}

// ---- All parameters -------------------------------------------------------------------------------------------------

// Returns the operation with these parameters. Its algorithm is s->a even if a fallback would run, because another
// segment length may meet the needs.
static Operation operation_of(const TrySearch *s, const CollParams *par)
{
    Point point = {.algorithm = s->a, .p = s->p, .per_node = s->per_node, .m = s->m, .par = *par};
    Operation op = point_operation(s->r, &point);
    op.algorithm = s->a;
    op.c.par = *par;
    return op;
}

// Returns a time that no length of segments takes less than with these parameters, in seconds. Times from limit_s on
// are all alike to the caller.
static double group_bound(const TrySearch *s, const CollParams *par, gboolean alone, double limit_s)
{
    const Request *r = s->r;
    const Mapping *map = request_mapping(&r->machine, s->p, s->per_node);
    const CollParam *segment = tries_segment_param(s->a);
    const Operation op = operation_of(s, par);
    if (s->a->shared || (segment && s->blind)) // each of the tries has a bound
        return 0;
    if (segment && !alone)
        return segment_bound(&op, segment, r->machine.platform, r->machine.options.transfer, map);
    Point point = {.algorithm = s->a, .p = s->p, .per_node = s->per_node, .m = s->m, .par = *par};
    point_operation(r, &point);
    return point.why  ? 0
           : s->blind ? path_bound(&op, r->machine.platform, TRANSFER_MEASURED, map, limit_s)
                      : text_bound(&op, r->machine.platform, r->machine.options.transfer, map, limit_s);
}

// Returns TRUE if the library can be told the value of a parameter, in the way that the request asks for.
static gboolean can_tell(const TrySearch *s, const CollParam *param)
{
    return s->r->library.by_file ? decide_file_takes(s->r->library.only, s->told, param) : decide_takes(s->told, param);
}

// Adds a group for each combination of values of parameter i and of those after it. Segments are left to the group.
static void add_groups(TrySearch *s, const CollParams *par, int i)
{
    const CollParam *param = &s->a->params[i];
    if (i < algorithm_n_params(s->a)) {
        int64_t value[TRY_MOST_VALUES];
        const gboolean fixed = try_is_given(&s->r->question, param) || (s->told && !can_tell(s, param));
        const int n = fixed ? 0 : try_values(param, s->p, value);
        for (int k = 0; k < n; k++) {
            CollParams next = *par;
            param_set(param, &next, value[k]);
            add_groups(s, &next, i + 1);
        }
        if (n == 0)
            add_groups(s, par, i + 1);
        return;
    }
    const CollParam *segment = tries_segment_param(s->a);
    const double bound_s = s->p > FEW_RANKS ? group_bound(s, par, FALSE, INFINITY) : 0;
    const TryGroup group = {s->algorithm,        *par,
                            bound_s * rounding,  bound_s * estimate_share,
                            (int)s->groups->len, s->told && segment && !can_tell(s, segment)};
    g_array_append_val(s->groups, group);
}

static int by_start(const void *a, const void *b)
{
    const TryGroup *x = a, *y = b;
    return x->from_s != y->from_s ? (x->from_s < y->from_s ? -1 : 1) : x->number - y->number;
}

// Begins a search for groups or tries.
static TrySearch begin(const Request *r, int p, int per_node, size_t m)
{
    return (TrySearch){.r = r,
                       .p = p,
                       .per_node = per_node,
                       .m = m,
                       .flat = request_flat(r, p, per_node),
                       .blind = r->machine.model != &hockney_model,
                       .plain = tries_plain(r->machine.platform)};
}

// Adds a group with another part, if these parameters are not among those of the algorithm's groups yet.
static void add_part(TrySearch *s, const CollParams *base, const CollParam *param, const CollAlgorithm *part)
{
    TryGroup group = {.algorithm = s->algorithm, .par = *base, .number = (int)s->groups->len};
    const CollParam *segment = tries_segment_param(s->a);
    param_set_part(param, &group.par, part);
    for (guint i = 0; i < s->groups->len; i++) {
        const TryGroup *known = &g_array_index(s->groups, TryGroup, i);
        if (known->algorithm == s->algorithm && params_compare(s->a, &known->par, &group.par) == 0)
            return;
    }
    group.bound_s =
        s->enough_s > 0 && !(segment && s->blind) ? group_bound(s, &group.par, TRUE, s->enough_s) * rounding : 0;
    group.from_s = group.bound_s;
    if (group.bound_s >= s->enough_s)
        return;
    group.alone = segment != NULL;
    g_array_append_val(s->groups, group);
}

// Adds the groups in which one of the parts is another algorithm than in `base`, or has one parameter of another value.
static void add_parts(TrySearch *s, const CollParams *base, const CollParam *param)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *part = algorithms[i];
        // A part that waits for some of its requests cannot run where the whole has others under way (coll_throttle).
        if (part->collective != param->of || !param_allows(param, i) || algorithm_needs_nodes(part) ||
            algorithm_param(part, "max_requests"))
            continue;
        const CollAlgorithm *now = param_part(param, base);
        const gboolean is_now = (now->variant_of ? now->variant_of : now) == part;
        const CollParams inner = is_now && now->defaults ? *now->defaults : algorithm_defaults(part);
        add_part(s, base, param, variant_find(part, &inner));
        for (int k = 0; k < algorithm_n_params(part); k++) {
            const CollParam *of_part = &part->params[k];
            int64_t value[TRY_MOST_VALUES];
            const int n = try_values(of_part, s->p, value);
            for (int j = 0; j < n; j++) {
                CollParams other = inner;
                param_set(of_part, &other, value[j]);
                add_part(s, base, param, variant_find(part, &other));
            }
        }
    }
}

gboolean tries_other_parts(const Request *r, int p, int per_node, size_t m, int algorithm, const CollParams *base,
                           const CollParam *param, double limit_s, GArray *groups)
{
    TrySearch s = begin(r, p, per_node, m);
    const guint before = groups->len;
    s.groups = groups;
    s.algorithm = algorithm;
    s.a = algorithms[algorithm];
    s.enough_s = limit_s;
    if (param->kind == PARAM_ALGORITHM && !try_is_given(&r->question, param) && !r->library.only)
        add_parts(&s, base, param);
    return groups->len > before;
}

void tries_sort_groups(GArray *groups, guint from)
{
    if (groups->len > from) // an array without elements may have no memory
        qsort(&g_array_index(groups, TryGroup, from), groups->len - from, sizeof(TryGroup), by_start);
}

// Finds the form of a group's times, which an earlier search may have found. Returns FALSE if none is known.
static gboolean find_form(TrySearch *s, const SegmentCuts *x)
{
    const Request *r = s->r;
    const KnownRun run = {s->a, x->op.c.par, s->p, s->per_node, s->m, r->question.elem};
    KnownForm found;
    if (!r->known || !known_find_form(r->known, &run, &found)) {
        found.good = segment_form(&x->op, x->param, &s->plain, r->machine.options.transfer, &found.form);
        if (r->known)
            known_add_form(r->known, &run, &found);
    }
    s->form = found.form;
    return found.good;
}

// Adds the tries of a group, with only one length of segments if `alone`.
static void add_tries(TrySearch *s, const CollParams *par, gboolean alone)
{
    static const SegmentForm whole = {.parts = 1};
    SegmentCuts x = {operation_of(s, par), tries_segment_param(s->a), .first = s->tries->len};
    s->form = whole;
    const gboolean cuts = x.param && (!alone || s->r->library.only); // the form says which segments to try
    if (!s->blind && (s->flat || cuts) && find_form(s, &x))
        x.form = &s->form;
    g_autoptr(PathForm) path = NULL;
    if (!s->flat && !s->a->shared && x.param)
        path = path_form(&x.op, x.param, s->r->machine.platform, transfer_of(&s->r->machine),
                         request_mapping(&s->r->machine, s->p, s->per_node));
    s->path = path;
    x.part = segment_form_bytes(x.form ? x.form : &whole, s->m, s->r->question.elem, 1);
    if (x.param && alone)
        add_segment(s, &x, (size_t)param_get(x.param, par));
    else if (x.param)
        add_segments(s, &x);
    else
        add_try(s, &x, par, 1);
}

int try_waits(const Try *x)
{
    return x->longest > 0 ? 2 : x->long_text;
}

// Compares tries for sorting: those that wait for others come last, and otherwise the try that may take the least time
// comes first. If nothing is known about tries, the one that takes the least work comes first.
static int by_promise(const void *a, const void *b)
{
    const Try *x = a, *y = b;
    if (try_waits(x) != try_waits(y))
        return try_waits(x) - try_waits(y);
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
           : r->library.by_file && a->needs & LIBRARY_NEEDS_TWO ? "its rule would also act where p is not 2"
           : ordered && a->ordered                              ? library_misorders
                                                                : NULL;
}

gboolean tries_has(const Request *r, const CollAlgorithm *a)
{
    return a->collective == r->question.collective && a->shared == r->machine.model->shared &&
           (!r->question.named || g_ptr_array_find(r->question.named, a, NULL));
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
        if (!s->a || s->a->shared != r->machine.model->shared)
            continue;
        s->algorithm = algorithm_number(s->a);
        if (d->entry == s->a)
            memcpy(par.part, d->par.part, sizeof par.part);
        for (int k = 0; k < algorithm_n_params(s->a); k++)
            if (decide_takes(s->told, &s->a->params[k]) && !can_tell(s, &s->a->params[k]))
                param_set(&s->a->params[k], &par, 0);
        add_groups(s, &par, 0);
    }
}

GArray *tries_groups(const Request *r, int p, int per_node, size_t m, GError **error)
{
    TrySearch s = begin(r, p, per_node, m);
    s.groups = g_array_new(FALSE, FALSE, sizeof(TryGroup));
    if (r->library.only)
        add_told(&s);
    for (int i = 0; i < n_algorithms && !r->library.only; i++) {
        s.algorithm = i;
        s.a = algorithms[i];
        if (!tries_has(r, s.a))
            continue;
        Point *x = point_new(r, s.a, p, per_node, m, 0, error);
        if (!x) {
            g_array_unref(s.groups);
            return NULL;
        }
        add_groups(&s, &x->par, 0);
        point_free(x);
    }
    tries_sort_groups(s.groups, 0);
    return s.groups;
}

void try_refine(const Request *r, int p, int per_node, size_t m, double limit_s, Try *try)
{
    Point point = {.algorithm = algorithms[try->algorithm], .p = p, .per_node = per_node, .m = m, .par = try->par};
    if (!try->rough)
        return;
    const Operation op = point_operation(r, &point);
    const Mapping *map = request_mapping(&r->machine, p, per_node);
    double least_s = 0;
    if (r->machine.model == &hockney_model)
        least_s = text_bound(&op, r->machine.platform, r->machine.options.transfer, map, limit_s);
    if (least_s < limit_s && !request_flat(r, p, per_node))
        least_s = MAX(least_s, path_share * path_bound(&op, r->machine.platform, transfer_of(&r->machine), map,
                                                       limit_s / path_share));
    try->least_s = MAX(try->least_s, round_to_40_bits(least_s));
    try->rough = FALSE;
}

void tries_replace(GArray *tries, guint i, const Try *refined)
{
    Try *at = &g_array_index(tries, Try, i);
    guint low = 0, high = tries->len - i - 1; // bounds on how many of those behind it come before it
    while (low < high && !refined->long_text) {
        const guint mid = (low + high) / 2;
        if (by_promise(refined, at + mid + 1) > 0)
            low = mid + 1;
        else
            high = mid;
    }
    memmove(at, at + 1, low * sizeof *at);
    at[low] = *refined;
}

void tries_add(GArray *tries, const GArray *more)
{
    g_array_append_vals(tries, more->data, more->len);
    g_array_sort(tries, by_promise);
}

void tries_of_group(const Request *r, int p, int per_node, size_t m, const TryGroup *group, double limit_s,
                    GArray *tries)
{
    TrySearch s = begin(r, p, per_node, m);
    s.enough_s = s.blind ? limit_s : 2 * limit_s; // an uneven try has at least half of the least time of the even one
    s.algorithm = group->algorithm;
    s.a = algorithms[group->algorithm];
    s.tries = tries;
    s.number = group->number * NUMBERS;
    add_tries(&s, &group->par, group->alone);
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
