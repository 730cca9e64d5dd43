#include "judge/audit/judge.h"
#include "search/form/bounds.h"
#include "base/error.h"
#include <math.h>

const char *const verdict_names[] = {"exact",    "exact for a class",           "loose",   "right order", "wrong",
                                     "measured", "measured; not by this model", "in part", "no claim"};

static const Sample *sample(const Truth *t, guint i)
{
    return &g_array_index(t->samples, Sample, i);
}

// ---- What is claimed ------------------------------------------------------------------------------------------------

// Sets *value to what is claimed for a part at the point that claim_point set. Returns FALSE and an error if a claim in
// costs is not twice as much where the costs are twice as high: its coefficients do not describe it then.
static gboolean take_value(const Claim *c, int part, double *values, double *value, GError **error)
{
    double cost[SAMPLE_PARTS] = {0};
    claim_costs_at(c->costs, c->left_out, part, cost);
    *value = claim_value(c, cost, values);
    for (int i = 0; i < SAMPLE_PARTS; i++)
        cost[i] *= 2;
    const double twice = claim_value(c, cost, values);
    if (!claim_is_cost(c) || !isfinite(*value) || same_value(twice, 2 * *value))
        return TRUE;
    return bad_input(error, "%s: the claim is %g, but %g where costs are twice as high; allowed: terms with one cost",
                     c->id, *value, twice);
}

gboolean claimed_take(const Claim *c, const Truth *t, Claimed *claimed, GError **error)
{
    const CostNames *names = &cost_models[c->costs];
    const int n = names->n;
    const guint samples = t->samples->len;
    *claimed = (Claimed){g_new0(double, samples *(guint)(n + SAMPLE_MIXED)), g_new0(bool, samples), n};
    for (guint i = 0; i < samples; i++) {
        const Sample *s = sample(t, i);
        double values[MAX_SYMBOLS], *x = claimed_at(claimed, i);
        claim_point(c, s, &t->par[i], values);
        for (int j = 0; j < 3 && c->quantity == QUANTITY_CROSSOVER; j++)
            values[SYMBOL_ALPHA + j] = t->figure[j];
        if (!(claimed->covered[i] = claim_covers(c, values)))
            continue;
        for (int part = 0; part < n + SAMPLE_MIXED; part++)
            if (!take_value(c, part, values, &x[part], error))
                return FALSE;
    }
    return TRUE;
}

void claimed_clear(Claimed *claimed)
{
    g_free(claimed->value);
    g_free(claimed->covered);
}

// ---- Point by point -------------------------------------------------------------------------------------------------

typedef struct JudgeCase {
    const Claim *c;
    const Truth *t;
    const Claimed *claimed;
    int refine;
    bool one_rank_count; // true if the claim is about one p only
    int n;               // how many values to judge: the parts, and for a cost or a bandwidth those at mixed costs
} JudgeCase;

static double value_at(const JudgeCase *x, guint i, int part)
{
    return claimed_at(x->claimed, i)[part];
}

// Returns true if the claim is judged by the value `part`, which is below x->n. It is not if it leaves this cost out on
// purpose (`without`).
static bool judged(const JudgeCase *x, int part)
{
    return part >= x->claimed->n_parts || !x->c->left_out[part];
}

static double true_at(const JudgeCase *x, guint i, int part)
{
    const Sample *s = sample(x->t, i);
    const int mixed = part - x->claimed->n_parts;
    return mixed < 0 ? s->part[part] : s->mixed[mixed];
}

bool claim_fails(ClaimKind as, double claimed, double truth)
{
    if (same_value(claimed, truth))
        return false;
    if (isnan(claimed))
        return true;
    return as == CLAIM_UPPER   ? claimed < truth
           : as == CLAIM_LOWER ? claimed > truth
                               : as != CLAIM_ORDER || isinf(claimed) != isinf(truth);
}

// Returns true if the claim says only that the truth is not above or not below it.
static bool is_bound(ClaimKind as)
{
    return as == CLAIM_UPPER || as == CLAIM_LOWER;
}

static bool equal_at(const JudgeCase *x, guint i, int part)
{
    return same_value(value_at(x, i, part), true_at(x, i, part));
}

// Returns true if the claim is equal to the truth at sample i.
static bool holds(const JudgeCase *x, guint i)
{
    for (int part = 0; part < x->n; part++)
        if (judged(x, part) && !equal_at(x, i, part))
            return false;
    return true;
}

// Returns the class with the most points among those where the claim is right at all points, ok[i]; NULL if there is
// none. Unless it is the class of all points, it must have at least 3 values of p: fewer may be right by chance.
static const SampleClass *exact_class(const JudgeCase *x, const bool *ok)
{
    const SampleClass *largest = NULL;
    guint most = 0;
    for (size_t k = 0; k < n_sample_classes; k++) {
        guint members = 0, right = 0;
        int last = 0, ranks = 0;
        for (guint i = 0; i < x->t->samples->len; i++) {
            const Sample *s = sample(x->t, i);
            if (!x->claimed->covered[i] || !sample_classes[k].has(s))
                continue;
            members++;
            right += ok[i];
            ranks += s->p != last;
            last = s->p;
        }
        if (members == right && members > most && (k == 0 || ranks >= 3)) {
            largest = &sample_classes[k];
            most = members;
        }
    }
    return largest;
}

// ---- As p grows -----------------------------------------------------------------------------------------------------

static const double unknown = -1;

// Returns claimed / true of a part at the point of a family at p. A negative claim counts as 0. The ratio is 1 if both
// values are equal, even if they are 0, and INFINITY if only the truth is 0. Returns `unknown` if the grid has no point
// there, or if the claim is not about it.
static double ratio_at(const JudgeCase *x, int part, int family, int p)
{
    for (guint i = 0; i < x->t->samples->len; i++) {
        const Sample *s = sample(x->t, i);
        if (s->p == p && s->family == family && x->claimed->covered[i]) {
            const double claimed = value_at(x, i, part), truth = true_at(x, i, part);
            return truth == claimed ? 1 : truth == 0 ? INFINITY : MAX(claimed, 0) / truth;
        }
    }
    return unknown;
}

// Returns true if three ratios, at p, about 8 p and about 64 p, show growth without bound.
//
// A ratio that approaches a limit slows down, but even the logarithm, the slowest growth that we expect, gains as much
// in the second step as in the first. So the second gain must be at least 0.7 of the first. A ratio that goes up and
// down with the digits of p has gained little by the end, so r[2] must be well above r[0] and r[1]. Examples: 1, 1.5, 2
// grows without bound; 1, 1.5, 1.6 does not.
static bool grows(const double *r)
{
    if (isinf(r[1]) && isinf(r[2]))
        return true;
    return r[2] > 1 && r[1] >= r[0] && r[2] >= 1.15 * r[1] && r[2] >= 1.3 * r[0] && r[2] - r[1] >= 0.7 * (r[1] - r[0]);
}

// Sets p[] and ratio[] to three points of a family, the largest that the claim is about, at which growth shows. Returns
// false if it is not about three such points.
static bool tail_of(const JudgeCase *x, int part, int family, int tail, int *p, double *ratio)
{
    for (int refine = x->refine; refine > 0; refine--) {
        int known = 0;
        for (int i = 0; i < TAIL; i++) {
            p[i] = claim_grid_tail_ranks(tail, i, refine);
            ratio[i] = ratio_at(x, part, family, p[i]);
            known += ratio[i] != unknown;
        }
        if (known == TAIL)
            return true;
    }
    return false;
}

// Returns true if the claim is about points at which growth without bound would show.
static bool shows_growth(const JudgeCase *x)
{
    Trend t;
    for (int family = 0; family < x->t->families; family++)
        for (int tail = 0; tail < TAILS; tail++)
            if (tail_of(x, 0, family, tail, t.p, t.ratio))
                return true;
    return false;
}

// Looks for a family and a sequence of p along which claimed / true of a part, or its inverse, grows without bound, so
// that the claim is wrong: an upper bound may grow without bound above the truth, and a lower bound may fall without
// bound below it. Returns true and sets `why` and `trend` of the verdict if there is one.
static bool trend_of(const JudgeCase *x, ClaimKind as, int part, Verdict *v)
{
    for (int family = 0; family < x->t->families; family++)
        for (int tail = 0; tail < TAILS; tail++) {
            Trend t = {.family = family};
            double down[TAIL];
            if (!tail_of(x, part, family, tail, t.p, t.ratio))
                continue;
            for (int i = 0; i < TAIL; i++)
                down[i] = t.ratio[i] == 0 ? INFINITY : 1 / t.ratio[i];
            if ((as == CLAIM_LOWER || !grows(down)) && (as == CLAIM_UPPER || !grows(t.ratio)))
                continue;
            v->why = grows(t.ratio) ? WRONG_UNBOUNDED : WRONG_TO_ZERO;
            v->trend = t;
            return true;
        }
    return false;
}

// ---- The verdict ----------------------------------------------------------------------------------------------------

// Returns true if the claimed coefficient at sample i is below the lower bound of the collective. Only times under
// hockney have a bound.
static bool below_bound(const JudgeCase *x, guint i, int part)
{
    if (x->c->costs != COSTS_HOCKNEY || x->c->quantity != QUANTITY_TIME || part >= x->claimed->n_parts)
        return false;
    const Sample *s = sample(x->t, i);
    const Bounds b = bounds_lower(x->c->collective, s->p, s->m);
    const double bound = part == 0 ? b.rounds : part == 1 ? b.bytes : b.work, claimed = value_at(x, i, part);
    return claimed < bound && !same_value(claimed, bound);
}

// Returns the smallest counterexample of the claim read as `as`: the index of the first sample at which it fails in the
// part or, if part < 0, in any part. If the verdict is that the claim is below the lower bound, it is the first sample
// at which this is so. The samples are sorted by p, then m. Returns -1 if there is none.
static int first_failure(const JudgeCase *x, ClaimKind as, int part, bool bound)
{
    for (guint i = 0; i < x->t->samples->len; i++)
        for (int k = part < 0 ? 0 : part; x->claimed->covered[i] && k < (part < 0 ? x->n : part + 1); k++)
            if (judged(x, k) && claim_fails(as, value_at(x, i, k), true_at(x, i, k)) &&
                (!bound || below_bound(x, i, k)))
                return (int)i;
    return -1;
}

// Looks for a trend in all judged values, and returns true if it finds one that makes the claim wrong.
static bool any_trend(const JudgeCase *x, ClaimKind as, Verdict *v)
{
    for (int part = 0; part < x->n; part++)
        if (judged(x, part) && trend_of(x, as, part, v)) {
            v->part = part;
            return true;
        }
    return false;
}

// Returns true if the claimed value can be a cost. An order may be negative, because it may hold only from some p on.
static bool is_cost(double claimed, ClaimKind as)
{
    return !isnan(claimed) && (claimed >= 0 || as == CLAIM_ORDER);
}

// Returns true if a claimed bandwidth is not proportional to B: at B = 3 it is not 3 times what it is at B = 1.
static bool not_proportional_to_B(const JudgeCase *x)
{
    for (guint i = 0; i < x->t->samples->len; i++)
        if (x->claimed->covered[i] &&
            !same_value(cost_models[COSTS_NONE].mixed[0][0] * value_at(x, i, 0), value_at(x, i, 1)))
            return true;
    return false;
}

// Looks for a reason why the claim, read as `as`, is wrong: first a trend, then a sample. WRONG_VALUE is the reason if
// a claim about one p differs there, if the claim is not a cost at all (NAN,
// or negative unless it is an order), or if only one of claim and truth is infinite. Sets `why` and
// `part` of the verdict if it returns true.
static bool find_wrong(const JudgeCase *x, ClaimKind as, Verdict *v)
{
    if (any_trend(x, as, v))
        return true;
    v->part = 0;
    v->why = WRONG_VALUE;
    if (x->c->quantity == QUANTITY_BANDWIDTH && not_proportional_to_B(x)) {
        v->why = WRONG_NOT_PROPORTIONAL;
        return true;
    }
    for (guint i = 0; i < x->t->samples->len; i++)
        for (int part = 0; part < x->n; part++) {
            v->part = part;
            const double claimed = value_at(x, i, part), truth = true_at(x, i, part);
            const bool bounded = is_bound(as) && !claim_fails(as, claimed, truth);
            if (!x->claimed->covered[i] || !judged(x, part) || same_value(claimed, truth) || bounded)
                continue;
            v->why = WRONG_VALUE;
            if ((x->one_rank_count && !is_bound(as)) || !is_cost(claimed, as) || isinf(claimed) != isinf(truth))
                return true;
            v->why = WRONG_BELOW_BOUND;
            if (as != CLAIM_ORDER && below_bound(x, i, part))
                return true;
            v->why = as == CLAIM_UPPER ? WRONG_BELOW_TRUTH : WRONG_ABOVE_TRUTH;
            if (is_bound(as))
                return true;
        }
    return false;
}

// Sets constant, too_low, too_high and no_factor of the verdict, from all samples and judged values in which claim and truth
// differ.
static void worst_factor(const JudgeCase *x, ClaimKind as, Verdict *v)
{
    v->constant = 1;
    for (guint i = 0; i < x->t->samples->len; i++)
        for (int part = 0; part < x->n; part++) {
            const double claimed = value_at(x, i, part), truth = true_at(x, i, part);
            if (!x->claimed->covered[i] || !judged(x, part) || same_value(claimed, truth))
                continue;
            v->too_low |= as != CLAIM_LOWER && claimed < truth;
            v->too_high |= as == CLAIM_LOWER && claimed > truth;
            const bool both = claimed > 0 && truth > 0 && isfinite(claimed) && isfinite(truth);
            const double factor = both ? MAX(claimed / truth, truth / claimed) : 1;
            v->no_factor |= !both;
            v->constant = MAX(v->constant, factor);
        }
}

// Returns true if the claim is right at some sample that it is about.
static bool any_equal(const bool *ok, const JudgeCase *x)
{
    for (guint i = 0; i < x->t->samples->len; i++)
        if (x->claimed->covered[i] && ok[i])
            return true;
    return false;
}

Verdict verdict_of(const Claim *c, ClaimKind as, const Truth *t, const Claimed *claimed, int refine)
{
    JudgeCase x = {c, t, claimed, refine, true, 1};
    if (claim_is_cost(c) || c->quantity == QUANTITY_BANDWIDTH)
        x.n = claimed->n_parts + SAMPLE_MIXED;
    Verdict v = {.kind = VERDICT_NONE, .at = -1};
    g_autofree bool *ok = g_new0(bool, t->samples->len);
    guint covered = 0;
    int ranks = 0;
    for (guint i = 0; i < t->samples->len; i++) {
        ok[i] = claimed->covered[i] && holds(&x, i);
        if (!claimed->covered[i])
            continue;
        x.one_rank_count &= covered == 0 || ranks == sample(t, i)->p;
        ranks = sample(t, i)->p;
        covered++;
    }
    if (covered == 0 || (as == CLAIM_ORDER && !shows_growth(&x)))
        return v;
    if (as != CLAIM_ORDER && (v.of = exact_class(&x, ok))) {
        v.kind = v.of == sample_classes ? VERDICT_EXACT : VERDICT_CLASS;
        v.at = first_failure(&x, as, -1, false);
        worst_factor(&x, as, &v);
        v.else_wrong = v.kind == VERDICT_CLASS && any_trend(&x, as, &v);
        return v;
    }
    if (find_wrong(&x, as, &v)) {
        v.kind = VERDICT_WRONG;
        v.at = first_failure(&x, as, v.part, v.why == WRONG_BELOW_BOUND);
        v.at = v.at < 0 ? first_failure(&x, as, -1, false) : v.at;
        return v;
    }
    worst_factor(&x, as, &v);
    v.at = first_failure(&x, as, -1, false);
    const bool never = is_bound(as) || (!v.too_low && !any_equal(ok, &x));
    v.kind = as != CLAIM_ORDER && never ? VERDICT_LOOSE : VERDICT_ORDER;
    if (v.kind == VERDICT_ORDER && !shows_growth(&x)) { // the claim is an equality, so it differs at some sample
        v.kind = VERDICT_WRONG;
        v.why = WRONG_VALUE;
        for (v.part = 0; !judged(&x, v.part) || equal_at(&x, (guint)v.at, v.part);)
            v.part++;
    }
    return v;
}

char *verdict_text(const Verdict *v, const char *const *parts)
{
    static const char *const whys[] = {"claimed/true grows without bound as p grows",
                                       "claimed/true tends to 0 as p grows",
                                       "the claim is below the lower bound",
                                       "the claim is below the truth",
                                       "the claim is above the truth",
                                       "the claim is not proportional to B",
                                       "the value is different"};
    const char *part = v->part < SAMPLE_PARTS && parts[v->part] ? parts[v->part] : "T", *in = *part ? "in " : "",
               *comma = *part ? ", " : "";
    const char *low = v->too_low ? ", sometimes too low" : v->too_high ? ", sometimes too high" : "";
    switch (v->kind) {
    case VERDICT_CLASS:
        return v->else_wrong
                   ? g_strdup_printf("exact for %s, else wrong: %s%s%s%s", v->of->name, in, part, comma, whys[v->why])
               : v->no_factor
                   ? g_strdup_printf("exact for %s, else not within any factor", v->of->name)
                   : g_strdup_printf("exact for %s, else within a factor of %.3g%s", v->of->name, v->constant, low);
    case VERDICT_ORDER:
        return g_strdup_printf("right order, constant %.3g%s", v->constant, low);
    case VERDICT_WRONG:
        return g_strdup_printf("wrong: %s%s%s%s", in, part, comma, whys[v->why]);
    default:
        return g_strdup(verdict_names[v->kind]);
    }
}
