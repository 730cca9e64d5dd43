// The subcommands of `collsim`. Each is one file, cmd_NAME.c. It gets its own name as argv[0], parses the rest, prints its
// answer to stdout and returns the exit status: 0 done, 1 a check failed, 2 bad input, with *error set to one line that
// main prints.
#pragma once
#include <glib.h>

// collsim plot FILE.csv [-o FILE.svg|png|pdf]: draws time over size or ranks from what `run --format csv` wrote.
int cmd_plot(int argc, char **argv, GError **error);
