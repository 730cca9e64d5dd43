#include "answer/engine/traffic_answer.h"
#include "answer/report/report.h"
#include "base/escape.h"
#include "base/units.h"
#include "out/wrap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const TrafficRun *run_at(const TrafficAnswer *x, guint i)
{
    return g_ptr_array_index(x->runs, i);
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

char *traffic_size_text(double bytes)
{
    static const char suffixes[] = " KMGTP";
    int i = 0;
    if (bytes < 9007199254740992.0 && bytes == (double)(size_t)bytes) {
        char *exact = units_format_size((size_t)bytes);
        if (strlen(exact) <= 7)
            return exact;
        g_free(exact);
    }
    for (; bytes >= 1024 && i < 5; i++)
        bytes /= 1024;
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, bytes >= 999.5 ? "%.0f" : "%.3g", bytes);
    return i ? g_strdup_printf("%s%c", number, suffixes[i]) : g_strdup(number);
}

char *traffic_share_text(double share)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (share == 0 || share == 1)
        return g_strdup(share > 0 ? "100 %" : "0 %");
    return g_strdup_printf("%s %%", g_ascii_formatd(number, sizeof number, "%.3g", CLAMP(100 * share, 0.01, 99.9)));
}

char *traffic_name(const TrafficAnswer *x, const TrafficRun *run)
{
    g_autofree char *point = point_name(run->point);
    g_autofree char *nodes = request_nodes_text(&x->request->machine, run->point->p, run->point->per_node);
    return g_strdup_printf("%s %s%s%s%s", question_name(&x->request->question), point, nodes ? " (" : "",
                           nodes ? nodes : "", nodes ? ")" : "");
}

char *traffic_place(const TrafficAnswer *x)
{
    const Placement *spec = &x->asked->nodes;
    g_autofree char *network = network_spec_text(x->asked), *nodes = network_spec_all_nodes(x->asked),
                    *shown = escape_terminal(nodes);
    if (placement_seeds(spec) > 1)
        return g_strdup_printf("%s; nodes %s: median, and range", network, shown);
    return g_strdup_printf("%s; nodes %s%s", network, spec->kind == PLACEMENT_FILE ? "of " : "",
                           spec->kind == PLACEMENT_ORDER ? "in order" : shown);
}

const char *traffic_part(const Network *n)
{
    switch (n->topology.kind) {
    case TOPOLOGY_TORUS:
    case TOPOLOGY_HYPERX:
        return "plane";
    case TOPOLOGY_FAT_TREE:
        return "subtree";
    default:
        return "group";
    }
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

static double share_of(const TrafficRun *run, int class)
{
    const Loads *l = run->loads;
    const uint64_t all = l->bytes + l->bytes_inside;
    return all ? (double)l->class[class].bytes / (double)all : 0;
}

static double x_mean_of(const TrafficRun *run, int class)
{
    const LoadClass *c = &run->loads->class[class];
    return c->sum ? (double)c->busiest * (double)run->network->class[class].links / (double)c->sum : NAN;
}

static void show_bytes(Sheet *sheet, const char *column, double bytes)
{
    sheet_number(sheet, column, bytes);
    sheet_show(sheet, column, traffic_size_text(bytes));
}

// Fills the cells that say which run a row is about.
static void fill_run(Sheet *sheet, const TrafficAnswer *x, const TrafficRun *run)
{
    const Point *point = run->point;
    const Request *r = x->request;
    const Topology *t = &x->asked->topology;
    sheet_text(sheet, "collective", question_name(&r->question));
    sheet_text(sheet, "algorithm", point->algorithm->name);
    sheet_take(sheet, "params", point_params(point, FALSE));
    sheet_take(sheet, "ran", point_ran(point));
    sheet_count(sheet, "ranks", point->p);
    sheet_count(sheet, "bytes", (int64_t)point->m);
    sheet_count(sheet, "root", point->root);
    report_nodes(sheet, &r->machine, point->p, point->per_node);
    sheet_text(sheet, "platform", r->machine.platform->name);
    sheet_text(sheet, "transfer", transfer_names[r->machine.options.transfer]);
    sheet_take(sheet, "topology", g_strdup_printf("%s %s", topology_names[t->kind], t->shape));
    sheet_text(sheet, "routing", routing_names[t->routing]);
    sheet_take(sheet, "placement", network_spec_nodes(x->asked, run->seed));
}
#define RUN_COLUMNS                                                                                                    \
    "collective", "algorithm", "params", "ran", "ranks", "bytes", "root", "nodes", "per_node", "map", "platform",      \
        "transfer", "topology", "routing", "placement"

// Fills what a class of links carries in a run.
static void fill_class(Sheet *sheet, const TrafficRun *run, int class)
{
    const LoadClass *c = &run->loads->class[class];
    const double share = share_of(run, class);
    sheet_text(sheet, "link_class", run->network->class[class].name);
    sheet_count(sheet, "links", run->network->class[class].links);
    show_bytes(sheet, "link_bytes", traffic_bytes(run, c->sum));
    sheet_count(sheet, "link_messages", (int64_t)c->messages);
    sheet_number(sheet, "link_share", share);
    sheet_show(sheet, "link_share", traffic_share_text(share));
    if (c->busiest_link >= 0) {
        sheet_take(sheet, "busiest_link", network_link_text(run->network, c->busiest_link));
        show_bytes(sheet, "busiest_link_bytes", traffic_bytes(run, c->busiest));
        sheet_number(sheet, "busiest_x_mean", x_mean_of(run, class));
        sheet_take(sheet, "round_link", network_link_text(run->network, c->most_link));
        sheet_count(sheet, "round", c->most_round + 1);
    }
    show_bytes(sheet, "round_link_bytes", traffic_bytes(run, c->most));
    show_bytes(sheet, "rounds_link_bytes", traffic_bytes(run, c->rounds));
}
#define CLASS_COLUMNS                                                                                                  \
    "link_class", "links", "link_bytes", "link_messages", "link_share", "busiest_link", "busiest_link_bytes",          \
        "busiest_x_mean", "round_link_bytes", "round", "round_link", "rounds_link_bytes"

static const char *const row_columns[] = {RUN_COLUMNS,        "rounds",        "messages",    "bytes_sent",
                                          "network_messages", "network_bytes", CLASS_COLUMNS, NULL};

static void add_run(Sheet *sheet, const TrafficAnswer *x, const TrafficRun *run, int class)
{
    sheet_row(sheet);
    fill_run(sheet, x, run);
    sheet_count(sheet, "rounds", run->loads->rounds);
    sheet_count(sheet, "messages", (int64_t)(run->loads->messages + run->loads->inside));
    sheet_count(sheet, "bytes_sent", (int64_t)(run->loads->bytes + run->loads->bytes_inside));
    sheet_count(sheet, "network_messages", (int64_t)run->loads->messages);
    sheet_count(sheet, "network_bytes", (int64_t)run->loads->bytes);
    fill_class(sheet, run, class);
}

static Sheet *classes_sheet(const TrafficAnswer *x)
{
    Sheet *sheet = sheet_new(x->rounds ? "classes" : "rows", row_columns);
    for (guint i = 0; i < x->runs->len; i++)
        for (int c = 0; run_at(x, i)->loads && c < run_at(x, i)->network->n_classes; c++)
            add_run(sheet, x, run_at(x, i), c);
    return sheet;
}

static Sheet *rounds_sheet(const TrafficAnswer *x)
{
    static const char *const columns[] = {"placement",     "round",      "last_round",       "network_messages",
                                          "network_bytes", "link_class", "round_link_bytes", NULL};
    Sheet *sheet = sheet_new("rows", columns);
    for (guint i = 0; i < x->runs->len; i++) {
        const TrafficRun *run = run_at(x, i);
        for (guint k = 0; k < run->loads->rows->len; k++) {
            const LoadRow *row = &g_array_index(run->loads->rows, LoadRow, k);
            for (int c = 0; c < run->network->n_classes; c++) {
                sheet_row(sheet);
                sheet_take(sheet, "placement", network_spec_nodes(x->asked, run->seed));
                sheet_count(sheet, "round", row->first + 1);
                sheet_count(sheet, "last_round", row->last + 1);
                sheet_count(sheet, "network_messages", (int64_t)row->messages);
                sheet_count(sheet, "network_bytes", (int64_t)row->bytes);
                sheet_text(sheet, "link_class", run->network->class[c].name);
                show_bytes(sheet, "round_link_bytes", traffic_bytes(run, row->most[c]));
            }
        }
    }
    return sheet;
}

// Returns how much parts of the network send to each other in the first run.
static Sheet *parts_sheet(const TrafficAnswer *x)
{
    static const char *const columns[] = {"from_part", "to_part", "part_hosts", "part_bytes", NULL};
    const TrafficRun *run = run_at(x, 0);
    Sheet *sheet = sheet_new("parts", columns);
    const int n = run->loads->parts;
    for (int i = 0; i < n * n; i++) {
        if (!run->loads->between[i])
            continue;
        sheet_row(sheet);
        sheet_count(sheet, "from_part", i / n);
        sheet_count(sheet, "to_part", i % n);
        sheet_count(sheet, "part_hosts", run->network->part);
        sheet_count(sheet, "part_bytes", (int64_t)run->loads->between[i]);
    }
    return sheet;
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

static int by_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns "3M (2.5M to 4M)": the median and the range of n values. Free with g_free.
static char *range_text(double *value, guint n, char *(*text)(double))
{
    qsort(value, n, sizeof *value, by_double);
    g_autofree char *median = text((value[(n - 1) / 2] + value[n / 2]) / 2), *low = text(value[0]),
                    *high = text(value[n - 1]);
    return strcmp(low, high) == 0 ? g_strdup(median) : g_strdup_printf("%s (%s to %s)", median, low, high);
}

static double value_of(const TrafficRun *run, int class, int which)
{
    const LoadClass *c = &run->loads->class[class];
    const double values[] = {traffic_bytes(run, c->sum), traffic_bytes(run, c->busiest), traffic_bytes(run, c->most),
                             traffic_bytes(run, c->rounds)};
    return which < 4 ? values[which] : share_of(run, class);
}

static const char *const value_columns[] = {"link_bytes", "busiest_link_bytes", "round_link_bytes", "rounds_link_bytes",
                                            "link_share"};

// Shows median and range of the runs first .. first + seeds - 1 in the last row.
static void show_ranges(Sheet *sheet, const TrafficAnswer *x, guint first, int class)
{
    g_autofree double *value = g_new(double, x->seeds);
    for (int which = 0; which < (int)G_N_ELEMENTS(value_columns); which++) {
        for (guint k = 0; k < x->seeds; k++)
            value[k] = value_of(run_at(x, first + k), class, which);
        sheet_show(sheet, value_columns[which],
                   range_text(value, x->seeds, which < 4 ? traffic_size_text : traffic_share_text));
    }
}

static void print_head(FILE *to, const TrafficAnswer *x)
{
    g_autofree char *place = traffic_place(x);
    wrap_print(to, "", place);
}

// Prints what each class of links carries in the only algorithm.
static void print_classes(FILE *to, const TrafficAnswer *x)
{
    static const SheetView one[] = {{"link_class"},
                                    {"links"},
                                    {"link_bytes"},
                                    {"link_share"},
                                    {"busiest_link_bytes", "busiest"},
                                    {"busiest_x_mean"},
                                    {"round_link_bytes"},
                                    {"rounds_link_bytes"},
                                    {"busiest_link"},
                                    {NULL}};
    static const SheetView several[] = {{"link_class"},       {"link_bytes"},
                                        {"link_share"},       {"busiest_link_bytes", "busiest"},
                                        {"round_link_bytes"}, {NULL}};
    const TrafficRun *run = run_at(x, 0);
    const Loads *l = run->loads;
    g_autofree char *name = traffic_name(x, run), *bytes = traffic_size_text((double)(l->bytes + l->bytes_inside)),
                    *between = traffic_size_text((double)l->bytes),
                    *all =
                        g_strdup_printf("%" G_GINT64_FORMAT " round%s; %s bytes in %" G_GUINT64_FORMAT
                                        " messages, %s of them between nodes",
                                        l->rounds, l->rounds == 1 ? "" : "s", bytes, l->messages + l->inside, between);
    g_autoptr(Sheet) sheet = sheet_new("rows", row_columns);
    wrap_print(to, "", name);
    print_head(to, x);
    wrap_print(to, "", all);
    for (int c = 0; c < run->network->n_classes; c++) {
        add_run(sheet, x, run, c);
        if (x->seeds > 1)
            show_ranges(sheet, x, 0, c);
    }
    fputc('\n', to);
    sheet_table(sheet, x->seeds > 1 ? several : one, 0, sheet_rows(sheet), "  ", to);
}

// Prints the largest loads of every round, a column for each class.
static void print_rounds(FILE *to, const TrafficAnswer *x)
{
    enum { MOST = 40 };
    const TrafficRun *run = run_at(x, 0);
    const GArray *rows = run->loads->rows;
    fprintf(to, "\n  %12s %10s", "round", "messages");
    for (int c = 0; c < run->network->n_classes; c++)
        fprintf(to, " %9s", run->network->class[c].name);
    fprintf(to, "   most bytes on a link\n");
    for (guint i = 0; i < rows->len && i < MOST; i++) {
        const LoadRow *row = &g_array_index(rows, LoadRow, i);
        g_autofree char *rounds = row->first == row->last ? g_strdup_printf("%" G_GINT64_FORMAT, row->first + 1)
                                                          : g_strdup_printf("%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
                                                                            row->first + 1, row->last + 1);
        fprintf(to, "  %12s %10" G_GUINT64_FORMAT, rounds, row->messages);
        for (int c = 0; c < run->network->n_classes; c++) {
            g_autofree char *most = traffic_size_text(traffic_bytes(run, row->most[c]));
            fprintf(to, " %9s", most);
        }
        fputc('\n', to);
    }
    if (rows->len > MOST)
        fprintf(to, "  and %u more lines; -f csv has all\n", rows->len - MOST);
}

// An algorithm, and what its links carry by the class that ranks.
typedef struct TrafficPlace {
    guint first; // its first run
    double bytes;
} TrafficPlace;

static int by_bytes(gconstpointer a, gconstpointer b)
{
    const TrafficPlace *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes > y->bytes) - (x->bytes < y->bytes)
                                : (x->first > y->first) - (x->first < y->first);
}

// Returns the algorithms, those with the fewest bytes on links of the class first.
static GArray *places_of(const TrafficAnswer *x)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(TrafficPlace));
    g_autofree double *value = g_new(double, x->seeds);
    for (guint i = 0; i < x->runs->len; i += x->seeds) {
        gboolean ran = TRUE;
        for (guint k = 0; k < x->seeds; k++) {
            ran &= run_at(x, i + k)->loads != NULL;
            value[k] = ran ? value_of(run_at(x, i + k), x->by, 0) : 0;
        }
        qsort(value, x->seeds, sizeof *value, by_double);
        const TrafficPlace place = {i, (value[(x->seeds - 1) / 2] + value[x->seeds / 2]) / 2};
        if (ran)
            g_array_append_val(places, place);
    }
    g_array_sort(places, by_bytes);
    return places;
}

static void print_ranking(FILE *to, const TrafficAnswer *x)
{
    static const SheetView view[] = {{"algorithm"},
                                     {"rounds"},
                                     {"link_bytes"},
                                     {"link_share"},
                                     {"busiest_link_bytes", "busiest"},
                                     {"busiest_x_mean"},
                                     {"round_link_bytes"},
                                     {"rounds_link_bytes"},
                                     {"params"},
                                     {NULL}};
    static const SheetView several[] = {{"algorithm"}, {"link_bytes"}, {"link_share"}, {"round_link_bytes"}, {NULL}};
    const TrafficRun *first = run_at(x, 0);
    const Point *point = first->point;
    g_autoptr(GArray) places = places_of(x);
    g_autoptr(Sheet) sheet = sheet_new("rows", row_columns);
    report_place(to, x->request, point->p, point->per_node, point->m, point->root);
    print_head(to, x);
    for (guint i = 0; i < places->len; i++) {
        const TrafficPlace *place = &g_array_index(places, TrafficPlace, i);
        const TrafficRun *run = run_at(x, place->first);
        add_run(sheet, x, run, x->by);
        sheet_take(sheet, "params", point_params(run->point, TRUE));
        g_autofree char *ran = point_ran(run->point);
        if (ran)
            sheet_show(sheet, "params", g_strdup_printf("ran: %s", ran));
        if (x->seeds > 1)
            show_ranges(sheet, x, place->first, x->by);
    }
    fprintf(to, "\nlinks of class %s, the fewest bytes first\n", first->network->class[x->by].name);
    sheet_table(sheet, x->seeds > 1 ? several : view, 0, sheet_rows(sheet), "  ", to);
    const guint left = x->runs->len / x->seeds - places->len;
    if (left)
        fprintf(to, "  %u algorithm%s omitted: they cannot run here, send no messages, or are too large\n", left,
                left == 1 ? "" : "s");
}

void traffic_report(const Answer *answer, const TrafficAnswer *x)
{
    const gboolean one = x->runs->len == x->seeds;
    if (answer->format == FORMAT_TABLE) {
        if (one)
            print_classes(answer->to, x);
        else
            print_ranking(answer->to, x);
        if (x->rounds && x->seeds == 1)
            print_rounds(answer->to, x);
        return;
    }
    g_autoptr(Sheet) classes = classes_sheet(x), rounds = x->rounds ? rounds_sheet(x) : NULL,
                     parts = one ? parts_sheet(x) : NULL;
    if (x->rounds)
        answer_sheets(answer, "traffic", (const Sheet *const[]){rounds, classes, parts}, 3);
    else
        answer_sheets(answer, "traffic", (const Sheet *const[]){classes, parts}, 2);
}
