// Ranks that arrive at different times, and noise. Random cases with arrivals take as long as the graph of the text in
// which every rank begins with a calc of that length, which is how anybody would export them, rank by rank and exactly.
// Noise is held against the second simulator, whose messages may each take longer; the gears against each other; and the draws
// against their distributions.
//
// COLLSIM_POINTS is the number of random cases, COLLSIM_SEED the seed of the first.
#include "engine/loggops/goal_record.h"
#include "engine/model/model.h"
#include "engine/schedule/record.h"
#include "engine/schedule/schedule_graph.h"
#include "machines.h"
#include "reference_measured.h"
#include "reference_sim.h"
#include "sample.h"
#include "search/search/points.h"
#include "tap.h"
#include <math.h>
#include <string.h>

// ---- Draws ----------------------------------------------------------------------------------------------------------

static void test_draws(void)
{
    enum { N = 1 << 20, MEAN = 1000000 };
    const uint64_t key = draws_stream(7, 1, 2);
    double sum = 0, squares = 0, uniform = 0;
    int above = 0, spikes = 0;
    for (uint64_t i = 0; i < N; i++) {
        const uint64_t bits = draws_bits(key, i);
        const double exact = -log(((double)bits + 0.5) / 18446744073709551616.0) * MEAN,
                     drawn = (double)draws_exponential(bits, MEAN);
        g_assert_cmpfloat_with_epsilon(drawn, exact, 4e-5 * MEAN + 1);
        sum += drawn;
        squares += drawn * drawn;
        above += drawn > 3 * MEAN;
        uniform += (double)draws_uniform(bits, MEAN);
        spikes += noise_draw(&(NoiseDraw){NOISE_SPIKE, 5, 64}, bits) == 5;
    }
    // 4 standard deviations of each mean.
    g_assert_cmpfloat_with_epsilon(sum / N, MEAN, 4.0 * MEAN / 1024);
    g_assert_cmpfloat_with_epsilon(squares / N, 2.0 * MEAN * MEAN, 4 * sqrt(20.0) * MEAN * (double)MEAN / 1024);
    g_assert_cmpfloat_with_epsilon((double)above / N, exp(-3), 4 * sqrt(exp(-3)) / 1024);
    g_assert_cmpfloat_with_epsilon(uniform / N, MEAN / 2.0, 4 * MEAN / sqrt(12) / 1024);
    g_assert_cmpfloat_with_epsilon((double)spikes / N, 1 / 64.0, 4 / 8.0 / 1024);
}

// The ends, and values that must be the same on any machine.
static void test_draw_ends(void)
{
    g_assert_cmpuint(draws_exponential(UINT64_MAX, 1000), ==, 0);
    g_assert_cmpuint(draws_exponential(0, 1000), <=, DRAW_EXPONENTIAL_MOST * 1000);
    g_assert_cmpuint(draws_exponential(1, (uint64_t)1 << 56), <=, DRAW_EXPONENTIAL_MOST * ((uint64_t)1 << 56));
    g_assert_cmpuint(draws_uniform(UINT64_MAX, 9), ==, 9);
    g_assert_cmpuint(draws_uniform(0, 9), ==, 0);
    g_assert_cmpuint(draws_bits(0, 0), ==, 0xe220a8397b1dcdafu); // the first output of splitmix64 from the state 0
    g_assert_cmpuint(draws_bits(0, 1), ==, 0x6e789e6aa1b965f4u);
    g_assert_cmpuint(draws_exponential(0x8000000000000000u, 1000000000), ==, 693147181);
}

static void test_places(void)
{
    g_assert_cmpint(skew_median(1), ==, 0);
    g_assert_cmpint(skew_median(2), ==, 0);
    g_assert_cmpint(skew_median(101), ==, 50);
    g_assert_cmpint(skew_p99(1), ==, 0);
    g_assert_cmpint(skew_p99(99), ==, 98);
    g_assert_cmpint(skew_p99(100), ==, 98);
    g_assert_cmpint(skew_p99(101), ==, 99);
    g_assert_cmpint(skew_p99(10000), ==, 9899);
}

// ---- Random cases ---------------------------------------------------------------------------------------------------

typedef struct SkewCase {
    Request request;
    Point *point;
    Operation op;
} SkewCase;

// Draws an operation that runs itself; its point is NULL if there is none. Clear with case_clear.
static void case_draw(SkewCase *x, GRand *random)
{
    const CollAlgorithm *a = algorithms[g_rand_int_range(random, 0, n_algorithms)];
    const int p = g_rand_int_range(random, 2, 20);
    const size_t m = a->collective == COLL_BARRIER ? 0 : (size_t)g_rand_int_range(random, 0, 200);
    *x = (SkewCase){.request = {.question = {.collective = a->collective, .elem = 1}}};
    if (a->shared)
        return;
    const int root = collectives[a->collective].rooted ? g_rand_int_range(random, 0, p) : 0;
    x->request.question.root = root;
    x->point = point_new(&x->request, a, p, 0, m, NULL);
    if (x->point && x->point->ran == a)
        x->op = point_operation(&x->request, x->point);
    else
        g_clear_pointer(&x->point, point_free);
}

static void case_clear(SkewCase *x)
{
    point_free(x->point);
    request_clear(&x->request);
}

// What stands for 1 ns, so that no time has a fraction: sums in another order then break no tie in another way.
#define UNIT ((uint64_t)1000000000)

// Draws when ranks arrive, in each of the ways of --arrival, in whole units.
static void draw_arrival(Skew *skew, int p, GRand *random)
{
    *skew = (Skew){.seeds = 1};
    Arrival drawn = {.kind = (ArrivalKind)g_rand_int_range(random, ARRIVAL_ONE_LATE, ARRIVAL_FILE + 1),
                     .ns = (uint64_t)g_rand_int_range(random, 1, 3000),
                     .seed = g_rand_int(random)};
    const Skew in_ns = {.arrival = drawn};
    g_autofree uint64_t *ns = drawn.kind == ARRIVAL_FILE ? g_new(uint64_t, p) : skew_arrivals(&in_ns, p, 0);
    skew->arrival = (Arrival){.kind = ARRIVAL_FILE, .file = g_array_new(FALSE, FALSE, sizeof(uint64_t))};
    for (int rank = 0; rank < p; rank++) {
        const uint64_t few = (uint64_t)g_rand_int_range(random, 0, 4) * drawn.ns,
                       at = UNIT * (drawn.kind == ARRIVAL_FILE ? few : ns[rank]);
        g_array_append_val(skew->arrival.file, at);
    }
}

static Platform *flat_platform(void)
{
    GError *error = NULL;
    Platform *platform = platform_load("generic-100g", &error);
    g_assert_no_error(error);
    g_assert_true(platform_set(platform, "alpha=700s", &error) && platform_set(platform, "beta=2s/B", &error) &&
                  platform_set(platform, "gamma=1s/B", &error));
    return platform;
}

// Returns the graph in which every rank first has a calc that lasts until it arrives.
static Goal *delayed(const Goal *goal, const uint64_t *arrival)
{
    Goal *x = goal_new(goal_n_hosts(goal));
    const uint32_t n = goal_n_ops(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n), *place = g_new(uint32_t, n);
    const GoalDependents required = goal_required(goal, open), irequired = goal_irequired(goal, open);
    for (uint32_t host = 0, i = 0; host < goal_n_hosts(goal); host++) {
        const uint32_t first = goal_add(x, host, GOAL_CALC, arrival[host] / UNIT, 0, 0);
        for (; i < n && goal_op(goal, i)->host == host; i++) {
            const GoalOp *op = goal_op(goal, i);
            place[i] = goal_add(x, host, op->kind, op->size, op->peer, op->tag);
            if (open[i] == 0)
                goal_require(x, place[i], first);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = required.first ? required.first[i] : 0; required.first && k < required.first[i + 1]; k++)
            goal_require(x, place[required.op[k]], place[i]);
        for (uint32_t k = irequired.first ? irequired.first[i] : 0; irequired.first && k < irequired.first[i + 1]; k++)
            goal_irequire(x, place[irequired.op[k]], place[i]);
    }
    goal_dependents_clear(&required);
    goal_dependents_clear(&irequired);
    return x;
}

// Returns whether the case has a graph, and was compared with it.
static bool hold_arrival(const Operation *op, const Platform *platform, Transfer transfer, const Skew *skew)
{
    GError *error = NULL;
    const int p = op->c.p;
    Schedule *s = schedule_record(op, NULL);
    const bool graphic = !s->mixed && !(s->kinds & 1u << OP_THROTTLE); // a graph cannot express a throttle
    schedule_free(s);
    g_autoptr(Goal) goal = graphic ? goal_record(op, NULL) : NULL;
    if (!goal)
        return false;
    g_autofree uint64_t *arrival = skew_arrivals(skew, p, 0);
    for (int rank = 0; rank < p; rank++)
        g_assert_cmpuint(arrival[rank] % UNIT, ==, 0);
    g_autoptr(Goal) late = delayed(goal, arrival);
    Schedule *graph = schedule_graph_new(late, "graph");
    const Hockney model = hockney_figures(platform, transfer);
    const ReplayOptions options = {.clocks = true};
    g_autoptr(Replay) expected = replay(graph, &model, &options, NULL);
    const PredictOptions o = {.transfer = transfer, .skew = skew, .clocks = true, .why = true};
    g_autoptr(Prediction) got = hockney_model.predict(&hockney_model, op, platform, &o, &error);
    g_assert_no_error(error);
    for (int rank = 0; rank < p; rank++) {
        g_assert_cmpfloat(got->clock[rank], ==, expected->clocks[rank].t);
    }
    double sum = 0;
    for (guint i = 0; i < got->terms->len; i++)
        sum += term_worth(&g_array_index(got->terms, PredictionTerm, i).term,
                          g_array_index(got->terms, PredictionTerm, i).n);
    g_assert_cmpfloat_with_epsilon(sum, got->time_s, 1e-9 * (got->time_s + 1));
    const WhyStep *first = got->why->len ? &g_array_index(got->why, WhyStep, 0) : NULL,
                  *last = got->why->len ? &g_array_index(got->why, WhyStep, got->why->len - 1) : NULL;
    if (first && strcmp(first->what, "arrival") == 0)
        g_assert_cmpfloat(first->end_s, ==, noise_s(arrival[first->rank]));
    g_assert_cmpfloat_with_epsilon(last ? last->end_s : 0, got->time_s, 1e-9 * (got->time_s + 1));
    schedule_free(graph);
    return true;
}

static void test_arrival(void)
{
    guint64 first;
    const guint n = sample_points(2000, 150, &first);
    g_autoptr(Platform) platform = flat_platform();
    int held = 0;
    for (guint64 i = first; i < first + n; i++) {
        GRand *random = g_rand_new_with_seed((guint32)i);
        SkewCase x;
        case_draw(&x, random);
        if (x.point) {
            g_auto(Skew) skew = {0};
            const Transfer transfer = (Transfer)g_rand_int_range(random, 0, 3);
            draw_arrival(&skew, x.op.c.p, random);
            g_test_message("case %" G_GUINT64_FORMAT ": %s %s on %d ranks, %zu bytes, root %d, %s", i,
                           collectives[x.op.algorithm->collective].name, x.op.algorithm->name, x.op.c.p, x.op.m,
                           x.op.c.root, transfer_names[transfer]);
            held += hold_arrival(&x.op, platform, transfer, &skew);
        }
        case_clear(&x);
        g_rand_free(random);
    }
    g_test_message("%d cases take as long as graphs", held);
    g_assert_cmpint(held, >, (int)n / 4);
}

// ---- Noise ----------------------------------------------------------------------------------------------------------

// Sets by how much each message of a program is longer, in s.
static void list_noise(const ReferenceProgram *program, const Skew *skew, ReferenceNetwork *x)
{
    Noise noise = {.spec = skew->noise};
    x->most = 1;
    for (int rank = 0; rank < program->p; rank++)
        x->most = MAX(x->most, (int)program->lines[rank]->len);
    const size_t n = (size_t)program->p * (size_t)x->most;
    x->began = g_new0(int64_t, n);
    x->hop = g_new0(int64_t, n);
    x->load = g_new0(int64_t, n);
    for (int rank = 0; rank < program->p; rank++) {
        const uint64_t key = draws_stream(skew->noise_seed, 0, (uint64_t)rank);
        uint64_t number = 0;
        for (guint i = 0; i < program->lines[rank]->len; i++) {
            const ReferenceLine *line = &g_array_index(program->lines[rank], ReferenceLine, i);
            if (line->kind != COLL_SEND && line->kind != COLL_ISEND && line->kind != COLL_SENDRECV)
                continue;
            const uint64_t ns = noise_draw(&noise.spec.message, draws_bits(key, number)) +
                                noise_of_rank(&noise.spec, skew->noise_seed, rank) +
                                noise_of_rank(&noise.spec, skew->noise_seed, line->to);
            x->hop[(uint64_t)rank * (uint64_t)x->most + number++] = (int64_t)(ns / UNIT);
        }
    }
}

static void network_clear(ReferenceNetwork *x)
{
    g_free(x->began);
    g_free(x->hop);
    g_free(x->load);
}

// Runs the second simulator, and sets ends[] to when each rank ends. Returns the last end.
static int64_t reference_ends(const ReferenceProgram *program, const DrawnMachine *machine, bool measured,
                              const int64_t *starts, int64_t *ends)
{
    const int p = program->p;
    g_autofree ReferenceStamp *stamp = g_new0(ReferenceStamp, p);
    g_autofree ReferenceEnd *end = g_new0(ReferenceEnd, p);
    bool passed;
    const int64_t last = measured ? reference_measured(program, &machine->reference, &machine->figures, starts, end)
                                  : reference_run(program, &machine->reference, starts, stamp, &passed);
    for (int rank = 0; rank < p; rank++)
        ends[rank] = measured ? end[rank].t : stamp[rank].t;
    if (measured)
        reference_ends_clear(end, p);
    return last;
}

// Runs an operation with noise in each gear of hockney that applies; all ranks must end then. Counts the gears.
static void try_gears(const Operation *op, const DrawnMachine *machine, Transfer transfer, const Skew *skew,
                      const double *start, const int64_t *ends, int *gears)
{
    const int p = op->c.p;
    g_autoptr(Site) site = site_of_platform(machine->platform, machine->map, transfer);
    if (!site)
        site = site_on_network(machine->platform, NULL, transfer, false);
    noise_add(site, &skew->noise, p);
    site->noise->seed = skew->noise_seed;
    Hockney model = hockney_figures(machine->platform, transfer);
    model.site = site;
    Schedule *s = schedule_record(op, NULL);
    for (Gear gear = GEAR_EVENT; gear <= GEAR_LOCKSTEP; gear++) {
        ReplayOptions options = {.gear = gear, .start = start, .clocks = true};
        if (s->mixed || !replay_gear_applies(s, &model, &options, gear))
            continue;
        g_autoptr(Replay) r = replay(s, &model, &options, NULL);
        for (int rank = 0; rank < p; rank++)
            g_assert_cmpfloat(r->clocks[rank].t, ==, (double)ends[rank]);
        gears[gear]++;
    }
    schedule_free(s);
}

// Holds a run with noise against the second simulator. Returns whether noise made a difference.
static bool hold_noise(const Operation *op, DrawnMachine *machine, const Model *model, Transfer transfer,
                       const Skew *skew, int *gears)
{
    GError *error = NULL;
    const int p = op->c.p;
    const bool measured = model == &measured_model;
    g_autoptr(ReferenceProgram) program = reference_program(op->algorithm, op->algorithm->collective, &op->c, op->m, 0);
    g_autofree int64_t *starts = g_new0(int64_t, p), *ends = g_new(int64_t, p);
    g_autofree uint64_t *arrival = skew_arrivals(skew, p, 0);
    g_autofree double *start = skew_starts(arrival, p);
    for (int rank = 0; arrival && rank < p; rank++)
        starts[rank] = (int64_t)(arrival[rank] / UNIT);
    ReferenceNetwork noise;
    list_noise(program, skew, &noise);
    machine->reference.transfer = transfer;
    const int64_t without = reference_ends(program, machine, measured, starts, ends);
    machine->reference.network = &noise;
    const int64_t t = reference_ends(program, machine, measured, starts, ends);
    machine->reference.network = NULL;
    network_clear(&noise);
    const PredictOptions o = {.transfer = transfer, .map = machine->map, .skew = skew, .clocks = true, .why = true};
    g_autoptr(Prediction) got = model->predict(model, op, machine->platform, &o, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(got->stuck->len, ==, 0);
    for (int rank = 0; rank < p; rank++)
        g_assert_cmpfloat(got->clock[rank], ==, (double)ends[rank]);
    const double near = 1e-9 * (double)(t + 1);
    double sum = 0;
    for (guint i = 0; i < got->terms->len; i++)
        sum += term_worth(&g_array_index(got->terms, PredictionTerm, i).term,
                          g_array_index(got->terms, PredictionTerm, i).n);
    g_assert_cmpfloat_with_epsilon(sum, (double)t, near);
    if (got->why->len)
        g_assert_cmpfloat_with_epsilon(g_array_index(got->why, WhyStep, got->why->len - 1).end_s, (double)t, near);
    if (!measured)
        try_gears(op, machine, transfer, skew, start, ends, gears);
    return t != without;
}

// Draws noise in multiples of so many seconds, so that no time has a fraction.
static void draw_noise(Skew *skew, uint64_t seconds, GRand *random)
{
    const uint64_t unit = seconds * UNIT;
    skew->noise_seed = g_rand_int(random);
    skew->noise.message = (NoiseDraw){NOISE_SPIKE, unit * (uint64_t)g_rand_int_range(random, 1, 5),
                                      (uint64_t)g_rand_int_range(random, 1, 4)};
    if (g_rand_boolean(random))
        skew->noise.rank = (NoiseDraw){NOISE_SPIKE, unit * (uint64_t)g_rand_int_range(random, 1, 4), 2};
    if (g_rand_boolean(random))
        skew->arrival = (Arrival){.kind = ARRIVAL_ONE_LATE, .ns = unit * (uint64_t)g_rand_int_range(random, 1, 40)};
}

// Holds random runs under a model.
static void hold_noises(const Model *model)
{
    guint64 first;
    const guint n = sample_points(1500, 150, &first);
    const bool measured = model == &measured_model;
    int held = 0, differ = 0, gears[GEAR_LOCKSTEP + 1] = {0};
    for (guint64 i = first; i < first + n; i++) {
        GRand *random = g_rand_new_with_seed((guint32)i);
        SkewCase x;
        case_draw(&x, random);
        if (x.point) {
            DrawnMachine machine;
            Skew skew = {.seeds = 1};
            const Transfer transfer = (Transfer)g_rand_int_range(random, 0, 3);
            const int kind = g_rand_int_range(random, 0, 3),
                      has = kind == 0   ? 0
                            : kind == 1 ? MACHINES_LEVELS
                                        : MACHINES_NICS | MACHINES_LEVELS | MACHINES_MEMORY;
            if (measured)
                machines_draw_measured(&machine, random, x.op.c.p, 0, has | (i % 2 ? MACHINES_PORTS : 0));
            else
                machines_draw(&machine, random, x.op.c.p, 0, has);
            draw_noise(&skew, measured ? (uint64_t)MACHINES_UNIT : 1, random);
            x.op = point_operation(&x.request, x.point);
            g_test_message("case %" G_GUINT64_FORMAT ": %s %s on %d ranks, %zu bytes, %s, %s", i,
                           collectives[x.op.algorithm->collective].name, x.op.algorithm->name, x.op.c.p, x.op.m,
                           measured ? "measured" : transfer_names[transfer], machine.text);
            differ += hold_noise(&x.op, &machine, model, transfer, &skew, gears);
            held++;
            machines_clear(&machine);
        }
        case_clear(&x);
        g_rand_free(random);
    }
    g_test_message("%d runs, in %d of which noise makes a difference; gears event %d, flow %d, chain %d", held, differ,
                   gears[GEAR_EVENT], gears[GEAR_FLOW], gears[GEAR_CHAIN]);
    g_assert_cmpint(differ, >, held / 3);
    g_assert_true(measured || (gears[GEAR_EVENT] > 0 && gears[GEAR_FLOW] > 0 && gears[GEAR_CHAIN] > 0));
}

static void test_noise(void)
{
    hold_noises(&hockney_model);
}

static void test_noise_measured(void)
{
    hold_noises(&measured_model);
}

// ---- Seeds ----------------------------------------------------------------------------------------------------------

// The median and the percentile are those of runs with one seed each, and a limit on the time changes neither.
static void test_seeds(void)
{
    enum { SEEDS = 25 };
    GRand *random = g_rand_new_with_seed(sample_seed(5));
    g_autoptr(Platform) platform = flat_platform();
    int held = 0;
    while (held < sample_of(60, 20)) {
        SkewCase x;
        case_draw(&x, random);
        if (x.point) {
            Skew skew = {.arrival = {.kind = ARRIVAL_RANDOM, .ns = 2000 * UNIT, .seed = 3},
                         .noise.message = {NOISE_EXPONENTIAL, 500 * UNIT, 1},
                         .noise_seed = 9,
                         .seeds = 1};
            double time[SEEDS];
            PredictOptions o = {.skew = &skew};
            for (int i = 0; i < SEEDS; i++, skew.arrival.seed++, skew.noise_seed++) {
                g_autoptr(Prediction) one = hockney_model.predict(&hockney_model, &x.op, platform, &o, NULL);
                int k = i;
                for (; k > 0 && time[k - 1] > one->time_s; k--)
                    time[k] = time[k - 1];
                time[k] = one->time_s;
            }
            skew.arrival.seed -= SEEDS;
            skew.noise_seed -= SEEDS;
            skew.seeds = SEEDS;
            for (int p99 = 0; p99 < 2; p99++) {
                const double shown = time[p99 ? skew_p99(SEEDS) : skew_median(SEEDS)];
                skew.p99 = p99;
                o.enough_s = 0;
                g_autoptr(Prediction) all = hockney_model.predict(&hockney_model, &x.op, platform, &o, NULL);
                g_assert_cmpfloat_with_epsilon(all->time_s, shown, 1e-12);
                g_assert_cmpfloat_with_epsilon(all->skew.median_s, time[skew_median(SEEDS)], 1e-12);
                g_assert_cmpfloat_with_epsilon(all->skew.p99_s, time[skew_p99(SEEDS)], 1e-12);
                g_assert_cmpfloat_with_epsilon(all->skew.most_s, time[SEEDS - 1], 1e-12);
                o.enough_s = shown * 1.0001;
                g_autoptr(Prediction) near = hockney_model.predict(&hockney_model, &x.op, platform, &o, NULL);
                g_assert_true(!near->beyond && near->time_s == all->time_s && near->skew.p99_s == all->skew.p99_s);
                o.enough_s = shown * 0.9;
                g_autoptr(Prediction) far = hockney_model.predict(&hockney_model, &x.op, platform, &o, NULL);
                g_assert_true(far->beyond || far->time_s == all->time_s);
            }
            held++;
        }
        case_clear(&x);
    }
    g_rand_free(random);
}

static void add(void)
{
    g_test_add_func("/skew/draws", test_draws);
    g_test_add_func("/skew/draw-ends", test_draw_ends);
    g_test_add_func("/skew/places", test_places);
    g_test_add_func("/skew/arrival", test_arrival);
    g_test_add_func("/skew/noise", test_noise);
    g_test_add_func("/skew/noise-measured", test_noise_measured);
    g_test_add_func("/skew/seeds", test_seeds);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
