// Random runs: an algorithm of the registry, its parameters, p, m, root, counts, model, discipline and costs are drawn,
// each cost often 0. Every time is the value of its certificate, a critical path leads to it without a gap, --full
// changes nothing, all gears of hockney agree, and so do both engines of LogGOPS.
//
// COLLSIM_RUNS (default 1000) is the number of runs, and COLLSIM_SEED (default 1) the seed of the first. Run i has the
// seed COLLSIM_SEED + i, so the seed that a failure prints repeats that run alone with COLLSIM_RUNS=1. A failure also
// prints the command that runs the same with the program, whether the test finds a difference or crashes. With
// --verbose, every run prints its command.
#include "gears_reference.h"
#include "engine/loggops/goal_record.h"
#include "engine/loggops/loggops.h"
#include "only.h"
#include "engine/replay/shared.h"
#include "engine/schedule/record.h"
#include "search/search/points.h"
#include "sample.h"
#include "tap.h"
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

enum { RUNS = 1000, MAX_MESSAGES = 10000 };

// ---- What is said when a run fails ----------------------------------------------------------------------------------

static char command[4096]; // of the run under way, after its seed; global, because a handler has no other way to it

static void say_command(void)
{
    if (write(STDERR_FILENO, command, strlen(command)) < 0)
        return;
}

static void on_signal(int signal_number)
{
    say_command();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void say_if_it_ends(void)
{
    static const int deadly[] = {SIGABRT, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE};
    for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++)
        signal(deadly[i], on_signal);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_set_death_callback(say_command);
#endif
}

// ---- Drawing --------------------------------------------------------------------------------------------------------

typedef struct RandomRun {
    GRand *random;
    Request request;
    Point *point;
    const Mapping *map; // of the request; NULL if it needs none
    GString *text;      // the command
} RandomRun;

static int below(RandomRun *x, int n)
{
    return g_rand_int_range(x->random, 0, n);
}

static const char *one_of(RandomRun *x, const char *const *texts, size_t n)
{
    return texts[below(x, (int)n)];
}

// Draws a number of ranks. Most are small, because they have all the corner cases and take little time.
static int draw_p(RandomRun *x)
{
    const int kind = below(x, 20);
    return kind < 15 ? 1 + below(x, 17) : kind < 19 ? 18 + below(x, 50) : 68 + below(x, 130);
}

// Draws a number of elements: none, few, about p or many.
static size_t draw_count(RandomRun *x, int p)
{
    const int kind = below(x, 6);
    return (size_t)(kind == 0   ? below(x, 2)
                    : kind == 1 ? below(x, 16)
                    : kind == 2 ? p - 1 + below(x, 3)
                    : kind == 3 ? p * below(x, 9)
                    : kind == 4 ? below(x, 4096)
                                : below(x, 100000));
}

// Returns a value of the parameter, as --param has it; free with g_free.
static char *draw_value(RandomRun *x, const CollParam *param, size_t m)
{
    const int drawn = below(x, 40);
    switch (param->kind) {
    case PARAM_SIZE: // at most 40 segments, so that the run stays short
        return g_strdup_printf("%" G_GSIZE_FORMAT, MAX(m / (size_t)(1 + drawn) + 1, (size_t)param->min));
    case PARAM_INT:
        return g_strdup_printf("%d", (int)MIN(param->min + drawn % 9, param->max));
    case PARAM_CHOICE:
        return g_strdup(param->choices[below(x, (int)param->max + 1)]);
    case PARAM_ALGORITHM:
        break;
    }
    int i;
    do
        i = below(x, n_algorithms);
    while (!param_allows(param, i));
    return g_strdup(algorithms[i]->name);
}

// Draws the parameters, about half of them; free with g_strfreev.
static char **draw_params(RandomRun *x, const CollAlgorithm *a, size_t m)
{
    GPtrArray *params = g_ptr_array_new();
    for (int i = 0; i < algorithm_n_params(a); i++) {
        // The default size of a slot would make a long queue of a short fragment's slots, so a fragment is always
        // given.
        if (below(x, 2) && strcmp(a->params[i].name, "fragment") != 0)
            continue;
        g_autofree char *value = draw_value(x, &a->params[i], m);
        g_ptr_array_add(params, g_strdup_printf("%s=%s", a->params[i].name, value));
        g_string_append_printf(x->text, " --param %s=%s", a->params[i].name, value);
    }
    g_ptr_array_add(params, NULL);
    return (char **)g_ptr_array_free(params, FALSE);
}

static void draw_counts(RandomRun *x)
{
    static const char *const counts[] = {"equal", "linear", "one-big", "zero-holes", "random:1", "random:2"};
    static const char *const displs[] = {"consecutive", "gaps"};
    GError *error = NULL;
    const char *lengths = NULL, *gaps = NULL;
    if (collectives[x->request.question.collective].counts && below(x, 4)) {
        lengths = one_of(x, counts, G_N_ELEMENTS(counts));
        g_string_append_printf(x->text, " --counts %s", lengths);
        if (x->request.question.collective != COLL_REDUCE_SCATTER && below(x, 2)) {
            gaps = one_of(x, displs, G_N_ELEMENTS(displs));
            g_string_append_printf(x->text, " --displs %s", gaps);
        }
    }
    question_counts(&x->request.question, lengths, gaps, &error);
    g_assert_no_error(error);
}

static void set(RandomRun *x, const char *key, const char *level, const char *value)
{
    g_autofree char *assignment = g_strdup_printf("%s%s%s=%s", key, level ? "." : "", level ? level : "", value);
    GError *error = NULL;
    platform_set(x->request.machine.platform, assignment, &error);
    g_assert_no_error(error);
    g_string_append_printf(x->text, " --set '%s'", assignment);
}

static const char *const times[] = {"0", "1ns", "7ns", "100ns", "1us", "0", "3ns", "1600ns"};
static const char *const per_byte[] = {"0", "1ns/B", "2ns/B", "3ns/B"};

// Draws a figure for each key of the model. They are whole nanoseconds, and a quarter of them 0.
static void draw_machine(RandomRun *x)
{
    static const char *const numbers[] = {"1", "2", "3", "5"};
    static const char *const sizes[] = {"0", "1", "64", "1K", "64K", "unlimited"};
    const Model *model = x->request.machine.model;
    for (size_t i = 0; i < model->n_keys; i++) {
        const PlatformKeyInfo *key = &platform_keys[model->keys[i]];
        const char *value = key->unit == PLATFORM_TIME       ? one_of(x, times, G_N_ELEMENTS(times))
                            : key->unit == PLATFORM_PER_BYTE ? one_of(x, per_byte, G_N_ELEMENTS(per_byte))
                            : key->unit == PLATFORM_SIZE     ? one_of(x, sizes, G_N_ELEMENTS(sizes))
                                                             : one_of(x, numbers, G_N_ELEMENTS(numbers));
        set(x, key->name, NULL, value);
    }
}

// Draws the figures of a platform's inner levels, and what the ranks of a node share.
static void draw_nodes(RandomRun *x)
{
    static const char *const nics[] = {"1", "2", "3"}, *const rates[] = {"none", "none", "1GB/s", "0.5GB/s", "4GB/s"};
    static const char *const messages[] = {"none", "none", "1G/s", "100M/s", "1M/s"};
    static const char *const memories[] = {"none", "none", "1", "0.5", "64:0.25 1K:1.5", "0:2 16:0.75 64K:0.125"};
    const Levels *levels = &x->request.machine.platform->levels;
    for (int k = 0; k < levels->n - 1; k++) {
        if (below(x, 3))
            set(x, "alpha", levels->at[k].name, one_of(x, times, G_N_ELEMENTS(times)));
        if (below(x, 3))
            set(x, "beta", levels->at[k].name, one_of(x, per_byte, G_N_ELEMENTS(per_byte)));
    }
    set(x, "nics", NULL, one_of(x, nics, G_N_ELEMENTS(nics)));
    set(x, "nic.rate", NULL, one_of(x, rates, G_N_ELEMENTS(rates)));
    set(x, "nic.messages", NULL, one_of(x, messages, G_N_ELEMENTS(messages)));
    set(x, "memory", NULL, one_of(x, memories, G_N_ELEMENTS(memories)));
}

// Draws a map.
static void draw_map(RandomRun *x)
{
    static const char *const maps[] = {"block", "cyclic"};
    g_autofree char *map = g_strdup_printf("%s:%d", maps[below(x, 2)], 1 + below(x, 9));
    GError *error = NULL;
    map_parse(map, (size_t)1 << 20, &x->request.machine.map, &error);
    g_assert_no_error(error);
    g_string_append_printf(x->text, " --map %s", map);
}

static const Model *draw_model(RandomRun *x, const CollAlgorithm *a)
{
    const int kind = a->shared ? 0 : below(x, 6);
    return a->shared   ? &shared_model
           : kind == 0 ? &loggops_model
           : kind == 1 ? &loggp_model
           : kind == 2 ? &logp_model
                       : &hockney_model;
}

// Draws a run from the seed. Returns false if the program refuses it: an algorithm has needs.
static bool draw(RandomRun *x, guint32 seed)
{
    static const int elements[] = {1, 1, 4, 8};
    g_snprintf(command, sizeof command, "# seed %u\n", seed);
    x->random = g_rand_new_with_seed(seed);
    const CollAlgorithm *a = only_one() ? only_one() : algorithms[below(x, n_algorithms)];
    const int p = draw_p(x), root = collectives[a->collective].rooted ? below(x, p) : 0;
    Request *r = &x->request;
    *r = (Request){.question.collective = a->collective,
                   .machine.model = draw_model(x, a),
                   .question.elem = (size_t)elements[below(x, 4)]};
    static const char *const platforms[] = {"generic-100g", "leonardo", "lumi", "orfeo-epyc", "peak"};
    const bool nodes = r->machine.model == &hockney_model && below(x, 4);
    const char *platform = nodes ? one_of(x, platforms, G_N_ELEMENTS(platforms)) : platforms[0];
    r->machine.options.transfer = (Transfer)below(x, 3);
    r->machine.platform = platform_load(platform, NULL);
    const size_t m = a->collective == COLL_BARRIER ? 0 : draw_count(x, p) * r->question.elem;
    x->text = g_string_new(NULL);
    g_string_printf(x->text, "collsim run %s %s -p %d -m %" G_GSIZE_FORMAT " --element %d --model %s",
                    collectives[a->collective].name, a->name, p, m, (int)r->question.elem, r->machine.model->name);
    if (a->collective == COLL_BARRIER)
        g_string_printf(x->text, "collsim run barrier %s -p %d --model %s", a->name, p, r->machine.model->name);
    if (root)
        g_string_append_printf(x->text, " --root %d", root);
    if (nodes)
        g_string_append_printf(x->text, " --platform %s", platform);
    if (r->machine.model != &shared_model && below(x, 9))
        draw_map(x);
    if (r->machine.model->transfers)
        g_string_append_printf(x->text, " --transfer %s", transfer_names[r->machine.options.transfer]);
    const size_t ranks = (size_t)p;
    r->question.ranks = g_array_append_vals(g_array_new(FALSE, FALSE, sizeof ranks), &ranks, 1);
    draw_counts(x);
    draw_machine(x);
    if (nodes)
        draw_nodes(x);
    r->question.params = draw_params(x, a, m);
    question_add(&r->question, a);
    g_snprintf(command, sizeof command, "# seed %u: %s\n", seed, x->text->str);
    if (g_test_verbose())
        g_test_message("%s", x->text->str);
    GError *error = NULL;
    r->question.root = root;
    x->point = point_new(r, a, p, r->machine.map.k, m, &error);
    g_assert_no_error(error);
    x->map = request_mapping(&r->machine, p, r->machine.map.k);
    return x->point->ran != NULL;
}

static void random_run_clear(RandomRun *x)
{
    g_strfreev(x->request.question.params);
    request_clear(&x->request);
    point_free(x->point);
    g_string_free(x->text, TRUE);
    g_rand_free(x->random);
}

// ---- Checks ---------------------------------------------------------------------------------------------------------

// Returns true if the two times, in s, differ by no more than rounding.
static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * MAX(fabs(a), fabs(b));
}

static Prediction *predict(const RandomRun *x, const Operation *op, bool full)
{
    PredictOptions options = x->request.machine.options;
    GError *error = NULL;
    options.full = options.why = full;
    options.map = x->map;
    Prediction *y =
        x->request.machine.model->predict(x->request.machine.model, op, x->request.machine.platform, &options, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(y->stuck->len, ==, 0);
    return y;
}

// The program's answer does not depend on --full, and its critical path leads to its time.
static void check_answer(const RandomRun *x, const Operation *op)
{
    g_autoptr(Prediction) quick = predict(x, op, false), full = predict(x, op, true);
    g_assert_true(quick->time_s == full->time_s);
    g_assert_cmpmem(quick->count, sizeof quick->count, full->count, sizeof full->count);
    g_assert_cmpuint(quick->terms->len, ==, full->terms->len);
    for (guint i = 0; i < quick->terms->len; i++)
        g_assert_cmpint(g_array_index(quick->terms, PredictionTerm, i).n, ==,
                        g_array_index(full->terms, PredictionTerm, i).n);
    g_assert_cmpmem(&quick->totals, sizeof quick->totals, &full->totals, sizeof full->totals);
    double end = 0;
    for (guint i = 0; i < full->why->len; i++) {
        const WhyStep *step = &g_array_index(full->why, WhyStep, i);
        g_assert_true(near(step->start_s, end) && step->end_s >= step->start_s);
        end = step->end_s;
    }
    g_assert_true(near(end, full->time_s));
}

static char *name_of(gconstpointer run)
{
    return g_strdup(((const RandomRun *)run)->text->str);
}

static void check_hockney(const RandomRun *x, const Schedule *s, GearsCounts *n)
{
    const Transfer transfer = x->request.machine.options.transfer;
    GearsCase k = {.s = s, .model = hockney_figures(x->request.machine.platform, transfer), .name = name_of, .of = x};
    k.model.site = site_of_platform(x->request.machine.platform, x->map, transfer);
    gears_agree(&k, g_rand_int(x->random), n);
    site_free(k.model.site);
}

static void check_shared(const RandomRun *x, const Schedule *s)
{
    const double *v = x->request.machine.platform->value;
    const SharedCosts costs = {v[KEY_WRITE], v[KEY_READ], v[KEY_LANES], v[KEY_FLAG], v[KEY_GAMMA]};
    SharedCertificate paid;
    g_autoptr(Replay) r = shared_replay(s, &costs, &(ReplayOptions){0}, &paid, NULL);
    g_assert_true(near(r->clock_s, r->time_s));
    g_assert_true(near(shared_time(&paid, &costs), r->time_s));
}

// LogGOPS has two engines, one with doubles and one with whole numbers. They differ only in messages of 0 bytes.
static void check_loggops(const RandomRun *x, const Operation *op)
{
    g_autoptr(Goal) goal = goal_record(op, NULL);
    g_assert_nonnull(goal);
    for (guint i = 0; i < goal_n_ops(goal); i++)
        if (goal_op(goal, i)->kind != GOAL_CALC && goal_op(goal, i)->size == 0)
            return;
    const double *v = x->request.machine.platform->value;
    double ns[N_PLATFORM_KEYS];
    for (int i = 0; i < N_PLATFORM_KEYS; i++)
        ns[i] = round(v[i] * 1e9);
    const double S = v[KEY_S];
    const LoggopsParams params = {.L = ns[KEY_L],
                                  .o = ns[KEY_O_CPU],
                                  .g = ns[KEY_G_GAP],
                                  .G = ns[KEY_G_BYTE],
                                  .O = ns[KEY_O_BYTE],
                                  .S = S,
                                  .gamma = ns[KEY_GAMMA]};
    const LoggopsTicks ticks = {.L = (uint64_t)params.L,
                                .o = (uint64_t)params.o,
                                .g = (uint64_t)params.g,
                                .G = (uint64_t)params.G,
                                .O = (uint64_t)params.O,
                                .S = isinf(S) ? UINT64_MAX : (uint64_t)S,
                                .gamma = (uint64_t)params.gamma};
    g_autoptr(LoggopsResult) a = loggops_run(goal, &params);
    g_autoptr(LoggopsTicksResult) b = loggops_run_ticks(goal, &ticks);
    for (uint32_t host = 0; host < a->n_hosts; host++) {
        const LoggopsStamp stamp = loggops_stamp(a, host);
        g_assert_true(a->finish[host] == (double)b->finish[host]);
        g_assert_true(stamp.t == a->finish[host] && loggops_time(&stamp, &params) == stamp.t);
    }
    g_assert_cmpuint(a->last_host, ==, b->last_host);
}

// Returns false if the run is refused, or has too many messages for a test.
static bool try_run(guint32 seed, GearsCounts *n)
{
    RandomRun x = {.random = NULL};
    bool tried = draw(&x, seed);
    if (tried) {
        const Operation op = point_operation(&x.request, x.point);
        Schedule *s = schedule_record(&op, NULL);
        tried = schedule_totals(s).messages <= MAX_MESSAGES;
        if (tried) {
            check_answer(&x, &op);
            if (x.request.machine.model == &hockney_model)
                check_hockney(&x, s, n);
            else if (x.request.machine.model == &shared_model)
                check_shared(&x, s);
            else if (x.request.machine.model == &loggops_model)
                check_loggops(&x, &op);
            n->schedules++;
        }
        schedule_free(s);
    }
    random_run_clear(&x);
    return tried;
}

static guint64 number_from(const char *variable, guint64 otherwise)
{
    const char *text = g_getenv(variable);
    guint64 number = otherwise;
    g_autoptr(GError) error = NULL;
    if (text && !g_ascii_string_to_unsigned(text, 10, 1, UINT32_MAX, &number, &error))
        g_error("%s: %s", variable, error->message);
    return number;
}

static void test_random(void)
{
    const guint64 runs = number_from("COLLSIM_RUNS", RUNS), seed = number_from("COLLSIM_SEED", sample_seed(1));
    GearsCounts n = {0};
    guint64 left_out = 0;
    say_if_it_ends();
    for (guint64 i = 0; i < runs; i++)
        left_out += !try_run((guint32)(seed + i), &n);
    g_test_message("%" G_GUINT64_FORMAT " runs drawn, %" G_GUINT64_FORMAT " of them refused or too long", runs,
                   left_out);
    gears_report(&n);
    only_visited(n.schedules);
    g_assert_true(only_one() || runs < RUNS || left_out < runs / 10);
}

static void add(void)
{
    g_test_add_func("/random/runs", test_random);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
