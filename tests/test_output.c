// Output files: what a regular file, a link, a device and a FIFO become; that a failure or a signal leaves the old file
// and nothing else; and files that are replaced together or not at all; and what a long command notes of its
// time.
#include "base/cleanup.h"
#include "base/error.h"
#include "base/output.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/scratch.h"
#include "tap.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void assert_holds(const char *path, const char *text)
{
    g_autofree char *found = NULL;
    g_assert_true(g_file_get_contents(path, &found, NULL, NULL));
    g_assert_cmpstr(found, ==, text);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    g_assert_cmpint(stat(path, &status), ==, 0);
    return status.st_mode & 07777;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Fails unless the current folder holds these files and no others; `names` is sorted and separated by spaces.
static void assert_folder(const char *names)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
    GDir *folder = g_dir_open(".", 0, NULL);
    for (const char *name; (name = g_dir_read_name(folder));)
        g_ptr_array_add(found, g_strdup(name));
    g_dir_close(folder);
    g_ptr_array_sort(found, by_name);
    g_ptr_array_add(found, NULL);
    g_autofree char *all = g_strjoinv(" ", (char **)found->pdata);
    g_assert_cmpstr(all, ==, names);
}

static void empty_folder(void)
{
    g_assert_cmpint(system("rm -rf ./* ./.collsim*"), ==, 0);
}

static void write_text(const char *path, const char *text)
{
    g_autoptr(GError) error = NULL;
    output_write(path, text, strlen(text), &error);
    g_assert_no_error(error);
}

static void assert_refused(const char *path, const char *message)
{
    g_autoptr(GError) error = NULL;
    Output o;
    g_assert_false(output_open(&o, path, &error));
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
}

static void test_regular(void)
{
    umask(027);
    write_text("new", "text");
    assert_holds("new", "text");
    g_assert_cmpint(mode_of("new"), ==, 0640);
    umask(022);
    g_chmod("new", 0604);
    write_text("new", "second");
    assert_holds("new", "second");
    g_assert_cmpint(mode_of("new"), ==, 0604);
    g_chmod("new", 06604);
    write_text("new", "second");
    g_assert_cmpint(mode_of("new"), ==, 06604);
    g_chmod("new", 0604);
    if (geteuid() == 0) { // another user's file stays that user's
        g_assert_cmpint(chown("new", 12, 34), ==, 0);
        write_text("new", "third");
        struct stat status;
        g_assert_cmpint(stat("new", &status), ==, 0);
        g_assert_true(status.st_uid == 12 && status.st_gid == 34 && (status.st_mode & 07777) == 0604);
    }
    assert_folder("new");
    empty_folder();
}

static void test_unfinished(void)
{
    put("old", "old");
    Output o;
    g_assert_true(output_open(&o, "old", NULL));
    fputs("half", o.to);
    fflush(o.to);
    assert_holds("old", "old"); // until it is complete
    output_abandon(&o);
    output_abandon(&o);
    assert_holds("old", "old");
    assert_folder("old");
    empty_folder();
}

static void test_links(void)
{
    put("target", "old");
    g_mkdir("far", 0777);
    g_assert_cmpint(symlink("target", "link"), ==, 0);
    g_assert_cmpint(symlink("../link", "far/link"), ==, 0);
    g_assert_cmpint(symlink("far/made", "dangling"), ==, 0);
    g_assert_cmpint(symlink("circle", "circle"), ==, 0);
    write_text("far/link", "through two links");
    assert_holds("target", "through two links");
    write_text("dangling", "new");
    assert_holds("far/made", "new");
    g_assert_true(g_file_test("link", G_FILE_TEST_IS_SYMLINK) && g_file_test("far/link", G_FILE_TEST_IS_SYMLINK) &&
                  g_file_test("dangling", G_FILE_TEST_IS_SYMLINK));
    assert_refused("circle", "circle: Too many levels of symbolic links; allowed: a file that can be written");
    assert_folder("circle dangling far link target");
    empty_folder();
}

static void test_devices(void)
{
    struct stat before, after;
    g_assert_cmpint(stat("/dev/null", &before), ==, 0);
    g_assert_cmpint(symlink("/dev/null", "null"), ==, 0);
    write_text("/dev/null", "text");
    write_text("null", "text");
    g_assert_cmpint(stat("/dev/null", &after), ==, 0);
    g_assert_true(S_ISCHR(after.st_mode) && before.st_ino == after.st_ino && before.st_mode == after.st_mode);
    g_assert_true(g_file_test("null", G_FILE_TEST_IS_SYMLINK));

    g_autoptr(GError) error = NULL;
    g_assert_false(output_write("/dev/full", "text", 4, &error));
    g_assert_cmpstr(error->message, ==, "/dev/full: No space left on device; allowed: a file that can be written");

    g_assert_cmpint(mkfifo("fifo", 0666), ==, 0);
    const int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    char text[8] = "";
    write_text("fifo", "text");
    g_assert_cmpint(read(reader, text, sizeof text), ==, 4);
    g_assert_cmpstr(text, ==, "text");
    close(reader);
    assert_folder("fifo null");

    put("log", "first\n"); // an open file is added to and not replaced
    const int log = open("log", O_WRONLY | O_APPEND);
    g_autofree char *path = g_strdup_printf("/dev/fd/%d", log);
    write_text(path, "second\n");
    close(log);
    assert_holds("log", "first\nsecond\n");
    empty_folder();
}

// The cause of a failure is that of the first write that failed, whatever was written after it.
static void test_cause(void)
{
    g_autofree char *large = g_strnfill(1 << 20, 'x');
    for (int i = 0; i < 3; i++) {
        g_autoptr(GError) error = NULL;
        Output o;
        g_assert_true(output_open(&o, "/dev/full", NULL));
        if (i == 0)
            fputs(large, o.to); // goes past the stream's buffer
        fputs("text", o.to);
        fflush(o.to); // which empties the buffer
        if (i == 2)
            fputs("text", o.to);
        errno = EPERM;
        g_assert_false(output_close(&o, &error));
        g_assert_cmpstr(error->message, ==, "/dev/full: No space left on device; allowed: a file that can be written");
    }
    const pid_t pid = fork();
    if (pid == 0) {
        g_autoptr(GError) error = NULL;
        dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
        output_prepare();
        fputs(large, stdout);
        fflush(stdout);
        puts("text");
        fflush(stdout);
        errno = EPERM;
        _exit(!output_check_stdout(&error) && strcmp(error->message, "stdout: No space left on device") == 0 ? 7 : 1);
    }
    int status = 0;
    g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
    g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

// Where files may not grow, a write fails and the signal XFSZ comes to nothing, but a child has it.
static void test_limit(void)
{
    const pid_t pid = fork();
    if (pid == 0) {
        g_autoptr(GError) error = NULL;
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100});
        signal(SIGXFSZ, SIG_DFL);
        output_prepare();
        g_autofree char *large = g_strnfill(1000, 'x');
        if (output_write("long", large, 1000, &error) ||
            strcmp(error->message, "long: File too large; allowed: a file that can be written") != 0 ||
            g_file_test("long", G_FILE_TEST_EXISTS))
            _exit(1);
        output_prepare_child();
        raise(SIGXFSZ);
        _exit(1);
    }
    int status = 0;
    g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
    g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    assert_folder("");
}

static void test_refused(void)
{
    g_mkdir("folder", 0777);
    assert_refused("folder", "folder: Is a directory; allowed: a file that can be written");
    assert_refused("none/x", "none/x: No such file or directory; allowed: a file that can be written");
    assert_refused("", "the name of the file to write is empty; allowed: a file that can be written");
    if (geteuid() != 0) {
        put("read-only", "old");
        g_chmod("read-only", 0444);
        assert_refused("read-only", "read-only: Permission denied; allowed: a file that can be written");
        g_chmod("folder", 0555);
        assert_refused("folder/x", "folder/x: Permission denied; allowed: a file that can be written");
        g_chmod("folder", 0777);
    }
    empty_folder();
}

static void test_set(void)
{
    g_auto(OutputSet) set = {0};
    g_autoptr(GError) error = NULL;
    put("a", "old a");
    g_assert_true(output_set_write(&set, "a", "new a", 5, NULL));
    g_assert_true(output_set_write(&set, "b", "new b", 5, NULL));
    assert_holds("a", "old a");
    g_assert_false(g_file_test("b", G_FILE_TEST_EXISTS));
    g_assert_true(output_set_close(&set, &error));
    assert_holds("a", "new a");
    assert_holds("b", "new b");
    assert_folder("a b");

    // The third file cannot get its name: the first two are as they were.
    g_assert_true(output_set_write(&set, "a", "newer", 5, NULL));
    g_assert_true(output_set_write(&set, "made", "newer", 5, NULL));
    g_assert_true(output_set_write(&set, "b", "newer", 5, NULL));
    g_remove("b");
    g_mkdir("b", 0777);
    g_assert_false(output_set_close(&set, &error));
    g_assert_cmpstr(error->message, ==, "b: Is a directory; allowed: a file that can be written");
    assert_holds("a", "new a");
    assert_folder("a b");

    // One of them cannot be opened.
    g_clear_error(&error);
    g_assert_true(output_set_write(&set, "a", "newer", 5, NULL));
    g_assert_false(output_set_write(&set, "none/x", "newer", 5, &error));
    output_set_abandon(&set);
    assert_holds("a", "new a");
    assert_folder("a b");
    empty_folder();
}

static void test_folders(void)
{
    g_auto(OutputSet) set = {0};
    g_autoptr(GError) error = NULL;
    umask(027);
    g_assert_true(output_set_folder(&set, "one/two/", NULL));
    umask(022);
    g_assert_cmpint(mode_of("one"), ==, 0750);
    g_assert_cmpint(mode_of("one/two"), ==, 0750);
    g_assert_true(output_set_write(&set, "one/two/file", "x", 1, NULL));
    output_set_abandon(&set);
    assert_folder("");
    g_mkdir("one", 0777);
    g_assert_true(output_set_folder(&set, "one/two", NULL));
    output_set_abandon(&set);
    assert_folder("one"); // it was there before
    g_assert_true(output_set_folder(&set, "one/two", NULL));
    for (int i = 0; i < 2000; i++) { // more than may be open at the same time
        g_autofree char *path = g_strdup_printf("one/two/%d", i);
        g_assert_true(output_set_write(&set, path, path, strlen(path), NULL));
    }
    g_assert_true(output_set_close(&set, NULL));
    assert_holds("one/two/1999", "one/two/1999");
    put("plain", "");
    g_assert_false(output_set_folder(&set, "plain/x", &error));
    g_assert_cmpstr(error->message, ==, "plain/x: Not a directory; allowed: a folder that can be written");
    empty_folder();
}

// Opens all kinds of temporary files in a child process, which then gets the signal. Returns its wait status.
static int stopped_by(int number, gboolean ignored)
{
    const pid_t pid = fork();
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        Output o;
        OutputSet set = {0};
        Scratch scratch;
        g_autofree char *plan = NULL;
        signal(number, ignored ? SIG_IGN : SIG_DFL);
        g_setenv("TMPDIR", ".", TRUE);
        if (!output_open(&o, "old", NULL) || !output_set_folder(&set, "new/folder", NULL) ||
            !output_set_write(&set, "new/folder/x", "x", 1, NULL) || !scratch_open(&scratch, NULL) ||
            !scratch_write(&scratch, "plan", "x", &plan, NULL))
            _exit(1);
        fputs("half", o.to);
        fflush(o.to);
        raise(number);
        _exit(output_close(&o, NULL) ? 7 : 1);
    }
    int status = 0;
    g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
    return status;
}

static void test_signals(void)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ, SIGABRT, SIGTRAP};
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNALS); i++) {
        put("old", "old");
        const int status = stopped_by(SIGNALS[i], FALSE);
        g_assert_true(WIFSIGNALED(status));
        g_assert_cmpint(WTERMSIG(status), ==, SIGNALS[i]);
        assert_holds("old", "old");
        assert_folder("old");
    }
    const int status = stopped_by(SIGHUP, TRUE);
    g_assert_true(WIFEXITED(status));
    g_assert_cmpint(WEXITSTATUS(status), ==, 7);
    assert_holds("old", "half");
    empty_folder();
}

static pthread_t main_thread;

// Fails if this is not the main thread, and a signal that stops the program could be taken here.
static gboolean takes_no_signal(gpointer job, gpointer user, GError **error)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    sigset_t blocked;
    (void)job;
    (void)error;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNALS); i++)
        g_assert_true(pthread_equal(pthread_self(), main_thread) || sigismember(&blocked, SIGNALS[i]) ||
                      !cleanup_wants(SIGNALS[i]));
    g_assert_false(sigismember(&blocked, SIGABRT));
    g_atomic_int_inc((int *)user);
    return TRUE;
}

// A signal that the main thread holds back, while it gives complete files their names, does not run its handler on
// another thread.
static void test_threads(void)
{
    int n = 0;
    sigset_t before, after;
    g_autoptr(GPtrArray) jobs = g_ptr_array_new();
    main_thread = pthread_self();
    for (int i = 0; i < 50; i++)
        g_ptr_array_add(jobs, &n);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    g_assert_true(parallel_run(jobs, &(ParallelWork){.run = takes_no_signal, .what = "jobs", .user = &n}, NULL));
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    g_assert_cmpint(n, ==, 50);
    for (int number = 1; number < NSIG; number++)
        g_assert_cmpint(sigismember(&before, number), ==, sigismember(&after, number));
}

static gboolean counts(gpointer job, gpointer user, GError **error)
{
    (void)job;
    (void)error;
    g_atomic_int_inc((int *)user);
    return TRUE;
}

// What the jobs of test_nested() share.
typedef struct Nested {
    int done;
    int *first; // the threads that the first job found; 0 before
} Nested;

// What a job of several finds: how many threads it might start, and whether jobs of its own end. No job ends before the first
// has found how many threads it might start, since each that has ended leaves it one more.
static gboolean divides(gpointer job, gpointer user, GError **error)
{
    (void)error;
    Nested *const nested = user;
    int n = 0;
    g_autoptr(GPtrArray) jobs = g_ptr_array_new();
    g_atomic_int_set((int *)job, (int)parallel_threads(1000));
    while (!g_atomic_int_get(nested->first))
        g_thread_yield();
    for (int i = 0; i < 5; i++)
        g_ptr_array_add(jobs, NULL);
    g_assert_true(parallel_run(jobs, &(ParallelWork){.run = counts, .user = &n}, NULL));
    g_assert_cmpint(n, ==, 5);
    g_atomic_int_inc(&nested->done);
    return TRUE;
}

// Jobs that divide their work start threads for processors that have no other job, and no more.
static void test_nested(void)
{
    const int processors = (int)g_get_num_processors();
    for (int n = 1; n <= 3 * processors; n += processors) {
        g_autofree int *threads = g_new0(int, n);
        g_autoptr(GPtrArray) jobs = g_ptr_array_new();
        Nested nested = {.first = &threads[0]};
        for (int i = 0; i < n; i++)
            g_ptr_array_add(jobs, &threads[i]);
        g_assert_true(parallel_run(jobs, &(ParallelWork){.run = divides, .what = "jobs", .user = &nested}, NULL));
        g_assert_cmpint(nested.done, ==, n);
        // All jobs are known before the first begins, and each is left until it ends.
        g_assert_cmpint(threads[0], ==, MAX(1, processors - n + 1));
        for (int i = 0; i < n; i++)
            g_assert_cmpint(threads[i], <=, processors);
    }
    g_assert_cmpuint(parallel_threads(1000), ==, (guint)processors);
    g_assert_cmpuint(parallel_threads(1), ==, 1);
    g_assert_cmpuint(parallel_threads(0), ==, 1);
}

static void test_scratch(void)
{
    Scratch s;
    g_autofree char *path = NULL;
    g_assert_true(scratch_open(&s, NULL));
    g_assert_cmpint(mode_of(s.folder), ==, 0700);
    g_assert_true(scratch_write(&s, "plan", "text", &path, NULL));
    assert_holds(path, "text");
    g_autofree char *left = g_build_filename(s.folder, "left by a child", NULL), *folder = g_strdup(s.folder);
    put(left, "");
    scratch_clear(&s);
    scratch_clear(&s);
    g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
}

// Begins a progress of 100 parts, and lets the first take two seconds. Returns the note that follows. Free with g_free.
static char *foreseen(void)
{
    Progress progress;
    char *text = NULL;
    const int keep = dup(STDERR_FILENO), file = open("noted", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    g_assert_true(keep >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    progress_begin(&progress, "points", 100);
    progress.start_used_s -= 2;
    progress_foresee(&progress, 1);
    fflush(stderr);
    dup2(keep, STDERR_FILENO);
    close(keep);
    close(file);
    g_assert_true(g_file_get_contents("noted", &text, NULL, NULL) && g_unlink("noted") == 0);
    return text;
}

// A command says once how long it takes, also if it says so by itself, and the next command says so again.
static void test_progress(void)
{
    progress_allow();
    for (int command = 0; command < 2; command++) {
        progress_forget();
        g_autofree char *first = foreseen(), *second = foreseen();
        g_assert_true(g_str_has_prefix(first, "collsim: note: running 100 points takes about"));
        g_assert_cmpstr(second, ==, "");
        progress_forget();
        progress_foreseen();
        g_autofree char *third = foreseen();
        g_assert_cmpstr(third, ==, "");
    }
}

static void add_tests(void)
{
    g_test_add_func("/output/nested", test_nested);
    g_test_add_func("/output/regular", test_regular);
    g_test_add_func("/output/unfinished", test_unfinished);
    g_test_add_func("/output/links", test_links);
    g_test_add_func("/output/devices", test_devices);
    g_test_add_func("/output/cause", test_cause);
    g_test_add_func("/output/limit", test_limit);
    g_test_add_func("/output/refused", test_refused);
    g_test_add_func("/output/set", test_set);
    g_test_add_func("/output/folders", test_folders);
    g_test_add_func("/output/signals", test_signals);
    g_test_add_func("/output/threads", test_threads);
    g_test_add_func("/output/scratch", test_scratch);
    g_test_add_func("/output/progress", test_progress);
}

int main(int argc, char **argv)
{
    g_autofree char *dir = g_dir_make_tmp("output-XXXXXX", NULL), *before = g_get_current_dir();
    g_assert_true(dir && g_chdir(dir) == 0);
    const int status = tap_run(argc, argv, add_tests);
    g_chdir(before);
    g_rmdir(dir);
    return status;
}
