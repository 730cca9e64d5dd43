// Commands whose first argument is a kind, with options of its own: export and rules.
#pragma once
#include <glib.h>

typedef struct CommandKind {
    const char *name, *summary;
    int (*run)(int argc, char **argv, GError **error); // as in cli.h; argv[0] is "COMMAND KIND"
} CommandKind;

typedef struct CommandKinds {
    const char *command, *about, *example; // `about` is a sentence; the example is a command line
    const CommandKind *kinds;
    size_t n;
} CommandKinds;

// Runs the kind that argv[1] names, or gives the text of --help. Returns the exit status.
int kinds_run(const CommandKinds *all, int argc, char **argv, GError **error);
// Does the same for a command whose first argument may be something else than a kind. Returns FALSE if it is.
gboolean kinds_try(const CommandKinds *all, int argc, char **argv, int *status, GError **error);
