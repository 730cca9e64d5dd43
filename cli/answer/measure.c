#include "answer/measure.h"
#include "answer/ranking.h"
#include "answer/report.h"
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

// ---- The sheet ---------------------------------------------------------------------------------------------------------

static char *row_notes(const Request *r, const Meter *meter, const MeasureRow *row)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *of_point = report_notes(r, row->point);
    if (*of_point)
        g_ptr_array_add(notes, g_steal_pointer(&of_point));
    if (row->verified == 0 || (row->forced && row->verified < 0))
        g_ptr_array_add(notes, g_strdup(row->verified == 0 ? "other messages" : "not verified"));
    if (meter_crowded(meter, row->point->p))
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

// Adds a row; x_best is the ratio to the time of `best`.
static void add_row(Sheet *sheet, const Measure *x, const MeasureRow *row, const MeasureRow *best)
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
    sheet_number(sheet, "x_best", best->result.median_s > 0 ? t->median_s / best->result.median_s : NAN);
    sheet_take(sheet, "notes", row_notes(&x->request, &x->meter, row));
}

// ---- For people --------------------------------------------------------------------------------------------------------

static void print_one(FILE *to, const Measure *x)
{
    static const SheetView view[] = {{"ranks"}, {"bytes"}, {"median_s"},    {"min_s"}, {"mean_s"},
                                     {"p95_s"}, {"max_s"}, {"repetitions"}, {"notes"}, {NULL}};
    g_autoptr(Sheet) sheet = empty_sheet(x);
    for (guint i = 0; i < x->rows->len; i++) {
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        if (is_good(row))
            add_row(sheet, x, row, row);
    }
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

static int by_time(const void *a, const void *b)
{
    const MeasureRow *x = *(const MeasureRow *const *)a, *y = *(const MeasureRow *const *)b;
    return points_faster(&x->point, &y->point);
}

// Prints the rows of one p, m and root, the fastest first. Returns the ranking of those in which the algorithm ran that it
// names; free with ranking_free.
static Ranking *print_ranking(FILE *to, const Measure *x, const GPtrArray *group)
{
    static const SheetView view[] = {{"algorithm"}, {"median_s"}, {"x_best"},      {"min_s"}, {"mean_s"},
                                     {"p95_s"},     {"max_s"},    {"repetitions"}, {"notes"}, {NULL}};
    Ranking *ranking = ranking_new();
    g_autoptr(Sheet) sheet = empty_sheet(x);
    qsort(group->pdata, group->len, sizeof *group->pdata, by_time);
    for (guint i = 0; i < group->len; i++) {
        const MeasureRow *row = g_ptr_array_index(group, i);
        add_row(sheet, x, row, g_ptr_array_index(group, 0));
        if (!row->point->why && row->verified != 0)
            g_ptr_array_add(ranking->ranked, row->point);
    }
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
    fputc('\n', to);
    return ranking;
}

static gboolean same_place(const Point *x, const Point *y)
{
    return x->p == y->p && x->m == y->m && x->root == y->root;
}

static void print_all(FILE *to, const Measure *x)
{
    const GArray *rows = x->rows;
    g_autoptr(GPtrArray) rankings = g_ptr_array_new_with_free_func(ranking_free);
    for (guint i = 0; i < rows->len; i++) {
        const Point *first = g_array_index(rows, MeasureRow, i).point;
        gboolean seen = FALSE;
        g_autoptr(GPtrArray) group = g_ptr_array_new();
        for (guint k = 0; k < rows->len; k++) {
            MeasureRow *row = &g_array_index(rows, MeasureRow, k);
            seen |= k < i && same_place(row->point, first);
            if (is_good(row) && same_place(row->point, first))
                g_ptr_array_add(group, row);
        }
        if (seen || group->len == 0)
            continue;
        g_autofree char *size = units_format_size(first->m);
        fprintf(to, "%d rank%s, %s bytes", first->p, first->p == 1 ? "" : "s", size);
        if (x->request.root)
            fprintf(to, ", root %d", first->root);
        fputc('\n', to);
        g_ptr_array_add(rankings, print_ranking(to, x, group));
    }
    ranking_print_winners(to, rankings);
}

static void print_table(FILE *to, const Measure *x)
{
    const Request *r = &x->request;
    g_autofree char *layout = request_layout(r);
    const guint n = x->rows->len;
    const gboolean one = n && g_array_index(x->rows, MeasureRow, 0).point->algorithm ==
                                  g_array_index(x->rows, MeasureRow, n - 1).point->algorithm;
    fprintf(to, "%s%s%s measured on %s, %s%s, after %s\n", request_name(r), one ? " " : "",
            one ? g_array_index(x->rows, MeasureRow, 0).point->algorithm->name : "", g_get_host_name(), x->meter.mpi,
            layout, x->meter.plan.sync == SYNC_BARRIER ? "a barrier" : "an agreed start");
    fputs("times are those of the slowest rank, over the repetitions\n\n", to);
    (one ? print_one : print_all)(to, x);
}

void measure_report(const Answer *answer, const Measure *x)
{
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, x);
        return;
    }
    g_autoptr(Sheet) rows = empty_sheet(x);
    for (guint i = 0; i < x->rows->len; i++) {
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        if (is_good(row))
            add_row(rows, x, row, row);
    }
    answer_sheets(answer, "measure", (const Sheet *const[]){rows}, 1);
}
