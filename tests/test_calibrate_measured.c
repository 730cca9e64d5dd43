// Calibration of the model measured: from times that the model itself predicts, it finds the tables, gaps and gamma that
// they were made from; tables are made as measured_table.h says; labels choose what a row determines.
#include "base/error.h"
#include "measurements/calibrate/measured_points.h"
#include "measurements/calibrate/measured_table.h"
#include "near.h"
#include "search/search/measurement_rows.h"
#include "tap.h"
#include <string.h>

// ---- Calibrations ---------------------------------------------------------------------------------------------------

// What a calibration needs to live as long as its result.
typedef struct Example {
    GPtrArray *logs, *keep, *notes;
    GArray *rows;
    Platform *assumed;
    MeasuredFit *fit;
} Example;

static void example_clear(Example *x)
{
    measured_fit_free(x->fit);
    g_clear_pointer(&x->rows, g_array_unref);
    g_ptr_array_unref(x->logs);
    g_ptr_array_unref(x->keep);
    g_ptr_array_unref(x->notes);
    platform_free(x->assumed);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Example, example_clear)

static Platform *parsed(const char *text)
{
    g_autoptr(GError) error = NULL;
    Platform *platform = platform_parse("m.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    return platform;
}

// Calibrates from texts with labels: label, text, label, text, .., NULL.
static gboolean calibrated(Example *x, Platform *assumed, GError **error, ...)
{
    va_list args;
    *x = (Example){g_ptr_array_new_with_free_func((GDestroyNotify)log_free),
                   g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref),
                   g_ptr_array_new_with_free_func(g_free),
                   NULL,
                   assumed,
                   NULL};
    va_start(args, error);
    for (const char *name; (name = va_arg(args, const char *));) {
        const char *text = va_arg(args, const char *), *path;
        g_auto(LogLabel) label = {0};
        g_autoptr(GError) bad = NULL;
        g_assert_true(log_label(name, &label, &path, &bad));
        Log *log = log_parse(text, strlen(text), path, &label, NULL, &bad);
        g_assert_no_error(bad);
        g_ptr_array_add(x->logs, log);
    }
    va_end(args);
    x->rows = measurement_rows_make(x->logs, &measured_model, assumed, x->keep, x->notes, error);
    if (x->rows)
        x->fit = measured_fit(x->logs, x->rows, assumed, error);
    return x->fit != NULL;
}

// Returns what the model predicts for the collectives in `text`, CSV without times, as CSV with times. Free with g_free.
static char *predicted(Platform *machine, const char *text)
{
    g_autoptr(GString) zero = g_string_new("collective,algorithm,ranks,per_node,bytes,time_s\n");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *out = g_string_new(zero->str);
    for (char **line = lines; *line && **line; line++)
        g_string_append_printf(zero, "%s,1\n", *line);
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free),
                         keep = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref),
                         notes = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(logs, log_parse(zero->str, zero->len, "f", NULL, NULL, NULL));
    g_autoptr(GArray) rows = measurement_rows_make(logs, &measured_model, machine, keep, notes, NULL);
    for (guint i = 0; i < rows->len; i++) {
        const CalibrateRow *row = &g_array_index(rows, CalibrateRow, i);
        const PredictOptions options = {.map = row->map};
        g_autoptr(Prediction) p = measured_model.predict(&measured_model, &row->op, machine, &options, NULL);
        g_string_append_printf(out, "%s,%.12g\n", lines[i], p->time_s);
    }
    return g_string_free(out, FALSE);
}

// Appends a line for each size from `least` to `most`, four times the one before.
static void add_sizes(GString *text, const char *what, size_t least, size_t most)
{
    for (size_t bytes = least; bytes <= most; bytes *= 4)
        g_string_append_printf(text, "%s,%zu\n", what, bytes);
}

static const char FLAT[] = "[measured]\n"
                           "one = 8:2us 512:2.5us 8K:5us 32K:9us 2M:200us\none.source = x\n"
                           "step = 8:2.4us 512:3us 8K:7us 32K:13us 2M:300us\nstep.source = x\n"
                           "gap = 8:0.4us 8K:2us 32K:8us 2M:190us\ngap.source = x\n"
                           "lambda = 0\nlambda.source = x\ngamma = 0.2ns/B\ngamma.source = x\n";

// ---- From predictions back to figures -------------------------------------------------------------------------------

// The pipeline gives `one`, the ring of allgather `step`, the linear bcast `gap`, and the ring of allreduce gamma. Only
// what other rows cannot determine may then be off: the recursive doubling is predicted as it was made.
static void test_round_trip(void)
{
    g_autoptr(Platform) machine = parsed(FLAT);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "bcast,pipeline,8,1", 8, 2 << 20);
    add_sizes(what, "bcast,linear,8,1", 8, 2 << 20);
    add_sizes(what, "allgather,ring,8,1", 8, 2 << 20);
    add_sizes(what, "allreduce,ring,8,1", 64, 16 << 20);
    add_sizes(what, "allreduce,recursive_doubling,8,1", 8, 2 << 20);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    calibrated(&x, platform_new(""), &error, "f", text, NULL);
    g_assert_no_error(error);
    const MeasuredLevel *made = &machine->measured->level[0], *found = &x.fit->platform->measured->level[0];
    for (uint64_t bytes = 8; bytes <= 2 << 20; bytes *= 4) {
        assert_near(table_time_at(found->one, bytes), table_time_at(made->one, bytes), 1e-3);
        assert_near(table_time_at(found->step, bytes), table_time_at(made->step, bytes), 1e-3);
        assert_near(table_time_at(found->gap, bytes), table_time_at(made->gap, bytes), 1e-3);
    }
    g_assert_cmpint(found->one->n, ==, 10); // every size is a point
    assert_near(x.fit->platform->measured->work[WORK_REDUCE].per_byte, 2e-10, 1e-3);
    for (guint i = 0; i < x.rows->len; i++) {
        const CalibrateRow *row = &g_array_index(x.rows, CalibrateRow, i);
        const gboolean doubles = strcmp(row->op.algorithm->name, "recursive_doubling") == 0; // short ones show `far`
        g_assert_cmpint(x.fit->uses_row[i], ==, !doubles || row->op.m <= 4096);
    }
    g_autoptr(Calibration) c = measured_points(x.fit, x.logs, x.rows, &error);
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        assert_near(p->predicted_s, p->measured_s, 0.02); // 4 digits of each point, and gamma's
    }
}

// Calibrates from times of one kind of rows that the machine itself predicts, and holds the predictions of these rows
// against the times.
static void check_itself(const char *machine_text, const char *rows, size_t least, size_t most)
{
    g_autoptr(Platform) machine = parsed(machine_text);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "bcast,pipeline,4,1", 8, 2 << 20); // `one`, for the rows that give gaps
    add_sizes(what, rows, least, most);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    static const char *const FIGURES[] = {"lambda=0", "gamma=0.2ns/B", "copy=0.3ns/B above 4K",
                                          "fresh=0.5ns/B above 4K"};
    Platform *assumed = platform_new("");
    for (size_t i = 0; i < G_N_ELEMENTS(FIGURES); i++)
        g_assert_true(platform_set(assumed, FIGURES[i], &error));
    calibrated(&x, assumed, &error, "f", text, NULL);
    g_assert_no_error(error);
    g_autoptr(Calibration) c = measured_points(x.fit, x.logs, x.rows, &error);
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        g_assert_true(x.fit->uses_row[i]);
        assert_near(p->predicted_s, p->measured_s, 0.01);
    }
}

static const char TERMS[] = "far = 0.6us\nfar.source = x\nswap = 1.4\nswap.source = x\n"
                            "take = 8:0.1us 8K:1.5us\ntake.source = x\n";

// Recursive doubling shows `far` with short messages, and `swap` with long ones; a linear gather shows `take`.
static void test_terms(void)
{
    g_autofree char *terms = g_strconcat(FLAT, TERMS, NULL);
    g_autoptr(Platform) machine = parsed(terms);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "bcast,pipeline,16,1", 8, 2 << 20);
    add_sizes(what, "bcast,linear,16,1", 8, 2 << 20);
    add_sizes(what, "allgather,ring,16,1", 8, 2 << 20);
    add_sizes(what, "allgather,recursive_doubling,16,1", 8, 512);
    add_sizes(what, "allreduce,recursive_doubling,12,1", 8, 4096);
    add_sizes(what, "allgather,recursive_doubling,16,1", 1 << 20, 4 << 20);
    add_sizes(what, "gather,linear,16,1", 8, 8192);
    add_sizes(what, "allgather,recursive_doubling,16,1", 64 << 10, 256 << 10);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    Platform *assumed = platform_new("");
    g_assert_true(platform_set(assumed, "lambda=0", NULL) && platform_set(assumed, "gamma=0.2ns/B", NULL));
    calibrated(&x, assumed, &error, "f", text, NULL);
    g_assert_no_error(error);
    const Measured *m = x.fit->platform->measured;
    assert_near(m->far, 0.6e-6, 0.01);
    assert_near(m->swap, 1.4, 0.01);
    for (uint64_t bytes = 8; bytes <= 8192; bytes *= 4)
        assert_near(table_time_at(m->level[0].take, bytes), table_time_at(machine->measured->level[0].take, bytes),
                    0.01);
    for (guint i = 0; i < x.rows->len; i++) {
        const CalibrateRow *row = &g_array_index(x.rows, CalibrateRow, i);
        g_assert_cmpint(x.fit->uses_row[i], ==,
                        row->op.algorithm->collective != COLL_ALLGATHER || row->op.m <= 512 || row->op.m >= 1 << 20 ||
                            strcmp(row->op.algorithm->name, "ring") == 0);
    }
}

// What --set gives stays, and the rows that would show it are not used.
static void test_given_terms(void)
{
    g_autoptr(Platform) machine = parsed(FLAT);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "allgather,ring,64,1", 8, 2 << 20);
    add_sizes(what, "allgather,recursive_doubling,16,1", 8, 512);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) given = {0}, usual = {0};
    Platform *assumed = platform_new("");
    g_assert_true(platform_set(assumed, "far=1us", NULL));
    g_assert_true(calibrated(&given, assumed, &error, "f", text, NULL));
    assert_near(given.fit->platform->measured->far, 1e-6, 1e-9);
    g_assert_false(given.fit->uses_row[given.rows->len - 1]);
    *strstr(text, "allgather,recursive") = '\0';
    g_assert_true(calibrated(&usual, platform_new(""), &error, "f", text, NULL));
    assert_near(usual.fit->platform->measured->far, 0.2 * 2.4e-6, 1e-3); // of a ring's step on more than 32 nodes
}

// What ranks copy, reduce and touch for the first time is charged by the prediction, so it must not be in the tables too.
static void test_own_work(void)
{
    g_autofree char *machine = g_strconcat(FLAT, "copy = 0.3ns/B above 4K\ncopy.source = x\n",
                                           "fresh = 0.5ns/B above 4K\nfresh.source = x\n", NULL);
    check_itself(machine, "allgather,ring,4,1", 8, 2 << 20);
    check_itself(machine, "allgather,recursive_doubling,2,1", 8, 2 << 20);
    check_itself(machine, "allreduce,ring,4,1", 32, 8 << 20);
    check_itself(machine, "allreduce,recursive_doubling,4,1", 8, 2 << 20);
    check_itself(machine, "bcast,chain chains=1,4,1", 8, 2 << 20);
    check_itself(machine, "bcast,linear,4,1", 8, 2 << 20);
    check_itself(machine, "scatter,linear,4,1", 8, 2 << 20);
    check_itself(machine, "scatter,linear_nb,4,1", 8, 2 << 20);
}

// Rows that reduce do not make a table as long as nothing says what a reduction takes: a usual gamma is assumed.
static void test_assumed_gamma(void)
{
    g_autoptr(Platform) machine = parsed(FLAT);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "allreduce,recursive_doubling,8,1", 8, 2 << 20);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    calibrated(&x, platform_new(""), &error, "f", text, NULL);
    g_assert_no_error(error);
    const Measured *found = x.fit->platform->measured;
    assert_near(found->work[WORK_REDUCE].per_byte, MEASURED_ASSUMED_GAMMA, 1e-9);
    assert_near(table_time_at(found->level[0].one, 2 << 20), 300e-6 + (2 << 20) * 1e-10, 1e-3); // 0.2 less 0.1 ns/B
    g_assert_nonnull(strstr(g_ptr_array_index(x.fit->assumed, x.fit->assumed->len - 1), "gamma: 0.1ns/B, as no row"));
}

// A ping-pong alone gives a platform that serves bcast: the rest are defaults, and the answer says so.
static void test_ping_pong(void)
{
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    calibrated(&x, platform_new(""), &error, "pingpong=f", "bytes,time_us\n8,1\n64,1.1\n1024,1.5\n65536,9\n", NULL);
    g_assert_no_error(error);
    g_assert_false(x.fit->platform->has[KEY_STEP] || x.fit->platform->has[KEY_GAP] || x.fit->platform->has[KEY_REDUCE]);
    g_assert_cmpuint(x.fit->assumed->len, ==, 5); // step, gap, eager, lambda, gamma
    g_autofree char *text = predicted(x.fit->platform, "bcast,binomial,8,1,64");
    g_assert_nonnull(strstr(text, ",3.3e-06\n"));
}

// Two sizes of dissemination are too few for a table: the short one gives what a step takes longer, and the long one what
// a byte does.
static void test_few_steps(void)
{
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    calibrated(&x, parsed("[hockney]\ngamma = 0\ngamma.source = x\n"), &error, "pingpong=f",
               "bytes,time_us\n8,1\n64,1\n65536,9\n1048576,100\n", "f",
               "collective,algorithm,ranks,bytes,time_us\nallreduce,recursive_doubling,8,16,4.5\n"
               "allreduce,recursive_doubling,8,1048576,449.7\n",
               NULL);
    g_assert_no_error(error);
    const MeasuredLevel *level = &x.fit->platform->measured->level[0];
    assert_near(table_time_at(level->step, 8), 1.5e-6, 1e-3);
    assert_near(table_time_at(level->step, 1 << 20), 149.9e-6, 1e-3);
    assert_near(table_time_at(level->step, 65536), 12.59e-6, 1e-3);
}

static const char NODES[] = "[levels]\nnode = 8 ranks\n"
                            "[measured]\n"
                            "one.node = 8:0.9us 1K:1.1us 8K:2us 64K:8us 1M:110us\none.node.source = x\n"
                            "one.far = 8:2.2us 8K:3.8384us 8193:8.8386us 16M:3.364ms\none.far.source = x\n"
                            "lambda = 0\nlambda.source = x\ngamma = 0.3ns/B\ngamma.source = x\n"
                            "[node]\nnics = 1\nnics.source = x\nnic.rate = 10GB/s\nnic.rate.source = x\n"
                            "nic.messages = 20M/s\nnic.messages.source = x\n"
                            "memory = 4K:0.3 64K:0.2 1M:0.25\nmemory.source = x\n";

// Rows inside a node, and others with messages at both levels: what lies between nodes, what ranks share, and gamma come
// from simulation. The times are noiseless, so they are found again nearly, although no row has one of them alone.
static void test_rest(void)
{
    g_autoptr(Platform) machine = parsed(NODES);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "allgather,ring,2,8", 8, 1 << 20);
    add_sizes(what, "allgather,ring,8,8", 8, 1 << 20);
    add_sizes(what, "allgather,recursive_doubling,32,8", 8, 1 << 18);
    add_sizes(what, "allreduce,recursive_doubling,32,8", 8, 1 << 20);
    add_sizes(what, "alltoall,pairwise,32,8", 8, 1 << 18);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    calibrated(&x, parsed("[levels]\nnode = 8 ranks\n[node]\nnics = 1\nnics.source = x\n"), &error, "f", text, NULL);
    g_assert_no_error(error);
    const Platform *found = x.fit->platform;
    assert_near(table_time_at(found->measured->level[0].one, 8), 0.9e-6, 0.05);
    // Two ranks already wait for each other now and then, which makes `one` a little dearer and the memory faster.
    assert_near(table_at(found->memory, 1 << 19), table_at(machine->memory, 1 << 19), 0.25);
    g_autoptr(Calibration) c = measured_points(x.fit, x.logs, x.rows, &error);
    g_autofree double *errors = g_new(double, c->points->len);
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        errors[i] = fabs(p->predicted_s / p->measured_s - 1);
    }
    const FitErrors e = fit_errors(errors, c->points->len);
    g_assert_cmpfloat(e.median, <, 0.05);
    g_assert_cmpfloat(e.p90, <, 0.2);
}

// Short messages of many ranks show how many messages a second a NIC takes.
static void test_nic_messages(void)
{
    g_autoptr(Platform) machine = parsed(NODES);
    g_autoptr(GString) what = g_string_new(NULL);
    add_sizes(what, "allgather,ring,2,8", 8, 1 << 20);
    add_sizes(what, "alltoall,linear,32,8", 8, 8);
    g_autofree char *text = predicted(machine, what->str);
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    Platform *assumed = parsed(NODES);
    g_assert_true(platform_set_figure(assumed, KEY_NIC_MESSAGES, NULL, "none", "x", NULL));
    calibrated(&x, assumed, &error, "f", text, NULL);
    g_assert_no_error(error);
    assert_near(x.fit->platform->value[KEY_NIC_MESSAGES], 50e-9, 0.02);
    g_assert_true(x.fit->uses_row[x.rows->len - 1]);
}

// Windows of all ranks of a node show it directly: the NIC takes as many messages a second as all pairs together send.
// Windows of fewer ranks show it no more than those of longer messages do, and rows need not be simulated.
static void test_nic_windows(void)
{
    static const char RATES[] = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.0\n"
                                "# [ pairs: 8 ] [ window size: 64 ]\n"
                                "# Size                  MB/s        Messages/s\n"
                                "1                      16.00       16000000.00\n"
                                "8                     128.00       16000000.00\n"
                                "65536               10000.00         152587.89\n";
    g_autofree char *few = g_strdup(RATES);
    *strstr(few, "8 ]") = '4';
    for (int nics = 1; nics <= 2; nics++)
        for (int all = 0; all < 2; all++) {
            g_autoptr(Platform) machine = parsed(NODES);
            g_autoptr(GString) what = g_string_new(NULL);
            add_sizes(what, "allgather,ring,2,8", 8, 1 << 20);
            add_sizes(what, "allgather,ring,8,1", 8, 1 << 20);
            g_autofree char *text = predicted(machine, what->str);
            g_autoptr(GError) error = NULL;
            g_auto(Example) x = {0};
            Platform *assumed = parsed(NODES);
            g_assert_true(platform_set_figure(assumed, KEY_NIC_MESSAGES, NULL, "none", "x", NULL));
            g_assert_true(platform_set_figure(assumed, KEY_NICS, NULL, nics == 1 ? "1" : "2", "x", NULL));
            calibrated(&x, assumed, &error, "f", text, "gap@far=mbw.txt", all ? RATES : few, NULL);
            g_assert_no_error(error);
            const Platform *found = x.fit->platform;
            g_assert_cmpint(found->has[KEY_NIC_MESSAGES], ==, all);
            if (!all)
                continue;
            assert_near(found->value[KEY_NIC_MESSAGES], nics / 16e6, 1e-3);
            g_assert_cmpstr(found->source[KEY_NIC_MESSAGES], ==, "mbw.txt: windows of all ranks of a node");
        }
}

// ---- Labels ---------------------------------------------------------------------------------------------------------

static const char RING[] = "collective,algorithm,ranks,bytes,time_us\nallgather,ring,5,8,4\nallgather,ring,5,64,8\n"
                           "allgather,ring,5,512,12\nallgather,ring,5,4096,16\n";

static void test_labels(void)
{
    g_autoptr(GError) error = NULL;
    g_auto(Example) x = {0};
    calibrated(&x, parsed("[levels]\nnode = 8 ranks\n"), &error, "one@far=pingpong=f", "bytes,time_us\n8,3\n64,4\n",
               "one@node=allgather:ring:5=f", RING, NULL);
    g_assert_no_error(error);
    assert_near(table_time_at(x.fit->platform->measured->level[0].one, 64), 2e-6, 1e-9);
    assert_near(table_time_at(x.fit->platform->measured->level[1].one, 64), 4e-6, 1e-9);
}

static void test_bad_labels(void)
{
    static const struct {
        const char *levels, *label, *text, *message;
    } CASES[] = {
        {"", "one@node=pingpong=f", "bytes,time_us\n8,3\n64,4\n",
         "f: the label has the level 'node', and the machine has none; allowed: --base with a platform that has "
         "[levels]"},
        {"", "gap=allgather:ring:5=f", RING,
         "f:2: allgather ring, 5 ranks does not determine `gap`; allowed: bcast linear, scatter linear"},
        {"", "step=bcast:binomial:5=f", "bytes,time_us\n8,3\n64,4\n",
         "f:2: bcast binomial, 5 ranks does not determine `step`; allowed: collectives of equal steps: bcast pipeline "
         "in "
         "one segment, allgather ring, allreduce ring, recursive doubling or dissemination"},
        {"", "bcast:linear:5=f", "bytes,time_us\n8,3\n64,4\n",
         "`one` cannot be determined; missing: a ping-pong of at least 2 sizes, or as many rows of bcast pipeline or "
         "allgather ring"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(Example) x = {0};
        g_assert_false(calibrated(&x, parsed(CASES[i].levels), &error, CASES[i].label, CASES[i].text, NULL));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_cmpstr(error->message, ==, CASES[i].message);
    }
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Medians, a cold first size, and a fall in the middle.
static void test_table(void)
{
    const MeasuredPoint all[] = {{64, 3e-6}, {8, 9e-6},     {64, 5e-6},   {64, 3.1e-6},
                                 {16, 2e-6}, {512, 2.9e-6}, {1024, 4e-6}, {2048, 0}};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(MeasuredPoint));
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_array_append_vals(points, all, G_N_ELEMENTS(all));
    g_autoptr(Table) t = measured_table(points, "one", notes);
    static const TablePoint EXPECTED[] = {{16, 2e-6}, {64, 2.9e-6}, {512, 2.9e-6}, {1024, 4e-6}};
    g_assert_cmpint(t->n, ==, G_N_ELEMENTS(EXPECTED));
    for (int i = 0; i < t->n; i++) {
        g_assert_cmpuint(t->at[i].bytes, ==, EXPECTED[i].bytes);
        g_assert_cmpfloat(t->at[i].value, ==, EXPECTED[i].value);
    }
    g_assert_cmpuint(notes->len, ==, 2);
    g_assert_cmpstr(g_ptr_array_index(notes, 0), ==,
                    "one: the first size, 8, was measured cold and is dropped: 9 us, and the next one takes 2 us");
    g_assert_cmpstr(
        g_ptr_array_index(notes, 1), ==,
        "one: moved by more than 5 %, so that no size takes longer than a larger one: 64 from 3.1 us to 2.9 "
        "us");
}

// A table has at most TABLE_MOST points, with the first and the last size among them.
static void test_many_sizes(void)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(MeasuredPoint));
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    for (uint64_t i = 1; i <= 3000; i++) {
        const MeasuredPoint point = {i, (double)i * 1e-9};
        g_array_append_val(points, point);
    }
    g_autoptr(Table) t = measured_table(points, "one", notes);
    g_assert_cmpint(t->n, <=, TABLE_MOST);
    g_assert_cmpint(t->n, >, TABLE_MOST / 2);
    g_assert_cmpuint(t->at[0].bytes, ==, 1);
    g_assert_cmpuint(t->at[t->n - 1].bytes, ==, 3000);
}

static void add(void)
{
    g_test_add_func("/calibrate_measured/round_trip", test_round_trip);
    g_test_add_func("/calibrate_measured/own_work", test_own_work);
    g_test_add_func("/calibrate_measured/terms", test_terms);
    g_test_add_func("/calibrate_measured/given_terms", test_given_terms);
    g_test_add_func("/calibrate_measured/nic_messages", test_nic_messages);
    g_test_add_func("/calibrate_measured/nic_windows", test_nic_windows);
    g_test_add_func("/calibrate_measured/assumed_gamma", test_assumed_gamma);
    g_test_add_func("/calibrate_measured/ping_pong", test_ping_pong);
    g_test_add_func("/calibrate_measured/few_steps", test_few_steps);
    g_test_add_func("/calibrate_measured/rest", test_rest);
    g_test_add_func("/calibrate_measured/labels", test_labels);
    g_test_add_func("/calibrate_measured/bad_labels", test_bad_labels);
    g_test_add_func("/calibrate_measured/table", test_table);
    g_test_add_func("/calibrate_measured/many_sizes", test_many_sizes);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
