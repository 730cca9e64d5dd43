#include "answer/search/best.h"
#include "answer/report/report.h"
#include "answer/report/report_winners.h"
#include "out/note.h"
#include "base/units.h"
#include "out/wrap.h"
#include <math.h>

// ---- The sheet ------------------------------------------------------------------------------------------------------

// Returns true if the closed form knows the best number of segments.
static gboolean has_optimum(const Contender *e)
{
    return e->S > 0 && e->form.linear;
}

static void fill_segments(Sheet *sheet, const Contest *x, const Contender *e)
{
    if (e->S > 0)
        sheet_count(sheet, "segments", e->S);
    if (!has_optimum(e))
        return;
    const double bytes = (double)x->m / e->form.parts / e->S_best;
    sheet_number(sheet, "best_segments", e->S_best);
    sheet_show(sheet, "best_segments", g_strdup_printf("%.1f", e->S_best));
    sheet_number(sheet, "best_segment_bytes", bytes);
    sheet_show(sheet, "best_segment_bytes", g_strdup_printf("%.0f", bytes));
    sheet_number(sheet, "best_time_s", e->time_best_s);
}

static Sheet *empty_sheet(const Request *r)
{
    Sheet *sheet = report_sheet(r);
    sheet_add_columns(sheet, (const char *const[]){"ranking", "x_best", "x_bound", "segments", "best_segments",
                                                   "best_segment_bytes", "best_time_s", "choice", "note", NULL});
    if (r->machine.options.skew)
        sheet_add_columns(sheet, (const char *const[]){"end_mean_s", NULL});
    if (r->library.only)
        sheet_add_columns(sheet, (const char *const[]){"default_s", REPORT_SURE_COLUMNS, NULL});
    return sheet;
}

// Fills in what a contender saves against the default.
static void fill_gain(Sheet *sheet, const Platform *platform, const Point *point, const RegretPlace *at)
{
    if (!at)
        return;
    const Sure sure = regret_gain(at, platform, point);
    sheet_number(sheet, "default_s", at->default_s);
    report_sure(sheet, &sure);
}

// Adds the first `most` contenders of a contest; with `segmented`, only those that cut messages into segments.
static void add_contest(Sheet *sheet, const Request *r, const Contest *x, const Regret *defaults, gboolean segmented,
                        guint most)
{
    const RegretPlace *at = defaults ? regret_place(defaults, x->p, x->per_node, x->m) : NULL;
    for (guint i = 0; i < MIN(x->ranking->len, most); i++) {
        const Contender *e = g_ptr_array_index(x->ranking, i), *best = g_ptr_array_index(x->ranking, 0);
        if (segmented && e->S == 0)
            continue;
        report_point(sheet, r, e->point);
        sheet_take(sheet, "choice", segmented ? g_strdup(e->point->algorithm->name) : point_choice(e->point));
        if (i < (guint)x->top)
            sheet_count(sheet, "ranking", i + 1);
        sheet_number(sheet, "x_best", best->point->time_s > 0 ? e->point->time_s / best->point->time_s : NAN);
        sheet_number(sheet, "x_bound", ranking_x_bound(r, e->point));
        if (r->machine.options.skew)
            sheet_number(sheet, "end_mean_s", e->point->prediction->ends ? e->point->prediction->mean_end_s : NAN);
        fill_segments(sheet, x, e);
        fill_gain(sheet, r->machine.platform, e->point, at);
        if (segmented && !has_optimum(e))
            sheet_show(sheet, "best_segments",
                       g_strdup(request_flat(r, x->p, x->per_node) ? "not of S and 1/S"
                                : r->machine.options.network       ? "none on a network"
                                : r->machine.options.skew          ? "none with --arrival, --noise"
                                : r->question.root                 ? "none with --root"
                                : r->question.blocks               ? "none with --counts, --displs"
                                                                   : "none at several levels"));
    }
}

Sheet *best_rows(const Request *r, const GPtrArray *contests, const Regret *defaults)
{
    Sheet *sheet = empty_sheet(r);
    for (guint i = 0; i < contests->len; i++)
        add_contest(sheet, r, contests->pdata[i], defaults, FALSE, G_MAXUINT);
    return sheet;
}

Sheet *best_winners(const Request *r, const GPtrArray *contests)
{
    Sheet *sheet = empty_sheet(r);
    for (guint i = 0; i < contests->len; i++)
        add_contest(sheet, r, contests->pdata[i], NULL, FALSE, 1);
    return sheet;
}

void best_add_left_out(Sheet *sheet, const Request *r, const GPtrArray *contests)
{
    for (guint i = 0; i < contests->len; i++) {
        const GPtrArray *points = ((const Contest *)contests->pdata[i])->left_out;
        for (guint k = 0; k < points->len; k++) {
            const Point *point = points->pdata[k];
            report_point(sheet, r, point);
            sheet_text(sheet, "choice", point->algorithm->name);
            sheet_take(sheet, "note", g_strdup_printf("left out: %s", point->why));
        }
    }
}

// ---- For people -----------------------------------------------------------------------------------------------------

// Prints what the fastest, the row of this number, saves against the library's default, if that is known.
static void print_gain(const BestReport *report, const Contest *x, guint row, FILE *to)
{
    const RegretPlace *at = report->defaults ? regret_place(report->defaults, x->p, x->per_node, x->m) : NULL;
    if (!at || isnan(at->default_s) || x->ranking->len == 0)
        return;
    g_autofree char *gain = sheet_shown(report->rows, row, "gain"), *time = units_format_time(at->default_s);
    g_autofree char *text = g_strdup_printf("(%s, %s): %s", at->decided, time, gain);
    wrap_print(to, "fastest against the default ", text);
}

void best_print_within(FILE *to, const char *head, const Request *r, const Contest *x)
{
    const Point *best = x->ranking->len > 0 ? ((const Contender *)x->ranking->pdata[0])->point : NULL;
    if (r->question.enough == 0 || !best)
        return;
    const double bound_s = request_bound(r, x->p, x->per_node, x->m), asked = (r->question.enough - 1) * 100;
    g_autofree char *bound = units_format_time(bound_s), *text = NULL;
    if (contest_near_enough(x))
        text = g_strdup_printf("proven: no algorithm can be faster than the lower bound, %s, and the fastest takes at "
                               "most %g%% longer",
                               bound, asked);
    else if (bound_s > 0)
        text = g_strdup_printf("not proven within %g%%: the lower bound is %s, and the fastest takes %.3g%% longer",
                               asked, bound, (best->time_s / bound_s - 1) * 100);
    else
        text = g_strdup_printf("not proven within %g%%: the lower bound is 0", asked);
    wrap_print(to, head, text);
}

static void print_contest(const BestReport *report, const Contest *x)
{
    static const SheetView optima[] = {
        {"choice", "segments"}, {"segments"},    {"time_s"}, {"best_segments", "closed form: S*"},
        {"best_segment_bytes"}, {"best_time_s"}, {NULL}};
    const Request *r = report->request;
    FILE *const to = report->answer->to;
    const guint rows = sheet_rows(report->rows);
    report_place(to, r, x->p, x->per_node, x->m, r->question.root);
    add_contest(report->rows, r, x, report->defaults, FALSE, G_MAXUINT);
    const guint segmented = sheet_rows(report->rows);
    add_contest(report->rows, r, x, NULL, TRUE, G_MAXUINT);
    SheetView own[REPORT_RANKING_COLUMNS];
    sheet_table(report->rows, report_ranking_view(r, r->library.only != NULL, own), rows, segmented, "", to);
    print_gain(report, x, rows, to);
    if (sheet_rows(report->rows) > segmented)
        fputc('\n', to);
    sheet_table(report->rows, optima, segmented, sheet_rows(report->rows), "", to);
}

void best_begin(BestReport *x, const Answer *answer, const Request *r, const GPtrArray *contests,
                const Regret *defaults)
{
    *x = (BestReport){.answer = answer,
                      .request = r,
                      .contests = contests,
                      .defaults = defaults,
                      .rankings = g_ptr_array_new_with_free_func(ranking_free),
                      .rows = empty_sheet(r)};
}

static void report_contest(BestReport *x, const Contest *contest)
{
    FILE *const to = x->answer->to;
    Ranking *ranking = ranking_new();
    if (x->rankings->len == 0 && x->answer->format == FORMAT_TABLE) {
        g_autofree char *machine = report_machine_text(x->request);
        fprintf(to, "%s%s\n", question_name(&x->request->question), machine);
        report_remarks(to, x->request, NULL);
        fputc('\n', to);
    } else if (x->rankings->len == 0 && x->answer->format == FORMAT_CSV) {
        sheet_csv_names(x->rows, to);
    }
    for (guint k = 0; k < contest->ranking->len; k++)
        g_ptr_array_add(ranking->ranked, ((Contender *)g_ptr_array_index(contest->ranking, k))->point);
    g_ptr_array_add(x->rankings, ranking);
    if (x->answer->format == FORMAT_TABLE) {
        print_contest(x, contest);
        report_winners_ties(to, ranking);
        best_print_within(to, "", x->request, contest);
        fputc('\n', to);
        return;
    }
    const guint rows = sheet_rows(x->rows);
    add_contest(x->rows, x->request, contest, x->defaults, FALSE, G_MAXUINT);
    if (x->answer->format == FORMAT_CSV)
        sheet_csv_rows(x->rows, rows, to);
}

void best_ready(guint n, gpointer report)
{
    BestReport *x = report;
    while (x->rankings->len < n)
        report_contest(x, g_ptr_array_index(x->contests, x->rankings->len));
    fflush(x->answer->to); // main() reports a failure
}

static gboolean has_time(const GPtrArray *ranked, const CollAlgorithm *a)
{
    for (guint i = 0; i < ranked->len; i++)
        if (((const Point *)ranked->pdata[i])->algorithm == a)
            return TRUE;
    return FALSE;
}

// Notes at how many places the algorithms that the request keeps have no time.
static void note_missing(const BestReport *x)
{
    const GPtrArray *kept = x->request->question.kept;
    for (guint i = 0; kept && i < kept->len; i++) {
        const CollAlgorithm *a = kept->pdata[i];
        guint missing = 0;
        for (guint k = 0; k < x->rankings->len; k++)
            missing += !has_time(((const Ranking *)x->rankings->pdata[k])->ranked, a);
        if (missing)
            note("%s %s has no time at %u of %u points; collsim run says why", collectives[a->collective].name, a->name,
                 missing, x->rankings->len);
    }
}

// Makes the sheet "searched": what was considered at each place. Free with sheet_free.
static Sheet *searched_sheet(const BestReport *x)
{
    Sheet *sheet = sheet_new(
        "searched", (const char *const[]){"ranks", "per_node", "nodes", "map", "bytes", REPORT_SEARCHED_COLUMNS, NULL});
    for (guint i = 0; i < x->contests->len; i++) {
        const Contest *contest = x->contests->pdata[i];
        sheet_row(sheet);
        sheet_count(sheet, "ranks", contest->p);
        report_nodes(sheet, &x->request->machine, contest->p, contest->per_node);
        sheet_count(sheet, "bytes", (int64_t)contest->m);
        report_searched(sheet, &contest->counts);
    }
    return sheet;
}

void best_end(BestReport *x)
{
    note_missing(x);
    g_autofree char *left_out = contest_left_out(x->contests, x->contests->len),
                    *searched = contest_searched(x->contests), *note = g_strconcat("searched ", searched, NULL);
    if (x->answer->format == FORMAT_TABLE)
        report_winners_print(x->answer->to, x->request, x->rankings, FALSE);
    if (x->answer->format == FORMAT_TABLE && left_out)
        wrap_print(x->answer->to, "left out: ", left_out);
    if (x->answer->format == FORMAT_TABLE)
        wrap_print(x->answer->to, "searched ", searched);
    const GPtrArray *only = x->rankings->len == 1 ? ((const Ranking *)x->rankings->pdata[0])->ranked : NULL;
    if (x->answer->format == FORMAT_TABLE && only && only->len > 0)
        report_setting(x->answer->to, "", &x->request->library, only->pdata[0]);
    const guint rows = sheet_rows(x->rows);
    if (x->answer->format != FORMAT_TABLE)
        best_add_left_out(x->rows, x->request, x->contests);
    g_autoptr(Sheet) notes = x->answer->format == FORMAT_TABLE
                                 ? NULL
                                 : report_remarks_sheet(x->request, x->answer->format == FORMAT_JSON ? note : NULL);
    if (x->answer->format == FORMAT_JSON) {
        g_autoptr(Sheet) of_search = searched_sheet(x);
        answer_sheets(x->answer, "best", (const Sheet *const[]){x->rows, of_search, notes}, 3);
    }
    if (x->answer->format == FORMAT_CSV) {
        sheet_csv_rows(x->rows, rows, x->answer->to);
        answer_notes(notes);
    }
}

void best_clear(BestReport *x)
{
    if (x->rankings)
        g_ptr_array_unref(x->rankings);
    sheet_free(x->rows);
}
