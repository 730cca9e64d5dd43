// The best number of segments: what the segment forms give agrees with the formulas of the literature, and for every
// algorithm of the registry with the simulation of every number of segments. And text_bound(), by which the search for
// the best passes over candidates, is never above the simulated time; nor is segment_bound(), by which it passes over
// all lengths of segments at once.
#include "api/backend.h"
#include "api/make.h"
#include "near.h"
#include "registry/registry.h"
#include "search/form/segment_bound.h"
#include "search/form/size_form.h"
#include "sample.h"
#include "tap.h"
#include "search/form/text_bound.h"
#include "registry/composition.h"
#include "api/integers.h"
#include <math.h>

static Platform machine(double alpha, double beta, double gamma)
{
    Platform x = {.name = NULL};
    x.value[KEY_ALPHA] = alpha;
    x.value[KEY_BETA] = beta;
    x.value[KEY_GAMMA] = gamma;
    return x;
}

// Returns the operation; its algorithm is NULL if a fallback would run.
static Operation operation(const CollAlgorithm *a, int p, size_t m, const CollParams *par)
{
    const char *why;
    const Coll all = {.p = p, .elem = 1, .commutative = true, .par = *par};
    Operation op = {.c = coll_make(a->collective, &all, 0, m, NULL), .m = m};
    op.algorithm = coll_resolve(a, &op.c, &why) == a ? a : NULL;
    return op;
}

static double simulated(const Operation *op, const Platform *platform, Transfer transfer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Prediction) x =
        hockney_model.predict(&hockney_model, op, platform, &(PredictOptions){.transfer = transfer}, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(x->stuck->len, ==, 0);
    return x->time_s;
}

// Returns the algorithm's segment parameter, or NULL if it has none or uses shared memory.
static const CollParam *segment_of(const CollAlgorithm *a)
{
    for (int i = 0; i < COLL_MAX_PARAMS && a->params[i].name; i++)
        if (a->params[i].kind == PARAM_SIZE && !a->shared)
            return &a->params[i];
    return NULL;
}

// ---- Formulas of the literature -------------------------------------------------------------------------------------

// With S segments, T = (rounds + per_segment S) (alpha + bytes_s / S) + rest_s.
typedef struct OptimumKnown {
    double rounds, per_segment, bytes_s, rest_s;
} OptimumKnown;

// The point at which a formula is evaluated.
typedef struct Hand {
    int p, c, f; // c = ceil(log2 p), f = floor(log2 p)
    double depth, m, alpha, beta, gamma;
    int chains;
} Hand;

static OptimumKnown bcast_pipeline_known(const Hand *x)
{
    return (OptimumKnown){x->p - 2, 1, x->m * x->beta, 0};
}

static OptimumKnown bcast_chain_known(const Hand *x)
{
    const int k = MIN(x->chains, x->p - 1);
    return (OptimumKnown){(x->p - 1) / k - 1, k, x->m * x->beta, 0}; // NOLINT: whole ranks
}

static OptimumKnown bcast_bintree_known(const Hand *x)
{
    return (OptimumKnown){x->depth - 2, 2, x->m * x->beta, 0};
}

static OptimumKnown bcast_split_bintree_known(const Hand *x)
{
    return (OptimumKnown){x->depth - 2, 2, x->m / 2 * x->beta, x->alpha + x->m / 2 * x->beta};
}

static OptimumKnown bcast_binomial_known(const Hand *x)
{
    return (OptimumKnown){0, x->c, x->m * x->beta, 0};
}

static OptimumKnown bcast_circulant_known(const Hand *x)
{
    return (OptimumKnown){x->c - 1, 1, x->m * x->beta, 0};
}

// For p = 2^c only, where the two trees take two steps less than the textbook's 2c + 2S.
static OptimumKnown bcast_two_tree_known(const Hand *x)
{
    return (OptimumKnown){2 * x->c - 2, 2, x->m / 2 * x->beta, 0};
}

static OptimumKnown reduce_pipeline_known(const Hand *x)
{
    return (OptimumKnown){x->p - 2, 1, x->m * (x->beta + x->gamma), 0};
}

// For complete trees only, and if reducing a segment takes no longer than sending it: then
// T = (f - 1 + S) (2 alpha + m (2 beta + gamma) / S).
static OptimumKnown reduce_binary_known(const Hand *x)
{
    return (OptimumKnown){2 * (x->f - 1), 2, x->m * (2 * x->beta + x->gamma) / 2, 0};
}

enum { POW2 = 1, COMPLETE = 2 };
static const struct {
    Collective collective;
    const char *algorithm;
    int only; // POW2: p = 2^c; COMPLETE: p = 2^(f+1) - 1; 0: any p
    OptimumKnown (*known)(const Hand *x);
} by_hand[] = {
    {COLL_BCAST, "pipeline", 0, bcast_pipeline_known},      {COLL_BCAST, "chain", 0, bcast_chain_known},
    {COLL_BCAST, "bintree", 0, bcast_bintree_known},        {COLL_BCAST, "split_bintree", 0, bcast_split_bintree_known},
    {COLL_BCAST, "binomial", 0, bcast_binomial_known},      {COLL_BCAST, "circulant", 0, bcast_circulant_known},
    {COLL_BCAST, "two_tree", POW2, bcast_two_tree_known},   {COLL_REDUCE, "pipeline", 0, reduce_pipeline_known},
    {COLL_REDUCE, "binary", COMPLETE, reduce_binary_known},
};

static void check_by_hand(size_t i, const Hand *x)
{
    const CollAlgorithm *a = algorithm_find(by_hand[i].collective, by_hand[i].algorithm);
    const Platform platform = machine(x->alpha, x->beta, x->gamma);
    CollParams par = algorithm_defaults(a);
    par.chains = x->chains;
    const Operation op = operation(a, x->p, (size_t)x->m, &par);
    SegmentForm form;
    g_assert_true(segment_form(&op, segment_of(a), &platform, TRANSFER_RENDEZVOUS, &form));
    g_assert_true(form.linear);
    const OptimumKnown k = by_hand[i].known(x);
    const double S = sqrt(k.rounds * k.bytes_s / (k.per_segment * x->alpha));
    const double best = segment_form_best(&form, &platform, op.m, 1e9);
    assert_near(best, MAX(S, 1), 1e-9);
    const double at_one = (k.rounds + k.per_segment) * (x->alpha + k.bytes_s) + k.rest_s;
    const double T = sqrt(k.rounds * x->alpha) + sqrt(k.per_segment * k.bytes_s);
    assert_near(segment_form_time(&form, &platform, op.m, best), S > 1 ? T * T + k.rest_s : at_one, 1e-9);
}

// Returns the number of messages, one after the other, until the last rank of the binary tree has one. That rank is in
// one of the last two levels of the tree.
static double binary_depth(int p)
{
    const int f = log2_floor(p);
    return p == 2 ? 1 : MAX(2 * f - 2, f + log2_floor(p + 1 - (1 << f)));
}

static void test_by_hand(void)
{
    static const double machines[][3] = {{1e-6, 0.08e-9, 0.05e-9}, {2e-5, 1e-8, 1e-9}, {1e-7, 3e-10, 3e-10}};
    for (size_t i = 0; i < G_N_ELEMENTS(by_hand); i++)
        for (int p = 3; p <= 128; p = p < 17 ? p + 1 : 2 * p - 2)
            for (size_t k = 0; k < 3 * G_N_ELEMENTS(machines); k++) {
                const double *figure = machines[k / 3], m = (double[]){1000, 1e5, 5e7}[k % 3];
                const bool fits = by_hand[i].only == POW2       ? is_pow2(p)
                                  : by_hand[i].only == COMPLETE ? is_pow2(p + 1) && p > 3
                                                                : true;
                if (fits)
                    check_by_hand(i, &(Hand){p, log2_ceil(p), log2_floor(p), binary_depth(p), m, figure[0], figure[1],
                                             figure[2], 1 + (int)k % 4});
            }
}

// Where reductions take longer than messages, binomial reduce on 2^d ranks is fastest with segments so short that both
// take as long: alpha + m/S beta = m/S gamma. With 1024 ranks no formula is evaluated at so many segments.
static void test_two_paths(void)
{
    const CollAlgorithm *a = algorithm_find(COLL_REDUCE, "binomial");
    const double alpha = 3.4e-6, beta = 0.15e-9, gamma = 0.19e-9, m = 16 << 20;
    const Platform platform = machine(alpha, beta, gamma);
    const CollParams par = algorithm_defaults(a);
    for (int p = 8; p <= 1024; p *= 2) {
        const Operation op = operation(a, p, (size_t)m, &par);
        SegmentForm form;
        g_assert_true(segment_form(&op, segment_of(a), &platform, TRANSFER_RENDEZVOUS, &form) && form.linear);
        const double S = m * (gamma - beta) / alpha, best = segment_form_best(&form, &platform, op.m, 1e9);
        assert_near(best, S, 1e-9);
        assert_near(segment_form_time(&form, &platform, op.m, best), log2_floor(p) * (S + 1) * m / S * gamma, 1e-9);
    }
}

// ---- Every number of segments ---------------------------------------------------------------------------------------

enum { MOST = 60 };

typedef struct OptimumCase {
    const CollAlgorithm *a;
    CollParams par;
    int p;
    Transfer transfer;
    double bytes, work; // the time of all the message's bytes, m beta, in units of alpha; gamma in units of beta
} OptimumCase;

static int n_linear, n_bent, n_needs_run; // segment forms that are linear, and others
static int n_equal;                       // times that were compared

static char *text_of(const OptimumCase *x)
{
    g_autofree char *params = params_text(x->a, &x->par);
    return g_strdup_printf("%s %s p=%d %s %s", collectives[x->a->collective].name, x->a->name, x->p,
                           transfer_names[x->transfer], params);
}

// Fails unless, of the numbers of segments that divide the message, the fastest is the largest up to `best` or the
// smallest from it on. time_s[S] is NAN for the others.
static void check_least(const OptimumCase *x, const double *time_s, double best)
{
    int least = 0, below = 0, above = 0;
    for (int S = 1; S <= MOST; S++) {
        if (isnan(time_s[S]))
            continue;
        if (least == 0 || time_s[S] < time_s[least] * (1 - 1e-12))
            least = S;
        below = S <= best + 1e-9 ? S : below;
        above = above == 0 && S >= best - 1e-9 ? S : above;
    }
    g_autofree char *text = text_of(x);
    const double next = MIN(below ? time_s[below] : INFINITY, above ? time_s[above] : INFINITY);
    if (next > time_s[least] * (1 + 1e-9))
        g_error("%s: the best is %d segments, by the form %g", text, least, best);
}

// Simulates every number of segments up to MOST and compares the times with the segment form, and the fastest number
// with the form's best.
static void check_case(const OptimumCase *x)
{
    const size_t m = 5040 * (size_t)x->p * (size_t)pow2_floor(x->p);
    const double alpha = 1e-6, beta = x->bytes * alpha / (double)m;
    const Platform platform = machine(alpha, beta, x->work * beta);
    const CollParam *segment = segment_of(x->a);
    Operation op = operation(x->a, x->p, m, &x->par);
    SegmentForm form;
    op.algorithm = x->a;
    op.c.par = x->par;
    if (!segment_form(&op, segment, &platform, x->transfer, &form))
        return;
    g_autofree char *text = text_of(x);
    SegmentForm parts;
    if (segment_form_needs_run(&op, segment, &platform, x->transfer, &parts)) {
        if (!form.simulated || !parts.simulated || parts.parts != form.parts)
            g_error("%s: %d parts, and without a run %d", text, form.parts, parts.parts);
        n_needs_run++;
    }
    const double best = segment_form_best(&form, &platform, m, MOST);
    double time_s[MOST + 1];
    for (int S = 1; S <= MOST; S++) {
        const size_t part = m / (size_t)form.parts;
        CollParams par = x->par;
        time_s[S] = NAN;
        if (part % (size_t)S != 0)
            continue;
        param_set(segment, &par, (int64_t)(part / (size_t)S));
        const Operation cut = operation(x->a, x->p, m, &par);
        if (!cut.algorithm)
            continue;
        time_s[S] = simulated(&cut, &platform, x->transfer);
        const double by_form = segment_form_time(&form, &platform, m, S);
        const double exact = form.linear && S <= MAX(best, 6)
                                 ? by_form
                                 : segment_form_at(&op, segment, &platform, x->transfer, form.parts, (size_t)S);
        if (fabs(exact - time_s[S]) > 1e-9 * time_s[S] || (form.linear && by_form > time_s[S] * (1 + 1e-9)))
            g_error("%s: %d segments take %.12g, by the form %.12g", text, S, time_s[S], exact);
        n_equal += !isnan(exact);
    }
    if (form.linear)
        check_least(x, time_s, best);
    *(form.linear ? &n_linear : &n_bent) += 1;
}

// Checks the case with every combination of some values of the parameters from number i on. The segment, and parts of
// compositions, keep their defaults.
static void check_params(OptimumCase x, int i)
{
    const CollParam *param = &x.a->params[i];
    if (i == COLL_MAX_PARAMS || !param->name) {
        check_case(&x);
        return;
    }
    const bool one = param->kind == PARAM_SIZE || param->kind == PARAM_ALGORITHM;
    const int64_t low = param->min, high = one ? low : MIN(param->max, param->kind == PARAM_CHOICE ? 100 : low + 2);
    for (int64_t value = low; value <= high; value++) {
        if (!one && !(param->cut && value > x.p - 1))
            param_set(param, &x.par, value);
        check_params(x, i + 1);
    }
}

static const int some_p[] = {2, 3, 5, 8, 16, 33}, more_p[] = {1, 2, 5, 8, 13, 65}; // above 64, segment_bound cuts less
enum { APART = 6 }; // a sample has one in so many points of each algorithm and p; a reduction has as many

// Checks the points of an algorithm and a p, whose numbers in a sample begin with `point`.
static void check_place(const CollAlgorithm *a, int p, guint point)
{
    // In the last one, reductions take longer than messages while there are less than 60 segments.
    static const double machines[][2] = {{1, 0.6}, {300, 0.6}, {31, 2.9}};
    for (size_t j = 0; j < (collectives[a->collective].reduces ? 3 : 2); j++)
        for (Transfer t = TRANSFER_RENDEZVOUS; t <= TRANSFER_EAGER; t++)
            if (sample_takes(point++, APART))
                check_params((OptimumCase){a, algorithm_defaults(a), p, t, machines[j][0], machines[j][1]}, 0);
}

static void test_every_number(void)
{
    guint point = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (size_t k = 0; segment_of(algorithms[i]) && k < G_N_ELEMENTS(some_p); k++, point += APART)
            check_place(algorithms[i], some_p[k], point);
    g_test_message("%d forms, %d without, %d times, %d need a run", n_linear, n_bent, n_equal, n_needs_run);
    g_assert_cmpint(n_needs_run, >, sample_of(10, 0)); // few operations do: all of reduce grid on 2 ranks
    g_assert_cmpint(n_linear, >, sample_of(1000, 50));
    g_assert_cmpint(n_equal, >, sample_of(20000, 1000));
}

// ---- The lower bound of a text --------------------------------------------------------------------------------------

// Fails if the bound of the algorithm's text is above the simulated time. Counts in *reached how often they are equal.
// Returns 1 if the algorithm runs here, otherwise 0.
static int check_text(const CollAlgorithm *a, int p, size_t m, size_t segment, int *reached)
{
    static const double machines[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {7, 3, 1}, {1, 3, 9}};
    CollParams par = algorithm_defaults(a);
    if (segment_of(a))
        par.segment = segment;
    Operation op = operation(a, p, m, &par);
    for (size_t i = 0; op.algorithm && i < G_N_ELEMENTS(machines); i++)
        for (Transfer t = TRANSFER_RENDEZVOUS; t <= TRANSFER_EAGER_PORT; t++) {
            const Platform platform = machine(machines[i][0], machines[i][1], machines[i][2]);
            const double promised = text_bound(&op, &platform, t, NULL, INFINITY), taken = simulated(&op, &platform, t);
            if (promised > taken * (1 + 1e-12))
                g_error("%s %s p=%d m=%zu segment=%zu %s: bound %g, time %g", collectives[a->collective].name, a->name,
                        p, m, segment, transfer_names[t], promised, taken);
            *reached += taken > 0 && promised >= taken * (1 - 1e-12);
        }
    return op.algorithm ? 1 : 0;
}

static void test_texts(void)
{
    int checked = 0, reached = 0;
    guint point = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (int p = 1; p <= 33 && !algorithms[i]->shared; p = p == 9 ? 16 : p == 17 ? 33 : p + 1)
            for (size_t k = 0; k < 6; k++)
                checked += !sample_takes(point++, APART) ? 0
                                                         : check_text(algorithms[i], p, (size_t[]){0, 100, 1536}[k / 2],
                                                                      k % 2 ? 40 : 0, &reached);
    g_test_message("%d operations; the bound is reached %d times", checked, reached);
    g_assert_cmpint(checked, >, sample_of(3000, 300));
    g_assert_cmpint(reached, >, sample_of(3000, 300));
}

// ---- The lower bound for all segments -------------------------------------------------------------------------------

// Returns the length of segments to be tried after this one: the last one is longer than all messages, which is another
// text than 0 if the parameter is a limit.
static size_t length_after(size_t length, int p, size_t m)
{
    const size_t next = length + (p > 64 ? m / 3 : length < 4 || m < 41 ? 1 : m / 9);
    return length <= m && next > m ? m + 1 : next;
}

// Fails if the bound is above the time simulated with some segment length. Counts in *near how often the bound is at
// least half of the shortest time.
static int check_segments(const CollAlgorithm *a, CollParams par, int p, size_t m, int *near)
{
    static const double machines[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {7, 3, 1}, {300, 1, 9}};
    const CollParam *segment = segment_of(a);
    int runs = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++)
        for (Transfer t = TRANSFER_RENDEZVOUS; t <= TRANSFER_EAGER_PORT; t++) {
            const Platform platform = machine(machines[i][0], machines[i][1], machines[i][2]);
            double bounds[2] = {-1, -1}, least = INFINITY;
            for (size_t length = 0; length <= m + 1; length = length_after(length, p, m)) {
                param_set(segment, &par, (int64_t)length);
                Operation op = operation(a, p, m, &par);
                if (!op.algorithm)
                    continue;
                const bool below = length > m && !segment_is_length(segment);
                if (bounds[below] < 0)
                    bounds[below] = segment_bound(&op, segment, below, &platform, t, NULL);
                const double bound = bounds[below];
                const double taken = simulated(&op, &platform, t);
                least = MIN(least, taken);
                runs++;
                if (bound > taken * (1 + 1e-12))
                    g_error("%s %s p=%d m=%zu segment=%zu %s: bound %g, time %g", collectives[a->collective].name,
                            a->name, p, m, length, transfer_names[t], bound, taken);
            }
            *near += bounds[0] > 0 && bounds[0] >= least / 2;
        }
    return runs;
}

static const CollParam *choice_of(const CollAlgorithm *a)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_CHOICE)
            return &a->params[i];
    return NULL;
}

static void test_segments(void)
{
    static const size_t sizes[] = {3, 40, 1536};
    int runs = 0, near = 0;
    guint point = 0;
    for (int i = 0; i < n_algorithms; i++) {
        const CollParam *choice = choice_of(algorithms[i]);
        for (int64_t n = 0; segment_of(algorithms[i]) && n <= (choice ? choice->max : 0); n++)
            for (size_t k = 0; k < G_N_ELEMENTS(more_p) * G_N_ELEMENTS(sizes); k++) {
                if (!sample_takes(point++, 4 * APART))
                    continue;
                CollParams par = algorithm_defaults(algorithms[i]);
                if (choice)
                    param_set(choice, &par, n);
                runs += check_segments(algorithms[i], par, more_p[k / G_N_ELEMENTS(sizes)],
                                       sizes[k % G_N_ELEMENTS(sizes)], &near);
            }
    }
    g_test_message("%d runs; the bound is near the best %d times", runs, near);
    g_assert_cmpint(runs, >, sample_of(100000, 1000));
    g_assert_cmpint(near, >, sample_of(1000, 20));
}

static void add(void)
{
    g_test_add_func("/optimum/literature", test_by_hand);
    g_test_add_func("/optimum/two-paths", test_two_paths);
    g_test_add_func("/optimum/every-number-of-segments", test_every_number);
    g_test_add_func("/optimum/lower-bound", test_texts);
    g_test_add_func("/optimum/lower-bound-of-segments", test_segments);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
