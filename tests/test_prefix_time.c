// The times of scans in groups (algos/times/prefix_parts_time.c) against the replay, at drawn costs: runs of several
// lengths and levels, and every part that has a formula.
#include "api/make.h"
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "search/form/closed_form.h"
#include "sample.h"
#include "tap.h"

static int64_t replayed(const Operation *op, const CollPoint *x)
{
    const Hockney h = {(double)x->alpha, (double)x->beta, (double)x->gamma,
                       x->eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
    Schedule *s = schedule_record(op, NULL);
    g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, NULL);
    schedule_free(s);
    g_assert_nonnull(r);
    const Certificate t = r->certificate;
    return t.alpha * x->alpha + t.beta * x->beta + t.gamma * x->gamma;
}

// Draws costs of a few kinds: messages are longer than reductions, or shorter, or take no time.
static void draw_costs(GRand *random, CollPoint *x)
{
    static const int most[] = {0, 1, 9, 5000};
    int64_t *const cost[] = {&x->alpha, &x->beta, &x->gamma};
    for (size_t i = 0; i < G_N_ELEMENTS(cost); i++)
        *cost[i] = g_rand_int_range(random, 0, most[g_rand_int_range(random, 0, G_N_ELEMENTS(most))] + 1);
}

// Compares some times of an algorithm. Returns how many of them the formula knows.
static int compare(GRand *random, const CollAlgorithm *a, int p, const CollParams *par)
{
    const size_t m = closed_form_unit(p, 1) * (size_t)g_rand_int_range(random, 0, 3);
    const Coll all = {.p = p, .elem = 1, .commutative = true, .par = *par};
    const Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
    int known = 0;
    for (int i = 0; i < 8; i++) {
        CollPoint x = closed_form_point(&op, i % 2);
        draw_costs(random, &x);
        const int64_t t = algorithm_time(a, &x);
        if (t >= 0 && t != replayed(&op, &x))
            g_error("%s %s p=%d m=%zu %s, %s, alpha=%d beta=%d gamma=%d: T is %" G_GINT64_FORMAT
                    ", in the replay %" G_GINT64_FORMAT,
                    collectives[a->collective].name, a->name, p, m, params_text(a, par),
                    x.eager ? "eager" : "rendezvous", (int)x.alpha, (int)x.beta, (int)x.gamma, t, replayed(&op, &x));
        known += t >= 0;
    }
    return known;
}

static void test_levels(void)
{
    static const CollAlgorithm *const two[] = {&scan_k_halving_algorithm, &exscan_k_halving_algorithm};
    static const int ranks[] = {2, 3, 5, 6, 8, 13, 24, 36, 37, 48, 64, 81};
    g_autoptr(GRand) random = g_rand_new_with_seed(sample_seed(11));
    int known = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++)
        for (int radix = 2; radix <= 9; radix++)
            for (int levels = 1; levels <= 6; levels++) {
                CollParams par = algorithm_defaults(two[levels % 2]);
                par.radix = radix;
                par.halvings = levels;
                known += compare(random, two[levels % 2], ranks[i], &par);
            }
    g_assert_cmpint(known, >, 3000);
}

static void test_parts(void)
{
    static const CollAlgorithm *const two[] = {&scan_grid_algorithm, &exscan_grid_algorithm};
    static const int ranks[] = {4, 8, 12, 32, 60};
    g_autoptr(GRand) random = g_rand_new_with_seed(sample_seed(12));
    int known = 0, parts = 0;
    for (int n = 0; n < n_algorithms; n++) {
        const CollAlgorithm *part = algorithms[n];
        int of_part = 0;
        for (size_t i = 0; i < G_N_ELEMENTS(ranks) && part->collective == COLL_EXSCAN && part->formula; i++)
            for (int K = 2; K <= ranks[i] && K <= 16; K++) {
                CollParams par = algorithm_defaults(two[K % 2]);
                par.chains = K;
                par.part[0] = part;
                of_part += ranks[i] % K ? 0 : compare(random, two[K % 2], ranks[i], &par);
            }
        known += of_part;
        parts += of_part > 0;
    }
    g_test_message("%d times, %d parts", known, parts);
    g_assert_cmpint(parts, >, 4);
}

static void add(void)
{
    g_test_add_func("/prefix-time/levels", test_levels);
    g_test_add_func("/prefix-time/parts", test_parts);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
