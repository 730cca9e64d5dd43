#include "launch/launch.h"
#include "base/cleanup.h"
#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- The child -----------------------------------------------------------------------------------------------------

typedef struct Child Child;

// The standard output or standard error of a child.
typedef struct Stream {
    Child *child;
    GString *line; // the beginning of a line whose end is not read yet
} Stream;

// A backend that runs.
struct Child {
    const Launch *launch;
    const JobPlan *plan;
    const Job *job;
    int n, answered;
    JobResult *result;
    GPid pid;
    int status;
    gboolean ended;
    GString *others;    // the end of its output other than answers
    guint open;         // how many of its stdout and stderr are not read to the end
    double patience_s;  // how long it may stay silent
    gint64 last_us;     // the time of its last answer
    const char *killed; // why we killed it; NULL if we did not
    gint64 killed_us;   // the time when we did
    int signal;         // a signal that collsim got meanwhile; 0 if there was none
    GError *error;
};

// Puts the child into a process group of its own, so that we can kill it with all its ranks, and ends it if collsim
// dies.
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
                bad_input(&c->error, "'%.60s' is not a result; allowed: the result of job %d", line, c->answered);
                return;
            }
            c->result[c->answered++] = result;
            c->last_us = g_get_monotonic_time();
            if (c->launch->progress)
                c->launch->progress(c->answered, c->n, c->launch->user);
        }
        return;
    }
    if (strspn(line, "-= ") == strlen(line)) // launchers draw frames around their messages
        return;
    if (c->launch->kind == LAUNCH_SMPI && (strstr(line, " --cfg=") || g_str_has_prefix(line, "Execution failed")))
        return; // after a failure smpirun prints its command line
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

// Asks the child to end. mpirun ends its ranks only then, and not when it is killed, so we kill the group only if some
// of it still runs a few seconds after the request.
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

static gboolean take_hangup(gpointer user)
{
    return take_signal(user, SIGHUP);
}

static void watch(GMainContext *context, GSource *source, GSourceFunc function, gpointer user)
{
    g_source_set_callback(source, function, user, NULL);
    g_source_attach(source, context);
    g_source_unref(source);
}

// Reads the child's output until it has ended and its output is complete. A process that the child leaves behind may
// keep the pipes open, so we wait for the end of the output only a few seconds more.
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
    static const struct {
        int number;
        GSourceFunc take;
    } signals[] = {{SIGINT, take_interrupt}, {SIGTERM, take_term}, {SIGHUP, take_hangup}};
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        if (cleanup_wants(signals[i].number)) // under nohup, HUP stays ignored
            watch(context, g_unix_signal_source_new(signals[i].number), signals[i].take, c);
    const gint64 end_us = (gint64)LAST_LOOKS * LOOK_MS * 1000;
    for (gint64 ended_us = 0; !c->ended || (c->open && g_get_monotonic_time() - ended_us < end_us);) {
        g_main_context_iteration(context, TRUE);
        ended_us = c->ended && !ended_us ? g_get_monotonic_time() : ended_us;
    }
    kill(-c->pid, SIGKILL); // ends the processes that the child has left behind
    g_main_context_unref(context);
    cleanup_guard(); // GLib has set the signals back to their default
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

// Returns the end of the child's output as one line, for an error; free with g_free.
static char *last_words(const Child *c)
{
    enum { SHOWN = 700 };
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
                     where ? " in " : " after its last job", where ? where : "", *words ? "; its last output: " : "",
                     words);
}

static char *plan_of_jobs(const JobPlan *plan, const Job *job, int n)
{
    GString *text = g_string_new(NULL);
    g_autofree char *head = job_plan_text(plan);
    g_string_append_printf(text, "%s\n", head);
    for (int i = 0; i < n; i++) {
        g_autofree char *line = job_text(&job[i], plan->p);
        g_string_append_printf(text, "%s\n", line);
    }
    g_string_append(text, "end\n");
    return g_string_free(text, FALSE);
}

static gboolean write_files(LaunchFiles *files, const Launch *launch, const JobPlan *plan, const Job *job, int n,
                            GError **error)
{
    g_autofree char *jobs = plan_of_jobs(plan, job, n);
    if (!scratch_open(&files->scratch, error) || !scratch_write(&files->scratch, "plan", jobs, &files->plan, error))
        return FALSE;
    if (launch->kind != LAUNCH_SMPI)
        return TRUE;
    SimgridMachine machine = *launch->machine;
    machine.p = plan->p;
    g_autofree char *xml = simgrid_xml(&machine, error), *hosts = xml ? simgrid_hostfile(&machine) : NULL;
    return xml && scratch_write(&files->scratch, "platform.xml", xml, &files->platform, error) &&
           scratch_write(&files->scratch, "hosts", hosts, &files->hosts, error);
}

static void remove_files(LaunchFiles *files)
{
    scratch_clear(&files->scratch);
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

static gboolean run_files(const LaunchFiles *files, Child *c, GError **error)
{
    // SMPI's ranks read the plan from a file. So do those of mpirun, because its standard input is not reliable:
    // MPICH's mpirun loses what a rank does not read at once, and Open MPI's sometimes dies. Any other launcher may
    // start rank 0 on a machine that does not have the file, so it gets the plan through its standard input.
    const gboolean by_file = c->launch->kind == LAUNCH_SMPI || !c->launch->launcher;
    g_autoptr(GPtrArray) argv = launch_argv(c->launch, c->plan->p, files, error);
    if (!argv)
        return FALSE;
    g_ptr_array_add(argv, g_strdup(by_file ? files->plan : "-"));
    g_ptr_array_add(argv, NULL);
    g_assert(files->plan);
    const int in = open(by_file ? "/dev/null" : files->plan, O_RDONLY | O_CLOEXEC);
    const gboolean good =
        in >= 0 ? run_child(c, (char **)argv->pdata, in, error)
                : bad_input(error, "%s was removed while collsim ran; allowed: a TMPDIR that keeps files", files->plan);
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
    LaunchFiles files = {0};
    memset(result, 0, (size_t)n * sizeof *result);
    const gboolean good = write_files(&files, launch, plan, job, n, error) && run_files(&files, &c, error);
    remove_files(&files);
    if (c.signal)
        raise(c.signal);
    return good;
}
