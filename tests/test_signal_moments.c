// A signal at each moment of an output that keeps what is done (output_keep()). A child process writes a file and keeps two
// texts on the way; it is stopped after one system call after the other, and gets the signal there. Nothing depends on the clock.
#include "base/output.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const TEXTS[] = {"the first of two\n", "both\n", "complete\n"};

// What the child does, from the moment at which its parent begins to count. Its exit status is 7 if all went well.
static void write_all(void)
{
    Output o = {.place = -1};
    gboolean good = output_open(&o, "page", NULL);
    for (int i = 0; good && i < 2; i++) {
        g_autoptr(GString) text = g_string_new(TEXTS[i]);
        good = output_keep(&o, text, "kept", NULL);
    }
    if (good)
        fputs(TEXTS[2], o.to);
    _exit(good && output_close(&o, NULL) ? 7 : 1);
}

static pid_t begin(void)
{
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGTERM, SIG_DFL);
        g_assert_nonnull(freopen("/dev/null", "w", stderr));
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            _exit(2);
        raise(SIGSTOP);
        write_all();
    }
    return pid;
}

// Goes on to the end of the child's next system call, where a signal is delivered that came during the call. Returns FALSE if
// the child has ended.
static gboolean goes_on(pid_t pid, int *status)
{
    for (int stop = 0; stop < 2; stop++) // the child stops when the call begins, and when it ends
        if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) || waitpid(pid, status, 0) != pid || !WIFSTOPPED(*status))
            return FALSE;
    return TRUE;
}

// Counts the temporary files in the folder; *page is what the page holds, or NULL if there is none. Free with g_free.
static int look(char **page)
{
    int n = 0;
    GDir *const folder = g_dir_open(".", 0, NULL);
    *page = NULL;
    for (const char *name; (name = g_dir_read_name(folder));) {
        n += g_str_has_prefix(name, ".collsim-");
        g_assert_true(g_str_has_prefix(name, ".collsim-") || strcmp(name, "page") == 0);
    }
    g_dir_close(folder);
    g_file_get_contents("page", page, NULL, NULL);
    return n;
}

// Returns the number of the text that the page contains, or -1 if there is no page. Fails if it is another text.
static int which(const char *page)
{
    int i = page ? 0 : -1;
    while (page && i < (int)G_N_ELEMENTS(TEXTS) && strcmp(page, TEXTS[i]) != 0)
        i++;
    g_assert_cmpint(i, <, G_N_ELEMENTS(TEXTS));
    return i;
}

// Lets the child make so many calls, sends TERM, and looks at what is left. Returns which text that is: a later moment leaves
// no earlier text. *over says that the child had ended before.
static int left_at(int calls, gboolean *over)
{
    const pid_t pid = begin();
    int status = 0;
    g_autofree char *seen = NULL, *left = NULL;
    g_assert_true(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
    *over = FALSE;
    for (int i = 0; i < calls && !*over; i++)
        *over = !goes_on(pid, &status);
    const int files = look(&seen);
    if (!*over) {
        g_assert_cmpint(kill(pid, SIGTERM), ==, 0);
        g_assert_true(ptrace(PTRACE_DETACH, pid, NULL, NULL) == 0 && waitpid(pid, &status, 0) == pid);
        g_assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 7);
    } else {
        g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    g_assert_cmpint(look(&left), ==, 0);
    const int text = which(left);
    g_assert_cmpint(text, >=, which(seen));
    // The page's own file is one; whoever sees a second one has a text that is kept, and never loses it.
    if (files > 1)
        g_assert_cmpint(text, >=, 0);
    g_remove("page");
    return text;
}

static void test_each_moment(void)
{
    gboolean found[G_N_ELEMENTS(TEXTS) + 1] = {FALSE}, over = FALSE;
    const pid_t pid = begin();
    int status = 0, last = -1;
    g_assert_true(waitpid(pid, &status, 0) == pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
        g_test_skip("this system does not let a process follow another one");
        return;
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    for (int calls = 0; !over; calls++) {
        const int text = left_at(calls, &over);
        g_assert_cmpint(text, >=, last);
        found[(last = text) + 1] = TRUE;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(found); i++) // nothing, each text, and the page
        g_assert_true(found[i]);
}

static void add_tests(void)
{
    g_test_add_func("/signal_moments/each", test_each_moment);
}

int main(int argc, char **argv)
{
    g_autofree char *dir = g_dir_make_tmp("moments-XXXXXX", NULL), *before = g_get_current_dir();
    g_assert_true(dir && g_chdir(dir) == 0);
    const int status = tap_run(argc, argv, add_tests);
    g_chdir(before);
    g_rmdir(dir);
    return status;
}
