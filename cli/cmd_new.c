#include "ask/options.h"
#include "base/error.h"
#include "base/output.h"
#include "cli.h"
#include "engine/plugin/plugin_new.h"
#include "engine/schedule/parse.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char help_text[] = "Writes NAME.c: an algorithm of your own, in a file that every command takes in\n"
                                "place of a name. It is a simple one, right as it is, and its comments say what\n"
                                "to change. No file is overwritten.\n"
                                "\n"
                                "  collsim new allreduce mine\n"
                                "  collsim check ./mine.c\n"
                                "  collsim run allreduce all,./mine.c -p 64 -m 64K\n"
                                "\n"
                                "NAME has a-z, 0-9 and _, and no algorithm of the collective has it.";

int cmd_new(int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {{NULL}};
    g_auto(GStrv) words = NULL;
    Collective collective;
    if (!options_parse(argc, argv, "COLLECTIVE NAME", help_text, entries, 2, 2, &words, error) ||
        !collective_parse(words[0], &collective, error))
        return 2;
    g_autofree char *text = plugin_new_text(collective, words[1], error);
    g_autofree char *path = g_strconcat(words[1], ".c", NULL);
    struct stat about;
    if (!text)
        return 2;
    if (lstat(path, &about) == 0)
        return bad_input(error, "%s is there already; allowed: another NAME, or another folder", path), 2;
    if (!output_write(path, text, strlen(text), error))
        return 2;
    printf("collsim check ./%s  proves it; its comments say what to change\n", path);
    return 0;
}
