// The subcommands of `collsim`, each in its own file cmd_NAME.c.
//
// A subcommand gets its own name as argv[0], parses the other arguments, prints its answer to stdout and returns the exit
// status: 0 done, 1 a check failed, 2 bad input. With 2 it sets *error to one line, which main prints.
#pragma once
#include <glib.h>

#define COLLSIM_VERSION "0.9.0"

int cmd_list(int argc, char **argv, GError **error);
int cmd_show(int argc, char **argv, GError **error);
int cmd_run(int argc, char **argv, GError **error);
int cmd_best(int argc, char **argv, GError **error);
int cmd_crossover(int argc, char **argv, GError **error);
int cmd_check(int argc, char **argv, GError **error);
int cmd_audit(int argc, char **argv, GError **error);
int cmd_bound(int argc, char **argv, GError **error);
int cmd_measure(int argc, char **argv, GError **error);
int cmd_plot(int argc, char **argv, GError **error);
int cmd_calibrate(int argc, char **argv, GError **error);
int cmd_export(int argc, char **argv, GError **error);
