#include "run/launch/child.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/output.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- Its output ----------------------------------------------------------------------------------------------------

// The standard output or standard error of a child.
typedef struct Stream {
    int fd;        // -1 after its end
    GString *line; // the beginning of a line whose end is not read yet
} Stream;

// A child that runs.
typedef struct Running {
    Child *child;
    GPid pid;
    Stream stream[2]; // standard output and standard error
    gint64 last_us;   // the time of its last answer
    gint64 killed_us; // the time when we ended it
} Running;

static void end_child(Running *r, const char *why);

static void keep_line(Child *c, const char *line)
{
    enum { KEPT = 2000 };
    if (strspn(line, "-= ") == strlen(line)) // launchers draw frames around their messages
        return;
    g_string_append_printf(c->others, "%s%s", c->others->len ? "\n" : "", line);
    if (c->others->len > KEPT)
        g_string_erase(c->others, 0, (gssize)c->others->len - KEPT);
}

static void end_line(Running *r, const Stream *stream)
{
    Child *c = r->child;
    const ChildLine is = c->take(stream->line->str, stream == r->stream, c->user);
    if (is == CHILD_ANSWER)
        r->last_us = g_get_monotonic_time();
    else if (is == CHILD_BAD)
        end_child(r, "gave a bad answer");
    else if (is == CHILD_OTHER)
        keep_line(c, stream->line->str);
    g_string_truncate(stream->line, 0);
}

// Adds n bytes to the line, as much of it as is kept.
static void add_bytes(GString *line, const char *bytes, size_t n)
{
    enum { LONGEST = 4096 };
    if (line->len > LONGEST)
        return;
    const size_t before = line->len, kept = MIN(n, LONGEST - before);
    g_string_append_len(line, bytes, (gssize)kept);
    for (size_t i = before; i < line->len; i++)
        if (!line->str[i])
            line->str[i] = '?';
    if (kept < n)
        g_string_append(line, "...");
}

static void read_some(Running *r, Stream *stream)
{
    char piece[1 << 12];
    const ssize_t n = read(stream->fd, piece, sizeof piece);
    for (const char *at = piece, *end = piece + MAX(n, 0), *next; at < end; at = next) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        next = newline ? newline + 1 : end;
        add_bytes(stream->line, at, (size_t)((newline ? newline : end) - at));
        if (newline)
            end_line(r, stream);
    }
    if (n > 0 || (n < 0 && errno == EINTR))
        return;
    if (stream->line->len > 0)
        end_line(r, stream);
    close(stream->fd);
    stream->fd = -1;
}

// ---- Its end -------------------------------------------------------------------------------------------------------

// Asks the child to end. mpirun ends its ranks only then, and not when it is killed, so we kill the group only if some
// of it still runs a few seconds after the request.
static void end_child(Running *r, const char *why)
{
    enum { GRACE_S = 3 };
    const gint64 now_us = g_get_monotonic_time();
    if (!r->child->killed) {
        r->child->killed = why;
        r->killed_us = now_us;
        kill(-r->pid, SIGTERM);
    } else if (now_us - r->killed_us > GRACE_S * G_USEC_PER_SEC)
        kill(-r->pid, SIGKILL);
}

// Ends the child if collsim was asked to stop, if the child has been silent for too long, or if it does not heed the
// first request to end.
static void look(Running *r, const sigset_t *stops)
{
    const struct timespec at_once = {0};
    const int signal = sigtimedwait(stops, NULL, &at_once);
    if (signal > 0) {
        r->child->signal = signal;
        end_child(r, "was interrupted");
    } else if (r->child->killed || (double)(g_get_monotonic_time() - r->last_us) * 1e-6 > r->child->patience_s)
        end_child(r, "gave no answer");
}

// Reads the child's output until it has ended and its output is complete. A process that the child leaves behind may
// keep the pipes open, so we wait for the end of the output only a few seconds more.
static void attend(Running *r, const sigset_t *stops)
{
    enum { LOOK_MS = 200, REAP_MS = 5, LAST_S = 2 };
    gint64 ended_us = 0;
    for (int open = 2; !ended_us || (open && g_get_monotonic_time() - ended_us < LAST_S * G_USEC_PER_SEC);) {
        struct pollfd fds[2] = {{.fd = r->stream[0].fd, .events = POLLIN}, {.fd = r->stream[1].fd, .events = POLLIN}};
        poll(fds, 2, open ? LOOK_MS : REAP_MS);
        for (int i = 0; i < 2; i++)
            if (fds[i].revents)
                read_some(r, &r->stream[i]);
        open = (r->stream[0].fd >= 0) + (r->stream[1].fd >= 0);
        // If the caller of collsim ignores CHLD, the status is lost and waitpid fails; the child has then ended.
        if (!ended_us && waitpid(r->pid, &r->child->status, WNOHANG) != 0)
            ended_us = g_get_monotonic_time();
        if (!ended_us)
            look(r, stops);
    }
    kill(-r->pid, SIGKILL); // ends the processes that the child has left behind
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

// Puts the child into a process group of its own, so that we can kill it with all its ranks, and ends it if collsim
// dies.
static void set_up(gpointer mask)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    output_prepare_child();
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

static gboolean start(Running *r, char *const *argv, int in, sigset_t *mask, GError **error)
{
    g_autoptr(GError) why = NULL;
    if (g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)argv, NULL,
                                         G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, set_up, mask, in, -1, -1,
                                         NULL, NULL, 0, &r->pid, NULL, &r->stream[0].fd, &r->stream[1].fd, &why))
        return TRUE;
    return bad_input(error, "%s cannot be started: %s%s", argv[0], why->message,
                     strstr(why->message, g_strerror(EMFILE))   ? "; allowed: a higher limit of open files (ulimit -n)"
                     : strstr(why->message, g_strerror(EAGAIN)) ? "; allowed: a higher limit of processes (ulimit -u)"
                                                                : "");
}

gboolean child_run(Child *c, char *const *argv, int in, GError **error)
{
    static const int wanted[] = {SIGINT, SIGTERM, SIGHUP};
    Running r = {.child = c, .stream = {{-1, g_string_new(NULL)}, {-1, g_string_new(NULL)}}};
    sigset_t stops, before;
    sigemptyset(&stops);
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (cleanup_wants(wanted[i])) // under nohup, HUP stays ignored
            sigaddset(&stops, wanted[i]);
    c->killed = NULL;
    c->signal = c->status = 0;
    c->others = g_string_new(NULL);
    pthread_sigmask(SIG_BLOCK, &stops, &before);
    const gboolean started = start(&r, argv, in, &before, error);
    if (started) {
        r.last_us = g_get_monotonic_time();
        attend(&r, &stops);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < 2; i++) {
        if (r.stream[i].fd >= 0)
            close(r.stream[i].fd);
        g_string_free(r.stream[i].line, TRUE);
    }
    return started;
}

gboolean child_good(const Child *c)
{
    return !c->killed && WIFEXITED(c->status) && WEXITSTATUS(c->status) == 0;
}

// Returns the end of the child's other lines as one line; free with g_free.
static char *last_words(const Child *c)
{
    enum { SHOWN = 700 };
    const char *text = c->others->str;
    const size_t len = strlen(text);
    const char *last = len > SHOWN ? text + len - SHOWN : text, *cut = len > SHOWN ? strpbrk(last, " \n") : NULL;
    char *words = g_strdelimit(g_strdup(cut ? cut : last), "\n\t", ' ');
    return g_strstrip(words);
}

char *child_end(const Child *c, const char *where)
{
    g_autofree char *words = last_words(c);
    g_autofree char *how = c->signal                ? g_strdup("was interrupted")
                           : c->killed              ? g_strdup_printf("%s for %.3g s", c->killed, c->patience_s)
                           : WIFSIGNALED(c->status) ? g_strdup_printf("died of signal %d", WTERMSIG(c->status))
                                                    : g_strdup_printf("ended with status %d", WEXITSTATUS(c->status));
    return g_strconcat(how, where, *words ? "; its last output: " : "", words, NULL);
}

void child_clear(Child *c)
{
    if (c->others)
        g_string_free(c->others, TRUE);
    c->others = NULL;
}
