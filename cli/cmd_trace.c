#include "answer/report/report.h"
#include "answer/engine/trace_answer.h"
#include "ask/ask.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli.h"
#include "engine/trace/space_time.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char help_text[] = "Writes what every rank of a run does when, as JSON that Perfetto opens\n"
                                "(ui.perfetto.dev, or chrome://tracing).\n"
                                "\n"
                                "  collsim trace allreduce ring -p 8 -m 1M -o ring.json\n"
                                "  collsim trace bcast binomial -p 4x8 -m 64K --platform lumi -o bcast.json\n"
                                "  collsim trace allreduce ring -p 256 -m 1M --ranks 0..15 --to 1ms -o r.json\n"
                                "  collsim trace --goal bcast.goal -o bcast.json\n"
                                "\n"
                                "Each node, or each rank if there is no map, is a process. A rank has a track of\n"
                                "what it does (CPU), and one of each port: the messages that occupy it. A message\n"
                                "that passes the in-port without occupying it is a mark there. Arrows join the\n"
                                "ends of a message. The process `run` has the critical path and the bytes in\n"
                                "flight. Times are those of `collsim run`, to the ns. A node that shares its\n"
                                "NICs or its memory has tracks of these.\n"
                                "\n"
                                "In the LogP family, which runs --goal unless --model names another, a CPU has o\n"
                                "and the O of each byte, and the two directions of a NIC have g and G.\n"
                                "\n"
                                "--format svg, or -o FILE.svg, draws up to 64 ranks instead: ranks down, time\n"
                                "across, messages as bands, waiting hatched, the critical path strong.\n"
                                "\n"
                                "  collsim trace allreduce rabenseifner -p 13 -m 64K -o rabenseifner.svg\n"
                                "\n"
                                "A trace has at most 400,000 events. Of a larger run it has the critical path,\n"
                                "and ranks 0 to 63 from the start on as far as there is room, or what --ranks,\n"
                                "--from and --to ask for; a note says what is missing.\n"
                                "\n" HELP_BYTES "\n" HELP_NODES "\n" HELP_ON_NETWORK "\n" HELP_SKEW;

static const char usage[] = "COLLECTIVE ALGORITHM, or --goal FILE";

typedef struct TraceOptions {
    RequestOptions request;
    char *output, *from, *to, *ranks, *format, *goal;
} TraceOptions;

static void options_clear(TraceOptions *o)
{
    request_options_clear(&o->request);
    g_free(o->output);
    g_free(o->from);
    g_free(o->to);
    g_free(o->ranks);
    g_free(o->format);
    g_free(o->goal);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceOptions, options_clear)

static gboolean parse_moment(const char *option, const char *text, double *out, GError **error)
{
    if (!text || units_parse_time(text, out, error))
        return TRUE;
    g_prefix_error(error, "%s: ", option);
    return FALSE;
}

static int by_number(gconstpointer a, gconstpointer b)
{
    return *(const int *)a - *(const int *)b;
}

// Sets wish->ranks (free with g_array_unref) and its window.
static gboolean make_wish(const TraceOptions *o, int p, LedgerWish *wish, GError **error)
{
    if (!parse_moment("--from", o->from, &wish->from, error) || !parse_moment("--to", o->to, &wish->to, error))
        return FALSE;
    if (o->to && wish->to <= wish->from)
        return bad_input(error, "--to %s; allowed: a time after --from", o->to);
    if (!o->ranks)
        return TRUE;
    g_autoptr(GArray) list = units_parse_list(o->ranks, "--ranks", 0, (size_t)p - 1, error);
    if (!list)
        return FALSE;
    wish->ranks = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < list->len; i++) {
        const int rank = (int)g_array_index(list, size_t, i);
        g_array_append_val(wish->ranks, rank);
    }
    g_array_sort(wish->ranks, by_number);
    for (guint i = 1; i < wish->ranks->len;)
        if (g_array_index(wish->ranks, int, i) == g_array_index(wish->ranks, int, i - 1))
            g_array_remove_index(wish->ranks, i);
        else
            i++;
    return TRUE;
}

// Returns FALSE and an error if there are too many ranks for a picture.
static gboolean fits_picture(int p, const LedgerWish *wish, GError **error)
{
    const int n = wish->ranks ? (int)wish->ranks->len : p;
    return n <= SPACE_TIME_RANKS ||
           bad_input(error, "a picture of %d ranks; allowed: at most %d, see --ranks", n, SPACE_TIME_RANKS);
}

// Returns the exit status.
static int trace_algorithm(char **words, const TraceOptions *o, LedgerWish *wish, bool picture, GError **error)
{
    g_auto(Request) r = {0};
    g_auto(Output) output = {0};
    if (!ask_operation(words, &o->request, &r, error) || !ask_machine(&o->request, &r, error))
        return 2;
    g_autoptr(GPtrArray) points = points_make(&r, error);
    if (!points || !trace_check(&r.machine, points, wish, error))
        return 2;
    Point *x = g_ptr_array_index(points, 0);
    if (!make_wish(o, x->p, wish, error) || (picture && !fits_picture(x->p, wish, error)) ||
        !output_open(&output, o->output, error) || !point_run(x, &r, error) || !points_any(points, error))
        return 2;
    if (!point_timed(x))
        return report_stuck(points);
    if (!trace_reaches(wish, x->time_s, error))
        return 2;
    trace_report(&r, x, wish, picture, output.to);
    ask_note_unknowns(&r);
    return output_close(&output, error) ? 0 : 2;
}

static int trace_goal(const TraceOptions *o, LedgerWish *wish, bool picture, GError **error)
{
    g_auto(GoalRun) x = {.file = o->goal, .sets = o->request.sets, .timed = true};
    g_auto(Output) output = {0};
    if (!goal_run_make(&x, &o->request, "--platform, --set, --model, --ranks, --from, --to, -f, -o", error))
        return 2;
    const int p = (int)goal_n_hosts(x.goal);
    if (!make_wish(o, p, wish, error) || (picture && !fits_picture(p, wish, error)) || !goal_run_go(&x, wish, error))
        return 2;
    if (!goal_run_ended(&x))
        return 1;
    if (!trace_reaches(wish, goal_run_time(&x), error) || !output_open(&output, o->output, error))
        return 2;
    trace_report_goal(&x, wish, picture, output.to);
    return output_close(&output, error) ? 0 : 2;
}

int cmd_trace(int argc, char **argv, GError **error)
{
    g_auto(TraceOptions) o = {.request.libraries = TRUE, .request.seeds = TRUE, .request.one_root = TRUE};
    const GOptionEntry entries[] = {
        ONE_RUN_ENTRIES("np", o.request),
        NETWORK_ENTRIES(o.request.on),
        ENTRY_PLATFORM(o.request.platform),
        ENTRY_SET(o.request.sets),
        ENTRY_MODEL(o.request.model),
        ENTRY_TRANSFER(o.request.transfer),
        SKEW_ENTRIES(o.request.skew),
        {"goal", 0, 0, G_OPTION_ARG_FILENAME, &o.goal, "a GOAL schedule (- for standard input)", "FILE"},
        ENTRY_STRING("ranks", 0, o.ranks, "the ranks to show, as 0..15,64", "LIST"),
        ENTRY_STRING("from", 0, o.from, "show what ends at TIME or later", "TIME"),
        ENTRY_STRING("to", 0, o.to, "show what begins at TIME or before", "TIME"),
        ENTRY_STRING("format", 'f', o.format, "json (default), or svg: a space-time picture", "FORMAT"),
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    static const char *const formats[] = {"json", "svg", NULL};
    if (!options_parse(argc, argv, usage, help_text, entries, 0, 2, &words, error) ||
        !options_check_goal("trace", usage, words, o.goal != NULL, error))
        return 2;
    int format = o.output && g_str_has_suffix(o.output, ".svg");
    if (o.format && !nearest_find("format", o.format, formats, &format, error))
        return 2;
    LedgerWish wish = {.ranks = NULL};
    const int status =
        o.goal ? trace_goal(&o, &wish, format == 1, error) : trace_algorithm(words, &o, &wish, format == 1, error);
    if (wish.ranks)
        g_array_unref(wish.ranks);
    return status;
}
