// Runs a program to its end and reads what it prints, whatever it does: print without end or without a newline, print
// nothing, close its output, ignore signals, or leave processes behind.
#pragma once
#include "base/scratch.h"

// What a line of the program is.
typedef enum {
    CHILD_ANSWER, // what the program was asked for: a sign of life
    CHILD_BAD,    // an answer that is wrong, so that the program is ended
    CHILD_OTHER,  // anything else: the end of these lines is kept
    CHILD_NOISE,  // not even worth that
} ChildLine;

typedef struct Child {
    // What the caller sets.
    double patience_s; // end the program if it gives no answer for this time, > 0
    // Called for each line, without its newline. `out` says that it comes from standard output, not standard error. NUL
    // bytes are replaced by '?', and the part of a line beyond 4096 bytes by "...".
    ChildLine (*take)(const char *line, gboolean out, void *user);
    void *user;
    // What child_run sets.
    const char *killed; // why the program was ended; NULL if it ended by itself
    int signal;         // INT, TERM or HUP if collsim got it meanwhile, and ended the program; else 0
    int status;         // of the program, as waitpid gives it
    GString *others;    // the end of its other lines
} Child;

// Runs argv[0], which is searched in PATH, with the file descriptor `in` as its standard input. Returns FALSE and an
// error if it cannot be started. The caller frees the child with child_clear in any case, and raises its signal, if
// there is one, when nothing is left to clean up.
gboolean child_run(Child *child, char *const *argv, int in, GError **error);
// Returns whether the program ended with status 0, by itself.
gboolean child_good(const Child *child);
// Returns how it ended and its last output as one line, "ended with status 3; its last output: no luck"; `where`, which
// may be empty, stands before the semicolon. Free with g_free.
char *child_end(const Child *child, const char *where);
void child_clear(Child *child);
