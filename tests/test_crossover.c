// What the search for crossovers says is held against runs: all sizes for every pair of algorithms on a few ranks, and, for
// pairs that are drawn, the sizes that the answer names, the sizes next to them, and others inside its ranges.
//
// COLLSIM_RUNS (default 40, of a sample 4) is the number of pairs that are drawn, and COLLSIM_SEED (default 1, of a sample
// another one each day) the seed of the first. Run i has the seed COLLSIM_SEED + i, so the seed that a failure prints
// repeats that run alone with COLLSIM_RUNS=1; it also prints the command that gives the answer.
#include "search/form/crossover.h"
#include "api/backend.h"
#include "api/make.h"
#include "registry/registry.h"
#include "search/form/closed_form.h"
#include "search/form/size_form.h"
#include "engine/model/model.h"
#include "registry/composition.h"
#include "search/search/points.h"
#include "search/search/rivalry.h"
#include "sample.h"
#include "tap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Two algorithms -------------------------------------------------------------------------------------------------

enum { MOST = 1024 }; // the largest size that is tried

// What an algorithm gives at one size. Each is simulated once, although the algorithm is in many pairs.
typedef struct CrossoverRun {
    bool known, fair, fixed;
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
    r->fixed = y->fixed;
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
        d->sent[i] = both[i]->messages;
    }
    d->fixed = d->fair && both[0]->fixed && both[1]->fixed;
    size_form_figures(&x->platform, figure);
    d->winner = d->fair ? duel_winner(both[0]->count, both[1]->count, figure, COSTS) : -1;
    return TRUE;
}

static void search(Pair *x, CrossoverSearch *s, size_t most)
{
    *s = (CrossoverSearch){.element = 1,
                           .most = most,
                           .blocks = (size_t)x->p,
                           .unit = closed_form_unit(x->p, 1),
                           .tries = 32,
                           .run = run,
                           .data = x};
    g_autoptr(GError) error = NULL;
    g_assert_true(crossover_search(s, &error));
    g_assert_no_error(error);
}

// ---- Every size -----------------------------------------------------------------------------------------------------

static int n_found, n_changing, n_proven, n_missed, n_rising;

static void complain(const Pair *x, const char *what, size_t m)
{
    g_test_message("%s %s %s p=%d at %zu: %s", collectives[x->a[0]->collective].name, x->a[0]->name, x->a[1]->name,
                   x->p, m, what);
    g_test_fail();
}

// Fails if a crossover is not one: its sizes must have the winners that it names, and the sizes next to them others.
static void check_crossover(const Pair *x, const Crossover *c, const Duel *all)
{
    const int before = c->before.winner, after = c->next.winner;
    if (before < 0 || after < 0 || before == after || c->last.winner != before || c->changes % 2 == 0)
        complain(x, "not a change", c->last.m);
    if (all[c->last.m].winner != before || all[c->last.m + 1].winner == before)
        complain(x, "not the last size", c->last.m);
    if (all[c->next.m].winner != after || all[c->next.m - 1].winner == after)
        complain(x, "not the next size", c->next.m);
    if (all[c->before.m].winner != before || all[c->before.m + 1].winner == before)
        complain(x, "not where the first change is", c->before.m);
    for (size_t m = c->last.m + 1; c->changes == 1 && m < c->next.m; m++)
        if (all[m].winner == before)
            complain(x, "the old winner wins after its last size", m);
}

// Fails if a proven winner does not win, or if a stretch has a size tried that its winner does not win.
static void check_stretch(const Pair *x, const CrossoverSearch *s, const DuelStretch *stretch, const Duel *all)
{
    for (size_t m = stretch->proven_from; stretch->proven_to && m <= stretch->proven_to; m++, n_proven++)
        if (all[m].fair && all[m].winner != stretch->winner)
            complain(x, "proven, but wrong", m);
    for (guint i = 0; i < s->tried->len; i++) {
        const Duel *d = &g_array_index(s->tried, Duel, i);
        if (d->m >= stretch->from && d->m <= stretch->to && d->winner >= 0 && d->winner != stretch->winner)
            complain(x, "tried, but another winner", d->m);
    }
}

// Compares what the search finds below MOST with what trying every size gives.
static void compare(Pair *x)
{
    g_auto(CrossoverSearch) s = {0};
    search(x, &s, MOST);
    static Duel all[MOST + 2]; // the last one is nobody's
    if (!s.first.fair)
        return;
    int changes = 0, found = 0, before = -1;
    gboolean rising = TRUE; // both run in an order that is fixed, and no time falls
    double time_s[2] = {0};
    for (size_t m = 1; m <= MOST; m++) {
        all[m] = (Duel){.m = m};
        g_assert_true(run(&all[m], x, NULL));
        for (int i = 0; i < 2 && all[m].fair; i++) {
            rising &= all[m].fixed && all[m].time_s[i] >= time_s[i];
            time_s[i] = all[m].time_s[i];
        }
        changes += before >= 0 && all[m].winner >= 0 && all[m].winner != before;
        before = all[m].winner >= 0 ? all[m].winner : before;
    }
    all[MOST + 1].winner = -1;
    g_assert_cmpuint(s.stretches->len, ==, s.found->len + 1);
    for (guint i = 0; i < s.found->len; i++) {
        const Crossover *c = &g_array_index(s.found, Crossover, i);
        check_crossover(x, c, all);
        found += c->changes;
        n_changing += c->changes > 1;
    }
    for (guint i = 0; i < s.stretches->len; i++)
        check_stretch(x, &s, &g_array_index(s.stretches, DuelStretch, i), all);
    n_found += found;
    n_missed += changes - found;
    n_rising += rising;
    // Two that are nearly equal change places at every other size, which is more than the search tries.
    if (rising && found != changes && changes <= MOST / 8)
        complain(x, "changes were missed", s.final.m);
}

static const int ranks[] = {3, 6, 8};

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
            if (sample_takes((guint)k * 3 + (guint)setting, 9))
                compare_pairs(ranks[k], setting);
    g_test_message(
        "%d changes found and %d missed, %d times several together; %d sizes proven; %d pairs whose times rise",
        n_found, n_missed, n_changing, n_proven, n_rising);
    g_assert_cmpint(n_changing, >, 0);
    g_assert_cmpint(n_proven, >, 0);
}

// ---- Pairs that are drawn -------------------------------------------------------------------------------------------

static guint roll(GRand *random, guint n)
{
    return (guint)g_rand_int_range(random, 0, (gint32)n);
}

// A request that is drawn, and the command that gives the same answer.
typedef struct DrawnPair {
    Request request;
    char *command;
} DrawnPair;

static const CollAlgorithm *draw_algorithm(GRand *random, Collective collective, const CollAlgorithm *but)
{
    for (;;) {
        const CollAlgorithm *a = algorithms[roll(random, (guint)n_algorithms)];
        const gboolean slow = a->collective != COLL_ALLTOALL && strcmp(a->name, "han") == 0; // it cuts 1T into segments
        if (a->collective != COLL_BARRIER && !a->shared && !slow && a != but && (!but || a->collective == collective))
            return a;
    }
}

static void draw(DrawnPair *x, guint32 seed)
{
    static const char *const platforms[] = {"generic-100g", "archer2", "leonardo", "lumi", "fat-tree-16"};
    static const char *const sets[] = {NULL, NULL, "nic.rate=10GB/s", "beta.node=x0.3"};
    static const struct {
        int nodes, per_node;
    } places[] = {{2, 0},  {3, 0}, {5, 0}, {7, 0}, {8, 0}, {12, 0}, {13, 0},
                  {16, 0}, {2, 2}, {3, 4}, {4, 4}, {5, 2}, {3, 3}};
    static const size_t elements[] = {1, 4, 8};
    GRand *random = g_rand_new_with_seed(seed);
    Request *r = &x->request;
    GError *error = NULL;
    const CollAlgorithm *first = draw_algorithm(random, N_COLLECTIVES, NULL);
    const guint at = roll(random, G_N_ELEMENTS(places));
    const int k = places[at].per_node;
    const size_t p = (size_t)places[at].nodes * (size_t)MAX(k, 1);
    const char *const platform = platforms[roll(random, G_N_ELEMENTS(platforms))];
    const char *set = sets[roll(random, G_N_ELEMENTS(sets))];
    *r = (Request){.question.collective = first->collective, .question.elem = elements[roll(random, 3)]};
    r->question.ranks = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_array_append_val(r->question.ranks, p);
    r->machine.map = (MapSpec){.kind = k ? MAP_BLOCK : MAP_NONE, .k = k};
    question_add(&r->question, first);
    question_add(&r->question, draw_algorithm(random, r->question.collective, first));
    r->machine.platform = platform_load(platform, &error);
    g_assert_no_error(error);
    r->machine.model = platform_need(r->machine.platform, hockney_model.keys, hockney_model.n_keys, "hockney", NULL)
                           ? &hockney_model
                           : &measured_model;
    if (!k || r->machine.model != &hockney_model || !platform_set(r->machine.platform, set ? set : "", NULL))
        set = NULL;
    r->machine.options.transfer =
        r->machine.model == &hockney_model && roll(random, 3) == 0 ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS;
    x->command = g_strdup_printf("collsim crossover %s %s %s -p %zu --element %zu --platform %s%s%s%s%s",
                                 collectives[r->question.collective].name, first->name,
                                 ((const CollAlgorithm *)r->question.named->pdata[1])->name, p, r->question.elem,
                                 platform, k ? " --per-node " : "",
                                 k == 2   ? "2"
                                 : k == 3 ? "3"
                                 : k == 4 ? "4"
                                          : "",
                                 set ? " --set " : "", set ? set : "");
    g_rand_free(random);
}

enum { NOT_BOTH = -2, TOO_CLOSE = -1 };

// Returns the winner at m bytes as `run` gives it, by two points of their own: NOT_BOTH if they do not both run, and
// TOO_CLOSE if the times do not tell, because they may be equal but for rounding.
static int winner_at(const Rivalry *x, size_t m)
{
    double time_s[2] = {0};
    GError *error = NULL;
    gboolean both = m > 0;
    for (int i = 0; i < 2 && both; i++) {
        Point *point = point_new(x->request, rivalry_algorithm(x, i), x->p, x->per_node, m, &error);
        g_assert_no_error(error);
        both = !point->why && point_run(point, x->request, &error) && point_timed(point);
        g_assert_no_error(error);
        time_s[i] = point->time_s;
        point_free(point);
    }
    const double lead = time_s[0] - time_s[1];
    return !both ? NOT_BOTH : fabs(lead) <= 1e-13 * fmax(time_s[0], time_s[1]) ? TOO_CLOSE : lead > 0;
}

// What is said of a size: that one algorithm wins, that it does not, or that it does if both run.
typedef enum { WINS, DOES_NOT_WIN, WINS_IF_BOTH_RUN } Saying;

static void check_winner(const DrawnPair *x, const Rivalry *rivalry, size_t m, int winner, Saying saying,
                         const char *what)
{
    const int real = winner_at(rivalry, m);
    const gboolean right = real == NOT_BOTH ? saying != WINS : saying == DOES_NOT_WIN ? real != winner : real == winner;
    if (right || real == TOO_CLOSE)
        return;
    g_test_message("%s: at %zu %s wins, which is not so: %s", x->command, m,
                   real < 0 ? "neither" : rivalry_algorithm(rivalry, real)->name, what);
    g_test_fail();
}

static size_t between(GRand *random, size_t element, size_t from, size_t to)
{
    const double m = exp(g_rand_double_range(random, log((double)from), log((double)to + 1)));
    return CLAMP((size_t)m / element * element, from, to);
}

// Holds all that is said of one rivalry against runs.
static void check_rivalry(const DrawnPair *x, const Rivalry *rivalry, GRand *random)
{
    const CrossoverSearch *s = &rivalry->search;
    const size_t e = s->element;
    for (guint i = 0; i < s->found->len; i++) {
        const Crossover *c = &g_array_index(s->found, Crossover, i);
        check_winner(x, rivalry, c->last.m, c->last.winner, WINS, "the last size");
        check_winner(x, rivalry, c->last.m + e, c->last.winner, DOES_NOT_WIN, "one element after the last size");
        check_winner(x, rivalry, c->next.m, c->next.winner, WINS, "the next size");
        check_winner(x, rivalry, c->next.m - e, c->next.winner, DOES_NOT_WIN, "one element before the next size");
        check_winner(x, rivalry, c->before.m, c->last.winner, WINS, "the size before the first change");
        check_winner(x, rivalry, c->before.m + e, c->last.winner, DOES_NOT_WIN, "one element after it");
    }
    for (guint i = 0; i < s->stretches->len; i++) {
        const DuelStretch *stretch = &g_array_index(s->stretches, DuelStretch, i);
        for (int k = 0; k < 8 && stretch->proven_to; k++, n_proven++)
            check_winner(x, rivalry, between(random, e, stretch->proven_from, stretch->proven_to), stretch->winner,
                         WINS_IF_BOTH_RUN, "proven");
        guint tried = 0;
        for (guint k = 0; k < s->tried->len; k++) {
            const Duel *d = &g_array_index(s->tried, Duel, k);
            if (!d->fair || d->m < stretch->from || d->m > stretch->to)
                continue;
            if (tried++ % 16 == 0)
                check_winner(x, rivalry, d->m, d->winner < 0 ? !stretch->winner : stretch->winner,
                             d->winner < 0 ? DOES_NOT_WIN : WINS, "tried");
        }
        g_assert_cmpuint(tried, ==, stretch->tried);
    }
}

static guint32 from_environment(const char *name, guint32 otherwise)
{
    const char *text = g_getenv(name);
    return text ? (guint32)strtoul(text, NULL, 10) : otherwise;
}

static void test_drawn(void)
{
    const guint32 runs = from_environment("COLLSIM_RUNS", (guint32)sample_of(40, 4)),
                  seed = from_environment("COLLSIM_SEED", sample_seed(1));
    for (guint32 i = 0; i < runs; i++) {
        DrawnPair x = {.command = NULL};
        draw(&x, seed + i);
        g_test_message("seed %u: %s", seed + i, x.command);
        GRand *random = g_rand_new_with_seed(~(seed + i));
        g_autoptr(GPtrArray) rivalries = rivalry_make_all(&x.request, FALSE);
        GError *error = NULL;
        rivalry_run_all(rivalries, &error);
        g_assert_no_error(error);
        check_rivalry(&x, g_ptr_array_index(rivalries, 0), random);
        g_rand_free(random);
        g_free(x.command);
        g_clear_pointer(&rivalries, g_ptr_array_unref);
        request_clear(&x.request);
    }
}

static void add(void)
{
    g_test_add_func("/crossover/every-size", test_every_size);
    g_test_add_func("/crossover/drawn", test_drawn);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
