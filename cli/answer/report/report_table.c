// The answer of `run`: points as tables, CSV or JSON.
#include "answer/report/reasons.h"
#include "answer/report/report.h"
#include "answer/report/report_winners.h"
#include "base/units.h"
#include "out/wrap.h"
#include "search/search/tries.h"
#include <math.h>
#include <string.h>

// Returns the time of a ranked point divided by that of the fastest; NAN if that is 0.
static double by_best(const Ranking *ranking, const Point *x)
{
    const Point *best = g_ptr_array_index(ranking->ranked, 0);
    return best->time_s > 0 ? x->time_s / best->time_s : NAN;
}

// ---- For people -----------------------------------------------------------------------------------------------------

static void print_timing(FILE *to, const Point *x)
{
    g_autofree char *rss = units_format_size((size_t)report_peak_rss() >> 20 << 20);
    g_autofree char *ran = point_ran(x);
    fprintf(to,
            "  %s on %d ranks%s%s: %.4f s in the %s gear, %" G_GINT64_FORMAT " ranks simulated, at most %s of memory\n",
            x->algorithm->name, x->p, ran ? ", ran: " : "", ran ? ran : "", x->wall_s, x->prediction->gear,
            x->prediction->ranks_simulated, rss);
    if (x->prediction->gear_why)
        fprintf(to, "  %s: %s\n", x->prediction->gear, x->prediction->gear_why);
}

// Prints what --timing, --memory and --why ask for.
static void print_after(FILE *to, const Question *q, const Point *x)
{
    g_autofree char *ran = point_ran(x);
    const char *const of = ran ? ", ran: " : "", *const fallback = ran ? ran : "";
    if (q->timing)
        print_timing(to, x);
    if (q->memory) {
        fprintf(to, "\nMemory of %s, %d ranks%s%s:\n", x->algorithm->name, x->p, of, fallback);
        report_memory(to, q, x, &x->memory);
    }
    if (x->prediction->why) {
        g_autofree char *size = units_format_size(x->m), *time = units_format_time(x->time_s);
        fprintf(to, "\nCritical path of %s, %d rank%s, %s bytes%s%s: %s\n", x->algorithm->name, x->p,
                x->p == 1 ? "" : "s", size, of, fallback, time);
        report_why(to, x);
    }
}

// Prints the sentence that explains why the fastest of a ranking is so fast, if it is known.
static void print_explanation(FILE *to, const Request *r, const Ranking *ranking)
{
    g_autofree char *text = reasons_text(r, ranking);
    if (!text)
        return;
    fputc('\n', to);
    wrap_print(to, "", text);
}

static void print_single(const Report *report)
{
    static const SheetView messages[] = {{"ranks"},    {"bytes"},      {"time_s"}, {"certificate"},
                                         {"messages"}, {"bytes_sent"}, {"notes"},  {NULL}};
    static const SheetView shared[] = {{"ranks"},         {"bytes"}, {"time_s"}, {"certificate"},
                                       {"segment_bytes"}, {"notes"}, {NULL}},
                           decided[] = {{"ranks"}, {"bytes"}, {"time_s"}, {"decided"}, {"notes"}, {NULL}};
    const Request *r = report->request;
    FILE *const to = report->answer->to;
    for (guint i = 0; i < report->points->len; i++) {
        const Point *x = g_ptr_array_index(report->points, i);
        if (!point_timed(x))
            continue;
        report_point(report->rows, r, x);
        sheet_take(report->rows, "notes", report_notes(r, x));
    }
    const SheetView *const skewed = report_skew_view(&r->machine, FALSE);
    sheet_table(report->rows,
                skewed                     ? skewed
                : r->library.autos         ? decided
                : r->machine.model->shared ? shared
                                           : messages,
                0, sheet_rows(report->rows), "", to);
    for (guint i = 0; i < report->points->len; i++)
        if (point_timed(g_ptr_array_index(report->points, i)))
            print_after(to, &r->question, g_ptr_array_index(report->points, i));
    if (r->machine.options.why && report->rankings->len > 0)
        print_explanation(to, r, g_ptr_array_index(report->rankings, report->rankings->len - 1));
}

const SheetView *report_ranking_view(const Request *r, gboolean ids, SheetView own[REPORT_RANKING_COLUMNS])
{
    const SheetView *const skewed = ids ? NULL : report_skew_view(&r->machine, TRUE);
    const SheetChoice all[] = {
        {{"choice"}, TRUE},
        {{"library_id"}, ids},
        {{"time_s"}, TRUE},
        {{"x_best"}, TRUE},
        {{"x_bound"}, request_has_bound(r)},
        {{"certificate"}, TRUE},
    };
    sheet_choose(all, G_N_ELEMENTS(all), own);
    return skewed ? skewed : own;
}

static void print_ranking(const Report *report, const Ranking *x)
{
    SheetView own[REPORT_RANKING_COLUMNS];
    const Request *r = report->request;
    const SheetView *const view = report_ranking_view(r, FALSE, own);
    const Point *any = g_ptr_array_index(report->points, x->first);
    FILE *const to = report->answer->to;
    const guint rows = sheet_rows(report->rows);
    report_place(to, r, any->p, any->per_node, any->m, any->root);
    for (guint i = 0; i < x->ranked->len; i++) {
        const Point *point = g_ptr_array_index(x->ranked, i);
        report_point(report->rows, r, point);
        sheet_take(report->rows, "choice", point_choice(point));
        sheet_number(report->rows, "x_best", by_best(x, point));
        sheet_number(report->rows, "x_bound", ranking_x_bound(r, point));
    }
    sheet_table(report->rows, view, rows, sheet_rows(report->rows), "", to);
    for (guint i = x->first; i < x->end; i++) {
        const Point *point = g_ptr_array_index(report->points, i);
        g_autofree char *ran = point_ran(point);
        if (ran)
            fprintf(to, "not ranked: %s, ran: %s\n", point->algorithm->name, ran);
        else if (point->why)
            fprintf(to, "not ranked: %s, cannot run: %s\n", point->algorithm->name, point->why);
        g_autofree char *decided = point->decision && !point->why ? decision_text(point->decision) : NULL;
        if (decided)
            fprintf(to, "%s runs %s\n", point->algorithm->name, decided);
        g_autofree char *parts = point_parts(r, point), *choice = point_choice(point);
        if (parts)
            fprintf(to, "%s ran %s\n", choice, parts);
    }
    report_winners_ties(to, x);
    for (guint i = 0; i < x->ranked->len; i++)
        print_after(to, &r->question, g_ptr_array_index(x->ranked, i));
    if (r->machine.options.why)
        print_explanation(to, r, x);
    fputc('\n', to);
}

static void print_title(FILE *to, const Request *r)
{
    const CollAlgorithm *only = question_only(&r->question);
    g_autofree char *machine = report_machine_text(r);
    fprintf(to, "%s%s%s%s\n", question_name(&r->question), only ? " " : "", only ? only->name : "", machine);
    report_remarks(to, r, NULL);
    fputs(r->machine.model == &logp_model ? "\nlogp: the bytes of a message cost nothing\n\n" : "\n", to);
}

// Prints what the data do not know of the decisions of libraries, each remark once, and after a single point the setting
// that makes the library run what it decided.
static void print_decisions(FILE *to, const RequestLibrary *lib, const GPtrArray *points)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (point_timed(x) && x->decision && x->decision->missing && g_hash_table_add(seen, x->decision->missing)) {
            g_autofree char *text = g_strdup_printf("%s: %s", x->algorithm->name, x->decision->missing);
            wrap_print(to, "note: ", text);
        }
    }
    const Point *only = points->len == 1 ? g_ptr_array_index(points, 0) : NULL;
    if (only && point_timed(only))
        report_setting(to, "\n", lib, only);
}

// ---- For machines ---------------------------------------------------------------------------------------------------

static const char *const memory_columns[] = {
    "root_connections",  "max_connections",   "all_connections",  "root_scratch_bytes", "max_scratch_bytes",
    "all_scratch_bytes", "root_copied_bytes", "max_copied_bytes", "all_copied_bytes",   NULL};
static const char *const timing_columns[] = {"wall_s", "gear", "ranks_simulated", "peak_rss_bytes", "gear_why", NULL};

static void fill_memory(Sheet *sheet, const Memory *m)
{
    const uint64_t value[] = {m->root.connections, m->most.connections, m->all.connections,
                              m->root.scratch,     m->most.scratch,     m->all.scratch,
                              m->root.copied,      m->most.copied,      m->all.copied};
    for (size_t i = 0; i < G_N_ELEMENTS(value); i++)
        sheet_count(sheet, memory_columns[i], (int64_t)value[i]);
}

static void fill_timing(Sheet *sheet, const Point *x)
{
    sheet_number(sheet, "wall_s", x->wall_s);
    sheet_text(sheet, "gear", x->prediction->gear);
    sheet_count(sheet, "ranks_simulated", x->prediction->ranks_simulated);
    sheet_count(sheet, "peak_rss_bytes", report_peak_rss());
    sheet_text(sheet, "gear_why", x->prediction->gear_why);
}

Sheet *report_run_sheet(const Request *r, gboolean ends)
{
    Sheet *sheet = report_sheet(r);
    sheet_add_columns(sheet, (const char *const[]){"ranking", "x_best", "x_bound", "choice", "notes", NULL});
    if (ends && model_replays(r->machine.model))
        sheet_add_columns(sheet, (const char *const[]){"end_min_s", "end_mean_s", "end_max_s", NULL});
    if (r->question.memory)
        sheet_add_columns(sheet, memory_columns);
    if (r->question.timing)
        sheet_add_columns(sheet, timing_columns);
    return sheet;
}

static void fill_ends(Sheet *sheet, const Point *x)
{
    if (!x->prediction || !x->prediction->ends)
        return;
    // The ranks' times are sums of many terms, and may be above the certificate's value by rounding.
    sheet_number(sheet, "end_min_s", MIN(x->prediction->first_end_s, x->time_s));
    sheet_number(sheet, "end_mean_s", MIN(x->prediction->mean_end_s, x->time_s));
    sheet_number(sheet, "end_max_s", x->time_s);
}

void report_run_point(Sheet *sheet, const Request *r, const Point *x)
{
    report_point(sheet, r, x);
    sheet_number(sheet, "x_bound", ranking_x_bound(r, x));
    fill_ends(sheet, x);
    if (r->question.memory)
        fill_memory(sheet, &x->memory);
    if (r->question.timing)
        fill_timing(sheet, x);
}

static void add_ranking(Sheet *sheet, const Request *r, const GPtrArray *points, const Ranking *ranking)
{
    for (guint i = ranking->first; i < ranking->end; i++) {
        const Point *x = g_ptr_array_index(points, i);
        const guint place = ranking_place(ranking, x);
        if (!point_timed(x))
            continue;
        report_run_point(sheet, r, x);
        if (place > 0) {
            sheet_count(sheet, "ranking", place);
            sheet_number(sheet, "x_best", by_best(ranking, x));
        }
    }
}

void report_run_rankings(Sheet *sheet, const Request *r, const GPtrArray *points)
{
    for (guint first = 0; first < points->len; first = ranking_end(points, first)) {
        Ranking *ranking = ranking_make(points, first);
        add_ranking(sheet, r, points, ranking);
        ranking_free(ranking);
    }
}

// ---- What the parameters could gain ---------------------------------------------------------------------------------

// A choice of parameters that promises to be faster than all algorithms at their defaults.
typedef struct Gain {
    Point *point;         // not run; NULL: there is none
    double time_s, ratio; // by its closed form, and relative to the fastest that was run
} Gain;

// Finds the best promise of a closed form at the place of a ranking, and keeps it if its ratio is below gain->ratio.
static void find_gain(const Request *r, const Ranking *ranking, Gain *gain)
{
    const Point *best = g_ptr_array_index(ranking->ranked, 0);
    g_autoptr(GArray) tries = tries_make(r, best->p, best->per_node, best->m, NULL);
    for (guint i = 0; tries && i < tries->len; i++) {
        const Try *try = &g_array_index(tries, Try, i);
        if (!try->by_form || try->least_s >= best->time_s * gain->ratio)
            continue;
        Point *point = point_make(r, request_algorithm(r, try->algorithm), &try->par, best->p, best->per_node, best->m,
                                  best->root, NULL);
        if (!point)
            continue;
        point_free(gain->point);
        *gain = (Gain){point, try->least_s, try->least_s / best->time_s};
    }
}

// Some closed forms come from simulations. On more ranks these would take longer than the points themselves.
enum { GAIN_RANKS = 1024 };

// Prints that parameters were at their defaults, and where others would gain most.
static void print_gain(FILE *to, const Request *r, const GPtrArray *rankings)
{
    Gain gain = {.ratio = 1 - 1e-9}; // less may be rounding
    gboolean known =
        r->machine.model == &hockney_model && !r->question.counts_text && !r->question.root && !r->question.params;
    for (guint i = 0; i < r->question.ranks->len; i++)
        known = known && g_array_index(r->question.ranks, size_t, i) <= GAIN_RANKS &&
                request_flat(r, (int)g_array_index(r->question.ranks, size_t, i), request_per_node(r, i));
    for (guint i = 0; known && i < rankings->len; i++)
        if (((const Ranking *)rankings->pdata[i])->ranked->len > 0)
            find_gain(r, rankings->pdata[i], &gain);
    const char *const defaults = r->question.params ? "Parameters that --param does not give are at their defaults"
                                                    : "Parameters are at their defaults";
    g_autoptr(GString) text = g_string_new(defaults);
    if (gain.point) {
        g_autofree char *name = point_name(gain.point), *time = units_format_time(gain.time_s);
        g_string_append_printf(text,
                               ". Others gain most with %s: %s by its closed form, %.2f of the fastest above; see "
                               "collsim best.",
                               name, time, gain.ratio);
    } else {
        g_string_append(text, known ? ", and by the closed forms others gain nothing."
                                    : "; collsim best searches for better ones.");
    }
    wrap_print(to, "", text->str);
    point_free(gain.point);
}

// ---- The report -----------------------------------------------------------------------------------------------------

void report_begin(Report *x, const Answer *answer, const Request *r, const GPtrArray *points)
{
    *x = (Report){.answer = answer,
                  .request = r,
                  .points = points,
                  .rankings = g_ptr_array_new_with_free_func(ranking_free),
                  .rows = report_run_sheet(r, TRUE)};
}

// Reports one ranking. JSON is one text, and the columns of a table without rankings depend on all rows, so both wait.
static void add_one(Report *x, Ranking *ranking)
{
    const Request *r = x->request;
    FILE *const to = x->answer->to;
    const gboolean first = x->rankings->len == 0;
    g_ptr_array_add(x->rankings, ranking);
    if (x->answer->format == FORMAT_TABLE && !question_single(&r->question)) {
        if (first)
            print_title(to, r);
        print_ranking(x, ranking);
    } else if (x->answer->format != FORMAT_TABLE) {
        const guint rows = sheet_rows(x->rows);
        add_ranking(x->rows, r, x->points, ranking);
        if (x->answer->format == FORMAT_CSV && first)
            sheet_csv_names(x->rows, to);
        if (x->answer->format == FORMAT_CSV)
            sheet_csv_rows(x->rows, rows, to);
    }
}

void report_ready(guint n, gpointer report)
{
    Report *x = report;
    const guint before = x->next;
    for (guint end; x->next < n && (end = ranking_end(x->points, x->next)) <= n; x->next = end)
        add_one(x, ranking_make(x->points, x->next));
    if (x->next > before)
        fflush(x->answer->to); // main() reports a failure
}

void report_end(Report *x)
{
    FILE *const to = x->answer->to;
    report_ready(x->points->len, x);
    if (x->answer->format == FORMAT_TABLE && question_single(&x->request->question)) {
        print_title(to, x->request);
        print_single(x);
        print_decisions(to, &x->request->library, x->points);
    } else if (x->answer->format == FORMAT_TABLE) {
        report_winners_print(to, x->request, x->rankings, TRUE);
        print_decisions(to, &x->request->library, x->points);
        if (!x->request->question.named)
            print_gain(to, x->request, x->rankings);
    } else if (x->answer->format == FORMAT_JSON) {
        const gboolean why = x->request->machine.options.why;
        g_autoptr(Sheet) path = why ? report_path_sheet(x->points) : NULL,
                         shares = why ? report_shares_sheet(x->points) : NULL,
                         relief = why ? report_relief_sheet(x->points) : NULL,
                         reasons = why ? reasons_sheet(x->request, x->rankings) : NULL,
                         growth = why ? reasons_rankings_growth(x->request, x->rankings) : NULL,
                         notes = report_remarks_sheet(x->request, NULL);
        answer_sheets(x->answer, "run", (const Sheet *const[]){x->rows, shares, path, relief, reasons, growth, notes},
                      7);
    } else if (x->answer->format == FORMAT_CSV) {
        g_autoptr(Sheet) notes = report_remarks_sheet(x->request, NULL);
        answer_notes(notes);
    }
}

void report_clear(Report *x)
{
    if (x->rankings)
        g_ptr_array_unref(x->rankings);
    sheet_free(x->rows);
}
