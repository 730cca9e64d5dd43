#include "answer/search/best.h"
#include "answer/search/whatif.h"
#include "ask/ask.h"
#include "ask/machines.h"
#include "ask/options.h"
#include "base/error.h"
#include "cli.h"
#include "engine/schedule/parse.h"

static const char help_text[] = "Finds the fastest algorithms of a collective for each p and m, each with its\n"
                                "best parameters, by simulation.\n"
                                "\n"
                                "  collsim best bcast -p 64,1024 -m 1K..4M:x64\n"
                                "  collsim best allreduce -p 1024 -m 8M --element 8 --platform lumi --top 10\n"
                                "  collsim best bcast -p 96x32 -m 64K --platform leonardo\n"
                                "  collsim best reduce -p 8,16 -m 64,64K --model shared\n"
                                "\n"
                                "For a parameter that is a number, it tries up to 8, 16, 32, the cube root and\n"
                                "the square root of p, p-1 and p, and the values for which its formula promises\n"
                                "the least times; for a radix without a formula, on up to 256 ranks, those with\n"
                                "the least bounds. For the ranks of a group, and for leaders, it also tries the\n"
                                "ranks of a node divided by 1 .. 8; for a number of rounds and for a choice,\n"
                                "every value. Limits of open requests, and extra rounds on over 256 ranks, are at\n"
                                "first at most 2, or what the formula promises.\n"
                                "\n"
                                "Then it combines other parts of composed algorithms, their parameters and their\n"
                                "segments: those that the messages of a few ranks say are the fastest. After that\n"
                                "it changes one of them at a time, also in parts of parts, as long as that makes\n"
                                "one the fastest, and also from choices of parts that were the fastest before.\n"
                                "Other parts come with parameters of their own; on over 128 ranks, only once\n"
                                "those with their defaults gain nothing. At last, for each number of an algorithm\n"
                                "that is at most 10% behind the fastest (2% on over 128 ranks), and of its parts,\n"
                                "it tries values up to 16, and those near the present one. --param fixes a part,\n"
                                "as in outer=recexch and outer.radix=4.\n"
                                "\n"
                                "The search gives up where little can be gained. It leaves an algorithm after 8\n"
                                "tries that gain nothing, more on few ranks, fewer where runs take long; but a\n"
                                "choice of algorithms as parts that may win runs once, unless its bound is that\n"
                                "of the try before. Above 128 ranks, what takes over 1.25 times as long as the\n"
                                "fastest once its parts were combined is changed no more (over 1.04 times, if a\n"
                                "run has 16384 messages or more), and no parts are replaced if the fastest takes\n"
                                "at most 0.1% longer than the lower bound. Above 256 ranks, limits of open\n"
                                "requests are tried with the fastest setting alone, and settings count once if a\n"
                                "sample of the ranks does the same with them.\n"
                                "\n"
                                "What costs much must promise much. Other parts whose simulation takes a second\n"
                                "or more are not tried if they can be at most 1% faster than the fastest (3%\n"
                                "under other models than hockney), nor is what has over 16 million messages if it\n"
                                "can be at most 10% faster (more under other models). Where no closed form holds,\n"
                                "a setting of over 4 million messages runs only if it can be the fastest of all;\n"
                                "on over 128 ranks, so does one of over 262144 messages without parts, after the\n"
                                "first of its algorithm, and it waits until parts were replaced.\n"
                                "Above 128 ranks, costly parts must also promise to be the fastest if they exceed\n"
                                "their bounds nearly as much as the algorithm's earlier runs did. On nodes, once\n"
                                "parts were combined, a part that was slower than another one, in a run of over\n"
                                "32768 messages, is not tried again beside other parts; and after 4 changes with\n"
                                "524288 messages that gain nothing, another parameter comes.\n"
                                "\n"
                                "The answer ends with how many settings were searched: those excluded by forms\n"
                                "and bounds cannot be the fastest, those stopped had taken as long as the best of\n"
                                "their algorithm, and those not tried were given up by these rules.\n"
                                "\n"
                                "--defaults keeps all parameters and parts at their defaults. The answer is then\n"
                                "the first rows of `collsim run COLLECTIVE all`, or others that tie with them.\n"
                                "What cannot be among them is not simulated, which takes a fraction of the time.\n"
                                "It is the command for a map of winners:\n"
                                "\n"
                                "  collsim best bcast --defaults --top 2 -p 2..1K:x2 -m 8..1M:x8 -f csv > b.csv\n"
                                "\n"
                                "--root R asks about another root than rank 0, and --counts and --displs about\n"
                                "blocks that differ, as in `collsim run`. What is best can differ on nodes:\n"
                                "\n"
                                "  collsim best gatherv -p 12x32 -m 64K --root 40 --counts linear\n"
                                "\n"
                                "ALGORITHM, names joined by commas or files with algorithms of your own, are in\n"
                                "the answer with their best parameters even where others are faster.\n"
                                "\n"
                                "  collsim best bcast ./mine.c -p 1000 -m 1M\n"
                                "\n"
                                "Lists in --platform and --set show machines side by side:\n"
                                "\n"
                                "  collsim best allreduce -p 64 -m 8K --platform lumi,alps --set alpha=x1,x0.5\n"
                                "\n"
                                "--only keeps to what a version of a library can be told to run, with the\n"
                                "parameters and parts that can be told: those of algorithms that call others, of\n"
                                "HAN's algorithms on several nodes, and of MPICH's compositions there. It says\n"
                                "what the fastest saves against the library's default, and how sure that is\n"
                                "(docs/TUNING.md), and for one point the setting, if there is one.\n"
                                "\n"
                                "  collsim best bcast -p 48 -m 1M --only ompi-4.1\n"
                                "\n"
                                "--without passes over algorithms, also as parts unless they are the default\n"
                                "there. What is hybrid good for? Compare with the answer without it:\n"
                                "\n"
                                "  collsim best allreduce -p 96 -m 16K --without hybrid,reduce/hybrid\n"
                                "\n"
                                "--non-commutative leaves out what is wrong for such an operation of a reduction:\n"
                                "what needs to reorder it, and ids with which Open MPI would return a wrong\n"
                                "result without a word.\n"
                                "\n"
                                "--within 5% stops once the fastest so far takes at most 5% longer than the lower\n"
                                "bound, which no algorithm whatsoever can beat, and says whether that is proven.\n"
                                "Then the ranking has only what was simulated before.\n"
                                "\n"
                                "For segments, it tries none, powers of two, and the numbers S next to the\n"
                                "optimum S* of the closed form:\n"
                                "\n"
                                "  T = (a + a' S) alpha + (b + b'/S) m beta + (c + c'/S) m gamma\n"
                                "  S* = sqrt((b' m beta + c' m gamma) / (a' alpha))\n"
                                "\n"
                                "S counts the segments of what the algorithm cuts: the message, half of it, or a\n"
                                "rank's block. The answer has S* and T* = T(S*) next to the simulated best. A few\n"
                                "segments on a few ranks are also tried with a shorter last one, which can be\n"
                                "faster than T*. Segments that would make more than 128M messages are not tried.\n"
                                "\n"
                                "Where ranks are at several levels of the machine, or share NICs, no closed form\n"
                                "holds, and there is no S*. Above 256 ranks, where an algorithm has no formula,\n"
                                "the messages of a few ranks then say which S to try. The models measured,\n"
                                "loggops, loggp and logp have no closed forms: with them, none to 8 segments and\n"
                                "powers of two are tried, and simulated unless a bound from the messages of a few\n"
                                "ranks excludes them.\n"
                                "\n"
                                "In shared memory, --model shared, the fragment is tried from 64 bytes to the\n"
                                "whole message, with numbers of slots and radices as above.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK "\n" HELP_SKEW "\n" HELP_COUNTS "\n"
                                "Algorithms that cannot run at a point are left out, and the answer names them\n"
                                "with the reason: at its end, and in CSV and JSON as rows without a time. What\n"
                                "cannot win by its closed form, or by the messages of one rank, is not simulated;\n"
                                "every time that is printed was simulated.";

static gboolean find_top(const char *text, int *top, GError **error)
{
    size_t n = 5;
    const gboolean good = options_number("--top", text, 1, 1000, &n, error);
    *top = (int)n;
    return good;
}

// ---- Several machines -----------------------------------------------------------------------------------------------

// One machine, and the contests on it.
typedef struct BestMachine {
    RequestOptions options; // borrowed, apart from its platform and sets
    Request request;
    GPtrArray *contests, *points;
    Sheet *rows;
} BestMachine;

static void best_machine_free(gpointer data)
{
    BestMachine *x = data;
    if (x->contests)
        g_ptr_array_unref(x->contests);
    if (x->points)
        g_ptr_array_unref(x->points);
    sheet_free(x->rows);
    request_clear(&x->request);
    g_free(x);
}

static gboolean ask_request(char **words, const RequestOptions *o, const char *within, Request *r, GError **error)
{
    if (!collective_parse(words[0], &r->question.collective, error) || !ask_only(o, &r->library, error) ||
        (words[1] && !ask_algorithms(words[1], r, error)) || !request_without(r, "--without", o->without, error) ||
        !ask_points(o, r, error) || !question_no_lists(&r->question, error) || !ask_machine(o, r, error) ||
        !request_within(r, "--within", within, error))
        return FALSE;
    question_keep(&r->question);
    r->question.defaults = o->defaults;
    return TRUE;
}

// Finds the best on one machine, whose request is there. Sets points and rows.
static gboolean run_machine(BestMachine *x, GError **error)
{
    if (!contest_run_all(x->contests, NULL, NULL, error))
        return FALSE;
    x->points = g_ptr_array_new();
    for (guint i = 0; i < x->contests->len; i++) {
        const GPtrArray *ranking = ((const Contest *)x->contests->pdata[i])->ranking;
        for (guint k = 0; k < ranking->len; k++)
            g_ptr_array_add(x->points, ((Contender *)ranking->pdata[k])->point);
        if (ranking->len == 0)
            return bad_input(error, "no algorithm can run at one of these points on %s; allowed: other points",
                             x->request.machine.platform->name);
    }
    request_leave_out(&x->request, contest_left_out(x->contests, x->contests->len));
    g_autoptr(Regret) defaults = NULL;
    if (!regret_defaults(&x->request, x->contests, &defaults, error))
        return FALSE;
    x->rows = best_rows(&x->request, x->contests, defaults);
    best_add_left_out(x->rows, &x->request, x->contests);
    return TRUE;
}

// Returns the exit status.
static int best_machines(char **words, const RequestOptions *o, const char *within, int top, const GPtrArray *asked,
                         GError **error)
{
    g_auto(Answer) answer = {0};
    g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func(best_machine_free);
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(WhatIf));
    for (guint i = 0; i < asked->len; i++) {
        BestMachine *x = g_new0(BestMachine, 1);
        g_ptr_array_add(machines, x);
        x->options = *o;
        x->options.platform = ((const AskedMachine *)asked->pdata[i])->platform;
        x->options.sets = ((const AskedMachine *)asked->pdata[i])->sets;
        if (!ask_request(words, &x->options, within, &x->request, error) ||
            !(x->contests = contest_make_all(&x->request, top, error)))
            return 2;
    }
    if (!answer_open(&answer, &o->answer, error) || !whatif_check(&answer, machines->len, error))
        return 2;
    for (guint i = 0; i < machines->len; i++) {
        BestMachine *x = machines->pdata[i];
        if (!run_machine(x, error))
            return 2;
        const WhatIf machine = {&x->request, x->points, x->rows, x->contests};
        g_array_append_val(shown, machine);
    }
    whatif_best(&answer, shown);
    return answer_close(&answer, error) ? 0 : 2;
}

// ---- The command ----------------------------------------------------------------------------------------------------

int cmd_best(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {.seeds = TRUE, .one_root = TRUE};
    g_autofree char *most = NULL, *within = NULL;
    const GOptionEntry entries[] = {
        PORT_ENTRIES_ON(o, ENTRY_PLATFORMS, ENTRY_SETS),
        NETWORK_ENTRIES(o.on),
        SKEW_ENTRIES(o.skew),
        ENTRY_ONLY(o.only),
        ENTRY_NON_COMMUTATIVE(o.ordered),
        ENTRY_BYTES(o.sizes),
        ENTRY_ONE_ROOT(o.root),
        ENTRY_COUNTS(o.counts),
        ENTRY_DISPLS(o.displs),
        ENTRY_STRINGS("param", o.params, "fix a parameter, such as segment=64K", "NAME=VALUE"),
        ENTRY_STRING("without", 0, o.without, "pass over these algorithms, as parts too", "NAME,NAME.."),
        {"defaults", 0, 0, G_OPTION_ARG_NONE, &o.defaults, "try no parameters but the defaults, as run all", NULL},
        ENTRY_STRING("top", 0, most, "print at most N algorithms (default 5)", "N"),
        ENTRY_STRING("within", 0, within, "stop once the fastest is proven so near", "PERCENT"),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    int top = 0;
    if (!options_parse(argc, argv, "COLLECTIVE [ALGORITHM]", help_text, entries, 1, 2, &words, error) ||
        !find_top(most, &top, error))
        return 2;
    g_autoptr(GPtrArray) machines = machines_make(o.platform, o.sets, error);
    if (!machines)
        return 2;
    if (machines->len > 1)
        return best_machines(words, &o, within, top, machines, error);
    if (!ask_request(words, &o, within, &r, error))
        return 2;
    g_autoptr(GPtrArray) contests = contest_make_all(&r, top, error);
    g_autoptr(Regret) defaults = NULL;
    if (!contests || !answer_open(&answer, &o.answer, error) || !regret_defaults(&r, contests, &defaults, error))
        return 2;
    g_auto(BestReport) report = {0};
    best_begin(&report, &answer, &r, contests, defaults);
    // A map of winners is soon complete, and the sooner if its longest searches come first.
    if (!contest_run_all(contests, o.defaults ? NULL : best_ready, &report, error))
        return 2;
    best_ready(contests->len, &report);
    best_end(&report);
    return answer_close(&answer, error) ? 0 : 2;
}
