// All gears give the same clocks, certificates, paths and stuck ranks: on the registry, on runs that are cut off so
// that ranks get stuck, on planted deadlocks, and on random programs. A second simulator (reference_sim.h) confirms the
// times.
#include "api/backend.h"
#include "api/blocks.h"
#include "api/make.h"
#include "gears_reference.h"
#include "judge/prove/gears_grid.h"
#include "only.h"
#include "planted.h"
#include "engine/schedule/record.h"
#include "reference_sim.h"
#include "engine/replay/replay.h"
#include "engine/rounds/rounds.h"
#include "sample.h"
#include "tap.h"
#include "registry/composition.h"
#include "shapes/symmetry.h"
#include "api/communicate.h"
#include <math.h>
#include <string.h>

enum { MAX_P = 70, APART = 24 }; // a sample has each algorithm on one in APART of the numbers of ranks

// ---- The grid -------------------------------------------------------------------------------------------------------

// The name of a case whose text is its name.
static char *own_text(gconstpointer text)
{
    return g_strdup(text);
}

// Returns the grid of algorithm i, whose numbers of ranks are in p.
static GearsGrid grid_of(int i, int p[MAX_P])
{
    GearsGrid grid = {p, 0, gears_grid.models_apart};
    for (int k = 0; k < gears_grid.n; k++)
        if (sample_takes((guint)(i + k), APART))
            p[grid.n++] = gears_grid.p[k];
    return grid;
}

// Visits every entry on p ranks with n sizes.
static void visit_sizes(int p, const size_t *sizes, size_t n, GearsVisit visit, void *data)
{
    for (int i = only_first(); i < only_end(); i++)
        if (sample_takes((guint)(i + p), 8))
            gears_visit(algorithms[i], p, sizes, n, visit, data);
}

static void visit_all(int p, GearsVisit visit, void *data)
{
    for (int i = only_first(); i < only_end(); i++)
        if (sample_takes((guint)(i + p), APART))
            gears_visit_all(algorithms[i], p, visit, data);
}

// ---- Symmetry -------------------------------------------------------------------------------------------------------

static void report_symmetry(const GearsProof *proof, int least)
{
    g_assert_cmpstr(proof->wrong, ==, NULL);
    g_test_message("%d schedules are the same as with every rank recorded", (int)proof->n.schedules);
    g_assert_cmpint(proof->n.schedules, >=, least);
}

static void test_symmetry(void)
{
    GearsProof proof = {0};
    for (int p[MAX_P], i = only_first(); i < only_end(); i++) {
        const GearsGrid grid = grid_of(i, p);
        gears_prove_symmetry(algorithms[i], &grid, &proof);
    }
    report_symmetry(&proof, only_one() ? 1 : sample_of(80000, 2000));
}

static void test_node_symmetry(void)
{
    GearsProof proof = {0};
    for (int i = only_first(); i < only_end(); i++)
        gears_prove_nodes(algorithms[i], &proof);
    report_symmetry(&proof, only_one() ? 0 : 1000);
}

static void test_patterns(void)
{
    GearsProof proof = {0};
    guint n = 0; // of algorithms with a pattern
    for (int i = only_first(); i < only_end(); i++)
        if (algorithms[i]->pattern && sample_takes(n++, 6))
            gears_prove_pattern(algorithms[i], &proof);
    report_symmetry(&proof, only_one() ? 0 : sample_of(80000, 10000));
}

// ---- The registry in all gears --------------------------------------------------------------------------------------

static void test_agree(void)
{
    GearsProof proof = {0};
    for (int p[MAX_P], i = only_first(); i < only_end(); i++) {
        const GearsGrid grid = grid_of(i, p);
        gears_prove_agree(algorithms[i], &grid, &proof);
    }
    g_assert_cmpstr(proof.wrong, ==, NULL);
    const GearsCounts n = proof.n;
    gears_report(&n);
    if (only_one()) {
        g_assert_cmpint(n.compared, >, 0);
        return;
    }
    g_assert_cmpint(n.replays[GEAR_FLOW], >, sample_of(500000, 12000));
    g_assert_cmpint(n.replays[GEAR_CHAIN], >, sample_of(150000, 3500));
    g_assert_cmpint(n.convoys, >, sample_of(70000, 1800));
    g_assert_cmpint(n.replays[GEAR_LOCKSTEP], >, sample_of(90000, 1500));
}

// What takes no time is not on the critical path, in any gear. The gear is chosen as the program chooses it, and no
// path is kept, because only then may the two parts of a schedule run in different gears.
static void agree_for_free(const GearsPoint *x, void *data)
{
    static const Hockney costs[] = {{.gamma = 1}, {.beta = 1}, {.alpha = 1}, {.alpha = 1, .gamma = 1}, {.alpha = 0}};
    GearsCounts *n = data;
    if (x->a->shared)
        return; // tested in test_shared.c
    Schedule *s = schedule_record(&(Operation){x->a, x->c, x->m}, NULL);
    for (uint32_t i = 0; i < G_N_ELEMENTS(costs); i++)
        for (int transfer = 0; transfer < 3; transfer++) {
            GearsCase k = {.s = s, .model = costs[i], .name = gears_describe, .of = x};
            k.model.transfer = (Transfer)transfer;
            g_autoptr(Replay) oracle = gears_replay(&k, GEAR_EVENT, true, false, n);
            g_autoptr(Replay) r = gears_replay(&k, GEAR_AUTO, false, false, n);
            gears_compare(&k, oracle, r);
            n->compared++;
        }
    n->schedules++;
    schedule_free(s);
}

static void test_free(void)
{
    GearsCounts n = {0};
    const int many[] = {8, 9, 33, 70}; // from 33 ranks on, a ring is long enough to begin or end in lockstep
    for (size_t i = 0; i < G_N_ELEMENTS(many); i++) {
        const size_t sizes[] = {(size_t)many[i], 24 * (size_t)many[i], 7 * (size_t)many[i] + 3};
        visit_sizes(many[i], sizes, G_N_ELEMENTS(sizes), agree_for_free, &n);
    }
    gears_report(&n);
    only_visited(n.schedules);
}

// When every rank stops after the same number of operations, some ranks wait for ever and some messages are left over.
static void agree_cut_off(const GearsPoint *x, void *data)
{
    if (x->a->shared)
        return; // tested in test_shared.c
    static const int64_t cut_offs[] = {1, 2, 3, 5, 8, 69};
    for (uint32_t i = x->number % 3; i < (x->c.p > 64 ? 6 : 5); i += 3) {
        const RecordOptions o = {.cut_off = cut_offs[i]};
        Schedule *s = schedule_record(&(Operation){x->a, x->c, x->m}, &o);
        gears_agree_everywhere(x, s, cut_offs[i], gears_grid.models_apart, data);
        schedule_free(s);
    }
}

static void test_cut_off(void)
{
    GearsProof proof = {0};
    for (int i = 0; i < gears_grid.n; i++)
        visit_all(gears_grid.p[i], agree_cut_off, &proof);
    g_assert_cmpstr(proof.wrong, ==, NULL);
    const GearsCounts n = proof.n;
    gears_report(&n);
    only_visited(n.schedules);
    if (!only_one())
        g_assert_cmpint(n.stuck, >, sample_of(700000, 19000));
}

// ---- Planted programs -----------------------------------------------------------------------------------------------

// What a planted program must give under one model.
typedef struct Expected {
    Planted program;
    Hockney model;
    int64_t clocks[MAX_RANKS]; // when each rank ends; -1 if it does not matter
    int n_stuck;
    Stuck stuck[MAX_RANKS];
} Expected;

static void expect(const Expected *x)
{
    g_autofree char *text = planted_text(&x->program);
    Schedule *s = planted_record(&x->program, 0);
    GearsCounts n = {0};
    // Nothing is cut off; a cut_off other than 0 only allows ranks to be stuck.
    const GearsCase k = {.s = s, .model = x->model, .name = own_text, .of = text, .cut_off = x->n_stuck};
    gears_agree(&k, 3, &n);
    g_autoptr(Replay) r = gears_replay(&k, GEAR_EVENT, false, false, &n);
    for (int rank = 0; rank < s->p; rank++)
        if (x->clocks[rank] >= 0 && r->clocks[rank].t != (double)x->clocks[rank]) {
            g_autofree char *what =
                g_strdup_printf("rank %d ends at %g, not %d", rank, r->clocks[rank].t, (int)x->clocks[rank]);
            gears_fail(&k, r, what);
        }
    bool same = r->stuck->len == (guint)x->n_stuck;
    for (int i = 0; same && i < x->n_stuck; i++)
        same = gears_same_stuck(&g_array_index(r->stuck, Stuck, i), &x->stuck[i]);
    if (!same) {
        for (guint i = 0; i < r->stuck->len; i++) {
            const Stuck *y = &g_array_index(r->stuck, Stuck, i);
            g_test_message("stuck: rank %d peer %d kind %d operation %d bytes %d left over %d", y->rank, y->peer,
                           y->kind, (int)y->operation, (int)y->bytes, y->left_over);
        }
        gears_fail(&k, r, "other ranks are stuck than expected");
    }
    schedule_free(s);
}

static Hockney rendezvous(double alpha, double beta, double gamma)
{
    return (Hockney){alpha, beta, gamma, TRANSFER_RENDEZVOUS};
}

static Hockney eager(double alpha, double beta, double gamma)
{
    return (Hockney){alpha, beta, gamma, TRANSFER_EAGER};
}

static Hockney eager_port(double alpha, double beta, double gamma)
{
    return (Hockney){alpha, beta, gamma, TRANSFER_EAGER_PORT};
}

static void expect_all(const Expected *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect(&cases[i]);
}

static void test_stuck(void)
{
    const Planted ring = {4, {"s1:8 r3:8", "s2:8 r0:8", "s3:8 r1:8", "s0:8 r2:8"}};
    const Planted missing = {2, {"S1:4 r1:4", "r0:4 r0:2"}}, posted = {2, {"R1:4", ""}};
    const Planted left = {3, {"S1:4", "", "g2"}};
    const Planted text = {2, {"R1:1 S1:1 W g3 r1:9", "x0:1,0:1"}};
    const Planted loop = {2, {"s1:1 s1:1 s1:1 s1:1 s1:1 s1:1 s1:1 s1:1", "r0:1 r0:1 r0:1 r0:1 r0:1"}};
    const Planted throttle = {3, {"S1:4 S2:4 t1", "", ""}}, late = {2, {"R1:4 S1:2 t2 g1 t1", "r0:2"}};
    const Stuck of_0 = {0, 1, OP_RECV, 1, 4, false}, of_1 = {1, 0, OP_RECV, 1, 2, false};
    const Stuck sent = {0, 1, OP_SEND, 0, 4, true}, byte = {0, 1, OP_SEND, 0, 1, true};
    const Stuck unmet = {0, 1, OP_RECV, 0, 4, true}, last = {0, 1, OP_RECV, 4, 9, false};
    const Expected cases[] = {
        // In a ring of blocking sends no rank gets to its receive.
        {ring,
         rendezvous(7, 3, 1),
         {0, 0, 0, 0},
         4,
         {{0, 1, OP_SEND, 0, 8, false},
          {1, 2, OP_SEND, 0, 8, false},
          {2, 3, OP_SEND, 0, 8, false},
          {3, 0, OP_SEND, 0, 8, false}}},
        {ring, eager(7, 3, 1), {31, 31, 31, 31}, 0, {{0}}},
        {ring, eager_port(7, 3, 1), {31, 31, 31, 31}, 0, {{0}}},
        // Receives for which no message is sent.
        {missing, rendezvous(1, 1, 0), {0, 5}, 2, {of_0, of_1}},
        {missing, eager(1, 1, 0), {0, 5}, 2, {of_0, of_1}},
        {missing, eager_port(1, 1, 0), {0, 5}, 2, {of_0, of_1}},
        {posted, rendezvous(1, 1, 0), {0, 0}, 1, {unmet}},
        {posted, eager(1, 1, 0), {0, 0}, 1, {unmet}},
        {posted, eager_port(1, 1, 0), {0, 0}, 1, {unmet}},
        // A send that nobody receives.
        {left, rendezvous(1, 1, 1), {0, 0, 2}, 1, {sent}},
        {left, eager(1, 1, 1), {0, 0, 2}, 1, {sent}},
        {left, eager_port(1, 1, 1), {0, 0, 2}, 1, {sent}},
        // A stuck operation is counted in the rank's text, although the schedule merges operations and makes loops.
        {text, rendezvous(1, 1, 1), {5, 2}, 1, {last}},
        {text, eager(1, 1, 1), {5, 2}, 1, {last}},
        {loop, rendezvous(1, 1, 1), {10, 10}, 1, {{0, 1, OP_SEND, 5, 1, false}}},
        {loop, eager(1, 1, 1), {16, 10}, 3, {byte, byte, byte}},
        // A throttle that never ends names the oldest open request.
        {throttle, rendezvous(1, 1, 1), {0, 0, 0}, 1, {{0, 1, OP_THROTTLE, 2, 4, false}}},
        {late, eager(1, 1, 1), {4, 3}, 1, {{0, 1, OP_THROTTLE, 4, 4, false}}},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

static void test_corner(void)
{
    // What takes no time happens first. So rank 2 gets the empty message from rank 0 before the byte from rank 1
    // occupies its in-port, and rank 0 sends its byte to rank 3 at time 0: every rank ends at 1.
    const Planted corner = {4, {"s2:0 S3:1 W", "s2:1", "R1:1 R0:0 W", "r0:1"}};
    // Sends do not overtake: the empty message waits for the byte ahead of it in the sender's queue, although it takes
    // no time itself.
    const Planted head = {2, {"S1:1 S1:0 W", "R0:1 R0:0 W"}};
    // Of messages that begin at the same time, the port takes that of the lowest rank first, although 2 is the root.
    const Planted lowest = {3, {"R1:4 R2:9 w0", "s0:4", "s0:9"}, .root = 2};
    const Expected cases[] = {{corner, rendezvous(0, 1, 0), {1, 1, 1, 1}, 0, {{0}}},
                              {head, rendezvous(0, 1, 0), {1, 1}, 0, {{0}}},
                              {lowest, eager_port(1, 1, 0), {5, 5, 10}, 0, {{0}}}};
    expect_all(cases, G_N_ELEMENTS(cases));
}

// The message from rank 1 begins at 5, when the port of rank 2 has taken the one from rank 0. The port's chain wins.
static void test_port_tie(void)
{
    const Planted x = {3, {"s2:4", "g5 s2:4", "r0:4 r1:4"}};
    const Hockney model = eager_port(1, 1, 1);
    Schedule *s = planted_record(&x, 0);
    g_autoptr(Replay) r = replay(s, &model, &(ReplayOptions){.clocks = true}, NULL);
    const Certificate c = certificate_of(r->clocks[2].n), port = {.alpha = 2, .beta = 8, .gamma = 0};
    g_assert_true(r->clocks[2].t == 10);
    g_assert_true(certificate_equal(&c, &port));
    schedule_free(s);
}

static void test_throttle(void)
{
#define TAKES "r0:4 r0:4 r0:4 r0:4 r0:4 r0:4 r0:4 r0:4"
#define EIGHT "S1:4 t2 S1:4 t2 S1:4 t2 S1:4 t2 S1:4 t2 S1:4 t2 S1:4 t2 S1:4 t2"
#define LATE  "g20 s0:4", "g10 s0:4", "s0:4"
    const Planted eight = {2, {EIGHT, TAKES}}, whole = {2, {EIGHT " W", TAKES}}, slow = {2, {EIGHT, "g20 " TAKES}};
    const Planted busy = {
        2, {"S1:4 t2 g3 S1:4 t2 g3 S1:4 t2 g3 S1:4 t2 g3 S1:4 t2 g3 S1:4 t2 g3 S1:4 t2 g3 S1:4 t2 g3", TAKES}};
    const Planted below_3 = {4, {"R1:4 R2:4 R3:4 t3", LATE}}, below_2 = {4, {"R1:4 R2:4 R3:4 t2", LATE}};
    const Planted below_1 = {4, {"R1:4 R2:4 R3:4 t1", LATE}}, in_turn = {4, {"R1:4 R2:4 R3:4 t3 t2 g1 t1 W", LATE}};
    const Planted ahead = {3, {"R1:20 R2:1 t2", "s0:20", "g3 s0:1"}};
    const Expected cases[] = {
        // A message takes u = 5. After the k-th throttle one message is under way and k - 1 are done, so it ends at
        // 5 (k - 1), the last one at 35.
        {eight, rendezvous(1, 1, 1), {35, 40}, 0, {{0}}},
        {eight, eager(1, 1, 1), {35, 40}, 0, {{0}}},
        {eight, eager_port(1, 1, 1), {35, 40}, 0, {{0}}},
        {whole, rendezvous(1, 1, 1), {40, 40}, 0, {{0}}},
        {whole, eager(1, 1, 1), {40, 40}, 0, {{0}}},
        {whole, eager_port(1, 1, 1), {40, 40}, 0, {{0}}},
        // A receiver that comes 20 later delays the sender only under rendezvous.
        {slow, rendezvous(1, 1, 1), {55, 60}, 0, {{0}}},
        {slow, eager(1, 1, 1), {35, 40}, 0, {{0}}},
        {slow, eager_port(1, 1, 1), {35, 40}, 0, {{0}}},
        // The reductions of 3 overlap with the transfers, so the last throttle still ends at 35.
        {busy, rendezvous(1, 1, 1), {38, 40}, 0, {{0}}},
        {busy, eager(1, 1, 1), {38, 40}, 0, {{0}}},
        {busy, eager_port(1, 1, 1), {38, 40}, 0, {{0}}},
        // Of three receives the one that was posted last ends first: they end at 25, 15 and 5.
        {below_3, rendezvous(1, 1, 1), {5, 25, 15, 5}, 0, {{0}}},
        {below_3, eager(1, 1, 1), {5, 25, 15, 5}, 0, {{0}}},
        {below_3, eager_port(1, 1, 1), {5, 25, 15, 5}, 0, {{0}}},
        {below_2, rendezvous(1, 1, 1), {15, 25, 15, 5}, 0, {{0}}},
        {below_2, eager(1, 1, 1), {15, 25, 15, 5}, 0, {{0}}},
        {below_2, eager_port(1, 1, 1), {15, 25, 15, 5}, 0, {{0}}},
        {below_1, rendezvous(1, 1, 1), {25, 25, 15, 5}, 0, {{0}}},
        {in_turn, eager(1, 1, 1), {25, 25, 15, 5}, 0, {{0}}},
        {in_turn, eager_port(1, 1, 1), {25, 25, 15, 5}, 0, {{0}}},
        // The long message is sent first, but the short one arrives first, at 3 + 2, unless it queues for the in-port.
        {ahead, eager(1, 1, 1), {5, 21, 5}, 0, {{0}}},
        {ahead, eager_port(1, 1, 1), {21, 21, 5}, 0, {{0}}},
        {ahead, rendezvous(1, 1, 1), {21, 21, 23}, 0, {{0}}},
    };
    expect_all(cases, G_N_ELEMENTS(cases));
}

// ---- Against the reference ------------------------------------------------------------------------------------------

// Returns a machine of one level, on which every rank has a node of its own.
static ReferenceMachine flat(const Hockney *model)
{
    return (ReferenceMachine){.transfer = model->transfer,
                              .n_levels = 1,
                              .alpha = {(int64_t)model->alpha},
                              .beta = {(int64_t)model->beta},
                              .gamma = (int64_t)model->gamma,
                              .nics = 1};
}

static void compare_reference(const GearsCase *k, const ReferenceProgram *program, GearsCounts *n)
{
    const ReferenceMachine machine = flat(&k->model);
    gears_reference(k, program, &machine, n);
}

// Compares the gears with each other and with the second simulator.
static void compare(GearsCase *k, const ReferenceProgram *program, uint32_t dice, GearsCounts *n)
{
    compare_reference(k, program, n);
    gears_agree(k, dice, n);
}

// Does the same, and again at a site whose one level charges what the flat machine does. There, gears pay as they do for
// terms that a flat machine does not have.
static void compare_at_site(GearsCase *k, const ReferenceProgram *program, uint32_t dice, GearsCounts *n)
{
    SiteCharges charges;
    site_textbook(charges, k->model.alpha, k->model.beta, k->model.gamma);
    compare(k, program, dice, n);
    k->model.site = site_new(NULL, NULL, &(SiteFigures){.charges = &charges});
    compare(k, program, dice, n);
    site_free(g_steal_pointer(&k->model.site));
}

// Compares the gears with each other and with the second simulator, under nine random models. In about half of them the
// ranks start at random times.
static void compare_random(GRand *random, const Planted *x, int64_t cut_off, GearsCounts *n)
{
    g_autofree char *text = planted_text(x);
    Schedule *s = planted_record(x, cut_off);
    const CollAlgorithm a = planted_entry(x);
    const Coll c = {.p = x->p, .root = x->root, .elem = 1};
    g_autoptr(ReferenceProgram) program = reference_program(&a, COLL_BARRIER, &c, 0, cut_off);
    for (int i = 0; i < 9; i++) {
        double start[MAX_RANKS];
        for (int r = 0; r < x->p; r++)
            start[r] = g_rand_int_range(random, 0, 5);
        GearsCase k = {
            .s = s, .name = own_text, .of = text, .start = g_rand_boolean(random) ? start : NULL, .cut_off = cut_off};
        k.model = (Hockney){g_rand_int_range(random, 0, 3), g_rand_int_range(random, 0, 4),
                            g_rand_int_range(random, 0, 3), (Transfer)(i % 3)};
        (i < 3 ? compare_at_site : compare)(&k, program, g_rand_int(random), n);
    }
    n->schedules++;
    schedule_free(s);
}

// Compares that many programs by `write`, each as a whole and cut off.
static GearsCounts compare_all_random(Planted (*write)(GRand *random), int programs)
{
    GRand *random = g_rand_new_with_seed(sample_seed(20261122));
    GearsCounts n = {0};
    for (int i = 0; i < programs; i++) {
        const Planted x = write(random);
        compare_random(random, &x, 0, &n);
        compare_random(random, &x, g_rand_int_range(random, 1, 16), &n);
        for (int r = 0; r < x.p; r++)
            g_free(x.text[r]);
    }
    g_rand_free(random);
    gears_report(&n);
    return n;
}

// ---- Cuts and groups ------------------------------------------------------------------------------------------------

static int n_cuts; // the different vectors that run_cuts cuts into blocks

static void run_cuts(const Coll *c)
{
    const int to = (c->rank + 1) % c->p, from = (c->rank + c->p - 1) % c->p;
    for (int i = 0; i < 2 * n_cuts; i++) {
        const size_t whole = (size_t)c->p * (size_t)(1 + i % n_cuts) + 1;
        const Blocks b = blocks_even(c, coll_scratch(c, whole), c->p);
        coll_sendrecv(c, to, block(&b, (c->rank + i) % c->p), from, block(&b, (from + i) % c->p));
    }
}

static int same_rank(const Coll *up, int i)
{
    (void)up;
    return i;
}

// The pairs of the lowest 2 ranks, of the lowest 3, 4 .. p-1.
static void run_groups(const Coll *c)
{
    for (int p = MAX(2, c->rank + 1); p < c->p; p++) {
        const Coll group = coll_sub(c, p, c->rank, same_rank);
        const Slice s = coll_scratch(c, (size_t)p);
        if ((c->rank ^ 1) < p)
            coll_sendrecv(&group, c->rank ^ 1, s, c->rank ^ 1, s);
    }
}

// Returns how many cuts and groups the schedule of a text on p ranks has, with its peers recorded in this way, and
// compares its times.
static int numbered(void (*run)(const Coll *c), int p, CollPeers peers, GearsCounts *n)
{
    const CollAlgorithm a = {.collective = COLL_BARRIER, .name = "cuts and groups", .run = run, .peers = peers};
    const Coll c = {.p = p, .elem = 1};
    g_autoptr(ReferenceProgram) program = reference_program(&a, COLL_BARRIER, &c, 0, 0);
    Schedule *s = schedule_record(&(Operation){&a, c, 0}, NULL);
    GearsCase k = {.s = s, .name = own_text, .of = a.name};
    for (Transfer t = TRANSFER_RENDEZVOUS; t <= TRANSFER_EAGER_PORT; t++) {
        k.model = (Hockney){3, 2, 1, t};
        compare_at_site(&k, program, 1, n);
    }
    const int count = s->n_cuts + s->n_groups - 2;
    n->schedules++;
    schedule_free(s);
    return count;
}

// A schedule numbers few cuts and groups. Beyond these, lengths are in bytes, and peers are relative to v.
static void test_numbered(void)
{
    GearsCounts n = {0};
    for (n_cuts = 1; n_cuts < 2 * MAX_CUTS; n_cuts += n_cuts == 3 ? MAX_CUTS - 6 : 1 + n_cuts / 3) {
        g_assert_cmpint(numbered(run_cuts, 5, PEERS_SHIFT, &n), ==, MIN(n_cuts, MAX_CUTS - 1));
        g_assert_cmpint(numbered(run_cuts, 5, PEERS_ABSOLUTE, &n), ==, 0);
    }
    for (int p = 3; p < 2 * MAX_GROUPS; p++)
        g_assert_cmpint(numbered(run_groups, p, PEERS_XOR, &n), ==, MIN(p - 2, MAX_GROUPS - 1));
    gears_report(&n);
}

static void test_random(void)
{
    compare_all_random(planted_random, sample_of(10000, 1000));
}

static void test_symmetric(void)
{
    compare_all_random(planted_symmetric, sample_of(500, 60));
}

static void test_mirrored(void)
{
    const int programs = sample_of(5000, 300);
    const GearsCounts n = compare_all_random(planted_mirrored, programs);
    g_assert_cmpint(n.mirrored, >, 6 * programs);
}

// `show` draws as many rounds of a program as the second simulator needs units of time if a message takes one.
static void test_rounds(void)
{
    GRand *random = g_rand_new_with_seed(sample_seed(20261124));
    const Hockney one = {.alpha = 1, .transfer = TRANSFER_RENDEZVOUS};
    const ReferenceMachine unit = flat(&one);
    for (int i = 0; i < sample_of(3000, 300); i++) {
        Planted x = planted_random(random);
        for (int r = 0; r < x.p; r++) { // no message may be under way when its ranks have ended
            g_autofree char *text = x.text[r];
            x.text[r] = g_strconcat(text, " W", NULL);
        }
        const CollAlgorithm a = planted_entry(&x);
        const Coll c = {.p = x.p, .root = x.root, .elem = 1};
        g_autoptr(ReferenceProgram) program = reference_program(&a, COLL_BARRIER, &c, 0, 0);
        ReferenceStamp ends[MAX_RANKS];
        bool passed;
        const int64_t t = reference_run(program, &unit, NULL, ends, &passed);
        g_autoptr(GArray) messages = rounds_play(&(Operation){&a, c, 0});
        const int rounds = messages->len ? g_array_index(messages, RoundMessage, messages->len - 1).round : 0;
        if (rounds != t) {
            g_autofree char *text = planted_text(&x);
            g_error("%s: %d rounds, not %d", text, rounds, (int)t);
        }
        for (int r = 0; r < x.p; r++)
            g_free(x.text[r]);
    }
    g_rand_free(random);
}

static void agree_reference(const GearsPoint *x, void *data)
{
    if (x->a->shared)
        return; // tested in test_shared.c
    if (x->c.p > 9 && strcmp(x->a->name, "linear") != 0)
        return;
    double start[MAX_P];
    Schedule *s = schedule_record(&(Operation){x->a, x->c, x->m}, NULL);
    g_autoptr(ReferenceProgram) program = reference_program(x->a, x->a->collective, &x->c, x->m, 0);
    for (uint32_t i = x->number % 3; i < GEARS_MODELS; i += 3)
        for (int transfer = 0; gears_is_whole(gears_models[i].alpha) && transfer < 3; transfer++) {
            gears_skew(start, x->c.p, &gears_models[i], x->number + i);
            const GearsCase k =
                gears_case(x, s, i, (Transfer)transfer, (x->number + (uint32_t)transfer) % 2 ? start : NULL, 0);
            compare_reference(&k, program, data);
        }
    schedule_free(s);
    ((GearsCounts *)data)->schedules++;
}

// Small p, and 64 ranks for the linear algorithms, whose queues are then long.
static void test_registry_reference(void)
{
    GearsCounts n = {0};
    for (int p = 2; p <= 9; p++)
        visit_all(p, agree_reference, &n);
    visit_all(64, agree_reference, &n);
    gears_report(&n);
    only_visited(n.schedules);
}

// ---- Too many messages ----------------------------------------------------------------------------------------------

static void send_to_all(const Coll *c)
{
    const Slice s = coll_scratch(c, 1);
    for (int i = 1; i < c->p; i++)
        coll_irecv(c, (c->rank + i) % c->p, s);
    for (int i = 1; i < c->p; i++)
        coll_isend(c, (c->rank - i + c->p) % c->p, s);
    coll_waitall(c, 0);
}

// If each of 20,000 ranks sends to all others, a replay of one rank that stands for all is quick. A replay of every
// rank would take days, so it is refused: p^2 messages that compete for ports are too many from 14,143 ranks on.
static void test_contended(void)
{
    const CollAlgorithm a = {
        .collective = COLL_BARRIER, .name = "all", .run = send_to_all, .peers = PEERS_SHIFT, .same_as = same_always};
    const Coll c = {.p = 20000, .elem = 1};
    Schedule *s = schedule_record(&(Operation){&a, c, 0}, NULL);
    for (int transfer = 0; transfer < 3; transfer++) {
        Hockney model = rendezvous(7, 3, 1);
        model.transfer = (Transfer)transfer;
        g_autoptr(Replay) r = replay(s, &model, &(ReplayOptions){0}, NULL);
        g_assert_cmpint(r->simulated, ==, 1);
        g_assert_cmpint((int64_t)r->time_s, ==, 19999 * 10);
    }
    const Hockney model = rendezvous(7, 3, 1);
    g_autoptr(GError) error = NULL;
    g_assert_null(replay(s, &model, &(ReplayOptions){.full = true}, &error));
    g_assert_nonnull(strstr(error->message, "--full"));
    schedule_free(s);
}

// Shared memory has a test of its own: test_shared.c.
static void add_registry(void)
{
    g_test_add_func("/gears/shared-classes", test_symmetry);
    g_test_add_func("/gears/patterns", test_patterns);
    g_test_add_func("/gears/nodes", test_node_symmetry);
    if (only_one() && only_one()->shared)
        return;
    g_test_add_func("/gears/reference/registry", test_registry_reference);
    g_test_add_func("/gears/cut-off", test_cut_off);
    g_test_add_func("/gears/costs-of-zero", test_free);
    g_test_add_func("/gears/agree", test_agree);
}

static void add(void)
{
    add_registry();
    if (only_one())
        return;
    g_test_add_func("/gears/stuck", test_stuck);
    g_test_add_func("/gears/order-at-one-time", test_corner);
    g_test_add_func("/gears/port-tie", test_port_tie);
    g_test_add_func("/gears/throttle", test_throttle);
    g_test_add_func("/gears/too-many-messages", test_contended);
    g_test_add_func("/gears/rounds", test_rounds);
    g_test_add_func("/gears/cuts-and-groups", test_numbered);
    g_test_add_func("/gears/reference/random", test_random);
    g_test_add_func("/gears/reference/symmetric", test_symmetric);
    g_test_add_func("/gears/reference/mirrored", test_mirrored);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
