// The columns that the answers about points share.
#include "answer/report/report.h"
#include "base/units.h"
#include "engine/model/model_columns.h"
#include "libraries/decide/decide_ways.h"
#include "out/wrap.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

int64_t report_peak_rss(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * (int64_t)1024;
}

// ---- The machine ----------------------------------------------------------------------------------------------------

static void add_column(Sheet *sheet, const char *name)
{
    sheet_add_columns(sheet, (const char *const[]){name, NULL});
}

void report_machine(Sheet *sheet, const Platform *platform, const Model *model, const char *transfer, char **sets)
{
    sheet_add_columns(sheet, (const char *const[]){"platform", "model", "transfer", "sets", NULL});
    sheet_text(sheet, "platform", platform->name);
    sheet_text(sheet, "model", model->name);
    sheet_text(sheet, "transfer", transfer);
    sheet_take(sheet, "sets", sets ? g_strjoinv(";", sets) : NULL);
    for (size_t i = 0; i < model->n_keys; i++) {
        const PlatformKey key = model->keys[i];
        const double value = platform->value[key];
        if (!model_has_figure(platform, key))
            continue;
        g_autofree char *name = model_figure_column(key);
        add_column(sheet, name);
        if (!model_knows_figure(platform, key))
            continue;
        if (platform_keys[key].unit == PLATFORM_SIZE)
            sheet_count(sheet, name, (int64_t)value);
        else
            sheet_number(sheet, name, value);
    }
}

static const char *transfer_of(const RequestMachine *machine)
{
    return machine->model->transfers ? transfer_names[machine->options.transfer] : NULL;
}

char *report_machine_text(const Request *r)
{
    g_autofree char *layout = request_layout(r), *skew = report_skew_text(&r->machine),
                    *sets = r->machine.sets ? g_strjoinv(", ", r->machine.sets) : NULL;
    return g_strdup_printf(" on %s (%s), model %s%s%s%s%s%s%s%s", r->machine.platform->name, r->machine.platform->title,
                           r->machine.model->name, r->machine.model->transfers ? ", " : "",
                           r->machine.model->transfers ? transfer_of(&r->machine) : "", sets ? ", " : "",
                           sets ? sets : "", layout, skew, r->question.ordered ? ", operation not commutative" : "");
}

static GPtrArray *remarks_of(const Request *r, const char *more)
{
    GPtrArray *remarks = r ? request_remarks(r) : g_ptr_array_new_with_free_func(g_free);
    if (more)
        g_ptr_array_add(remarks, g_strdup(more));
    return remarks;
}

void report_remarks(FILE *to, const Request *r, const char *more)
{
    g_autoptr(GPtrArray) remarks = remarks_of(r, more);
    for (guint i = 0; i < remarks->len; i++)
        wrap_print(to, "note: ", remarks->pdata[i]);
}

Sheet *report_remarks_sheet(const Request *r, const char *more)
{
    g_autoptr(GPtrArray) remarks = remarks_of(r, more);
    return remarks->len ? sheet_notes(remarks) : NULL;
}

// ---- The points -----------------------------------------------------------------------------------------------------

static const char *const point_columns[] = {"collective", "algorithm", "params",   "ranks",  "bytes", "root",
                                            "platform",   "model",     "transfer", "time_s", NULL};
static const char *const other_columns[] = {"certificate", "costs", "ran", "parts_ran", "counts",  "displs",
                                            "per_node",    "nodes", "map", "element",   "time_is", NULL};
static const char *const network_columns[] = {"topology",        "routing",      "placement", "hop_count",
                                              "path_link_bytes", "rounds_drift", NULL};
static const char *const decision_columns[] = {"decided", "entry", "not_in_data", NULL};
static const char *const message_columns[] = {
    "messages",       "bytes_sent",         "max_messages_sent", "max_messages_received",
    "max_bytes_sent", "max_bytes_received", "max_bytes_reduced", NULL};
static const char *const shared_columns[] = {
    "bytes_written", "bytes_read", "max_bytes_written", "max_bytes_read", "max_bytes_reduced", "segment_bytes", NULL};

// Fills the cells that are the same for all points.
static void fill_request(Sheet *sheet, const Question *q)
{
    sheet_text(sheet, "collective", question_name(q));
    if (collectives[q->collective].counts) {
        sheet_text(sheet, "counts", q->counts_text ? q->counts_text : counts_names[COUNTS_EQUAL]);
        sheet_text(sheet, "displs", q->displs_text ? q->displs_text : "consecutive");
    }
    sheet_count(sheet, "element", (int64_t)q->elem);
}

// Adds the columns about the network that messages pay for, if there is one, and fills in what it is.
static void add_network(Sheet *sheet, const NetworkSpec *x)
{
    if (!x)
        return;
    sheet_add_columns(sheet, network_columns);
    sheet_take(sheet, "topology", g_strdup_printf("%s %s", topology_names[x->topology.kind], x->topology.shape));
    sheet_text(sheet, "routing", routing_names[x->topology.routing]);
    if (placement_seeds(&x->nodes) == 1) // otherwise each row has its own
        sheet_take(sheet, "placement", network_spec_nodes(x, x->nodes.seed));
}

// Fills in what the critical path pays for links.
static void fill_links(Sheet *sheet, const Topology *t, const Prediction *prediction)
{
    int64_t hops = 0;
    double bytes = 0;
    for (guint i = 0; i < prediction->terms->len; i++) {
        const PredictionTerm *x = &g_array_index(prediction->terms, PredictionTerm, i);
        if (x->term.kind == TERM_HOP)
            hops += x->n;
        for (int k = 0; x->term.kind == TERM_LINK && x->n && k < topology_classes(t); k++)
            if (strcmp(topology_class(t, k), x->term.level) == 0)
                bytes += term_worth(&x->term, x->n) / t->links->per_byte_s[k];
    }
    sheet_count(sheet, "hop_count", hops);
    sheet_number(sheet, "path_link_bytes", bytes);
    if (!isnan(prediction->drift))
        sheet_number(sheet, "rounds_drift", prediction->drift);
}

Sheet *report_sheet(const Request *r)
{
    Sheet *sheet = sheet_new("rows", point_columns);
    sheet_add_columns(sheet, r->machine.model->shared ? shared_columns : message_columns);
    sheet_add_columns(sheet, other_columns);
    if (r->library.autos || r->library.only)
        sheet_add_columns(sheet, (const char *const[]){"library_id", NULL});
    if (r->library.autos)
        sheet_add_columns(sheet, decision_columns);
    if (r->machine.platform) {
        report_machine(sheet, r->machine.platform, r->machine.model, transfer_of(&r->machine), r->machine.sets);
    } else {
        sheet_text(sheet, "platform", g_get_host_name());
        sheet_text(sheet, "model", "measured");
    }
    sheet_text(sheet, "time_is", r->machine.platform ? "predicted" : "measured");
    if (r->question.ordered) {
        sheet_add_columns(sheet, (const char *const[]){"commutative", NULL});
        sheet_count(sheet, "commutative", FALSE);
    }
    for (int i = 0; i < r->machine.model->n_terms; i++) {
        g_autofree char *name = term_column(r->machine.model->terms[i]);
        if (model_pays_term(r->machine.platform, r->machine.model->terms[i]))
            add_column(sheet, name);
    }
    report_skew_columns(sheet, &r->machine);
    add_network(sheet, r->machine.options.network);
    fill_request(sheet, &r->question);
    return sheet;
}

static void fill_totals(Sheet *sheet, const Request *r, const Point *x)
{
    const Totals *t = &x->prediction->totals;
    if (r->machine.model->shared) {
        sheet_count(sheet, "bytes_written", (int64_t)t->bytes_written);
        sheet_count(sheet, "bytes_read", (int64_t)t->bytes_read);
        sheet_count(sheet, "max_bytes_written", (int64_t)t->max_bytes_written);
        sheet_count(sheet, "max_bytes_read", (int64_t)t->max_bytes_read);
    } else {
        sheet_count(sheet, "messages", (int64_t)t->messages);
        sheet_count(sheet, "bytes_sent", (int64_t)t->bytes_sent);
        sheet_count(sheet, "max_messages_sent", (int64_t)t->max_messages_sent);
        sheet_count(sheet, "max_messages_received", (int64_t)t->max_messages_received);
        sheet_count(sheet, "max_bytes_sent", (int64_t)t->max_bytes_sent);
        sheet_count(sheet, "max_bytes_received", (int64_t)t->max_bytes_received);
    }
    sheet_count(sheet, "max_bytes_reduced", (int64_t)t->max_bytes_reduced);
    if (r->machine.model->shared)
        sheet_count(sheet, "segment_bytes", (int64_t)point_segment(r, x));
}

static void fill_counts(Sheet *sheet, const RequestMachine *machine, const Point *x)
{
    for (int i = 0; i < machine->model->n_terms; i++) {
        g_autofree char *name = term_column(machine->model->terms[i]);
        if (model_pays_term(machine->platform, machine->model->terms[i]))
            sheet_count(sheet, name, x->prediction->count[i]);
    }
}

void report_nodes(Sheet *sheet, const RequestMachine *machine, int p, int per_node)
{
    const int nodes = request_nodes(machine, p, per_node);
    if (per_node)
        sheet_count(sheet, "per_node", per_node);
    if (nodes)
        sheet_count(sheet, "nodes", nodes);
    sheet_take(sheet, "map", request_map(machine, per_node));
}

enum { MOST_TERMS = 4 }; // of a certificate in a table

void report_point(Sheet *sheet, const Request *r, const Point *x)
{
    sheet_row(sheet);
    sheet_text(sheet, "algorithm", x->algorithm->name);
    sheet_take(sheet, "params", point_params(x, FALSE));
    sheet_count(sheet, "ranks", x->p);
    sheet_count(sheet, "bytes", (int64_t)x->m);
    sheet_count(sheet, "root", x->root);
    report_nodes(sheet, &r->machine, x->p, x->per_node);
    sheet_number(sheet, "time_s", x->time_s);
    if (x->prediction) {
        fill_totals(sheet, r, x);
        sheet_take(sheet, "certificate", model_certificate_text(r->machine.model, x->prediction, G_MAXUINT));
        sheet_show(sheet, "certificate", model_certificate_text(r->machine.model, x->prediction, MOST_TERMS));
        sheet_take(sheet, "costs", model_costs_text(x->prediction));
    }
    sheet_take(sheet, "ran", point_ran(x));
    sheet_take(sheet, "parts_ran", point_parts(r, x));
    if (r->library.autos || r->library.only)
        sheet_take(sheet, "library_id", point_library_id(&r->library, x));
    if (x->decision) {
        sheet_take(sheet, "decided", decision_text(x->decision));
        sheet_text(sheet, "entry", x->ran ? x->ran->name : NULL); // NULL if it is not in the data
        sheet_text(sheet, "not_in_data", x->decision->missing);
    }
    if (x->prediction)
        fill_counts(sheet, &r->machine, x);
    report_skew_point(sheet, r->machine.options.network, x);
    if (x->prediction && r->machine.options.network)
        fill_links(sheet, &r->machine.options.network->topology, x->prediction);
}

char *report_ranks_text(const Request *r, int p, int per_node)
{
    g_autofree char *nodes = r->question.ranks->len > 1 ? request_nodes_text(&r->machine, p, per_node) : NULL;
    return g_strdup_printf("%d rank%s%s%s%s", p, p == 1 ? "" : "s", nodes ? " (" : "", nodes ? nodes : "",
                           nodes ? ")" : "");
}

char *report_root_text(int root)
{
    return root ? g_strdup_printf(", root %d", root) : g_strdup("");
}

void report_place(FILE *to, const Request *r, int p, int per_node, size_t m, int root)
{
    g_autofree char *size = units_format_size(m), *ranks = report_ranks_text(r, p, per_node);
    fputs(ranks, to);
    if (r->question.collective != COLL_BARRIER)
        fprintf(to, ", %s bytes", size);
    if (r->question.root)
        fprintf(to, ", root %d", root);
    fputc('\n', to);
}

void report_setting(FILE *to, const char *before, const RequestLibrary *lib, const Point *x)
{
    g_autofree char *setting = point_setting(lib, x);
    if (setting)
        fprintf(to, "%sTo set it for all calls: %s\n", before, setting);
    g_autofree char *why = !setting && lib->only && !x->decision
                               ? decide_no_setting(lib->only, algorithm_entry(x->algorithm), &x->par, x->m)
                               : NULL;
    if (why) {
        fputs(before, to);
        wrap_print(to, "No option sets it for all calls: ", why);
    }
}

char *report_notes(const Request *r, const Point *x)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *params = point_params(x, TRUE), *ran = point_ran(x), *parts = point_parts(r, x);
    g_autofree char *nodes = r->question.ranks->len > 1 ? request_nodes_text(&r->machine, x->p, x->per_node) : NULL;
    if (nodes)
        g_ptr_array_add(notes, g_steal_pointer(&nodes));
    if (r->question.root)
        g_ptr_array_add(notes, g_strdup_printf("root %d", x->root));
    if (*params && !x->decision)
        g_ptr_array_add(notes, g_steal_pointer(&params));
    if (ran)
        g_ptr_array_add(notes, g_strdup_printf("ran: %s", ran));
    if (parts)
        g_ptr_array_add(notes, g_strdup_printf("ran %s", parts));
    if (x->prediction && x->prediction->drift > 0)
        g_ptr_array_add(notes, g_strdup_printf("rounds drift: %.2g %% of messages", 100 * x->prediction->drift));
    g_ptr_array_add(notes, NULL);
    return g_strjoinv("; ", (char **)notes->pdata);
}

void report_short(Sheet *sheet, const char *column, const char *text, guint most)
{
    if (text && strlen(text) > most)
        sheet_show(sheet, column, g_strdup_printf("%.*s...", (int)most - 3, text));
}

int report_stuck(const GPtrArray *points)
{
    enum { SHOWN = 16 };
    int status = 0;
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        const GPtrArray *stuck = x->prediction ? x->prediction->stuck : NULL;
        if (!stuck || stuck->len == 0)
            continue;
        status = 1;
        fprintf(stderr, "%s on %d ranks does not end:\n", x->ran->name, x->p);
        for (guint k = 0; k < MIN(stuck->len, SHOWN); k++)
            fprintf(stderr, "  %s\n", (const char *)g_ptr_array_index(stuck, k));
        if (stuck->len > SHOWN)
            fprintf(stderr, "  and %u more\n", stuck->len - SHOWN);
    }
    return status;
}
