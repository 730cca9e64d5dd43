#include "answer/engine/trace_answer.h"
#include "out/note.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "engine/loggops/loggops_ledger.h"
#include "engine/trace/chrome.h"
#include "engine/trace/space_time.h"
#include "engine/trace/trace_links.h"
#include <malloc.h>

// Makes the C library give each large array back as soon as it is freed. By default it keeps arrays up to the size of
// the largest one that was freed, and the arrays of a run, its path and the trace come one after the other.
static void return_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 18);
#endif
}

gboolean trace_check(RequestMachine *machine, const GPtrArray *points, const LedgerWish *wish, GError **error)
{
    if (points->len != 1)
        return bad_input(error, "a trace shows one run, and these are %u; allowed: one algorithm, -p, -m and root",
                         points->len);
    machine->options.ledger = wish;
    return_memory();
    return TRUE;
}

gboolean trace_reaches(const LedgerWish *wish, double time_s, GError **error)
{
    if (wish->from <= time_s)
        return TRUE;
    g_autofree char *from = units_format_time(wish->from), *end = units_format_time(time_s);
    return bad_input(error, "--from %s is after the end of the run; allowed: at most %s", from, end);
}

// A run that has been traced.
typedef struct TracedRun {
    const char *operation; // what ran, on how many ranks
    const Platform *platform;
    const Model *model;
    double time_s;
    const Ledger *ledger;
    const Mapping *map;         // NULL if there is none
    const NetworkSpec *network; // likewise
    int p, run;                 // ranks, and the run of several seeds; with a network
} TracedRun;

// Adds the busiest links, if the run was on a network.
static void add_links(const TracedRun *x, Trace *trace)
{
    const NetworkSpec *spec = x->network;
    g_autofree int *of_node = NULL, *host = g_new(int, x->p);
    g_autoptr(Network) n = spec ? placement_make(&spec->nodes, placement_seed(&spec->nodes, x->run), &spec->topology,
                                                 spec->hosts, x->map ? x->map->nodes->n : x->p, &of_node, NULL)
                                : NULL;
    for (int rank = 0; n && rank < x->p; rank++)
        host[rank] = of_node[x->map ? x->map->nodes->of[rank] : rank];
    if (n)
        trace_add_links(trace, n, host);
}

static void report(const TracedRun *x, const LedgerWish *wish, bool picture, FILE *to)
{
    g_autoptr(Trace) trace = trace_new(x->ledger, x->time_s, x->map, wish);
    add_links(x, trace);
    g_autofree char *missing = trace_missing(trace), *time = units_format_time(x->time_s);
    char seconds[G_ASCII_DTOSTR_BUF_SIZE];
    const ChromeFact facts[] = {
        {"operation", x->operation},         {"machine", x->platform->name},
        {"model", x->model->name},           {"time_s", g_ascii_formatd(seconds, sizeof seconds, "%.17g", x->time_s)},
        {"missing", missing ? missing : ""},
    };
    g_autofree char *title = g_strdup_printf("%s: %s", x->operation, time);
    if (picture)
        space_time_write(trace, title, to);
    else
        chrome_write(trace, x->map ? x->map->nodes : NULL, facts, G_N_ELEMENTS(facts), to);
    note("%s: %s; the trace has %u events of %d rank%s%s%s", x->operation, time, trace_events(trace), trace->n_ranks,
         trace->n_ranks == 1 ? "" : "s", missing ? "; missing: " : "", missing ? missing : "");
}

static void report_traced(const RequestMachine *machine, const Point *x, const char *operation, const LedgerWish *wish,
                          bool picture, FILE *to)
{
    const TracedRun run = {.operation = operation,
                           .platform = machine->platform,
                           .model = machine->model,
                           .time_s = x->time_s,
                           .ledger = x->prediction->ledger,
                           .network = machine->options.network,
                           .p = x->p,
                           .run = x->prediction->skew.run,
                           .map = request_mapping(machine, x->p, x->per_node)};
    report(&run, wish, picture, to);
}

void trace_report(const Request *r, const Point *x, const LedgerWish *wish, bool picture, FILE *to)
{
    g_autofree char *name = point_name(x), *operation = g_strdup_printf("%s %s", question_name(&r->question), name);
    report_traced(&r->machine, x, operation, wish, picture, to);
}

void trace_report_goal(const GoalRun *x, const LedgerWish *wish, bool picture, FILE *to)
{
    g_autofree char *file = escape_terminal(x->file);
    if (x->points) {
        report_traced(&x->request.machine, x->points->pdata[0], file, wish, picture, to);
        return;
    }
    const double s_per_tick = 1e-9 / (double)x->unit.per_ns;
    g_autoptr(Ledger) ledger = loggops_ledger(x->result->times, PATH_CALC, s_per_tick, wish);
    const TracedRun run = {.operation = file,
                           .platform = x->platform,
                           .model = &loggops_model,
                           .time_s = goal_run_time(x),
                           .ledger = ledger};
    report(&run, wish, picture, to);
}
