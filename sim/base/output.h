// Output files: the one place that creates, replaces and completes the files that the program writes.
//
// A regular file, or a new one, is written under a temporary name in its own folder and renamed when it is complete, so
// a reader never sees half of it. An existing file keeps its mode and owner; if that is impossible (another user's
// file), or if the file is read-only, it is refused. A symbolic link stays, and the file that it points to is replaced.
// Devices, FIFOs and the files behind /dev/fd are written to directly and never replaced. After a failure, and after
// a signal (cleanup.h), no temporary file is left and an old file is unchanged.
//
// A command opens its output before it starts to work, so that a name that cannot be written costs no time:
//
//     g_auto(Output) output = {0};
//     if (!output_open(&output, path, error))
//         return 2;
//     fputs(long_work(), output.to);
//     return output_close(&output, error) ? 0 : 2;
#pragma once
#include <glib.h>
#include <stdio.h>

typedef struct Output {
    FILE *to;                // NULL before output_open() and after output_close()
    char *path;              // as the caller gave it; NULL if it is standard output
    char *target;            // the name that the complete file gets; NULL if `to` is not a temporary file
    char *temporary;         // the name of the file until it is complete; NULL if `to` is not a temporary file
    struct OutputSink *sink; // NULL for standard output
    int place;               // of the temporary name in the table of cleanup.h
    char *claim;             // the target's whole name, which no other output of the process has; NULL if it has none
    char *kept;              // the temporary name of what output_keep() wrote last; NULL if there is nothing
    int kept_place;          // .. in the same table
} Output;

// Prepares the program for failures to write; main() calls this before it writes. Standard output keeps the cause of
// the first failure. A limit on the size of files (ulimit -f) makes a write fail, as a full disk does; otherwise the
// signal XFSZ would end the program.
void output_prepare(void);
// Gives XFSZ back what it does by default, if output_prepare() changed that; for a child before exec.
void output_prepare_child(void);
// Writes what standard output still holds. Returns FALSE and an error if that, or a write before, has failed.
gboolean output_check_stdout(GError **error);

// Opens `path` for writing, or standard output if path is NULL, "-" or the file that standard output is. Returns FALSE
// and an error of one line, which names the path, if the file cannot be written, or if another output that is open
// writes it; then there is nothing to close.
// Opening a FIFO waits for a reader.
gboolean output_open(Output *o, const char *path, GError **error);

// Completes the file, and says "wrote PATH" on stderr unless it is standard output. Returns FALSE and an error if not
// everything could be written (a full disk); the file under the final name is then the old one, or there is none.
// Standard output stays open, and main() checks it.
gboolean output_close(Output *o, GError **error);

// Writes a text that a signal leaves under the final name, and then `said` on standard error; a later call, or the
// complete file, takes its place. Does nothing unless a complete file is to get a new name. Returns FALSE and an error
// if the text cannot be written.
gboolean output_keep(Output *o, const GString *text, const char *said, GError **error);

// Closes the file and removes what was written. It does nothing to an output that is closed or was never opened.
void output_abandon(Output *o);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Output, output_abandon)

// Writes a whole text of `length` bytes: output_open(), the text, output_close().
gboolean output_write(const char *path, const char *text, size_t length, GError **error);

// ---- Files that belong together ------------------------------------------------------------------------------------

// Files that belong together: either all of them are replaced or none is. What was written to a device or a FIFO cannot
// be taken back.
typedef struct OutputSet {
    GPtrArray *files;   // of Output *
    GPtrArray *folders; // of MadeFolder *, those that output_set_folder() made, outer ones first
    char *folder;       // the last path of output_set_folder(); NULL if there was none
} OutputSet;

// Makes a folder, and its parents where they are missing, and checks that files can be made in it. If the set is
// abandoned, the folders that it made are removed again. Returns FALSE and an error on failure.
gboolean output_set_folder(OutputSet *set, const char *path, GError **error);
// Opens one more file of the set, as output_open() does. The set owns it. Returns NULL and an error on failure.
Output *output_set_open(OutputSet *set, const char *path, GError **error);
// Adds a file with this text of `length` bytes. It appears under its name with the others.
gboolean output_set_write(OutputSet *set, const char *path, const char *text, size_t length, GError **error);
// Completes all files, says in one line on stderr what it wrote, and empties the set. On failure it returns FALSE and
// an error, and every regular file is as it was before.
gboolean output_set_close(OutputSet *set, GError **error);
// Removes what was written, and the folders that were made for it. It does nothing to a set that is closed or empty.
void output_set_abandon(OutputSet *set);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OutputSet, output_set_abandon)
