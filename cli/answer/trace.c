#include "answer/trace.h"
#include "ask/note.h"
#include "base/error.h"
#include "base/units.h"
#include "trace/chrome.h"
#include "trace/space_time.h"

gboolean trace_check(Request *r, const GPtrArray *points, GError **error)
{
    if (points->len != 1)
        return bad_input(error, "a trace shows one run, and these are %u; allowed: one algorithm, -p, -m and root",
                         points->len);
    if (r->model != &hockney_model && r->model != &measured_model && r->model != &shared_model)
        return bad_input(error, "--model %s: its runs cannot be traced; allowed: hockney, measured or shared",
                         r->model->name);
    r->options.ledger = true;
    return TRUE;
}

void trace_report(const Request *r, const Point *x, const TraceWish *wish, bool picture, FILE *to)
{
    const Mapping *map = request_mapping(r, x->p, x->per_node);
    g_autoptr(Trace) trace = trace_new(x->prediction->ledger, x->time_s, map, wish);
    g_autofree char *missing = trace_missing(trace), *name = point_name(x), *time = units_format_time(x->time_s);
    g_autofree char *operation = g_strdup_printf("%s %s", request_name(r), name);
    char seconds[G_ASCII_DTOSTR_BUF_SIZE];
    const ChromeFact facts[] = {
        {"operation", operation},
        {"machine", r->platform->name},
        {"model", r->model->name},
        {"time_s", g_ascii_formatd(seconds, sizeof seconds, "%.17g", x->time_s)},
        {"missing", missing ? missing : ""},
    };
    g_autofree char *title = g_strdup_printf("%s: %s", operation, time);
    if (picture)
        space_time_write(trace, title, to);
    else
        chrome_write(trace, map ? map->nodes : NULL, facts, G_N_ELEMENTS(facts), to);
    note("%s: %s; the trace has %u events of %d ranks%s%s", operation, time, trace_events(trace), trace->n_ranks,
         missing ? "; missing: " : "", missing ? missing : "");
}
