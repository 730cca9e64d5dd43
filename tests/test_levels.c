// Machines with levels, and nodes whose ranks share NICs and a memory. The second simulator does what its rules say, by
// hand-counted examples, and every gear does what the second simulator does.
#include "machine/platform/mapping.h"
#include "api/make.h"
#include "gears_reference.h"
#include "machines.h"
#include "only.h"
#include "planted.h"
#include "registry/composition.h"
#include "engine/schedule/record.h"
#include "reference_sim.h"
#include "sample.h"
#include "tap.h"
#include <string.h>

// ---- The second simulator, by hand ----------------------------------------------------------------------------------

typedef struct ByHand {
    const char *what;
    Planted program;
    int per_node; // ranks of a node; the nodes are runs of consecutive ranks
    ReferenceMachine machine;
    const char *ends[3][MAX_RANKS]; // by discipline and rank; NULL if it is the same as under rendezvous
} ByHand;

// A message of 4 bytes takes 5. Under nic.rate it occupies a side for 8.
#define ONE_LEVEL .n_levels = 1, .alpha = {1}, .beta = {1}, .gamma = 1

static const ByHand by_hand[] = {
    {"two ranks of a node share a NIC: the second begins when it is free, at 8",
     {4, {"s2:4", "s3:4", "r0:4", "r1:4"}},
     2,
     {ONE_LEVEL, .nics = 1, .per_byte = 2},
     {{"5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 4 nic.rate", "5: 1 alpha.0 4 beta.0",
       "13: 1 alpha.0 4 beta.0 4 nic.rate"}}},
    {"two NICs",
     {4, {"s2:4", "s3:4", "r0:4", "r1:4"}},
     2,
     {ONE_LEVEL, .nics = 2, .per_byte = 2},
     {{"5: 1 alpha.0 4 beta.0", "5: 1 alpha.0 4 beta.0", "5: 1 alpha.0 4 beta.0", "5: 1 alpha.0 4 beta.0"}}},
    {"ranks 4 and 5 share an in-side; under rendezvous rank 2 holds its out-side while it waits, and rank 3 waits for "
     "it",
     {6, {"s4:4", "r3:4", "s5:4", "s1:4", "r0:4", "r2:4"}},
     2,
     {ONE_LEVEL, .nics = 1, .per_byte = 2},
     {{"5: 1 alpha.0 4 beta.0", "21: 1 alpha.0 4 beta.0 8 nic.rate", "13: 1 alpha.0 4 beta.0 4 nic.rate",
       "21: 1 alpha.0 4 beta.0 8 nic.rate", "5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 4 nic.rate"},
      {"5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 4 nic.rate", "5: 1 alpha.0 4 beta.0",
       "13: 1 alpha.0 4 beta.0 4 nic.rate", "5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 4 nic.rate"},
      {"5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 4 nic.rate", "5: 1 alpha.0 4 beta.0",
       "13: 1 alpha.0 4 beta.0 4 nic.rate", "5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 4 nic.rate"}}},
    {"a message occupies the memory for twice its bytes",
     {4, {"s1:4", "r0:4", "s3:4", "r2:4"}},
     4,
     {ONE_LEVEL, .nics = 1, .n_points = 1, .memory = {{0, 2 * REFERENCE_FACTOR}}},
     {{"5: 1 alpha.0 4 beta.0", "5: 1 alpha.0 4 beta.0", "13: 1 alpha.0 4 beta.0 8 memory.0",
       "13: 1 alpha.0 4 beta.0 8 memory.0"}}},
    {"half of 5 bytes are 3; the factor of 5 bytes is half way between those of 4 and 6",
     {4, {"s1:5", "r0:5", "s3:5", "r2:5"}},
     4,
     {ONE_LEVEL, .nics = 1, .n_points = 2, .memory = {{4, REFERENCE_FACTOR}, {6, 0}}},
     {{"6: 1 alpha.0 5 beta.0", "6: 1 alpha.0 5 beta.0", "9: 1 alpha.0 5 beta.0 3 memory.0",
       "9: 1 alpha.0 5 beta.0 3 memory.0"}}},
    {"a NIC takes a message in 3",
     {4, {"s2:0", "s3:0", "r0:0", "r1:0"}},
     2,
     {ONE_LEVEL, .nics = 1, .per_message = 3},
     {{"1: 1 alpha.0", "4: 1 alpha.0 1 nic.messages", "1: 1 alpha.0", "4: 1 alpha.0 1 nic.messages"}}},
    {"if bytes and messages limit a NIC alike, bytes are counted",
     {4, {"s2:3", "s3:3", "r0:3", "r1:3"}},
     2,
     {ONE_LEVEL, .nics = 1, .per_byte = 1, .per_message = 3},
     {{"4: 1 alpha.0 3 beta.0", "7: 1 alpha.0 3 beta.0 3 nic.rate", "4: 1 alpha.0 3 beta.0",
       "7: 1 alpha.0 3 beta.0 3 nic.rate"}}},
    {"an empty message occupies a side whose only limit is bytes for no time",
     {4, {"s2:0", "s3:0", "r0:0", "r1:0"}},
     2,
     {ONE_LEVEL, .nics = 1, .per_byte = 2},
     {{"1: 1 alpha.0", "1: 1 alpha.0", "1: 1 alpha.0", "1: 1 alpha.0"}}},
    {"at a port, rank 2 goes before rank 1, because it is the first of its node",
     {4, {"", "s3:4", "s3:4", "r2:4 g1 r1:4"}},
     2,
     {ONE_LEVEL, .nics = 1, .n_points = 1, .memory = {{0, 0}}},
     {{"0:", "11: 2 alpha.0 8 beta.0 1 gamma", "5: 1 alpha.0 4 beta.0", "11: 2 alpha.0 8 beta.0 1 gamma"},
      {"0:", "5: 1 alpha.0 4 beta.0", "5: 1 alpha.0 4 beta.0", "6: 1 alpha.0 4 beta.0 1 gamma"},
      {"0:", "5: 1 alpha.0 4 beta.0", "5: 1 alpha.0 4 beta.0", "10: 2 alpha.0 8 beta.0"}}},
};

static void test_by_hand(void)
{
    int compared = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(by_hand); i++)
        for (int transfer = 0; transfer < 3; transfer++) {
            const ByHand *x = &by_hand[i];
            const CollAlgorithm a = planted_entry(&x->program);
            const Coll c = {.p = x->program.p, .elem = 1};
            g_autoptr(ReferenceProgram) program = reference_program(&a, COLL_BARRIER, &c, 0, 0);
            ReferenceMachine machine = x->machine;
            ReferenceStamp ends[MAX_RANKS];
            bool passed;
            int of[MAX_RANKS];
            for (int rank = 0; rank < c.p; rank++)
                of[rank] = rank / x->per_node;
            machine.transfer = (Transfer)transfer;
            reference_machine_place(&machine, c.p, of, NULL, 0);
            reference_run(program, &machine, NULL, ends, &passed);
            for (int rank = 0; rank < c.p; rank++) {
                const char *const *expected = x->ends[x->ends[transfer][0] ? transfer : 0];
                g_autofree char *end = reference_stamp_text(&ends[rank]);
                if (strcmp(end, expected[rank]) != 0)
                    g_error("%s: %s, rank %d: %s, not %s", x->what, transfer_names[transfer], rank, end,
                            expected[rank]);
                compared++;
            }
            reference_machine_clear(&machine);
        }
    g_test_message("%d clocks and certificates are as counted by hand", compared);
}

// ---- Places ---------------------------------------------------------------------------------------------------------

static void levels_of(Levels *levels, const int *sizes, int n, int node)
{
    static const char *const inner[] = {"core", "socket"}, *const outer[] = {"group", "island"};
    levels_init(levels);
    for (int k = 0; k < n; k++)
        levels_add(levels, k < node ? inner[k] : k == node ? "node" : outer[k - node - 1], (size_t)sizes[k]);
}

// Every pair of ranks communicates at the level that the second simulator finds by looking at their units.
static void test_places(void)
{
    static const struct {
        int n, node, sizes[3];
    } machines[] = {{1, 0, {4}},        {2, 0, {2, 6}},    {2, 1, {2, 6}},
                    {3, 1, {3, 6, 12}}, {3, 2, {1, 2, 8}}, {3, 0, {5, 5, 20}}};
    int64_t pairs = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++)
        for (int p = 1; p <= 40; p++)
            for (int kind = MAP_NONE; kind <= MAP_CYCLIC; kind++)
                for (int k = 1; k <= (kind == MAP_NONE ? 1 : 9); k++) {
                    Levels levels;
                    levels_of(&levels, machines[i].sizes, machines[i].n, machines[i].node);
                    const MapSpec spec = {.kind = (MapKind)kind, .k = k};
                    g_autoptr(Mapping) map = mapping_new(&spec, &levels, p, NULL);
                    ReferenceMachine x = {.n_levels = machines[i].n + 1};
                    int of[40];
                    for (int rank = 0; rank < p; rank++)
                        of[rank] = kind == MAP_NONE ? rank : kind == MAP_BLOCK ? rank / k : rank % ((p + k - 1) / k);
                    reference_machine_place(&x, p, of, machines[i].sizes, machines[i].node);
                    for (int a = 0; a < p; a++)
                        for (int b = 0; b < p; b++, pairs++)
                            g_assert_true(mapping_level(map, a, b) == reference_machine_level(&x, a, b) &&
                                          (map->nodes->of[a] == map->nodes->of[b]) == reference_machine_near(&x, a, b));
                    reference_machine_clear(&x);
                    levels_clear(&levels);
                }
    g_test_message("%" G_GINT64_FORMAT " pairs of ranks have the same level", pairs);
}

// ---- Random programs on random machines -----------------------------------------------------------------------------

static int delay_nobody; // schedules whose NICs delay nobody, so that other gears than event may leave them out

typedef struct LevelsCase {
    const DrawnMachine *machine;
    char *what; // the algorithm's point or the program
} LevelsCase;

static char *case_name(gconstpointer of)
{
    const LevelsCase *x = of;
    return g_strdup_printf("%s\n%s\n", x->what, x->machine->text);
}

// Compares the gears with each other on the machine, and with the second simulator if `program` is not NULL. In half of
// the runs the ranks start at random times.
static void compare(GRand *random, const DrawnMachine *machine, Transfer transfer, const Schedule *s,
                    const ReferenceProgram *program, char *what, int64_t cut_off, GearsCounts *n)
{
    const LevelsCase of = {machine, what};
    g_autofree double *start = g_new(double, s->p);
    for (int rank = 0; rank < s->p; rank++)
        start[rank] = g_rand_int_range(random, 0, 5);
    GearsCase k = {.s = s, .name = case_name, .of = &of, .cut_off = cut_off};
    k.start = g_rand_boolean(random) ? start : NULL;
    k.model = machines_hockney(machine, transfer);
    ReferenceMachine reference = machine->reference;
    reference.transfer = transfer;
    if (program)
        gears_reference(&k, program, &reference, n);
    gears_agree(&k, g_rand_int(random), n);
    delay_nobody += k.model.site && k.model.site->idle;
    site_free(k.model.site);
    n->schedules++;
}

static void compare_programs(Planted (*write)(GRand *random), int has, GearsCounts *n)
{
    GRand *random = g_rand_new_with_seed(sample_seed(20261122));
    for (int i = 0; i < sample_of(1000, 100); i++) {
        const Planted x = write(random);
        g_autofree char *text = planted_text(&x);
        const CollAlgorithm a = planted_entry(&x);
        const Coll c = {.p = x.p, .root = x.root, .elem = 1};
        DrawnMachine machine;
        machines_draw(&machine, random, x.p, 0, has | (i % 3 ? 0 : MACHINES_FREE));
        for (int cut = 0; cut < 2; cut++) {
            const int64_t cut_off = cut ? g_rand_int_range(random, 1, 16) : 0;
            Schedule *s = planted_record(&x, cut_off);
            g_autoptr(ReferenceProgram) program = reference_program(&a, COLL_BARRIER, &c, 0, cut_off);
            for (int transfer = 0; transfer < 3; transfer++)
                compare(random, &machine, (Transfer)transfer, s, program, text, cut_off, n);
            schedule_free(s);
        }
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
    g_assert_cmpint(n.mirrored, >, sample_of(1000, 100));
}

static void test_random_levels(void)
{
    compare_all_programs(MACHINES_LEVELS);
}

static void test_random_nics(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_NICS);
}

static void test_random_memory(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_MEMORY);
}

static void test_random_both(void)
{
    compare_all_programs(MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY);
}

// ---- The registry ---------------------------------------------------------------------------------------------------

enum { MOST_MESSAGES = 300 }; // for the second simulator, which is slow

// Compares one run of the algorithm on a machine, whole or cut off, if the algorithm itself runs there.
static void compare_run(GRand *random, const CollAlgorithm *a, const Coll *of, size_t m, const DrawnMachine *machine,
                        int64_t cut_off, GearsCounts *n)
{
    Coll c = *of;
    c.nodes = machine->map->nodes;
    Coll view = coll_make(a->collective, &c, 0, m, NULL);
    const char *why;
    if (a->shared || coll_resolve(a, &view, &why) != a)
        return;
    g_autofree char *what =
        g_strdup_printf("%s %s p=%d root=%d m=%zu", collectives[a->collective].name, a->name, c.p, c.root, m);
    Schedule *s = schedule_record(&(Operation){a, c, m}, &(RecordOptions){.cut_off = cut_off});
    const bool small = schedule_totals(s).messages <= MOST_MESSAGES;
    g_autoptr(ReferenceProgram) program = small ? reference_program(a, a->collective, &c, m, cut_off) : NULL;
    for (int transfer = 0; transfer < 3; transfer++)
        compare(random, machine, (Transfer)transfer, s, program, what, cut_off, n);
    schedule_free(s);
}

// Goes over all algorithms on p ranks, each on a machine of its own.
static void compare_registry(GRand *random, int p, int has, GearsCounts *n)
{
    const size_t sizes[] = {7 * (size_t)p + 3, (size_t)p, 1, 24 * (size_t)p};
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        const size_t m = a->collective == COLL_BARRIER ? 0 : sizes[g_rand_int_range(random, 0, 4)];
        const int root = collectives[a->collective].rooted ? g_rand_int_range(random, 0, p) : 0;
        const Coll c = {.p = p, .root = root, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
        DrawnMachine machine;
        machines_draw(&machine, random, p, 0, has);
        compare_run(random, a, &c, m, &machine, g_rand_int_range(random, 0, 3) ? 0 : g_rand_int_range(random, 1, 9), n);
        machines_clear(&machine);
    }
}

static void test_registry(void)
{
    static const int all_p[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 24, 33, 48, 64};
    GRand *random = g_rand_new_with_seed(sample_seed(20261123));
    GearsCounts n = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(all_p); i++)
        for (int has = 0; has < 4; has++)
            if (sample_takes((guint)(4 * i) + (guint)has, 4))
                compare_registry(random, all_p[i], MACHINES_LEVELS | has, &n);
    g_rand_free(random);
    gears_report(&n);
    only_visited(n.schedules);
    if (!only_one()) {
        g_test_message("in %d of them NICs delay nobody", delay_nobody);
        g_assert_cmpint(n.schedules, >, sample_of(10000, 2500));
        g_assert_cmpint(delay_nobody, >, sample_of(100, 5));
        g_assert_cmpint(n.mirrored, >, sample_of(1000, 200));
        g_assert_cmpint(n.certificates, >, sample_of(5000, 1000));
    }
}

// 13 ranks on nodes of 4: the last node has one rank, or by a cyclic map three. Every rank is the root once.
static void test_roots(void)
{
    GRand *random = g_rand_new_with_seed(sample_seed(20261124));
    GearsCounts n = {0};
    for (int i = only_first(); i < only_end(); i++)
        for (int root = 0; root < (collectives[algorithms[i]->collective].rooted ? 13 : 1); root++) {
            if (!sample_takes((guint)(13 * i + root), 4))
                continue;
            const CollAlgorithm *a = algorithms[i];
            const Coll c = {.p = 13, .root = root, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
            DrawnMachine machine;
            machines_draw(&machine, random, 13, 4, MACHINES_LEVELS | root % 4);
            compare_run(random, a, &c, a->collective == COLL_BARRIER ? 0 : 27, &machine, 0, &n);
            machines_clear(&machine);
        }
    g_rand_free(random);
    gears_report(&n);
    only_visited(n.schedules);
}

// Messages of 2^36 bytes: a clock cannot count all terms as often as they occur at all ranks. It counts on what the
// busiest rank does, or the run is repeated.
static void test_large(void)
{
    GRand *random = g_rand_new_with_seed(20261125);
    GearsCounts n = {0};
    for (int i = only_first(); i < only_end(); i++)
        for (int p = 16; p <= 40 && algorithms[i]->collective != COLL_BARRIER; p += 8) {
            if (!sample_takes((guint)(4 * i + p / 8), 2))
                continue;
            Coll c = {.p = p, .elem = 1, .commutative = true, .par = algorithm_defaults(algorithms[i])};
            c.par.segment = 0;
            DrawnMachine machine;
            machines_draw(&machine, random, p, 4, MACHINES_LEVELS | MACHINES_NICS | (p == 24 ? MACHINES_MEMORY : 0));
            compare_run(random, algorithms[i], &c, (size_t)1 << 36, &machine, 0, &n);
            machines_clear(&machine);
        }
    g_rand_free(random);
    gears_report(&n);
    only_visited(n.schedules);
}

// So many steps that lockstep with lines at NICs runs in two stretches; the path goes through every message of a NIC.
static void test_long(void)
{
    static const char text[] = "[levels]\nnode = 32 ranks\n[hockney]\nalpha = 1.45us\nalpha.source = x\n"
                               "alpha.node = 0.29us\nalpha.node.source = x\nbeta = 0.043ns/B\nbeta.source = x\n"
                               "gamma = 0.12ns/B\ngamma.source = x\n[node]\nnic.messages = 4.4M/s\n"
                               "nic.messages.source = x\n";
    const int p = 131104;
    g_autoptr(Platform) platform = platform_parse("long.ini", text, strlen(text), NULL);
    const MapSpec spec = {.kind = MAP_BLOCK, .k = 32};
    g_autoptr(Mapping) map = mapping_new(&spec, &platform->levels, p, NULL);
    const CollAlgorithm *a = algorithm_find(COLL_ALLTOALL, "pairwise");
    const Coll c = {.p = p, .elem = 1, .nodes = map->nodes, .par = algorithm_defaults(a)};
    Schedule *s = schedule_record(&(Operation){a, c, 8}, &(RecordOptions){.cut_off = 0});
    Hockney model = hockney_figures(platform, TRANSFER_RENDEZVOUS);
    model.site = site_of_platform(platform, map, TRANSFER_RENDEZVOUS);
    const ReplayOptions in_event = {.gear = GEAR_EVENT}, in_lockstep = {.gear = GEAR_LOCKSTEP};
    g_autoptr(Replay) event = replay(s, &model, &in_event, NULL);
    g_autoptr(Replay) lockstep = replay(s, &model, &in_lockstep, NULL);
    g_assert_cmpint(lockstep->gear, ==, GEAR_LOCKSTEP);
    g_assert_cmpint(lockstep->simulated, ==, 32);
    g_assert_cmpfloat(lockstep->clock_s, ==, event->clock_s);
    for (int i = 0; i < event->n_terms; i++)
        g_assert_cmpint(lockstep->count[i], ==, event->count[i]);
    site_free(model.site);
    schedule_free(s);
}

static void add(void)
{
    g_test_add_func("/levels/registry", test_registry);
    g_test_add_func("/levels/roots", test_roots);
    g_test_add_func("/levels/large", test_large);
    if (only_one())
        return;
    g_test_add_func("/levels/long", test_long);
    g_test_add_func("/levels/by-hand", test_by_hand);
    g_test_add_func("/levels/places", test_places);
    g_test_add_func("/levels/random/levels", test_random_levels);
    g_test_add_func("/levels/random/nics", test_random_nics);
    g_test_add_func("/levels/random/memory", test_random_memory);
    g_test_add_func("/levels/random/both", test_random_both);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
