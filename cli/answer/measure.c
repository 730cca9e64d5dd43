#include "answer/measure.h"
#include "answer/report.h"
#include "base/units.h"
#include "out/json.h"
#include "out/table.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    size_t offset; // in JobResult
} times[] = {
    {"min_s", offsetof(JobResult, min_s)},
    {"median_s", offsetof(JobResult, median_s)},
    {"mean_s", offsetof(JobResult, mean_s)},
    {"p95_s", offsetof(JobResult, p95_s)},
    {"max_s", offsetof(JobResult, max_s)},
    {"ranks_min_s", offsetof(JobResult, ranks_min_s)},
    {"ranks_mean_s", offsetof(JobResult, ranks_mean_s)},
};

static double time_of(const MeasureRow *row, guint i)
{
    return *(const double *)(const void *)((const char *)&row->result + times[i].offset);
}

static gboolean is_good(const MeasureRow *row)
{
    return row->point->ran && !row->result.wrong;
}

// ---- CSV and JSON --------------------------------------------------------------------------------------------------

GString *measure_csv(const Measure *x)
{
    const Request *r = &x->request;
    const Meter *meter = &x->meter;
    GString *s = g_string_new(NULL);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    report_csv_columns(s, r);
    g_string_append(s, ",element,repetitions");
    for (guint i = 0; i < G_N_ELEMENTS(times); i++)
        g_string_append_printf(s, ",%s", times[i].name);
    g_string_append(s, ",sync,mpi,cores,oversubscribed,library_id,library_id_verified\n");
    for (guint k = 0; k < x->rows->len; k++) {
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, k);
        if (!is_good(row))
            continue;
        report_csv_point(s, r, row->point);
        g_string_append_printf(s, ",%" G_GSIZE_FORMAT ",%d", r->elem, row->result.repetitions);
        for (guint i = 0; i < G_N_ELEMENTS(times); i++)
            g_string_append_printf(s, ",%s", g_ascii_formatd(number, sizeof number, "%.17g", time_of(row, i)));
        g_string_append_printf(s, ",%s,%s,", sync_names[meter->plan.sync], meter->mpi);
        if (meter->cores)
            g_string_append_printf(s, "%d,%d", meter->cores, meter_crowded(meter, row->point->p));
        else
            g_string_append_c(s, ',');
        g_string_append_c(s, ',');
        if (row->forced)
            g_string_append(s, row->forced->value);
        g_string_append_c(s, ',');
        if (row->verified >= 0)
            g_string_append_printf(s, "%d", row->verified);
        g_string_append_c(s, '\n');
    }
    return s;
}

static void add_row(Json *json, const Request *r, const Meter *meter, const MeasureRow *row)
{
    g_autofree char *ran = point_ran(row->point);
    report_json_point(json, r, row->point);
    if (ran)
        json_string(json, "ran", ran);
    json_integer(json, "element", (gint64)r->elem);
    json_integer(json, "repetitions", row->result.repetitions);
    for (guint i = 0; i < G_N_ELEMENTS(times); i++)
        json_number(json, times[i].name, time_of(row, i));
    json_string(json, "sync", sync_names[meter->plan.sync]);
    json_string(json, "mpi", meter->mpi);
    if (meter->cores) {
        json_integer(json, "cores", meter->cores);
        json_integer(json, "oversubscribed", meter_crowded(meter, row->point->p));
    }
    if (row->forced)
        json_string(json, "library_id", row->forced->value);
    if (row->verified >= 0)
        json_integer(json, "library_id_verified", row->verified);
    json_close(json, '}');
}

GString *measure_json(const Measure *x)
{
    Json json = {g_string_new("["), TRUE};
    for (guint i = 0; i < x->rows->len; i++) {
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        if (!is_good(row))
            continue;
        add_row(&json, &x->request, &x->meter, row);
        g_string_append_c(json.text, '\n');
    }
    g_string_append(json.text, "]\n");
    return json.text;
}

// ---- Tables --------------------------------------------------------------------------------------------------------

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

static void add_times(Table *t, const Request *r, const Meter *meter, const MeasureRow *row)
{
    table_add(t, units_format_time(row->result.min_s));
    table_add(t, units_format_time(row->result.mean_s));
    table_add(t, units_format_time(row->result.p95_s));
    table_add(t, units_format_time(row->result.max_s));
    table_add(t, g_strdup_printf("%d", row->result.repetitions));
    table_add(t, row_notes(r, meter, row));
}

static void print_one(const Request *r, const Meter *meter, const GArray *rows)
{
    static const char *const names[] = {"ranks", "bytes", "median", "min", "mean", "p95", "max", "times", "notes"};
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < rows->len; i++) {
        const MeasureRow *row = &g_array_index(rows, MeasureRow, i);
        if (!is_good(row))
            continue;
        table_add(t, g_strdup_printf("%d", row->point->p));
        table_add(t, units_format_size(row->point->m));
        table_add(t, units_format_time(row->result.median_s));
        add_times(t, r, meter, row);
    }
    table_print(t, "");
    table_free(t);
}

static int by_time(const void *a, const void *b)
{
    const MeasureRow *x = *(const MeasureRow *const *)a, *y = *(const MeasureRow *const *)b;
    return points_faster(&x->point, &y->point);
}

// Prints the rows of one p, m and root, the fastest first. Returns the fastest row in which the algorithm ran that it names;
// NULL if there is none.
static const Point *print_ranking(const Request *r, const Meter *meter, const GPtrArray *group)
{
    static const char *const names[] = {"algorithm", "median", "x best", "min", "mean", "p95", "max", "times", "notes"};
    const Point *best = NULL;
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    qsort(group->pdata, group->len, sizeof *group->pdata, by_time);
    for (guint i = 0; i < group->len; i++) {
        const MeasureRow *row = g_ptr_array_index(group, i), *first = g_ptr_array_index(group, 0);
        table_add(t, g_strdup(row->point->algorithm->name));
        table_add(t, units_format_time(row->result.median_s));
        table_add(t, table_ratio(row->result.median_s, first->result.median_s));
        add_times(t, r, meter, row);
        best = best || row->point->why || row->verified == 0 ? best : row->point;
    }
    table_print(t, "");
    puts("");
    table_free(t);
    return best;
}

static gboolean same_place(const Point *x, const Point *y)
{
    return x->p == y->p && x->m == y->m && x->root == y->root;
}

static void print_all(const Request *r, const Meter *meter, const GArray *rows)
{
    g_autoptr(GPtrArray) best = g_ptr_array_new();
    for (guint i = 0; i < rows->len; i++) {
        const Point *x = g_array_index(rows, MeasureRow, i).point;
        gboolean seen = FALSE;
        g_autoptr(GPtrArray) group = g_ptr_array_new();
        for (guint k = 0; k < rows->len; k++) {
            MeasureRow *row = &g_array_index(rows, MeasureRow, k);
            seen |= k < i && same_place(row->point, x);
            if (is_good(row) && same_place(row->point, x))
                g_ptr_array_add(group, row);
        }
        if (seen || group->len == 0)
            continue;
        g_autofree char *size = units_format_size(x->m);
        printf("%d rank%s, %s bytes", x->p, x->p == 1 ? "" : "s", size);
        if (r->root)
            printf(", root %d", x->root);
        puts("");
        const Point *winner = print_ranking(r, meter, group);
        if (winner)
            g_ptr_array_add(best, (gpointer)(uintptr_t)winner);
    }
    report_winners(best);
}

void measure_table(const Measure *x)
{
    const Request *r = &x->request;
    const Meter *meter = &x->meter;
    const GArray *rows = x->rows;
    g_autofree char *layout = request_layout(r);
    const guint n = rows->len;
    const gboolean one = n && g_array_index(rows, MeasureRow, 0).point->algorithm ==
                                  g_array_index(rows, MeasureRow, n - 1).point->algorithm;
    printf("%s%s%s measured on %s, %s%s, after %s\n", request_name(r), one ? " " : "",
           one ? g_array_index(rows, MeasureRow, 0).point->algorithm->name : "", g_get_host_name(), meter->mpi, layout,
           meter->plan.sync == SYNC_BARRIER ? "a barrier" : "an agreed start");
    puts("times are those of the slowest rank, over the repetitions\n");
    (one ? print_one : print_all)(r, meter, rows);
}
