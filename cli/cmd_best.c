#include "answer/best.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "cli.h"
#include "schedule/names.h"

static const char help_text[] =
    "The best algorithms of a collective for each p and m, each with its best parameters, by simulation.\n\n"
    "  collsim best bcast -p 64,1024 -m 1K..64M:x64\n"
    "  collsim best allreduce -p 1024 -m 8M --element 8 --platform lumi --top 10\n\n"
    "Of a parameter that is a number a few values are tried (2 .. 8, 16, 32, sqrt(p), p-1, p), of a choice\n"
    "all; the algorithms that compositions are made of stay at their defaults. Of segments: none, powers of\n"
    "two, and the best number by the closed form, T = (a + a' S) alpha + (b + b'/S) m beta + (c + c'/S) m\n"
    "gamma, and its neighbours: S* = sqrt((b' m beta + c' m gamma) / (a' alpha)), T* there, beside what was\n"
    "simulated. S counts the segments of the message, of its half, or of a rank's block, whichever it is\n"
    "that the algorithm cuts; no more are tried than make 128M messages. With few of them on few ranks a\n"
    "last segment shorter than the others is tried as well, which can be faster than T*. What does not run,\n"
    "for count < p say, is left out. Closed forms, or what a rank's own messages take, tell what cannot win\n"
    "and need not be simulated; all that is printed was.";

static gboolean find_top(const char *text, int *top, GError **error)
{
    size_t n = 5;
    const gboolean good = options_number("--top", text, 1, 1000, &n, error);
    *top = (int)n;
    return good;
}

int cmd_best(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *most = NULL;
    const GOptionEntry entries[] = {
        HOCKNEY_ENTRIES(o),
        {"bytes", 'm', 0, G_OPTION_ARG_STRING, &o.sizes, "sizes in bytes", "LIST"},
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "a parameter that is not searched, as segment=64K",
         "NAME=VALUE"},
        {"top", 0, 0, G_OPTION_ARG_STRING, &most, "so many algorithms at most (5)", "N"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    int top = 0;
    if (!options_parse(argc, argv, "COLLECTIVE", help_text, entries, 1, 1, &words, error) ||
        !find_top(most, &top, error) || !collective_parse(words[0], &r.collective, error) ||
        !ask_points(&o, &r, error) || !request_no_lists(&r, error) || !ask_machine(&o, &r, error))
        return 2;
    g_autoptr(GPtrArray) contests = contest_make_all(&r, top, error);
    if (!contests || !answer_open(&answer, &o.answer, error) || !contest_run_all(contests, error))
        return 2;
    best_report(&answer, &r, contests);
    return answer_close(&answer, error) ? 0 : 2;
}
