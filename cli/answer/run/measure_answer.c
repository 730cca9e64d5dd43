#include "answer/run/measure_answer.h"
#include "answer/report/report.h"
#include "answer/report/report_winners.h"
#include "out/note.h"
#include "base/units.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const time_columns[] = {"min_s", "median_s",    "mean_s",       "p95_s",
                                           "max_s", "ranks_min_s", "ranks_mean_s", NULL};

static gboolean is_good(const MeasureRow *row)
{
    return row->point->ran && !row->result.wrong;
}

// Returns true if the row measured the algorithm that it names, not a fallback or another choice of the library.
static gboolean is_ranked(const MeasureRow *row)
{
    return is_good(row) && !row->point->why && row->verified != 0;
}

// Returns the row's time divided by that of the fastest ranked row with the same p, m and root; NAN if the row is not
// ranked.
static double by_best(const Measure *x, const MeasureRow *row)
{
    double best_s = INFINITY;
    for (guint i = 0; i < x->rows->len; i++) {
        const MeasureRow *other = &g_array_index(x->rows, MeasureRow, i);
        if (is_ranked(other) && points_same_place(other->point, row->point))
            best_s = MIN(best_s, other->result.median_s);
    }
    return is_ranked(row) && best_s > 0 ? row->result.median_s / best_s : NAN;
}

// ---- The sheet ------------------------------------------------------------------------------------------------------

static char *row_notes(const Measure *x, const MeasureRow *row)
{
    const Request *r = &x->request;
    const MeasureRow *run = &g_array_index(x->rows, MeasureRow, row->run);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *of_point = report_notes(r, row->point);
    if (*of_point)
        g_ptr_array_add(notes, g_steal_pointer(&of_point));
    if (row->verified == 0 || (row->forced && row->verified < 0))
        g_ptr_array_add(notes, g_strdup(row->verified == 0 ? "other messages" : "not verified"));
    if (run != row) {
        g_autofree char *choice = point_choice(run->point);
        g_ptr_array_add(notes, g_strdup_printf("same run as %s", choice));
    }
    if (row->result.mean_s > MEASURE_SKEWED * row->result.median_s)
        g_ptr_array_add(notes, g_strdup_printf("mean is %.0f medians", row->result.mean_s / row->result.median_s));
    if (meter_crowded(&x->meter, row->point->p))
        g_ptr_array_add(notes, g_strdup("ranks share cores"));
    g_ptr_array_add(notes, NULL);
    return g_strjoinv("; ", (char **)notes->pdata);
}

static Sheet *empty_sheet(const Measure *x)
{
    Sheet *sheet = report_sheet(&x->request);
    sheet_add_columns(sheet, (const char *const[]){"repetitions", NULL});
    sheet_add_columns(sheet, time_columns);
    sheet_add_columns(sheet, (const char *const[]){"sync", "mpi", "cores", "oversubscribed", "library_id",
                                                   "library_id_verified", "x_best", "notes", NULL});
    sheet_text(sheet, "sync", sync_names[x->meter.plan.sync]);
    sheet_text(sheet, "mpi", x->meter.mpi);
    if (x->meter.cores)
        sheet_count(sheet, "cores", x->meter.cores);
    return sheet;
}

static void add_row(Sheet *sheet, const Measure *x, const MeasureRow *row)
{
    const JobResult *t = &row->result;
    const double times[] = {t->min_s, t->median_s, t->mean_s, t->p95_s, t->max_s, t->ranks_min_s, t->ranks_mean_s};
    report_point(sheet, &x->request, row->point);
    sheet_count(sheet, "repetitions", t->repetitions);
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++)
        sheet_number(sheet, time_columns[i], times[i]);
    if (x->meter.cores)
        sheet_count(sheet, "oversubscribed", meter_crowded(&x->meter, row->point->p));
    if (row->forced)
        sheet_text(sheet, "library_id", row->forced->value);
    if (row->verified >= 0)
        sheet_count(sheet, "library_id_verified", row->verified);
    sheet_number(sheet, "x_best", by_best(x, row));
    sheet_take(sheet, "notes", row_notes(x, row));
}

void measure_note_means(const Measure *x)
{
    const MeasureRow *worst = NULL;
    guint skewed = 0, runs = 0;
    for (guint i = 0; i < x->rows->len; i++) {
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        const JobResult *t = &row->result;
        if (!is_good(row) || row->run != i || t->median_s <= 0)
            continue;
        runs++;
        skewed += t->mean_s > MEASURE_SKEWED * t->median_s;
        if (!worst || t->mean_s / t->median_s > worst->result.mean_s / worst->result.median_s)
            worst = row;
    }
    if (skewed == 0)
        return;
    const JobResult *t = &worst->result;
    g_autofree char *name = point_name(worst->point), *mean = units_format_time(t->mean_s),
                    *median_text = units_format_time(t->median_s), *max = units_format_time(t->max_s);
    note("the mean is more than %d times the median at %u of %u points, because a few repetitions took very long; most "
         "at %s: mean %s, median %s, maximum %s, %d repetitions",
         MEASURE_SKEWED, skewed, runs, name, mean, median_text, max, t->repetitions);
}

// ---- For people -----------------------------------------------------------------------------------------------------

static void print_one(const MeasureReport *report)
{
    static const SheetView view[] = {{"ranks"}, {"bytes"}, {"median_s"},    {"min_s"}, {"mean_s"},
                                     {"p95_s"}, {"max_s"}, {"repetitions"}, {"notes"}, {NULL}};
    sheet_table(report->rows, view, 0, sheet_rows(report->rows), "", report->answer->to);
}

static int by_time(const void *a, const void *b)
{
    const MeasureRow *x = *(const MeasureRow *const *)a, *y = *(const MeasureRow *const *)b;
    return points_faster(&x->point, &y->point);
}

// Prints the rows of one p, m and root, the fastest first. Returns the ranking of those in which the algorithm ran that
// it names; free with ranking_free.
static Ranking *print_ranking(const MeasureReport *report, const GPtrArray *group)
{
    static const SheetView view[] = {{"algorithm"}, {"median_s"}, {"x_best"},      {"min_s"}, {"mean_s"},
                                     {"p95_s"},     {"max_s"},    {"repetitions"}, {"notes"}, {NULL}};
    FILE *const to = report->answer->to;
    const guint rows = sheet_rows(report->rows);
    Ranking *ranking = ranking_new();
    qsort(group->pdata, group->len, sizeof *group->pdata, by_time);
    for (guint i = 0; i < group->len; i++) {
        const MeasureRow *row = g_ptr_array_index(group, i);
        add_row(report->rows, report->measure, row);
        if (is_ranked(row))
            g_ptr_array_add(ranking->ranked, row->point);
    }
    sheet_table(report->rows, view, rows, sheet_rows(report->rows), "", to);
    fputc('\n', to);
    return ranking;
}

// Returns the end of the rows from `first` on that have the same p, m and root as the first.
static guint group_end(const GArray *rows, guint first)
{
    const Point *x = g_array_index(rows, MeasureRow, first).point;
    for (guint end = first + 1; end < rows->len; end++) {
        const Point *y = g_array_index(rows, MeasureRow, end).point;
        if (!points_same_place(x, y))
            return end;
    }
    return rows->len;
}

// Prints the rows first .. end - 1, which have the same p, m and root, and adds their ranking.
static void print_group(const MeasureReport *report, guint first, guint end)
{
    const Measure *x = report->measure;
    FILE *const to = report->answer->to;
    const Point *any = g_array_index(x->rows, MeasureRow, first).point;
    g_autoptr(GPtrArray) group = g_ptr_array_new();
    for (guint i = first; i < end; i++)
        if (is_good(&g_array_index(x->rows, MeasureRow, i)))
            g_ptr_array_add(group, &g_array_index(x->rows, MeasureRow, i));
    if (group->len == 0)
        return;
    g_autofree char *size = units_format_size(any->m);
    fprintf(to, "%d rank%s, %s bytes", any->p, any->p == 1 ? "" : "s", size);
    if (x->request.question.root)
        fprintf(to, ", root %d", any->root);
    fputc('\n', to);
    g_ptr_array_add(report->rankings, print_ranking(report, group));
}

// Returns the algorithm if all rows have the same, otherwise NULL.
static const CollAlgorithm *only_algorithm(const Measure *x)
{
    const guint n = x->rows->len;
    const CollAlgorithm *first = n ? g_array_index(x->rows, MeasureRow, 0).point->algorithm : NULL;
    return n && first == g_array_index(x->rows, MeasureRow, n - 1).point->algorithm ? first : NULL;
}

static void print_title(FILE *to, const Measure *x)
{
    const CollAlgorithm *only = only_algorithm(x);
    g_autofree char *layout = request_layout(&x->request);
    fprintf(to, "%s%s%s measured on %s, %s%s, after %s\n", question_name(&x->request.question), only ? " " : "",
            only ? only->name : "", g_get_host_name(), x->meter.mpi, layout,
            x->meter.plan.sync == SYNC_BARRIER ? "a barrier" : "an agreed start");
    fputs("times are those of the slowest rank, over the repetitions\n\n", to);
}

// ---- The report -----------------------------------------------------------------------------------------------------

void measure_begin(MeasureReport *x, const Answer *answer, const Measure *measure)
{
    *x = (MeasureReport){.answer = answer,
                         .measure = measure,
                         .rankings = g_ptr_array_new_with_free_func(ranking_free),
                         .rows = empty_sheet(measure)};
}

// Adds the rows first .. end - 1 to the sheet.
static void add_rows(const MeasureReport *x, guint first, guint end)
{
    for (guint i = first; i < end; i++) {
        const MeasureRow *row = &g_array_index(x->measure->rows, MeasureRow, i);
        if (is_good(row))
            add_row(x->rows, x->measure, row);
    }
}

void measure_ready(guint n, gpointer report)
{
    MeasureReport *x = report;
    const Measure *measure = x->measure;
    FILE *const to = x->answer->to;
    const Format format = x->answer->format;
    const gboolean ranked = format == FORMAT_TABLE && !only_algorithm(measure);
    for (guint end; x->next < n && (end = group_end(measure->rows, x->next)) <= n; x->next = end) {
        const guint rows = sheet_rows(x->rows);
        if (x->next == 0 && ranked)
            print_title(to, measure);
        if (x->next == 0 && format == FORMAT_CSV)
            sheet_csv_names(x->rows, to);
        if (ranked)
            print_group(x, x->next, end);
        else
            add_rows(x, x->next, end);
        if (format == FORMAT_CSV)
            sheet_csv_rows(x->rows, rows, to);
    }
    fflush(to); // main() reports a failure
}

void measure_end(MeasureReport *x)
{
    measure_ready(x->measure->rows->len, x);
    if (x->answer->format == FORMAT_JSON) {
        answer_sheets(x->answer, "measure", (const Sheet *const[]){x->rows}, 1);
    } else if (x->answer->format == FORMAT_TABLE && only_algorithm(x->measure)) {
        print_title(x->answer->to, x->measure);
        print_one(x);
    } else if (x->answer->format == FORMAT_TABLE) {
        report_winners_print(x->answer->to, &x->measure->request, x->rankings, FALSE);
    }
}

void measure_report_clear(MeasureReport *x)
{
    if (x->rankings)
        g_ptr_array_unref(x->rankings);
    sheet_free(x->rows);
}
