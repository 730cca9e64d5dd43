#include "measure_report.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Progress {
    int before, total; // points of the launches that are over, and of all
} Progress;

static void show_progress(int done, int n, void *user)
{
    const Progress *progress = user;
    (void)n;
    fprintf(stderr, "\r%d of %d points ", progress->before + done, progress->total);
}

// Rows of one leg and one p: one launch.
typedef struct Batch {
    const Measure *measure;
    Row *row;
    guint n;
} Batch;

static Job job_of(const Batch *b, const Point *point, gboolean like)
{
    const Measure *x = b->measure;
    const Forced *forced = b->row->leg->forced;
    return (Job){.kind = like ? JOB_LIKE : x->kind,
                 .collective = x->request.collective,
                 .algorithm = like                       ? forced->base
                              : x->kind == JOB_ALGORITHM ? point->algorithm
                                                         : NULL,
                 .par = point->par,
                 .root = point->root,
                 .per_node = x->request.per_node,
                 .m = point->m,
                 .elem = x->request.elem,
                 .counts = point->counts};
}

// `like`: not the times, but whether the library's messages are the algorithm's.
static gboolean run_batch(const Batch *b, const Meter *with, gboolean like, GError **error)
{
    Meter meter = *with;
    g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(Job));
    const Forced *forced = b->row->leg->forced;
    g_auto(GStrv) words = NULL;
    for (guint i = 0; i < b->n; i++) {
        const Job job = job_of(b, b->row[i].point, like);
        if (b->row[i].point->ran)
            g_array_append_val(jobs, job);
    }
    if (jobs->len == 0)
        return TRUE;
    if (forced && !(words = forced_words(forced, meter.open_mpi, like, &b->row->point->asked, error)))
        return FALSE;
    meter.launch.options = (const char *const *)words;
    g_autofree JobResult *result = g_new0(JobResult, jobs->len);
    const gboolean good =
        meter_run(&meter, b->row->point->p, (const Job *)(const void *)jobs->data, (int)jobs->len, result, error);
    for (guint i = 0, k = 0; i < b->n; i++) {
        Row *row = &b->row[i];
        if (!row->point->ran)
            continue;
        if (!like) {
            row->result = result[k++];
            row->point->time_s = row->result.median_s;
            continue;
        }
        row->unlike = g_steal_pointer(&result[k].unlike);
        row->verified = row->unlike ? 0 : result[k].counted && !result[k].wrong ? 1 : -1;
        job_result_clear(&result[k++]);
    }
    return good;
}

gboolean measure_run(const Measure *x, GError **error)
{
    const gboolean shown = isatty(STDERR_FILENO) && x->rows->len > 1;
    Progress progress = {.total = (int)x->rows->len};
    Meter meter = x->meter;
    meter.launch.progress = shown ? show_progress : NULL;
    meter.launch.user = &progress;
    gboolean good = TRUE;
    Row *const rows = (Row *)(void *)x->rows->data;
    for (guint first = 0; good && first < x->rows->len;) {
        const int p = rows[first].point->p;
        Batch b = {x, &rows[first], 0};
        while (first + b.n < x->rows->len && rows[first + b.n].leg == b.row->leg && rows[first + b.n].point->p == p)
            b.n++;
        progress.before = (int)first;
        if (meter_crowded(&meter, p) && b.row->leg == rows->leg)
            fprintf(stderr, "%d ranks share %d core%s: their times say nothing about the algorithm\n", p, meter.cores,
                    meter.cores == 1 ? "" : "s");
        good = (!b.row->leg->forced || !meter.open_mpi || run_batch(&b, &meter, TRUE, error)) &&
               run_batch(&b, &meter, FALSE, error);
        if (shown)
            fputs("\r                              \r", stderr);
        first += b.n;
    }
    return good;
}
