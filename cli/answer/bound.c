#include "answer/bound.h"
#include "answer/report.h"
#include "out/table.h"
#include "base/units.h"
#include <stdio.h>
#include <string.h>

static BoundCell *cell_at(const BoundGrid *grid, guint i)
{
    return g_ptr_array_index(grid->cells, i);
}

// ---- For people ----------------------------------------------------------------------------------------------------

// Returns "5 us", or "5 us*" if it is the largest of the bounds. Free with g_free.
static char *bound_text(double time_s, const BoundCell *cell)
{
    g_autofree char *time = units_format_time(time_s);
    return g_strconcat(time, time_s > 0 && time_s == cell->bound_s ? "*" : " ", NULL);
}

static void add_best(Table *t, const BoundGrid *grid, const BoundCell *cell, gboolean reduces)
{
    const Point *best = cell->best;
    const int64_t *count = best->prediction->count;
    g_autofree char *params = point_params(best, TRUE);
    table_add(t, units_format_time(best->time_s));
    table_add(t, table_ratio(best->time_s, cell->bound_s));
    table_add(t, table_ratio((double)count[0], cell->bounds.rounds));
    if (grid->request.collective != COLL_BARRIER)
        table_add(t, table_ratio((double)count[1], cell->bounds.bytes));
    if (reduces)
        table_add(t, table_ratio((double)count[2], cell->bounds.work));
    table_add(t, g_strdup_printf("%s%s%s", best->algorithm->name, *params ? " " : "", params));
}

// Makes the table with the columns that apply.
static Table *begin_table(const BoundGrid *grid, gboolean by_size)
{
    const Collective collective = grid->request.collective;
    const gboolean moves = collective != COLL_BARRIER, reduces = collectives[collective].reduces;
    const gboolean blocks = collective == COLL_BCAST && grid->ports == 1, best = grid->ports == 1;
    const struct {
        const char *name;
        gboolean there;
    } all[] = {
        {by_size ? "bytes" : "ranks", TRUE},
        {"latency ", TRUE},
        {"bandwidth ", moves},
        {"computation ", reduces},
        {"equal blocks", blocks},
        {"time", best},
        {"x bound", best},
        {"alpha", best},
        {"beta", best && moves},
        {"gamma", best && reduces},
        {"fastest", best},
    };
    const char *names[G_N_ELEMENTS(all)];
    int n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i].there)
            names[n++] = all[i].name;
    Table *t = table_new(n);
    table_header(t, names, n);
    return t;
}

static void add_row(Table *t, const BoundGrid *grid, const BoundCell *cell, gboolean by_size)
{
    const gboolean reduces = collectives[grid->request.collective].reduces;
    table_add(t, by_size ? units_format_size(cell->m) : g_strdup_printf("%d", cell->p));
    table_add(t, bound_text(cell->latency_s, cell));
    if (grid->request.collective != COLL_BARRIER)
        table_add(t, bound_text(cell->bandwidth_s, cell));
    if (reduces)
        table_add(t, bound_text(cell->computation_s, cell));
    if (grid->request.collective == COLL_BCAST && grid->ports == 1)
        table_add(t, cell->blocks_s > cell->bound_s ? units_format_time(cell->blocks_s) : g_strdup(""));
    if (cell->best)
        add_best(t, grid, cell, reduces);
}

// Prints a table over the sizes for each number of ranks; or, if there are more ranks than sizes, a table over the ranks for
// each size.
static void print_tables(const BoundGrid *grid)
{
    const Request *r = &grid->request;
    const gboolean by_size = bound_grid_by_size(grid);
    const guint outer = by_size ? r->ranks->len : r->sizes->len, inner = by_size ? r->sizes->len : r->ranks->len;
    for (guint i = 0; i < outer; i++) {
        g_autofree char *size = units_format_size(g_array_index(r->sizes, size_t, by_size ? 0 : i));
        if (by_size)
            printf("\n%" G_GSIZE_FORMAT " rank%s\n", g_array_index(r->ranks, size_t, i),
                   g_array_index(r->ranks, size_t, i) == 1 ? "" : "s");
        else
            printf(r->collective == COLL_BARRIER ? "\n" : "\n%s bytes\n", size);
        Table *t = begin_table(grid, by_size);
        for (guint k = 0; k < inner; k++)
            add_row(t, grid, cell_at(grid, by_size ? i * inner + k : k * outer + i), by_size);
        table_print(t, "");
        table_free(t);
    }
}

// Prints what a reader of the table must know.
static void print_notes(const BoundGrid *grid)
{
    const Collective collective = grid->request.collective;
    if (collective == COLL_BCAST && grid->ports == 1)
        puts(
            "equal blocks: (sqrt((ceil(log2 p) - 1) alpha) + sqrt(m beta))^2, where it is above the bound: for blocks\n"
            "of one length, sent one by one");
    if (collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV)
        puts("in no more than ceil(log2 p) rounds, p a power of two, p/2 log2(p) m bytes pass a port, not (p-1) m");
    if (bound_grid_eager(grid))
        puts("eager: what arrives takes no port, so where others send to one rank alone, they all can at once");
    if (grid->ports > 1)
        puts("the algorithms are timed with one port each way, so none is held against these bounds");
}

static void print_table(const BoundGrid *grid)
{
    const Request *r = &grid->request;
    g_autofree char *bounds = bounds_text(r->collective, grid->ports, bound_grid_eager(grid));
    printf("%s on %s (%s), %s: no algorithm is below\n  %s\n", collectives[r->collective].name, r->platform->name,
           r->platform->title, transfer_names[r->options.transfer], bounds);
    puts("*: the largest, the bound");
    if (grid->ports == 1)
        printf("alpha%s%s: what the path that takes longest has, in times of the least\n",
               r->collective == COLL_BARRIER ? "" : ", beta", collectives[r->collective].reduces ? ", gamma" : "");
    print_notes(grid);
    print_tables(grid);
}

// ---- For machines --------------------------------------------------------------------------------------------------

typedef struct BoundFigure {
    const char *name;
    double value;
} BoundFigure;
enum { N_FIGURES = 10 };

static void figures_of(const BoundGrid *grid, const BoundCell *cell, BoundFigure f[N_FIGURES])
{
    const BoundFigure all[N_FIGURES] = {
        {"ports", grid->ports},
        {"rounds", cell->bounds.rounds},
        {"port_bytes", cell->bounds.bytes},
        {"work_bytes", cell->bounds.work},
        {"latency_s", cell->latency_s},
        {"bandwidth_s", cell->bandwidth_s},
        {"computation_s", cell->computation_s},
        {"bound_s", cell->bound_s},
        {"equal_blocks_s", cell->blocks_s},
        {"x_bound", bound_grid_ratio(cell)},
    };
    memcpy(f, all, sizeof all);
}

static void print_csv(const BoundGrid *grid)
{
    const Request *r = &grid->request;
    const BoundCell none = {0};
    BoundFigure f[N_FIGURES];
    GString *s = g_string_new(NULL);
    if (grid->ports == 1)
        report_csv_columns(s, r);
    else
        g_string_append(s, "collective,p,bytes,platform,transfer");
    figures_of(grid, &none, f);
    for (int i = 0; i < N_FIGURES; i++)
        g_string_append_printf(s, ",%s", f[i].name);
    for (guint i = 0; i < grid->cells->len; i++) {
        const BoundCell *cell = cell_at(grid, i);
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_c(s, '\n');
        if (cell->best)
            report_csv_point(s, r, cell->best);
        else
            g_string_append_printf(s, "%s,%d,%" G_GSIZE_FORMAT ",%s,%s", collectives[r->collective].name, cell->p,
                                   cell->m, r->platform->name, transfer_names[r->options.transfer]);
        figures_of(grid, cell, f);
        for (int k = 0; k < N_FIGURES; k++)
            g_string_append_printf(s, ",%s", g_ascii_formatd(number, sizeof number, "%.17g", f[k].value));
    }
    puts(s->str);
    g_string_free(s, TRUE);
}

static void print_json(const BoundGrid *grid)
{
    const Request *r = &grid->request;
    Json json = {g_string_new("["), TRUE};
    for (guint i = 0; i < grid->cells->len; i++) {
        const BoundCell *cell = cell_at(grid, i);
        BoundFigure f[N_FIGURES];
        figures_of(grid, cell, f);
        if (cell->best) {
            report_json_point(&json, r, cell->best);
        } else {
            json_open(&json, NULL, '{');
            json_string(&json, "collective", collectives[r->collective].name);
            json_integer(&json, "p", cell->p);
            json_integer(&json, "bytes", (int64_t)cell->m);
            json_string(&json, "platform", r->platform->name);
            json_string(&json, "transfer", transfer_names[r->options.transfer]);
        }
        for (int k = 0; k < N_FIGURES; k++)
            json_number(&json, f[k].name, f[k].value);
        json_close(&json, '}');
        g_string_append(json.text, i + 1 < grid->cells->len ? "\n" : "");
    }
    json_close(&json, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}

void bound_print(const BoundGrid *grid, Format format)
{
    if (format == FORMAT_JSON)
        print_json(grid);
    else if (format == FORMAT_CSV)
        print_csv(grid);
    else
        print_table(grid);
}
