// All gears that may run under measured give the clocks, certificates and paths of the event gear with every rank, on
// the registry, on machines with and without levels whose tables are drawn at random.
//
// COLLSIM_RUNS (default 1) is the number of machines for each algorithm and number of ranks, and COLLSIM_SEED (default 1)
// the seed.
#include "api/make.h"
#include "machines.h"
#include "judge/prove/nodes.h"
#include "only.h"
#include "registry/composition.h"
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

// ---- Figures --------------------------------------------------------------------------------------------------------

static int roll(GRand *random, int n)
{
    return g_rand_int_range(random, 0, n);
}

// Draws a table of 1 to 4 points with rising values, the first of which is at least `least`. The values are integers, which
// makes many ties, or not.
static Table *draw_table(GRand *random, int least, bool integers)
{
    Table *t = g_new(Table, 1);
    *t = (Table){.n = 1 + roll(random, 4), .at = g_new(TablePoint, 4)};
    uint64_t bytes = (uint64_t)roll(random, 3);
    double value = least + (integers ? roll(random, 3) : g_rand_double(random));
    for (int i = 0; i < t->n; i++) {
        t->at[i] = (TablePoint){bytes, value};
        bytes += 1u << roll(random, 9);
        value += integers ? roll(random, 4) : 4 * g_rand_double(random);
    }
    return t;
}

static Measured *draw_figures(GRand *random, int n_levels)
{
    const bool integers = roll(random, 2), lambda = roll(random, 2);
    Measured *x = measured_new(n_levels);
    for (int k = 0; k < n_levels; k++) {
        MeasuredLevel *level = &x->level[k];
        level->one = draw_table(random, 1, integers);
        level->step = roll(random, 2) ? draw_table(random, 1, integers) : NULL;
        level->gap = draw_table(random, 0, integers);
        const int take = roll(random, 3);
        level->take = take == 0 ? draw_table(random, 0, integers) : NULL;
        level->take_gap = take == 1;
        level->eager = roll(random, 3) == 0 ? MEASURED_ALL_RENDEZVOUS
                       : roll(random, 2)    ? 1 << roll(random, 9)
                                            : 1 << 20;
        level->lambda = lambda ? 0.25 * roll(random, 5) : 0;
    }
    x->far = roll(random, 3) ? (integers ? roll(random, 3) : 2 * g_rand_double(random)) : 0;
    x->swap = roll(random, 2) ? 1 + 0.5 * roll(random, 3) : 1;
    x->swap_from = 1u << roll(random, 9);
    for (int i = 0; i < N_WORK_KINDS; i++) {
        const int kind = roll(random, 3);
        x->work[i].table = kind == 2 ? draw_table(random, 0, integers) : NULL;
        x->work[i].per_byte = kind == 1 ? 0.25 : 0;
        x->work[i].above = kind == 1 && roll(random, 2) ? 10 : 0;
    }
    return x;
}

// ---- One replay -----------------------------------------------------------------------------------------------------

// A schedule and a machine.
typedef struct MeasuredCase {
    const Schedule *s;
    const DrawnMachine *machine;
    const double *start; // NULL if all ranks begin at 0
    char *name;
} MeasuredCase;

typedef struct MeasuredRun {
    Site *site;
    Replay *replay;
} MeasuredRun;

typedef struct MeasuredCounts {
    int runs[GEAR_LOCKSTEP + 1]; // by the gear that was asked for
    int given_up, mirrored;
    int takes, fars, swaps, lockstep_fars; // certificates with these terms; of lockstep
} MeasuredCounts;

// Returns false if the gear does not apply.
// In the gear chain, `full` asks for convoys.
static bool run(const MeasuredCase *k, Gear gear, bool full, bool path, MeasuredRun *x)
{
    Site *site = site_of_measured(k->machine->platform, k->machine->map);
    const Hockney h = {.transfer = TRANSFER_MEASURED, .site = site};
    const ReplayOptions o = {
        .gear = gear, .start = k->start, .full = full, .convoys = full, .clocks = true, .path = path};
    if (!replay_gear_applies(k->s, &h, &o, gear)) {
        site_free(site);
        return false;
    }
    g_autoptr(GError) error = NULL;
    *x = (MeasuredRun){site, replay(k->s, &h, &o, &error)};
    g_assert_no_error(error);
    return true;
}

static void clear(MeasuredRun *x)
{
    replay_free(x->replay);
    site_free(x->site);
}

// Returns how often a term is in the certificate.
static int64_t count_of(const MeasuredRun *x, const CostTerm *term)
{
    for (int i = 0; i < x->replay->n_terms; i++)
        if (term_equal(&x->site->term[i], term))
            return x->replay->count[i];
    return 0;
}

static void fail(const MeasuredCase *k, const MeasuredRun *x, const char *what)
{
    g_error("%s, gear %s (%d ranks): %s", k->name, gear_names[x->replay->gear], (int)x->replay->simulated, what);
}

static void compare_certificates(const MeasuredCase *k, const MeasuredRun *a, const MeasuredRun *b)
{
    for (int i = 0; i < a->replay->n_terms; i++)
        if (a->site->term[i].value > 0 && a->replay->count[i] != count_of(b, &a->site->term[i])) {
            g_autofree char *term = term_text(&a->site->term[i]);
            g_autofree char *what =
                g_strdup_printf("%d times %s, in the event gear %d", (int)count_of(b, &a->site->term[i]), term,
                                (int)a->replay->count[i]);
            fail(k, b, what);
        }
}

static char *step_text(const PathStep *x)
{
    return g_strdup_printf("%d and %d, kind %d, price %d, %d bytes, level %d, until %.17g", x->rank, x->peer, x->kind,
                           x->price, (int)x->bytes, x->level, x->end_s);
}

static void compare_paths(const MeasuredCase *k, const MeasuredRun *a, const MeasuredRun *b)
{
    const GArray *x = a->replay->path, *y = b->replay->path;
    for (guint i = 0; i < MIN(x->len, y->len); i++) {
        g_autofree char *s = step_text(&g_array_index(x, PathStep, i)), *t = step_text(&g_array_index(y, PathStep, i));
        if (strcmp(s, t) != 0) {
            g_autofree char *what = g_strdup_printf("step %u of the path is %s; in the event gear %s", i, t, s);
            fail(k, b, what);
        }
    }
    if (x->len != y->len)
        fail(k, b, "the path has another length");
}

static void compare(const MeasuredCase *k, const MeasuredRun *a, const MeasuredRun *b)
{
    for (int rank = 0; rank < k->s->p; rank++) {
        const double x = a->replay->clocks[rank].t, y = b->replay->clocks[rank].t;
        if (x != y) {
            g_autofree char *what = g_strdup_printf("rank %d ends at %.17g, in the event gear at %.17g", rank, y, x);
            fail(k, b, what);
        }
    }
    if (a->replay->stuck->len != b->replay->stuck->len)
        fail(k, b, "other ranks are stuck");
    compare_certificates(k, a, b);
    compare_certificates(k, b, a);
    if (a->replay->path && b->replay->path)
        compare_paths(k, a, b);
}

// Returns whether the certificate has terms of this kind.
static bool pays(const MeasuredRun *x, TermKind kind)
{
    bool any = false;
    for (int i = 0; i < x->replay->n_terms; i++)
        any |= x->site->term[i].kind == kind && x->replay->count[i] > 0;
    return any;
}

static void agree(const MeasuredCase *k, bool path, MeasuredCounts *n)
{
    MeasuredRun oracle, other;
    run(k, GEAR_EVENT, true, path, &oracle);
    n->runs[GEAR_EVENT]++;
    n->takes += pays(&oracle, TERM_TAKE);
    n->fars += pays(&oracle, TERM_FAR);
    n->swaps += pays(&oracle, TERM_SWAP);
    for (Gear gear = GEAR_AUTO; gear <= GEAR_LOCKSTEP; gear++)
        for (int full = gear == GEAR_EVENT ? 0 : 1; full >= 0; full--) {
            if (!run(k, gear, full, path, &other))
                continue;
            compare(k, &oracle, &other);
            n->runs[gear]++;
            n->given_up += gear != GEAR_AUTO && gear != GEAR_EVENT && other.replay->gear != gear;
            n->mirrored += other.replay->simulated < k->s->p;
            n->lockstep_fars += other.replay->gear == GEAR_LOCKSTEP && pays(&other, TERM_FAR);
            clear(&other);
        }
    clear(&oracle);
}

// ---- The registry ---------------------------------------------------------------------------------------------------

static void agree_at(const CollAlgorithm *a, int p, size_t m, GRand *random, MeasuredCounts *n)
{
    const int root = collectives[a->collective].rooted ? roll(random, p) : 0;
    Coll c = {
        .p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes_of(p, 3), .par = algorithm_defaults(a)};
    c.par.segment = roll(random, 2) ? c.par.segment : MAX(m / 4, 1);
    c = coll_make(a->collective, &c, root, m, NULL);
    const char *why;
    if (coll_resolve(a, &c, &why) != a)
        return;
    const bool levels = roll(random, 2);
    DrawnMachine machine;
    machines_draw(&machine, random, p, p % 2 ? 0 : p / 2, levels ? MACHINES_LEVELS : 0);
    machine.platform->measured = draw_figures(random, machine.platform->levels.n);
    Mapping *map = machine.map;
    if (!levels)
        machine.map = NULL;
    const Measured *figures = machine.platform->measured;
    g_autofree int64_t *eager = g_new(int64_t, figures->n_levels);
    for (int i = 0; i < figures->n_levels; i++)
        eager[i] = figures->level[i].eager;
    const bool connects = roll(random, 3) == 0, matches = roll(random, 3) == 0, bounces = roll(random, 3) == 0;
    const MessagesWork work = {connects && measured_charges(&figures->work[WORK_CONNECT]),
                               matches && measured_charges(&figures->work[WORK_MATCH]),
                               bounces && measured_charges(&figures->work[WORK_BOUNCE]) ? eager : NULL,
                               figures->n_levels - 1, machine.map};
    const RecordOptions o = {.copies = measured_charges(&figures->work[WORK_COPY]),
                             .fresh = measured_charges(&figures->work[WORK_FRESH]),
                             .isends = roll(random, 4) > 0,
                             .messages = work.connects || work.matches || work.eager ? &work : NULL};
    Schedule *s = schedule_record(&(Operation){a, c, m}, &o);
    g_autofree double *start = g_new(double, p);
    for (int rank = 0; rank < p; rank++)
        start[rank] = roll(random, 4);
    MeasuredCase k = {.s = s, .machine = &machine};
    k.name = g_strdup_printf("%s %s p=%d root=%d m=%zu connects %d matches %d bounces %d %s",
                             collectives[a->collective].name, a->name, p, root, m, work.connects, work.matches,
                             work.eager != NULL, levels ? machine.text : "flat");
    agree(&k, roll(random, 2), n);
    k.start = start;
    agree(&k, roll(random, 2), n);
    g_free(k.name);
    schedule_free(s);
    machine.map = map;
    machines_clear(&machine);
}

// Returns the number in an environment variable, or 1 if it is not set.
static int from_environment(const char *name)
{
    const char *text = g_getenv(name);
    return text ? atoi(text) : 1;
}

static void test_registry(void)
{
    static const int ranks[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 33, 70}; // on 70, a ring may end in lockstep
    const int runs = from_environment("COLLSIM_RUNS");
    GRand *random = g_rand_new_with_seed((guint32)from_environment("COLLSIM_SEED"));
    MeasuredCounts n = {0};
    for (int i = only_first(); i < only_end(); i++)
        for (size_t j = 0; !algorithms[i]->shared && j < G_N_ELEMENTS(ranks); j++)
            for (int k = 0; k < runs; k++) {
                const size_t p = (size_t)ranks[j], sizes[] = {0, 1, p, 7 * p + 3, 64 * p, 1000};
                agree_at(algorithms[i], ranks[j], sizes[roll(random, 6)], random, &n);
            }
    g_rand_free(random);
    g_test_message("replays: %d as planned, event %d, flow %d, chain %d, lockstep %d; %d with few "
                   "ranks, %d given up",
                   n.runs[GEAR_AUTO], n.runs[GEAR_EVENT], n.runs[GEAR_FLOW], n.runs[GEAR_CHAIN], n.runs[GEAR_LOCKSTEP],
                   n.mirrored, n.given_up);
    g_test_message("certificates: %d with take, %d with far, %d of these of lockstep, %d with swap", n.takes, n.fars,
                   n.lockstep_fars, n.swaps);
    if (only_one())
        return;
    g_assert_cmpint(n.runs[GEAR_FLOW], >, 4000);
    g_assert_cmpint(n.runs[GEAR_CHAIN], >, 1200);
    g_assert_cmpint(n.runs[GEAR_LOCKSTEP], >, 500);
    g_assert_cmpint(n.mirrored, >, 500);
    g_assert_cmpint(n.given_up, >, 500);
    g_assert_cmpint(n.takes, >, 500);
    g_assert_cmpint(n.fars, >, 200);
    g_assert_cmpint(n.lockstep_fars, >, 50);
    g_assert_cmpint(n.swaps, >, 100);
}

// A certificate with more terms than a few runs can count, because every message of its chain has another length, is
// counted on the critical path.
static void test_many_terms(void)
{
    enum { P = 1024 };
    if (only_one()) {
        g_test_skip("it has an algorithm of its own");
        return;
    }
    GRand *random = g_rand_new_with_seed(1);
    DrawnMachine machine;
    machines_draw(&machine, random, P, 1, 0);
    machine.platform->measured = draw_figures(random, 1);
    const CollAlgorithm *a = algorithm_find(COLL_SCATTER, "chain_aggregated");
    Coll c = {.p = P, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
    c = coll_make(COLL_SCATTER, &c, 0, 8, NULL);
    Schedule *s = schedule_record(&(Operation){a, c, 8}, NULL);
    MeasuredRun x;
    run(&(MeasuredCase){.s = s, .machine = &machine}, GEAR_AUTO, false, false, &x);
    int64_t paid = 0;
    for (int i = 0; i < x.replay->n_terms; i++)
        paid += x.replay->count[i] > 0;
    g_test_message("%d terms in a certificate of %g s", (int)paid, x.replay->clock_s);
    g_assert_cmpint(paid, >, P / 8);
    g_assert_cmpfloat_with_epsilon(site_time(x.site, x.replay->count), x.replay->clock_s, 1e-9 * x.replay->clock_s);
    clear(&x);
    schedule_free(s);
    machines_clear(&machine);
    g_rand_free(random);
}

static void add(void)
{
    g_test_add_func("/measured-gears/many-terms", test_many_terms);
    g_test_add_func("/measured-gears/registry", test_registry);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
