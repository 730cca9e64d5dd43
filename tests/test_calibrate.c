// Calibration: it finds the figures that times were made from, through noise and outliers; it names the figures that
// the times do not determine; and from published measurements it finds what their authors found. The measurements are
// read from the folder COLLSIM_MEASURED, or else ../shared/measured; without it, two tests are skipped.
#include "measurements/calibrate/calibrate.h"
#include "base/error.h"
#include "near.h"
#include "search/search/measurement_rows.h"
#include "tap.h"
#include <math.h>
#include <string.h>

// ---- Calibrations ---------------------------------------------------------------------------------------------------

static GPtrArray *logs_of(const char *text, const char *label_text)
{
    g_autoptr(GError) error = NULL;
    g_auto(LogLabel) label = {0};
    const char *path;
    g_assert_true(log_label(label_text, &label, &path, &error));
    Log *log = log_parse(text, strlen(text), "f", &label, NULL, &error);
    g_assert_no_error(error);
    GPtrArray *logs = g_ptr_array_new_full(1, (GDestroyNotify)log_free);
    g_ptr_array_add(logs, log);
    return logs;
}

static Calibration *calibrated(const Model *model, const GPtrArray *logs, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(CalibrateRow));
    return calibrate(model, logs, rows, NULL, error);
}

// 3 % of noise, which has a standard deviation of 1.7 %, and each tenth row is 4 times too slow. About half of the 72
// rows determine each figure, so its standard error is 1.25 x 1.7 % / sqrt(36) = 0.35 %; 2 % is far above that.
static void test_ping_pong(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    g_autoptr(GString) text = g_string_new("bytes,time_us\n");
    for (int i = 0; i < 72; i++) {
        const double bytes = i % 24 ? exp2(i % 24 - 1) : 0;
        const double us = (1.7 + bytes * 0.9e-4) * noise(rand, 0.03) * (i % 10 == 5 ? 4 : 1);
        g_string_append_printf(text, "%.0f,%.6f\n", bytes, us);
    }
    g_autoptr(GPtrArray) logs = logs_of(text->str, "pingpong=f");
    g_autoptr(GError) error = NULL;
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, &error);
    g_assert_no_error(error);
    assert_near(c->figure[KEY_ALPHA].value, 1.7e-6, 0.02);
    assert_near(c->figure[KEY_BETA].value, 0.9e-10, 0.02);
    g_assert_cmpuint(c->figure[KEY_ALPHA].left_out, ==, 7);
    g_assert_cmpuint(c->figure[KEY_ALPHA].rows, ==, 65);
    g_assert_cmpfloat(c->figure[KEY_ALPHA].errors.worst, <, 0.06);
    g_assert_cmpuint(c->pieces->len, ==, 1);
    g_assert_false(c->figure[KEY_GAMMA].found);
    g_assert_true(g_str_has_prefix(c->figure[KEY_GAMMA].missing, "rows of reduce_local"));
    g_assert_cmpuint(c->points->len, ==, 72);
}

// A call takes 40 ns however few bytes it reduces. These are not part of gamma, which is the slope: at 256 bytes, the
// time divided by the bytes is twice the slope. With 3 % of noise, and each tenth row 4 times too slow, the standard
// error of the slope is 1.25 x 1.7 % / sqrt(27) = 0.4 %.
static void test_reduce(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    g_autoptr(GString) text = g_string_new("collective,p,bytes,time_us\n");
    for (int i = 0; i < 60; i++) {
        const double bytes = exp2(8 + i % 15);
        g_string_append_printf(text, "reduce_local,1,%.0f,%.6f\n", bytes,
                               (0.04 + bytes * 0.15e-3) * noise(rand, 0.03) * (i % 10 == 5 ? 4 : 1));
    }
    for (guint m = 0; models[m]; m++) {
        if (models[m] == &measured_model) // has a calibration of its own
            continue;
        g_autoptr(GPtrArray) logs = logs_of(text->str, "f");
        g_autoptr(GError) error = NULL;
        g_autoptr(Calibration) c = calibrated(models[m], logs, &error);
        g_assert_no_error(error);
        assert_near(c->figure[KEY_GAMMA].value, 1.5e-10, 0.015);
        assert_near(c->call_s, 40e-9, 0.1);
        g_assert_cmpuint(c->figure[KEY_GAMMA].left_out, ==, 6);
        g_assert_cmpfloat(c->figure[KEY_GAMMA].errors.worst, <, 0.06);
        g_assert_cmpuint(c->points->len, ==, 60);
        g_assert_false(c->figure[KEY_ALPHA].found);
    }
}

// The first row of a benchmark's sweep also holds the warm-up, so it must not become the latency.
static void test_warm_up(void)
{
    g_autoptr(GString) text = g_string_new("# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n1   31.0\n");
    for (int i = 1; i < 20; i++)
        g_string_append_printf(text, "%d %.3f\n", 1 << i, 20 + 0.001 * (1 << i));
    g_autoptr(GPtrArray) logs = logs_of(text->str, "pingpong=f");
    g_autoptr(GError) error = NULL;
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, &error);
    g_assert_no_error(error);
    assert_near(c->figure[KEY_ALPHA].value, 20e-6, 1e-3);
    assert_near(c->figure[KEY_BETA].value, 1e-9, 1e-3);
    g_assert_true(g_array_index(c->points, CalibratedPoint, 0).left_out);
}

// Returns a log as netgauge would write it on a machine with known figures, whose protocol changes at 16 KiB. `share`
// is the noise; one row is an outlier. The sizes are `first` and further 1024 bytes each.
static GPtrArray *netgauge_logs(GRand *rand, double share, int first)
{
    g_autoptr(GString) text =
        g_string_new("# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n");
    for (int i = 0; i < 64; i++) {
        const double s = first + 1024 * i, eager = s <= 16384;
        const double o_s = 0.3 + 2e-5 * (s - 1), o_r = 0.5 + 6e-5 * (s - 1), gap = (eager ? 0.6 : 4) + 1e-4 * (s - 1);
        const double one = 2 * (1.2 + 0.8 + 1e-4 * (s - 1)), wild = i == 8 ? 5 : 1;
        g_string_append_printf(text, "%.0f 10 %.6f %.6f %.6f 2 %.6f %.6f -nan -nan -nan\n", s, one,
                               one + 9 * gap * noise(rand, share) * wild, one + 9 * (one + o_s * noise(rand, share)),
                               o_s, o_r * noise(rand, share));
    }
    return logs_of(text->str, "f");
}

// L + 2 o is half a round trip of one byte, 2 us; o is the mean of o_s = 0.3 us and o_r = 0.5 us, so L = 1.2 us. With 2
// % of noise, a line through the 16 eager rows has a standard error near 1.25 x 1.2 % / sqrt(16) = 0.4 % in its middle
// and several times that at its ends.
static void test_loggp(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    for (int run = 0; run < 3; run++) {
        const gboolean noisy = run == 1;
        g_autoptr(GPtrArray) logs = netgauge_logs(rand, noisy ? 0.02 : 0, run == 2 ? 1024 : 1);
        g_autoptr(GError) error = NULL;
        g_autoptr(Calibration) c = calibrated(&loggops_model, logs, &error);
        g_assert_no_error(error);
        const double share = noisy ? 0.05 : 2e-3; // without noise, the text's few digits remain as errors
        assert_near(c->figure[KEY_O_CPU].value, 0.4e-6, share);
        assert_near(c->figure[KEY_L].value, 1.2e-6, share);
        assert_near(c->figure[KEY_G_GAP].value, 0.6e-6, share);
        assert_near(c->figure[KEY_G_BYTE].value, 1e-10, share);
        assert_near(c->figure[KEY_O_BYTE].value, 2e-11, 2 * share);
        g_assert_cmpfloat(c->figure[KEY_S].value, ==, 16384);
        g_assert_cmpuint(c->figure[KEY_G_GAP].left_out, ==, 1);
        g_assert_cmpuint(c->figure[KEY_G_GAP].rows, ==, 15); // of 16 rows up to S, one is the outlier
        g_assert_true(strstr(c->figure[KEY_GAMMA].missing, "rows of reduce_local") != NULL);
        g_assert_cmpuint(c->notes->len, >=, 1); // the first says what a rendezvous message takes
        g_assert_true(g_str_has_prefix(g_ptr_array_index(c->notes, 0),
                                       run == 2 ? "from 17K bytes on, a further message takes g "
                                                : "from 16385 bytes on, a further message takes g "));
        const CalibratedFigure *f = c->figure;
        for (guint i = 0; i < c->points->len; i++) {
            const CalibratedPoint *point = &g_array_index(c->points, CalibratedPoint, i);
            if (point->kind == LOG_ONE_WAY)
                assert_near(point->predicted_s,
                            f[KEY_L].value + 2 * f[KEY_O_CPU].value +
                                (double)(point->sample->bytes - 1) * f[KEY_G_BYTE].value,
                            1e-12);
            else
                assert_near(point->predicted_s,
                            f[KEY_G_GAP].value + (double)(point->sample->bytes - 1) * f[KEY_G_BYTE].value, 1e-12);
        }
    }
}

static void test_insufficient(void)
{
    static const struct {
        const char *text, *label;
        const Model *model;
        const char *message;
    } CASES[] = {
        {"bytes,time_us\n8,1\n16,2\n", "pingpong=f", &hockney_model,
         "no figure of model hockney can be determined; missing: alpha: a ping-pong (OSU osu_latency, IMB PingPong, "
         "netgauge, CSV), "
         "or rows of collectives of several sizes; beta: one-way times of at least 3 different sizes above 0 s; gamma: "
         "rows of reduce_local, or of allreduce, reduce, scan .. on 2 or more ranks"},
        {"bytes,time_us\n8,1\n16,2\n", "reduce_local=f", &shared_model,
         "no figure of model shared can be determined; missing: write, read, flag: rows of algorithms of shared memory "
         "(shm_*) of "
         "several sizes; lanes: rows of shm_ algorithms in which many ranks read one fragment; gamma: rows of "
         "reduce_local "
         "of at least 3 different sizes above 0 s"},
        {"bytes,time_us\n8,0\n16,0\n32,0\n64,0\n", "pingpong=f", &loggops_model,
         "no figure of model loggops can be determined"},
        {"# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
         "8 9 2 4 19 1 0 0 0 0 0\n8 9 2 4 19 1 0 0 0 0 0\n64 9 2 4 19 1 0 0 0 0 0\n",
         "f", &loggops_model,
         "no figure of model loggops can be determined; missing: L, o, g, G, O, S: netgauge rows of at least 3 "
         "different "
         "sizes"},
        {"bytes,time_us\n8,1\n16,2\n32,3\n", "pingpong=f", &shared_model,
         "no figure of model shared can be determined; missing: write, read, flag: rows of algorithms of shared memory "
         "(shm_*) of "
         "several sizes; lanes: rows of shm_ algorithms in which many ranks read one fragment; gamma: rows of "
         "reduce_local, or of "
         "allreduce, reduce, scan .. on 2 or more ranks"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GPtrArray) logs = logs_of(CASES[i].text, CASES[i].label);
        g_autoptr(GError) error = NULL;
        g_assert_null(calibrated(CASES[i].model, logs, &error));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_true(g_str_has_prefix(error->message, CASES[i].message));
    }
    // A ping-pong determines only G and S of the LogGOPS figures.
    g_autoptr(GPtrArray) logs = logs_of("bytes,time_us\n8,1\n16,1\n4096,1.4\n65536,7.5\n", "pingpong=f");
    g_autoptr(Calibration) c = calibrated(&loggops_model, logs, NULL);
    g_assert_true(c->figure[KEY_G_BYTE].found && c->figure[KEY_S].found && !c->figure[KEY_L].found);
    g_assert_true(strstr(c->figure[KEY_L].missing, "netgauge") != NULL);
}

// Calibrates with the collectives that the log has.
static Calibration *with_rows(const Model *model, const GPtrArray *logs, GError **error)
{
    g_autoptr(GPtrArray) keep = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) rows = measurement_rows_make(logs, model, NULL, keep, notes, error);
    return rows ? calibrate(model, logs, rows, NULL, error) : NULL;
}

// Rows of time 0 say nothing, and the error says that.
static void test_zero(void)
{
    static const char HEAD[] = "collective,algorithm,p,bytes,time_s,params\n";
    g_autofree char *text = g_strconcat(HEAD, "bcast,shm_flat,4,8,0,\n", NULL);
    g_autoptr(GPtrArray) logs = logs_of(text, "f");
    g_autoptr(GError) error = NULL;
    g_assert_null(with_rows(&shared_model, logs, &error));
    g_assert_cmpstr(error->message, ==,
                    "no figure of model shared can be determined; missing: write, read, flag, gamma: rows of "
                    "collectives that take more than 0 s; lanes: rows of shm_ algorithms in which many ranks read one "
                    "fragment");
    // Next to a ping-pong, they are not counted as rows that are predicted well.
    g_autofree char *both = g_strconcat(HEAD,
                                        "allreduce,ring,4,8,0,\npingpong,x,2,8,1e-6,\npingpong,x,2,64,1e-6,\n"
                                        "pingpong,x,2,512,1e-6,\n",
                                        NULL);
    g_autoptr(GPtrArray) two = logs_of(both, "f");
    g_autoptr(Calibration) c = with_rows(&hockney_model, two, NULL);
    g_assert_cmpstr(c->figure[KEY_GAMMA].missing, ==, "rows of collectives that take more than 0 s");
    g_assert_cmpuint(c->notes->len, ==, 0);
}

// A netgauge row whose further messages take no time is left out.
static void test_no_gap(void)
{
    g_autoptr(GPtrArray) logs =
        logs_of("# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
                "1 9 2 10 20 0 0 0 nan nan nan\n2 9 2 10 20 0 0 0 nan nan nan\n3 9 2 2 20 0 0 0 nan nan nan\n"
                "4 9 2 10 20 0 0 0 nan nan nan\n",
                "f");
    g_autoptr(Calibration) c = calibrated(&loggops_model, logs, NULL);
    g_assert_cmpuint(c->figure[KEY_G_GAP].rows, ==, 3);
    g_assert_cmpuint(c->figure[KEY_G_GAP].left_out, ==, 1);
    assert_near(c->figure[KEY_G_GAP].value, 1e-6, 1e-6);
}

// The row of a sweep after the first may have time 0; then nothing shows that the first one was warming up.
static void test_warm_up_zero(void)
{
    g_autoptr(GPtrArray) logs = logs_of("# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"
                                        "1 1\n2 0\n4 1\n8 1\n16 1\n",
                                        "pingpong=f");
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, NULL);
    const CalibratedPoint *point = (const CalibratedPoint *)(void *)c->points->data;
    static const gboolean LEFT_OUT[] = {FALSE, TRUE, FALSE, FALSE, FALSE};
    for (guint i = 0; i < G_N_ELEMENTS(LEFT_OUT); i++)
        g_assert_cmpint(point[i].left_out, ==, LEFT_OUT[i]);
}

// A sweep whose first row has the larger size was not warming up.
static void test_falling_sizes(void)
{
    g_autoptr(GPtrArray) logs = logs_of("# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"
                                        "64 1.2\n32 1\n16 1\n8 1\n",
                                        "pingpong=f");
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, NULL);
    for (guint i = 0; i < c->points->len; i++)
        g_assert_false(g_array_index(c->points, CalibratedPoint, i).left_out);
    g_autoptr(Platform) out = calibration_platform(c, "box", "box", NULL, NULL);
    g_assert_null(out->pieces); // one piece is the line itself
}

// G comes from the sizes up to S, with S among them; --set takes the place of what was measured.
static void test_up_to_S(void)
{
    g_autoptr(GString) text = g_string_new("bytes,time_us\n");
    for (int i = 0; i <= 20; i++)
        g_string_append_printf(text, "%d,%.9f\n", 1 << i, i <= 12 ? 1 + 1e-4 * (1 << i) : 9 + 3e-4 * (1 << i));
    g_autoptr(GPtrArray) logs = logs_of(text->str, "pingpong=f");
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(CalibrateRow));
    g_autoptr(Platform) assumed = platform_new("");
    g_assert_true(platform_set(assumed, "S=64", NULL));
    g_autoptr(Calibration) c = calibrate(&loggops_model, logs, rows, NULL, NULL);
    g_autoptr(Calibration) set = calibrate(&loggops_model, logs, rows, assumed, NULL);
    g_assert_cmpfloat(c->figure[KEY_S].value, ==, 4096);
    g_assert_cmpuint(c->figure[KEY_G_BYTE].rows, ==, 13);
    assert_near(c->figure[KEY_G_BYTE].value, 1e-10, 1e-4);
    g_assert_cmpfloat(set->figure[KEY_S].value, ==, 64);
    g_assert_cmpstr(set->figure[KEY_S].source, ==, "assumed, not measured: --set S=64");
}

// Reductions whose call takes no time of its own have no note about it.
static void test_no_call(void)
{
    g_autoptr(GPtrArray) logs = logs_of("bytes,time_us\n64,60\n128,124\n256,252\n512,508\n", "reduce_local=f");
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, NULL);
    g_assert_cmpfloat(c->call_s, ==, 0);
    g_assert_cmpuint(c->notes->len, ==, 0);
}

// Outliers do not count as sizes: two sizes that are left say nothing about a line.
static void test_outlying_sizes(void)
{
    g_autoptr(GString) text = g_string_new("bytes,time_us\n");
    for (int i = 0; i < 8; i++)
        g_string_append(text, "8,1\n16,1\n");
    g_string_append(text, "32,1000\n");
    g_autoptr(GPtrArray) logs = logs_of(text->str, "pingpong=f"), local = logs_of(text->str, "reduce_local=f");
    g_autoptr(GError) error = NULL, no_gamma = NULL;
    g_assert_null(calibrated(&hockney_model, logs, &error));
    g_assert_nonnull(strstr(error->message, "beta: one-way times of at least 3 different sizes above 0 s"));
    g_assert_null(calibrated(&shared_model, local, &no_gamma));
    g_assert_nonnull(strstr(no_gamma->message, "gamma: rows of reduce_local of at least 3 different sizes above 0 s"));
}

// Many files make one short list in the sources, so that the platform does not become too large.
static void test_many_files(void)
{
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
    for (int i = 0; i < 1000; i++) {
        g_autofree char *name = g_strdup_printf("%d%s", i, "-a-name-that-is-as-long-as-people-make-them-sometimes.csv");
        static const char TEXT[] = "collective,bytes,time_us\npingpong,8,1\npingpong,64,1\npingpong,512,1\n";
        g_ptr_array_add(logs, log_parse(TEXT, strlen(TEXT), name, NULL, NULL, NULL));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(strlen(c->figure[KEY_ALPHA].source), <, 2000);
    g_assert_nonnull(strstr(c->figure[KEY_ALPHA].source, "..: line through"));
    g_autoptr(Platform) out = calibration_platform(c, "box", "box", NULL, NULL);
    g_autofree char *ini = platform_text(out, NULL, &error);
    g_assert_no_error(error);
    g_assert_nonnull(ini);
}

// A platform that is written and read again is the same, with its sources and pieces.
static void test_ini(void)
{
    g_autoptr(GString) text = g_string_new("bytes,time_us\n");
    for (int i = 0; i < 24; i++)
        g_string_append_printf(text, "%d,%.6f\n", 1 << i, i < 14 ? 1 + 0.0004 * (1 << i) : 9 + 0.0001 * (1 << i));
    g_autoptr(GPtrArray) logs = logs_of(text->str, "pingpong=f");
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, NULL);
    g_autoptr(Platform) out = calibration_platform(c, "box", "a [box] = \n with # signs", NULL, NULL);
    g_assert_cmpuint(out->pieces->len, ==, 2);
    g_autofree char *ini = platform_text(out, NULL, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) in = platform_parse("box.ini", ini, strlen(ini), &error);
    g_assert_no_error(error);
    g_assert_cmpstr(in->title, ==, "a [box] =   with # signs");
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        g_assert_cmpint(in->has[k], ==, out->has[k]);
        g_assert_true(in->value[k] == out->value[k]);
        g_assert_cmpstr(in->source[k], ==, out->source[k]);
    }
    g_assert_cmpmem(in->pieces->data, in->pieces->len * sizeof(PlatformPiece), out->pieces->data,
                    out->pieces->len * sizeof(PlatformPiece));
    g_assert_cmpstr(in->pieces_source, ==, out->pieces_source);
    g_autofree char *again = platform_text(in, NULL, NULL);
    g_assert_cmpstr(again, ==, ini);
}

// ---- Odd measurements -----------------------------------------------------------------------------------------------

// Appends a time in seconds: often one that is common to the log, sometimes 0 or an end of the range.
static void add_time(GString *text, GRand *rand, double common)
{
    static const double ENDS[] = {0, 0, 1e-15, 1e9, 1};
    const int kind = g_rand_int_range(rand, 0, 6);
    const double t = kind < 3    ? common
                     : kind == 3 ? ENDS[g_rand_int_range(rand, 0, G_N_ELEMENTS(ENDS))]
                                 : pow(10, g_rand_int_range(rand, -15, 9)) * g_rand_double_range(rand, 1, 10);
    g_string_append_printf(text, "%.17g", t);
}

// Returns a size of 0 to 2^50 bytes; `few` makes most of them equal.
static size_t random_size(GRand *rand, gboolean few)
{
    if (few && g_rand_int_range(rand, 0, 4))
        return 64;
    const int bits = g_rand_int_range(rand, 0, 52);
    return bits == 51 ? 0 : ((size_t)1 << bits) - (bits > 2 && g_rand_boolean(rand));
}

// Returns 0 to 20 rows of CSV or of netgauge.
static char *random_log(GRand *rand, gboolean netgauge)
{
    static const char *const WHAT[] = {"pingpong,x,2",        "reduce_local,x,1", "bcast,shm_flat,4",
                                       "reduce,shm_flat,3",   "allreduce,ring,4", "bcast,binomial,2",
                                       "allreduce,shm_sets,8"};
    const int rows = g_rand_int_range(rand, 0, 21), one = g_rand_int_range(rand, 0, 3 * G_N_ELEMENTS(WHAT));
    const gboolean few = g_rand_boolean(rand);
    const double common = pow(10, g_rand_int_range(rand, -15, 9));
    GString *text =
        g_string_new(netgauge ? "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
                              : "collective,algorithm,p,bytes,time_s\n");
    for (int i = 0; i < rows; i++) {
        if (netgauge) {
            const double us = 1e6 * common * (g_rand_int_range(rand, 0, 3) ? 1 : g_rand_double_range(rand, 1, 9));
            const double more = g_rand_boolean(rand) ? us : us * g_rand_double_range(rand, 1, 20);
            g_string_append_printf(text, "%zu %d %.17g %.17g %.17g 0 0 %.17g nan nan nan\n", random_size(rand, few),
                                   g_rand_boolean(rand) ? 2 : 1 << 20, us, more, more,
                                   g_rand_boolean(rand) ? 0 : us * g_rand_double_range(rand, -1, 1));
            continue;
        }
        const int what = one < (int)G_N_ELEMENTS(WHAT) ? one : g_rand_int_range(rand, 0, G_N_ELEMENTS(WHAT));
        g_string_append_printf(text, "%s,%zu,", WHAT[what],
                               what < 2 ? random_size(rand, few) : random_size(rand, few) >> 32);
        add_time(text, rand, common);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

// Whatever was measured, the calibration is an error of one line or figures that a platform can have: the file that
// `calibrate` writes can be read, and has the same figures.
static void test_odd(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(13);
    const int inputs = g_test_thorough() ? 100000 : 400;
    int calibrations = 0;
    for (int i = 0; i < inputs; i++) {
        g_autofree char *text = random_log(rand, i % 4 == 0);
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
        Log *log = log_parse(text, strlen(text), "f", NULL, NULL, &error);
        if (log)
            g_ptr_array_add(logs, log);
        for (guint m = 0; log && models[m]; m++) {
            if (models[m] == &measured_model)
                continue;
            g_autoptr(Calibration) c = with_rows(models[m], logs, &error);
            g_assert_true(!c == (error != NULL));
            g_clear_error(&error);
            if (!c)
                continue;
            calibrations++;
            g_autoptr(Platform) out = calibration_platform(c, "box", "box", NULL, NULL);
            g_autofree char *ini = platform_text(out, NULL, &error);
            g_assert_no_error(error);
            g_autoptr(Platform) in = platform_parse("box.ini", ini, strlen(ini), &error);
            g_assert_no_error(error);
            for (int k = 0; k < N_PLATFORM_KEYS; k++)
                g_assert_true(in->has[k] == out->has[k] && in->value[k] == out->value[k]);
        }
    }
    g_assert_cmpint(calibrations, >, inputs / 4);
}

static const LogSample *sample(const Log *log, guint i)
{
    return &g_array_index(log->samples, LogSample, i);
}

// ---- Published measurements -----------------------------------------------------------------------------------------

// Returns the log, or NULL if there is no such file; free with log_free.
static Log *read_raw(const char *name, const char *label)
{
    const char *given = g_getenv("COLLSIM_MEASURED");
    g_autofree char *path = g_build_filename(given ? given : "../shared/measured", "raw_logs", name, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return NULL;
    g_auto(LogLabel) parsed = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *argument = g_strconcat(label, "=", name, NULL);
    const char *unused;
    g_assert_true(log_label(argument, &parsed, &unused, NULL));
    Log *log = log_read(path, &parsed, NULL, &error);
    g_assert_no_error(error);
    return log;
}

// netgauge computes its columns L, o_s, g and G from the round trips. Computing them again gives the same, to the
// digits that are printed, so the round trips are read as netgauge means them.
static void check_columns(const Log *log)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *s = sample(log, i);
        const LogPrtt *t = &s->prtt;
        const double gap = (t->many - t->one) / (t->n - 1), size = (double)s->bytes;
        g_assert_cmpfloat_with_epsilon(t->L, sample(log, 0)->prtt.one / 2, 1e-12);
        g_assert_cmpfloat_with_epsilon(t->o_s, (t->apart - t->one) / (t->n - 1) - t->one, 1e-12);
        n++;
        x += size;
        y += gap;
        xx += size * size;
        xy += size * gap;
        const double slope = (n * xy - x * y) / (n * xx - x * x); // least squares over all rows so far
        if (i == 0)
            continue;
        g_assert_cmpfloat_with_epsilon(t->G, slope, 0.6e-12);
        g_assert_cmpfloat_with_epsilon(t->g, (y - slope * x) / n, 2e-12);
    }
}

static void test_raw(void)
{
    static const struct {
        const char *name, *label;
        guint samples;
        LogSampleKind kind;
    } LOGS[] = {
        {"ARCHER2_internode_IMB_PingPong.out", "pingpong", 24, LOG_ONE_WAY},
        {"ARCHER2_intranode_IMB_PingPong.out", "pingpong", 24, LOG_ONE_WAY},
        {"allreduce-p__osu-allreduce-recursive-doubling.txt", "allreduce:recursive_doubling:8", 19, LOG_COLLECTIVE},
        {"allreduce-p__osu-allreduce-ring.txt", "allreduce:ring:8", 19, LOG_COLLECTIVE},
        {"alps__2022_05_17_17_02_43.ng_loggp.out", "pingpong", 128, LOG_PRTT},
        {"azure_hpc44rs_azure_rush_same_rack__2022_03_18_22_04_11.ng_loggp.out", "pingpong", 128, LOG_PRTT},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(LOGS); i++) {
        g_autoptr(Log) log = read_raw(LOGS[i].name, LOGS[i].label);
        if (!log) {
            g_test_skip("NO RAW LOGS: set COLLSIM_MEASURED to the folder of measurements");
            return;
        }
        g_assert_cmpuint(log->samples->len, ==, LOGS[i].samples);
        for (guint k = 0; k < log->samples->len; k++)
            g_assert_cmpint(sample(log, k)->kind, ==, LOGS[i].kind);
        if (LOGS[i].kind == LOG_PRTT)
            check_columns(log);
    }
}

// Compares with what the authors of the measurements found:
// - L + 2 o, which is PRTT(1,0,1)/2, agrees with their LogGPS fits within 10 % (2.16 us and 2.36 us on Alps, 1.64 us
//   and 1.6 us on Azure);
// - G is the last column of netgauge at 16 KiB (Alps) and at 127 KiB (Azure);
// - S is the size at which the protocol changes on Alps; on Azure it never does.
static void test_machines(void)
{
    static const struct {
        const char *name;
        double way, G, S;
    } MACHINES[] = {
        {"alps__2022_05_17_17_02_43.ng_loggp.out", 2.36e-6, 0.067e-9, 16384},
        {"azure_hpc44rs_azure_rush_same_rack__2022_03_18_22_04_11.ng_loggp.out", 1.6e-6, 0.108e-9, INFINITY},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(MACHINES); i++) {
        Log *log = read_raw(MACHINES[i].name, "pingpong");
        if (!log) {
            g_test_skip("NO RAW LOGS: set COLLSIM_MEASURED to the folder of measurements");
            return;
        }
        g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
        g_ptr_array_add(logs, log);
        g_autoptr(Calibration) c = calibrated(&loggops_model, logs, NULL);
        const CalibratedFigure *f = c->figure;
        assert_near(f[KEY_L].value + 2 * f[KEY_O_CPU].value, MACHINES[i].way, 0.1);
        assert_near(f[KEY_G_BYTE].value, MACHINES[i].G, 0.05);
        g_assert_cmpfloat(f[KEY_S].value, ==, MACHINES[i].S);
        g_assert_cmpfloat(f[KEY_O_CPU].value, >, 0.1e-6);
        g_assert_cmpfloat(f[KEY_O_CPU].value, <, 0.6e-6);
    }
    // ARCHER2 has a latency of 2.6 us, and needs 0.084 ns/B from 2 to 4 MiB. One line for all sizes would be off by 60
    // %, so the fit has pieces.
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
    g_ptr_array_add(logs, read_raw("ARCHER2_internode_IMB_PingPong.out", "pingpong"));
    g_autoptr(Calibration) c = calibrated(&hockney_model, logs, NULL);
    assert_near(c->figure[KEY_ALPHA].value, 2.62e-6, 0.06);
    g_assert_cmpuint(c->pieces->len, ==, 3);
    assert_near(g_array_index(c->pieces, FitPiece, 2).slope, 0.0842e-9, 0.15);
    g_assert_cmpfloat(c->figure[KEY_BETA].errors.median, <, 0.2);
}

static void add(void)
{
    g_test_add_func("/calibrate/ping_pong", test_ping_pong);
    g_test_add_func("/calibrate/reduce", test_reduce);
    g_test_add_func("/calibrate/warm_up", test_warm_up);
    g_test_add_func("/calibrate/loggp", test_loggp);
    g_test_add_func("/calibrate/missing_figures", test_insufficient);
    g_test_add_func("/calibrate/zero", test_zero);
    g_test_add_func("/calibrate/no_gap", test_no_gap);
    g_test_add_func("/calibrate/warm_up_zero", test_warm_up_zero);
    g_test_add_func("/calibrate/falling_sizes", test_falling_sizes);
    g_test_add_func("/calibrate/up_to_S", test_up_to_S);
    g_test_add_func("/calibrate/no_call", test_no_call);
    g_test_add_func("/calibrate/outlying_sizes", test_outlying_sizes);
    g_test_add_func("/calibrate/many_files", test_many_files);
    g_test_add_func("/calibrate/ini", test_ini);
    g_test_add_func("/calibrate/odd", test_odd);
    g_test_add_func("/calibrate/raw_logs", test_raw);
    g_test_add_func("/calibrate/published_figures", test_machines);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
