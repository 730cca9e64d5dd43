#include "answer/search/sweep.h"
#include "answer/report/report.h"
#include <string.h>

static gboolean has_search(const SweepBlock *block)
{
    for (guint i = 0; i < block->choices->len; i++)
        if (g_array_index(block->choices, SweepChoice, i).search)
            return TRUE;
    return FALSE;
}

// Returns a sheet for a point of the block, without rows. Free with sheet_free.
static Sheet *block_sheet(const SweepBlock *block)
{
    Sheet *sheet = report_run_sheet(block->request, FALSE);
    sheet_add_columns(sheet, (const char *const[]){"note", has_search(block) ? "entry" : NULL, NULL});
    return sheet;
}

GPtrArray *sweep_columns(const SweepGrid *grid)
{
    static const char *const last[] = {"ranking", "x_best"}; // a merge adds them
    GPtrArray *columns = g_ptr_array_new();
    for (guint i = 0; i < grid->blocks->len; i++) {
        g_autoptr(Sheet) sheet = block_sheet(grid->blocks->pdata[i]);
        sheet_add_names(sheet, columns);
    }
    for (guint i = 0, at; i < G_N_ELEMENTS(last); i++)
        if (g_ptr_array_find_with_equal_func(columns, last[i], g_str_equal, &at))
            g_ptr_array_remove_index(columns, at);
    return columns;
}

char *sweep_cells(const GPtrArray *columns, const SweepCell *cell, const Point *x, const char *note)
{
    const SweepChoice *choice = cell->choice;
    const Request *r = choice->search ? choice->search : cell->block->request;
    g_autoptr(Sheet) sheet = block_sheet(cell->block);
    GString *cells = g_string_sized_new(512);
    if (x->algorithm) {
        report_run_point(sheet, r, x);
    } else { // a search among all algorithms that found nothing
        sheet_row(sheet);
        sheet_count(sheet, "ranks", x->p);
        sheet_count(sheet, "bytes", (int64_t)x->m);
        sheet_count(sheet, "root", x->root);
    }
    if (choice->search && x->algorithm)
        sheet_text(sheet, "entry", x->algorithm->name);
    if (choice->search && x->algorithm && !x->ran)
        sheet_text(sheet, "params", ""); // no parameters were found
    if (choice->search)
        sheet_text(sheet, "algorithm", choice->name);
    sheet_text(sheet, "note", note);
    sheet_csv_cells(sheet, 0, columns, cells);
    g_string_truncate(cells, cells->len - 1);
    return g_string_free(cells, FALSE);
}
