#include "answer/page/html_report.h"
#include "ask/ask.h"
#include "ask/ask_profile.h"
#include "out/note.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/output.h"
#include "cli.h"
#include "measurements/logs/logs.h"
#include "engine/schedule/parse.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const char help_text[] = "Writes a page of HTML about collectives on a machine, for people: what to set,\n"
                                "who wins where, what the library's defaults cost, lower bounds, how the winners\n"
                                "work, what is claimed of them, and how far the machine's figures can be\n"
                                "trusted. Below each part is the command that makes it.\n"
                                "\n"
                                "  collsim report allreduce --platform lumi -o allreduce.html\n"
                                "  collsim report --platform lumi --only mpich-4.3 -o lumi.html\n"
                                "  collsim report bcast,reduce -p 8x4,16x4 -m 8..1M:x8 -o nodes.html\n"
                                "\n"
                                "Without COLLECTIVES, all are in it. The page stands alone, has no script and no\n"
                                "date, follows the reader's choice of light or dark, and prints. Pictures need\n"
                                "gnuplot; without it they are text. A signal that stops the program leaves a\n"
                                "page of the collectives that are done, which says what it lacks. For a library,\n"
                                "a note says at the beginning how long it all takes, if that is more than 5 s.\n"
                                "\n"
                                "--only names the library, by default ompi-4.1; with --only any, winners are of\n"
                                "all algorithms, and the page has no settings. --measured FILE scores the\n"
                                "predictions against measurements, as `collsim validate` does.\n"
                                "\n"
                                "--root R makes the page about another root than rank 0, for the collectives that\n"
                                "have one. The settings, and what they save, stay those of root 0, because a\n"
                                "library's file does not tell roots apart.\n"
                                "\n"
                                "--brief FILE writes a second page, for those who decide. A sentence, a picture\n"
                                "and a table say what the settings save in each collective, and how sure that\n"
                                "is. With --app PROFILE, a profile as for `collsim app`, it also says what a run\n"
                                "saves.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

// Keeps a page that is not complete, for the case that a signal stops the program.
static gboolean keep(const GString *page, const char *said, gpointer to, GError **error)
{
    Output *const output = to;
    g_autofree char *path = escape_terminal(output->path),
                    *line = g_strdup_printf("collsim: %s; %s has what is done", said, path);
    return output_keep(output, page, line, error);
}

static const char usage[] = "[COLLECTIVE,..]";

int cmd_report(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {.one_root = TRUE};
    g_autofree char *title = NULL, *brief = NULL, *app = NULL;
    g_auto(GStrv) measured = NULL;
    const GOptionEntry entries[] = {
        ENTRY_STRING("ranks", 'p', o.ranks, "ranks (default " REPORT_RANKS "); 16x4 is 16 nodes of 4", "LIST"),
        ENTRY_STRING("bytes", 'm', o.sizes, "sizes in bytes (default " REPORT_SIZES ")", "LIST"),
        ENTRY_ONE_ROOT(o.root),
        ENTRY_ELEMENT(o.element),
        MACHINE_ENTRIES(o),
        ENTRY_STRING("only", 0, o.only, "the library (default ompi-4.1), or any", "LIB"),
        ENTRY_OF_ALL(o.of_all),
        ENTRIES_HAN(o),
        {"measured", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &measured, "hold predictions against a log, or LABEL=LOG",
         "FILE"},
        {"brief", 0, 0, G_OPTION_ARG_FILENAME, &brief, "also write a short page: what the settings save", "FILE"},
        {"app", 0, 0, G_OPTION_ARG_FILENAME, &app, "a profile: --brief says what a run of it saves", "PROFILE"},
        {"title", 't', 0, G_OPTION_ARG_STRING, &title, "replaces the page's title", "TEXT"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.answer.output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(HtmlReport) report = {.options = &o};
    g_auto(Output) output = {0}, short_output = {0};
    if (!options_parse(argc, argv, usage, help_text, entries, 0, 1, &words, error) ||
        !ask_collectives(words[0], report.chosen, error))
        return 2;
    if (!o.only || strcmp(o.only, "any") == 0) {
        char *const only = o.only ? NULL : g_strdup("ompi-4.1");
        g_free(o.only);
        o.only = only;
    }
    o.ranks = o.ranks ? o.ranks : g_strdup(REPORT_RANKS);
    report.given = o.sizes != NULL;
    o.sizes = o.sizes ? o.sizes : g_strdup(REPORT_SIZES);
    report.title = title;
    report.measured = measured;
    g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
    report.pictures = gnuplot != NULL;
    if (!gnuplot)
        note("gnuplot is not installed, so pictures are text: apt-get install gnuplot-nox");
    for (char **file = measured; file && *file; file++) { // before the seconds that the rest takes
        g_auto(LogLabel) label = {0};
        const char *path;
        if (!log_label(*file, &label, &path, error))
            return 2;
        if (strcmp(path, "-") != 0 && g_access(path, R_OK) != 0)
            return bad_input(error, "%s: %s; allowed: a file that can be read", path, g_strerror(errno)) ? 0 : 2;
    }
    if (brief && !o.only)
        return bad_input(error, "--brief says what the settings of a library save, and --only any has none; allowed: "
                                "--only LIB")
                   ? 0
                   : 2;
    if (app && !brief)
        return bad_input(error, "--app is given without --brief; allowed: both, or --brief alone") ? 0 : 2;
    g_autoptr(Profile) profile = app ? ask_profile(app, &o, TRUE, error) : NULL;
    if ((app && !profile) || !output_open(&output, o.answer.output, error) ||
        (brief && !output_open(&short_output, brief, error)))
        return 2;
    report.ready = output.temporary ? keep : NULL; // a page is kept in a file
    report.user = &output;
    g_autoptr(GString) page = html_report(&report, error);
    g_autoptr(GString) summary = page && brief ? html_brief(&report, profile, output.path, error) : NULL;
    if (!page || (brief && !summary))
        return 2;
    if (brief)
        fwrite(summary->str, 1, summary->len, short_output.to);
    fwrite(page->str, 1, page->len, output.to); // output_close() reports a failure
    return output_close(&output, error) && (!brief || output_close(&short_output, error)) ? 0 : 2;
}
