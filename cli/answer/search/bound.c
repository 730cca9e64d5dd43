#include "answer/search/bound.h"
#include "answer/report/report.h"
#include "base/units.h"
#include <math.h>

static BoundCell *cell_at(const BoundGrid *grid, guint i)
{
    return g_ptr_array_index(grid->cells, i);
}

// ---- The sheet ------------------------------------------------------------------------------------------------------

static Sheet *empty_sheet(const BoundGrid *grid)
{
    static const char *const columns[] = {"ports",     "bound_rounds",   "bound_port_bytes", "bound_work_bytes",
                                          "latency_s", "bandwidth_s",    "computation_s",    "nodes_s",
                                          "bound_s",   "equal_blocks_s", "x_bound",          "x_alpha",
                                          "x_beta",    "x_gamma",        "choice",           NULL};
    Sheet *sheet = report_sheet(&grid->request);
    sheet_add_columns(sheet, columns);
    return sheet;
}

// Fills one of the bounds; tables mark it with * if it is the largest.
static void fill_bound(Sheet *sheet, const char *column, double time_s, const BoundCell *cell)
{
    g_autofree char *time = units_format_time(time_s);
    sheet_number(sheet, column, time_s);
    sheet_show(sheet, column, g_strconcat(time, time_s > 0 && time_s == cell->bound_s ? "*" : " ", NULL));
}

// Fills how near the fastest algorithm comes.
static void fill_best(Sheet *sheet, const BoundCell *cell)
{
    static const char *const columns[] = {"x_alpha", "x_beta", "x_gamma"};
    const double least[] = {cell->bounds.rounds, cell->bounds.bytes, cell->bounds.work};
    sheet_number(sheet, "x_bound", cell->bound_s > 0 ? bound_grid_ratio(cell) : NAN);
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        sheet_number(sheet, columns[i],
                     cell->flat && least[i] > 0 ? (double)cell->best->prediction->count[i] / least[i] : NAN);
    sheet_take(sheet, "choice", point_choice(cell->best));
}

static void add_cell(Sheet *sheet, const BoundGrid *grid, const BoundCell *cell)
{
    if (cell->best) {
        report_point(sheet, &grid->request, cell->best);
    } else {
        sheet_row(sheet);
        sheet_count(sheet, "ranks", cell->p);
        sheet_count(sheet, "bytes", (int64_t)cell->m);
        sheet_count(sheet, "root", grid->request.question.root);
        report_nodes(sheet, &grid->request.machine, cell->p, cell->per_node);
    }
    sheet_count(sheet, "ports", grid->ports);
    sheet_number(sheet, "bound_rounds", cell->bounds.rounds);
    sheet_number(sheet, "bound_port_bytes", cell->bounds.bytes);
    sheet_number(sheet, "bound_work_bytes", cell->bounds.work);
    fill_bound(sheet, "latency_s", cell->times.latency_s, cell);
    fill_bound(sheet, "bandwidth_s", cell->times.bandwidth_s, cell);
    fill_bound(sheet, "computation_s", cell->times.computation_s, cell);
    fill_bound(sheet, "nodes_s", cell->times.nodes_s, cell);
    sheet_number(sheet, "bound_s", cell->bound_s);
    sheet_number(sheet, "equal_blocks_s", cell->blocks_s > 0 ? cell->blocks_s : NAN);
    if (cell->blocks_s > 0 && cell->blocks_s <= cell->bound_s)
        sheet_show(sheet, "equal_blocks_s", g_strdup(""));
    if (cell->best)
        fill_best(sheet, cell);
}

// ---- For people -----------------------------------------------------------------------------------------------------

enum { MAX_VIEW = 14 };

// Returns true if the ranks of all cells are equally far from each other and share nothing.
static gboolean is_flat(const BoundGrid *grid)
{
    for (guint i = 0; i < grid->cells->len; i++)
        if (!cell_at(grid, i)->flat)
            return FALSE;
    return TRUE;
}

// Returns true if something is known of what must pass between nodes at some cell.
static gboolean has_nodes(const BoundGrid *grid)
{
    for (guint i = 0; i < grid->cells->len; i++)
        if (cell_at(grid, i)->times.nodes_s > 0)
            return TRUE;
    return FALSE;
}

// Fills in the columns that apply.
static void make_view(const BoundGrid *grid, gboolean by_size, SheetView view[MAX_VIEW])
{
    const Collective collective = grid->request.question.collective;
    const gboolean moves = collective != COLL_BARRIER, reduces = collectives[collective].reduces;
    const gboolean shared = grid->request.machine.model->shared; // without bounds
    const gboolean flat = is_flat(grid), best = grid->ports == 1, blocks = collective == COLL_BCAST && best && flat;
    const SheetChoice all[] = {
        {{by_size ? "bytes" : "ranks"}, TRUE},
        {{"nodes"}, !by_size && grid->request.question.per_node},
        {{"latency_s", "latency "}, !shared},
        {{"bandwidth_s", "bandwidth "}, moves && !shared},
        {{"computation_s", "computation "}, reduces && !shared},
        {{"nodes_s", "nodes "}, has_nodes(grid)},
        {{"equal_blocks_s"}, blocks},
        {{"time_s"}, best},
        {{"x_bound"}, best && !shared},
        {{"x_alpha"}, best && flat},
        {{"x_beta"}, best && moves && flat},
        {{"x_gamma"}, best && reduces && flat},
        {{"choice", "fastest"}, best},
    };
    sheet_choose(all, G_N_ELEMENTS(all), view);
}

// Prints a table over the sizes for each number of ranks; or, if there are more ranks than sizes, a table over the
// ranks for each size.
static void print_tables(FILE *to, const BoundGrid *grid)
{
    const Request *r = &grid->request;
    const gboolean by_size = bound_grid_by_size(grid);
    const guint outer = by_size ? r->question.ranks->len : r->question.sizes->len,
                inner = by_size ? r->question.sizes->len : r->question.ranks->len;
    SheetView view[MAX_VIEW];
    g_autoptr(Sheet) sheet = empty_sheet(grid);
    make_view(grid, by_size, view);
    for (guint i = 0; i < outer; i++) {
        g_autofree char *size = units_format_size(g_array_index(r->question.sizes, size_t, by_size ? 0 : i));
        const BoundCell *first = cell_at(grid, by_size ? i * inner : i);
        g_autofree char *ranks = report_ranks_text(r, first->p, first->per_node);
        if (by_size)
            fprintf(to, "\n%s\n", ranks);
        else
            fprintf(to, r->question.collective == COLL_BARRIER ? "\n" : "\n%s bytes\n", size);
        for (guint k = 0; k < inner; k++)
            add_cell(sheet, grid, cell_at(grid, by_size ? i * inner + k : k * outer + i));
        sheet_table(sheet, view, i * inner, (i + 1) * inner, "", to);
    }
}

char *bound_text(const BoundGrid *grid)
{
    const Collective collective = grid->request.question.collective;
    const Model *const model = grid->request.machine.model;
    if (!model->transfers)
        return g_strdup_printf("messages that must follow each other%s%s, by %s",
                               collective == COLL_BARRIER ? ""
                               : has_nodes(grid)          ? ", bytes through a port or between nodes"
                                                          : ", bytes through a port",
                               collectives[collective].reduces ? ", reductions" : "",
                               model == &measured_model ? "the tables" : "the figures");
    g_autofree char *flat = bounds_text(collective, grid->ports, bound_grid_eager(grid));
    return is_flat(grid) ? g_steal_pointer(&flat)
                         : g_strconcat(flat, " of the fastest level",
                                       collective == COLL_BARRIER ? "" : ", bytes between nodes", NULL);
}

// Prints what a reader of the table must know.
static void print_notes(FILE *to, const BoundGrid *grid)
{
    const Collective collective = grid->request.question.collective;
    if (collective == COLL_BCAST && grid->ports == 1 && is_flat(grid))
        fputs(
            "equal blocks: (sqrt((ceil(log2 p) - 1) alpha) + sqrt(m beta))^2, where it is above the bound: for blocks\n"
            "of one length, sent one by one\n",
            to);
    if (collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV)
        fputs("in no more than ceil(log2 p) rounds, p a power of two, p/2 log2(p) m bytes pass a port, not (p-1) m\n",
              to);
    if (bound_grid_eager(grid))
        fputs("eager: what arrives takes no port, so where others send to one rank alone, they all can at once\n", to);
    if (grid->ports > 1)
        fputs("the algorithms are timed with one port each way, so none is held against these bounds\n", to);
}

static void print_table(FILE *to, const BoundGrid *grid)
{
    const Request *r = &grid->request;
    g_autofree char *bounds = bound_text(grid);
    g_autofree char *machine = report_machine_text(r), *root = report_root_text(r->question.root);
    if (r->machine.model->shared) {
        fprintf(to, "%s%s%s: no lower bound is known for shared memory\n", question_name(&r->question), root, machine);
        report_remarks(to, r, NULL);
        print_tables(to, grid);
        return;
    }
    fprintf(to, "%s%s%s: no algorithm is below\n  %s\n", question_name(&r->question), root, machine, bounds);
    report_remarks(to, r, NULL);
    fputs("*: the largest of these, which is the bound\n", to);
    if (grid->ports == 1 && is_flat(grid))
        fprintf(to, "alpha%s%s: the critical path's counts, as multiples of the lower bound\n",
                r->question.collective == COLL_BARRIER ? "" : ", beta",
                collectives[r->question.collective].reduces ? ", gamma" : "");
    print_notes(to, grid);
    print_tables(to, grid);
}

void bound_report(const Answer *answer, const BoundGrid *grid)
{
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, grid);
        return;
    }
    g_autoptr(Sheet) rows = empty_sheet(grid), notes = report_remarks_sheet(&grid->request, NULL);
    for (guint i = 0; i < grid->cells->len; i++)
        add_cell(rows, grid, cell_at(grid, i));
    answer_sheets(answer, "bound", (const Sheet *const[]){rows, notes}, 2);
}
