#include "ask/options.h"
#include "base/error.h"
#include "base/output.h"
#include "cli.h"
#include "out/sheet.h"
#include "search/sweep/merge.h"
#include <sys/stat.h>

static const char help_text[] = "Puts the rows of a sweep's shards together, in the order of the grid: the same\n"
                                "file, byte for byte, as without shards.\n"
                                "\n"
                                "  collsim merge out.csv.*.rows -o out.csv\n"
                                "\n"
                                "The shards need not come from one division: rows of 1/2 and of 3/4 and 4/4 make\n"
                                "a whole. If points are missing, nothing is written.";

enum { MOST_FILES = 1 << 20 };

// Refuses to write over a file that is read: it may be the only one with some of its rows.
static gboolean check_apart(const char *path, char **files, GError **error)
{
    struct stat to, from;
    if (!path || stat(path, &to) != 0 || !S_ISREG(to.st_mode))
        return TRUE;
    for (; *files; files++)
        if (stat(*files, &from) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
            return bad_input(error, "-o %s is one of the files to merge; allowed: another name", path);
    return TRUE;
}

int cmd_merge(int argc, char **argv, GError **error)
{
    g_autofree char *path = NULL;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    g_auto(GStrv) files = NULL;
    g_auto(Output) output = {0};
    guint64 points = 0;
    return options_parse(argc, argv, "FILE.rows...", help_text, entries, 1, MOST_FILES, &files, error) &&
                   check_apart(path, files, error) && output_open(&output, path, error) &&
                   sweep_merge(files, SHEET_SCHEMA, output.to, &points, error) && output_close(&output, error)
               ? 0
               : 2;
}
