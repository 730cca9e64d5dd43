#include "ask/kinds.h"
#include "ask/description.h"
#include "base/error.h"
#include "base/nearest.h"
#include <stdint.h>
#include <string.h>

static int help(const CommandKinds *all, GError **error)
{
    g_autoptr(GString) s = g_string_new(NULL);
    size_t longest = 0;
    for (size_t i = 0; i < all->n; i++)
        longest = MAX(longest, strlen(all->kinds[i].name));
    g_string_printf(s, "Usage:\n  collsim %s KIND ...\n\n%s\n\n", all->command, all->about);
    for (size_t i = 0; i < all->n; i++)
        g_string_append_printf(s, "  %-*s  %s\n", (int)longest, all->kinds[i].name, all->kinds[i].summary);
    g_string_append_printf(s, "\n  %s\n\n`collsim %s KIND --help` explains a kind.\n", all->example, all->command);
    g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP, s->str);
    return 2;
}

static void add_kinds(const CommandKinds *all, GString *s)
{
    for (size_t i = 0; i < all->n; i++)
        g_string_append_printf(s, "kind\t%s\t%s\n", all->kinds[i].name, all->kinds[i].summary);
}

// Gives what ask/description.h describes.
static int describe(const CommandKinds *all, GError **error)
{
    g_autoptr(GString) s = g_string_new(NULL);
    g_autofree char *text = g_strdup_printf("%s\n\n  %s", all->about, all->example);
    g_autofree char *lines = description_of_text(text);
    g_string_printf(s, "usage\tKIND ...\n%s", lines);
    add_kinds(all, s);
    g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP, s->str);
    return 2;
}

// Runs a kind. Returns the exit status.
static int run_kind(const CommandKinds *all, size_t kind, int argc, char **argv, GError **error)
{
    g_autofree char *name = g_strdup_printf("%s %s", all->command, all->kinds[kind].name);
    argv[1] = name;
    return all->kinds[kind].run(argc - 1, argv + 1, error);
}

int kinds_run(const CommandKinds *all, int argc, char **argv, GError **error)
{
    g_autofree const char **names = g_new0(const char *, all->n + 1);
    int kind;
    for (size_t i = 0; i < all->n; i++)
        names[i] = all->kinds[i].name;
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return help(all, error);
    if (argc >= 2 && strcmp(argv[1], "--describe") == 0)
        return describe(all, error);
    if (argc < 2) {
        g_autofree char *list = g_strjoinv(", ", (char **)(uintptr_t)names);
        bad_input(error, "%s takes KIND, but KIND is missing; allowed: %s; see collsim %s --help", all->command, list,
                  all->command);
        return 2;
    }
    g_autofree char *what = g_strdup_printf("kind of %s", all->command);
    if (!nearest_find(what, argv[1], names, &kind, error))
        return 2;
    return run_kind(all, (size_t)kind, argc, argv, error);
}

gboolean kinds_try(const CommandKinds *all, int argc, char **argv, int *status, GError **error)
{
    for (size_t i = 0; argc > 1 && i < all->n; i++)
        if (g_ascii_strcasecmp(argv[1], all->kinds[i].name) == 0) {
            *status = run_kind(all, i, argc, argv, error);
            return TRUE;
        }
    return FALSE;
}
