#define _GNU_SOURCE // renameat2, fopencookie
#include "base/output.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/escape.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean cannot_write(const char *path, int why, GError **error)
{
    return bad_input(error, "%s: %s; allowed: a file that can be written", path,
                     why ? g_strerror(why) : "not all of it could be written");
}

// ---- Sinks ----------------------------------------------------------------------------------------------------------

// Where the bytes of a stream go. A stream of the C library only remembers that a write failed; the first failure can
// be many writes before the end, so its cause is kept here.
typedef struct OutputSink {
    int fd;
    int why; // errno of the first write, or close, that failed; 0 if none did
} OutputSink;

// Writes all bytes, and returns how many were written. After a failure it writes no more.
static ssize_t sink_write(void *cookie, const char *bytes, size_t n)
{
    OutputSink *sink = cookie;
    size_t done = 0;
    while (done < n && !sink->why) {
        const ssize_t written = write(sink->fd, bytes + done, n - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            sink->why = errno;
    }
    return (ssize_t)done;
}

static int sink_close(void *cookie)
{
    OutputSink *sink = cookie;
    if (close(sink->fd) == 0)
        return 0;
    sink->why = sink->why ? sink->why : errno;
    return -1;
}

static FILE *sink_open(OutputSink *sink)
{
    return fopencookie(sink, "w", (cookie_io_functions_t){.write = sink_write, .close = sink_close});
}

// Makes the stream of a file that was opened, which belongs to it from then on. Returns FALSE and sets errno on
// failure.
static gboolean open_stream(Output *o, int fd)
{
    o->sink = g_new0(OutputSink, 1);
    o->sink->fd = fd;
    return (o->to = sink_open(o->sink)) != NULL;
}

// ---- Standard output and limits -------------------------------------------------------------------------------------

static OutputSink standard_sink = {.fd = STDOUT_FILENO};
static gboolean limit_ends; // a file that may not grow would have ended the program by the signal XFSZ

void output_prepare(void)
{
    struct sigaction now;
    limit_ends = sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
    if (limit_ends)
        signal(SIGXFSZ, SIG_IGN);
    FILE *const to = sink_open(&standard_sink);
    if (to) {
        setvbuf(to, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
        stdout = to;
    }
}

void output_prepare_child(void)
{
    if (limit_ends)
        signal(SIGXFSZ, SIG_DFL);
}

gboolean output_check_stdout(GError **error)
{
    errno = 0;
    const gboolean flushed = fflush(stdout) == 0;
    const int why = standard_sink.why ? standard_sink.why : errno;
    if (flushed && !ferror(stdout))
        return TRUE;
    return bad_input(error, "stdout: %s", why ? g_strerror(why) : "cannot be written");
}

// ---- Opening --------------------------------------------------------------------------------------------------------

// Follows symbolic links, also to a file that does not exist yet, which realpath(3) refuses. Returns the name of the
// file itself, to be freed with g_free; NULL, with errno set, if the links go in a circle.
static char *follow_links(const char *path)
{
    enum { MAX_LINKS = 40 }; // as many as the kernel follows
    g_autofree char *name = g_strdup(path);
    for (int i = 0; i < MAX_LINKS; i++) {
        struct stat status;
        if (lstat(name, &status) || !S_ISLNK(status.st_mode))
            return g_steal_pointer(&name);
        g_autofree char *link = g_file_read_link(name, NULL), *folder = g_path_get_dirname(name);
        if (!link)
            return NULL;
        g_free(name);
        name = g_path_is_absolute(link) ? g_steal_pointer(&link) : g_build_filename(folder, link, NULL);
    }
    errno = ELOOP;
    return NULL;
}

// Returns TRUE if the path names an open file of this process. That file may have been opened for appending or be the
// shell's redirection, so it is added to and not replaced.
static gboolean is_descriptor(const char *path)
{
    static const char *const FOLDERS[] = {"/dev/fd/", "/dev/std", "/proc/"};
    for (size_t i = 0; i < G_N_ELEMENTS(FOLDERS); i++)
        if (g_str_has_prefix(path, FOLDERS[i]))
            return TRUE;
    return FALSE;
}

static gboolean is_stdout(const struct stat *status)
{
    struct stat standard;
    return !fstat(STDOUT_FILENO, &standard) && standard.st_dev == status->st_dev && standard.st_ino == status->st_ino;
}

// Gives the temporary file the owner and mode of the file that it will replace.
static gboolean keep_owner(int fd, const struct stat *old)
{
    struct stat new;
    if (fstat(fd, &new))
        return FALSE;
    if ((new.st_uid != old->st_uid || new.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid))
        return FALSE;
    return fchmod(fd, old->st_mode & 07777) == 0; // after fchown, which clears the set-user-ID bit
}

// Opens a temporary file in the target's folder. `old` is the file that it will replace, or NULL if the name is new.
// Returns FALSE and sets errno on failure.
static gboolean open_temporary(Output *o, const struct stat *old)
{
    // The permission to rename belongs to the folder; a file that is read-only is not to be replaced either.
    if (old && faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS))
        return FALSE;
    g_autofree char *folder = g_path_get_dirname(o->target);
    o->temporary = g_build_filename(folder, ".collsim-XXXXXX", NULL);
    sigset_t before;
    cleanup_hold(&before); // a signal comes before the file exists or after its name is in the table
    const int fd = g_mkstemp_full(o->temporary, O_WRONLY | O_CLOEXEC, old ? 0600 : 0666);
    const int why = errno;
    if (fd >= 0)
        o->place = cleanup_add(o->temporary);
    cleanup_release(&before);
    errno = why;
    if (fd < 0) {
        g_clear_pointer(&o->temporary, g_free);
        return FALSE;
    }
    if ((!old || keep_owner(fd, old)) && open_stream(o, fd))
        return TRUE;
    const int failed = errno;
    close(fd);
    output_abandon(o);
    errno = failed;
    return FALSE;
}

static gboolean open_path(Output *o, const char *path)
{
    struct stat status;
    const gboolean exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return FALSE;
    }
    if (exists && (!S_ISREG(status.st_mode) || is_descriptor(path))) {
        const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        return fd >= 0 && open_stream(o, fd);
    }
    return (o->target = follow_links(path)) && open_temporary(o, exists ? &status : NULL);
}

G_LOCK_DEFINE_STATIC(claims);
static GHashTable *claims; // the targets of the outputs that are open

// Returns FALSE if another output that is open writes the same file: the last one closed would be all that is left.
static gboolean claim(Output *o)
{
    if (!o->target)
        return TRUE;
    char *const whole = g_canonicalize_filename(o->target, NULL);
    G_LOCK(claims);
    if (!claims)
        claims = g_hash_table_new(g_str_hash, g_str_equal);
    const gboolean is_free = !g_hash_table_contains(claims, whole);
    if (is_free)
        g_hash_table_add(claims, o->claim = whole);
    G_UNLOCK(claims);
    if (!is_free)
        g_free(whole);
    return is_free;
}

static void drop_claim(Output *o)
{
    if (!o->claim)
        return;
    G_LOCK(claims);
    g_hash_table_remove(claims, o->claim);
    G_UNLOCK(claims);
    g_clear_pointer(&o->claim, g_free);
}

gboolean output_open(Output *o, const char *path, GError **error)
{
    struct stat status;
    *o = (Output){.place = -1};
    if (!path || strcmp(path, "-") == 0 || (stat(path, &status) == 0 && is_stdout(&status))) {
        o->to = stdout;
        return TRUE;
    }
    if (!*path)
        return bad_input(error, "the name of the file to write is empty; allowed: a file that can be written");
    if (open_path(o, path)) {
        o->path = g_strdup(path);
        if (claim(o))
            return TRUE;
        output_abandon(o);
        return bad_input(error, "%s: two outputs have this name; allowed: a file of its own for each", path);
    }
    const int why = errno;
    output_abandon(o);
    return cannot_write(path, why, error);
}

// ---- Closing --------------------------------------------------------------------------------------------------------

// Writes what is buffered and closes the file, which keeps its temporary name.
static gboolean finish(Output *o, GError **error)
{
    if (!o->to || o->to == stdout)
        return TRUE; // main() checks standard output
    const gboolean flushed = fflush(o->to) == 0, failed = ferror(o->to) != 0, closed = fclose(o->to) == 0;
    o->to = NULL;
    return (flushed && !failed && closed) || cannot_write(o->path, o->sink->why, error);
}

typedef enum { NOT_PLACED, NEW, REPLACED, EXCHANGED } Replacement;

// Gives a complete file its name. If the old file may be wanted back (`undo`), the two exchange names, where the file
// system can do that.
static Replacement put_in_place(const Output *o, gboolean undo, GError **error)
{
    if (!o->temporary)
        return NEW;
    struct stat status;
    const gboolean exists = lstat(o->target, &status) == 0;
    if (exists && S_ISREG(status.st_mode) && undo &&
        renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->target, RENAME_EXCHANGE) == 0)
        return EXCHANGED;
    if (rename(o->temporary, o->target) == 0)
        return exists ? REPLACED : NEW;
    cannot_write(o->path, errno, error);
    return NOT_PLACED;
}

static void take_back(const Output *o, Replacement placed)
{
    if (!o->temporary)
        return;
    if (placed == NEW)
        unlink(o->target);
    else if (placed == EXCHANGED)
        renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->target, RENAME_EXCHANGE);
}

// Removes what output_keep() wrote.
static void drop_kept(Output *o)
{
    if (o->kept) {
        unlink(o->kept);
        cleanup_drop(o->kept_place);
    }
    g_clear_pointer(&o->kept, g_free);
}

// Completes all files or none. With several files the signals are held back, so that they stop the program before the
// first file gets its name or after the last one has.
static gboolean complete(Output *const *o, guint n, GError **error)
{
    for (guint i = 0; i < n; i++)
        if (!finish(o[i], error))
            return FALSE;
    g_autofree Replacement *placed = g_new0(Replacement, n + 1);
    sigset_t before;
    guint done = 0;
    cleanup_hold(&before);
    while (done < n && (placed[done] = put_in_place(o[done], n > 1, error)) != NOT_PLACED)
        done++;
    for (guint i = done; done < n && i-- > 0;)
        take_back(o[i], placed[i]);
    for (guint i = 0; done == n && i < n; i++) {
        if (placed[i] == EXCHANGED)
            unlink(o[i]->temporary); // the old file
        g_clear_pointer(&o[i]->temporary, g_free);
        cleanup_drop(o[i]->place);
        o[i]->place = -1;
        drop_kept(o[i]);
    }
    cleanup_release(&before);
    return done == n;
}

// Writes the text to a file of its own, which takes the place of the one kept before. The caller holds the signals back.
static gboolean write_kept(Output *o, const GString *text, const char *said, GError **error)
{
    g_auto(Output) next = {.place = -1};
    struct stat status;
    next.path = g_strdup(o->path);
    next.target = g_strdup(o->target);
    if (!open_temporary(&next, stat(o->target, &status) == 0 ? &status : NULL))
        return cannot_write(o->path, errno, error);
    fwrite(text->str, 1, text->len, next.to); // finish() reports a failure
    if (!finish(&next, error))
        return FALSE;
    drop_kept(o);
    cleanup_keep(next.place, o->target, said);
    o->kept = g_steal_pointer(&next.temporary);
    o->kept_place = next.place;
    return TRUE;
}

gboolean output_keep(Output *o, const GString *text, const char *said, GError **error)
{
    sigset_t before;
    if (!o->temporary)
        return TRUE;
    cleanup_hold(&before); // a signal comes before the file exists or after it is kept, so nobody sees one that is lost
    const gboolean kept = write_kept(o, text, said, error);
    cleanup_release(&before);
    return kept;
}

void output_abandon(Output *o)
{
    drop_kept(o);
    if (o->to && o->to != stdout)
        fclose(o->to);
    if (o->temporary) {
        unlink(o->temporary);
        cleanup_drop(o->place);
    }
    drop_claim(o);
    g_free(o->temporary);
    g_free(o->target);
    g_free(o->path);
    g_free(o->sink);
    *o = (Output){.place = -1};
}

gboolean output_close(Output *o, GError **error)
{
    const gboolean good = complete(&o, 1, error);
    g_autofree char *shown = escape_terminal(o->path);
    if (good && o->path)
        fprintf(stderr, "wrote %s\n", shown);
    output_abandon(o);
    return good;
}

gboolean output_write(const char *path, const char *text, size_t length, GError **error)
{
    g_auto(Output) o = {.place = -1};
    if (!output_open(&o, path, error))
        return FALSE;
    fwrite(text, 1, length, o.to);
    return output_close(&o, error);
}

// ---- Files that belong together -------------------------------------------------------------------------------------

typedef struct MadeFolder {
    char *path;
    int place; // in the table of cleanup.h
} MadeFolder;

static void free_file(void *file)
{
    output_abandon(file);
    g_free(file);
}

static void free_folder(void *made)
{
    MadeFolder *folder = made;
    cleanup_drop(folder->place);
    g_free(folder->path);
    g_free(folder);
}

// Makes the folder; if its parent is missing, makes that first. Returns FALSE and sets errno on failure.
static gboolean make_folder(OutputSet *set, const char *path)
{
    if (mkdir(path, 0777) == 0) {
        const MadeFolder made = {g_strdup(path), cleanup_add(path)};
        g_ptr_array_add(set->folders, g_memdup2(&made, sizeof made));
        return TRUE;
    }
    if (errno == EEXIST) {
        errno = ENOTDIR;
        return g_file_test(path, G_FILE_TEST_IS_DIR);
    }
    g_autofree char *parent = g_path_get_dirname(path);
    return errno == ENOENT && strcmp(parent, path) != 0 && make_folder(set, parent) && make_folder(set, path);
}

gboolean output_set_folder(OutputSet *set, const char *path, GError **error)
{
    if (!set->folders)
        set->folders = g_ptr_array_new_with_free_func(free_folder);
    if (!*path || !make_folder(set, path) || faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS))
        return bad_input(error, "%s: %s; allowed: a folder that can be written", path,
                         *path ? g_strerror(errno) : "no name");
    g_free(set->folder);
    set->folder = g_strdup(path);
    return TRUE;
}

Output *output_set_open(OutputSet *set, const char *path, GError **error)
{
    if (!set->files)
        set->files = g_ptr_array_new_with_free_func(free_file);
    g_autofree Output *o = g_new0(Output, 1);
    if (!output_open(o, path, error))
        return NULL;
    g_ptr_array_add(set->files, o);
    return g_steal_pointer(&o);
}

gboolean output_set_write(OutputSet *set, const char *path, const char *text, size_t length, GError **error)
{
    Output *const o = output_set_open(set, path, error);
    if (!o)
        return FALSE;
    fwrite(text, 1, length, o->to);
    return finish(o, error); // a set may have more files than a process may keep open
}

static void say(const OutputSet *set)
{
    enum { MAX_NAMED = 3 };
    if (set->folder && set->files->len > MAX_NAMED) {
        g_autofree char *folder = escape_terminal(set->folder);
        fprintf(stderr, "wrote %u files in %s\n", set->files->len, folder);
        return;
    }
    const char *between = "wrote ";
    for (guint i = 0; i < set->files->len; i++) {
        const Output *o = g_ptr_array_index(set->files, i);
        if (!o->path)
            continue;
        g_autofree char *shown = escape_terminal(o->path);
        fprintf(stderr, "%s%s", between, shown);
        between = ", ";
    }
    if (strcmp(between, ", ") == 0)
        fputc('\n', stderr);
}

gboolean output_set_close(OutputSet *set, GError **error)
{
    const gboolean good = !set->files || complete((Output *const *)set->files->pdata, set->files->len, error);
    if (good && set->files)
        say(set);
    if (good && set->folders)
        g_ptr_array_set_size(set->folders, 0); // they stay
    output_set_abandon(set);
    return good;
}

void output_set_abandon(OutputSet *set)
{
    g_clear_pointer(&set->files, g_ptr_array_unref);
    for (guint i = set->folders ? set->folders->len : 0; i-- > 0;)
        rmdir(((MadeFolder *)g_ptr_array_index(set->folders, i))->path);
    g_clear_pointer(&set->folders, g_ptr_array_unref);
    g_clear_pointer(&set->folder, g_free);
}
