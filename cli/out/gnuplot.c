#define _GNU_SOURCE // memfd_create
#include "out/gnuplot.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/share.h"
#include "base/units.h"
#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// File descriptors of the data and the picture in the child process.
enum { DATA_FD = 3, OUT_FD = 4 };

// Anonymous files in memory; -1 if not open.
typedef struct {
    int data; // the points, which the script reads
    int out;  // the picture
    int log;  // what gnuplot writes to stderr
} GnuplotFiles;

// Sets the error for data or a picture that the memory cannot hold. A limit on the size of files holds for anonymous
// memory too.
static gboolean cannot_hold(int why, GError **error)
{
    return bad_input(error, "the picture cannot be written: %s%s", g_strerror(why),
                     why == EFBIG ? "; allowed: a higher limit on the size of files (ulimit -f)" : "");
}

static gboolean files_open(GnuplotFiles *memory, const GString *data, GError **error)
{
    memory->data = memfd_create("collsim-data", MFD_CLOEXEC);
    memory->out = memfd_create("collsim-picture", MFD_CLOEXEC);
    memory->log = memfd_create("collsim-log", MFD_CLOEXEC);
    if (memory->data < 0 || memory->out < 0 || memory->log < 0)
        return cannot_hold(errno, error);
    for (size_t done = 0; done < data->len;) {
        const ssize_t n = write(memory->data, data->str + done, data->len - done);
        if (n < 0 && errno != EINTR)
            return cannot_hold(errno, error);
        done += n > 0 ? (size_t)n : 0;
    }
    return TRUE;
}

static void files_close(GnuplotFiles *memory)
{
    const int fds[] = {memory->data, memory->out, memory->log};
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

// Returns the content of a file in memory, to be freed with g_string_free, or NULL if it is empty.
static GString *read_all(int fd)
{
    struct stat status;
    if (fstat(fd, &status) || !status.st_size)
        return NULL;
    GString *const text = g_string_sized_new((gsize)status.st_size);
    char piece[1 << 12];
    for (ssize_t n; (n = pread(fd, piece, sizeof piece, (off_t)text->len)) > 0;)
        g_string_append_len(text, piece, n);
    return text;
}

// Sets the error to the last line that gnuplot wrote.
static void fail_with_log(int log, GError **error)
{
    GString *const said = read_all(log);
    g_autofree char *text = said ? g_string_free(said, FALSE) : g_strdup("");
    g_strchomp(text);
    const char *const line = strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text;
    bad_input(error, "gnuplot failed: %s", *line ? line : "it drew nothing and gave no reason");
}

// Runs in the child process: gives it the parent's old signal mask, a process group of its own, so that it can be
// killed with all its children, and an end if collsim dies.
static void child_setup(gpointer old_mask)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGXFSZ, SIG_DFL); // gnuplot does not notice that a write fails
    sigprocmask(SIG_SETMASK, old_mask, NULL);
}

// Starts gnuplot with the files in memory. `mask` is the signal mask that the child gets.
static gboolean start(char **argv, const GnuplotFiles *memory, sigset_t *mask, GPid *pid, GError **error)
{
    const int from[] = {memory->data, memory->out}, to[] = {DATA_FD, OUT_FD};
    g_auto(GStrv) env = g_get_environ();
    env = g_environ_setenv(env, "LC_ALL", "C.UTF-8", TRUE); // numbers with a point, errors in English
    env = g_environ_setenv(env, "TZ", "UTC", TRUE);
    env = g_environ_setenv(env, "SOURCE_DATE_EPOCH", "0", TRUE); // cairo 1.16 ignores it: see picture.c
    g_autoptr(GError) failed = NULL;
    if (g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)argv, (const char *const *)env,
                                         G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                                         child_setup, mask, -1, -1, memory->log, from, to, G_N_ELEMENTS(from), pid,
                                         NULL, NULL, NULL, &failed))
        return TRUE;
    if (g_error_matches(failed, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
        return bad_input(error, "gnuplot, which draws the picture, is not installed: apt-get install gnuplot-nox");
    return bad_input(error, "cannot run gnuplot: %s", failed->message);
}

// Sets *limit_s to how long gnuplot may take, in seconds: what COLLSIM_GNUPLOT_LIMIT says, or else 60.
static gboolean find_limit(double *limit_s, GError **error)
{
    const char *const given = g_getenv("COLLSIM_GNUPLOT_LIMIT");
    *limit_s = 60;
    if (!given || (units_parse_time(given, limit_s, NULL) && *limit_s > 0))
        return TRUE;
    g_autofree char *quoted = error_quote(given);
    return bad_input(error, "COLLSIM_GNUPLOT_LIMIT=%s; allowed: a time above 0, such as 60s", quoted);
}

// Waits until the child has ended and sets its wait status. The signals in `held` are blocked. Returns 0 if the child
// ended by itself. If one of `held` arrives or the time is up, it kills the child's process group and returns the
// signal, or SIGALRM.
static int wait_for(GPid pid, double limit_s, const sigset_t *held, int *status)
{
    enum { LOOK_NS = 20000000 }; // another thread may have taken the SIGCHLD of this child
    const struct timespec look = {.tv_nsec = LOOK_NS};
    const gint64 start_us = g_get_monotonic_time();
    int stop = 0;
    while (!stop && waitpid(pid, status, WNOHANG) == 0) {
        const int number = sigtimedwait(held, NULL, &look);
        if (number > 0 && number != SIGCHLD)
            stop = number;
        else if ((double)(g_get_monotonic_time() - start_us) * 1e-6 > limit_s)
            stop = SIGALRM;
    }
    kill(-pid, SIGKILL); // also what gnuplot has left behind
    while (stop && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return stop;
}

// Runs gnuplot to its end. If a signal asks the program to stop meanwhile, gnuplot is killed, and the signal takes
// effect. Returns FALSE and an error if gnuplot failed or took too long.
static gboolean run(char **argv, const GnuplotFiles *memory, GError **error)
{
    sigset_t held, old_mask;
    double limit_s;
    if (!find_limit(&limit_s, error))
        return FALSE;
    cleanup_stops(&held);
    sigaddset(&held, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &held, &old_mask);
    GPid pid = 0;
    int status = -1;
    const gboolean started = start(argv, memory, &old_mask, &pid, error);
    const int stop = started ? wait_for(pid, limit_s, &held, &status) : 0;
    if (stop && stop != SIGALRM)
        raise(stop); // it is blocked until the next line
    pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
    if (!started)
        return FALSE;
    if (stop == SIGALRM)
        return bad_input(error, "gnuplot drew for %g s and was ended; allowed: less, or a larger COLLSIM_GNUPLOT_LIMIT",
                         limit_s);
    if (!stop && WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
        return cannot_hold(EFBIG, error);
    if (stop || WIFSIGNALED(status))
        return bad_input(error, "gnuplot was interrupted");
    if (WEXITSTATUS(status))
        fail_with_log(memory->log, error);
    return WEXITSTATUS(status) == 0;
}

GString *gnuplot_draw(const char *setup, const GString *data, GError **error)
{
    g_autofree char *path = share_path(SHARE_PLOTS, "canvas.gp");
    if (!share_check(SHARE_PLOTS, path, error))
        return NULL;
    g_autofree char *files = g_strdup_printf("data = '/dev/fd/%d'; out = '/dev/fd/%d'", DATA_FD, OUT_FD);
    g_autofree char *statements = g_strdup(setup);
    char *argv[] = {"gnuplot", "-d", "-e", files, "-e", statements, path, NULL}; // -d: do not read ~/.gnuplot
    GnuplotFiles memory = {-1, -1, -1};
    GString *picture = NULL;
    if (files_open(&memory, data, error) && run(argv, &memory, error)) {
        picture = read_all(memory.out);
        if (!picture)
            fail_with_log(memory.log, error);
    }
    files_close(&memory);
    return picture;
}

void gnuplot_number(GString *setup, const char *name, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(setup, "%s = %s + 0.0; ", name, g_ascii_dtostr(buffer, sizeof buffer, value));
}
