// The protocol between the program and its backends: jobs of every algorithm, plans and results are read as they were
// written; incomplete and malformed lines are refused, and never read as something else. And what is said about the
// times of repetitions.
#include "engine/schedule/counts.h"
#include "base/error.h"
#include "run/launch/times.h"
#include "jobs.h"
#include "tap.h"
#include <string.h>

static void test_jobs(void)
{
    for (int p = 1; p <= 5; p += 2) {
        int refused;
        GArray *jobs = jobs_make(p, 1, &refused);
        for (guint i = 0; i < jobs->len; i++) {
            g_autoptr(GError) error = NULL;
            g_autofree char *text = job_text(&g_array_index(jobs, Job, i), p);
            Job read;
            job_parse(text, p, &read, &error);
            g_assert_no_error(error);
            g_autofree char *again = job_text(&read, p);
            g_assert_cmpstr(again, ==, text);
            g_assert_true(read.algorithm == g_array_index(jobs, Job, i).algorithm);
            g_assert_cmpint(read.kind, ==, g_array_index(jobs, Job, i).kind);
            job_clear(&read);
        }
        jobs_free(jobs);
    }
}

static void test_plans(void)
{
    const JobPlan plan = {.p = 7,
                          .sync = SYNC_BARRIER,
                          .warmup = 2,
                          .least = 3,
                          .most = 1000,
                          .budget_s = 0.1,
                          .precision = 1e-3,
                          .gamma_s = 1.0 / 3e10,
                          .blind = true};
    g_autofree char *text = job_plan_text(&plan);
    JobPlan read;
    g_assert_true(job_plan_parse(text, &read, NULL));
    g_assert_cmpint(read.p, ==, 7);
    g_assert_cmpint(read.sync, ==, SYNC_BARRIER);
    g_assert_cmpint(read.most, ==, 1000);
    g_assert_true(read.gamma_s == plan.gamma_s && read.blind);
}

static void test_results(void)
{
    const JobResult result = {.repetitions = 3,
                              .min_s = 1e-9,
                              .median_s = 0.1,
                              .mean_s = 0.15,
                              .p95_s = 0.2,
                              .max_s = 0.3,
                              .ranks_min_s = 1e-10,
                              .ranks_mean_s = 1.0 / 3,
                              .counted = true},
                    wrong = {.wrong = (char[]){"rank 3: byte 17 of its result is 8, not 9"}};
    g_autofree char *text = job_result_text(12, &result), *why = job_result_text(0, &wrong);
    JobResult read;
    int number;
    g_assert_true(job_result_parse(text, &number, &read, NULL));
    g_assert_cmpint(number, ==, 12);
    g_assert_cmpint(read.repetitions, ==, 3);
    g_assert_true(read.min_s == 1e-9 && read.median_s == 0.1 && read.mean_s == 0.15 && read.p95_s == 0.2 &&
                  read.max_s == 0.3 && read.ranks_min_s == 1e-10 && read.ranks_mean_s == 1.0 / 3);
    g_assert_true(read.counted && !read.wrong && !read.unlike);
    g_assert_true(job_result_parse(why, &number, &read, NULL));
    g_assert_cmpstr(read.wrong, ==, wrong.wrong);
    job_result_clear(&read);
}

// Each word of a line sets the field of its name.
static void test_names(void)
{
    JobPlan plan;
    Job job;
    JobResult r;
    int number;
    g_assert_true(
        job_plan_parse("collsim-plan ranks=9 sync=barrier warmup=1 least=2 most=3 budget=4 precision=5 gamma=6 "
                       "blind=1",
                       &plan, NULL));
    g_assert_true(plan.p == 9 && plan.sync == SYNC_BARRIER && plan.warmup == 1 && plan.least == 2 && plan.most == 3 &&
                  plan.budget_s == 4 && plan.precision == 5 && plan.gamma_s == 6 && plan.blind);
    g_assert_true(job_plan_parse("collsim-plan ranks=1 least=1 most=1", &plan, NULL));
    g_assert_true(job_parse("scatterv linear m=9 elem=3 root=1 map=block:1 op=max in_place=0 synchronous=1 "
                            "counts.len=3,6 counts.at=0,4,10",
                            2, &job, NULL));
    g_assert_true(job.m == 9 && job.elem == 3 && job.root == 1 && job.nodes->n == 2 && job.op == JOB_MAX &&
                  !job.in_place && job.synchronous);
    g_assert_true(job.counts->len[0] == 3 && job.counts->len[1] == 6 && job.counts->at[1] == 4 &&
                  job.counts->at[2] == 10);
    job_clear(&job);
    g_assert_true(job_parse("allreduce ring m=8 in_place=1 synchronous=0", 2, &job, NULL));
    g_assert_true(job.in_place && !job.synchronous && job.op == JOB_SUM && job.elem == 1);
    g_assert_true(job_result_parse("@4 repetitions=9 min=2 median=3 mean=3.5 p95=5 max=6 ranks_min=1 ranks_mean=2.5 "
                                   "counted=1",
                                   &number, &r, NULL));
    g_assert_true(number == 4 && r.repetitions == 9 && r.min_s == 2 && r.median_s == 3 && r.mean_s == 3.5 &&
                  r.p95_s == 5 && r.max_s == 6 && r.ranks_min_s == 1 && r.ranks_mean_s == 2.5 && r.counted);
}

// A map is written in its shortest form, and the job has the nodes that it says.
static void test_maps(void)
{
    static const struct {
        int p;
        const char *text, *same; // `same` is how it is written
        int of[6];
    } maps[] = {
        {6, "block:2", "block:2", {0, 0, 1, 1, 2, 2}},
        {5, "block:2", "block:2", {0, 0, 1, 1, 2}},
        {5, "block:9", "block:5", {0, 0, 0, 0, 0}},
        {5, "cyclic:2", "cyclic:2", {0, 1, 2, 0, 1}},
        {6, "cyclic:4", "cyclic:3", {0, 1, 0, 1, 0, 1}}, // two nodes in either case
        {3, "cyclic:1", "block:1", {0, 1, 2}},
        {5, "0,1,2,3,0", "0,1,2,3,0", {0, 1, 2, 3, 0}}, // round 4 nodes, and no K makes cyclic:K that
        {6, "1*2,0*3,1", "1*2,0*3,1", {1, 1, 0, 0, 0, 1}},
        {6, "0,0,1*1,1,2*2", "block:2", {0, 0, 1, 1, 2, 2}},
        {4, "0*3,1", "block:3", {0, 0, 0, 1}},
        {4, "0,1*3", "0,1*3", {0, 1, 1, 1}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(maps); i++) {
        g_autofree char *line = g_strconcat("barrier smp map=", maps[i].text, NULL);
        Job job;
        g_test_message("%d ranks: %s", maps[i].p, line);
        g_assert_true(job_parse(line, maps[i].p, &job, NULL));
        for (int rank = 0; rank < maps[i].p; rank++)
            g_assert_cmpint(job.nodes->of[rank], ==, maps[i].of[rank]);
        g_autofree char *text = job_text(&job, maps[i].p), *due = g_strconcat(" map=", maps[i].same, NULL);
        g_assert_true(g_str_has_suffix(text, due));
        job_clear(&job);
    }
}

// Jobs of one process share their nodes, whoever of them goes first.
static void test_shared_maps(void)
{
    Job job[4];
    static const char *const line[] = {"barrier smp map=block:2", "bcast smp m=8 map=block:2",
                                       "barrier smp map=cyclic:2", "barrier smp map=block:2"};
    for (int i = 0; i < 3; i++)
        g_assert_true(job_parse(line[i], 6, &job[i], NULL));
    g_assert_true(job[0].nodes == job[1].nodes && job[0].nodes != job[2].nodes);
    job_clear(&job[0]);
    g_assert_true(job_parse(line[3], 6, &job[3], NULL));
    g_assert_true(job[3].nodes == job[1].nodes && job[3].nodes->n == 3);
    job_clear(&job[1]);
    g_assert_cmpint(job[3].nodes->of[5], ==, 2);
    job_clear(&job[3]);
    job_clear(&job[2]);
    g_assert_true(job_parse(line[0], 5, &job[0], NULL) && job_parse(line[0], 4, &job[1], NULL)); // another p
    g_assert_true(job[0].nodes->n == 3 && job[1].nodes->n == 2);
    job_clear(&job[0]);
    job_clear(&job[1]);
}

// ---- Lines that are refused ----------------------------------------------------------------------------------------

typedef enum { PLAN, JOB, RESULT } Kind;

// Reads a line of 3 ranks and writes it again; free with g_free. Returns NULL if it is refused, and fails unless the
// error is one line.
static char *reread(Kind kind, const char *line)
{
    g_autoptr(GError) error = NULL;
    JobPlan plan;
    Job job;
    JobResult result;
    int number;
    char *text = NULL;
    enum { P = 3 };
    if (kind == PLAN && job_plan_parse(line, &plan, &error))
        text = job_plan_text(&plan);
    else if (kind == JOB && job_parse(line, P, &job, &error)) {
        text = job_text(&job, P);
        job_clear(&job);
    } else if (kind == RESULT && job_result_parse(line, &number, &result, &error)) {
        text = job_result_text(number, &result);
        job_result_clear(&result);
    }
    g_assert_true(!text == !!error);
    if (error) {
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_null(strchr(error->message, '\n'));
    }
    return text;
}

static const char whole[] = "@1 repetitions=1 min=1 median=1 mean=1 p95=1 max=1 ranks_min=1 ranks_mean=1 counted=0";

static void test_refused(void)
{
    static const struct {
        Kind kind;
        const char *line;
    } bad[] = {
        {PLAN, ""},
        {PLAN, "collsim-plan"},
        {PLAN, "collsim-plan ranks=0 least=1 most=1"},
        {PLAN, "collsim-plan ranks=-1 least=1 most=1"},
        {PLAN, "collsim-plan ranks=3 least=2 most=1"},
        {PLAN, "collsim-plan ranks=3 least=1 most=1 budget=nan"},
        {PLAN, "collsim-plan ranks=3 least=1 most=1 budget=-1"},
        {PLAN, "collsim-plan ranks=3 least=1 most=1 sync=never"},
        {PLAN, "collsim-plan ranks=3 least=1 most=1 blind=2"},
        {PLAN, "collsim-plan ranks=99999999999 least=1 most=1"},
        {PLAN, "plan ranks=3 least=1 most=1"},
        {PLAN, "collsim-plan ranks=3 least=1 most=1 ranks=3"},
        {PLAN, "collsim-plan ranks=03 least=1 most=1"},
        {JOB, ""},
        {JOB, "bcast"},
        {JOB, "bcast none m=1"},
        {JOB, "nothing binomial m=1"},
        {JOB, "bcast binomial m=1 elem=0"},
        {JOB, "bcast binomial m=1 root=3"},
        {JOB, "bcast binomial m=-1"},
        {JOB, "bcast binomial m=+1"},
        {JOB, "bcast binomial m= 1"},
        {JOB, "bcast binomial m=1 op=product"},
        {JOB, "bcast binomial m=1 in_place=2"},
        {JOB, "bcast binomial m=1 in_place=1"}, // bcast has one buffer
        {JOB, "bcast pipeline m=1 param.segment=x"},
        {JOB, "bcast pipeline m=1 param.radix=2"},
        {JOB, "bcast knomial m=1 param.radix=1"},
        {JOB, "bcast smp m=1 param.outer=99999"},
        {JOB, "bcast smp m=1 map="},
        {JOB, "bcast smp m=1 map=block"},
        {JOB, "bcast smp m=1 map=block:0"},
        {JOB, "bcast smp m=1 map=cyclic:-1"},
        {JOB, "bcast smp m=1 map=cyclic:1x"},
        {JOB, "bcast smp m=1 map=block:2 map=block:2"},
        {JOB, "bcast smp m=1 map=0,0"},
        {JOB, "bcast smp m=1 map=0,0,1,1"},
        {JOB, "bcast smp m=1 map=0,0,1,"},
        {JOB, "bcast smp m=1 map=0,0,2"}, // node 1 is empty
        {JOB, "bcast smp m=1 map=1,1,1"},
        {JOB, "bcast smp m=1 map=0,0,3"},
        {JOB, "bcast smp m=1 map=0*2"},
        {JOB, "bcast smp m=1 map=0*2,1*2"},
        {JOB, "bcast smp m=1 map=0*3,1"},
        {JOB, "bcast smp m=1 map=0*0,0*3"},
        {JOB, "bcast smp m=1 map=0*,0,0"},
        {JOB, "bcast smp m=1 map=0*1*3"},
        {JOB, "bcast smp m=1 map=0*4294967299"},
        {JOB, "bcast binomial m=1 m=1"},
        {JOB, "bcast pipeline m=1 param.segment=1 param.segment=1"},
        {JOB, "scatterv linear m=1 counts.len=1,1,1 counts.at=0,1,2,3 counts.len=1,1,1"},
        {JOB, "scatterv linear m=1 counts.len=1,1,1 counts.at=0,1,2,3 counts.at=0,1,2,3"},
        {JOB, "scatterv linear m=1 counts.len=1,1,1"},
        {JOB, "scatterv linear m=1 counts.len=1,1 counts.at=0,1,2,3"},
        {JOB, "scatterv linear m=1 counts.len=1,2,1 counts.at=0,1,2,3"},
        {JOB, "scatterv linear m=1 counts.len=1,1,1 counts.at=0,1,1,3"},
        {RESULT, ""},
        {RESULT, "@"},
        {RESULT, "@1"},
        {RESULT, "1 repetitions=1"},
        {RESULT, "@1 repetitions=1 min=1 median=1"},
        {RESULT, "@-1 wrong x"},
        {RESULT, "@01 wrong x"},
        {RESULT, "@99999999999 wrong x"},
        {RESULT, "@1 wrong"},
        {RESULT, "@1 unlike"},
        {RESULT, "@1 min=1 min=1 min=1 min=1 min=1 min=1 min=1 min=1 min=1"},
    };
    // Words that replace the word of the same name in a whole result, or are added to it.
    static const char *const bad_words[] = {
        "repetitions=0",    "repetitions=01", "repetitions=2147483648",
        "repetitions=-1",   "min=inf",        "min=nan",
        "min=-1",           "min=-0",         "min=+1",
        "min= 1",           "min=1s",         "min=",
        "min=0x1",          "min=1.5",        "median=0.5",
        "median=1.5",       "p95=0.5",        "p95=1.5",
        "max=0.5",          "max=1e999",      "ranks_min=1.5",
        "ranks_mean=nan",   "mean=x",         "counted=2",
        "counted=",         "counted=0 ",     "counted=0 min=1",
        "counted=0 more=1", "counted=0\t",
    };
    g_autofree char *good = reread(RESULT, whole);
    g_assert_cmpstr(good, ==, whole);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *read = reread(bad[i].kind, bad[i].line);
        if (read)
            g_test_message("'%s' was read as '%s'", bad[i].line, read);
        g_assert_null(read);
    }
    g_auto(GStrv) word = g_strsplit(whole, " ", -1);
    for (size_t i = 0; i < G_N_ELEMENTS(bad_words); i++)
        for (int w = 1; word[w]; w++)
            if (strncmp(word[w], bad_words[i], strcspn(bad_words[i], "=") + 1) == 0) {
                char *const before = word[w];
                word[w] = (char *)(uintptr_t)bad_words[i];
                g_autofree char *line = g_strjoinv(" ", word), *read = reread(RESULT, line);
                word[w] = before;
                if (read)
                    g_test_message("'%s' was read as '%s'", line, read);
                g_assert_null(read);
            }
    // A result lacks no field, whichever it is, and takes them in any order.
    for (int w = 1; word[w]; w++) {
        char *const before = word[w];
        word[w] = word[w == 1 ? 2 : 1];
        g_autofree char *twice = g_strjoinv(" ", word), *read_twice = reread(RESULT, twice);
        g_assert_null(read_twice);
        word[w == 1 ? 2 : 1] = before;
        g_autofree char *swapped = g_strjoinv(" ", word), *read = reread(RESULT, swapped);
        g_assert_cmpstr(read, ==, whole);
        word[w == 1 ? 2 : 1] = word[w];
        word[w] = before;
    }
}

// A line with some bytes changed, left out or doubled is refused, or is read as something that is written and read
// again the same.
static void test_fuzz(void)
{
    static const char *const seed[] = {
        "collsim-plan ranks=4 sync=window warmup=2 least=10 most=1000 budget=0.5 precision=0.01 gamma=0 blind=0",
        "scatterv linear m=9 elem=1 root=2 op=sum in_place=0 synchronous=1 map=0,2,1 counts.len=3,0,4 "
        "counts.at=0,5,5,12",
        whole};
    enum { TRIES = 30000, CHANGES = 3 };
    GRand *random = g_rand_new_with_seed(1);
    int refused = 0;
    for (int i = 0; i < TRIES; i++) {
        const Kind kind = (Kind)(i % 3);
        GString *line = g_string_new(seed[kind]);
        for (int n = g_rand_int_range(random, 1, CHANGES + 1); n-- > 0 && line->len;) {
            const gssize at = g_rand_int_range(random, 0, (gint32)line->len);
            const char byte = (char)g_rand_int_range(random, 1, 256);
            if (g_rand_boolean(random))
                line->str[at] = g_rand_boolean(random) ? byte : "0123456789=,. -@"[(unsigned char)byte % 16];
            else if (g_rand_boolean(random))
                g_string_erase(line, at, 1);
            else
                g_string_insert_c(line, at, line->str[at]);
        }
        g_autofree char *read = reread(kind, line->str), *again = read ? reread(kind, read) : NULL;
        g_assert_cmpstr(read, ==, again);
        refused += !read;
        g_string_free(line, TRUE);
    }
    g_rand_free(random);
    g_test_message("%d of %d refused", refused, TRIES);
    g_assert_cmpint(refused, >, TRIES / 4);
}

// ---- Times ---------------------------------------------------------------------------------------------------------

static void test_times(void)
{
    static const struct {
        int n;
        double median, p95, imprecision;
    } wanted[] = {
        // The times are n, n - 1 .. 1. The interval of the median of 100 is from the 41st to the 61st.
        {1, 1, 1, 0},
        {2, 1.5, 2, 0.5 / 1.5},
        {3, 2, 3, 1.0 / 2},
        {4, 2.5, 4, 1.5 / 2.5},
        {10, 5.5, 10, 4 / 5.5},
        {19, 10, 19, 4.5 / 10},
        {20, 10.5, 19, 5 / 10.5},
        {21, 11, 20, 4.5 / 11},
        {100, 50.5, 95, 10 / 50.5},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        const int n = wanted[i].n;
        g_autofree double *x = g_new(double, n);
        for (int k = 0; k < n; k++)
            x[k] = n - k;
        times_sort(x, n);
        JobResult r = {0};
        times_summarise(x, n, &r);
        g_test_message("%d: median %g, p95 %g, imprecision %g", n, r.median_s, r.p95_s, times_imprecision(x, n));
        g_assert_cmpint(r.repetitions, ==, n);
        g_assert_true(r.min_s == 1 && r.max_s == n && r.median_s == wanted[i].median && r.p95_s == wanted[i].p95);
        g_assert_cmpfloat_with_epsilon(r.mean_s, (n + 1) / 2.0, 1e-12);
        g_assert_cmpfloat_with_epsilon(times_imprecision(x, n), wanted[i].imprecision, 1e-12);
    }
    const double none[] = {0, 0, 0};
    g_assert_true(times_imprecision(none, 3) == 0);
}

static void add_tests(void)
{
    g_test_add_func("/job/jobs", test_jobs);
    g_test_add_func("/job/plans", test_plans);
    g_test_add_func("/job/results", test_results);
    g_test_add_func("/job/names", test_names);
    g_test_add_func("/job/maps", test_maps);
    g_test_add_func("/job/shared maps", test_shared_maps);
    g_test_add_func("/job/refused", test_refused);
    g_test_add_func("/job/fuzz", test_fuzz);
    g_test_add_func("/job/times", test_times);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
