// What a network costs: times are those of the second simulator, whose messages have the prices that docs/NETWORKS.md
// defines, computed once more in a slow and simple way. Rounds are the times at which the second simulator begins
// messages if each takes one unit; loads are summed over the routes, which tests/test_network.c holds against their
// definition.
#include "engine/model/model.h"
#include "machine/network/network.h"
#include "machines.h"
#include "reference_sim.h"
#include "sample.h"
#include "search/search/points.h"
#include "tap.h"
#include <string.h>

static const char *const networks[] = {
    "torus 4,4,4",
    "torus 2,3,3",
    "fat_tree 2;8,8;1,3;1,1",
    "fat_tree 3;4,4,4;1,2,2;1,1,1",
    "dragonfly 4,1;2,1;4,1;2",
    "dragonfly 9,1;4,1;2",
    "dragonfly 5,3;4,1;3",
    "dragonfly 3,1;2,1;3,1;3",
    "hyperx 4,4;4",
    "hyperx 3,2,2;3",
    "groups 4",
};

// Makes a topology of "KIND SHAPE" whose links have rates.
static void make_topology(Topology *t, const char *text)
{
    GError *error = NULL;
    g_autofree char *name = g_strndup(text, strcspn(text, " "));
    int kind = 0;
    while (strcmp(topology_names[kind], name) != 0)
        kind++;
    topology_make((TopologyKind)kind, text + strlen(name) + 1, t, &error);
    g_assert_no_error(error);
    t->links->rated = TRUE;
}

// Draws a network whose figures are multiples of `unit`.
static void draw_topology(Topology *t, GRand *random, double unit)
{
    make_topology(t, networks[g_rand_int_range(random, 0, G_N_ELEMENTS(networks))]);
    t->routing = (TopologyRouting)g_rand_int_range(random, 0, N_ROUTINGS);
    t->links->hop_s = unit * g_rand_int_range(random, 0, 3);
    for (int i = 0; i < topology_classes(t); i++) // a multiple of every whole, so that no time has a fraction
        t->links->per_byte_s[i] = unit * 720 * g_rand_int_range(random, 0, 5);
}

// The messages of one run on one network.
typedef struct Priced {
    const ReferenceProgram *program;
    const Network *network;
    const int *host; // by rank
    ReferenceNetwork messages;
    int *to;        // of each message
    int64_t *bytes; // likewise
} Priced;

static void list_messages(Priced *x)
{
    x->messages.most = 1;
    for (int rank = 0; rank < x->program->p; rank++)
        x->messages.most = MAX(x->messages.most, (int)x->program->lines[rank]->len);
    const size_t n = (size_t)x->program->p * (size_t)x->messages.most;
    x->messages.began = g_new(int64_t, n);
    x->messages.hop = g_new0(int64_t, n);
    x->messages.load = g_new0(int64_t, n);
    x->to = g_new0(int, n);
    x->bytes = g_new0(int64_t, n);
    for (size_t i = 0; i < n; i++)
        x->messages.began[i] = -1;
    for (int rank = 0; rank < x->program->p; rank++) {
        size_t at = (size_t)rank * (size_t)x->messages.most;
        for (guint i = 0; i < x->program->lines[rank]->len; i++) {
            const ReferenceLine *line = &g_array_index(x->program->lines[rank], ReferenceLine, i);
            if (line->kind != COLL_SEND && line->kind != COLL_ISEND && line->kind != COLL_SENDRECV)
                continue;
            x->to[at] = line->to;
            x->bytes[at++] = line->out;
        }
    }
}

// Sets the hops and loads of the messages, whose rounds are in `began`; the loads without a message's own bytes if only the
// `others` count.
static void find_prices(Priced *x, bool others)
{
    const Network *n = x->network;
    const TopologyLinks *figures = n->topology.links;
    const int all = x->program->p * x->messages.most;
    g_autofree NetworkHop *hops = g_new(NetworkHop, n->most_hops);
    g_autofree int64_t *load = g_new(int64_t, n->n_links),
                       *round = g_memdup2(x->messages.began, (gsize)all * sizeof *round);
    int64_t last = -1;
    for (int i = 0; i < all; i++)
        last = MAX(last, round[i]);
    for (int64_t now = 0; now <= last; now++) {
        memset(load, 0, (size_t)n->n_links * sizeof *load);
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < all; i++) {
                if (round[i] != now)
                    continue;
                const int count = network_route(n, x->host[i / x->messages.most], x->host[x->to[i]], hops);
                int64_t links = 0;
                for (int k = 0; k < count; k++)
                    for (int j = 0; j < hops[k].n; j++) {
                        int64_t *at = &load[hops[k].first + j * hops[k].stride];
                        links += hops[k].weight;
                        if (pass == 0)
                            *at += x->bytes[i] * hops[k].weight;
                        else
                            x->messages.load[i] =
                                MAX(x->messages.load[i], (*at - (others ? x->bytes[i] * n->whole : 0)) *
                                                             (int64_t)figures->per_byte_s[hops[k].class] /
                                                             (int64_t)n->whole);
                    }
                links /= n->whole;
                x->messages.hop[i] = MAX(links - 1, 0) * (int64_t)figures->hop_s;
            }
    }
}

static void priced_clear(Priced *x)
{
    g_free(x->messages.began);
    g_free(x->messages.hop);
    g_free(x->messages.load);
    g_free(x->to);
    g_free(x->bytes);
}

// Finds the hops and loads of all messages; the rounds are those of a discipline.
static void find_messages(Priced *x, Transfer rounds, bool others)
{
    const int p = x->program->p;
    ReferenceMachine unit = {.transfer = rounds, .n_levels = 1, .alpha = {1}, .nics = 1, .network = &x->messages};
    g_autofree int *alone = g_new(int, p);
    g_autofree ReferenceStamp *ends = g_new(ReferenceStamp, p);
    bool passed;
    list_messages(x);
    for (int rank = 0; rank < p; rank++)
        alone[rank] = rank;
    reference_machine_place(&unit, p, alone, NULL, 0);
    reference_run(x->program, &unit, NULL, ends, &passed);
    reference_machine_clear(&unit);
    find_prices(x, others);
}

// Sets ends[] to those of the second simulator, and returns the last one.
static int64_t reference_ends(const Priced *x, DrawnMachine *machine, const Model *model, int64_t *ends)
{
    const int p = x->program->p;
    g_autofree ReferenceStamp *stamp = g_new(ReferenceStamp, p);
    g_autofree ReferenceEnd *end = g_new(ReferenceEnd, p);
    const bool measured = model == &measured_model;
    bool passed;
    const int64_t last = measured ? reference_measured(x->program, &machine->reference, &machine->figures, NULL, end)
                                  : reference_run(x->program, &machine->reference, NULL, stamp, &passed);
    for (int rank = 0; rank < p; rank++)
        ends[rank] = measured ? end[rank].t : stamp[rank].t;
    if (measured)
        reference_ends_clear(end, p);
    return last;
}

// Holds a run of an operation against the second simulator. Returns whether links made a difference.
static bool hold_run(const Operation *op, DrawnMachine *machine, const NetworkSpec *spec, const Model *model,
                     Transfer transfer)
{
    GError *error = NULL;
    const int p = op->c.p;
    const bool measured = model == &measured_model;
    int *of_node = NULL;
    g_autoptr(Network) network =
        placement_make(&spec->nodes, spec->nodes.seed, &spec->topology, NULL, machine->map->nodes->n, &of_node, &error);
    g_assert_no_error(error);
    g_autofree int *host = g_new(int, p);
    for (int rank = 0; rank < p; rank++)
        host[rank] = of_node[machine->map->nodes->of[rank]];
    g_autoptr(ReferenceProgram) program = reference_program(op->algorithm, op->algorithm->collective, &op->c, op->m, 0);
    Priced x = {.program = program, .network = network, .host = host};
    find_messages(&x, measured ? TRANSFER_RENDEZVOUS : transfer, measured);
    machine->reference.transfer = transfer;
    g_autofree int64_t *ends = g_new(int64_t, p);
    const int64_t without = reference_ends(&x, machine, model, ends);
    machine->reference.network = &x.messages;
    const int64_t t = reference_ends(&x, machine, model, ends);
    machine->reference.network = NULL;
    const PredictOptions o = {.transfer = transfer, .map = machine->map, .network = spec, .clocks = true};
    g_autoptr(Prediction) got = model->predict(model, op, machine->platform, &o, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(got->stuck->len, ==, 0);
    for (int rank = 0; rank < p; rank++)
        g_assert_cmpfloat(got->clock[rank], ==, (double)ends[rank]);
    double sum = 0;
    for (guint i = 0; i < got->terms->len; i++) {
        const PredictionTerm *term = &g_array_index(got->terms, PredictionTerm, i);
        sum += term_worth(&term->term, term->n);
    }
    g_assert_cmpfloat_with_epsilon(sum, (double)t, 1e-9 * (double)(t + 1));
    g_free(of_node);
    priced_clear(&x);
    return t != without;
}

// Holds runs of all algorithms on random machines, under a model.
static void hold_runs(const Model *model, guint seed)
{
    GRand *random = g_rand_new_with_seed(sample_seed(seed));
    const bool measured = model == &measured_model;
    int held = 0, differ = 0;
    guint point = 0;
    for (const CollAlgorithm *const *a = algorithms; a < algorithms + n_algorithms; a++)
        for (int k = 0; k < 12; k++, point++) {
            if ((*a)->shared || !sample_takes(point, 8))
                continue;
            g_autoptr(GError) error = NULL;
            Request r = {.question.collective = (*a)->collective, .question.elem = 1};
            const int p = g_rand_int_range(random, 2, 19), transfer = g_rand_int_range(random, 0, 3);
            const size_t m = (size_t)g_rand_int_range(random, 0, 60);
            Point *point_of = point_new(&r, *a, p, 0, (*a)->collective == COLL_BARRIER ? 0 : m, &error);
            DrawnMachine machine;
            NetworkSpec spec = {.nodes.kind = g_rand_boolean(random) ? PLACEMENT_ORDER : PLACEMENT_RANDOM,
                                .nodes.seed = 7};
            const int has = k % 3 == 0   ? 0
                            : k % 3 == 1 ? MACHINES_NICS
                                         : MACHINES_NICS | MACHINES_LEVELS | MACHINES_MEMORY;
            if (measured)
                machines_draw_measured(&machine, random, p, 0, has | (k % 2 ? MACHINES_PORTS : 0));
            else
                machines_draw(&machine, random, p, 0, has);
            draw_topology(&spec.topology, random, measured ? (double)MACHINES_UNIT / 8192 : 1);
            if (point_of && point_of->ran == *a) {
                Operation op = point_operation(&r, point_of);
                g_test_message("%s %s p=%d m=%zu %s %s, %s, %s", collectives[op.algorithm->collective].name,
                               op.algorithm->name, p, op.m, topology_names[spec.topology.kind], spec.topology.shape,
                               measured ? "measured" : transfer_names[transfer], machine.text);
                differ += hold_run(&op, &machine, &spec, model, (Transfer)transfer);
                held++;
            }
            point_free(point_of);
            request_clear(&r);
            machines_clear(&machine);
            topology_clear(&spec.topology);
        }
    g_rand_free(random);
    g_test_message("%d runs, in %d of which links make a difference", held, differ);
    g_assert_cmpint(held, >, sample_of(2000, 200));
    g_assert_cmpint(differ, >, held / 2);
}

static void test_hockney(void)
{
    hold_runs(&hockney_model, 39);
}

static void test_measured(void)
{
    hold_runs(&measured_model, 40);
}

// ---- Gears ----------------------------------------------------------------------------------------------------------

static Prediction *predict(const Model *model, const Operation *op, DrawnMachine *machine, const PredictOptions *o)
{
    GError *error = NULL;
    Prediction *x = model->predict(model, op, machine->platform, o, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(x->stuck->len, ==, 0);
    return x;
}

// Asserts that two predictions have the same certificate.
static void assert_same(const Model *model, const Prediction *a, const Prediction *b)
{
    g_autofree char *x = model_certificate_text(model, a, 99), *y = model_certificate_text(model, b, 99);
    g_assert_cmpstr(x, ==, y);
    g_assert_cmpfloat(a->time_s, ==, b->time_s);
}

// Holds the ways to replay an operation on a network against each other: the fastest, in which a rank that has the slowest
// messages may stand for all; the one in which each rank's end is known; every rank; and event, which keeps a path.
static void hold_gears(const Model *model, const Operation *op, DrawnMachine *machine, const NetworkSpec *spec,
                       Transfer transfer, int *of_gear)
{
    const PredictOptions base = {.transfer = transfer, .map = machine->map, .network = spec};
    PredictOptions clocks = base, full = base, why = base;
    clocks.clocks = true;
    full.full = true;
    why.why = true;
    g_autoptr(Prediction) x = predict(model, op, machine, &base), ends = predict(model, op, machine, &clocks),
                          every = predict(model, op, machine, &full), path = predict(model, op, machine, &why);
    g_assert_cmpstr(path->gear, ==, "event");
    assert_same(model, x, path);
    assert_same(model, ends, path);
    assert_same(model, every, path);
    why.clocks = true;
    g_autoptr(Prediction) both = predict(model, op, machine, &why);
    for (int rank = 0; rank < op->c.p; rank++)
        g_assert_cmpfloat(ends->clock[rank], ==, both->clock[rank]);
    of_gear[0] += strcmp(every->gear, "lockstep") == 0;
    of_gear[1] += x->ranks_simulated == 1;
    of_gear[2] += x->ranks_simulated > 1 && x->ranks_simulated < op->c.p;
}

static void test_gears(void)
{
    GRand *random = g_rand_new_with_seed(sample_seed(40));
    int of_gear[3] = {0};
    guint point = 0;
    for (const CollAlgorithm *const *a = algorithms; a < algorithms + n_algorithms; a++)
        for (int k = 0; k < 12; k++, point++) {
            if ((*a)->shared || !sample_takes(point, 8))
                continue;
            g_autoptr(GError) error = NULL;
            Request r = {.question.collective = (*a)->collective, .question.elem = 1};
            DrawnMachine machine;
            NetworkSpec spec = {.nodes.kind = g_rand_int_range(random, 0, 3) ? PLACEMENT_ORDER : PLACEMENT_RANDOM,
                                .nodes.seed = 7};
            draw_topology(&spec.topology, random, 1);
            if (k % 3 == 0) // messages that wait for other classes take as long, so they must be told apart
                for (int i = 0; i < topology_classes(&spec.topology); i++)
                    spec.topology.links->per_byte_s[i] = 2880;
            spec.topology.links->hop_s *= k % 2;
            // All hosts, because one part of the network stands for the others only then.
            const int hosts = spec.topology.hosts ? spec.topology.hosts : 24,
                      p = g_rand_boolean(random) ? hosts : g_rand_int_range(random, 2, MIN(hosts, 33)),
                      transfer = g_rand_int_range(random, 0, 3);
            const size_t m =
                (size_t)p * (size_t)g_rand_int_range(random, 0, 3) + (size_t)g_rand_int_range(random, 0, 2);
            const int root = collectives[(*a)->collective].rooted ? g_rand_int_range(random, 0, p) : 0;
            r.question.root = root;
            Point *point_of = point_new(&r, *a, p, 0, (*a)->collective == COLL_BARRIER ? 0 : m, &error);
            machines_draw(&machine, random, p, 0, k % 4 == 0 ? MACHINES_NICS | MACHINES_LEVELS : 0);
            if (point_of && point_of->ran == *a) {
                Operation op = point_operation(&r, point_of);
                g_test_message("%s %s p=%d m=%zu root %d %s %s, %s routing, %s, %s, %s",
                               collectives[op.algorithm->collective].name, op.algorithm->name, p, op.m, root,
                               topology_names[spec.topology.kind], spec.topology.shape,
                               spec.topology.routing ? "spread" : "minimal",
                               spec.nodes.kind == PLACEMENT_ORDER ? "order" : "random", transfer_names[transfer],
                               machine.text);
                hold_gears(&hockney_model, &op, &machine, &spec, (Transfer)transfer, of_gear);
            }
            point_free(point_of);
            request_clear(&r);
            machines_clear(&machine);
            topology_clear(&spec.topology);
        }
    g_rand_free(random);
    g_test_message("%d runs in lockstep; in %d a rank stands for all, in %d a part of the network", of_gear[0],
                   of_gear[1], of_gear[2]);
    g_assert_cmpint(of_gear[0], >, sample_of(200, 10));
    g_assert_cmpint(of_gear[1], >, sample_of(150, 5));
}

// The same under measured, which needs a machine whose messages do not depend on which ranks react, on one port. Eager
// messages may come in another order than that of the steps, and are then left to event.
static void test_gears_measured(void)
{
    GRand *random = g_rand_new_with_seed(sample_seed(5));
    int of_gear[3] = {0};
    guint point = 0;
    for (const CollAlgorithm *const *a = algorithms; a < algorithms + n_algorithms; a++)
        for (int k = 0; k < 12; k++, point++) {
            if ((*a)->shared || !sample_takes(point, 4))
                continue;
            g_autoptr(GError) error = NULL;
            Request r = {.question.collective = (*a)->collective, .question.elem = 1};
            const int p = g_rand_int_range(random, 2, 19);
            const size_t m = (size_t)g_rand_int_range(random, 0, 60);
            Point *point_of = point_new(&r, *a, p, 0, (*a)->collective == COLL_BARRIER ? 0 : m, &error);
            DrawnMachine machine;
            NetworkSpec spec = {.nodes.kind = g_rand_boolean(random) ? PLACEMENT_ORDER : PLACEMENT_RANDOM,
                                .nodes.seed = 7};
            machines_draw_measured(&machine, random, p, 0, k % 4 == 0 ? MACHINES_LEVELS : 0);
            draw_topology(&spec.topology, random, (double)MACHINES_UNIT / 8192);
            if (point_of && point_of->ran == *a) {
                Operation op = point_operation(&r, point_of);
                g_test_message("%s %s p=%d m=%zu %s %s, %s", collectives[op.algorithm->collective].name,
                               op.algorithm->name, p, op.m, topology_names[spec.topology.kind], spec.topology.shape,
                               machine.text);
                hold_gears(&measured_model, &op, &machine, &spec, TRANSFER_MEASURED, of_gear);
            }
            point_free(point_of);
            request_clear(&r);
            machines_clear(&machine);
            topology_clear(&spec.topology);
        }
    g_rand_free(random);
    g_test_message("%d runs under measured in lockstep", of_gear[0]);
    g_assert_cmpint(of_gear[0], >, sample_of(100, 10));
}

// Shifts in order, where often some messages take as long as others that pay for something else: then the chain that is
// the latest is found, or one part of the network stands for all, with a certificate for each of its ranks.
static void test_parts(void)
{
    enum { RUNS = 8 }; // of an algorithm on a network
    static const struct {
        Collective collective;
        const char *name;
    } shifts[] = {{COLL_ALLTOALL, "pairwise"},     {COLL_ALLTOALL, "bruck"},          {COLL_ALLGATHER, "ring"},
                  {COLL_BARRIER, "dissemination"}, {COLL_REDUCE_SCATTER, "pairwise"}, {COLL_REDUCE_SCATTER, "ring"}};
    int of_gear[3] = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(networks) * G_N_ELEMENTS(shifts) * RUNS; i++) {
        const size_t network = i / RUNS / G_N_ELEMENTS(shifts), k = i / RUNS % G_N_ELEMENTS(shifts);
        if (network > 0 && !sample_takes((guint)i, 4)) // the first network is one where a part stands for all
            continue;
        GRand *random = g_rand_new_with_seed(41 + (guint32)i); // the same point in every sample
        g_autoptr(GError) error = NULL;
        Request r = {.question.collective = shifts[k].collective, .question.elem = 1};
        NetworkSpec spec = {.nodes.kind = PLACEMENT_ORDER};
        make_topology(&spec.topology, networks[network]);
        spec.topology.routing = (TopologyRouting)(i % 2);
        for (int class = 0; class < topology_classes(&spec.topology); class ++)
            spec.topology.links->per_byte_s[class] = 720 << (i % RUNS < 2 ? 0 : g_rand_int_range(random, 0, 3));
        spec.topology.links->hop_s = i % RUNS < 2 ? 0 : 720 * g_rand_int_range(random, 0, 3);
        // At first all hosts, because one part of the network stands for the others only then.
        const int all = spec.topology.hosts ? spec.topology.hosts : 24,
                  p = i % RUNS < RUNS - 2 ? all : g_rand_int_range(random, 2, all);
        DrawnMachine machine;
        machines_draw(&machine, random, p, 0, 0);
        const size_t m = shifts[k].collective == COLL_BARRIER          ? 0
                         : shifts[k].collective == COLL_REDUCE_SCATTER ? 3 * (size_t)p
                                                                       : 3;
        Point *point = point_new(&r, algorithm_find(shifts[k].collective, shifts[k].name), p, 0, m, &error);
        g_assert_no_error(error);
        const Operation op = point_operation(&r, point);
        g_test_message("%s p=%d %s routing %zu", shifts[k].name, p, networks[network], i % 2);
        for (int transfer = 0; transfer < 2; transfer++)
            hold_gears(&hockney_model, &op, &machine, &spec, (Transfer)transfer, of_gear);
        point_free(point);
        request_clear(&r);
        machines_clear(&machine);
        topology_clear(&spec.topology);
        g_rand_free(random);
    }
    g_test_message("in %d runs a rank stands for all, in %d a part of the network", of_gear[1], of_gear[2]);
    g_assert_cmpint(of_gear[1], >, sample_of(700, 150));
    g_assert_cmpint(of_gear[2], >, 3);
}

// Shifts on so many ranks that the chain that is the latest is found among many clocks: those that matter are kept in sets
// first, and one by one where there are too many sets.
static void test_late(void)
{
    static const struct {
        const char *network;
        int p;
    } runs[] = {{"dragonfly 4,1;4,1;4,1;4", 256}, {"dragonfly 4,1;4,1;4,1;4", 192}, {"dragonfly 5,1;3,1;5,1;3", 225},
                {"dragonfly 9,2;8,1;4", 256},     {"dragonfly 9,1;8,1;4", 160},     {"dragonfly 8,8;16,1;1", 128},
                {"dragonfly 5,1;7,1;7", 203},     {"dragonfly 2,1;8,1;8,1;4", 512}, {"dragonfly 3,1;8,1;8,1;2", 382},
                {"hyperx 4,4,2;6", 180}};
    int of_gear[3] = {0};
    for (size_t i = 0; i < 4 * G_N_ELEMENTS(runs); i++) {
        // On the last network, which always runs, a rank stands for all in most runs.
        if (i / 4 < G_N_ELEMENTS(runs) - 1 && !sample_takes((guint)i, 4))
            continue;
        GRand *random = g_rand_new_with_seed(42 + (guint32)i); // the same point in every sample
        g_autoptr(GError) error = NULL;
        Request r = {.question.collective = COLL_ALLTOALL, .question.elem = 1};
        NetworkSpec spec = {.nodes.kind = PLACEMENT_ORDER};
        const int p = runs[i / 4].p;
        make_topology(&spec.topology, runs[i / 4].network);
        spec.topology.routing = (TopologyRouting)(i % 2);
        for (int class = 0; class < topology_classes(&spec.topology); class ++)
            spec.topology.links->per_byte_s[class] = 720 * (i % 4 < 2 ? 1 : g_rand_int_range(random, 1, 9));
        spec.topology.links->hop_s = 72 * g_rand_int_range(random, 0, 9);
        DrawnMachine machine;
        machines_draw(&machine, random, p, 0, 0);
        Point *point = point_new(&r, algorithm_find(COLL_ALLTOALL, "pairwise"), p, 0, 3, &error);
        g_assert_no_error(error);
        const Operation op = point_operation(&r, point);
        g_test_message("pairwise p=%d %s routing %zu", p, runs[i / 4].network, i % 2);
        hold_gears(&hockney_model, &op, &machine, &spec, (Transfer)(i / 2 % 2), of_gear);
        point_free(point);
        request_clear(&r);
        machines_clear(&machine);
        topology_clear(&spec.topology);
        g_rand_free(random);
    }
    g_assert_cmpint(of_gear[1], >, sample_of(5, 2));
}

static void add(void)
{
    g_test_add_func("/network-costs/hockney", test_hockney);
    g_test_add_func("/network-costs/measured", test_measured);
    g_test_add_func("/network-costs/gears", test_gears);
    g_test_add_func("/network-costs/gears-measured", test_gears_measured);
    g_test_add_func("/network-costs/parts", test_parts);
    g_test_add_func("/network-costs/late", test_late);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
