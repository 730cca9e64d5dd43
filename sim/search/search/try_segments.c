#include "search/search/try_segments.h"
#include "search/search/estimates.h"
#include "search/search/try_values.h"
#include "api/integers.h"
#include "search/form/bounds.h"
#include "search/form/closed_form.h"
#include "search/form/segment_bound.h"
#include "search/form/shared_form.h"
#include "search/form/text_print.h"
#include "shapes/symmetry.h"
#include <math.h>
#include <string.h>

enum {
    MOST_MESSAGES = 1 << 27,  // a try has at most this many segments on all ranks together
    ROUGH_MESSAGES = 1 << 22, // the same if only simulations give the form, which is not known on so many ranks
    BLIND_MESSAGES = 1 << 20, // the same for an algorithm without a known form
    UNEVEN_SEGMENTS = 1 << 9, // the same for uneven segments
    LONG_TEXT = 1 << 12,      // with more segments than this, texts take too long to be run for their bound
    FEW = 8,                  // 2 .. FEW segments are always tried
    LEAST_FRAGMENT = 64,      // the least fragment of shared memory that is tried
    NEAR = 2,                 // numbers and lengths to try on each side of the best one
};

// An operation for which tries with different segment lengths are made. Its other parameters are fixed.
typedef struct SegmentCuts {
    Operation op;
    const CollParam *param;  // the parameter that sets the segment length; NULL if the algorithm has none
    const SegmentForm *form; // NULL if no form is known
    gboolean by_path;        // TRUE if chains of messages say which numbers of segments to try (skips_form)
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

// Returns TRUE if no text of the collective gives each rank a block of the vector: scans cut it by halving alone. An
// algorithm that somebody added may do both.
static gboolean only_halves(const TrySearch *s)
{
    const Collective of = s->r->question.collective;
    return (of == COLL_SCAN || of == COLL_EXSCAN) && !algorithm_is_added(s->a);
}

// Returns the most bytes, at most `m`, that p ranks, the largest power of two and k of them divide into whole elements.
// Some block of m bytes may be that short. If texts only halve, the p ranks do not matter.
static size_t even_below(const TrySearch *s, size_t m, int k)
{
    const size_t count = m / s->r->question.elem, ranks = only_halves(s) ? 1 : (size_t)s->p,
                 pow2 = (size_t)pow2_floor(s->p), power = (size_t)pow_floor(s->p, MAX(k, 2));
    return MIN(MIN(count - count % ranks, count - count % pow2), count - count % power) * s->r->question.elem;
}

// Returns TRUE if the text, by its formula, cuts nothing but the message, or its halves, into segments. It then has no
// empty blocks, however many ranks there are.
static gboolean only_segments(const TrySearch *s, const SegmentCuts *x)
{
    const int parts = x->form ? x->form->parts : 0;
    return x->param && segment_is_length(x->param) && (parts == 1 || parts == 2) && !x->form->simulated &&
           !algorithm_is_added(s->a) && s->m / s->r->question.elem >= (size_t)parts;
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
    const gboolean whole = S > 1 && only_segments(s, x),
                   even = !of->vector || // then each rank has a block of m
                          closed_form_holds(s->p, s->m, elem) || (whole && s->m / elem % parts == 0) ||
                          (only_halves(s) && even_below(s, s->m, par->radix) == s->m);
    const double share = of->reduces && s->p <= TRY_FEW_RANKS ? try_estimate_share : 1;
    // Some algorithms do not send empty blocks. Under eager-port, messages that are a little shorter may meet at a port in
    // another order, and all of the time changes.
    if ((of->vector && s->m / elem < (size_t)s->p && !whole) ||
        (s->m == 0 && s->r->question.collective != COLL_BARRIER) ||
        s->r->machine.options.transfer == TRANSFER_EAGER_PORT)
        return NAN;
    if (S == 1)
        return even ? time_of(s, x, s->m, S) : share * time_of(s, x, even_below(s, s->m, par->radix), S);
    const size_t length = (size_t)param_get(x->param, par) / elem, others = (size_t)S - 1,
                 last = part > others * length ? part - others * length : 0;
    if ((even && last == length) || s->p > TRY_FEW_RANKS)
        return time_of(s, x, s->m, S);
    const double fewer_s = time_of(s, x, parts * others * length * elem, (double)others),
                 short_s = 2 * last > length ? time_of(s, x, parts * (size_t)S * last * elem, S) : NAN;
    return share * (isnan(short_s) ? fewer_s : fmax(fewer_s, short_s));
}

// Returns the number of segments that some rank sends if a part has S: at least half of them. Where only a first
// message is cut off, that says nothing, nor where rows of `group` ranks share out the message before it is cut.
static double least_sent(const TrySearch *s, double S)
{
    const CollParam *segment = try_segment_param(s->a);
    return segment && segment_is_length(segment) && !algorithm_param(s->a, "group") ? S / 2 : 0;
}

// Returns the time, in seconds, of a rank that sends half of S segments. Each of them occupies a port for a gap, and
// some rank sends at least as many.
static double blind_half(const TrySearch *s, const CollParams *par, double S)
{
    const Measured *figures = s->r->machine.platform->measured;
    const CollParam *segment = try_segment_param(s->a);
    double gap_s = INFINITY;
    if (try_search_logp(&s->r->machine))
        return MAX(least_sent(s, S) - 1, 0) * s->r->machine.platform->value[KEY_G_GAP];
    for (int i = 0; segment && i < figures->n_levels; i++)
        gap_s = MIN(gap_s, table_time_at(figures->level[i].gap, (uint64_t)param_get(segment, par)));
    return segment ? MAX(least_sent(s, S) - 1, 0) * gap_s / figures->ports : 0;
}

// Returns the bytes of a segment, in whole elements; 0 if nothing is cut.
static size_t cut_bytes(const TrySearch *s, const CollParams *par)
{
    const size_t bytes = (size_t)param_get(try_segment_param(s->a), par);
    return bytes > 0 ? MAX(bytes - bytes % s->r->question.elem, s->r->question.elem) : 0;
}

// Gives a rough try the bound of its text, if that was found when the parts of the group were chosen.
static void take_text_bound(const TrySearch *s, Try *try)
{
    if (!try->rough || s->text_s <= 0)
        return;
    try->least_s = MAX(try->least_s, try_search_round(s->text_s));
    try->bounded = TRUE;
}

// Adds a try with S segments under a model without forms.
static void add_blind(TrySearch *s, const Operation *op, const CollParams *par, double S)
{
    Try try = {.algorithm = s->algorithm,
               .par = *par,
               .messages = S * s->p,
               .parts = s->parts,
               .oddity = points_oddity(s->a, par),
               .number = s->number++};
    double least_s = s->a->shared ? shared_form_time(op, s->r->machine.platform) : blind_half(s, par, S);
    least_s = isnan(least_s) ? 0 : least_s;
    if (s->path)
        least_s = fmax(least_s, try_path_share * path_form_time(s->path, cut_bytes(s, par)));
    try.rough = !s->a->shared && least_s < s->enough_s;
    try.least_s = try_search_round(least_s * try_rounding);
    take_text_bound(s, &try);
    g_array_append_val(s->tries, try);
}

// Adds a try with the parameters `par`, which cut each part into S segments. Adds nothing if a need of the algorithm is
// not met, or if there are too many segments.
static void add_try(TrySearch *s, const SegmentCuts *x, const CollParams *par, double S)
{
    const Request *r = s->r;
    Point point = try_search_point(s, par);
    const Operation op = point_operation(r, &point);
    const double parts = x->form ? x->form->parts : 1;
    const int most = x->form ? MOST_MESSAGES : s->form.simulated ? ROUGH_MESSAGES : BLIND_MESSAGES;
    if (point.why || (S > 1 && S * parts * s->p > most))
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
                      ? fmax(try_estimate_share * segment_form_time(x->form, &s->plain, s->m, S), half_s)
                      : MAX(try_path_share * try_search_limit_bound(s, &op), half_s);
    if (s->path)
        least_s = fmax(least_s, try_path_share * path_form_time(s->path, cut_bytes(s, par)));
    Try try = {.algorithm = s->algorithm,
               .par = *par,
               .least_s = try_search_round(least_s),
               .by_form = by_form,
               .rough = !by_form && !(is_long && x->form && s->flat) && least_s < s->enough_s,
               .parts = s->parts,
               .long_text = !by_form && is_long && !(x->form && s->flat),
               .work = is_long ? S * parts * s->p : 0,
               .form = s->form,
               .oddity = points_oddity(s->a, par),
               .number = s->number++};
    take_text_bound(s, &try);
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
    try.least_s = try_search_round(try.least_s);
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

// Returns what is known of the time with S segments, in seconds: time_of(), or without a form the bound by chains of
// messages.
static double known_time(const TrySearch *s, const SegmentCuts *x, double S)
{
    const SegmentForm cuts = {.parts = s->form.parts};
    return x->form ? time_of(s, x, s->m, S)
                   : path_form_time(s->path, segment_form_bytes(&cuts, s->m, s->r->question.elem, (size_t)S));
}

// Returns the number of segments, 1 .. most, with the least known_time(). It is convex in this number, or nearly so; we
// bisect.
static double convex_best(const TrySearch *s, const SegmentCuts *x, double most)
{
    double low = 1;
    while (2 * low <= most && known_time(s, x, 2 * low) < known_time(s, x, low))
        low *= 2;
    double high = MIN(2 * low, floor(most));
    low = MAX(low / 2, 1);
    while (low < high) {
        const double mid = floor((low + high) / 2);
        if (known_time(s, x, mid + 1) < known_time(s, x, mid))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Adds tries near the best number of segments and near the best length. Only simulations know the form of some
// algorithms, and only about; on many ranks, where these take long, numbers that differ by so little are not told apart.
static void add_near(TrySearch *s, const SegmentCuts *x, double best)
{
    const size_t count = x->part / s->r->question.elem;
    if ((!x->form || (x->form->simulated && !x->form->linear)) && s->p > TRY_FEW_RANKS) {
        add_number(s, x, (int64_t)best);
        return;
    }
    for (int64_t i = 1 - NEAR; i <= NEAR; i++) {
        add_number(s, x, (int64_t)best + i);
        add_length(s, x, (int64_t)((double)count / best) + i);
    }
}

// Adds tries with as many numbers of segments in a row as a cycle of rounds has, the best one of rendezvous in their
// middle, if its form needs no simulation. Under eager-port, messages wait for each other at a port unless their order
// is a lucky one. Where rounds repeat, as in a circulant graph, one number of each cycle may make it so: on 320 ranks,
// bcast circulant takes 528 us with 35 segments of 2 MiB, and 841 us with 36 (lumi).
static void add_cycle(TrySearch *s, const SegmentCuts *x, double most)
{
    const Transfer transfer = s->r->machine.options.transfer;
    const int cycle = log2_ceil(s->p);
    SegmentForm calm;
    if (transfer != TRANSFER_EAGER_PORT || !s->flat ||
        segment_form_needs_run(&x->op, x->param, &s->plain, TRANSFER_RENDEZVOUS, &calm) ||
        !segment_form(&x->op, x->param, &s->plain, TRANSFER_RENDEZVOUS, &calm) || !calm.linear)
        return;
    const int64_t best = (int64_t)segment_form_best(&calm, &s->plain, s->m, most);
    for (int i = 0; i < cycle; i++)
        add_number(s, x, best - cycle / 2 + i);
}

// Adds tries near the best number of segments by the form, or by the chains of messages (skips_form). A form that is not
// linear is only an estimate. If it comes from a formula, which is cheap to evaluate at many numbers, tries near the
// best number by that formula are added too.
static void add_best_segments(TrySearch *s, const SegmentCuts *x)
{
    const size_t count = x->part / s->r->question.elem, feasible = (size_t)(MOST_MESSAGES / s->p / s->form.parts);
    const double most = (double)MAX(MIN(count, feasible), 1);
    if (x->form)
        add_near(s, x, segment_form_best(x->form, &s->plain, s->m, most));
    if (!x->form || (!x->form->linear && !x->form->simulated))
        add_near(s, x, convex_best(s, x, most));
    add_cycle(s, x, most);
}

// Adds tries near the length with the least estimate; on many ranks, where a run costs much, only that one, and what is
// near it is tried if it is among the fastest.
static void add_estimated(TrySearch *s, const SegmentCuts *x)
{
    CollParams par = x->op.c.par;
    estimates_best(s, &par);
    const size_t best = (size_t)param_get(x->param, &par), some[] = {best, best / 2, 2 * best, best / 4, 4 * best},
                 n = s->p > TRY_FEW_RANKS ? 1 : G_N_ELEMENTS(some);
    for (size_t i = 0; i < n; i++)
        if (some[i] >= s->r->question.elem)
            add_segment(s, x, some[i]);
}

// Adds tries without segments, near the best number of segments, with few segments, and with lengths of the element
// times a power of two. If the request sets the length, this is the only try.
static void add_segments(TrySearch *s, const SegmentCuts *x)
{
    if (try_is_given(&s->r->question, x->param)) {
        add_segment(s, x, (size_t)param_get(x->param, &x->op.c.par));
        return;
    }
    if (estimates_know(s)) {
        add_estimated(s, x);
        return;
    }
    add_segment(s, x, 0);
    // What is cut may be more than a part is expected to be, as where blocks travel together, so the default may be
    // long.
    add_segment(s, x, (size_t)x->param->def);
    if ((x->form || x->by_path) && x->part > 0)
        add_best_segments(s, x);
    for (int S = 2; S <= FEW; S++)
        add_number(s, x, S);
    for (size_t segment = s->r->question.elem; segment < x->part; segment *= 2)
        add_segment(s, x, segment);
    if (s->a->shared && x->part > 0)
        add_segment(s, x, x->part);
}

// Finds the form of a group's times, which an earlier search may have found. Returns FALSE if none is known.
static gboolean find_form(TrySearch *s, const SegmentCuts *x)
{
    const Request *r = s->r;
    const KnownRun run = {s->a, x->op.c.par, s->p, s->per_node, s->m, r->question.elem, r->question.root};
    KnownForm found;
    if (!r->known || !known_find_form(r->known, &run, &found)) {
        found.good = segment_form(&x->op, x->param, &s->plain, r->machine.options.transfer, &found.form);
        if (r->known)
            known_add_form(r->known, &run, &found);
    }
    s->form = found.form;
    return found.good;
}

// Returns TRUE if the form would take simulations of so many ranks that they cost more than the runs that the form would
// save, and chains of messages say as well which segments to try. Sets s->form to what is known without it.
static gboolean skips_form(TrySearch *s, const SegmentCuts *x)
{
    SegmentForm form;
    if (s->flat || !s->path || s->p <= TRY_FEW_RANKS ||
        !segment_form_needs_run(&x->op, x->param, &s->plain, s->r->machine.options.transfer, &form))
        return FALSE;
    s->form = form;
    return TRUE;
}

static gboolean is_odder(const Try *x, const Try *y)
{
    return x->oddity != y->oddity ? x->oddity > y->oddity : x->number > y->number;
}

// Returns the fingerprint of the text of the root, with the parameters of a try.
static TextPrint print_of(const TrySearch *s, const Try *try)
{
    const Operation op = try_search_operation(s, &try->par);
    return text_print(&op, 1, &op.c.root);
}

// Returns TRUE if several tries of the group may have the same text, and one rank's shows it: the parameter is a limit
// rather than a length of segments, and no form says what the tries take.
static gboolean may_be_alike(const TrySearch *s, const SegmentCuts *x)
{
    return x->param && !segment_is_length(x->param) && s->tries->len > x->first + 1 && !s->flat &&
           s->a->same_as == same_always && s->p > TRY_FEW_RANKS;
}

// Leaves out all but one of the tries from index x->first on whose texts are the same, as where no block is as long as
// any of several limits. All ranks do what the root does, relative to themselves, so their times are the same, too.
static void leave_out_alike(TrySearch *s, const SegmentCuts *x)
{
    const guint n = s->tries->len - x->first;
    g_autofree TextPrint *print = g_new(TextPrint, n);
    guint kept = 0;
    for (guint i = 0; i < n; i++) {
        Try *at = &g_array_index(s->tries, Try, x->first), *try = at + i;
        // Uneven tries have a range of lengths, and are like no other.
        const TextPrint one = try->longest > 0 ? (TextPrint){{(uint64_t)try->number, 0}} : print_of(s, try);
        guint k = 0;
        while (k < kept && memcmp(&print[k], &one, sizeof one) != 0)
            k++;
        const int alike = k < kept ? at[k].alike + 1 : 0;
        print[k] = one;
        if (k == kept || is_odder(&at[k], try))
            at[k] = *try;
        at[k].alike = alike;
        kept = MAX(kept, k + 1);
    }
    g_array_set_size(s->tries, x->first + kept);
}

void try_segments_add(TrySearch *s, const CollParams *par, gboolean alone)
{
    const gboolean rows = estimates_know(s) && algorithm_param(s->a, "group"); // they share out the message
    const SegmentForm whole = {.parts = rows ? par->chains : 1};
    SegmentCuts x = {try_search_operation(s, par), try_segment_param(s->a), .first = s->tries->len};
    s->form = whole;
    // The form says which segments to try. Where the defaults are the only ones, it would take longer than the run.
    const gboolean given = x.param && s->r->question.defaults, cuts = x.param && (!alone || s->r->library.only);
    g_autoptr(PathForm) path = NULL;
    if (!s->flat && !s->a->shared && x.param && !given)
        path = try_search_path(s, &x.op, x.param);
    s->path = path;
    if (!s->blind && !given && (s->flat || cuts)) {
        x.by_path = cuts && skips_form(s, &x);
        if (!x.by_path && find_form(s, &x))
            x.form = &s->form;
    }
    x.part = segment_form_bytes(x.form || x.by_path ? &s->form : &whole, s->m, s->r->question.elem, 1);
    if (x.param && alone)
        add_segment(s, &x, (size_t)param_get(x.param, par));
    else if (x.param)
        add_segments(s, &x);
    else
        add_try(s, &x, par, 1);
    if (may_be_alike(s, &x))
        leave_out_alike(s, &x);
}
