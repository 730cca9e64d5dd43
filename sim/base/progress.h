// The line on standard error that shows how far a long command is, while it works and if standard error is a terminal. If it
// is not, there is one line once the first parts show how long all will take, and that is long.
#pragma once
#include <glib.h>

typedef struct Progress {
    const char *what; // what is counted: "points", or where it runs: "mpi"; must outlive the progress
    guint total;
    gint64 start_us, drawn_us;
    double start_used_s; // what processors had spent then
    gboolean shown, said;
} Progress;

// Lets lines be shown. A program may call it once, at the start; a library writes nothing.
void progress_allow(void);
// Begins to count up to `total`. With fewer than two, or without a terminal, nothing is ever shown.
void progress_begin(Progress *progress, const char *what, guint total);
// Returns TRUE if the line is due to be shown again, which is at most 20 times a second. Otherwise the caller need not
// make a name for it.
gboolean progress_due(const Progress *progress);
// Shows "points: 3 of 40, 2.1 per second, 18 s left: NAME" in place of what was shown. `name` is what runs now; NULL if
// it has no name.
void progress_show(Progress *progress, guint done, const char *name);
// Says once in a command, without a terminal, how long all will take at the rate of the first `done` parts, if these show
// it and if it is long by what processors spend. Only the main thread says it.
void progress_foresee(Progress *progress, guint done);
// Says that the program has printed by itself how long it takes, so that no progress prints it again.
void progress_foreseen(void);
// Begins another command, which says anew how long it takes.
void progress_forget(void);
// Clears the line if this progress shows one.
void progress_end(const Progress *progress);
// Clears the line. Whoever writes to standard error or the terminal while a command works clears it first.
void progress_clear(void);
