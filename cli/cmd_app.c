#include "answer/advice/app.h"
#include "ask/ask_profile.h"
#include "advice/app/profile.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/units.h"
#include "cli.h"
#include <string.h>

static const char help_text[] = "Predicts how long the collectives of an application take, which of them take how\n"
                                "much of this time, what a library's defaults cost, and what settings save. The\n"
                                "last line is the command that writes the rules file for these calls.\n"
                                "\n"
                                "  collsim app experiments/profiles/example.csv --for ompi-4.1 --platform lumi\n"
                                "\n"
                                "PROFILE is a CSV, a report of mpiP, or XML of IPM (the banner that IPM prints\n"
                                "has no sizes of calls). A CSV needs the columns collective, calls (of one rank)\n"
                                "and bytes, and may have ranks, bytes_are, per_node, element and time_s (of one\n"
                                "rank in all of these calls). For example\n"
                                "\n"
                                "  collective,calls,bytes,ranks\n"
                                "  allreduce,1000,128,48\n"
                                "  bcast,10,1048576,48\n"
                                "\n"
                                "bytes are what -m is elsewhere: the whole vector of bcast, reduce, allreduce,\n"
                                "reduce_scatter, scan and exscan, and one rank's block of others (of alltoall:\n"
                                "for one other rank). bytes_are says if they are not: `block` is one rank's\n"
                                "block, also of reduce_scatter, and `total` all p blocks together.\n"
                                "\n"
                                "-p is for profiles that do not say the size of communicators. mpiP and IPM do\n"
                                "not, and without -p all ranks of the program take part in each call, on the\n"
                                "nodes that the profile has. Calls and times of these are means over the ranks.\n"
                                "Elements of reductions have 8 bytes, or 4, 2 or 1 if the size is not a multiple\n"
                                "of 8, and others 1, unless the profile says otherwise; --element counts\n"
                                "more than both in reductions.\n"
                                "\n"
                                "Without --for, each call runs the best of all algorithms. With it, the best is\n"
                                "what the library's file can name and what is right for any operation: what that\n"
                                "command's file saves. `collsim regret` may know better for one that commutes.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

// ---- The command ----------------------------------------------------------------------------------------------------

int cmd_app(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *library = NULL, *most = NULL;
    const GOptionEntry entries[] = {
        ENTRY_STRING("for", 0, library, "the library whose defaults count, as ompi-4.1", "LIB"),
        ENTRY_STRING("ranks", 'p', o.ranks, "ranks of each call (default what the profile says)", "P"),
        ENTRY_STRING("element", 0, o.element, "size of an element of reductions, in bytes", "BYTES"),
        MACHINE_ENTRIES(o),
        ANSWER_ENTRIES(o.answer),
        ENTRY_NON_COMMUTATIVE(o.ordered),
        ENTRIES_HAN(o),
        ENTRY_STRING("top", 0, most, "print at most N kinds of calls (default 20)", "N"),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    size_t top = 20;
    if (!options_parse(argc, argv, "PROFILE", help_text, entries, 1, 1, &words, error) ||
        !options_number("--top", most, 1, 1000, &top, error))
        return 2;
    g_autoptr(Profile) profile = ask_profile(words[0], &o, FALSE, error);
    if (!profile)
        return 2;
    gboolean called[N_COLLECTIVES];
    if (!ask_calls("app", library, profile, &o, called, &r, error) || !answer_open(&answer, &o.answer, error))
        return 2;
    g_autoptr(Mix) mix = mix_compute(&r, profile, error);
    if (!mix)
        return 2;
    app_report(&answer, &r, profile, mix, &o, (guint)top);
    return answer_close(&answer, error) ? 0 : 2;
}
