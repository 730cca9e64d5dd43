// The program collsim: runs the subcommand that its first argument names, and prints the error if there is one.
#include "cli.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

typedef struct Command {
    const char *name, *summary;
    int (*run)(int argc, char **argv, GError **error);
} Command;

static const Command commands[] = {
    {"list", "the algorithms", cmd_list},
    {"show", "what an algorithm does, needs and costs", cmd_show},
    {"run", "predict how long algorithms take", cmd_run},
    {"best", "the best algorithm, with its best parameters", cmd_best},
    {"crossover", "the size from which one algorithm is the faster", cmd_crossover},
    {"check", "hold simulation against the exact formulas", cmd_check},
    {"audit", "tell which published cost formulas hold", cmd_audit},
    {"bound", "lower bounds, and how near the fastest comes", cmd_bound},
    {"measure", "measure them with a real MPI", cmd_measure},
    {"plot", "draw time over size or ranks", cmd_plot},
    {"calibrate", "take a machine's figures from measurements", cmd_calibrate},
    {"export", "write schedules for other programs", cmd_export},
};

static void help(FILE *to)
{
    fputs("Usage: collsim COMMAND ...\n\n"
          "Predicts how long collective algorithms take, without the hardware: simulated message by message,\n"
          "the answer as an exact formula.\n\n",
          to);
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n  collsim run allreduce all -p 1024 -m 1M --platform lumi\n"
          "  collsim COMMAND --help tells a command's options; exit status: 0 done, 1 a check failed, 2 bad input\n",
          to);
}

static int fail(const char *message)
{
    g_autofree char *plain = escape_terminal(message);
    fprintf(stderr, "collsim: %s\n", plain);
    return 2;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    const char *names[G_N_ELEMENTS(commands) + 1] = {NULL};
    g_autoptr(GError) error = NULL;
    int status = -1;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        status = (help(stdout), 0);
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], names[i]) == 0)
            status = commands[i].run(argc - 1, argv + 1, &error);
    }
    if (status < 0)
        status = (nearest_unknown("command", argv[1], names, &error), 2);
    if (g_error_matches(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP))
        status = (fputs(error->message, stdout), 0);
    else if (error)
        fail(error->message);
    // A full disk shows here at the latest. A closed pipe has already ended the program by its signal.
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail(errno ? g_strerror(errno) : "cannot write the output");
    return status;
}
