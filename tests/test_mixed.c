// Messages next to slots and flags. An algorithm in shared memory has the times and the certificate that its own gear
// gives it; compositions take as long as their phases together; and the gears agree where the phases overlap.
#include "api/communicate.h"
#include "api/make.h"
#include "registry/composition.h"
#include "engine/replay/replay.h"
#include "engine/replay/shared.h"
#include "engine/schedule/record.h"
#include "only.h"
#include "tap.h"
#include <string.h>

// A machine of nodes of k ranks, with costs that make all times exact in doubles.
typedef struct Nodes {
    Mapping *map;
    Hockney model;
} Nodes;

static const SharedCosts costs[] = {
    {.write = 1, .lanes = 1},
    {.read = 4, .lanes = 4, .flag = 7},
    {.write = 3, .read = 4, .lanes = 2, .flag = 50, .gamma = 2},
    {.write = 3,
     .read = 4,
     .lanes = 2,
     .flag = 50,
     .gamma = 2,
     .line = 11,
     .queue = 2,
     .raise = 5,
     .reuse = 7,
     .local = 1,
     .call = 13,
     .single = 17,
     .touch = 9},
};

static Schedule *record(const Operation *op, const SharedCosts *k)
{
    return schedule_record(op, &(RecordOptions){.local = shared_needs_local(k)});
}

static Nodes nodes_new(int p, int k, const SharedCosts *shared)
{
    SiteCharges charges[2];
    site_textbook(charges[0], 16, 1, shared->gamma);
    site_textbook(charges[1], 1000, 2, shared->gamma);
    static const char *const names[] = {"node", "far"};
    Levels levels;
    levels_init(&levels);
    levels_add(&levels, "node", (size_t)k);
    Nodes x = {.map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = k}, &levels, p, NULL)};
    levels_clear(&levels);
    const SiteFigures figures = {.charges = charges, .shared = shared};
    x.model.gamma = shared->gamma;
    x.model.site = site_new(x.map, names, &figures);
    return x;
}

static void nodes_free(Nodes *x)
{
    site_free(x->model.site);
    mapping_free(x->map);
}

// Returns the operation of m bytes. A part that is not NULL takes the place of the first parameters that allow it.
static Operation operation(const CollAlgorithm *a, int p, size_t m, int root, const Nodes *x, size_t segment,
                           const CollAlgorithm *const part[2])
{
    Coll all = {.p = p,
                .root = root,
                .elem = 1,
                .commutative = true,
                .nodes = x ? x->map->nodes : NULL,
                .par = algorithm_defaults(a)};
    all.par.segment = segment;
    for (int i = 0; part && i < 2 && part[i]; i++) {
        int index = 0, k = 0;
        while (algorithms[index] != part[i])
            index++;
        while (!param_shares(&a->params[k], index))
            k++;
        param_set(&a->params[k], &all.par, index);
    }
    const char *why;
    Operation op = {a, coll_make(a->collective, &all, root, m, NULL), m};
    g_assert_true(coll_resolve(a, &op.c, &why) == a);
    return op;
}

static Replay *run(const Schedule *s, Nodes *x, Transfer transfer, Gear gear)
{
    const ReplayOptions options = {.gear = gear, .clocks = true, .path = true};
    x->model.transfer = transfer;
    Replay *r = replay(s, &x->model, &options, NULL);
    g_assert_nonnull(r);
    return r;
}

// ---- Shared memory alone --------------------------------------------------------------------------------------------

static void check_alone(const CollAlgorithm *a, int p, size_t m, const SharedCosts *k)
{
    Nodes x = nodes_new(p, p, k);
    const Operation op = operation(a, p, m, p - 1, NULL, 0, NULL);
    Schedule *s = record(&op, k);
    SharedCertificate paid;
    g_autoptr(Replay) own = shared_replay(s, k, &(ReplayOptions){.clocks = true, .path = true}, &paid, NULL);
    for (int i = 0; i < 5; i++) {
        const Gear gear = i < 2 ? GEAR_FLOW : GEAR_EVENT;
        const Transfer transfer = i < 2 ? (Transfer)i : (Transfer)(i - 2);
        g_autoptr(Replay) r = run(s, &x, transfer, gear);
        g_assert_cmpint(r->stuck->len, ==, 0);
        for (int rank = 0; rank < p; rank++)
            g_assert_cmpfloat(r->clocks[rank].t, ==, own->clocks[rank].t);
        for (int term = 0; term < SHARED_OPERATION_TERMS; term++)
            g_assert_cmpint(r->count[x.model.site->shared_term + term], ==, paid.n[term]);
        g_assert_cmpint(r->certificate.gamma, ==, paid.n[SHARED_GAMMA]);
        g_assert_cmpint(r->certificate.alpha, ==, 0);
        g_assert_cmpuint(r->path->len, ==, own->path->len);
    }
    schedule_free(s);
    nodes_free(&x);
}

static void test_alone(void)
{
    static const size_t sizes[] = {0, 1000, 100000};
    for (int i = 0; i < n_algorithms; i++)
        for (int p = 1; p <= 9 && algorithms[i]->shared; p += p < 5 ? 1 : 2)
            for (size_t j = 0; j < G_N_ELEMENTS(sizes) * G_N_ELEMENTS(costs); j++)
                check_alone(algorithms[i], p, sizes[j % 3], &costs[j / 3]);
}

// ---- Compositions ---------------------------------------------------------------------------------------------------

// Returns T of an algorithm of messages among n ranks that are far from each other.
static double time_far(Collective collective, const char *name, int n, size_t m, double gamma)
{
    const SharedCosts k = {.lanes = 1, .gamma = gamma};
    Nodes x = nodes_new(n, 1, &k);
    const Operation op = operation(algorithm_find(collective, name), n, m, 0, NULL, 0, NULL);
    Schedule *s = schedule_record(&op, NULL);
    g_autoptr(Replay) r = run(s, &x, TRANSFER_RENDEZVOUS, GEAR_AUTO);
    const double t = r->time_s;
    schedule_free(s);
    nodes_free(&x);
    return t;
}

// Returns T of an algorithm in shared memory, and when its rank 0 ends: a root may leave before the others.
static double time_near(const CollAlgorithm *a, int p, size_t m, const SharedCosts *k, double *first)
{
    const Operation op = operation(a, p, m, 0, NULL, 0, NULL);
    Schedule *s = record(&op, k);
    SharedCertificate paid;
    g_autoptr(Replay) r = shared_replay(s, k, &(ReplayOptions){.clocks = true}, &paid, NULL);
    const double t = r->time_s;
    *first = r->clocks[0].t;
    schedule_free(s);
    return t;
}

// In one segment, the phases follow each other at the leaders, and all nodes take as long inside.
static void test_phases(void)
{
    const CollAlgorithm *const han = algorithm_find(COLL_BCAST, "han"), *const smp = algorithm_find(COLL_REDUCE, "smp");
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i], *const part[2] = {a};
        const bool bcast = a->collective == COLL_BCAST;
        if (!a->shared || (!bcast && a->collective != COLL_REDUCE))
            continue;
        for (size_t j = 0; j < G_N_ELEMENTS(costs); j++) {
            const size_t m = 40000;
            Nodes x = nodes_new(32, 4, &costs[j]);
            const Operation op = operation(bcast ? han : smp, 32, m, 0, &x, 0, part);
            Schedule *s = record(&op, &costs[j]);
            g_assert_true(s->mixed && !s->shared);
            g_autoptr(Replay) r = run(s, &x, TRANSFER_RENDEZVOUS, GEAR_AUTO);
            double first;
            const double up = time_far(a->collective, "binomial", 8, m, costs[j].gamma),
                         low = time_near(a, 4, m, &costs[j], &first);
            g_assert_cmpfloat(r->time_s, ==, bcast ? up + low : MAX(up + first, low));
            schedule_free(s);
            nodes_free(&x);
        }
    }
}

// With segments, and with two parts in shared memory, phases overlap. The gears agree, on uneven nodes too.
static void test_gears(void)
{
    const CollAlgorithm *const han = algorithm_find(COLL_BCAST, "han"), *const smp =
                                                                            algorithm_find(COLL_ALLREDUCE, "smp");
    static const char *const names[] = {"shm_flat", "shm_knomial", "shm_sets"};
    for (size_t i = 0; i < 6 * G_N_ELEMENTS(costs); i++) {
        const bool pipelines = i % 2;
        const CollAlgorithm *const bcast = algorithm_find(COLL_BCAST, names[i / 2 % 3]),
                                   *const reduce = algorithm_find(COLL_REDUCE, names[i / 2 % 3]),
                                   *const part[2] = {pipelines ? bcast : reduce, pipelines ? NULL : bcast};
        const int p = pipelines ? 20 : 22;
        Nodes x = nodes_new(p, 4, &costs[i / 6]);
        const Operation op = operation(pipelines ? han : smp, p, 100000, 6, &x, pipelines ? 10000 : 0, part);
        Schedule *s = record(&op, &costs[i / 6]);
        for (int transfer = 0; transfer < 2; transfer++) {
            g_autoptr(Replay) flow = run(s, &x, (Transfer)transfer, GEAR_AUTO),
                              event = run(s, &x, (Transfer)transfer, GEAR_EVENT);
            g_assert_cmpint(flow->stuck->len + event->stuck->len, ==, 0);
            for (int rank = 0; rank < p; rank++)
                g_assert_cmpfloat(flow->clocks[rank].t, ==, event->clocks[rank].t);
            for (int term = 0; term < flow->n_terms; term++)
                g_assert_cmpint(flow->count[term], ==, event->count[term]);
            g_assert_cmpint(flow->count[x.model.site->shared_term], >, 0);
        }
        schedule_free(s);
        nodes_free(&x);
    }
}

// Reductions and copies of messages pay nothing of what shared memory costs: with a part in it, only those of the part
// do. Here each leader reduces once for each message that it receives from another node, and twice within its node.
static void test_own_work(void)
{
    static const SharedCosts k = {.read = 1, .lanes = 1, .gamma = 1, .local = 1, .call = 1000};
    const CollAlgorithm *const part[2] = {algorithm_find(COLL_REDUCE, "shm_flat")};
    Nodes x = nodes_new(12, 3, &k);
    const Operation op = operation(algorithm_find(COLL_REDUCE, "smp"), 12, 100, 0, &x, 0, part);
    Schedule *s = record(&op, &k);
    uint64_t calls = 0;
    for (int v = 0; v < s->p; v++)
        for (const Op *o = class_of(s, v)->ops; o->kind != OP_END; o++)
            calls += o->kind == (uint8_t)OP_CALL;
    g_assert_cmpuint(calls, ==, 4 * 2);
    g_assert_cmpuint(schedule_totals(s).bytes_reduced, ==, 100 * (4 * 2 + 3));
    schedule_free(s);
    nodes_free(&x);
}

// A leader that broadcasts ten segments writes one place of its queue ten times, in calls with slots of their own.
static void test_again(void)
{
    static const SharedCosts k = {.lanes = 1, .reuse = 1, .touch = 1};
    const CollAlgorithm *const part[2] = {algorithm_find(COLL_BCAST, "shm_flat")};
    Nodes x = nodes_new(8, 4, &k);
    const Operation op = operation(algorithm_find(COLL_BCAST, "han"), 8, 1000, 0, &x, 100, part);
    Schedule *s = record(&op, &k);
    const Class *c = class_of(s, 0);
    int n[2] = {0};
    for (Cursor at = {0}; c->ops[at.pc].kind != OP_END; at = next_step(c, at))
        if (c->ops[at.pc].kind == (uint8_t)OP_WRITE)
            n[c->ops[at.pc].to]++;
    g_assert_cmpint(n[0], ==, 1);
    g_assert_cmpint(n[1], ==, 9);
    schedule_free(s);
    nodes_free(&x);
}

// A memory serves the ranks of its own node. With root 0 the first node has all of them, and the last one rank less.
static void test_node_bytes(void)
{
    const CollAlgorithm *const part[2] = {algorithm_find(COLL_REDUCE, "shm_flat")};
    Nodes x = nodes_new(11, 4, &costs[0]);
    const Operation op = operation(algorithm_find(COLL_REDUCE, "smp"), 11, 100, 0, &x, 0, part);
    Schedule *s = record(&op, &costs[0]);
    site_begin(x.model.site, 11, 0);
    g_assert_cmpuint(shared_most_bytes(s, x.model.site), ==, 2 * 3 * 100); // three ranks write, and their leader reads
    schedule_free(s);
    nodes_free(&x);
}

// ---- Ranks that never go on -----------------------------------------------------------------------------------------

// Rank 0 sends to 1, which then awaits one fragment more than rank 0 has.
static void wait_for_ever(const Coll *c)
{
    if (c->rank == 0) {
        coll_raise(c, 0, 1);
        coll_send(c, 1, c->out);
    } else if (c->rank == 1) {
        coll_recv(c, 0, c->out);
        coll_await(c, 0, 0, 2);
    }
}

static void test_stuck(void)
{
    const CollAlgorithm a = {.collective = COLL_BCAST, .name = "planted", .run = wait_for_ever};
    const Coll all = {.p = 4, .elem = 1};
    const Operation op = {&a, coll_make(COLL_BCAST, &all, 0, 100, NULL), 100};
    Nodes x = nodes_new(4, 4, &costs[2]);
    Schedule *s = schedule_record(&op, &(RecordOptions){.trust = true}); // the entry has no part that is .shared
    for (int i = 0; i < 2; i++) {
        g_autoptr(Replay) r = run(s, &x, TRANSFER_RENDEZVOUS, i ? GEAR_EVENT : GEAR_FLOW);
        g_assert_cmpuint(r->stuck->len, ==, 1);
        const Stuck *stuck = &g_array_index(r->stuck, Stuck, 0);
        g_assert_cmpint(stuck->rank, ==, 1);
        g_assert_cmpint(stuck->peer, ==, 0);
        g_assert_cmpint(stuck->queue, ==, 0);
        g_assert_cmpint((int)stuck->kind, ==, OP_AWAIT);
        g_assert_cmpuint(stuck->bytes, ==, 2);
        g_assert_cmpuint(stuck->operation, ==, 1);
    }
    schedule_free(s);
    nodes_free(&x);
}

static void add_tests(void)
{
    if (only_one() && !only_one()->shared) {
        only_add_skipped("/mixed/alone", "the algorithm sends messages");
        return;
    }
    g_test_add_func("/mixed/alone", test_alone);
    if (!only_one())
        g_test_add_func("/mixed/phases", test_phases), g_test_add_func("/mixed/gears", test_gears),
            g_test_add_func("/mixed/own-work", test_own_work), g_test_add_func("/mixed/again", test_again),
            g_test_add_func("/mixed/node-bytes", test_node_bytes), g_test_add_func("/mixed/stuck", test_stuck);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
