#include "answer/goal.h"
#include "answer/report.h"
#include "ask/note.h"
#include "base/error.h"
#include "base/escape.h"
#include "goal/goal_text.h"
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

gboolean goal_run_check(const RequestOptions *o, const char *allowed, GError **error)
{
    const struct {
        const char *name;
        gboolean given;
    } others[] = {
        {"-p", o->ranks != NULL},
        {"-m", o->sizes != NULL},
        {"--root", o->root != NULL},
        {"--param", o->params != NULL},
        {"--element", o->element != NULL},
        {"--counts", o->counts != NULL},
        {"--displs", o->displs != NULL},
        {"--per-node", o->per_node != NULL},
        {"--map", o->map != NULL},
        {"--transfer", o->transfer != NULL},
        {"--full", o->full},
        {"--why", o->why},
        {"--memory", o->memory},
        {"--no-han", o->no_han},
        {"--non-commutative", o->ordered},
        {"--only", o->only != NULL},
        {"--connection", o->connection != NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        if (others[i].given)
            return bad_input(error, "%s does not apply to a GOAL schedule; allowed with --goal: %s", others[i].name,
                             allowed);
    return !o->model || strcmp(o->model, "loggops") == 0 ||
           bad_input(error,
                     "--model %s runs a GOAL schedule as an algorithm of a collective; allowed: collsim run COLLECTIVE "
                     "--goal FILE -m BYTES, or --model loggops",
                     o->model);
}

gboolean goal_run_make(GoalRun *x, const RequestOptions *o, const char *allowed, GError **error)
{
    if (!goal_run_check(o, allowed, error))
        return FALSE;
    x->platform = ask_platform(o->platform ? o->platform : "loggopsim", error);
    if (!x->platform || !ask_sets(x->platform, o->sets, &loggops_model, error) ||
        !platform_ticks(x->platform, &x->ticks, &x->unit, error))
        return FALSE;
    ask_note_topology(x->platform, &loggops_model);
    if (x->platform->by_level[KEY_L] || x->platform->by_level[KEY_G_BYTE])
        note("a GOAL schedule does not say where its ranks are: all messages have the L and G of level far");
    return TRUE;
}

gboolean goal_run_go(GoalRun *x, GError **error)
{
    x->goal = goal_read(x->file, error);
    if (!x->goal)
        return FALSE;
    if (!loggops_ticks_fit(x->goal, &x->ticks, error)) {
        g_prefix_error(error, "%s: ", x->file);
        return FALSE;
    }
    x->result = x->timed ? loggops_run_ticks_timed(x->goal, &x->ticks) : loggops_run_ticks(x->goal, &x->ticks);
    note_unequal(x);
    if (!x->result->finish)
        print_stuck(x);
    return TRUE;
}

void goal_run_clear(GoalRun *x)
{
    if (x->platform)
        platform_free(x->platform);
    if (x->goal)
        goal_free(x->goal);
    if (x->result)
        loggops_ticks_result_free(x->result);
}

// ---- An answer ------------------------------------------------------------------------------------------------------

// Makes the sheet "rows": when each rank ends. It has no rows if the schedule does not end. Free with sheet_free.
static Sheet *finish_sheet(const GoalRun *x)
{
    const LoggopsTicksResult *r = x->result;
    Sheet *sheet = sheet_new("rows", (const char *const[]){"goal", "rank", "finish_ns", NULL});
    report_machine(sheet, x->platform, &loggops_model, NULL, x->sets);
    sheet_text(sheet, "goal", x->file);
    for (uint32_t rank = 0; r->finish && rank < r->n_hosts; rank++) {
        sheet_row(sheet);
        sheet_count(sheet, "rank", rank);
        sheet_take(sheet, "finish_ns", platform_ticks_to_ns(&x->unit, r->finish[rank]));
    }
    return sheet;
}

// Makes the sheet "schedule", which has one row. Free with sheet_free.
static Sheet *schedule_sheet(const GoalRun *x)
{
    static const char *const columns[] = {"goal",          "ranks",        "operations", "messages",       "time_s",
                                          "max_finish_ns", "slowest_rank", "wall_s",     "peak_rss_bytes", NULL};
    const LoggopsTicksResult *r = x->result;
    Sheet *sheet = sheet_new("schedule", columns);
    report_machine(sheet, x->platform, &loggops_model, NULL, x->sets);
    sheet_row(sheet);
    sheet_text(sheet, "goal", x->file);
    sheet_count(sheet, "ranks", goal_n_hosts(x->goal));
    sheet_count(sheet, "operations", goal_n_ops(x->goal));
    sheet_count(sheet, "messages", goal_n_messages(x->goal));
    if (r->finish) {
        const uint64_t last = r->finish[r->last_host];
        sheet_number(sheet, "time_s", (double)last / (double)x->unit.per_ns * 1e-9);
        sheet_take(sheet, "max_finish_ns", platform_ticks_to_ns(&x->unit, last));
        sheet_count(sheet, "slowest_rank", r->last_host);
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
    g_autofree char *sets = x->sets ? g_strjoinv(", ", x->sets) : NULL, *file = escape_terminal(x->file);
    fprintf(to, "%s on %s (%s), model loggops%s%s%s\n\n", file, x->platform->name, x->platform->title, sets ? ", " : "",
            sets ? sets : "", x->unit.rounded ? ", figures rounded to 1 fs" : "");
    sheet_table(schedule, view, 0, 1, "", to);
    if (x->wall_s >= 0)
        fprintf(to, "\nread and run in %.3f s, peak memory %.0f MB\n", x->wall_s,
                (double)report_peak_rss() / (1 << 20));
    fputc('\n', to);
    if (x->result->n_hosts > SHOWN) {
        fputs("To see when each rank ends, use -f csv or -f json.\n", to);
        return;
    }
    g_autoptr(Sheet) finish = finish_sheet(x);
    sheet_table(finish, each, 0, sheet_rows(finish), "", to);
}

void goal_run_report(const Answer *answer, const GoalRun *x)
{
    const gboolean ended = x->result->finish != NULL;
    g_autoptr(Sheet) schedule = schedule_sheet(x);
    if (answer->format == FORMAT_TABLE) {
        if (ended)
            print_table(answer->to, x, schedule);
        return;
    }
    g_autoptr(Sheet) finish = finish_sheet(x);
    g_autoptr(Sheet) unmatched = ended ? NULL : stuck_sheet("unmatched", x->result->stuck, FALSE);
    g_autoptr(Sheet) blocked = ended ? NULL : stuck_sheet("blocked", x->result->stuck, TRUE);
    answer_sheets(answer, "run", (const Sheet *const[]){finish, schedule, unmatched, blocked}, 4);
}
