// The model measured. The second simulator does what its rules say, by hand-counted examples, and every gear does what
// the second simulator does, for random programs and for every algorithm.
#include "api/make.h"
#include "gears_reference.h"
#include "machines.h"
#include "only.h"
#include "planted.h"
#include "registry/composition.h"
#include "engine/schedule/record.h"
#include "sample.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

// ---- The second simulator, by hand ----------------------------------------------------------------------------------

typedef struct Counted {
    const char *what;
    Planted program;
    int per_node; // ranks of a node; 0 if all are far from each other
    ReferenceFigures figures;
    ReferenceMachine shared;     // only what a node's ranks share
    const char *ends[MAX_RANKS]; // "time: terms", or "stuck"
} Counted;

// A message takes 10, or 6 between sendrecvs, and its port is free after 4. With ONE_10, sizes do not matter.
#define CONSTANT(t)                                                                                                    \
    {                                                                                                                  \
        .n = 1, .at = { {0, t} }                                                                                       \
    }
#define ONE_10 .one = {CONSTANT(10)}, .gap = {CONSTANT(4)}, .ports = 1

static const Counted by_hand[] = {
    {"eager: the second message waits for the out-port, and the receiver's port for nothing",
     {2, {"S1:1 S1:1 W", "g3 r0:1 r0:1"}},
     0,
     {ONE_10, .eager = {8}, .work[WORK_REDUCE].per_byte = 1},
     {.n_levels = 1},
     {"8: 2 gap.0(1)", "14: 1 one.0(1) 1 gap.0(1)"}},
    {"eager: two messages to one rank arrive a gap after each other, the lower rank's first",
     {3, {"R2:1 R1:2 W", "s0:2", "s0:1"}},
     0,
     {ONE_10, .eager = {8}},
     {.n_levels = 1},
     {"14: 1 one.0(2) 1 gap.0(1)", "4: 1 gap.0(2)", "4: 1 gap.0(1)"}},
    {"eager: a receive that is posted late ends a gap later",
     {2, {"s1:1", "g30 r0:1"}},
     0,
     {ONE_10, .eager = {8}, .work[WORK_REDUCE].per_byte = 1},
     {.n_levels = 1},
     {"4: 1 gap.0(1)", "34: 1 gap.0(1) 30 gamma"}},
    {"rendezvous: the transfer begins when the receive is posted",
     {2, {"s1:9", "g30 r0:9"}},
     0,
     {ONE_10, .eager = {8}, .work[WORK_REDUCE].per_byte = 1},
     {.n_levels = 1},
     {"34: 1 gap.0(9) 30 gamma", "40: 1 one.0(9) 30 gamma"}},
    {"step: both ends are in a sendrecv, one of them as an irecv, an isend and a waitall; 2 sends to 0 by itself",
     {3, {"x1:1,1:1 r2:1", "R0:1 S0:1 W", "s0:1"}},
     0,
     {ONE_10, .step = {CONSTANT(6)}, .eager = {8}},
     {.n_levels = 1},
     {"10: 1 step.0(1) 1 gap.0(1)", "6: 1 step.0(1)", "4: 1 gap.0(1)"}},
    {"tables: 2 lies between 0 and 4, 8 is beyond the last point",
     {4, {"s2:2", "s3:8", "r0:2", "r1:8"}},
     0,
     {.one = {{.n = 2, .at = {{0, 10}, {4, 18}}}}, .gap = {{.n = 2, .at = {{1, 3}, {3, 5}}}}, .eager = {8}, .ports = 1},
     {.n_levels = 1},
     {"4: 1 gap.0(2)", "10: 1 gap.0(8)", "14: 1 one.0(2)", "26: 1 one.0(8)"}},
    {"lambda: receive i of 4 ends 2 later for each isend after it",
     {5, {"S1:9 S2:9 S3:9 S4:9 W", "r0:9", "r0:9", "r0:9", "r0:9"}},
     0,
     {ONE_10, .eager = {-1}, .lambda = {2}},
     {.n_levels = 1},
     {"16: 4 gap.0(9)", "16: 1 one.0(9) 3 share.0(9)", "18: 1 one.0(9) 1 gap.0(9) 2 share.0(9)",
      "20: 1 one.0(9) 2 gap.0(9) 1 share.0(9)", "22: 1 one.0(9) 3 gap.0(9)"}},
    {"lambda: eager isends, one before a throttle, and one with a wait of its own share nothing",
     {6, {"S5:9 t1 S1:9 S2:1 S3:9 S4:9 w4 W", "r0:9", "r0:1", "r0:9", "r0:9", "r0:9"}},
     0,
     {ONE_10, .eager = {1}, .lambda = {4}},
     {.n_levels = 1},
     {"20: 1 gap.0(1) 4 gap.0(9)", "18: 1 one.0(9) 1 gap.0(9) 1 share.0(9)", "18: 1 one.0(1) 2 gap.0(9)",
      "22: 1 one.0(9) 1 gap.0(1) 2 gap.0(9)", "26: 1 one.0(9) 1 gap.0(1) 3 gap.0(9)", "10: 1 one.0(9)"}},
    {"2 ports: two messages leave at a time",
     {5, {"S1:9 S2:9 S3:9 S4:9 W", "r0:9", "r0:9", "r0:9", "r0:9"}},
     0,
     {.one = {CONSTANT(10)}, .gap = {CONSTANT(4)}, .ports = 2, .eager = {-1}},
     {.n_levels = 1},
     {"8: 2 gap.0(9)", "10: 1 one.0(9)", "10: 1 one.0(9)", "14: 1 one.0(9) 1 gap.0(9)", "14: 1 one.0(9) 1 gap.0(9)"}},
    {"2 ports: of three eager messages, the third comes to the port that is free first",
     {4, {"R1:1 R2:1 R3:1 W", "s0:1", "s0:1", "s0:1"}},
     0,
     {.one = {CONSTANT(10)}, .gap = {CONSTANT(4)}, .ports = 2, .eager = {8}},
     {.n_levels = 1},
     {"14: 1 one.0(1) 1 gap.0(1)", "4: 1 gap.0(1)", "4: 1 gap.0(1)", "4: 1 gap.0(1)"}},
    {"take: the second message is taken 1 after the first; a receive that is posted late ends 1 later",
     {3, {"g20 r1:1 r2:1", "s0:1", "s0:1"}},
     0,
     {ONE_10, .take = {CONSTANT(1)}, .eager = {8}, .work[WORK_REDUCE].per_byte = 1},
     {.n_levels = 1},
     {"22: 2 take.0(1) 20 gamma", "4: 1 gap.0(1)", "4: 1 gap.0(1)"}},
    {"take: two messages that come together arrive 1 after each other; of 9 bytes they use rendezvous, and a gap",
     {6, {"R1:1 R2:1 W", "s0:1", "s0:1", "R4:9 R5:9 W", "s3:9", "s3:9"}},
     0,
     {ONE_10, .take = {CONSTANT(1)}, .eager = {8}},
     {.n_levels = 1},
     {"11: 1 one.0(1) 1 take.0(1)", "4: 1 gap.0(1)", "4: 1 gap.0(1)", "14: 1 one.0(9) 1 gap.0(9)", "4: 1 gap.0(9)",
      "8: 2 gap.0(9)"}},
    {"far: 1 reacts, but sends to the next rank; 2 reacts; 4 reacts with a message of 9 bytes; 5 sends to 0, which "
     "follows",
     {6, {"s1:1 r5:1", "r0:1 s2:1 r4:9", "r1:1 s4:1", "s5:1", "r2:1 s1:9", "r3:1 s0:1"}},
     0,
     {ONE_10, .far = 3, .eager = {8}},
     {.n_levels = 1},
     {"20: 2 one.0(1)", "43: 3 one.0(1) 1 one.0(9) 1 far", "24: 2 one.0(1) 1 gap.0(1)", "4: 1 gap.0(1)",
      "37: 3 one.0(1) 1 far 1 gap.0(9)", "14: 1 one.0(1) 1 gap.0(1)"}},
    {"far: a sendrecv reacts if another one ended before it; a throttle ends no receive, a wait does",
     {4, {"x2:1,2:1 x2:1,2:1", "R3:1 t1 S3:1 w0 S3:1 W", "x0:1,0:1 x0:1,0:1", "s1:1 r1:1 r1:1"}},
     0,
     {ONE_10, .far = 3, .eager = {8}},
     {.n_levels = 1},
     {"23: 2 one.0(1) 1 far", "18: 1 one.0(1) 2 gap.0(1)", "23: 2 one.0(1) 1 far", "27: 2 one.0(1) 1 far 1 gap.0(1)"}},
    {"far: nodes of two ranks, of which 1 and 2 follow each other, and 2 and 0 of 4 do not",
     {8, {"s2:1 r4:1", "s4:1", "r0:1 s4:1", "", "r1:1 s0:1 r2:1", "", "", ""}},
     2,
     {ONE_10, .far = 3, .eager = {8}},
     {.n_levels = 1},
     {"23: 2 one.0(1) 1 far", "4: 1 gap.0(1)", "14: 1 one.0(1) 1 gap.0(1)", "0: ", "20: 2 one.0(1)",
      "0: ", "0: ", "0: "}},
    {"swap: of 5 bytes and more, between ranks that send to each other; 2, 3 and 4 send in a ring",
     {7, {"x1:5,1:4", "x0:4,0:5", "x3:5,4:5", "x4:5,2:5", "x2:5,3:5", "x6:5,6:5", "s5:5 r5:5"}},
     0,
     {ONE_10, .step = {CONSTANT(6)}, .swap = 6, .swap_from = 5, .eager = {8}},
     {.n_levels = 1},
     {"6: 1 step.0(4)", "9: 1 swap.0(5)", "6: 1 step.0(5)", "6: 1 step.0(5)", "6: 1 step.0(5)", "10: 1 one.0(5)",
      "10: 1 one.0(5)"}},
    {"an out-side of 7 a message delays the second rank's",
     {4, {"s2:1", "s3:1", "r0:1", "r1:1"}},
     2,
     {ONE_10, .eager = {8}},
     {.n_levels = 1, .nics = 1, .per_message = 7},
     {"4: 1 gap.0(1)", "11: 1 gap.0(1) 1 nic.messages", "10: 1 one.0(1)", "17: 1 one.0(1) 1 nic.messages"}},
    {"the memory is busy for half of what 5 bytes take longer than 1",
     {4, {"s1:5", "r0:5", "s3:5", "r2:5"}},
     4,
     {.one = {{.n = 2, .at = {{1, 10}, {5, 18}}}}, .gap = {CONSTANT(3)}, .eager = {-1}, .ports = 1},
     {.n_levels = 1, .nics = 1, .n_points = 1, .memory = {{0, REFERENCE_FACTOR / 2}}},
     {"3: 1 gap.0(5)", "18: 1 one.0(5)", "7: 1 gap.0(5) 1 memory.0(5)", "22: 1 one.0(5) 1 memory.0(5)"}},
    {"two ranks that both send first: eager messages pass",
     {2, {"s1:8 r1:8", "s0:8 r0:8"}},
     0,
     {ONE_10, .eager = {8}},
     {.n_levels = 1},
     {"10: 1 one.0(8)", "10: 1 one.0(8)"}},
    {"longer ones wait for ever",
     {2, {"s1:9 r1:9", "s0:9 r0:9"}},
     0,
     {ONE_10, .eager = {8}},
     {.n_levels = 1},
     {"stuck", "stuck"}},
};

static void test_by_hand(void)
{
    int compared = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(by_hand); i++) {
        const Counted *x = &by_hand[i];
        const CollAlgorithm a = planted_entry(&x->program);
        const Coll c = {.p = x->program.p, .elem = 1};
        g_autoptr(ReferenceProgram) program = reference_program(&a, COLL_BARRIER, &c, 0, 0);
        ReferenceMachine machine = x->shared;
        ReferenceEnd ends[MAX_RANKS];
        int of[MAX_RANKS];
        for (int rank = 0; rank < c.p; rank++)
            of[rank] = x->per_node ? rank / x->per_node : rank;
        machine.nics = MAX(machine.nics, 1);
        reference_machine_place(&machine, c.p, of, NULL, 0);
        reference_measured(program, &machine, &x->figures, NULL, ends);
        for (int rank = 0; rank < c.p; rank++) {
            g_autofree char *terms = reference_terms_text(ends[rank].terms);
            g_autofree char *end = g_strdup_printf("%" G_GINT64_FORMAT ": %s", ends[rank].t, terms);
            if (strcmp(ends[rank].t < 0 ? "stuck" : end, x->ends[rank]) != 0)
                g_error("%s: rank %d: %s, not %s", x->what, rank, end, x->ends[rank]);
            compared++;
        }
        reference_ends_clear(ends, c.p);
        reference_machine_clear(&machine);
    }
    g_test_message("%d clocks and certificates are as counted by hand", compared);
}

// ---- Comparing ------------------------------------------------------------------------------------------------------

typedef struct DrawnCounts {
    GearsCounts gears;
    int64_t paid[N_REFERENCE_TERMS]; // ranks whose certificates have such a term
} DrawnCounts;

// Writes the counts as messages of the test.
static void report(const DrawnCounts *n)
{
    gears_report(&n->gears);
    g_test_message("certificates: %d with far, %d with take, %d with swap, %d with memory_swap",
                   (int)n->paid[REFERENCE_FAR], (int)n->paid[REFERENCE_TAKE], (int)n->paid[REFERENCE_SWAP],
                   (int)n->paid[REFERENCE_MEMORY_SWAP]);
}

typedef struct DrawnCase {
    const DrawnMachine *machine;
    char *what; // the algorithm's point or the program
} DrawnCase;

static char *case_name(gconstpointer of)
{
    const DrawnCase *x = of;
    return g_strdup_printf("%s\n%s\n", x->what, x->machine->text);
}

// Compares the gears with each other on the machine, and with the second simulator. In half of the runs the ranks start
// at random times. `o` says how the schedule and the program were recorded.
static void compare(GRand *random, const DrawnMachine *machine, const Operation *op, const RecordOptions *o, char *what,
                    DrawnCounts *n)
{
    const DrawnCase of = {machine, what};
    g_autofree double *start = g_new(double, op->c.p);
    Schedule *s = schedule_record(op, o);
    g_autoptr(ReferenceProgram) program =
        reference_program_with(op->algorithm, op->algorithm->collective, &op->c, op->m, o);
    for (int rank = 0; rank < s->p; rank++)
        start[rank] = (double)(g_rand_int_range(random, 0, 5) * MACHINES_UNIT);
    GearsCase k = {.s = s, .model = machines_measured(machine), .name = case_name, .of = &of, .cut_off = o->cut_off};
    k.start = g_rand_boolean(random) ? start : NULL;
    gears_reference_measured(&k, program, &machine->reference, &machine->figures, &n->gears, n->paid);
    gears_agree(&k, g_rand_int(random), &n->gears);
    site_free(k.model.site);
    schedule_free(s);
    n->gears.schedules++;
}

// ---- Random programs on random machines -----------------------------------------------------------------------------

// Returns how many programs of each kind are drawn: COLLSIM_RUNS times as many as usual.
static int programs(void)
{
    const char *runs = g_getenv("COLLSIM_RUNS");
    return sample_of(100, 40) * (runs ? atoi(runs) : 1);
}

static void compare_programs(Planted (*write)(GRand *random), int has, DrawnCounts *n)
{
    GRand *random = g_rand_new_with_seed(20261123);
    for (int i = 0; i < programs(); i++) {
        const Planted x = write(random);
        g_autofree char *text = planted_text(&x);
        const CollAlgorithm a = planted_entry(&x);
        const Coll c = {.p = x.p, .root = x.root, .elem = 1};
        DrawnMachine machine;
        machines_draw_measured(&machine, random, x.p, 0, has);
        RecordOptions o = machines_record(&machine);
        compare(random, &machine, &(Operation){&a, c, 0}, &o, text, n);
        o.cut_off = g_rand_int_range(random, 1, 16);
        compare(random, &machine, &(Operation){&a, c, 0}, &o, text, n);
        machines_clear(&machine);
        for (int r = 0; r < x.p; r++)
            g_free(x.text[r]);
    }
    g_rand_free(random);
}

static void compare_all_programs(int has)
{
    DrawnCounts n = {0};
    compare_programs(planted_random, has, &n);
    compare_programs(planted_mirrored, has, &n);
    compare_programs(planted_symmetric, has, &n);
    compare_programs(planted_tail, has, &n);
    report(&n);
    g_assert_cmpint(n.gears.mirrored, >, programs() / 10);
    g_assert_cmpint(n.paid[REFERENCE_FAR], >, programs() / 4);
    g_assert_cmpint(n.paid[REFERENCE_TAKE], >, programs() / 2);
    g_assert_cmpint(n.paid[REFERENCE_SWAP], >, programs() / 10);
}

static void test_random_flat(void)
{
    compare_all_programs(0);
}

static void test_random_levels(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_WORK);
}

static void test_random_ports(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_PORTS);
}

static void test_random_shared(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY);
}

static void test_random_all(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY | MACHINES_PORTS | MACHINES_WORK);
}

// ---- The registry ---------------------------------------------------------------------------------------------------

enum { MOST_MESSAGES = 300 }; // for the second simulator, which is slow

// Sets the operation to one run of the algorithm. Returns false if another algorithm would run.
static bool set_operation(Operation *op, const CollAlgorithm *a, int p, int root, size_t m, const CollNodes *nodes)
{
    *op = (Operation){.algorithm = a, .m = m};
    op->c = (Coll){.p = p, .root = root, .elem = 1, .commutative = true, .nodes = (CollNodes *)nodes};
    op->c.par = algorithm_defaults(a);
    Coll view = coll_make(a->collective, &op->c, 0, m, NULL);
    const char *why;
    return !a->shared && coll_resolve(a, &view, &why) == a;
}

static int draw_root(GRand *random, const CollAlgorithm *a, int p)
{
    return collectives[a->collective].rooted ? g_rand_int_range(random, 0, p) : 0;
}

// Draws a size: one for which blocks or the whole are about as long as the longest eager message, or another one.
static size_t draw_size(GRand *random, const CollAlgorithm *a, const DrawnMachine *machine, int p)
{
    const int64_t eager = CLAMP(machine->figures.eager[machine->reference.n_levels - 1], 1, 40);
    const int64_t sizes[] = {7 * p + 3, 1, eager, eager + 1, p * eager, p * (eager + 1)};
    return a->collective == COLL_BARRIER ? 0 : (size_t)sizes[g_rand_int_range(random, 0, G_N_ELEMENTS(sizes))];
}

// Goes over all algorithms on p ranks, each on a machine of its own; a quarter of the runs are cut off.
static void compare_registry(GRand *random, int p, int has, DrawnCounts *n)
{
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        DrawnMachine machine;
        Operation op;
        machines_draw_measured(&machine, random, p, 0, has);
        RecordOptions o = machines_record(&machine);
        const size_t m = draw_size(random, a, &machine, p);
        if (set_operation(&op, a, p, draw_root(random, a, p), m, machine.map->nodes)) {
            Schedule *s = schedule_record(&op, &o);
            g_autofree char *what =
                g_strdup_printf("%s %s p=%d root=%d m=%zu", collectives[a->collective].name, a->name, p, op.c.root, m);
            if (g_rand_int_range(random, 0, 4) == 0)
                o.cut_off = g_rand_int_range(random, 1, 9);
            if (schedule_totals(s).messages <= MOST_MESSAGES)
                compare(random, &machine, &op, &o, what, n);
            schedule_free(s);
        }
        machines_clear(&machine);
    }
}

static void test_registry(void)
{
    static const int all_p[] = {2, 3, 4, 5, 6, 7, 8, 13, 16};
    static const int has[] = {MACHINES_WORK, MACHINES_LEVELS | MACHINES_PORTS,
                              MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY,
                              MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY | MACHINES_PORTS | MACHINES_WORK};
    GRand *random = g_rand_new_with_seed(sample_seed(20261124));
    DrawnCounts n = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(all_p); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(has); k++)
            if (sample_takes((guint)(i * G_N_ELEMENTS(has) + k), 3))
                compare_registry(random, all_p[i], has[k], &n);
    g_rand_free(random);
    report(&n);
    only_visited(n.gears.schedules);
    if (!only_one())
        g_assert_cmpint(n.gears.schedules, >, sample_of(3000, 900));
}

// ---- Figures that are not integers ----------------------------------------------------------------------------------

static void scale_table(Table *table, double by)
{
    for (int i = 0; table && i < table->n; i++)
        table->at[i].value *= by;
}

// Multiplies all times of the machine by a number that makes sums inexact.
static void scale(DrawnMachine *x)
{
    const double by = 1.1e-9 / 3;
    Measured *m = x->platform->measured;
    for (int k = 0; k < m->n_levels; k++) {
        scale_table(m->level[k].one, by);
        scale_table(m->level[k].step, by);
        scale_table(m->level[k].gap, by);
        scale_table(m->level[k].take, by);
    }
    m->far *= by;
    for (int i = 0; i < N_WORK_KINDS; i++) {
        m->work[i].per_byte *= by;
        scale_table(m->work[i].table, by);
    }
    x->platform->value[KEY_NIC_RATE] *= by;
    x->platform->value[KEY_NIC_MESSAGES] *= by;
}

// The gears agree bit for bit also where times are rounded, and every clock is its certificate's value within 1e-12.
static void test_fractions(void)
{
    GRand *random = g_rand_new_with_seed(20261125);
    GearsCounts n = {0};
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        const int p = 4 + g_rand_int_range(random, 0, 5);
        DrawnMachine machine;
        Operation op;
        machines_draw_measured(&machine, random, p, 0, MACHINES_LEVELS | MACHINES_WORK | (i % 4 ? 0 : MACHINES_NICS));
        const size_t m = draw_size(random, a, &machine, p);
        scale(&machine);
        if (set_operation(&op, a, p, draw_root(random, a, p), m, machine.map->nodes)) {
            const RecordOptions o = machines_record(&machine);
            g_autofree char *what = g_strdup_printf("%s %s p=%d root=%d m=%zu, scaled", collectives[a->collective].name,
                                                    a->name, p, op.c.root, m);
            const DrawnCase of = {&machine, what};
            Schedule *s = schedule_record(&op, &o);
            const GearsCase k = {.s = s, .model = machines_measured(&machine), .name = case_name, .of = &of};
            gears_agree(&k, g_rand_int(random), &n);
            n.schedules++;
            site_free(k.model.site);
            schedule_free(s);
        }
        machines_clear(&machine);
    }
    g_rand_free(random);
    gears_report(&n);
    only_visited(n.schedules);
}

// ---- Predictions ----------------------------------------------------------------------------------------------------

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const Mapping *map,
                           bool full)
{
    GError *error = NULL;
    Prediction *x = model->predict(model, op, platform, &(PredictOptions){.map = map, .full = full}, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(x->stuck->len, ==, 0);
    return x;
}

// Returns how often the prediction pays the term.
static int64_t count_of(const Prediction *x, const CostTerm *term)
{
    for (guint i = 0; i < x->terms->len; i++)
        if (term_equal(&g_array_index(x->terms, PredictionTerm, i).term, term))
            return g_array_index(x->terms, PredictionTerm, i).n;
    return 0;
}

// A few ranks that stand for all give the time and the certificate of all.
static void check_full(const Operation *op, const DrawnMachine *machine, int64_t *fewer)
{
    g_autoptr(Prediction) few = predict(&measured_model, op, machine->platform, machine->map, false),
                          all = predict(&measured_model, op, machine->platform, machine->map, true);
    bool same = few->time_s == all->time_s;
    for (guint i = 0; i < all->terms->len; i++) {
        const PredictionTerm *term = &g_array_index(all->terms, PredictionTerm, i);
        same = same && count_of(few, &term->term) == term->n;
    }
    if (!same)
        g_error("%s %s p=%d root=%d m=%zu: %g s, with --full %g s, or another certificate\n%s",
                collectives[op->algorithm->collective].name, op->algorithm->name, op->c.p, op->c.root, op->m,
                few->time_s, all->time_s, machine->text);
    *fewer += few->ranks_simulated < op->c.p;
}

static void test_full(void)
{
    static const int all_p[] = {12, 32};
    GRand *random = g_rand_new_with_seed(20261126);
    int64_t n = 0, fewer = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(all_p); k++)
        for (int i = only_first(); i < only_end(); i++) {
            const CollAlgorithm *a = algorithms[i];
            const int p = all_p[k];
            DrawnMachine machine;
            Operation op;
            machines_draw_measured(&machine, random, p, 4, i % 3 ? MACHINES_LEVELS : MACHINES_LEVELS | MACHINES_NICS);
            const size_t m = draw_size(random, a, &machine, p);
            if (set_operation(&op, a, p, draw_root(random, a, p), m, machine.map->nodes)) {
                check_full(&op, &machine, &fewer);
                n++;
            }
            machines_clear(&machine);
        }
    g_rand_free(random);
    g_test_message("%" G_GINT64_FORMAT " runs, %" G_GINT64_FORMAT " of them with fewer ranks than p", n, fewer);
    only_visited(n);
    g_assert_true(only_one() || fewer > 20);
}

// Returns a flat machine on which measured says what hockney says: one = gap = alpha + n beta. All sums are exact.
static Platform *straight_platform(void)
{
    enum { FAR_POINT = 1 << 20 };
    static const PlatformKey keys[] = {KEY_ALPHA, KEY_BETA, KEY_GAMMA};
    static const double figures[] = {0x1p-20, 0x1p-30, 0x1p-32};
    Platform *x = platform_new("straight");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        x->value[keys[i]] = figures[i];
        x->has[keys[i]] = TRUE;
    }
    Table one = {.n = 2, .at = (TablePoint[]){{0, figures[0]}, {FAR_POINT, figures[0] + FAR_POINT * figures[1]}}};
    x->measured = measured_new(1);
    x->measured->level[0] =
        (MeasuredLevel){.one = table_copy(&one), .gap = table_copy(&one), .eager = MEASURED_ALL_RENDEZVOUS};
    x->measured->work[WORK_REDUCE].per_byte = figures[2];
    return x;
}

static void test_hockney(void)
{
    static const int all_p[] = {2, 3, 5, 8, 13, 16, 31, 64};
    Platform *platform = straight_platform();
    int64_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(all_p); k++)
        for (int i = only_first(); i < only_end(); i++) {
            const CollAlgorithm *a = algorithms[i];
            const int p = all_p[k];
            const size_t sizes[] = {1, 7 * (size_t)p + 3, 40000};
            for (size_t j = 0; j < (a->collective == COLL_BARRIER ? 1 : G_N_ELEMENTS(sizes)); j++) {
                Operation op;
                const size_t m = a->collective == COLL_BARRIER ? 0 : sizes[j];
                const int root = collectives[a->collective].rooted ? p / 3 : 0;
                if (!set_operation(&op, a, p, root, m, NULL))
                    continue;
                g_autoptr(Prediction) x = predict(&measured_model, &op, platform, NULL, false),
                                      y = predict(&hockney_model, &op, platform, NULL, false);
                if (x->time_s != y->time_s)
                    g_error("%s %s p=%d root=%d m=%zu: measured %.17g s, hockney %.17g s",
                            collectives[a->collective].name, a->name, p, root, m, x->time_s, y->time_s);
                n++;
            }
        }
    platform_free(platform);
    g_test_message("%" G_GINT64_FORMAT " runs take as long as under hockney", n);
    only_visited(n);
}

// ---- Deadlocks ------------------------------------------------------------------------------------------------------

typedef struct StuckCase {
    Planted program; // on a machine where messages of up to 8 bytes are eager
    int n;
    Stuck stuck[2];
} StuckCase;

static const StuckCase stuck_cases[] = {
    {{2, {"s1:8 r1:8", "s0:8 r0:8"}}, 0, {{0}}},
    {{2, {"s1:9 r1:9", "s0:9 r0:9"}}, 2, {{0, 1, OP_SEND, 0, 9, false}, {1, 0, OP_SEND, 0, 9, false}}},
    {{2, {"g1 r1:8", "s0:8 r0:9"}}, 1, {{1, 0, OP_RECV, 1, 9, false}}},
    {{2, {"s1:8", "g1"}}, 1, {{0, 1, OP_SEND, 0, 8, true}}},
    {{2, {"S1:9 g2", "g1"}}, 1, {{0, 1, OP_SEND, 0, 9, true}}},
    {{3, {"x1:9,2:9", "r0:9", ""}}, 1, {{0, 2, OP_SENDRECV, 0, 9, false}}},
};

static void test_stuck(void)
{
    GRand *random = g_rand_new_with_seed(20261127);
    GearsCounts n = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(stuck_cases); i++) {
        const StuckCase *x = &stuck_cases[i];
        DrawnMachine machine;
        machines_draw_measured(&machine, random, x->program.p, 0, 0);
        machine.platform->measured->level[0].eager = 8;
        g_autofree char *text = planted_text(&x->program);
        const DrawnCase of = {&machine, text};
        Schedule *s = planted_record(&x->program, 0);
        const GearsCase k = {
            .s = s, .model = machines_measured(&machine), .name = case_name, .of = &of, .cut_off = INT64_MAX};
        g_autoptr(Replay) r = gears_replay(&k, GEAR_EVENT, true, false, &n);
        if ((int)r->stuck->len != x->n)
            gears_fail(&k, r, "the number of stuck ranks is wrong");
        for (int j = 0; j < x->n; j++) {
            const Stuck *y = &g_array_index(r->stuck, Stuck, j);
            if (gears_same_stuck(y, &x->stuck[j]))
                continue;
            g_autofree char *what = g_strdup_printf("rank %d waits for %d in operation %d, kind %d, of %d bytes",
                                                    y->rank, y->peer, (int)y->operation, (int)y->kind, (int)y->bytes);
            gears_fail(&k, r, what);
        }
        gears_agree(&k, 0, &n);
        site_free(k.model.site);
        schedule_free(s);
        machines_clear(&machine);
    }
    g_rand_free(random);
    gears_report(&n);
}

// In the first exchange of a tail that runs in lockstep, only the message of rank 0 takes `far` longer, because only
// rank 0 has received one. Its peer, 2 away, has not.
static void test_first_of_tail(void)
{
    static const CollPeers peers[] = {PEERS_SHIFT, PEERS_XOR};
    GRand *random = g_rand_new_with_seed(20261128);
    GearsCounts n = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(peers); i++) {
        Planted x = {.p = 8, .peers = peers[i]};
        DrawnMachine machine;
        machines_draw_measured(&machine, random, x.p, 1, 0);
        mapping_free(g_steal_pointer(&machine.map)); // each rank is a node
        Measured *m = machine.platform->measured;
        m->level[0].eager = INT64_MAX;
        m->far = (double)MACHINES_UNIT;
        m->work[WORK_REDUCE] = (MeasuredWork){.per_byte = (double)MACHINES_UNIT};
        table_free(m->level[0].gap);
        m->level[0].gap = table_copy(&(Table){.n = 1, .at = &(TablePoint){0, (double)MACHINES_UNIT}});
        for (int r = 0; r < x.p; r++) {
            GString *s = g_string_new(r == 1 ? "s0:1 g1 " : r == 0 ? "r1:1 " : "g1 ");
            const int to = peers[i] == PEERS_XOR ? r ^ 2 : (r + 2) % 8, from = peers[i] == PEERS_XOR ? to : (r + 6) % 8;
            for (int k = 0; k < 70; k++)
                g_string_append_printf(s, "x%d:1,%d:1 ", to, from);
            x.text[r] = g_string_free(s, FALSE);
        }
        g_autofree char *text = planted_text(&x);
        const DrawnCase of = {&machine, text};
        Schedule *s = planted_record(&x, 0);
        const GearsCase k = {.s = s, .model = machines_measured(&machine), .name = case_name, .of = &of};
        g_autoptr(Replay) r = gears_replay(&k, GEAR_LOCKSTEP, true, false, &n);
        g_assert_true(r && r->gear == GEAR_LOCKSTEP);
        gears_agree(&k, 0, &n);
        site_free(k.model.site);
        schedule_free(s);
        machines_clear(&machine);
        for (int rank = 0; rank < x.p; rank++)
            g_free(x.text[rank]);
    }
    g_rand_free(random);
    gears_report(&n);
}

static void add(void)
{
    g_test_add_func("/measured/by-hand", test_by_hand);
    g_test_add_func("/measured/random/flat", test_random_flat);
    g_test_add_func("/measured/random/levels", test_random_levels);
    g_test_add_func("/measured/random/ports", test_random_ports);
    g_test_add_func("/measured/random/shared", test_random_shared);
    g_test_add_func("/measured/random/all", test_random_all);
    g_test_add_func("/measured/registry", test_registry);
    g_test_add_func("/measured/fractions", test_fractions);
    g_test_add_func("/measured/full", test_full);
    g_test_add_func("/measured/hockney", test_hockney);
    g_test_add_func("/measured/stuck", test_stuck);
    g_test_add_func("/measured/first-of-tail", test_first_of_tail);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
