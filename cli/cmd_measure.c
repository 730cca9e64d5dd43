#include "cli.h"
#include "error.h"
#include "measure_report.h"
#include "request.h"
#include "units.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Options {
    RequestOptions request;
    MeterOptions meter;
    char *output;
} Options;

static void options_clear(Options *o)
{
    request_options_clear(&o->request);
    meter_options_clear(&o->meter);
    g_free(o->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static const char help_text[] =
    "Measures algorithms with a real MPI on this machine; their data are verified each time.\n\n"
    "  collsim measure allreduce all -p 2,4 -m 8,64K,1M\n"
    "  collsim measure bcast pipeline -p 4 -m 1M --param segment=64K --sync window\n"
    "  collsim measure allreduce library -p 4 -m 8..1M:x8 --format csv -o library.csv\n"
    "  collsim measure bcast all -p 2 -m 64..16M:x16 --model shared\n"
    "  collsim measure pingpong -m 1..1M:x4        one way between two ranks\n"
    "  collsim measure reduce_local -m 1K..1M:x4   a rank reduces so many bytes with as many\n\n"
    "`library` is MPI's own collective. Lists, sizes, -m, and what `all` is, are as of `collsim run`.\n"
    "A point is repeated until its median is known to 1 %, as far as the budget goes; `times` says how often it was.\n"
    "The CSV is that of `run`, for `plot` and `calibrate`: time_s is the median over the repetitions of the slowest "
    "rank's\n"
    "time, as min_s .. max_s are of that; ranks_* are over all ranks' times; what only a simulation knows is empty.\n"
    "With more ranks than cores (oversubscribed: 1) only the data mean something.\n"
    "Exit status 1: some data were wrong, which a line says; such points are left out.";

// ---- What is measured ----------------------------------------------------------------------------------------------

typedef struct Measure {
    Request request;
    JobKind kind;
    CollAlgorithm own; // what no registry has: the library, a probe
    GPtrArray *points;
    GArray *rows; // Row
} Measure;

static void measure_clear(Measure *x)
{
    for (guint i = 0; x->rows && i < x->rows->len; i++)
        job_result_clear(&g_array_index(x->rows, Row, i).result);
    g_clear_pointer(&x->rows, g_array_unref);
    g_clear_pointer(&x->points, g_ptr_array_unref);
    request_clear(&x->request);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Measure, measure_clear)

static gboolean find_probe(const RequestOptions *o, Measure *x, GError **error)
{
    const size_t p = x->kind == JOB_PINGPONG ? 2 : 1;
    Request *r = &x->request;
    if (o->ranks || o->root || o->counts || o->displs || o->per_node || o->params)
        return bad_input(error, "%s takes -m and --element only", probe_name(x->kind));
    r->name = probe_name(x->kind);
    r->collective = COLL_ALLREDUCE; // a vector
    x->own = (CollAlgorithm){.collective = r->collective, .name = probe_algorithm(x->kind)};
    r->only = &x->own;
    r->ranks = g_array_new(FALSE, FALSE, sizeof p);
    g_array_append_val(r->ranks, p);
    return (r->sizes = find_sizes(o->sizes, error)) && find_element(o->element, &r->elem, error);
}

static gboolean find_measure(char **words, const Options *o, Measure *x, GError **error)
{
    Request *r = &x->request;
    for (int kind = JOB_PINGPONG; kind <= JOB_REDUCE; kind++)
        if (strcmp(words[0], probe_name((JobKind)kind)) == 0) {
            x->kind = (JobKind)kind;
            return (!words[1] || bad_input(error, "%s %s: %s has no algorithms", words[0], words[1], words[0])) &&
                   find_probe(&o->request, x, error) && request_model(o->request.model, r, error);
        }
    if (!find_collective(words[0], &r->collective, error))
        return FALSE;
    if (!words[1])
        return bad_input(error, "measure %s: no algorithm given; allowed: one of `collsim list %s`, all, or library",
                         words[0], words[0]);
    if (strcmp(words[1], "library") == 0) {
        x->kind = JOB_LIBRARY;
        x->own = (CollAlgorithm){.collective = r->collective, .name = words[1]};
        r->only = &x->own;
    } else if (strcmp(words[1], "all") != 0 && !(r->only = find_algorithm(r->collective, words[1], error)))
        return FALSE;
    return request_points(&o->request, r, error) && request_model(o->request.model, r, error);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

typedef struct Progress {
    int before, total; // points of the launches that are over, and of all
} Progress;

static void show_progress(int done, int n, void *user)
{
    const Progress *progress = user;
    (void)n;
    fprintf(stderr, "\r%d of %d points ", progress->before + done, progress->total);
}

static Job job_of(const Measure *x, const Point *point)
{
    return (Job){.kind = x->kind,
                 .collective = x->request.collective,
                 .algorithm = x->kind == JOB_ALGORITHM ? point->algorithm : NULL,
                 .par = point->par,
                 .root = point->root,
                 .per_node = x->request.per_node,
                 .m = point->m,
                 .elem = x->request.elem,
                 .counts = point->counts};
}

// All points of one p, from row `first` on, in one launch; *end is the row behind them.
static gboolean run_ranks(const Measure *x, const Meter *meter, guint first, guint *end, GError **error)
{
    const int p = g_array_index(x->rows, Row, first).point->p;
    g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(Job));
    for (*end = first; *end < x->rows->len && g_array_index(x->rows, Row, *end).point->p == p; ++*end) {
        const Point *point = g_array_index(x->rows, Row, *end).point;
        const Job job = job_of(x, point);
        if (point->ran)
            g_array_append_val(jobs, job);
    }
    if (jobs->len == 0)
        return TRUE;
    if (meter_crowded(meter, p))
        fprintf(stderr, "%d ranks share %d cores: their times say nothing about the algorithm\n", p, meter->cores);
    g_autofree JobResult *result = g_new0(JobResult, jobs->len);
    const gboolean good = meter_run(meter, p, (const Job *)(const void *)jobs->data, (int)jobs->len, result, error);
    for (guint i = first, k = 0; i < *end; i++) {
        Row *row = &g_array_index(x->rows, Row, i);
        if (!row->point->ran)
            continue;
        row->result = result[k++];
        row->point->time_s = row->result.median_s;
    }
    return good;
}

static gboolean run_rows(const Measure *x, Meter *meter, GError **error)
{
    const gboolean shown = isatty(STDERR_FILENO) && x->rows->len > 1;
    Progress progress = {.total = (int)x->rows->len};
    meter->launch.progress = shown ? show_progress : NULL;
    meter->launch.user = &progress;
    gboolean good = TRUE;
    for (guint first = 0, end = 0; good && first < x->rows->len; first = end) {
        progress.before = (int)first;
        good = run_ranks(x, meter, first, &end, error);
        if (shown)
            fputs("\r                              \r", stderr);
    }
    return good;
}

// Data that are wrong are a result.
static int report_wrong(const Measure *x)
{
    int status = 0;
    for (guint i = 0; i < x->rows->len; i++) {
        const Row *row = &g_array_index(x->rows, Row, i);
        g_autofree char *size = units_format_size(row->point->m);
        if (!row->result.wrong)
            continue;
        fprintf(stderr, "%s %s on %d ranks, %s bytes, root %d: %s\n", request_name(&x->request),
                row->point->algorithm->name, row->point->p, size, row->point->root, row->result.wrong);
        status = 1;
    }
    return status;
}

// To stdout, or the whole file or nothing.
static gboolean write_text(GString *text, const char *path, GError **error)
{
    g_autoptr(GError) why = NULL;
    const gboolean good = !path || g_file_set_contents_full(path, text->str, (gssize)text->len,
                                                            G_FILE_SET_CONTENTS_CONSISTENT, 0666, &why);
    if (!path)
        fputs(text->str, stdout);
    g_string_free(text, TRUE);
    return good || bad_input(error, "-o %s: %s", path, why->message);
}

int cmd_measure(int argc, char **argv, GError **error)
{
    g_auto(Options) o = {0};
    const GOptionEntry entries[] = {
        REQUEST_ENTRIES(o.request),
        {"model", 0, 0, G_OPTION_ARG_STRING, &o.request.model,
         "`all` are the algorithms of messages, or with shared of shared "
         "memory",
         "NAME"},
        METER_ENTRIES(o.meter),
        {"format", 'f', 0, G_OPTION_ARG_STRING, &o.request.format, "table, csv or json", "FORMAT"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "write CSV or JSON to FILE, once all is measured", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Measure) x = {.rows = g_array_new(FALSE, FALSE, sizeof(Row))};
    g_auto(Meter) meter = {0};
    Format format;
    if (!parse_options(argc, argv, "COLLECTIVE ALGORITHM|all|library, or pingpong, or reduce_local", help_text, entries,
                       1, 2, &words, error) ||
        !find_format(o.request.format ? o.request.format
                     : o.output       ? "csv"
                                      : NULL,
                     &format, error) ||
        !find_measure(words, &o, &x, error) || !(x.points = points_make(&x.request, error)) ||
        !meter_read(&o.meter, &meter, error))
        return 2;
    if (o.output && format == FORMAT_TABLE)
        return bad_input(error, "-o is for --format csv or json"), 2;
    for (guint i = 0; i < x.points->len; i++) {
        const Row row = {.point = g_ptr_array_index(x.points, i), .verified = -1};
        g_array_append_val(x.rows, row);
    }
    if (!run_rows(&x, &meter, error))
        return 2;
    const int status = report_wrong(&x);
    if (format == FORMAT_TABLE)
        measure_table(&x.request, &meter, x.rows);
    else if (!write_text((format == FORMAT_CSV ? measure_csv : measure_json)(&x.request, &meter, x.rows), o.output,
                         error))
        return 2;
    return status;
}
