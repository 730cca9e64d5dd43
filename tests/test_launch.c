// The launcher with backends that are missing, fail, die, hang, print without end, or answer nonsense, too little or
// too much. The error must be one line that says which of these it is and gives the last output, no process or file may
// be left, and no output may take much memory. Most of the backends are shell scripts; at the end, ranks of a real run
// are killed and stopped.
#include "base/error.h"
#include "run/launch/forced.h"
#include "run/launch/launch.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ANSWER(n)   "@" n " repetitions=1 min=1 median=1 mean=1 p95=1 max=1 ranks_min=1 ranks_mean=1 counted=0"
#define FAKE_MPIRUN "#!/bin/sh\nwhile [ \"$1\" != -np ]; do shift; done; shift 2\nexec \"$@\"\n"

// Each test has a folder of its own, in which the launcher looks for backends.
typedef struct Box {
    char *folder;
    char *built; // the folder of the real backends
} Box;

static void write_script(const Box *box, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(box->folder, name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_chmod(path, 0755);
}

static int count_files(const char *folder)
{
    int n = 0;
    GDir *dir = g_dir_open(folder, 0, NULL);
    while (g_dir_read_name(dir))
        n++;
    g_dir_close(dir);
    return n;
}

// Returns the number of processes whose command line contains the text. If `send` is not 0, sends that signal to the
// last of them that is not an mpirun.
static int find_processes(const char *text, int send)
{
    int n = 0;
    GPid last = 0;
    GDir *dir = g_dir_open("/proc", 0, NULL);
    for (const char *name; (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_strdup_printf("/proc/%s/cmdline", name), *line = NULL;
        gsize len;
        if (!g_ascii_isdigit(*name) || !g_file_get_contents(path, &line, &len, NULL) || len == 0)
            continue;
        const bool launches = strstr(line, "mpirun") != NULL; // this string is argv[0] only
        for (gsize i = 0; i + 1 < len; i++)
            if (!line[i])
                line[i] = ' ';
        if (!strstr(line, text))
            continue;
        n++;
        last = launches ? last : (GPid)g_ascii_strtoll(name, NULL, 10);
    }
    g_dir_close(dir);
    if (send && last)
        kill(last, send);
    return n;
}

// Fails if processes with this text in their command line are still there after a minute.
static void assert_gone(const char *text)
{
    int left = 1;
    for (int tries = 0; left && tries < 600; tries++) {
        left = find_processes(text, 0);
        if (left)
            g_usleep(100000);
    }
    g_assert_cmpint(left, ==, 0);
}

static Job bcast_job(void)
{
    const CollAlgorithm *a = algorithm_find(COLL_BCAST, "binomial");
    return (Job){.kind = JOB_ALGORITHM, .collective = COLL_BCAST, .algorithm = a, .m = 8, .elem = 1};
}

enum { RANKS = 2, JOBS = 2 };

// Runs n_jobs jobs on 2 ranks. Returns NULL if all are done, otherwise the error, which must be one line; free with
// g_free.
static char *run(Launch launch, int n_jobs)
{
    const JobPlan plan = {.p = RANKS, .sync = SYNC_BARRIER, .least = 1, .most = 1, .budget_s = 1, .precision = 1};
    g_autofree Job *job = g_new(Job, n_jobs);
    g_autofree JobResult *result = g_new0(JobResult, n_jobs);
    g_autoptr(GError) error = NULL;
    for (int i = 0; i < n_jobs; i++)
        job[i] = bcast_job();
    const gboolean good = launch_run(&launch, &plan, job, n_jobs, result, &error);
    for (int i = 0; i < n_jobs; i++)
        job_result_clear(&result[i]);
    g_assert_true(good == !error);
    if (error) {
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_null(strchr(error->message, '\n'));
        g_test_message("%s", error->message);
    }
    return error ? g_strdup(error->message) : NULL;
}

// Runs the jobs with a backend that never ends. On a busy machine it may not have got far enough when the launcher's
// patience ends, so an error that is not like `due` (* matches anything) has it run again, with more patience. Returns
// the error; free with g_free.
static char *run_due(Launch launch, int n_jobs, const char *due)
{
    char *error = run(launch, n_jobs);
    while (launch.patience_s < 60 && !(error ? due && g_pattern_match_simple(due, error) : !due)) {
        g_free(error);
        launch.patience_s *= 5;
        error = run(launch, n_jobs);
    }
    return error;
}

// ---- Fakes ---------------------------------------------------------------------------------------------------------

#define JOB_0 "'bcast binomial m=8 elem=1 root=0 op=sum in_place=0 synchronous=0 param.segment=0'"
static const char *const job_0 = JOB_0;

// The backends that are shell scripts.
static const struct {
    const char *name;
    const char *text;  // what the script does when it is not asked for its library
    const char *error; // the error that the launcher must give, in which * matches anything; NULL if there is none
    double patience_s; // of one that never ends, for run_due(); 0 for 60: what answers may be slow on a busy machine
} fakes[] = {
    {"right", "echo '" ANSWER("0") "'; echo '" ANSWER("1") "'", NULL},
    {"wrong data", "echo '@0 wrong rank 1'; echo '" ANSWER("1") "'", NULL},
    {"talks",
     "for i in 1 2 3 4 5 6 7 8 9; do head -c 20000 /dev/zero | tr '\\0' x; echo; head -c 20000 /dev/zero | tr '\\0' y "
     ">&2; done; "
     "echo '" ANSWER("0") "'; echo; echo '" ANSWER("1") "'",
     NULL},
    {"status 3", "echo '" ANSWER("0") "'; echo no luck >&2; exit 3",
     "collsim-mpi on 2 ranks ended with status 3 in " JOB_0 "; its last output: no luck"},
    {"status 3 after much output",
     "for i in 1 2 3 4 5 6 7 8 9; do head -c 900 /dev/zero | tr '\\0' x; echo \" $i\"; done; echo the end; exit 3",
     "collsim-mpi on 2 ranks ended with status 3 in " JOB_0 "; its last output: *the end"},
    {"status after all", "echo '" ANSWER("0") "'; echo '" ANSWER("1") "'; echo late >&2; exit 1",
     "collsim-mpi on 2 ranks ended with status 1 after its last job; its last output: late"},
    {"killed", "echo '" ANSWER("0") "'; kill -9 $$", "collsim-mpi on 2 ranks died of signal 9 in " JOB_0},
    {"hangs", "echo '" ANSWER("0") "'; echo waits >&2; sleep 1000",
     "collsim-mpi on 2 ranks gave no answer for * s in " JOB_0 "; its last output: waits", 0.4},
    {"hangs and heeds nothing", "trap '' TERM; sleep 1000", "collsim-mpi on 2 ranks gave no answer for * s in " JOB_0,
     0.4},
    {"garbage, and does not end by itself", "echo '@0 garbage'; sleep 1000",
     "'@0 garbage' is not a result; allowed: what the backend writes"},
    {"keeps answering", "sleep 0.7; echo '" ANSWER("0") "'; sleep 0.7; echo '" ANSWER("1") "'; sleep 0.7", NULL, 2},
    {"floods stderr and never ends", "while :; do echo noise >&2; done",
     "collsim-mpi on 2 ranks gave no answer for * s in " JOB_0 "; its last output: *noise noise*", 0.4},
    {"floods stdout without a newline and never ends", "cat /dev/zero",
     "collsim-mpi on 2 ranks gave no answer for * s in " JOB_0 "; its last output: *???...", 0.4},
    {"100 MB without a newline", "head -c 100000000 /dev/zero; echo; echo '" ANSWER("0") "'; echo '" ANSWER("1") "'",
     NULL},
    {"an answer that is too long", "echo '" ANSWER("0") "'$(head -c 5000 /dev/zero | tr '\\0' 0)",
     "'@0 repetitions=1 *' is not a result; allowed: what the backend writes"},
    {"an answer with a NUL", "printf '" ANSWER("0") "\\0counted=0\\n'",
     "'@0 repetitions=1 *' is not a result; allowed: what the backend writes"},
    {"an answer on stderr", "echo '" ANSWER("0") "' >&2",
     "collsim-mpi on 2 ranks ended with status 0 in " JOB_0 "; its last output: @0 repetitions=1 *"},
    {"an answer too many", "echo '" ANSWER("0") "'; echo '" ANSWER("1") "'; echo '" ANSWER("1") "'",
     "'@1 *' is not a result; allowed: nothing after the results of 2 jobs"},
    {"an answer without times",
     "echo '@0 repetitions=0 min=0 median=0 mean=0 p95=0 max=0 ranks_min=0 ranks_mean=0 counted=1'",
     "'@0 repetitions=0 *' is not a result; allowed: the result of job 0"},
    {"an answer about messages", "echo '@0 unlike rank 1 sends more'",
     "'@0 unlike *' is not a result; allowed: the result of job 0"},
    {"the same answer twice", "echo '" ANSWER("0") "'; echo '" ANSWER("0") "'",
     "'@0 *' is not a result; allowed: the result of job 1"},
    {"half an answer", "printf '@0 repetitions=1 min=1'",
     "'@0 repetitions=1 min=1' is not a result; allowed: what the backend writes"},
    {"another answer", "echo '" ANSWER("7") "'", "'@7 *' is not a result; allowed: the result of job 0"},
    {"deadlock", "echo '" ANSWER("0") "'; printf 'Oops!\\nDeadlock detected:\\n  rank 0 waits\\n' >&2; exit 0",
     "collsim-mpi on 2 ranks ended with status 0 in " JOB_0
     "; its last output: Oops! Deadlock detected: *rank 0 waits"},
    {"leaves a child with its pipes", "sleep 1000 & echo '" ANSWER("0") "'; echo '" ANSWER("1") "'", NULL},
    {"closes its output and never ends", "exec sleep 1000 >&- 2>&-",
     "collsim-mpi on 2 ranks gave no answer for * s in " JOB_0, 0.4},
    {"nothing", "cat >/dev/null", "collsim-mpi on 2 ranks ended with status 0 in " JOB_0},
};

static void box_make(Box *box)
{
    *box = (Box){.folder = g_dir_make_tmp("launch-XXXXXX", NULL), .built = g_strdup(g_getenv("COLLSIM_BACKENDS"))};
    g_setenv("COLLSIM_BACKENDS", box->folder, TRUE);
    write_script(box, "mpirun.openmpi", FAKE_MPIRUN);
}

static void box_free(Box *box)
{
    g_autofree char *rm = g_strdup_printf("rm -r '%s'", box->folder);
    assert_gone(box->folder);
    g_setenv("COLLSIM_BACKENDS", box->built, TRUE);
    g_assert_true(g_spawn_command_line_sync(rm, NULL, NULL, NULL, NULL));
    g_free(box->folder);
    g_free(box->built);
}

static int64_t peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void test_fake(const void *data)
{
    const size_t i = GPOINTER_TO_SIZE(data);
    Box box;
    box_make(&box);
    g_autofree char *text = g_strdup_printf("#!/bin/sh\n[ \"$1\" = --library ] && { echo Open MPI; exit; }\n%s\n",
                                            fakes[i].text),
                    *launcher = g_strdup_printf("%s/mpirun.openmpi -np {p}", box.folder);
    write_script(&box, "collsim-mpi", text);
    const int temporary = count_files(g_get_tmp_dir());
    const int64_t memory_kb = peak_kb();
    const Launch launch = {
        .kind = LAUNCH_MPI, .launcher = launcher, .patience_s = fakes[i].patience_s > 0 ? fakes[i].patience_s : 60};
    g_autofree char *error = run_due(launch, JOBS, fakes[i].error);
    g_assert_cmpint(peak_kb() - memory_kb, <, 50 << 10);
    if (!fakes[i].error)
        g_assert_null(error);
    else
        g_assert_true(error && g_pattern_match_simple(fakes[i].error, error));
    g_assert_cmpint(count_files(g_get_tmp_dir()), ==, temporary);
    box_free(&box);
}

static void test_missing(void)
{
    g_autofree char *path = g_strdup(g_getenv("PATH"));
    Box box;
    box_make(&box);
    g_autofree char *error = run((Launch){.kind = LAUNCH_MPI}, JOBS);
    g_autofree char *due =
        g_strdup_printf("%s/collsim-mpi is missing; allowed: COLLSIM_BACKENDS=FOLDER that has it", box.folder);
    g_assert_cmpstr(error, ==, due);
    g_unsetenv("COLLSIM_BACKENDS"); // there are none beside the tests
    g_autofree char *beside = run((Launch){.kind = LAUNCH_MPI}, JOBS);
    g_setenv("COLLSIM_BACKENDS", box.folder, TRUE);
    g_assert_true(g_pattern_match_simple(
        "*/tests/collsim-mpi is missing; install openmpi-bin libopenmpi-dev, then make", beside));
    write_script(&box, "collsim-mpi", "#!/bin/sh\necho Open MPI\n");
    g_autofree char *none = g_build_filename(box.folder, "none", NULL);
    g_setenv("PATH", none, TRUE);
    g_autofree char *mpirun = run((Launch){.kind = LAUNCH_MPI}, JOBS);
    g_setenv("PATH", path, TRUE);
    g_assert_true(g_pattern_match_simple(
        "mpirun.openmpi, which starts *collsim-mpi, is not in PATH; allowed: another launcher by --launcher", mpirun));
    g_autofree char *wrong = run((Launch){.kind = LAUNCH_MPI, .launcher = "no-such-launcher {p}"}, JOBS);
    g_assert_true(strstr(wrong, "no-such-launcher") != NULL);
    g_autofree char *ranks = run((Launch){.kind = LAUNCH_MPI, .launcher = "srun -n 2"}, JOBS);
    g_assert_cmpstr(ranks, ==,
                    "--launcher 'srun -n 2' has no {p}, the number of ranks; allowed: as in \"srun -n {p}\"");
    box_free(&box);
}

// Programs that do not say which library they were built with, and the errors.
static void test_library(void)
{
    static const struct {
        const char *text, *error;
    } programs[] = {
        {"exit 1", "*/collsim-mpi cannot be run: it ended with status 1 without naming its MPI library; allowed: a "
                   "program that runs here, as make builds it"},
        {"echo no luck >&2; exit 3",
         "*: it ended with status 3 without naming its MPI library; its last output: no luck; *"},
        {"kill -9 $$", "*: it died of signal 9 without naming its MPI library; allowed: *"},
        {"", "*: it ended with status 0 without naming its MPI library; allowed: *"},
        {"echo", "*: it ended with status 0 without naming its MPI library; allowed: *"},
        {"echo Open MPI; exit 1", "*: it ended with status 1; allowed: *"},
        {"exec sleep 1000", "*: it gave no answer for * s without naming its MPI library; allowed: *"},
    };
    Box box;
    box_make(&box);
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
        g_autofree char *text = g_strconcat("#!/bin/sh\n", programs[i].text, "\n", NULL);
        write_script(&box, "collsim-mpi", text);
        g_autofree char *error = run_due((Launch){.kind = LAUNCH_MPI, .patience_s = 0.4}, JOBS, programs[i].error);
        g_assert_true(error && g_pattern_match_simple(programs[i].error, error));
    }
    box_free(&box);
}

// The words that place ranks on sockets come between the number of ranks and the program, as each mpirun spells them.
static void test_places(void)
{
    static const struct {
        gboolean is_open;
        LaunchPlace place;
        const char *due;
    } places[] = {
        {TRUE, PLACE_ANY, "*/mpirun.openmpi * -np 2 */collsim-mpi"},
        {TRUE, PLACE_NEAR, "*/mpirun.openmpi * -np 2 --map-by core --bind-to core */collsim-mpi"},
        {TRUE, PLACE_APART, "*/mpirun.openmpi * -np 2 --map-by socket --bind-to core */collsim-mpi"},
        {FALSE, PLACE_ANY, "*/mpirun.mpich -np 2 */collsim-mpich"},
        {FALSE, PLACE_NEAR, "*/mpirun.mpich -np 2 -map-by core -bind-to core */collsim-mpich"},
        {FALSE, PLACE_APART, "*/mpirun.mpich -np 2 -map-by socket -bind-to core */collsim-mpich"},
    };
    g_autofree char *path = g_strdup(g_getenv("PATH"));
    Box box;
    box_make(&box);
    g_autofree char *first = g_strconcat(box.folder, ":", path, NULL);
    g_setenv("PATH", first, TRUE);
    write_script(&box, "mpirun.mpich", FAKE_MPIRUN);
    write_script(&box, "collsim-mpi", "#!/bin/sh\necho Open MPI\n");
    write_script(&box, "collsim-mpich", "#!/bin/sh\necho MPICH Version: 4.0.2\n");
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        const Launch launch = {.kind = places[i].is_open ? LAUNCH_MPI : LAUNCH_MPICH,
                               .options = launch_place_words(places[i].is_open, places[i].place)};
        g_autofree char *command = launch_command(&launch, 2, NULL);
        g_assert_nonnull(command);
        g_assert_true(g_pattern_match_simple(places[i].due, command));
    }
    g_setenv("PATH", path, TRUE);
    box_free(&box);
}

// An mpirun that is found in PATH and hangs, and a collsim whose caller ignores the ends of child processes.
static void test_mpirun(void)
{
    g_autofree char *path = g_strdup(g_getenv("PATH"));
    Box box;
    box_make(&box);
    g_autofree char *first = g_strconcat(box.folder, ":", path, NULL);
    g_setenv("PATH", first, TRUE);
    write_script(&box, "collsim-mpi", "#!/bin/sh\n[ \"$1\" = --library ] && echo Open MPI || echo '" ANSWER("0") "'\n");
    signal(SIGCHLD, SIG_IGN);
    g_autofree char *none = run((Launch){.kind = LAUNCH_MPI}, 1);
    signal(SIGCHLD, SIG_DFL);
    g_assert_null(none);
    write_script(&box, "mpirun.openmpi", "#!/bin/sh\nexec sleep 1000\n");
    static const char due[] = "collsim-mpi on 2 ranks gave no answer for * s in " JOB_0;
    g_autofree char *error = run_due((Launch){.kind = LAUNCH_MPI, .patience_s = 0.4}, 1, due);
    g_setenv("PATH", path, TRUE);
    g_assert_true(error && g_pattern_match_simple(due, error));
    box_free(&box);
}

// ---- The library's own algorithms -----------------------------------------------------------------------------------

// Returns the words for one forced algorithm as a line, or the error; `params` is PARAM=NUMBER or NULL. Free with
// g_free.
static char *forced_line(Collective collective, gboolean open_mpi, gboolean monitored, const char *text,
                         const char *params)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) found = forced_find(collective, open_mpi, text, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(found->len, ==, 1);
    const Forced *forced = g_ptr_array_index(found, 0);
    CollParams par = algorithm_defaults(forced->base);
    const char *value = params ? strchr(params, '=') : NULL;
    for (int i = 0; value && i < algorithm_n_params(forced->base); i++)
        if (strncmp(forced->base->params[i].name, params, (size_t)(value - params)) == 0)
            param_set(&forced->base->params[i], &par, g_ascii_strtoll(value + 1, NULL, 10));
    g_auto(GStrv) words = forced_words(forced, open_mpi, monitored, &par, &error);
    return words ? g_strjoinv(" ", words) : g_strdup(error->message);
}

// The exact words with which a library is made to use an algorithm.
static void test_forced(void)
{
#define TUNED "OMPI_MCA_coll_tuned_"
#define RULES "env " TUNED "use_dynamic_rules=1 " TUNED
    static const struct {
        Collective collective;
        gboolean open_mpi, monitored;
        const char *text, *params, *words;
    } forced[] = {
        {COLL_REDUCE, TRUE, FALSE, "chain", NULL,
         RULES "reduce_algorithm=2 " TUNED "reduce_algorithm_segmentsize=0 " TUNED
               "reduce_algorithm_chain_fanout=4 " TUNED "reduce_algorithm_max_requests=0"},
        {COLL_REDUCE, TRUE, FALSE, "2", "chains=3",
         RULES "reduce_algorithm=2 " TUNED "reduce_algorithm_segmentsize=0 " TUNED
               "reduce_algorithm_chain_fanout=3 " TUNED "reduce_algorithm_max_requests=0"},
        {COLL_BCAST, TRUE, TRUE, "chain", "chains=8",
         RULES "bcast_algorithm=2 OMPI_MCA_pml_monitoring_enable=1 " TUNED "bcast_algorithm_segmentsize=0 " TUNED
               "bcast_algorithm_chain_fanout=8"},
        {COLL_BCAST, TRUE, FALSE, "ompi:7", "radix=3",
         RULES "bcast_algorithm=7 " TUNED "bcast_algorithm_segmentsize=0 " TUNED "bcast_algorithm_knomial_radix=3"},
        {COLL_ALLTOALL, TRUE, FALSE, "linear_sync", "max_requests=5",
         RULES "alltoall_algorithm=4 " TUNED "alltoall_algorithm_max_requests=5"},
        {COLL_ALLREDUCE, TRUE, FALSE, "reduce_bcast", NULL,
         RULES "allreduce_algorithm=2 " TUNED "reduce_algorithm=5 " TUNED "bcast_algorithm=6"},
        {COLL_ALLREDUCE, FALSE, TRUE, "mpich:recursive_doubling", NULL,
         "env MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling"},
        {COLL_ALLTOALL, TRUE, FALSE, "3", "radix=3",
         "--param radix=3: Open MPI has no setting for it; allowed: the default"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(forced); i++) {
        g_autofree char *words = forced_line(forced[i].collective, forced[i].open_mpi, forced[i].monitored,
                                             forced[i].text, forced[i].params);
        g_test_message("%s", words);
        g_assert_cmpstr(words, ==, forced[i].words);
    }
}

// ---- Real ranks ----------------------------------------------------------------------------------------------------

typedef struct Stop {
    const char *program;
    int signal;
} Stop;

static void send_signal(int done, int total, void *user)
{
    const Stop *stop = user;
    (void)total;
    if (done == 1)
        g_assert_cmpint(find_processes(stop->program, stop->signal), >=, RANKS);
}

// Runs many jobs, sends the signal to a rank after the first answer, and returns the error of the run (free with
// g_free), or NULL if the backend is not built. The backend is started through a link whose path is unique, so that its
// processes can be found.
static char *run_and_send(LaunchKind kind, int signal)
{
    enum { MANY = 30000 };
    Box box;
    box_make(&box);
    g_autofree char *real = g_build_filename(box.built, launch_programs[kind], NULL),
                    *link = g_build_filename(box.folder, launch_programs[kind], NULL), *error = NULL;
    if (!g_file_test(real, G_FILE_TEST_EXISTS))
        g_test_skip("the backend is not built");
    else {
        g_autofree char *absolute = g_canonicalize_filename(real, NULL);
        Stop stop = {link, signal};
        g_assert_cmpint(symlink(absolute, link), ==, 0);
        error = run(
            (Launch){.kind = kind, .patience_s = signal == SIGKILL ? 30 : 5, .progress = send_signal, .user = &stop},
            MANY);
        g_assert_nonnull(error);
    }
    box_free(&box); // fails if a process is left
    return g_steal_pointer(&error);
}

static void test_killed_rank(const void *kind)
{
    g_autofree char *error = run_and_send((LaunchKind)GPOINTER_TO_INT(kind), SIGKILL);
    if (!error)
        return;
    g_assert_nonnull(strstr(error, " on 2 ranks ended with status "));
    g_assert_nonnull(strstr(error, job_0));
    g_assert_nonnull(strstr(error, "its last output: "));
}

static void test_stopped_rank(const void *kind)
{
    g_autofree char *error = run_and_send((LaunchKind)GPOINTER_TO_INT(kind), SIGSTOP);
    if (error)
        g_assert_nonnull(strstr(error, " on 2 ranks gave no answer for 5 s in "));
}

static void add_tests(void)
{
    static const char *const names[] = {"open-mpi", "mpich"};
    for (size_t i = 0; i < G_N_ELEMENTS(fakes); i++) {
        g_autofree char *path = g_strdup_printf("/launch/fake/%s", fakes[i].name);
        g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_fake);
    }
    g_test_add_func("/launch/missing", test_missing);
    g_test_add_func("/launch/library", test_library);
    g_test_add_func("/launch/mpirun", test_mpirun);
    g_test_add_func("/launch/forced", test_forced);
    g_test_add_func("/launch/places", test_places);
#ifdef __SANITIZE_ADDRESS__
    return; // mpirun does not always notice that a sanitized rank was killed; the launcher is the same
#endif
    for (int kind = LAUNCH_MPI; kind <= LAUNCH_MPICH; kind++) {
        g_autofree char *killed = g_strdup_printf("/launch/%s/killed rank", names[kind]),
                        *stopped = g_strdup_printf("/launch/%s/stopped rank", names[kind]);
        g_test_add_data_func(killed, GINT_TO_POINTER(kind), test_killed_rank);
        g_test_add_data_func(stopped, GINT_TO_POINTER(kind), test_stopped_rank);
    }
}

int main(int argc, char **argv)
{
    g_autofree char *built = g_path_get_dirname(g_getenv("COLLSIM") ? g_getenv("COLLSIM") : "build/collsim");
    char tmp[] = "/tmp/test-launch-XXXXXX";
    g_setenv("TMPDIR", g_mkdtemp(tmp), TRUE); // a folder without the files of others
    g_setenv("COLLSIM_BACKENDS", built, FALSE);
    const int status = tap_run(argc, argv, add_tests);
    g_rmdir(tmp);
    return status;
}
