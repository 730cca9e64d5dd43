#include "launch.h"
#include "error.h"
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const launch_programs[] = {"collsim-mpi", "collsim-mpich", "collsim-smpi"};
static const char *const needed[] = {"openmpi-bin libopenmpi-dev", "mpich libmpich-dev", "simgrid libsimgrid-dev"};

// ---- The command line ----------------------------------------------------------------------------------------------

char *launch_find(LaunchKind kind, GError **error)
{
    const char *const folder = g_getenv("COLLSIM_BACKENDS");
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *beside = g_path_get_dirname(self ? self : ".");
    g_autofree char *path = g_build_filename(folder ? folder : beside, launch_programs[kind], NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer(&path);
    bad_input(error, "%s is missing in %s; install %s, then make", launch_programs[kind], folder ? folder : beside,
              needed[kind]);
    return NULL;
}

// The first line of what it says without being launched; NULL and bad input.
static char *ask_library(const char *program, GError **error)
{
    char *argv[] = {(char *)(uintptr_t)program, "--library", NULL};
    char *said = NULL;
    int status;
    if (g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &said, NULL, &status, NULL) &&
        status == 0) {
        said[strcspn(said, "\n")] = '\0';
        return said;
    }
    g_free(said);
    bad_input(error, "%s cannot be run; build it again with make", program);
    return NULL;
}

static const char open_mpi[] = "Open MPI", mpich[] = "MPICH";

char *launch_library(LaunchKind kind, GError **error)
{
    g_autofree char *program = launch_find(kind, error);
    g_autofree char *said = program ? ask_library(program, error) : NULL;
    if (!said)
        return NULL;
    // "Open MPI v4.1.4, package: ..", "MPICH Version:\t4.0.2"
    const char *name = g_str_has_prefix(said, open_mpi) ? open_mpi : g_str_has_prefix(said, mpich) ? mpich : NULL;
    const char *version = strpbrk(said, "0123456789");
    return name && version ? g_strdup_printf("%s %.*s", name, (int)strspn(version, "0123456789."), version)
                           : g_strdelimit(g_steal_pointer(&said), ",\"", ' ');
}

static char *find_launcher(const char *const *names, const char *program, GError **error)
{
    for (const char *const *name = names; *name; name++) {
        char *path = g_find_program_in_path(*name);
        if (path)
            return path;
    }
    bad_input(error, "%s is not in PATH, which starts %s; allowed: another one by --launcher", names[0], program);
    return NULL;
}

static gboolean add_words(GPtrArray *argv, const char *words, int p, GError **error)
{
    g_auto(GStrv) word = NULL;
    g_autoptr(GError) why = NULL;
    g_autofree char *ranks = g_strdup_printf("%d", p);
    if (!g_shell_parse_argv(words, NULL, &word, &why))
        return bad_input(error, "--launcher '%s': %s", words, why->message);
    gboolean told = FALSE;
    for (char **w = word; *w; w++) {
        g_auto(GStrv) part = g_strsplit(*w, "{p}", -1);
        told |= part[0] && part[1];
        g_ptr_array_add(argv, g_strjoinv(ranks, part));
    }
    return told ||
           bad_input(error, "--launcher '%s' has no {p}, the number of ranks; allowed: as \"srun -n {p}\"", words);
}

static gboolean add_mpirun(GPtrArray *argv, const char *program, int p, gboolean *by_file, GError **error)
{
    static const char *const of_open_mpi[] = {"mpirun.openmpi", "mpirun", NULL};
    static const char *const of_mpich[] = {"mpirun.mpich", "mpiexec.hydra", "mpirun", NULL};
    g_autofree char *said = ask_library(program, error);
    if (!said)
        return FALSE;
    const gboolean is_open = g_str_has_prefix(said, open_mpi);
    char *launcher = find_launcher(is_open ? of_open_mpi : of_mpich, program, error);
    if (!launcher)
        return FALSE;
    *by_file = !is_open;
    g_ptr_array_add(argv, launcher);
    if (is_open && geteuid() == 0)
        g_ptr_array_add(argv, g_strdup("--allow-run-as-root"));
    if (is_open)
        g_ptr_array_add(argv, g_strdup("--oversubscribe"));
    g_ptr_array_add(argv, g_strdup("-np"));
    g_ptr_array_add(argv, g_strdup_printf("%d", p));
    return TRUE;
}

// The files that a run needs, in a folder of their own.
typedef struct Files {
    char *folder, *plan, *platform, *hosts;
} Files;

static void add_smpirun(GPtrArray *argv, const Launch *launch, const char *program, int p, const Files *files)
{
    SimgridMachine machine = *launch->machine;
    machine.p = p;
    g_autoptr(GPtrArray) rest = g_ptr_array_new();
    g_ptr_array_add(rest, (gpointer)(uintptr_t) "--cfg=smpi/reduce:binomial"); // for what is told to rank 0
    for (const char *const *option = launch->options; option && *option; option++)
        g_ptr_array_add(rest, (gpointer)(uintptr_t)*option);
    g_ptr_array_add(rest, (gpointer)(uintptr_t)program);
    g_ptr_array_add(rest, NULL);
    g_autofree char **words =
        simgrid_command(&machine, files->platform, files->hosts, (const char *const *)(void *)rest->pdata);
    for (char **word = words; *word; word++)
        g_ptr_array_add(argv, *word);
}

// Up to the plan; NULL and why not. by_file: the plan is to be a file's name, not the standard input. SMPI's ranks read it
// themselves, and MPICH's launcher loses what a rank does not read at once.
static GPtrArray *make_argv(const Launch *launch, int p, const Files *files, gboolean *by_file, GError **error)
{
    static const char *const smpirun[] = {"smpirun", NULL};
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *program = launch_find(launch->kind, error);
    if (!program)
        return NULL;
    if (launch->kind == LAUNCH_SMPI) {
        g_autofree char *there = find_launcher(smpirun, program, error);
        if (!there)
            return NULL;
        add_smpirun(argv, launch, program, p, files);
        *by_file = TRUE;
        return g_steal_pointer(&argv);
    }
    if (!(launch->launcher ? add_words(argv, launch->launcher, p, error)
                           : add_mpirun(argv, program, p, by_file, error)))
        return NULL;
    for (const char *const *option = launch->options; option && *option; option++)
        g_ptr_array_add(argv, g_strdup(*option));
    g_ptr_array_add(argv, g_steal_pointer(&program));
    return g_steal_pointer(&argv);
}

char *launch_command(const Launch *launch, int p, GError **error)
{
    const Files shown = {.platform = (char[]){"PLATFORM.xml"}, .hosts = (char[]){"HOSTS"}};
    gboolean by_file = FALSE;
    g_autoptr(GPtrArray) argv = make_argv(launch, p, &shown, &by_file, error);
    if (!argv)
        return NULL;
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < argv->len; i++) {
        const char *word = g_ptr_array_index(argv, i);
        const gboolean plain =
            strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:%@") == strlen(word);
        g_autofree char *quoted = plain ? g_strdup(word) : g_shell_quote(word);
        g_string_append_printf(s, "%s%s", i ? " " : "", quoted);
    }
    return g_string_free(s, FALSE);
}

// ---- The child -----------------------------------------------------------------------------------------------------

typedef struct Child Child;
typedef struct Stream {
    Child *child;
    GString *line; // under way
} Stream;

struct Child {
    const Launch *launch;
    const JobPlan *plan;
    const Job *job;
    int n, answered;
    JobResult *result;
    GPid pid;
    int status;
    gboolean ended;
    GString *others; // the end of what else was said
    guint open;      // of its stdout and stderr
    double patience_s;
    gint64 last_us;     // when it answered last
    const char *killed; // why; NULL: it was not
    gint64 killed_us;
    int signal; // that we were sent ourselves
    GError *error;
};

// In a group of its own, so that all of it can be killed; and it does not outlive us.
static void set_up(gpointer user)
{
    (void)user;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void take_line(Child *c, const char *line)
{
    int number;
    JobResult result;
    enum { KEPT = 2000 };
    if (*line == '@' && c->answered < c->n) {
        if (!c->error && job_result_parse(line, &number, &result, &c->error)) {
            if (number != c->answered) {
                job_result_clear(&result);
                bad_input(&c->error, "'%.60s' is no result; allowed: that of job %d", line, c->answered);
                return;
            }
            c->result[c->answered++] = result;
            c->last_us = g_get_monotonic_time();
            if (c->launch->progress)
                c->launch->progress(c->answered, c->n, c->launch->user);
        }
        return;
    }
    if (strspn(line, "-= ") == strlen(line)) // frames around messages
        return;
    g_string_append_printf(c->others, "%s%s", c->others->len ? "\n" : "", line);
    if (c->others->len > KEPT)
        g_string_erase(c->others, 0, (gssize)c->others->len - KEPT);
}

static gboolean read_some(gint fd, GIOCondition condition, gpointer user)
{
    Stream *stream = user;
    GString *line = stream->line;
    char piece[4096];
    (void)condition;
    const ssize_t n = read(fd, piece, sizeof piece);
    for (ssize_t i = 0; i < n; i++)
        if (piece[i] == '\n') {
            take_line(stream->child, line->str);
            g_string_truncate(line, 0);
        } else
            g_string_append_c(line, piece[i]);
    if (n > 0 || (n < 0 && errno == EINTR))
        return G_SOURCE_CONTINUE;
    take_line(stream->child, line->str);
    g_string_truncate(line, 0);
    stream->child->open--;
    return G_SOURCE_REMOVE;
}

static void end_child(GPid pid, gint status, gpointer user)
{
    Child *c = user;
    c->status = status;
    c->ended = TRUE;
    g_spawn_close_pid(pid);
}

// mpirun ends its ranks when it is asked to end, and only then; who does not heed that is killed.
static void kill_child(Child *c, const char *why)
{
    enum { GRACE_S = 3 };
    const gint64 now_us = g_get_monotonic_time();
    if (!c->killed) {
        c->killed = why;
        c->killed_us = now_us;
        kill(-c->pid, SIGTERM);
    } else if (now_us - c->killed_us > GRACE_S * G_USEC_PER_SEC)
        kill(-c->pid, SIGKILL);
}

static gboolean look_at_clock(gpointer user)
{
    Child *c = user;
    if (!c->ended && (c->killed || (double)(g_get_monotonic_time() - c->last_us) * 1e-6 > c->patience_s))
        kill_child(c, "gave no answer");
    return G_SOURCE_CONTINUE;
}

static gboolean take_signal(Child *c, int signal)
{
    c->signal = signal;
    kill_child(c, "was interrupted");
    return G_SOURCE_CONTINUE;
}

static gboolean take_interrupt(gpointer user)
{
    return take_signal(user, SIGINT);
}

static gboolean take_term(gpointer user)
{
    return take_signal(user, SIGTERM);
}

static void watch(GMainContext *context, GSource *source, GSourceFunc function, gpointer user)
{
    g_source_set_callback(source, function, user, NULL);
    g_source_attach(source, context);
    g_source_unref(source);
}

// Until it has ended and its output is read to the end, or to the end of patience: what it started may keep the pipes.
static void attend(Child *c, Stream stream[2], const int fd[2])
{
    enum { LOOK_MS = 200, LAST_LOOKS = 10 };
    GMainContext *context = g_main_context_new();
    c->open = 2;
    c->last_us = g_get_monotonic_time();
    for (int i = 0; i < 2; i++)
        watch(context, g_unix_fd_source_new(fd[i], G_IO_IN | G_IO_HUP | G_IO_ERR), G_SOURCE_FUNC(read_some),
              &stream[i]);
    watch(context, g_child_watch_source_new(c->pid), G_SOURCE_FUNC(end_child), c);
    watch(context, g_timeout_source_new(LOOK_MS), look_at_clock, c);
    watch(context, g_unix_signal_source_new(SIGINT), take_interrupt, c);
    watch(context, g_unix_signal_source_new(SIGTERM), take_term, c);
    const gint64 end_us = (gint64)LAST_LOOKS * LOOK_MS * 1000;
    for (gint64 ended_us = 0; !c->ended || (c->open && g_get_monotonic_time() - ended_us < end_us);) {
        g_main_context_iteration(context, TRUE);
        ended_us = c->ended && !ended_us ? g_get_monotonic_time() : ended_us;
    }
    kill(-c->pid, SIGKILL); // whoever is left of it
    g_main_context_unref(context);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

// One line of what it said, its last words.
static char *last_words(const Child *c)
{
    enum { SHOWN = 300 };
    const char *text = c->others->str;
    const size_t len = strlen(text);
    const char *last = len > SHOWN ? text + len - SHOWN : text, *cut = len > SHOWN ? strpbrk(last, " \n") : NULL;
    char *words = g_strdelimit(g_strdup(cut ? cut : last), "\n\t", ' ');
    return g_strstrip(words);
}

static gboolean judge(Child *c, GError **error)
{
    const char *program = launch_programs[c->launch->kind];
    if (c->error) {
        g_propagate_error(error, g_steal_pointer(&c->error));
        return FALSE;
    }
    if (c->answered == c->n && !c->killed && WIFEXITED(c->status) && WEXITSTATUS(c->status) == 0)
        return TRUE;
    g_autofree char *words = last_words(c);
    g_autofree char *what = c->killed                ? g_strdup_printf("%s for %.0f s", c->killed, c->patience_s)
                            : WIFSIGNALED(c->status) ? g_strdup_printf("died of signal %d", WTERMSIG(c->status))
                                                     : g_strdup_printf("ended with status %d", WEXITSTATUS(c->status));
    g_autofree char *where = NULL;
    if (c->answered < c->n) {
        g_autofree char *job = job_text(&c->job[c->answered], c->plan->p);
        where = g_strdup_printf("'%.100s'", job);
    }
    return bad_input(error, "%s on %d ranks %s%s%s%s%s", program, c->plan->p, c->signal ? "was interrupted" : what,
                     where ? " in " : " after all was done", where ? where : "", *words ? "; its last output: " : "",
                     words);
}

static char *plan_of_jobs(const JobPlan *plan, const Job *job, int n)
{
    GString *text = g_string_new(NULL);
    g_autofree char *head = plan_text(plan);
    g_string_append_printf(text, "%s\n", head);
    for (int i = 0; i < n; i++) {
        g_autofree char *line = job_text(&job[i], plan->p);
        g_string_append_printf(text, "%s\n", line);
    }
    g_string_append(text, "end\n");
    return g_string_free(text, FALSE);
}

static gboolean write_file(const char *folder, const char *name, char *text, char **path, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autofree char *content = text;
    *path = g_build_filename(folder, name, NULL);
    return g_file_set_contents(*path, content, -1, &why) || bad_input(error, "%s", why->message);
}

static gboolean write_files(Files *files, const Launch *launch, const JobPlan *plan, const Job *job, int n,
                            GError **error)
{
    g_autoptr(GError) why = NULL;
    if (!(files->folder = g_dir_make_tmp("collsim-XXXXXX", &why)))
        return bad_input(error, "no folder for a plan: %s", why->message);
    if (!write_file(files->folder, "plan", plan_of_jobs(plan, job, n), &files->plan, error))
        return FALSE;
    if (launch->kind != LAUNCH_SMPI)
        return TRUE;
    SimgridMachine machine = *launch->machine;
    machine.p = plan->p;
    char *xml = simgrid_xml(&machine, error);
    return xml && write_file(files->folder, "platform.xml", xml, &files->platform, error) &&
           write_file(files->folder, "hosts", simgrid_hostfile(&machine), &files->hosts, error);
}

// With all that the run left there.
static void remove_files(Files *files)
{
    GDir *folder = files->folder ? g_dir_open(files->folder, 0, NULL) : NULL;
    for (const char *name; folder && (name = g_dir_read_name(folder));) {
        g_autofree char *path = g_build_filename(files->folder, name, NULL);
        unlink(path);
    }
    if (folder)
        g_dir_close(folder);
    if (files->folder)
        rmdir(files->folder);
    g_free(files->folder);
    g_free(files->plan);
    g_free(files->platform);
    g_free(files->hosts);
}

static gboolean run_child(Child *c, char **argv, int in, GError **error)
{
    int fd[2];
    g_autoptr(GError) why = NULL;
    if (!g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)argv, NULL,
                                          G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, set_up, NULL, in, -1, -1,
                                          NULL, NULL, 0, &c->pid, NULL, &fd[0], &fd[1], &why))
        return bad_input(error, "%s: %s", argv[0], why->message);
    Stream stream[2] = {{c, g_string_new(NULL)}, {c, g_string_new(NULL)}};
    c->others = g_string_new(NULL);
    attend(c, stream, fd);
    const gboolean good = judge(c, error);
    for (int i = 0; i < 2; i++) {
        close(fd[i]);
        g_string_free(stream[i].line, TRUE);
    }
    g_string_free(c->others, TRUE);
    g_clear_error(&c->error);
    return good;
}

static gboolean run_files(const Files *files, Child *c, GError **error)
{
    gboolean by_file = FALSE;
    g_autoptr(GPtrArray) argv = make_argv(c->launch, c->plan->p, files, &by_file, error);
    if (!argv)
        return FALSE;
    g_ptr_array_add(argv, g_strdup(by_file ? files->plan : "-"));
    g_ptr_array_add(argv, NULL);
    g_assert(files->plan);
    const int in = open(by_file ? "/dev/null" : files->plan, O_RDONLY | O_CLOEXEC);
    const gboolean good =
        in >= 0 ? run_child(c, (char **)argv->pdata, in, error) : bad_input(error, "%s is gone", files->plan);
    if (in >= 0)
        close(in);
    return good;
}

gboolean launch_run(const Launch *launch, const JobPlan *plan, const Job *job, int n, JobResult *result, GError **error)
{
    Child c = {.launch = launch,
               .plan = plan,
               .job = job,
               .n = n,
               .result = result,
               .patience_s = launch->patience_s > 0 ? launch->patience_s : PATIENCE_S + plan->budget_s};
    Files files = {0};
    memset(result, 0, (size_t)n * sizeof *result);
    const gboolean good = write_files(&files, launch, plan, job, n, error) && run_files(&files, &c, error);
    remove_files(&files);
    if (c.signal)
        raise(c.signal);
    return good;
}
