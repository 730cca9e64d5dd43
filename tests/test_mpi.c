// Every algorithm computes its collective on Open MPI, MPICH and SMPI, with real data, on 1 .. 8 and 16 ranks however
// few cores there are, and on up to 8 ranks with every root. With `-m thorough` (make verify) every variant of every
// job is tried, otherwise one random variant for each algorithm, root and size; from 5 to 8 ranks either Open MPI or
// MPICH runs it, and on 16 ranks they share the jobs. A sample has one number of ranks, from 3 to 8, for each MPI, and a
// third of the jobs there. And the check of the data notices backends whose messages lose a bit on their way, or come
// from another rank than they should.
#include "jobs.h"
#include "run/launch/launch.h"
#include "sample.h"
#include "tap.h"
#include <stdio.h>
#include <string.h>

static Platform *platform; // the machine that SMPI simulates

static JobPlan plan_of(LaunchKind kind, int p)
{
    return (JobPlan){.p = p,
                     .sync = kind == LAUNCH_SMPI ? SYNC_WINDOW : SYNC_BARRIER,
                     .least = 1,
                     .most = 1,
                     .budget_s = 1,
                     .precision = 1,
                     .gamma_s = platform->value[KEY_GAMMA]};
}

// Returns true if the backend is built, otherwise skips the test.
static bool is_built(LaunchKind kind)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *program = launch_find(kind, &error);
    if (!program)
        g_test_skip(error->message);
    return program != NULL;
}

// Runs all jobs and returns their results; free with results_free.
static JobResult *run(LaunchKind kind, int p, const GArray *jobs)
{
    const SimgridMachine machine = {.platform = platform, .transfer = SIMGRID_RENDEZVOUS};
    const Launch launch = {.kind = kind, .machine = &machine};
    const JobPlan plan = plan_of(kind, p);
    JobResult *result = g_new0(JobResult, jobs->len);
    g_autoptr(GError) error = NULL;
    launch_run(&launch, &plan, (const Job *)(const void *)jobs->data, (int)jobs->len, result, &error);
    g_assert_no_error(error);
    return result;
}

static void results_free(JobResult *result, guint n)
{
    for (guint i = 0; i < n; i++)
        job_result_clear(&result[i]);
    g_free(result);
}

// Returns true if the job is a known error of the library itself. SMPI's scans reduce in the wrong order, which is an
// error if the operation does not commute. MPICH's allgatherv of one rank ignores the displacement of its block.
static bool is_theirs(LaunchKind kind, const Job *job, int p)
{
    const bool scans = job->collective == COLL_SCAN || job->collective == COLL_EXSCAN;
    return job->kind == JOB_LIBRARY && ((kind == LAUNCH_SMPI && job->op == JOB_ORDERED && scans) ||
                                        (kind == LAUNCH_MPICH && job->collective == COLL_ALLGATHERV && p == 1));
}

// Returns true if the MPI runs the i-th job. On 16 ranks, which share few cores, Open MPI's ranks keep a core busy while
// they wait, and MPICH's do not; so Open MPI runs every fourth job and MPICH the others. SMPI runs all of them.
static bool takes(LaunchKind kind, int p, guint i)
{
    if (!sample_takes(i, 3)) // the jobs of an algorithm follow one another: five sizes, but for a barrier
        return false;
    return p <= 8 || kind == LAUNCH_SMPI || g_test_thorough() || (i % 4 == 0) == (kind == LAUNCH_MPI);
}

static void test_right(LaunchKind kind, int p)
{
    enum { DRAWN = 1, SHOWN = 20 };
    int refused, wrong = 0;
    if (!is_built(kind))
        return;
    const bool other_runs = sample_all() && p >= 5 && p <= 8 && kind == (p % 2 ? LAUNCH_MPICH : LAUNCH_MPI);
    if (other_runs && !g_test_thorough()) {
        g_test_skip("the other MPI runs these ranks; make verify runs them here too");
        return;
    }
    g_test_timer_start();
    GArray *jobs = jobs_make(p, g_test_thorough() ? 0 : DRAWN, &refused);
    for (guint i = jobs->len; i-- > 0;)
        if (!takes(kind, p, i)) {
            job_clear(&g_array_index(jobs, Job, i));
            g_array_remove_index(jobs, i);
        }
    JobResult *result = run(kind, p, jobs);
    for (guint i = 0; i < jobs->len; i++) {
        const Job *x = &g_array_index(jobs, Job, i);
        if (!result[i].wrong || is_theirs(kind, x, p) || wrong++ >= SHOWN)
            continue;
        g_autofree char *job = job_text(x, p);
        g_test_message("%d ranks: %s: %s", p, job, result[i].wrong);
        g_test_fail();
    }
    g_test_message("%u jobs, %d wrong; %d refused; %.1f s", jobs->len, wrong, refused, g_test_timer_elapsed());
    results_free(result, jobs->len);
    jobs_free(jobs);
}

static void test_mpi(const void *p)
{
    test_right(LAUNCH_MPI, GPOINTER_TO_INT(p));
}
static void test_mpich(const void *p)
{
    test_right(LAUNCH_MPICH, GPOINTER_TO_INT(p));
}
static void test_smpi(const void *p)
{
    test_right(LAUNCH_SMPI, GPOINTER_TO_INT(p));
}

// ---- The checker can fail ------------------------------------------------------------------------------------------

typedef struct Mistake {
    const char *job;
    const char *wrong; // how the error must begin; NULL if the result is right
} Mistake;

// With lost bits, only the results of messages without data are right.
static const Mistake lost_bits[] = {
    {"bcast linear m=1 elem=1 root=1", "rank 0: byte 0 of its result is "},
    {"bcast linear m=0 elem=1 root=1", NULL},
    {"reduce binomial_blocking m=8 elem=8 root=2 op=sum", "rank 2: byte 0 of its result is "},
    {"allreduce recursive_doubling m=64 elem=8 op=ordered", "rank 0: byte "},
    {"allgather ring m=64 elem=1", "rank 0: byte 64 of its result is "},
    {"allgather ring m=64 elem=1 in_place=1", "rank 0: byte 64 of its result is "},
    {"scatterv linear m=9 elem=1 counts.len=3,0,4,2 counts.at=0,5,5,9,12", "rank 2: byte 0 of its result is "},
    {"barrier dissemination m=0", NULL},
    {"scan recursive_doubling m=8 elem=4 op=sum", "rank 1: byte 0 of its result is "},
    {NULL},
};

// With ranks 1 and 2 swapped, a sum is right, and so is what all ranks have alike. A byte is equal by chance once in
// 256 times, so the blocks are longer.
static const Mistake swapped_blocks[] = {
    {"gather linear m=64 elem=1 root=0", "rank 0: byte 64 of its result is "},
    {"gather linear m=64 elem=8 root=3", "rank 3: byte 64 of its result is "},
    {"gatherv linear m=9 elem=1 counts.len=3,8,8,2 counts.at=0,5,13,21,23", "rank 0: byte 5 of its result is "},
    {"scatter linear m=64 elem=1 root=0", "rank 1: byte 0 of its result is "},
    {"reduce linear m=64 elem=16 root=0 op=ordered", "rank 0: byte "},
    {"reduce linear m=64 elem=8 root=0 op=sum", NULL},
    {"reduce linear m=64 elem=8 root=0 op=max", NULL},
    {"bcast linear m=64 elem=1 root=0", NULL},
    {NULL},
};

// Runs the jobs with a backend that makes a mistake: `folder` holds it, beside the folder of the right ones.
static void run_mistaken(const char *folder, const Mistake *bad)
{
    enum { P = 4 };
    g_autofree char *right = g_strdup(g_getenv("COLLSIM_BACKENDS")), *wrong = g_build_filename(right, folder, NULL);
    g_setenv("COLLSIM_BACKENDS", wrong, TRUE);
    if (is_built(LAUNCH_MPI)) {
        GArray *jobs = g_array_new(FALSE, FALSE, sizeof(Job));
        for (const Mistake *x = bad; x->job; x++) {
            Job job;
            g_assert_true(job_parse(x->job, P, &job, NULL));
            g_array_append_val(jobs, job);
        }
        JobResult *result = run(LAUNCH_MPI, P, jobs);
        for (guint i = 0; i < jobs->len; i++) {
            g_test_message("%s: %s", bad[i].job, result[i].wrong ? result[i].wrong : "right");
            g_assert_true(bad[i].wrong ? result[i].wrong && g_str_has_prefix(result[i].wrong, bad[i].wrong)
                                       : !result[i].wrong);
        }
        results_free(result, jobs->len);
        jobs_free(jobs);
    }
    g_setenv("COLLSIM_BACKENDS", right, TRUE);
}

static void test_lost_bits(void)
{
    run_mistaken("loses_bits", lost_bits);
}
static void test_swapped_blocks(void)
{
    run_mistaken("swaps_blocks", swapped_blocks);
}

// A job that cannot run is refused before it runs, by all ranks for the same reason.
static void test_refused(void)
{
    static const char *const refused[][2] = {
        {"allgather two_procs m=8 elem=1", "p is not 2"},
        {"allreduce linear m=12 elem=12 op=ordered",
         "elements of this size have no ordered operation; allowed: 2, 4, 8 or 16 bytes"},
        {"bcast binomial m=4294967296 elem=1", "a rank has more than 2 GiB to send or receive"},
        {"bcast binomial m=8 elem=1", NULL},
    };
    enum { P = 3 };
    if (!is_built(LAUNCH_MPI))
        return;
    GArray *jobs = g_array_new(FALSE, FALSE, sizeof(Job));
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        Job job;
        g_assert_true(job_parse(refused[i][0], P, &job, NULL));
        g_array_append_val(jobs, job);
    }
    JobResult *result = run(LAUNCH_MPI, P, jobs);
    for (guint i = 0; i < jobs->len; i++)
        g_assert_cmpstr(result[i].wrong, ==, refused[i][1]);
    results_free(result, jobs->len);
    jobs_free(jobs);
}

// On SMPI, where times are exact, each figure of a job's times is what it says: over the slowest ranks or all ranks,
// and half of a ping-pong.
static void test_figures(void)
{
    enum { P = 3, M = 1000 };
    static const char *const jobs_of[] = {"bcast chain m=1000 elem=1 param.chains=1", "pingpong - m=1000 elem=1",
                                          "reduce_local - m=1000 elem=1", "barrier dissemination m=0"};
    const double u = platform->value[KEY_ALPHA] + M * platform->value[KEY_BETA], g = M * platform->value[KEY_GAMMA];
    // Rank 0 sends to rank 1, which sends to rank 2: rank 0 is ready after u, the other two after 2 u.
    const double slowest[] = {2 * u, u, g, 2 * platform->value[KEY_ALPHA]},
                 least[] = {u, u, g, 2 * platform->value[KEY_ALPHA]},
                 mean[] = {5 * u / 3, u, g, 2 * platform->value[KEY_ALPHA]};
    if (!is_built(LAUNCH_SMPI))
        return;
    GArray *jobs = g_array_new(FALSE, FALSE, sizeof(Job));
    for (size_t i = 0; i < G_N_ELEMENTS(jobs_of); i++) {
        Job job;
        g_assert_true(job_parse(jobs_of[i], P, &job, NULL));
        g_array_append_val(jobs, job);
    }
    JobResult *result = run(LAUNCH_SMPI, P, jobs);
    for (guint i = 0; i < jobs->len; i++) {
        const JobResult *r = &result[i];
        g_test_message("%s: %g, of all ranks %g, %g", jobs_of[i], r->median_s, r->ranks_min_s, r->ranks_mean_s);
        g_assert_cmpint(r->repetitions, ==, 1);
        g_assert_cmpfloat_with_epsilon(r->median_s, slowest[i], 1e-9 * slowest[i]);
        g_assert_cmpfloat_with_epsilon(r->ranks_min_s, least[i], 1e-9 * least[i]);
        g_assert_cmpfloat_with_epsilon(r->ranks_mean_s, mean[i], 1e-9 * mean[i]);
    }
    results_free(result, jobs->len);
    jobs_free(jobs);
}

// SMPI cannot run under a sanitizer, because it makes the stacks of its ranks itself.
#ifdef __SANITIZE_ADDRESS__
static const int ranks[] = {1, 2, 3, 4};
static const bool sanitized = true;
#else
static const int ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 16};
static const bool sanitized = false;
#endif

static bool is_drawn(guint backend, int p)
{
    return sample_all() || (p >= 3 && p <= 8 && sample_takes(6 * backend + (guint)p - 3, 6));
}

static void add_tests(void)
{
    static const struct {
        const char *name;
        void (*test)(const void *p);
    } backends[] = {{"open-mpi", test_mpi}, {"mpich", test_mpich}, {"smpi", test_smpi}};
    for (size_t b = 0; b < (sanitized ? 2 : 3); b++)
        for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) {
            if (!is_drawn((guint)b, ranks[i]))
                continue;
            g_autofree char *path = g_strdup_printf("/mpi/%s/%d", backends[b].name, ranks[i]);
            g_test_add_data_func(path, GINT_TO_POINTER(ranks[i]), backends[b].test);
        }
    g_test_add_func("/mpi/lost-bits", test_lost_bits);
    g_test_add_func("/mpi/swapped-blocks", test_swapped_blocks);
    g_test_add_func("/mpi/refused", test_refused);
    if (!sanitized)
        g_test_add_func("/mpi/figures", test_figures);
}

int main(int argc, char **argv)
{
    g_autofree char *built = g_path_get_dirname(g_getenv("COLLSIM") ? g_getenv("COLLSIM") : "build/collsim");
    g_setenv("COLLSIM_BACKENDS", built, FALSE);
    platform = platform_load("generic-100g", NULL);
    const int status = tap_run(argc, argv, add_tests);
    platform_free(platform);
    return status;
}
