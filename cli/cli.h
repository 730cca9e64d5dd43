// The subcommands of `collsim`, each in its own file cmd_NAME.c.
//
// A subcommand gets its own name as argv[0], parses the other arguments, prints its answer to stdout and returns the
// exit status: 0 on success, 1 if a check failed, 2 on bad input. With 2 it sets *error to one line, which main prints.
// If --help is given, it returns 2 with COLLSIM_ERROR_HELP and the text, which main prints to stdout before it returns
// 0.
#pragma once
#include "ask/description.h"
#include <glib.h>

int cmd_list(int argc, char **argv, GError **error);
int cmd_show(int argc, char **argv, GError **error);
int cmd_sweep(int argc, char **argv, GError **error);
int cmd_run(int argc, char **argv, GError **error);
int cmd_best(int argc, char **argv, GError **error);
int cmd_crossover(int argc, char **argv, GError **error);
int cmd_check(int argc, char **argv, GError **error);
int cmd_audit(int argc, char **argv, GError **error);
int cmd_bound(int argc, char **argv, GError **error);
int cmd_report(int argc, char **argv, GError **error);
int cmd_app(int argc, char **argv, GError **error);
int cmd_guidelines(int argc, char **argv, GError **error);
int cmd_regret(int argc, char **argv, GError **error);
int cmd_measure(int argc, char **argv, GError **error);
int cmd_merge(int argc, char **argv, GError **error);
int cmd_explore(int argc, char **argv, GError **error);
int cmd_plot(int argc, char **argv, GError **error);
int cmd_calibrate(int argc, char **argv, GError **error);
int cmd_compare(int argc, char **argv, GError **error);
int cmd_validate(int argc, char **argv, GError **error);
int cmd_export(int argc, char **argv, GError **error);
int cmd_learn(int argc, char **argv, GError **error);
int cmd_matrix(int argc, char **argv, GError **error);
int cmd_traffic(int argc, char **argv, GError **error);
int cmd_network(int argc, char **argv, GError **error);
int cmd_trace(int argc, char **argv, GError **error);
int cmd_tune(int argc, char **argv, GError **error);
int cmd_cite(int argc, char **argv, GError **error);
int cmd_new(int argc, char **argv, GError **error);
int cmd_rules(int argc, char **argv, GError **error);

// A subcommand, and what `collsim --help` says about it.
typedef struct Command {
    const char *name, *summary;
    int (*run)(int argc, char **argv, GError **error);
} Command;
extern const Command commands[]; // in the order of --help, ended by one without a name

// Returns the subcommand of this name, or NULL.
const Command *commands_find(const char *name);
// Returns what a subcommand takes, or one of its kinds if `kind` is not NULL. Returns NULL if there is no such kind.
// Free with description_free.
Description *commands_describe(const Command *command, const char *kind);

// These two, which --help does not list, serve the installation: they print the candidates for the next word of a
// command line, and the manual pages.
int cmd_complete(int argc, char **argv, GError **error);
int cmd_man(int argc, char **argv, GError **error);
