// The program collsim: runs the subcommand that its first argument names, and prints the error if there is one.
#define _GNU_SOURCE // RTLD_NEXT
#include "cli.h"
#include "base/version.h"
#include "base/budget.h"
#include "base/ending.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "base/output.h"
#include "base/progress.h"
#include "serve.h"
#include "engine/plugin/plugin.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SERVED_SECONDS = 60 }; // of CPU time for a request of `collsim serve`

static void help(FILE *to)
{
    fputs("Usage: collsim COMMAND ...\n\n"
          "Predicts how long collective algorithms take on a machine that you do not need\n"
          "to have: simulates every message, and gives the time as an exact formula.\n\n"
          "  collsim run allreduce all -p 1024 -m 1M --platform lumi\n\n",
          to);
    for (const Command *c = commands; c->name; c++)
        fprintf(to, "  %-10s %s\n", c->name, c->summary);
    fputs("\n`collsim help COMMAND` explains a command, `collsim --version` prints a version.\n"
          "The exit status is 0 if all went well, 1 if a check failed, and 2 if the input\n"
          "was wrong.\n",
          to);
}

static int fail(const char *message)
{
    g_autofree char *plain = escape_terminal(message);
    fprintf(stderr, "collsim: %s\n", plain);
    return 2;
}

static gboolean is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run_command(int argc, char **argv, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    int i = 0;
    if (argv[0][0] == '-') {
        g_autofree char *shown = error_quote(argv[0]);
        return bad_input(error, "option %s stands before the command; allowed: collsim COMMAND, then options", shown),
               2;
    }
    for (const Command *c = commands; c->name; c++)
        g_ptr_array_add(names, (gpointer)(uintptr_t)c->name);
    g_ptr_array_add(names, NULL);
    if (!nearest_find("command", argv[0], (const char *const *)names->pdata, &i, error))
        return 2;
    argv[0] = names->pdata[i];
    return commands[i].run(argc, argv, error);
}

// Runs `collsim help COMMAND ..` as `collsim COMMAND .. --help`, where .. may be the kind of an export.
static int help_command(int argc, char **argv, GError **error)
{
    g_autofree char **words = g_new0(char *, argc + 2);
    char option[] = "--help";
    memcpy(words, argv, (size_t)argc * sizeof *words);
    words[argc] = option;
    return run_command(argc + 1, words, error);
}

// Opens /dev/null in place of those of stdin, stdout and stderr that the caller has closed. Otherwise the next file
// that the program opens would get such a number, and messages to stderr would go into it. It is opened for reading, so
// that writing to a closed stdout fails.
static void open_standard(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd > STDERR_FILENO)
        close(fd);
}

// A broken promise of an entry is a bug if the entry is built in, and the program then ends as bugs do. The entry of a
// plugin is the user's: the same sentence is printed as one line, and the exit status is 1.
static void print_bug(const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
    if (!(level & G_LOG_LEVEL_ERROR) || plugin_all()->len == 0) {
        g_log_default_handler(domain, level, message, data);
        return;
    }
    const Plugin *only = plugin_all()->len == 1 ? plugin_all()->pdata[0] : NULL;
    g_autofree char *text = only ? g_strdup_printf("%s: %s", only->file, message) : g_strdup(message),
                    *plain = escape_terminal(text), *line = g_strdup_printf("collsim: %s\n", plain);
    ending_with(line, 1);
}

// Ends the program as the C library's function of this name does, unless it is too early.
static void G_GNUC_NORETURN leave(const char *name, int status)
{
    void (*real)(int);
    ending_refuse();
    void *const next = dlsym(RTLD_NEXT, name);
    memcpy(&real, &next, sizeof real);
    real(status);
    ending_immediate(status);
}

// The code of a plugin that ends the program finds these functions in place of the C library's, so that its call does
// not end the program before the answer.
void exit(int status)
{
    leave("exit", status);
}

void quick_exit(int status)
{
    leave("quick_exit", status);
}

void _exit(int status)
{
    ending_immediate(status);
}

void _Exit(int status)
{
    ending_immediate(status);
}

// GLib calls this function to print why an assertion failed. It writes to stderr, because stdout is for answers.
static void print_error(const char *text)
{
    fputs(text, stderr);
}

// Runs the command and returns the exit status.
static int answer(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    int status = 0;
    if (argc < 2) {
        help(stderr);
        return 2;
    }
    if (is_one_of(argv[1], "--version", "-V"))
        puts("collsim " COLLSIM_VERSION);
    else if (is_one_of(argv[1], "--help", "-h") || (strcmp(argv[1], "help") == 0 && argc == 2))
        help(stdout);
    else if (strcmp(argv[1], "help") == 0)
        status = help_command(argc - 2, argv + 2, &error);
    else if (strcmp(argv[1], "complete") == 0)
        status = cmd_complete(argc - 1, argv + 1, &error);
    else if (strcmp(argv[1], "serve") == 0)
        status = serve_requests(run_command, SERVED_SECONDS);
    else if (strcmp(argv[1], "man") == 0)
        status = cmd_man(argc - 1, argv + 1, &error);
    else
        status = run_command(argc - 1, argv + 1, &error);
    if (g_error_matches(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP)) {
        status = (fputs(error->message, stdout), 0);
        g_clear_error(&error);
    }
    // If the disk is full, the last write fails at the latest here. A closed pipe ends the program by its signal
    // before.
    if (!error && !output_check_stdout(&error))
        status = 2;
    if (error)
        fail(error->message);
    return status;
}

int main(int argc, char **argv)
{
    open_standard();
    ending_guard();
    output_prepare();
    setlocale(LC_CTYPE, "");
    g_set_print_handler(print_error);
    g_log_set_default_handler(print_bug, NULL);
    budget_guard();
    progress_allow();
    const int status = answer(argc, argv);
    ending_allow();
    return status;
}
