#include "base/error.h"
#include "base/nearest.h"
#include "cli.h"
#include "export/export.h"
#include <string.h>

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv, GError **error);
} kinds[] = {
    {"goal", "a GOAL schedule, for LogGOPSim and collsim run --goal", export_goal},
    {"dot", "a schedule as a graph, for Graphviz", export_dot},
    {"smpi-platform", "a platform for SimGrid, and the command that uses it", export_smpi},
};

static int help(GError **error)
{
    GString *s =
        g_string_new("Usage:\n  collsim export KIND ...\n\nWrites schedules and platforms for other programs.\n\n");
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        g_string_append_printf(s, "  %-14s %s\n", kinds[i].name, kinds[i].summary);
    g_string_append(s, "\n  collsim export goal bcast binomial -p 8 -m 8K -o bcast.goal\n"
                       "\n`collsim export KIND --help` explains a kind.\n");
    g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP, s->str);
    g_string_free(s, TRUE);
    return 2;
}

int cmd_export(int argc, char **argv, GError **error)
{
    const char *names[G_N_ELEMENTS(kinds) + 1] = {NULL};
    int kind;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        names[i] = kinds[i].name;
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return help(error);
    if (argc < 2) {
        g_autofree char *list = g_strjoinv(", ", (char **)(uintptr_t)names);
        bad_input(error, "export takes KIND, but KIND is missing; allowed: %s; see collsim export --help", list);
        return 2;
    }
    if (!nearest_find("kind of export", argv[1], names, &kind, error))
        return 2;
    g_autofree char *name = g_strdup_printf("export %s", argv[1]);
    argv[1] = name;
    return kinds[kind].run(argc - 1, argv + 1, error);
}
