// The model measured. The second simulator does what its rules say, by hand-counted examples, and every gear does what
// the second simulator does, for random programs and for every algorithm.
#include "api/make.h"
#include "gears.h"
#include "machines.h"
#include "only.h"
#include "planted.h"
#include "registry/composition.h"
#include "schedule/record.h"
#include "tap.h"
#include <string.h>

// ---- Comparing ------------------------------------------------------------------------------------------------------

typedef struct MeasuredCase {
    const DrawnMachine *machine;
    char *what; // the algorithm's point or the program
} MeasuredCase;

static char *case_name(gconstpointer of)
{
    const MeasuredCase *x = of;
    return g_strdup_printf("%s\n%s\n", x->what, x->machine->text);
}

// Compares the gears with each other on the machine, and with the second simulator. In half of the runs the ranks start
// at random times. `o` says how the schedule and the program were recorded.
static void compare(GRand *random, const DrawnMachine *machine, const Operation *op, const RecordOptions *o, char *what,
                    GearsCounts *n)
{
    const MeasuredCase of = {machine, what};
    g_autofree double *start = g_new(double, op->c.p);
    Schedule *s = schedule_record(op, o);
    g_autoptr(ReferenceProgram) program =
        reference_program_with(op->algorithm, op->algorithm->collective, &op->c, op->m, o);
    for (int rank = 0; rank < s->p; rank++)
        start[rank] = (double)(g_rand_int_range(random, 0, 5) * MACHINES_UNIT);
    GearsCase k = {.s = s, .model = machines_measured(machine), .name = case_name, .of = &of, .cut_off = o->cut_off};
    k.start = g_rand_boolean(random) ? start : NULL;
    gears_reference_measured(&k, program, &machine->reference, &machine->figures, n);
    gears_agree(&k, g_rand_int(random), n);
    site_free(k.model.site);
    schedule_free(s);
    n->schedules++;
}

// ---- Random programs on random machines -----------------------------------------------------------------------------

#ifdef __SANITIZE_ADDRESS__
enum { PROGRAMS = 40 };
#else
enum { PROGRAMS = 100 };
#endif

static void compare_programs(Planted (*write)(GRand *random), int has, GearsCounts *n)
{
    GRand *random = g_rand_new_with_seed(20261123);
    for (int i = 0; i < PROGRAMS; i++) {
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
    GearsCounts n = {0};
    compare_programs(planted_random, has, &n);
    compare_programs(planted_mirrored, has, &n);
    compare_programs(planted_symmetric, has, &n);
    gears_report(&n);
    g_assert_cmpint(n.mirrored, >, PROGRAMS / 10);
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
static void compare_registry(GRand *random, int p, int has, GearsCounts *n)
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
    GRand *random = g_rand_new_with_seed(20261124);
    GearsCounts n = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(all_p); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(has); k++)
            compare_registry(random, all_p[i], has[k], &n);
    g_rand_free(random);
    gears_report(&n);
    only_visited(n.schedules);
    if (!only_one())
        g_assert_cmpint(n.schedules, >, 3000);
}

static void add(void)
{
    g_test_add_func("/measured/random/flat", test_random_flat);
    g_test_add_func("/measured/random/levels", test_random_levels);
    g_test_add_func("/measured/random/ports", test_random_ports);
    g_test_add_func("/measured/random/shared", test_random_shared);
    g_test_add_func("/measured/random/all", test_random_all);
    g_test_add_func("/measured/registry", test_registry);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
