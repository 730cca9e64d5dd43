#include "answer/engine/goal_answer.h"
#include "answer/report/report.h"
#include "out/note.h"
#include "base/error.h"
#include "base/escape.h"
#include "engine/goal/goal_text.h"
#include "engine/schedule/goal_entry.h"
#include <stdio.h>
#include <string.h>

// ---- Notes ----------------------------------------------------------------------------------------------------------

// Notes on stderr how many messages have different sizes at their two ends, and the ranks and sizes of the first ones.
static void note_unequal(const GoalRun *x)
{
    const LoggopsUnequal *unequal = &x->result->unequal;
    const uint32_t shown = MIN(unequal->n, LOGGOPS_UNEQUAL_KEPT);
    if (unequal->n == 0)
        return;
    g_autoptr(GString) list = g_string_new(NULL);
    for (uint32_t i = 0; i < shown; i++) {
        const GoalOp *send = goal_op(x->goal, unequal->first[i].send), *recv = goal_op(x->goal, unequal->first[i].recv);
        g_string_append_printf(list,
                               "%srank %u sends %" G_GUINT64_FORMAT "b and rank %u receives %" G_GUINT64_FORMAT "b",
                               i > 0 ? ", " : "", send->host, send->size, recv->host, recv->size);
    }
    if (unequal->n > shown)
        g_string_append_printf(list, ", and %u more", unequal->n - shown);
    note("the sizes at the two ends of %u message%s differ: %s; they are run as LogGOPSim runs them", unequal->n,
         unequal->n > 1 ? "s" : "", list->str);
}

void goal_note_sizes(const GPtrArray *points)
{
    for (guint i = 0; i < points->len; i++) {
        const Prediction *p = ((const Point *)points->pdata[i])->prediction;
        if (p && p->unequal)
            note("the sizes at the two ends of %u message%s differ; a message has the size of its send", p->unequal,
                 p->unequal > 1 ? "s" : "");
    }
}

// ---- No answer ------------------------------------------------------------------------------------------------------

// Writes to stderr what is left unmatched in a schedule that does not end.
static void print_stuck(const GoalRun *x)
{
    enum { SHOWN = 16 };
    static const char *const why[] = {"no message came", "nobody received it", "it never started"};
    const GArray *stuck = x->result->stuck;
    g_autofree char *file = escape_terminal(x->file);
    fprintf(stderr, "%s does not end:\n", file);
    for (guint i = 0; i < MIN(stuck->len, SHOWN); i++) {
        const LoggopsStuck *s = &g_array_index(stuck, LoggopsStuck, i);
        g_autofree char *op = goal_op_text(&s->what);
        fprintf(stderr, "  rank %u: %s: %s\n", s->what.host, op, why[s->why]);
    }
    if (stuck->len > SHOWN)
        fprintf(stderr, "  and %u more\n", stuck->len - SHOWN);
}

// ---- A run ----------------------------------------------------------------------------------------------------------

// An option that not every run of a schedule takes.
typedef struct GoalOption {
    const char *name;
    gboolean given;
} GoalOption;

static gboolean refuse_given(const GoalOption *options, size_t n, const char *allowed, GError **error)
{
    for (size_t i = 0; i < n; i++)
        if (options[i].given)
            return bad_input(error, "%s does not apply to a GOAL schedule; allowed with --goal: %s", options[i].name,
                             allowed);
    return TRUE;
}

// Refuses what no run of a schedule takes.
static gboolean check_all(const RequestOptions *o, const char *allowed, GError **error)
{
    const GoalOption options[] = {
        {"-m", o->sizes != NULL},
        {"--root", o->root != NULL},
        {"--param", o->params != NULL},
        {"--element", o->element != NULL},
        {"--counts", o->counts != NULL},
        {"--displs", o->displs != NULL},
        {"--full", o->full},
        {"--why", o->why},
        {"--memory", o->memory},
        {"--no-han", o->no_han},
        {"--han", o->han != NULL},
        {"--non-commutative", o->ordered},
        {"--only", o->only != NULL},
        {"--connection", o->connection != NULL},
    };
    return refuse_given(options, G_N_ELEMENTS(options), allowed, error);
}

gboolean goal_run_check(const RequestOptions *o, const char *allowed, GError **error)
{
    const GoalOption options[] = {
        {"-p", o->ranks != NULL},
        {"--per-node", o->per_node != NULL},
        {"--map", o->map != NULL},
        {"--transfer", o->transfer != NULL},
        {"--arrival", o->skew.arrival != NULL},
        {"--noise", o->skew.noise != NULL},
        {"--seeds", o->skew.seeds != NULL},
        {"--by", o->skew.by != NULL},
    };
    return check_all(o, allowed, error) && refuse_given(options, G_N_ELEMENTS(options), allowed, error);
}

// Sets the figures of the model. If the platform lacks some, the error names a model that more platforms have figures
// for.
static gboolean make_ticks(GoalRun *x, GError **error)
{
    GError *own = NULL;
    if (platform_ticks(x->platform, &x->ticks, &x->unit, &own))
        return TRUE;
    const gboolean lacks = !platform_need(x->platform, loggops_model.keys, loggops_model.n_keys, "loggops", NULL);
    g_set_error(error, own->domain, own->code, "%s%s", own->message, lacks ? ", or --model hockney" : "");
    g_error_free(own);
    return FALSE;
}

static gboolean make_loggops(GoalRun *x, const RequestOptions *o, GError **error)
{
    x->platform = ask_platform(o->platform ? o->platform : "loggopsim", error);
    if (!x->platform || !ask_sets(x->platform, o->sets, &loggops_model, error) || !make_ticks(x, error))
        return FALSE;
    ask_note_topology(x->platform, &loggops_model);
    if (x->platform->by_level[KEY_L] || x->platform->by_level[KEY_G_BYTE])
        note("a GOAL schedule does not say where its ranks are: all messages have the L and G of level far");
    if (!(x->goal = x->owned = goal_read(x->file, error)))
        return FALSE;
    if (!loggops_ticks_fit(x->goal, &x->ticks, error)) {
        g_prefix_error(error, "%s: ", x->file);
        return FALSE;
    }
    return TRUE;
}

// Makes the point at which the schedule runs. Its entry needs a collective, and one without a size and a root will do.
static gboolean make_point(GoalRun *x, const RequestOptions *o, GError **error)
{
    static char collective[] = "barrier", entry[] = GOAL_ENTRY_NAME, *words[] = {collective, entry, NULL};
    Goal *goal = goal_read(x->file, error);
    if (!goal || !goal_entry_add(goal, x->file, COLL_BARRIER, error))
        return FALSE;
    x->goal = goal;
    x->ranks = g_strdup_printf("%u", goal_n_hosts(goal));
    x->options = *o;
    if (!o->ranks)
        x->options.ranks = x->ranks;
    if (!ask_operation(words, &x->options, &x->request, error) || !ask_machine(&x->options, &x->request, error))
        return FALSE;
    x->request.machine.options.clocks = true;
    return (x->points = points_make(&x->request, error)) != NULL;
}

gboolean goal_run_make(GoalRun *x, const RequestOptions *o, const char *allowed, GError **error)
{
    x->model = o->model ? model_find(o->model, error) : &loggops_model;
    g_autofree char *more = g_strdup_printf("%s; with --model hockney also -p, --per-node, --map, --transfer, "
                                            "--arrival, --noise",
                                            allowed);
    if (!x->model)
        return FALSE;
    if (x->model == &loggops_model)
        return goal_run_check(o, more, error) && make_loggops(x, o, error);
    if (x->model == &hockney_model || x->model == &measured_model)
        return check_all(o, more, error) && make_point(x, o, error);
    return bad_input(error, "--model %s with a GOAL schedule; allowed: loggops, hockney or measured", o->model);
}

gboolean goal_run_go(GoalRun *x, const LedgerWish *wish, GError **error)
{
    if (x->points) {
        x->request.machine.options.ledger = wish;
        if (!point_run(x->points->pdata[0], &x->request, error) || !points_any(x->points, error))
            return FALSE;
        goal_note_sizes(x->points);
        report_stuck(x->points);
        return TRUE;
    }
    x->result = x->timed ? loggops_run_ticks_timed(x->goal, &x->ticks) : loggops_run_ticks(x->goal, &x->ticks);
    note_unequal(x);
    if (!x->result->finish)
        print_stuck(x);
    return TRUE;
}

static const Prediction *prediction_of(const GoalRun *x)
{
    return ((const Point *)x->points->pdata[0])->prediction;
}

bool goal_run_ended(const GoalRun *x)
{
    return x->points ? point_timed(x->points->pdata[0]) : x->result->finish != NULL;
}

double goal_run_time(const GoalRun *x)
{
    return x->result ? (double)x->result->finish[x->result->last_host] / (double)x->unit.per_ns * 1e-9
                     : prediction_of(x)->time_s;
}

const Platform *goal_run_platform(const GoalRun *x)
{
    return x->points ? x->request.machine.platform : x->platform;
}

void goal_run_clear(GoalRun *x)
{
    if (x->platform)
        platform_free(x->platform);
    if (x->owned)
        goal_free(x->owned);
    if (x->result)
        loggops_ticks_result_free(x->result);
    if (x->points)
        g_ptr_array_unref(x->points);
    request_clear(&x->request);
    g_free(x->ranks);
}

// ---- An answer ------------------------------------------------------------------------------------------------------

// Returns when a rank ends, in ns, as text. Free with g_free.
static char *finish_ns(const GoalRun *x, uint32_t rank)
{
    if (x->result)
        return platform_ticks_to_ns(&x->unit, x->result->finish[rank]);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(number, sizeof number, "%.15g", 1e9 * prediction_of(x)->clock[rank]));
}

// Returns the lowest of the ranks that end last.
static uint32_t slowest_rank(const GoalRun *x)
{
    uint32_t last = 0;
    if (x->result)
        return x->result->last_host;
    for (uint32_t rank = 1; rank < goal_n_hosts(x->goal); rank++)
        if (prediction_of(x)->clock[rank] > prediction_of(x)->clock[last])
            last = rank;
    return last;
}

static void add_machine(Sheet *sheet, const GoalRun *x)
{
    report_machine(sheet, goal_run_platform(x), x->model,
                   x->model->transfers ? transfer_names[x->request.machine.options.transfer] : NULL, x->sets);
}

// Makes the sheet "rows": when each rank ends. It has no rows if the schedule does not end. Free with sheet_free.
static Sheet *finish_sheet(const GoalRun *x)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"goal", "rank", "finish_ns", NULL});
    add_machine(sheet, x);
    sheet_text(sheet, "goal", x->file);
    for (uint32_t rank = 0; goal_run_ended(x) && rank < goal_n_hosts(x->goal); rank++) {
        sheet_row(sheet);
        sheet_count(sheet, "rank", rank);
        sheet_take(sheet, "finish_ns", finish_ns(x, rank));
    }
    return sheet;
}

// Makes the sheet "schedule", which has one row. Free with sheet_free.
static Sheet *schedule_sheet(const GoalRun *x)
{
    static const char *const columns[] = {"goal",          "ranks",        "operations", "messages",       "time_s",
                                          "max_finish_ns", "slowest_rank", "wall_s",     "peak_rss_bytes", NULL};
    Sheet *sheet = sheet_new("schedule", columns);
    add_machine(sheet, x);
    sheet_row(sheet);
    sheet_text(sheet, "goal", x->file);
    sheet_count(sheet, "ranks", goal_n_hosts(x->goal));
    sheet_count(sheet, "operations", goal_n_ops(x->goal));
    sheet_count(sheet, "messages", goal_n_messages(x->goal));
    if (goal_run_ended(x)) {
        sheet_number(sheet, "time_s", goal_run_time(x));
        sheet_take(sheet, "max_finish_ns", finish_ns(x, slowest_rank(x)));
        sheet_count(sheet, "slowest_rank", slowest_rank(x));
    }
    if (x->wall_s >= 0) {
        sheet_number(sheet, "wall_s", x->wall_s);
        sheet_count(sheet, "peak_rss_bytes", report_peak_rss());
    }
    return sheet;
}

// Returns a peer or a tag, or -1 if any will do.
static int64_t or_any(uint32_t x)
{
    return x == GOAL_ANY ? -1 : (int64_t)x;
}

// Makes the sheet of the operations that are left over: those that have started and wait for a partner ("unmatched"),
// or those that could not start ("blocked"). Free with sheet_free.
static Sheet *stuck_sheet(const char *name, const GArray *stuck, gboolean blocked)
{
    static const char *const kinds[] = {"send", "recv", "calc"};
    Sheet *sheet = sheet_new(name, (const char *const[]){"rank", "kind", "peer", "message_bytes", "tag", NULL});
    for (guint i = 0; i < stuck->len; i++) {
        const LoggopsStuck *s = &g_array_index(stuck, LoggopsStuck, i);
        if ((s->why == LOGGOPS_STUCK_BLOCKED) != blocked)
            continue;
        sheet_row(sheet);
        sheet_count(sheet, "rank", s->what.host);
        sheet_text(sheet, "kind", kinds[s->what.kind]);
        sheet_count(sheet, "message_bytes", (int64_t)s->what.size);
        if (s->what.kind != GOAL_CALC) {
            sheet_count(sheet, "peer", or_any(s->what.peer));
            sheet_count(sheet, "tag", or_any(s->what.tag));
        }
    }
    return sheet;
}

static void print_table(FILE *to, const GoalRun *x, const Sheet *schedule)
{
    enum { SHOWN = 16 };
    static const SheetView view[] = {{"ranks"},      {"time_s"}, {"max_finish_ns"}, {"slowest_rank"}, {"messages"},
                                     {"operations"}, {NULL}};
    static const SheetView each[] = {{"rank"}, {"finish_ns"}, {NULL}};
    g_autofree char *sets = x->sets ? g_strjoinv(", ", x->sets) : NULL, *file = escape_terminal(x->file),
                    *modelled = x->points ? report_machine_text(&x->request) : NULL;
    if (modelled)
        fprintf(to, "%s%s\n\n", file, modelled);
    else
        fprintf(to, "%s on %s (%s), model loggops%s%s%s\n\n", file, x->platform->name, x->platform->title,
                sets ? ", " : "", sets ? sets : "", x->unit.rounded ? ", figures rounded to 1 fs" : "");
    sheet_table(schedule, view, 0, 1, "", to);
    if (x->wall_s >= 0)
        fprintf(to, "\nread and run in %.3f s, peak memory %.0f MB\n", x->wall_s,
                (double)report_peak_rss() / (1 << 20));
    fputc('\n', to);
    if (goal_n_hosts(x->goal) > SHOWN) {
        fputs("To see when each rank ends, use -f csv or -f json.\n", to);
        return;
    }
    g_autoptr(Sheet) finish = finish_sheet(x);
    sheet_table(finish, each, 0, sheet_rows(finish), "", to);
}

void goal_run_report(const Answer *answer, const GoalRun *x)
{
    const gboolean ended = goal_run_ended(x);
    g_autoptr(Sheet) schedule = schedule_sheet(x);
    if (answer->format == FORMAT_TABLE) {
        if (ended)
            print_table(answer->to, x, schedule);
        return;
    }
    g_autoptr(Sheet) finish = finish_sheet(x);
    const gboolean left = !ended && x->result; // a replay names ranks on stderr, not operations
    g_autoptr(Sheet) unmatched = left ? stuck_sheet("unmatched", x->result->stuck, FALSE) : NULL;
    g_autoptr(Sheet) blocked = left ? stuck_sheet("blocked", x->result->stuck, TRUE) : NULL;
    answer_sheets(answer, "run", (const Sheet *const[]){finish, schedule, unmatched, blocked}, 4);
}
