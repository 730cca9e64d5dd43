// The crossovers that the search finds are those that are found by trying every size, with the same brackets and the
// same number of changes.
#include "form/crossover.h"
#include "api/backend.h"
#include "api/make.h"
#include "registry/registry.h"
#include "form/size_form.h"
#include "tap.h"
#include "registry/composition.h"
#include <math.h>

// ---- Two algorithms -------------------------------------------------------------------------------------------------

enum { MOST = 1024 }; // the largest size that is tried

// What an algorithm gives at one size. Each is simulated once, although the algorithm is in many pairs.
typedef struct CrossoverRun {
    bool known, fair;
    double time_s;
    uint64_t messages;
    int64_t count[COSTS];
} CrossoverRun;

typedef struct Pair {
    const CollAlgorithm *a[2];
    CrossoverRun *runs[2]; // of each algorithm, by size; those that are not known yet are zero
    int p;
    Transfer transfer;
    Platform platform;
    size_t segment; // for algorithms that have this parameter, in bytes
} Pair;

// Returns a machine whose alpha is so short that the winners change at small sizes.
static Platform machine(void)
{
    Platform x = {.name = NULL};
    x.value[KEY_ALPHA] = 5e-9;
    x.value[KEY_BETA] = 0.08e-9;
    x.value[KEY_GAMMA] = 0.05e-9;
    return x;
}

static Operation operation(const CollAlgorithm *a, int p, size_t m, size_t segment)
{
    const char *why;
    Coll all = {.p = p, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
    all.par.segment = segment;
    Operation op = {.c = coll_make(a->collective, &all, 0, m, NULL), .m = m};
    op.algorithm = coll_resolve(a, &op.c, &why);
    return op;
}

// Returns what algorithm i of the pair gives at m bytes. It is fair if no fallback runs.
static const CrossoverRun *run_one(const Pair *x, int i, size_t m)
{
    CrossoverRun *r = &x->runs[i][m];
    if (r->known)
        return r;
    const Operation op = operation(x->a[i], x->p, m, x->segment);
    *r = (CrossoverRun){.known = true, .fair = op.algorithm == x->a[i]};
    if (!r->fair)
        return r;
    const PredictOptions options = {.transfer = x->transfer};
    g_autoptr(GError) error = NULL;
    g_autoptr(Prediction) y = hockney_model.predict(&hockney_model, &op, &x->platform, &options, &error);
    g_assert_no_error(error);
    r->time_s = y->time_s;
    r->messages = y->totals.messages;
    memcpy(r->count, y->count, sizeof r->count);
    return r;
}

// Runs both algorithms at the size of *d, as a DuelRun.
static gboolean run(Duel *d, gpointer data, GError **error)
{
    (void)error;
    const Pair *x = data;
    const CrossoverRun *both[] = {run_one(x, 0, d->m), run_one(x, 1, d->m)};
    double figure[COSTS];
    d->fair = both[0]->fair && both[1]->fair;
    for (int i = 0; i < 2 && d->fair; i++) {
        d->time_s[i] = both[i]->time_s;
        d->messages += both[i]->messages;
    }
    size_form_figures(&x->platform, figure);
    d->winner = d->fair ? duel_winner(both[0]->count, both[1]->count, figure, COSTS) : -1;
    return TRUE;
}

static void search(Pair *x, CrossoverSearch *s, size_t most)
{
    *s = (CrossoverSearch){.element = 1, .most = most, .blocks = (size_t)x->p, .run = run, .data = x};
    g_autoptr(GError) error = NULL;
    g_assert_true(crossover_search(s, &error));
    g_assert_no_error(error);
}

// ---- Every size -----------------------------------------------------------------------------------------------------

static int n_found, n_changing;

// Fails if a crossover that the search finds below MOST differs from what trying every size gives in its interval. An
// interval goes from one power of two to the next, or begins lower if the algorithms cannot be compared there.
static void compare(Pair *x)
{
    g_auto(CrossoverSearch) s = {0};
    search(x, &s, MOST);
    static Duel all[MOST + 1];
    if (s.found->len == 0)
        return;
    for (size_t m = 1; m <= MOST; m++) {
        all[m] = (Duel){.m = m};
        g_assert_true(run(&all[m], x, NULL));
    }
    n_found += (int)s.found->len;
    for (guint i = 0; i < s.found->len; i++) {
        const Crossover *c = &g_array_index(s.found, Crossover, i);
        size_t low = 1, high = 1, before = 0, last = 0, next = 0, first = 0;
        int changes = 0;
        while (high < c->next.m)
            high *= 2;
        low = high / 2;
        while (low > 1 && all[low].winner < 0)
            low /= 2;
        for (size_t m = low; m <= high; m++) {
            if (all[m].winner < 0)
                continue;
            if (before && all[m].winner != all[before].winner) {
                first = changes++ ? first : before;
                last = before;
                next = m;
            }
            before = m;
        }
        n_changing += changes > 1;
        if (c->changes != changes || c->last.m != last || c->next.m != next || c->before.m != first)
            g_test_message("%s %s %s p=%d: %d changes, %zu %zu %zu; found %d, %zu %zu %zu",
                           collectives[x->a[0]->collective].name, x->a[0]->name, x->a[1]->name, x->p, changes, first,
                           last, next, c->changes, c->before.m, c->last.m, c->next.m),
                g_test_fail();
    }
}

// Under a sanitizer the test looks for memory errors, for which one p is enough.
#ifdef __SANITIZE_ADDRESS__
static const int ranks[] = {6};
#else
static const int ranks[] = {3, 6, 8};
#endif

// Compares all pairs of a collective's algorithms on p ranks, in one of three settings.
static void compare_pairs(int p, int setting)
{
    g_autofree CrossoverRun *runs = g_new0(CrossoverRun, n_algorithms * (MOST + 1));
    for (int i = 0; i < n_algorithms; i++)
        for (int j = i + 1; j < n_algorithms && algorithms[j]->collective == algorithms[i]->collective; j++) {
            Pair pair = {.a = {algorithms[i], algorithms[j]},
                         .runs = {&runs[i * (MOST + 1)], &runs[j * (MOST + 1)]},
                         .p = p,
                         .transfer = setting == 1 ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS,
                         .platform = machine(),
                         .segment = setting == 2 ? 48 : 0};
            if (!algorithms[i]->shared && !algorithms[j]->shared && algorithms[i]->collective != COLL_BARRIER)
                compare(&pair);
        }
}

static void test_every_size(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(ranks); k++)
        for (int setting = 0; setting < 3; setting++)
            compare_pairs(ranks[k], setting);
    g_test_message("%d, %d", n_found, n_changing);
}

static void add(void)
{
    g_test_add_func("/crossover/every-size", test_every_size);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
