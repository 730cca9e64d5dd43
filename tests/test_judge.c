// Verdicts on truths that are made by hand, where every boundary can be reached: lower bounds, classes, growth and
// factors. Also the grid of points, the classes of samples, and which claims share a truth.
#include "judge/audit/judge.h"
#include "tap.h"
#include <math.h>
#include <string.h>

// ---- Claims and truths ----------------------------------------------------------------------------------------------

typedef struct VerdictRow {
    Collective collective;
    const char *algorithm;
    Quantity quantity;
    ClaimKind kind;
    const char *text, *where, *without;
    const char *truth;   // an expression in p, m, S, k, alpha, beta, gamma
    const char *verdict; // in words, then the counterexample's p and m
} VerdictRow;

// Returns the claim of a case; free with claim_free.
static Claim *claim_of(const VerdictRow *x)
{
    Claim *c = g_new0(Claim, 1);
    char **const empty[] = {&c->source, &c->place, &c->params, &c->let, &c->truth, &c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(empty); i++)
        *empty[i] = g_strdup("");
    c->id = g_strdup("claim");
    c->text = g_strdup(x->text);
    c->where = g_strdup(x->where ? x->where : "");
    c->without = g_strdup(x->without ? x->without : "");
    c->collective = x->collective;
    c->algorithm = algorithm_find(x->collective, x->algorithm);
    c->quantity = x->quantity;
    c->kind = x->kind;
    c->par = algorithm_defaults(c->algorithm);
    GError *error = NULL;
    claim_prepare(c, &error);
    g_assert_no_error(error);
    return c;
}

// Returns a truth of one family at all p of the grid, with m = 4p; free with truth_free.
static Truth *truth_of(const Claim *c, const char *text, int refine)
{
    static const char *const names[] = {"p", "m", "S", "k", "alpha", "beta", "gamma", NULL};
    GError *error = NULL;
    g_autoptr(Expression) e = expression_new("truth", text, names, &error);
    g_assert_no_error(error);
    g_autoptr(GArray) ranks = claim_grid_ranks(c, refine);
    Truth *t = g_new0(Truth, 1);
    t->samples = g_array_new(FALSE, TRUE, sizeof(Sample));
    t->par = g_new0(CollParams, ranks->len);
    t->families = 1;
    for (guint i = 0; i < ranks->len; i++) {
        const int p = g_array_index(ranks, int, i), n = cost_models[c->costs].n;
        Sample s = {.p = p, .m = 4. * p, .S = 1, .k = 1};
        for (int part = 0; part < n + SAMPLE_MIXED; part++) {
            double cost[SAMPLE_PARTS] = {0};
            claim_costs_at(c->costs, c->left_out, part, cost);
            const double value = expression_value(e, (const double[]){p, s.m, 1, 1, cost[0], cost[1], cost[2]});
            *(part < n ? &s.part[part] : &s.mixed[part - n]) = value;
        }
        g_array_append_val(t->samples, s);
        t->par[i] = c->par;
    }
    return t;
}

static void judge_refined(const VerdictRow *x, int refine)
{
    g_autoptr(Claim) c = claim_of(x);
    g_autoptr(Truth) t = truth_of(c, x->truth, refine);
    g_auto(Claimed) claimed = {0};
    GError *error = NULL;
    claimed_take(c, t, &claimed, &error);
    g_assert_no_error(error);
    const Verdict v = verdict_of(c, x->kind, t, &claimed, refine);
    g_autofree char *text = verdict_text(&v, cost_models[c->costs].name);
    g_autofree char *got =
        v.at < 0 ? g_strdup(text) : g_strdup_printf("%s; p=%d", text, g_array_index(t->samples, Sample, v.at).p);
    if (strcmp(got, x->verdict) != 0)
        g_error("%s for %s, where %s, is judged %s, not %s", x->text, x->truth, x->where ? x->where : "all", got,
                x->verdict);
}

static void judge(const VerdictRow *x)
{
    judge_refined(x, 1);
}

// ---- Verdicts -------------------------------------------------------------------------------------------------------

// In an allreduce some rank sends at least 2(p-1)/p m bytes and reduces at least (p-1)/p m.
#define ALLREDUCE COLL_ALLREDUCE, "ring", QUANTITY_TIME
#define MESSAGES  COLL_BCAST, "linear", QUANTITY_MESSAGES

static void test_bounds(void)
{
    static const char truth[] = "2*p*alpha + 4*m*beta + 2*m*gamma";
    const VerdictRow cases[] = {
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta + 1.5*(p-1)/p*m*gamma", NULL, NULL, truth,
         "right order, constant 2.67, sometimes too low; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta + (p-1)/p*m*gamma", NULL, NULL, truth,
         "right order, constant 4, sometimes too low; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta + 0.9*(p-1)/p*m*gamma", NULL, NULL, truth,
         "wrong: in gamma, the claim is below the lower bound; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 2*(p-1)/p*m*beta + 2*m*gamma", NULL, NULL, truth,
         "right order, constant 4, sometimes too low; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 1.5*(p-1)/p*m*beta + 2*m*gamma", NULL, NULL, truth,
         "wrong: in beta, the claim is below the lower bound; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "(p < 5 ? 1.5 : 2*p)*alpha + 4*m*beta + 2*m*gamma", NULL, NULL, truth,
         "wrong: in alpha, the claim is below the lower bound; p=3"},
        {ALLREDUCE, CLAIM_UPPER, "2*p*alpha + 4*m*beta + 1.5*(p-1)/p*m*gamma", NULL, NULL, truth,
         "wrong: in gamma, the claim is below the truth; p=2"},
        {ALLREDUCE, CLAIM_UPPER, "2*p*alpha + 5*m*beta + 2*m*gamma", NULL, NULL, truth, "loose"},
        {ALLREDUCE, CLAIM_ORDER, "2*p*alpha + 4*m*beta + 0.5*m*gamma", NULL, NULL, truth,
         "right order, constant 4, sometimes too low"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta", NULL, "gamma", truth, "exact"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta", "p<=33", NULL, truth,
         "wrong: in gamma, the claim is below the lower bound; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "3*p*alpha + 4*m*beta", NULL, NULL, "2*p*alpha + 4*m*beta", "loose; p=2"},
        // T is a maximum: the parts are right, the sum is not
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta", NULL, "gamma", "max(2*p*alpha, 4*m*beta)", "loose; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "max(2*p*alpha, 4*m*beta)", NULL, "gamma", "max(2*p*alpha, 4*m*beta)", "exact"},
        {ALLREDUCE, CLAIM_UPPER, "max(2*p*alpha, 4*m*beta)", NULL, "gamma", "2*p*alpha + 4*m*beta",
         "wrong: in T, the claim is below the truth; p=2"},
        {ALLREDUCE, CLAIM_EQUALITY, "2*p*alpha + 4*m*beta + p^2*sqrt(alpha*beta)*m", NULL, "gamma",
         "2*p*alpha + 4*m*beta", "wrong: in T, claimed/true grows without bound as p grows; p=2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        judge(&cases[i]);
}

// A class with two numbers of ranks may be right by chance.
static void test_classes(void)
{
    const VerdictRow cases[] = {
        {MESSAGES, CLAIM_EQUALITY, "p", "p==4 || p==6 || p==8 || p==10 || p==12", NULL, "p==4||p==8 ? p : p+1",
         "wrong: the value is different; p=6"},
        {MESSAGES, CLAIM_EQUALITY, "p", "p==4 || p==6 || p==8 || p==10 || p==16", NULL, "p==4||p==8||p==16 ? p : p+1",
         "exact for powers of two, else within a factor of 1.17, sometimes too low; p=6"},
        {MESSAGES, CLAIM_EQUALITY, "p", NULL, NULL, "floor(p/2)==p/2 ? p : p+1",
         "exact for even p, else within a factor of 1.33, sometimes too low; p=3"},
        {MESSAGES, CLAIM_EQUALITY, "p", NULL, NULL, "p", "exact"},
        {MESSAGES, CLAIM_EQUALITY, "p", "p==8", NULL, "p", "exact"},
        {MESSAGES, CLAIM_EQUALITY, "p", "p==8", NULL, "p-1", "wrong: the value is different; p=8"},
        {MESSAGES, CLAIM_UPPER, "p", "p==8", NULL, "p-1", "loose"},
        {MESSAGES, CLAIM_LOWER, "p", "p==8", NULL, "p+1", "loose"},
        {MESSAGES, CLAIM_ORDER, "p", "p==8", NULL, "p", "no claim"},
        {MESSAGES, CLAIM_EQUALITY, "p", NULL, NULL, "p>2 ? p : 1", "exact for p > 2, else within a factor of 2; p=2"},
        {MESSAGES, CLAIM_EQUALITY, "p", NULL, NULL, "p>2 ? p : 0", "exact for p > 2, else not within any factor; p=2"},
        {MESSAGES, CLAIM_EQUALITY, "p", NULL, NULL, "popcount(p)==1 ? p : p^2",
         "exact for powers of two, else wrong: claimed/true tends to 0 as p grows; p=3"},
        {MESSAGES, CLAIM_UPPER, "p", NULL, NULL, "popcount(p)==1 ? p : 1",
         "exact for powers of two, else within a factor of 1.02e+03"},
        {MESSAGES, CLAIM_LOWER, "p", NULL, NULL, "popcount(p)==1 ? p : p^2",
         "exact for powers of two, else within a factor of 1.02e+03"},
        {MESSAGES, CLAIM_LOWER, "p", NULL, NULL, "popcount(p)==1 ? p : p-1",
         "exact for powers of two, else within a factor of 1.5, sometimes too high; p=3"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        judge(&cases[i]);
}

// Growth is judged at p = 16, 128 and 1024. Each row has claimed / true there.
static void test_growth(void)
{
    static const struct {
        const char *ratio[TAIL];
        const char *verdict;
    } rows[] = {
        {{"1", "1.5", "2"}, "wrong: claimed/true grows without bound as p grows"},
        {{"1", "1.5", "1.6"}, "right order, constant 1.6"},
        {{"1", "3", "4.4"}, "wrong: claimed/true grows without bound as p grows"}, // 0.7 of the first gain
        {{"1", "3", "4.39"}, "right order, constant 4.39"},
        {{"1", "1.2", "1.39"}, "wrong: claimed/true grows without bound as p grows"}, // 1.15 times the second
        {{"1", "1.2", "1.37"}, "right order, constant 1.37"},
        {{"1", "1", "1.3"}, "wrong: claimed/true grows without bound as p grows"}, // 1.3 times the first
        {{"1", "1", "1.29"}, "right order, constant 1.29"},
        {{"1", "0.99", "2"}, "right order, constant 2, sometimes too low"}, // it must not fall
        {{"0.1", "0.3", "1.1"}, "wrong: claimed/true grows without bound as p grows"},
        {{"0.1", "0.3", "0.9"}, "right order, constant 10, sometimes too low"}, // it must exceed 1
        {{"1", "0.5", "0.25"}, "wrong: claimed/true tends to 0 as p grows"},
        {{"1", "0.5", "0.45"}, "right order, constant 2.22, sometimes too low"},
        {{"1", "0", "0"}, "wrong: claimed/true tends to 0 as p grows"},
        {{"1", "-1", "-2"}, "wrong: claimed/true tends to 0 as p grows"},
        {{"2", "never", "never"}, "wrong: claimed/true grows without bound as p grows; p=128"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const char *const *r = rows[i].ratio;
        g_autofree char *text = g_strdup_printf("7*(p==16 ? %s : p==128 ? %s : %s)", r[0], r[1], r[2]);
        judge(&(VerdictRow){MESSAGES, CLAIM_ORDER, text, "p==16 || p==128 || p==1024", NULL, "7", rows[i].verdict});
    }
    static const char usual[] = "p==16 || p==128 || p==1024", finer[] = "p==32 || p==256 || p==2048";
    judge(&(VerdictRow){MESSAGES, CLAIM_ORDER, "7", usual, NULL, "p==128 ? 0 : 7", "right order, constant 1"});
    judge_refined(&(VerdictRow){MESSAGES, CLAIM_ORDER, "p", usual, NULL, "p", "right order, constant 1"}, 2);
    judge_refined(&(VerdictRow){MESSAGES, CLAIM_ORDER, "p", finer, NULL, "p", "right order, constant 1"}, 2);
    judge_refined(&(VerdictRow){MESSAGES, CLAIM_ORDER, "p<=1024 ? p : 5*p", NULL, NULL, "p",
                                "wrong: claimed/true grows without bound as p grows"},
                  2);
    // A ratio is unknown if the claim is not about one of the three points, in each of the four sequences.
    judge(&(VerdictRow){MESSAGES, CLAIM_ORDER, "p", "p==16 || p==128", NULL, "1", "no claim"});
    judge(
        &(VerdictRow){MESSAGES, CLAIM_ORDER, "p", "p==15 || p==127 || p==1023", NULL, "p", "right order, constant 1"});
    judge(
        &(VerdictRow){MESSAGES, CLAIM_ORDER, "p", "p==17 || p==129 || p==1025", NULL, "p", "right order, constant 1"});
    judge(
        &(VerdictRow){MESSAGES, CLAIM_ORDER, "p", "p==12 || p==100 || p==1000", NULL, "p", "right order, constant 1"});
}

static void test_values(void)
{
    const VerdictRow cases[] = {
        {MESSAGES, CLAIM_EQUALITY, "p-3", NULL, NULL, "p==2 ? 1 : p", "wrong: the value is different; p=2"},
        {MESSAGES, CLAIM_ORDER, "p-3", NULL, NULL, "p", "right order, constant 4, sometimes too low"},
        {MESSAGES, CLAIM_EQUALITY, "p==5 ? 0/0 : p+1", NULL, NULL, "p", "wrong: the value is different; p=2"},
        {MESSAGES, CLAIM_ORDER, "p==5 ? 0/0 : p+1", NULL, NULL, "p", "wrong: the value is different; p=5"},
        {MESSAGES, CLAIM_ORDER, "p==5 ? never : p+1", NULL, NULL, "p", "wrong: the value is different; p=5"},
        {MESSAGES, CLAIM_UPPER, "p==5 ? never : p+1", NULL, NULL, "p", "loose"},
        {MESSAGES, CLAIM_EQUALITY, "p==5 ? never : p+1", NULL, NULL, "p==5 ? never : p+1", "exact"},
        {MESSAGES, CLAIM_EQUALITY, "2*p", NULL, NULL, "p", "loose; p=2"},
        {MESSAGES, CLAIM_EQUALITY, "2*p", NULL, NULL, "p==7 ? 2*p : p", "right order, constant 2; p=2"},
        {MESSAGES, CLAIM_UPPER, "2*p", NULL, NULL, "p==7 ? 2*p : p", "loose"},
        {MESSAGES, CLAIM_UPPER, "p^2", NULL, NULL, "p", "loose"},
        {MESSAGES, CLAIM_UPPER, "p", NULL, NULL, "p^2", "wrong: claimed/true tends to 0 as p grows; p=2"},
        {MESSAGES, CLAIM_EQUALITY, "p/2", NULL, NULL, "p", "right order, constant 2, sometimes too low; p=2"},
        {MESSAGES, CLAIM_UPPER, "p", NULL, NULL, "p==7 ? p+1 : p-1", "wrong: the claim is below the truth; p=7"},
        {MESSAGES, CLAIM_UPPER, "p", "p<=33", NULL, "p==7 ? p+1 : p-1", "wrong: the claim is below the truth; p=7"},
        {MESSAGES, CLAIM_UPPER, "5", NULL, NULL, "p-1", "wrong: claimed/true tends to 0 as p grows; p=7"},
        {MESSAGES, CLAIM_UPPER, "4", "p==6", NULL, "p-1", "wrong: the claim is below the truth; p=6"},
        {MESSAGES, CLAIM_EQUALITY, "p", "p<=33", NULL, "p==7 ? p+1 : p-1", "wrong: the value is different; p=2"},
        {MESSAGES, CLAIM_LOWER, "p", NULL, NULL, "p==7 ? p-1 : p+1", "wrong: the claim is above the truth; p=7"},
        {MESSAGES, CLAIM_LOWER, "4", "p==6", NULL, "p-3", "wrong: the claim is above the truth; p=6"},
        {MESSAGES, CLAIM_LOWER, "p^2", NULL, NULL, "p", "wrong: claimed/true grows without bound as p grows; p=2"},
        {MESSAGES, CLAIM_LOWER, "log2(p)", NULL, NULL, "p", "loose"},
        {MESSAGES, CLAIM_LOWER, "p-3", NULL, NULL, "p", "loose"},
        {MESSAGES, CLAIM_LOWER, "p", NULL, NULL, "p==5 ? never : p", "exact for even p, else not within any factor"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        judge(&cases[i]);
}

static void test_proportional(void)
{
    static const char *const texts[] = {"p*alpha + 1", "p*alpha^2", "p*alpha*beta", "alpha > 1 ? 2*alpha : alpha"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(Claim) c = claim_of(&(VerdictRow){ALLREDUCE, .text = texts[i]});
        g_autoptr(Truth) t = truth_of(c, "alpha", 1);
        g_auto(Claimed) claimed = {0};
        g_autoptr(GError) error = NULL;
        g_assert_false(claimed_take(c, t, &claimed, &error));
        g_assert_true(g_str_has_suffix(error->message, " where costs are twice as high; allowed: terms with one cost"));
    }
}

// ---- Samples and the grid -------------------------------------------------------------------------------------------

static void test_sample_classes(void)
{
    static const struct {
        int p, S, k;
        const char *has; // for each class, in order: x if it has the sample
    } rows[] = {
        {2, 1, 1, "x.xxx....x.x.x.x"}, {3, 1, 2, "xxx...xx..xx..x."}, {4, 2, 2, "xx.xxx..x.x.x..."},
        {9, 1, 3, "xxx...x.x......."}, {7, 3, 3, "xx....xx...x...."}, {2, 1, 2, "x.xxx...x.x.xx.."},
        {8, 2, 1, "xx.xxx...x.x...."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Sample s = {.p = rows[i].p, .S = rows[i].S, .k = rows[i].k};
        g_autoptr(GString) has = g_string_new(NULL);
        for (size_t k = 0; k < n_sample_classes; k++)
            g_string_append_c(has, sample_classes[k].has(&s) ? 'x' : '.');
        g_assert_cmpstr(has->str, ==, rows[i].has);
    }
    g_assert_true(same_value(1, 1 + 0.9e-12) && !same_value(1, 1 + 1.1e-12) && same_value(-INFINITY, -INFINITY));
    g_assert_false(same_value(NAN, NAN) || same_value(INFINITY, 1) || same_value(INFINITY, -INFINITY));
    g_assert_false(same_value(1, -1) || same_value(0, 1e-300));
}

static void test_ranks(void)
{
    static const int tails[TAILS][TAIL] = {{16, 128, 1024}, {15, 127, 1023}, {17, 129, 1025}, {12, 100, 1000}};
    g_autoptr(Claim) messages = claim_of(&(VerdictRow){MESSAGES, .text = "p"});
    g_autoptr(Claim) far = claim_of(&(VerdictRow){COLL_BCAST, "linear", QUANTITY_CONNECTIONS, .text = "p"});
    g_autoptr(GArray) usual = claim_grid_ranks(messages, 1), with_far = claim_grid_ranks(far, 1),
                      refined = claim_grid_ranks(messages, 2);
    g_assert_cmpint(usual->len, ==, 32 + 10);
    g_assert_cmpint(with_far->len, ==, 32 + 10 + 1);
    g_assert_cmpint(refined->len, ==, 65 + 8 + 8);
    for (int tail = 0; tail < TAILS; tail++)
        for (int i = 0; i < TAIL; i++) {
            g_assert_cmpint(claim_grid_tail_ranks(tail, i, 1), ==, tails[tail][i]);
            int found = 0; // on the refined grid, the points of both grids
            for (guint k = 0; k < refined->len; k++)
                found += g_array_index(refined, int, k) == tails[tail][i] ||
                         g_array_index(refined, int, k) == claim_grid_tail_ranks(tail, i, 2);
            g_assert_cmpint(found, ==, 2);
        }
}

// Returns S, k, m and a parameter of all families of a claim at p, as text.
static char *places(Collective collective, const char *algorithm, const char *text, int p)
{
    g_autoptr(Claim) c = claim_of(
        &(VerdictRow){collective, algorithm, strstr(text, "slots") ? QUANTITY_SEGMENT : QUANTITY_TIME, .text = text});
    g_autoptr(GArray) families = claim_grid_families(c);
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < families->len; i++) {
        Sample x;
        CollParams par;
        if (claim_grid_place(c, &g_array_index(families, Family, i), p, &x, &par))
            g_string_append_printf(s, "%s%g/%g/%g/%" G_GSIZE_FORMAT "/%d", s->len ? " " : "", x.S, x.k, x.m,
                                   (size_t)par.segment, (int)par.slots);
    }
    return g_string_free(s, FALSE);
}

static void test_places(void)
{
    static const struct {
        Collective collective;
        const char *algorithm, *text;
        int p;
        const char *places;
    } rows[] = {
        {COLL_BCAST, "linear", "alpha", 6, "1/1/24/0/0 1/1/72/0/0 1/1/216/0/0 1/1/648/0/0 1/1/1944/0/0"},
        {COLL_BCAST, "linear", "alpha", 8, "1/1/16/0/0 1/1/48/0/0 1/1/144/0/0 1/1/432/0/0 1/1/1296/0/0"},
        {COLL_BCAST, "linear", "alpha", 9, "1/1/144/0/0 1/1/432/0/0"},
        {COLL_GATHER, "linear", "alpha", 9, "1/1/4/0/0 1/1/12/0/0"},
        {COLL_BARRIER, "dissemination", "alpha", 9, "1/2/0/0/0 1/2/0/0/0"},
        {COLL_BCAST, "pipeline", "S*alpha", 20,
         "1/1/160/0/0 2/1/320/160/0 4/1/640/160/0 5/1/800/160/0 20/1/3200/160/0 1/1/480/0/0"},
        {COLL_BCAST, "knomial", "k*alpha", 20,
         "1/2/160/0/0 1/3/160/0/0 1/4/160/0/0 1/8/160/0/0 1/5/160/0/0 1/2/480/0/0"},
        {COLL_BCAST, "knomial", "k*alpha", 4,
         "1/2/8/0/0 1/3/8/0/0 1/4/8/0/0 1/2/8/0/0 1/2/24/0/0 1/2/72/0/0 1/2/216/0/0 1/2/648/0/0"},
        {COLL_BCAST, "shm_flat", "slots", 9, "1/1/144/0/8 1/1/144/0/16 1/1/144/0/24 1/1/432/0/8"},
        {COLL_BCAST, "chain", "k*alpha", 20,
         "1/1/160/0/0 1/2/160/0/0 1/4/160/0/0 1/5/160/0/0 1/19/160/0/0 1/1/480/0/0"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *got = places(rows[i].collective, rows[i].algorithm, rows[i].text, rows[i].p);
        g_assert_cmpstr(got, ==, rows[i].places);
    }
}

static void test_too_large(void)
{
    g_autoptr(Claim) vector = claim_of(&(VerdictRow){COLL_BCAST, "pipeline", .text = "S*alpha"});
    g_autoptr(Claim) blocks = claim_of(&(VerdictRow){COLL_SCATTER, "pipeline", .text = "S*alpha"});
    g_autoptr(Claim) fixed = claim_of(&(VerdictRow){COLL_BCAST, "pipeline", .text = "alpha"});
    const CollParams none = {.segment = 0}, bytes = {.segment = 1};
    const Sample many = {.p = 100, .S = 420}, more = {.p = 100, .S = 421};
    const Sample long_ = {.p = 100, .S = 1, .m = 21000}, longer = {.p = 100, .S = 1, .m = 21001};
    g_assert_false(claim_grid_too_large(blocks, &many, &none) || claim_grid_too_large(vector, &more, &none));
    g_assert_true(claim_grid_too_large(blocks, &more, &none));
    g_assert_false(claim_grid_too_large(fixed, &long_, &bytes) || claim_grid_too_large(fixed, &longer, &none));
    g_assert_true(claim_grid_too_large(fixed, &longer, &bytes));
}

// Claims share a truth only if it is the same: none of these do, except the last two.
static void test_keys(void)
{
    static const VerdictRow cases[] = {
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "alpha", NULL, NULL, NULL, NULL},
        {COLL_REDUCE, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "alpha", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "pipeline", QUANTITY_TIME, CLAIM_EQUALITY, "alpha", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_BOUND, CLAIM_EQUALITY, "alpha", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "alpha", "p>3", NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "alpha", NULL, "beta", NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "L", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "k*alpha", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "S*alpha", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "chains*alpha", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_SPEEDUP, CLAIM_EQUALITY, "1", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_SPEEDUP, CLAIM_EQUALITY, "1", NULL, NULL, NULL, NULL},  // against another
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_EQUALITY, "alpha", NULL, NULL, NULL, NULL}, // with other chains
        {COLL_BCAST, "chain", QUANTITY_TIME, CLAIM_ORDER, "2*alpha + beta", NULL, NULL, NULL, NULL},
        {COLL_BCAST, "chain", QUANTITY_ROUNDS, CLAIM_EQUALITY, "1", NULL, NULL, NULL, NULL},
    };
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const int n = G_N_ELEMENTS(cases);
    for (int i = 0; i < n; i++) {
        g_autoptr(Claim) c = claim_of(&cases[i]);
        c->against =
            c->quantity != QUANTITY_SPEEDUP ? NULL : algorithm_find(COLL_BCAST, i == 10 ? "linear" : "binomial");
        if (i == 12)
            c->par.chains++;
        char *key = truth_key(c);
        if (g_hash_table_add(keys, key) != (i + 2 < n))
            g_error("claim %d of the table: the key is %s", i, key);
    }
}

static void add(void)
{
    g_test_add_func("/judge/bounds", test_bounds);
    g_test_add_func("/judge/classes", test_classes);
    g_test_add_func("/judge/growth", test_growth);
    g_test_add_func("/judge/values", test_values);
    g_test_add_func("/judge/proportional", test_proportional);
    g_test_add_func("/judge/sample-classes", test_sample_classes);
    g_test_add_func("/judge/ranks", test_ranks);
    g_test_add_func("/judge/places", test_places);
    g_test_add_func("/judge/too-large", test_too_large);
    g_test_add_func("/judge/keys", test_keys);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
