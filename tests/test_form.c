// The search for the formula that fits: a formula that it finds on a grid also holds beyond the grid and at other
// costs; it finds every formula of its grammar; and it finds none for noise.
#include "judge/audit/form.h"
#include "judge/audit/grammar.h"
#include "judge/audit/truth.h"
#include "search/form/closed_form.h"
#include "engine/schedule/record.h"
#include "engine/replay/replay.h"
#include "only.h"
#include "tap.h"
#include "registry/composition.h"
#include "api/integers.h"
#include "api/make.h"
#include <string.h>

static const char *const names[] = {"p", "m", "S", "k", "alpha", "beta", "gamma", NULL};
enum { HOCKNEY = 3 };
static const bool none[HOCKNEY] = {false}; // no cost is left out

static FormCosts hockney_costs(void)
{
    const CostNames *x = &cost_models[COSTS_HOCKNEY];
    return (FormCosts){x->n, x->name, x->bytes, x->mixed};
}

static double value_at(const Expression *e, const Sample *s, const double *cost)
{
    return expression_value(e, (const double[]){s->p, s->m, s->S, s->k, cost[0], cost[1], cost[2]});
}

// Sets the sample's values to those of the formula.
static void fill(Sample *s, const Expression *e)
{
    for (int i = 0; i < HOCKNEY + SAMPLE_MIXED; i++) {
        double cost[SAMPLE_PARTS];
        claim_costs_at(COSTS_HOCKNEY, none, i, cost);
        *(i < HOCKNEY ? &s->part[i] : &s->mixed[i - HOCKNEY]) = value_at(e, s, cost);
    }
}

// Returns the form of the first class that contains the sample, or NULL if no class does. A last form without a class
// is that of all points that are left.
static const Form *form_at(const GArray *forms, const Sample *s)
{
    for (guint i = 0; i < forms->len; i++) {
        const Form *f = &g_array_index(forms, Form, i);
        if (!f->points->has || f->points->has(s))
            return f;
    }
    return NULL;
}

// Reads the formula, and fails unless it is written as a person would write it, without parts that change nothing.
static Expression *read_canonical(const char *text)
{
    static const char *const redundant[] = {
        "(^|[^0-9.])1\\*",                             // 1*p
        "[*/^]1($|[^0-9])",                            // p/1
        "(^|[-+*/( ])0($|[^0-9.])",                    // p+0
        "[-+] ?[-+]",                                  // p+-1
        "(^|[-+*/( ])\\([A-Za-z0-9]+\\)",              // (p)
        "\\(\\(([^()]|\\([^()]*\\))*\\)\\)",           // ((p-1))
        "(^|[-+(])([0-9]+)/\\2($|[^0-9^])",            // 2/2
        "(^|[-+*( ])[0-9]*[02468]/2($|[^0-9^])",       // 4/2
        "(^|[-+( ])([a-z][a-z0-9]*)[-+]\\2($|[-+) ])", // p+p
    };
    g_autoptr(GError) error = NULL;
    Expression *e = expression_new("form", text, names, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < G_N_ELEMENTS(redundant); i++)
        if (strcmp(text, "0") != 0 && g_regex_match_simple(redundant[i], text, 0, 0))
            g_error("%s: has a redundant part (%s)", text, redundant[i]);
    return e;
}

// ---- Beyond the grid ------------------------------------------------------------------------------------------------

// Returns a claim with this text about the algorithm; free with claim_free. S and k vary if the text names them.
static Claim *claim_of(const CollAlgorithm *a, const char *text, const char *where)
{
    Claim *c = g_new0(Claim, 1);
    char **const texts[] = {&c->source, &c->place, &c->params, &c->let, &c->without, &c->truth, &c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i] = g_strdup("");
    c->id = g_strdup(a->name);
    c->text = g_strdup(text);
    c->where = g_strdup(where);
    c->collective = a->collective;
    c->algorithm = a;
    c->par = algorithm_defaults(a);
    g_autoptr(GError) error = NULL;
    claim_prepare(c, &error);
    g_assert_no_error(error);
    return c;
}

// Returns the schedule at the sample's point; free with schedule_free. Returns NULL if a fallback runs there, if a segment
// whose size is fixed cuts what the grid's samples had in one piece (S = 1), or if the schedule has more messages than
// the test has time for.
static Schedule *schedule_at(const Claim *claim, const Sample *s)
{
    const CollAlgorithm *a = claim->algorithm;
    const CollParam *segment = claim_segment_param(a);
    const int64_t fixed = segment && !claim->varies_S ? param_get(segment, &claim->par) : 0;
    if (fixed > 0 && s->m > (double)fixed)
        return NULL;
    const char *why;
    Coll all = {.p = s->p, .elem = 1, .commutative = true, .par = claim->par};
    if (claim->varies_S)
        param_set(segment, &all.par, s->S == 1 ? 0 : (int64_t)(s->m / s->S));
    if (claim->varies_k)
        param_set(claim_k_param(a), &all.par, (int64_t)s->k);
    Coll c = coll_make(a->collective, &all, 0, (size_t)s->m, NULL);
    if (coll_resolve(a, &c, &why) != a)
        return NULL;
    Schedule *schedule = schedule_record(&(Operation){a, c, (size_t)s->m}, NULL);
    if (schedule_totals(schedule).messages < (g_test_thorough() ? 300000 : 3000))
        return schedule;
    schedule_free(schedule);
    return NULL;
}

static double whole_time(const Schedule *s, const double *cost)
{
    const Hockney h = {cost[0], cost[1], cost[2], TRANSFER_RENDEZVOUS};
    Replay *r = replay(s, &h, &(ReplayOptions){0}, NULL);
    g_assert_nonnull(r);
    const Certificate t = r->certificate;
    replay_free(r);
    return cost[0] * (double)t.alpha + cost[1] * (double)t.beta + cost[2] * (double)t.gamma;
}

// Fails unless the form gives the simulated time at this point. Four costs are enough for a form without max(): T is
// convex in the costs, so a sum that equals T at each cost alone and at one point where no cost is 0 equals T
// everywhere. A form with max() is compared at more costs than those at which it was found. Returns false if nothing is
// simulated at the point.
static bool check_point(const Claim *c, const Form *f, const Sample *s)
{
    static const double costs[][HOCKNEY] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},     {7, 3, 1},   {1, 1, 1},
                                            {1, 1, 5}, {0, 1, 2}, {1000, 1, 30}, {1000, 3, 2}};
    Schedule *schedule = schedule_at(c, s);
    if (!schedule)
        return false;
    g_autoptr(Expression) e = read_canonical(f->text);
    const size_t n = strstr(f->text, "max(alpha") || g_test_thorough() ? G_N_ELEMENTS(costs) : 4;
    for (size_t i = 0; i < n; i++) {
        const double value = value_at(e, s, costs[i]), truth = whole_time(schedule, costs[i]);
        if (!same_value(value, truth))
            g_error("%s %s, %s: %s is %.15g, but T is %.15g: p=%d m=%g S=%g k=%g alpha=%g beta=%g gamma=%g",
                    collectives[c->collective].name, c->algorithm->name, f->points->name, f->text, value, truth, s->p,
                    s->m, s->S, s->k, costs[i][0], costs[i][1], costs[i][2]);
    }
    schedule_free(schedule);
    return true;
}

// None of these p is on a grid, except 2, 65 and 129 on the full one, where other sizes are used.
static const int beyond[] = {2, 34, 35, 36, 37, 38, 39, 40, 63, 65, 81, 96, 125, 129, 200, 255, 256, 257, 511, 512};

// Checks the forms at points beyond the grid, and returns the number of points that were compared.
static int check_beyond(const Claim *c, const GArray *forms)
{
    static const int segments[] = {1, 3, 5, 8}, ks[] = {1, 2, 3, 4, 5, 6, 7, 16};
    const CollParam *k = claim_k_param(c->algorithm);
    int checked = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(beyond); i++)
        for (size_t j = 0; j < (c->varies_S ? G_N_ELEMENTS(segments) : 1); j++)
            for (size_t x = 0; x < (c->varies_k ? G_N_ELEMENTS(ks) : 1); x++) {
                const int p = beyond[i];
                Sample s = {.p = p, .S = segments[j], .k = 1};
                if (k && (i % 3 == 0 || g_test_thorough()))
                    s.k = c->varies_k ? ks[x] : (double)param_get(k, &c->par);
                if (c->varies_k && (s.k < (double)k->min || s.k > (k->min == 2 ? p : p - 1)))
                    continue;
                s.m = c->collective == COLL_BARRIER ? 0 : 10 * p * pow2_floor(p) * s.S;
                const Form *f = form_at(forms, &s);
                checked += f && f->text && check_point(c, f, &s);
            }
    return checked;
}

// Counts algorithms by how far the search found forms.
typedef struct Found {
    int all;     // one form for all points
    int classes; // several classes of points, each with a form
    int some;    // several classes, some of them without a form
    int none;    // no form at all
} Found;

// Returns true if a cost is of a kind that no form has: the time of other ranks or of another algorithm, or a maximum, as
// where reductions or messages run beside messages.
static bool beyond_forms(const char *cost)
{
    return strstr(cost, "max(") || strstr(cost, "min(") || strstr(cost, "recurrence") || strstr(cost, "rank by rank") ||
           strstr(cost, "T_");
}

static void count(Found *found, const GArray *forms)
{
    guint texts = 0;
    for (guint i = 0; i < forms->len; i++)
        texts += g_array_index(forms, Form, i).text != NULL;
    found->all += forms->len == 1 && texts == 1;
    found->classes += forms->len > 1 && texts == forms->len;
    found->some += texts > 0 && texts < forms->len;
    found->none += texts == 0;
}

// Searches the forms of one algorithm, counts what is found, and checks it beyond the grid. An algorithm that needs
// nodes runs at no point of the grid and is skipped.
static void check_claim(const CollAlgorithm *a, const char *text, Found *found)
{
    static const Platform platform = {.name = NULL};
    g_autoptr(Claim) c = claim_of(a, text, g_test_thorough() ? "" : "p <= 33 || p == 64 || p == 127 || p == 128");
    g_autoptr(GError) error = NULL;
    g_autoptr(Truth) t = truth_new(c, &(TruthOptions){.refine = 1, .platform = &platform}, &error);
    if (!t) {
        g_assert_nonnull(strstr(error->message, "runs at no point of the grid: needs nodes of several ranks"));
        return;
    }
    const FormCosts costs = hockney_costs();
    g_autoptr(GArray) forms = form_find_all(&costs, &g_array_index(t->samples, Sample, 0), t->samples->len);
    if (claim_limit_param(a)) { // no form holds on both sides of a limit
        for (guint i = 0; i < forms->len; i++)
            g_assert_null(g_array_index(forms, Form, i).text);
        return;
    }
    count(found, forms);
    bool any = false;
    for (guint i = 0; i < forms->len; i++) {
        const Form *f = &g_array_index(forms, Form, i);
        any |= f->text != NULL;
        g_assert_true(!f->text || (f->fitted > 0 && f->verified > f->fitted));
        g_test_message("%s %s, %s: %s", collectives[a->collective].name, a->name, f->points->name,
                       f->text ? f->text : "none");
    }
    g_assert_true(any || beyond_forms(a->cost));
    const int checked = check_beyond(c, forms);
    g_test_message("right at %d other points", checked);
    g_assert_true(!any || checked > 0);
}

// Every algorithm with its default parameters; every second one also with k varying. With -m thorough, all of them with
// S and k varying.
static void test_registry(void)
{
    Found defaults = {0}, others = {0};
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        const bool S = claim_segment_param(a), k = claim_k_param(a);
        if (a->shared || !a->formula)
            continue;
        check_claim(a, "alpha", &defaults);
        if (k && (i % 2 == 0 || g_test_thorough()))
            check_claim(a, "k*alpha", &others);
        if (S && g_test_thorough())
            check_claim(a, "S*alpha", &others);
        if (S && k && g_test_thorough())
            check_claim(a, "S*k*alpha", &others);
    }
    g_test_message("with the defaults, one form: %d, a form for each class: %d, for some classes: %d, no form: %d",
                   defaults.all, defaults.classes, defaults.some, defaults.none);
    if (only_one())
        return;
    g_assert_cmpint(defaults.all, >=, 90);
    g_assert_cmpint(defaults.none, <=, 31); // whose costs are beyond_forms()
    g_assert_cmpint(others.none, <=, 2);
}

// ---- Known formulas -------------------------------------------------------------------------------------------------

// Returns points with the p of the grid of claims, or with `others` 30 p between them; k, if it varies, takes values of
// a radix. Free with g_array_unref.
static GArray *points_of(bool with_k, bool others)
{
    static const int far[] = {64, 65, 100, 127, 128, 129, 1000, 1023, 1024, 1025}, ks[] = {2, 3, 4, 8},
                     k2[] = {5, 6, 7};
    GArray *points = g_array_new(FALSE, TRUE, sizeof(Sample));
    const int *k = others ? k2 : ks, n_k = !with_k ? 1 : (int)(others ? G_N_ELEMENTS(k2) : G_N_ELEMENTS(ks));
    for (int i = others ? 34 : 2; i < (others ? 64 : 34 + (int)G_N_ELEMENTS(far)); i++)
        for (int j = 0; j < n_k; j++) {
            const int p = others || i < 34 ? i : far[i - 34];
            const Sample s = {.p = p, .m = 4. * p * (i + 1), .S = 1, .k = with_k ? k[j] : 1};
            if (s.k < p)
                g_array_append_val(points, s);
        }
    return points;
}

// Returns a random sum or difference of one to three terms of the grammar; free with g_free. Fractions are not
// subtracted, because some differences would be 0 up to rounding.
static char *random_sum(GRand *rand, bool with_k)
{
    GString *text = g_string_new(NULL);
    const bool minus = g_rand_boolean(rand);
    for (int left = g_rand_int_range(rand, 1, 4); left > 0;) {
        const Atom *a = &atoms[g_rand_int_range(rand, 0, n_atoms)];
        const bool has_k = g_regex_match_simple("\\bk\\b", a->over, 0, 0) || g_strcmp0(a->under, "k") == 0;
        if (a->whole || (has_k && !with_k) || (a->under && minus))
            continue;
        const char *sign = !text->len ? "" : minus ? " - " : " + ";
        g_string_append_printf(text, "%s%d*%s%s%s", sign, g_rand_int_range(rand, 1, 6), a->over, a->under ? "/" : "",
                               a->under ? a->under : "");
        left--;
    }
    return g_string_free(text, FALSE);
}

// Makes points from a random formula, and fails unless the search finds a formula with the same values at other points.
static void check_known(GRand *rand, bool with_k)
{
    g_autofree char *alpha = random_sum(rand, with_k), *beta = random_sum(rand, with_k),
                    *gamma = random_sum(rand, with_k);
    g_autofree char *text = g_strdup_printf("(%s)*alpha + (%s)*m*beta + (%s)*m*gamma", alpha, beta, gamma);
    g_autoptr(Expression) known = expression_new("known", text, names, NULL);
    g_assert_nonnull(known);
    g_autoptr(GArray) points = points_of(with_k, false), others = points_of(with_k, true);
    for (guint i = 0; i < points->len; i++)
        fill(&g_array_index(points, Sample, i), known);
    const FormCosts costs = hockney_costs();
    g_autoptr(GArray) forms = form_find_all(&costs, &g_array_index(points, Sample, 0), points->len);
    for (guint i = 0; i < others->len; i++) {
        Sample *s = &g_array_index(others, Sample, i);
        const Form *f = form_at(forms, s);
        fill(s, known);
        if (!f || !f->text)
            g_error("%s is not found", text);
        g_autoptr(Expression) e = read_canonical(f->text);
        for (int part = 0; part < HOCKNEY; part++) {
            double cost[SAMPLE_PARTS];
            claim_costs_at(COSTS_HOCKNEY, none, part, cost);
            if (fabs(value_at(e, s, cost) - s->part[part]) > 1e-9 * fabs(s->part[part]))
                g_error("p=%d k=%g: %s is found for %s", s->p, s->k, f->text, text);
        }
    }
}

static void test_known(void)
{
    GRand *rand = g_rand_new_with_seed(20);
    for (int i = 0; i < (g_test_thorough() ? 200 : 20); i++)
        check_known(rand, i % 2);
    g_rand_free(rand);
}

// ---- The registry's formulas ----------------------------------------------------------------------------------------

// T is exact to the last digits at sizes and figures at which it is not an integer in any unit. A linear allgather passes
// p-1 blocks to the root and p blocks from there to each other rank.
static void test_closed(void)
{
    static const double betas[] = {8e-11, 8.1234567890123e-11, 1e-100, 1e9};
    const CollAlgorithm *a = algorithm_find(COLL_ALLGATHER, "linear");
    const int p = 8;
    for (size_t i = 0; i < G_N_ELEMENTS(betas); i++)
        for (size_t m = 16; m < (size_t)1 << 53; m *= 512) {
            Platform platform = {.name = NULL};
            platform.value[KEY_ALPHA] = 1.1e-6;
            platform.value[KEY_BETA] = betas[i];
            const Coll all = {.p = p, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
            const Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
            const double t = 2 * (p - 1) * 1.1e-6 + (p - 1.) * (p + 1.) * (double)m * betas[i];
            g_assert_cmpfloat_with_epsilon(closed_form(&op, &platform, NULL, false, t), t, 1e-14 * t);
        }
}

// A segment that is not made of whole elements is sent shorter, or an element long, so no formula with its length holds.
// That includes segments of parts, but not one that is longer than the message.
static void test_whole_elements(void)
{
    static const struct {
        size_t segment;
        gboolean found;
    } rows[] = {{0, TRUE}, {4, FALSE}, {16, TRUE}, {20, FALSE}, {1604, FALSE}, {8004, TRUE}};
    Platform platform = {.name = NULL};
    platform.value[KEY_ALPHA] = 1e-6;
    platform.value[KEY_BETA] = 1e-10;
    const CollAlgorithm *a = algorithm_find(COLL_REDUCE, "pipeline");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        Coll all = {.p = 5, .elem = 8, .commutative = true, .par = algorithm_defaults(a)};
        all.par.segment = rows[i].segment;
        const Operation op = {a, coll_make(a->collective, &all, 0, 1600, NULL), 1600};
        g_assert_cmpint(!isnan(closed_form(&op, &platform, NULL, false, 0)), ==, rows[i].found);
    }
}

// ---- Terms ----------------------------------------------------------------------------------------------------------

// The values of a formula at p = 2 .. 41 give back its terms. In sums of three or more terms, numerators stay below 65.
static void test_terms(void)
{
    static const struct {
        const char *text;
        double last; // what is added to the last value
        int found;
        const char *first; // the first term that is found
    } rows[] = {
        {"0", 0, 0, NULL},
        {"0/0", 0, 0, NULL},
        {"0", 1, -1, NULL},
        {"p/3", 0, 1, "1/3*p"},
        {"3*p/8", 0, 1, "3/8*p"},
        {"p/5", 0, -1, NULL},
        {"-2*p", 0, 1, "-2/1*p"},
        {"1000*p", 0, 1, "1000/1*p"},
        {"1000*p", 1e-9, 1, "1000/1*p"},
        {"1000*p + 999*popcount(p)", 0, 2, "1000/1*p"},
        {"64*p + 3*popcount(p) + 64*ceil(log2(p))", 0, 3, "64/1*p"},
        {"65*p + 3*popcount(p) + 64*ceil(log2(p))", 0, -1, NULL},
        {"p + popcount(p) + ceil(log2(p)) + bintree(p)", 0, 4, "1/1*p"},
    };
    enum { N = 40 };
    static Place places[N];
    static int at[N];
    static double y[N];
    for (int i = 0; i < N; i++) {
        places[i] = (Place){i + 2, 1};
        at[i] = i;
    }
    Grammar *g = grammar_new(places, N);
    Words *w = words_new(g, at, N);
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        g_autoptr(Expression) e = expression_new("terms", rows[r].text, names, NULL);
        for (int i = 0; i < N; i++)
            y[i] =
                expression_value(e, (const double[]){places[i].p, 1, 1, 1, 0, 0, 0}) + (i == N - 1 ? rows[r].last : 0);
        Term terms[MAX_SUM];
        const int found = claim_terms_find(w, y, 0, 12, terms);
        if (found != rows[r].found)
            g_error("%s: %d terms are found, not %d", rows[r].text, found, rows[r].found);
        if (!rows[r].first)
            continue;
        g_autofree char *first = g_strdup_printf("%d/%d*%s", terms[0].num, terms[0].den, atoms[terms[0].atom].over);
        g_assert_cmpstr(first, ==, rows[r].first);
    }
    words_free(w);
    grammar_free(g);
}

// ---- Noise ----------------------------------------------------------------------------------------------------------

// For random numbers, alone or added to a formula, the search must not find a form.
static void test_noise(void)
{
    GRand *rand = g_rand_new_with_seed(3);
    g_autoptr(Expression) ring = expression_new("ring", "(p-1)*alpha + (p-1)*m*beta + m*gamma", names, NULL);
    for (int seed = 0; seed < (g_test_thorough() ? 40 : 6); seed++) {
        g_autoptr(GArray) points = points_of(seed % 2, false);
        for (guint i = 0; i < points->len; i++) {
            Sample *s = &g_array_index(points, Sample, i);
            fill(s, ring);
            for (int part = 0; part < HOCKNEY; part++)
                s->part[part] = (seed % 3 ? s->part[part] : 0) + g_rand_int_range(rand, 1, 100) * (part ? s->m : 1);
            sample_add_up(s, HOCKNEY, cost_models[COSTS_HOCKNEY].mixed);
        }
        const FormCosts costs = hockney_costs();
        g_autoptr(GArray) forms = form_find_all(&costs, &g_array_index(points, Sample, 0), points->len);
        for (guint i = 0; i < forms->len; i++)
            if (g_array_index(forms, Form, i).text)
                g_error("%s is found for noise", g_array_index(forms, Form, i).text);
    }
    g_rand_free(rand);
}

static void add_tests(void)
{
    const CollAlgorithm *one = only_one();
    if (!one || (!one->shared && one->formula))
        g_test_add_func("/form/registry", test_registry);
    else
        only_add_skipped("/form/registry",
                         one->shared ? "the search knows no shared memory" : "the entry has no formula");
    if (one)
        return;
    g_test_add_func("/form/known-formulas", test_known);
    g_test_add_func("/form/terms", test_terms);
    g_test_add_func("/form/closed", test_closed);
    g_test_add_func("/form/whole-elements", test_whole_elements);
    g_test_add_func("/form/noise", test_noise);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
