#include "answer/engine/goal_answer.h"
#include "answer/report/report.h"
#include "answer/engine/trace_answer.h"
#include "answer/search/whatif.h"
#include "ask/ask.h"
#include "out/note.h"
#include "ask/options.h"
#include "ask/machines.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cli.h"
#include "engine/schedule/goal_entry.h"
#include "engine/goal/goal_text.h"
#include "engine/schedule/parse.h"
#include <stdio.h>
#include <string.h>

static const char help_text[] =
    "Predicts how long an algorithm takes, or ranks several algorithms.\n"
    "\n"
    "  collsim run bcast binomial -p 32768 -m 8K\n"
    "  collsim run allreduce all -p 1024 -m 8..16M:x8 --platform lumi\n"
    "  collsim run allreduce rabenseifner,ring -p 64 -m 1M\n"
    "  collsim run bcast pipeline -p 8 -m 1M --param segment=8K,64K\n"
    "  collsim run allreduce all -p 96x32 -m 8,64K --platform leonardo\n"
    "  collsim run bcast pipeline -p 8 -m 1M --param segment=64K --why\n"
    "  collsim run --goal bcast.goal --model hockney --platform lumi -p 4x2\n"
    "\n"
    "ALGORITHM is a name that `collsim list` prints, all, or several of these joined\n"
    "by commas. LIB:auto is what an MPI library runs by default, as ompi-4.1:auto.\n"
    "LIB:NAME or LIB:ID is an algorithm that it has. LIB is a library and its\n"
    "version, as ompi-5, mpich-4.3 or ucc-1.4 (an unknown one lists all), or without\n"
    "it, as ompi (4.1).\n"
    "\n"
    "  collsim run allreduce ompi:all,ompi:auto -p 48 -m 128 --element 8\n"
    "  collsim run bcast all,./mine.c -p 1024 -m 64K\n"
    "\n"
    "A word with a / or one that ends in .c or .so is a file with algorithms of your\n"
    "own (docs/PLUGINS.md). It is code, and runs with your rights.\n"
    "\n"
    "With --only LIB, all and names are those of this library. --non-commutative is\n"
    "for an operation that must not be reordered: libraries decide for it, and an\n"
    "algorithm that would reorder it does not run, or its fallback does.\n"
    "\n"
    "The formula that is printed is exact: it counts the messages (alpha),\n"
    "the bytes sent (beta) and the bytes reduced (gamma) on the critical path.\n"
    "\n" HELP_BYTES "\n" HELP_LISTS "\n" HELP_NODES "\n" HELP_ON_NETWORK "\n" HELP_SKEW "\n" HELP_COUNTS "\n"
    "The model is measured if the platform has the times for it, and otherwise\n"
    "hockney, unless --model names another. The model shared times the algorithms of\n"
    "shared memory (shm_*), the other models all others. `all` stands for those that\n"
    "the model times.\n"
    "\n"
    "Lists in --platform and --set show machines side by side:\n"
    "\n"
    "  collsim run allreduce all -p 64 -m 8 --platform lumi,alps --set beta=x1,x0.5\n"
    "\n"
    "--why says which resource the time goes into and what the messages of the\n"
    "critical path form, prints the path with the phases of the algorithm, and runs\n"
    "again with each figure halved, NICs twice as fast, and half as many ranks on a\n"
    "node.\n"
    "\n"
    "--goal runs a schedule of LogGOPSim, in its text form or as its txt2bin wrote\n"
    "it, and as LogGOPSim runs it, to the nanosecond. The platform is loggopsim\n"
    "unless --platform names another. `collsim export goal` writes a schedule. With\n"
    "--model hockney or measured, it runs on ports as an algorithm does. With a\n"
    "collective, it is an algorithm of it, named goal, and runs under any model of\n"
    "messages, beside others if they are named:\n"
    "\n"
    "  collsim run bcast all --goal bcast.goal -p 8 -m 8K";

static const char usage[] = "COLLECTIVE ALGORITHM|all, or --goal FILE";

// What the jobs of a run share.
typedef struct RunWork {
    const Request *request;
    Report *report;
} RunWork;

static gboolean run_point(gpointer point, gpointer run, GError **error)
{
    return point_run_lean(point, ((const RunWork *)run)->request, error);
}

// Asks for the times at which the ranks end if the answer has rows: tables do not show them.
static void ask_for_ends(Request *r, const Answer *answer)
{
    if (answer->format != FORMAT_TABLE)
        points_ask_for_ends(r);
}

static char *name_point(gconstpointer point, gconstpointer run)
{
    g_autofree char *name = point_name(point);
    return g_strdup_printf("%s %s", question_name(&((const RunWork *)run)->request->question), name);
}

static void points_ready(guint n, gpointer run)
{
    report_ready(n, ((const RunWork *)run)->report);
}

// ---- With --goal ----------------------------------------------------------------------------------------------------

// Runs a schedule as LogGOPSim does, and writes its trace too unless `trace` is NULL. Returns the exit status.
static int run_goal(const char *file, const RequestOptions *o, const char *trace, GError **error)
{
    const LedgerWish all = {.ranks = NULL};
    g_auto(GoalRun) x = {.file = file, .sets = o->sets, .timed = trace != NULL};
    g_auto(Answer) answer = {0};
    g_auto(Output) traced = {0};
    const gint64 start = g_get_monotonic_time();
    if (!goal_run_make(&x, o, "--platform, --set, --model, --timing, --trace, -f, -o", error))
        return 2;
    if ((trace && !output_open(&traced, trace, error)) || !answer_open(&answer, &o->answer, error))
        return 2;
    if (o->timing && answer.format == FORMAT_CSV)
        return bad_input(error, "--timing has no place in a row per rank; allowed: -f table or json"), 2;
    if (!goal_run_go(&x, trace ? &all : NULL, error))
        return 2;
    x.wall_s = o->timing ? 1e-6 * (double)(g_get_monotonic_time() - start) : -1;
    const gboolean ended = goal_run_ended(&x);
    goal_run_report(&answer, &x);
    if (trace && ended) {
        trace_report_goal(&x, &all, false, traced.to);
        if (!output_close(&traced, error))
            return 2;
    }
    return !answer_close(&answer, error) ? 2 : ended ? 0 : 1;
}

// Makes the schedule an algorithm of the collective words[0], and puts its name behind the others of words[1].
static gboolean add_goal(const char *file, RequestOptions *o, char ***words, GError **error)
{
    Collective collective = COLL_BARRIER;
    if (!collective_parse((*words)[0], &collective, error))
        return FALSE;
    Goal *schedule = goal_read(file, error);
    if (!schedule || !goal_entry_add(schedule, file, collective, error))
        return FALSE;
    if (!o->ranks)
        o->ranks = g_strdup_printf("%d", goal_entry_ranks());
    const char *others = (*words)[1];
    g_autofree char *names = !others                      ? g_strdup(GOAL_ENTRY_NAME)
                             : strcmp(others, "all") == 0 ? g_strdup(others)
                                                          : g_strconcat(others, "," GOAL_ENTRY_NAME, NULL);
    char **with = g_new0(char *, 3);
    with[0] = g_strdup((*words)[0]);
    with[1] = g_steal_pointer(&names);
    g_strfreev(*words);
    *words = with;
    return TRUE;
}

// ---- Several machines -----------------------------------------------------------------------------------------------

// One machine, and the points on it.
typedef struct RunMachine {
    RequestOptions options; // borrowed, apart from its platform and sets
    Request request;
    GPtrArray *points;
    Sheet *rows;
} RunMachine;

static void run_machine_free(gpointer data)
{
    RunMachine *x = data;
    if (x->points)
        g_ptr_array_unref(x->points);
    sheet_free(x->rows);
    request_clear(&x->request);
    g_free(x);
}

// Makes the points of all machines, so that bad input is found before anything runs.
static gboolean make_machines(char **words, const RequestOptions *o, const GPtrArray *asked, GPtrArray *machines,
                              GError **error)
{
    for (guint i = 0; i < asked->len; i++) {
        const AskedMachine *machine = asked->pdata[i];
        RunMachine *x = g_new0(RunMachine, 1);
        g_ptr_array_add(machines, x);
        x->options = *o;
        x->options.platform = machine->platform;
        x->options.sets = machine->sets;
        if (!ask_operation(words, &x->options, &x->request, error) || !ask_machine(&x->options, &x->request, error) ||
            !(x->points = points_make(&x->request, error)))
            return FALSE;
        const RunMachine *first = machines->pdata[0];
        if (x->request.machine.model->shared != first->request.machine.model->shared)
            return bad_input(error, "the machines have algorithms of messages and of shared memory; allowed: one kind");
    }
    return TRUE;
}

// Refuses what a table of several machines does not show, although their rows have it.
static gboolean check_table(const RequestOptions *o, const Answer *answer, GError **error)
{
    return answer->format != FORMAT_TABLE || (!o->memory && !o->timing) ||
           bad_input(error, "%s has no place in a table of several machines; allowed: with -f csv or json",
                     o->memory ? "--memory" : "--timing");
}

// Runs the points of several machines and shows them side by side. Returns the exit status.
static int run_machines(char **words, const RequestOptions *o, const GPtrArray *asked, GError **error)
{
    g_auto(Answer) answer = {0};
    g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func(run_machine_free);
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(WhatIf));
    int status = 0;
    if (o->why)
        return bad_input(error, "--why prints a path on one machine; allowed: without lists in --platform and --set"),
               2;
    if (!make_machines(words, o, asked, machines, error) || !answer_open(&answer, &o->answer, error) ||
        !check_table(o, &answer, error) || !whatif_check(&answer, machines->len, error))
        return 2;
    for (guint i = 0; i < machines->len; i++) {
        RunMachine *x = machines->pdata[i];
        ask_for_ends(&x->request, &answer);
        RunWork run = {&x->request, NULL};
        const ParallelWork work = {
            .run = run_point, .what = "points", .name = name_point, .user = &run, .alone = x->request.question.timing};
        if (!parallel_run(x->points, &work, error) || !points_any(x->points, error))
            return 2;
        ask_note_idle(&x->request.question, x->points);
        status = MAX(status, report_stuck(x->points));
        x->rows = report_run_sheet(&x->request, TRUE);
        report_run_rankings(x->rows, &x->request, x->points);
        const WhatIf machine = {&x->request, x->points, x->rows};
        g_array_append_val(shown, machine);
    }
    whatif_run(&answer, shown);
    return answer_close(&answer, error) ? status : 2;
}

// ---- The command ----------------------------------------------------------------------------------------------------

int cmd_run(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {.libraries = TRUE, .seeds = TRUE};
    g_autofree char *goal = NULL, *trace = NULL;
    const LedgerWish all = {.ranks = NULL};
    const GOptionEntry entries[] = {
        REQUEST_ENTRIES(o),
        ENTRY_PLATFORMS(o.platform),
        ENTRY_SETS(o.sets),
        ENTRY_MODEL(o.model),
        ENTRY_TRANSFER(o.transfer),
        NETWORK_ENTRIES(o.on),
        SKEW_ENTRIES(o.skew),
        ENTRY_ONLY(o.only),
        ENTRY_NON_COMMUTATIVE(o.ordered),
        ENTRIES_HAN(o),
        {"goal", 0, 0, G_OPTION_ARG_FILENAME, &goal, "run a GOAL schedule (- for standard input)", "FILE"},
        {"why", 0, 0, G_OPTION_ARG_NONE, &o.why, "what the time is made of, and what would help", NULL},
        {"trace", 0, 0, G_OPTION_ARG_FILENAME, &trace, "write the trace of the run too (collsim trace)", "FILE"},
        {"memory", 0, 0, G_OPTION_ARG_NONE, &o.memory, "count connections, scratch memory and copied bytes", NULL},
        ENTRY_STRING("connection", 0, o.connection, "memory per connection, in bytes (default 41989)", "BYTES"),
        {"full", 0, 0, G_OPTION_ARG_NONE, &o.full, "simulate each rank even if a few stand for all", NULL},
        {"timing", 0, 0, G_OPTION_ARG_NONE, &o.timing, "print how long the simulation itself took", NULL},
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    g_auto(Output) traced = {0};
    if (!options_parse(argc, argv, usage, help_text, entries, 0, 2, &words, error) ||
        !(goal ? options_check_words("run", usage, words, 0, 2, error)
               : options_check_words("run", usage, words, 2, 2, error)))
        return 2;
    if (goal && !words[0])
        return run_goal(goal, &o, trace, error);
    if (goal && !add_goal(goal, &o, &words, error))
        return 2;
    g_autoptr(GPtrArray) machines = machines_make(o.platform, o.sets, error);
    if (!machines)
        return 2;
    if (machines->len > 1 && trace)
        return bad_input(error, "--trace shows one run; allowed: without lists in --platform and --set"), 2;
    if (machines->len > 1)
        return run_machines(words, &o, machines, error);
    if (!ask_operation(words, &o, &r, error) || !ask_machine(&o, &r, error))
        return 2;
    g_autoptr(GPtrArray) points = points_make(&r, error);
    if (!points || (trace && !trace_check(&r.machine, points, &all, error)) ||
        (trace && !output_open(&traced, trace, error)) || !answer_open(&answer, &o.answer, error))
        return 2;
    if (o.why && answer.format == FORMAT_CSV)
        note("--why has no place in a row per point; -f table and -f json have it");
    ask_for_ends(&r, &answer);
    g_auto(Report) report = {0};
    report_begin(&report, &answer, &r, points);
    RunWork run = {&r, &report};
    // With --timing we run the points one by one, because simulations side by side slow each other down.
    const ParallelWork work = {.run = run_point,
                               .what = "points",
                               .name = name_point,
                               .ready = points_ready,
                               .user = &run,
                               .alone = r.question.timing};
    if (!parallel_run(points, &work, error) || !points_any(points, error))
        return 2;
    ask_note_idle(&r.question, points);
    goal_note_sizes(points);
    const int status = report_stuck(points);
    report_end(&report);
    if (trace && status == 0) {
        trace_report(&r, g_ptr_array_index(points, 0), &all, false, traced.to);
        if (!output_close(&traced, error))
            return 2;
    }
    return answer_close(&answer, error) ? status : 2;
}
