#include "answer/engine/network_answer.h"
#include "answer/engine/traffic_answer.h"
#include "base/escape.h"
#include "machine/network/survey.h"
#include "machine/platform/figure_units.h"
#include "out/wrap.h"
#include <math.h>
#include <stdlib.h>

enum { SOURCES = 64 }; // hosts from which distances are looked at

static int parts_of(const Network *n)
{
    return n->hosts / n->part;
}

char *network_title(const NetworkAnswer *x)
{
    g_autofree char *network = network_spec_text(x->asked),
                    *name = x->platform ? escape_terminal(x->platform->title) : NULL;
    return g_strdup_printf("%s%s%s: %d hosts", name ? name : "", name ? ": " : "", network, x->network->hosts);
}

int *network_used(const NetworkAnswer *x)
{
    int *used = g_new0(int, parts_of(x->network));
    for (int i = 0; x->host && i < x->nodes; i++)
        used[x->host[i] / x->network->part]++;
    return used;
}

char *network_job(const NetworkAnswer *x)
{
    if (!x->host)
        return NULL;
    g_autofree int *used = network_used(x);
    g_autofree char *nodes = network_spec_nodes(x->asked, x->asked->nodes.seed), *shown = escape_terminal(nodes);
    const int parts = parts_of(x->network);
    int in = 0;
    for (int i = 0; i < parts; i++)
        in += used[i] > 0;
    return g_strdup_printf("%d node%s in %d of %d %s%s, --nodes %s", x->nodes, x->nodes == 1 ? "" : "s", in, parts,
                           traffic_part(x->network), parts == 1 ? "" : "s", shown);
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

static Sheet *classes_sheet(const NetworkAnswer *x)
{
    static const char *const columns[] = {"topology", "routing",         "hosts",     "part_hosts", "link_class",
                                          "links",    "rate_s_per_byte", "cut_links", "source",     NULL};
    const Network *n = x->network;
    const Topology *t = &n->topology;
    Sheet *sheet = sheet_new("rows", columns);
    sheet_take(sheet, "topology", g_strdup_printf("%s %s", topology_names[t->kind], t->shape));
    sheet_text(sheet, "routing", routing_names[t->routing]);
    sheet_count(sheet, "hosts", n->hosts);
    sheet_count(sheet, "part_hosts", n->part);
    for (int c = 0; c < n->n_classes; c++) {
        const double per_byte = t->links->per_byte_s[c];
        const int64_t cut = network_cut(n, c);
        sheet_row(sheet);
        sheet_text(sheet, "link_class", n->class[c].name);
        sheet_count(sheet, "links", n->class[c].links);
        if (cut)
            sheet_count(sheet, "cut_links", cut);
        if (per_byte > 0) {
            sheet_number(sheet, "rate_s_per_byte", per_byte);
            sheet_show(sheet, "rate_s_per_byte", figure_text(PLATFORM_BANDWIDTH, per_byte));
            sheet_text(sheet, "source", t->links->source[c]);
        }
    }
    return sheet;
}

static Sheet *distances_sheet(const NetworkAnswer *x)
{
    g_autoptr(GArray) count = network_distances(x->network, SOURCES);
    Sheet *sheet = sheet_new("distances", (const char *const[]){"distance", "distance_share", NULL});
    uint64_t all = 0;
    for (guint i = 0; i < count->len; i++)
        all += g_array_index(count, uint64_t, i);
    for (guint i = 0; i < count->len; i++)
        if (g_array_index(count, uint64_t, i)) {
            sheet_row(sheet);
            sheet_count(sheet, "distance", i);
            sheet_number(sheet, "distance_share", (double)g_array_index(count, uint64_t, i) / (double)all);
        }
    return sheet;
}

static int by_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fill_share(Sheet *sheet, const char *column, double share)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    sheet_number(sheet, column, share);
    sheet_show(sheet, column, g_strdup(g_ascii_formatd(text, sizeof text, "%.3g", share)));
}

// Returns the effective bisection as a sheet of one row; NULL if there is none.
static Sheet *pairings_sheet(const NetworkAnswer *x)
{
    const int n = x->pairings;
    g_autofree double *share = g_new(double, n + 1);
    for (int i = 0; i < n; i++)
        share[i] = network_pairing(x->network, (uint32_t)i + 1);
    if (n == 0 || isnan(share[0]))
        return NULL;
    qsort(share, (size_t)n, sizeof *share, by_double);
    Sheet *sheet =
        sheet_new("pairings", (const char *const[]){"pairings", "pairing_share", "pairing_low", "pairing_high", NULL});
    sheet_row(sheet);
    sheet_count(sheet, "pairings", n);
    fill_share(sheet, "pairing_share", (share[(n - 1) / 2] + share[n / 2]) / 2);
    fill_share(sheet, "pairing_low", share[0]);
    fill_share(sheet, "pairing_high", share[n - 1]);
    return sheet;
}

// ---- The table ------------------------------------------------------------------------------------------------------

// Prints "2 links 1.6 %, 4 links 98.4 %", with groups of distances if there are many.
static void print_distances(FILE *to, const NetworkAnswer *x)
{
    enum { MOST = 6 };
    g_autoptr(GArray) count = network_distances(x->network, SOURCES);
    g_autoptr(GString) text = g_string_new(NULL);
    uint64_t all = 0, links = 0;
    guint kinds = 0, least = 0;
    for (guint i = 0; i < count->len; i++) {
        all += g_array_index(count, uint64_t, i);
        links += i * g_array_index(count, uint64_t, i);
        kinds += g_array_index(count, uint64_t, i) > 0;
        least = !least && g_array_index(count, uint64_t, i) ? i : least;
    }
    if (!all)
        return;
    g_string_append_printf(text, "Hosts are %.3g links apart in the mean", (double)links / (double)all);
    if (kinds > MOST)
        g_string_append_printf(text, ", from %u to %u", least, count->len - 1);
    for (guint i = 0, any = 0; kinds <= MOST && i < count->len; i++)
        if (g_array_index(count, uint64_t, i))
            g_string_append_printf(text, "%s %u (%.3g %% of the pairs)", any++ ? "," : ":", i,
                                   100. * (double)g_array_index(count, uint64_t, i) / (double)all);
    wrap_print(to, "", text->str);
}

static void print_pairings(FILE *to, const NetworkAnswer *x, const Sheet *pairings)
{
    if (!pairings)
        return;
    g_autofree char *n = sheet_shown(pairings, 0, "pairings"), *share = sheet_shown(pairings, 0, "pairing_share"),
                    *low = sheet_shown(pairings, 0, "pairing_low"), *high = sheet_shown(pairings, 0, "pairing_high");
    const int own = network_own_class(x->network);
    g_autofree char *of = own == 0 ? g_strdup("a host's own rate")
                                   : g_strdup_printf("the rate of a link of class %s, the first one that has a rate,",
                                                     x->network->class[own].name);
    g_autofree char *text =
        g_strdup_printf("Effective bisection: hosts that are paired at random get %s of %s%s median "
                        "of %s pairings (%s to %s).",
                        share, of, own == 0 ? "," : "", n, low, high);
    wrap_print(to, "", text);
}

static void print_table(FILE *to, const NetworkAnswer *x, const Sheet *classes, const Sheet *pairings)
{
    static const SheetView view[] = {{"link_class"}, {"links"}, {"cut_links"}, {"rate_s_per_byte"}, {NULL}};
    const Network *n = x->network;
    g_autofree char *title = network_title(x), *job = network_job(x);
    g_autofree char *parts =
        g_strdup_printf("%d %s%s of %d hosts", parts_of(n), traffic_part(n), parts_of(n) == 1 ? "" : "s", n->part);
    wrap_print(to, "", title);
    wrap_print(to, "", parts);
    if (job)
        wrap_print(to, "", job);
    fputc('\n', to);
    sheet_table(classes, view, 0, sheet_rows(classes), "  ", to);
    fputc('\n', to);
    print_distances(to, x);
    print_pairings(to, x, pairings);
}

void network_report(const Answer *answer, const NetworkAnswer *x)
{
    g_autoptr(Sheet) classes = classes_sheet(x), pairings = pairings_sheet(x);
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, x, classes, pairings);
        return;
    }
    g_autoptr(Sheet) distances = distances_sheet(x);
    answer_sheets(answer, "network", (const Sheet *const[]){classes, distances, pairings}, 3);
}
