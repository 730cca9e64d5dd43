// What `run` says to machines: CSV and JSON.
#include "answer/report.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

int64_t report_peak_rss(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * (int64_t)1024;
}

// ---- JSON and CSV --------------------------------------------------------------------------------------------------------

static void add_why(Json *json, const GArray *why)
{
    json_open(json, "path", '[');
    for (guint i = 0; i < why->len; i++) {
        const WhyStep *w = &g_array_index(why, WhyStep, i);
        json_open(json, NULL, '{');
        json_integer(json, "rank", w->rank);
        json_string(json, "operation", w->what);
        if (w->peer < 0)
            json_string(json, "peer", NULL);
        else
            json_integer(json, "peer", w->peer);
        json_integer(json, "bytes", (int64_t)w->bytes);
        json_number(json, "start_s", w->start_s);
        json_number(json, "end_s", w->end_s);
        json_close(json, '}');
    }
    json_close(json, ']');
}

typedef struct ReportFigure {
    const char *name;
    uint64_t value;
} ReportFigure;
enum { N_FIGURES = 7, N_MEMORY_FIGURES = 9 };

// Fills in the figures of messages or of shared memory, with only their names if x is NULL, and returns how many they are.
static int figures_of(const Request *r, const Point *x, ReportFigure f[N_FIGURES])
{
    const Totals none = {0}, *t = x ? &x->prediction->totals : &none;
    const ReportFigure shared[] = {
        {"bytes_written", t->bytes_written},         {"bytes_read", t->bytes_read},
        {"max_bytes_written", t->max_bytes_written}, {"max_bytes_read", t->max_bytes_read},
        {"max_bytes_reduced", t->max_bytes_reduced}, {"segment_bytes", x ? point_segment(x) : 0},
    };
    const ReportFigure messages[N_FIGURES] = {
        {"messages", t->messages},
        {"bytes_sent", t->bytes_sent},
        {"max_messages_sent", t->max_messages_sent},
        {"max_messages_received", t->max_messages_received},
        {"max_bytes_sent", t->max_bytes_sent},
        {"max_bytes_received", t->max_bytes_received},
        {"max_bytes_reduced", t->max_bytes_reduced},
    };
    const int n = r->model->shared ? (int)G_N_ELEMENTS(shared) : N_FIGURES;
    memcpy(f, r->model->shared ? shared : messages, (size_t)n * sizeof *f);
    return n;
}

static void memory_figures_of(const Memory *m, ReportFigure f[N_MEMORY_FIGURES])
{
    const ReportFigure all[N_MEMORY_FIGURES] = {
        {"root_connections", m->root.connections}, {"max_connections", m->most.connections},
        {"all_connections", m->all.connections},   {"root_scratch_bytes", m->root.scratch},
        {"max_scratch_bytes", m->most.scratch},    {"all_scratch_bytes", m->all.scratch},
        {"root_copied_bytes", m->root.copied},     {"max_copied_bytes", m->most.copied},
        {"all_copied_bytes", m->all.copied},
    };
    memcpy(f, all, sizeof all);
}

// Without a platform the times were measured, on this host.
static const char *platform_of(const Request *r)
{
    return r->platform ? r->platform->name : g_get_host_name();
}

static const char *model_of(const Point *x, const Request *r)
{
    return x->prediction ? r->model->name : "measured";
}

static const char *transfer_of(const Point *x, const Request *r)
{
    return x->prediction && r->model->transfers ? transfer_names[r->options.transfer] : "";
}

void report_json_point(Json *json, const Request *r, const Point *x)
{
    json_open(json, NULL, '{');
    json_string(json, "collective", request_name(r));
    json_string(json, "algorithm", x->algorithm->name);
    json_open(json, "params", '{');
    for (int i = 0; i < algorithm_n_params(x->algorithm); i++) {
        const CollParam *param = &x->algorithm->params[i];
        const int64_t value = param_get(param, &x->par);
        if (param->kind == PARAM_CHOICE)
            json_string(json, param->name, param->choices[value]);
        else if (param->kind == PARAM_ALGORITHM)
            json_string(json, param->name, algorithms[value]->name);
        else
            json_integer(json, param->name, value);
    }
    json_close(json, '}');
    json_integer(json, "p", x->p);
    json_integer(json, "bytes", (int64_t)x->m);
    json_integer(json, "root", x->root);
    if (collectives[r->collective].counts) {
        json_string(json, "counts", r->counts_text ? r->counts_text : counts_names[COUNTS_EQUAL]);
        json_string(json, "displs", r->counts.gaps ? "gaps" : "consecutive");
    }
    if (r->per_node)
        json_integer(json, "per_node", r->per_node);
    json_string(json, "platform", platform_of(r));
    json_string(json, "model", model_of(x, r));
    json_string(json, "transfer", *transfer_of(x, r) ? transfer_of(x, r) : NULL);
    json_number(json, "time_s", x->time_s);
}

static void add_point(Json *json, const Request *r, const Point *x)
{
    const Prediction *y = x->prediction;
    report_json_point(json, r, x);
    ReportFigure f[N_FIGURES];
    const int n = figures_of(r, x, f);
    for (int i = 0; i < n; i++)
        json_integer(json, f[i].name, (int64_t)f[i].value);
    json_open(json, "certificate", '{');
    for (int i = 0; i < r->model->n_terms; i++)
        json_integer(json, r->model->terms[i], y->count[i]);
    json_close(json, '}');
    g_autofree char *ran = point_ran(x);
    if (ran)
        json_string(json, "ran", ran);
    if (y->why)
        add_why(json, y->why);
    ReportFigure memory[N_MEMORY_FIGURES];
    memory_figures_of(&x->memory, memory);
    for (int i = 0; r->memory && i < N_MEMORY_FIGURES; i++)
        json_integer(json, memory[i].name, (int64_t)memory[i].value);
    if (r->timing) {
        json_number(json, "wall_s", x->wall_s);
        json_string(json, "gear", y->gear);
        json_string(json, "gear_why", y->gear_why);
        json_integer(json, "ranks_simulated", y->ranks_simulated);
        json_integer(json, "peak_rss_bytes", report_peak_rss());
    }
    json_close(json, '}');
}

void report_json(const Request *r, const GPtrArray *points)
{
    Json json = {g_string_new("["), TRUE};
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (!point_timed(x))
            continue;
        add_point(&json, r, x);
        fputs(json.text->str, stdout);
        puts("");
        g_string_truncate(json.text, 0);
    }
    g_string_append_c(json.text, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}

void report_csv_columns(GString *s, const Request *r)
{
    ReportFigure f[N_FIGURES];
    const int n = figures_of(r, NULL, f);
    g_string_append(s, "collective,algorithm,params,p,bytes,root,platform,model,transfer,time_s");
    for (int i = 0; i < n; i++)
        g_string_append_printf(s, ",%s", f[i].name);
    g_string_append(s, ",certificate,ran,counts,displs,per_node");
}

void report_csv_point(GString *s, const Request *r, const Point *x)
{
    char time[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *params = point_params(x, FALSE), *ran = point_ran(x),
                    *certificate =
                        x->prediction ? model_certificate_text(r->model, x->prediction->count) : g_strdup("");
    g_string_append_printf(s, "%s,%s,%s,%d,%" G_GSIZE_FORMAT ",%d,%s,%s,%s,%s", request_name(r), x->algorithm->name,
                           params, x->p, x->m, x->root, platform_of(r), model_of(x, r), transfer_of(x, r),
                           g_ascii_formatd(time, sizeof time, "%.17g", x->time_s));
    ReportFigure f[N_FIGURES];
    const int n = figures_of(r, x->prediction ? x : NULL, f);
    for (int k = 0; k < n; k++)
        if (x->prediction)
            g_string_append_printf(s, ",%" G_GUINT64_FORMAT, f[k].value);
        else
            g_string_append_c(s, ',');
    g_string_append_printf(s, ",%s,%s,", certificate, ran ? ran : "");
    if (collectives[r->collective].counts)
        g_string_append_printf(s, "%s,%s,", r->counts_text ? r->counts_text : counts_names[COUNTS_EQUAL],
                               r->counts.gaps ? "gaps" : "consecutive");
    else
        g_string_append(s, ",,");
    if (r->per_node)
        g_string_append_printf(s, "%d", r->per_node);
}

void report_csv(const Request *r, const GPtrArray *points)
{
    GString *s = g_string_new(NULL);
    ReportFigure memory[N_MEMORY_FIGURES];
    memory_figures_of(&(Memory){0}, memory);
    report_csv_columns(s, r);
    for (int i = 0; r->memory && i < N_MEMORY_FIGURES; i++)
        g_string_append_printf(s, ",%s", memory[i].name);
    g_string_append(s, r->timing ? ",wall_s,gear,ranks_simulated,peak_rss_bytes\n" : "\n");
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (!point_timed(x))
            continue;
        char time[G_ASCII_DTOSTR_BUF_SIZE];
        report_csv_point(s, r, x);
        memory_figures_of(&x->memory, memory);
        for (int k = 0; r->memory && k < N_MEMORY_FIGURES; k++)
            g_string_append_printf(s, ",%" G_GUINT64_FORMAT, memory[k].value);
        if (r->timing)
            g_string_append_printf(s, ",%s,%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                                   g_ascii_formatd(time, sizeof time, "%.6f", x->wall_s), x->prediction->gear,
                                   x->prediction->ranks_simulated, report_peak_rss());
        g_string_append_c(s, '\n');
    }
    fputs(s->str, stdout);
    g_string_free(s, TRUE);
}
