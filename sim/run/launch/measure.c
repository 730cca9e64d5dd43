#include "run/launch/measure.h"
#include "base/progress.h"
#include <string.h>

// The line of progress, which counts the points of all launches.
typedef struct MeasureProgress {
    Progress line;
    guint before;          // points of the launches that are over
    const GPtrArray *rows; // of the current launch, MeasureRow
} MeasureProgress;

// Shows the point that runs after `done` of the n points of a launch.
static void show_progress(int done, int n, void *user)
{
    MeasureProgress *progress = user;
    if (!progress_due(&progress->line))
        return;
    const MeasureRow *row = done < n ? g_ptr_array_index(progress->rows, done) : NULL;
    g_autofree char *name = row ? point_name(row->point) : NULL;
    progress_show(&progress->line, progress->before + (guint)done, name);
}

// The rows of one launch.
typedef struct MeasureBatch {
    const Measure *measure;
    const Forced *forced;
    int p;
    GPtrArray *rows;
} MeasureBatch;

// Returns what a row times: a probe, the library's own collective, or an algorithm of ours.
static JobKind kind_of(const Measure *x, const MeasureRow *row)
{
    const gboolean of_library = row->forced || row->point->algorithm == &x->own;
    return x->kind != JOB_ALGORITHM ? x->kind : of_library ? JOB_LIBRARY : JOB_ALGORITHM;
}

static Job job_of(const MeasureBatch *b, const MeasureRow *row, gboolean like)
{
    const Measure *x = b->measure;
    const Point *point = row->point;
    const JobKind kind = kind_of(x, row);
    const Mapping *placed = request_mapping(&x->request.machine, point->p, point->per_node);
    return (Job){.kind = like ? JOB_LIKE : kind,
                 .collective = x->request.question.collective,
                 .algorithm = like                    ? b->forced->base
                              : kind == JOB_ALGORITHM ? point_entry(point)
                                                      : NULL,
                 .par = point->par,
                 .root = point->root,
                 .m = point->m,
                 .elem = x->request.question.elem,
                 .counts = point->counts,
                 .nodes = placed ? placed->nodes : NULL};
}

// Runs a launch and fills in its rows. With `like` it does not measure, but compares the library's messages with those
// of the algorithm.
static gboolean run_batch(const MeasureBatch *b, const Meter *with, gboolean like, GError **error)
{
    Meter meter = *with;
    g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(Job));
    const MeasureRow *first = g_ptr_array_index(b->rows, 0);
    g_auto(GStrv) words = NULL;
    for (guint i = 0; i < b->rows->len; i++) {
        const Job job = job_of(b, g_ptr_array_index(b->rows, i), like);
        g_array_append_val(jobs, job);
    }
    if (b->forced && !(words = forced_words(b->forced, meter.open_mpi, like, &first->point->asked, error)))
        return FALSE;
    meter.launch.options = (const char *const *)words;
    g_autofree JobResult *result = g_new0(JobResult, jobs->len);
    const gboolean good = meter_run(&meter, b->p, (const Job *)(const void *)jobs->data, (int)jobs->len, result, error);
    for (guint i = 0; i < b->rows->len; i++) {
        MeasureRow *row = g_ptr_array_index(b->rows, i);
        if (!like) {
            row->result = result[i];
            row->point->time_s = row->result.median_s;
            continue;
        }
        row->unlike = g_steal_pointer(&result[i].unlike);
        row->verified = row->unlike ? 0 : result[i].counted && !result[i].wrong ? 1 : -1;
        job_result_clear(&result[i]);
    }
    return good;
}

// Collects the rows for the next launch: the first row that is not done, and all with the same ranks and forced
// algorithm, except those that another row is measured for. Returns FALSE if all rows are done.
static gboolean next_batch(const Measure *x, gboolean *done, MeasureBatch *b)
{
    g_ptr_array_set_size(b->rows, 0);
    for (guint i = 0; i < x->rows->len; i++) {
        MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        if (done[i] || !row->point->ran)
            continue;
        if (b->rows->len == 0) {
            b->p = row->point->p;
            b->forced = row->forced;
        }
        done[i] = row->point->p == b->p && row->forced == b->forced;
        if (done[i] && row->run == i)
            g_ptr_array_add(b->rows, row);
    }
    return b->rows->len > 0;
}

// Gives the rows of a launch that have another row's run the outcome of that row.
static void share_results(const MeasureBatch *b)
{
    const GArray *rows = b->measure->rows;
    for (guint i = 0; i < rows->len; i++) {
        MeasureRow *row = &g_array_index(rows, MeasureRow, i);
        const MeasureRow *from = &g_array_index(rows, MeasureRow, row->run);
        if (row == from || row->point->p != b->p)
            continue;
        row->result = from->result;
        row->result.wrong = g_strdup(from->result.wrong);
        row->point->time_s = from->point->time_s;
    }
}

// Returns how many rows at the beginning are done, or cannot run.
static guint rows_done(const Measure *x, const gboolean *done)
{
    guint n = 0;
    while (n < x->rows->len && (done[n] || !g_array_index(x->rows, MeasureRow, n).point->ran))
        n++;
    return n;
}

gboolean measure_run(const Measure *x, GError **error)
{
    g_autofree gboolean *done = g_new0(gboolean, x->rows->len);
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    MeasureProgress progress = {.rows = rows};
    Meter meter = x->meter;
    meter.launch.progress = show_progress;
    meter.launch.user = &progress;
    guint runs = 0;
    for (guint i = 0; i < x->rows->len; i++)
        runs += g_array_index(x->rows, MeasureRow, i).run == i;
    progress_begin(&progress.line, "points", runs);
    MeasureBatch b = {.measure = x, .rows = rows};
    int warned = 0;
    gboolean good = TRUE;
    while (good && next_batch(x, done, &b)) {
        if (warned != b.p)
            meter_warn(&meter, b.p);
        warned = b.p;
        good =
            (!b.forced || !meter.open_mpi || run_batch(&b, &meter, TRUE, error)) && run_batch(&b, &meter, FALSE, error);
        share_results(&b);
        progress.before += rows->len;
        progress_end(&progress.line);
        if (good && x->ready)
            x->ready(rows_done(x, done), x->user);
    }
    return good;
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

// Sets the run of each of the rows first .. end - 1, which have the same p, m and root. Among rows with the same run,
// it is the first one that names the algorithm that runs, or else the first one. What the library runs is a run of its own.
static void find_runs(const Measure *x, guint first, guint end)
{
    const guint n = end - first;
    g_autofree Operation *op = g_new(Operation, n);
    MeasureRow *row = &g_array_index(x->rows, MeasureRow, first);
    for (guint i = 0; i < n; i++)
        op[i] = kind_of(x, &row[i]) == JOB_ALGORITHM ? point_operation(&x->request, row[i].point)
                                                     : (Operation){.algorithm = NULL};
    for (guint i = 0; i < n; i++) {
        guint run = n;
        for (guint k = 0; op[i].algorithm && k < n && (run == n || row[run].point->why); k++)
            if (op[k].algorithm == op[i].algorithm && params_same(op[i].algorithm, &op[k].c.par, &op[i].c.par) &&
                memcmp(op[k].c.par.part, op[i].c.par.part, sizeof op[k].c.par.part) == 0 &&
                (run == n || !row[k].point->why))
                run = k;
        row[i].run = first + (run < n ? run : i);
    }
}

gboolean measure_rows(Measure *x, GError **error)
{
    x->points = points_make(&x->request, error);
    for (guint i = 0; x->points && i < x->points->len; i++) {
        MeasureRow row = {.point = g_ptr_array_index(x->points, i), .run = i, .verified = -1};
        for (guint k = 0; x->forced && k < x->forced->len; k++)
            if (row.point->algorithm == &((const Forced *)g_ptr_array_index(x->forced, k))->entry)
                row.forced = g_ptr_array_index(x->forced, k);
        g_array_append_val(x->rows, row);
    }
    for (guint first = 0, end; x->points && x->kind == JOB_ALGORITHM && first < x->rows->len; first = end) {
        for (end = first + 1; end < x->rows->len; end++)
            if (!points_same_place(g_ptr_array_index(x->points, first), g_ptr_array_index(x->points, end)))
                break;
        find_runs(x, first, end);
    }
    for (guint i = 0; x->points && x->kind == JOB_ALGORITHM && i < x->points->len; i++) {
        Point *point = g_ptr_array_index(x->points, i);
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        if (kind_of(x, row) == JOB_ALGORITHM && point->ran && point_part_differs(point)) {
            point->ran = NULL;
            point->why = "a part of it has parameters of its own, which a measurement cannot pass";
        }
    }
    return x->points != NULL;
}

void measure_clear(Measure *x)
{
    for (guint i = 0; i < x->rows->len; i++) {
        MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        job_result_clear(&row->result);
        g_free(row->unlike);
    }
    g_array_unref(x->rows);
    g_clear_pointer(&x->points, g_ptr_array_unref);
    g_clear_pointer(&x->forced, g_ptr_array_unref);
    request_clear(&x->request);
    meter_clear(&x->meter);
}
