#include "answer/advice/regret_answer.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include <math.h>
#include <string.h>

static void fill_share(Sheet *sheet, const char *column, double share)
{
    sheet_number(sheet, column, share);
    if (!isnan(share))
        sheet_show(sheet, column, g_strdup_printf("%.1f %%", 100 * share));
}

// Makes the sheet "rows": a row for each collective. Free with sheet_free.
static Sheet *rows_sheet(const Request *r, const GPtrArray *regrets)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"collective", "element", "root", "compared", "unknown",
                                                           "x_mean", "above_1_1", "above_2", "cliffs", NULL});
    if (r->library.of_all)
        sheet_add_columns(sheet, (const char *const[]){"all_x_mean", NULL});
    sheet_add_columns(sheet, (const char *const[]){REPORT_SEARCHED_COLUMNS, "library", NULL});
    sheet_text(sheet, "library", r->library.only->library->name);
    report_machine(sheet, r->machine.platform, r->machine.model,
                   r->machine.model->transfers ? transfer_names[r->machine.options.transfer] : NULL, r->machine.sets);
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *x = regrets->pdata[i];
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[x->collective].name);
        sheet_count(sheet, "element", (int64_t)x->elem);
        sheet_count(sheet, "root", x->root);
        sheet_count(sheet, "compared", x->known);
        sheet_count(sheet, "unknown", x->unknown);
        sheet_number(sheet, "x_mean", x->mean);
        if (r->library.of_all)
            sheet_number(sheet, "all_x_mean", x->all_mean);
        fill_share(sheet, "above_1_1", x->above_1_1);
        fill_share(sheet, "above_2", x->above_2);
        sheet_count(sheet, "cliffs", x->cliffs->len);
        report_searched(sheet, &x->counts);
    }
    return sheet;
}

// Fills in the cells of a place and its x, in the columns of these names. Ranks on nodes are shown as "16x4", 16 nodes of 4
// ranks.
static void fill_place(Sheet *sheet, const RegretPlace *place, const char *ranks, const char *per_node,
                       const char *bytes, const char *x)
{
    sheet_count(sheet, ranks, place->p);
    if (place->per_node) {
        sheet_show(sheet, ranks, units_format_ranks(place->p, place->per_node));
        sheet_count(sheet, per_node, place->per_node);
    }
    sheet_count(sheet, bytes, (int64_t)place->m);
    sheet_number(sheet, x, regret_x(place));
}

// Makes a sheet of places without rows. Free with sheet_free.
static Sheet *places_sheet(const char *name, gboolean of_all)
{
    Sheet *sheet = sheet_new(name, (const char *const[]){"collective", "ranks", "per_node", "bytes", "root", "grid",
                                                         "x", "default_s", "best_s", "decided", "best", "library_id",
                                                         "not_in_data", REPORT_SURE_COLUMNS, NULL});
    if (of_all)
        sheet_add_columns(sheet, (const char *const[]){"all_s", "all", NULL});
    return sheet;
}

static void add_place(Sheet *sheet, const Request *r, const Regret *x, guint i)
{
    enum { SHOWN = 40 };
    const RegretPlace *place = &g_array_index(x->places, RegretPlace, i);
    sheet_row(sheet);
    sheet_text(sheet, "collective", collectives[x->collective].name);
    fill_place(sheet, place, "ranks", "per_node", "bytes", "x");
    sheet_count(sheet, "root", x->root);
    sheet_count(sheet, "grid", place->grid);
    sheet_number(sheet, "default_s", place->default_s);
    sheet_number(sheet, "best_s", place->best_s);
    sheet_text(sheet, "decided", place->decided);
    report_short(sheet, "decided", place->decided, SHOWN);
    sheet_text(sheet, "best", place->best);
    sheet_text(sheet, "library_id", place->best_id);
    sheet_text(sheet, "not_in_data", place->missing);
    const Sure sure = regret_sure(place, r->machine.platform);
    report_sure(sheet, &sure);
    if (place->all) {
        sheet_number(sheet, "all_s", place->all_s);
        sheet_text(sheet, "all", place->all);
    }
}

// Makes the sheet "worst": the worst points of the grid, of each collective. Free with sheet_free.
static Sheet *worst_sheet(const Request *r, const GPtrArray *regrets, guint top)
{
    Sheet *sheet = places_sheet("worst", r->library.of_all);
    for (guint i = 0; i < regrets->len; i++) {
        g_autoptr(GArray) worst = regret_worst(regrets->pdata[i], top);
        for (guint k = 0; k < worst->len; k++)
            add_place(sheet, r, regrets->pdata[i], g_array_index(worst, guint, k));
    }
    return sheet;
}

// Makes the sheet "points": all points. Free with sheet_free.
static Sheet *points_sheet(const Request *r, const GPtrArray *regrets)
{
    Sheet *sheet = places_sheet("points", r->library.of_all);
    for (guint i = 0; i < regrets->len; i++)
        for (guint k = 0; k < ((const Regret *)regrets->pdata[i])->places->len; k++)
            add_place(sheet, r, regrets->pdata[i], k);
    return sheet;
}

// Makes the sheet "cliffs": at most `top` of each collective. Free with sheet_free.
static Sheet *cliffs_sheet(const GPtrArray *regrets, guint top)
{
    enum { SHOWN = 22 };
    Sheet *sheet = sheet_new("cliffs", (const char *const[]){"collective", "ranks", "per_node", "bytes", "x",
                                                             "other_ranks", "other_per_node", "other_bytes", "other_x",
                                                             "x_ratio", "decided", "other_decided", NULL});
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *x = regrets->pdata[i];
        for (guint k = 0; k < MIN(x->cliffs->len, top); k++) {
            const RegretPair *pair = &g_array_index(x->cliffs, RegretPair, k);
            const RegretPlace *one = &g_array_index(x->places, RegretPlace, pair->place[0]),
                              *two = &g_array_index(x->places, RegretPlace, pair->place[1]);
            sheet_row(sheet);
            sheet_text(sheet, "collective", collectives[x->collective].name);
            fill_place(sheet, one, "ranks", "per_node", "bytes", "x");
            fill_place(sheet, two, "other_ranks", "other_per_node", "other_bytes", "other_x");
            sheet_number(sheet, "x_ratio", pair->factor);
            sheet_text(sheet, "decided", one->decided);
            report_short(sheet, "decided", one->decided, SHOWN);
            sheet_text(sheet, "other_decided", two->decided);
            report_short(sheet, "other_decided", two->decided, SHOWN);
        }
    }
    return sheet;
}

// The most columns of a view, with its end.
enum { MOST_SHOWN = 12 };

// Fills in a view without the columns of the best of all, unless that was looked for. Returns it.
static const SheetView *view_of(const SheetView *all, const RequestLibrary *lib, SheetView to[MOST_SHOWN])
{
    int n = 0;
    for (; all->column; all++)
        if (lib->of_all || (strncmp(all->column, "all_", 4) != 0 && strcmp(all->column, "all") != 0))
            to[n++] = *all;
    to[n] = (SheetView){NULL};
    return to;
}

static void print_part(const char *title, const Sheet *sheet, const SheetView *view, FILE *to)
{
    if (sheet_rows(sheet) == 0)
        return;
    fprintf(to, "\n%s\n", title);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

static const SheetView of_rows[] = {{"collective"}, {"compared"}, {"unknown"}, {"x_mean"}, {"all_x_mean"},
                                    {"above_1_1"},  {"above_2"},  {"cliffs"},  {NULL}},
                       of_worst[] = {{"collective"}, {"ranks"}, {"bytes"}, {"x"},       {"default_s"}, {"best_s"},
                                     {"best"},       {"all_s"}, {"all"},   {"decided"}, {NULL}},
                       of_gains[] = {{"collective"}, {"ranks"}, {"bytes"}, {"gain"}, {NULL}},
                       of_cliffs[] = {{"collective"},    {"ranks"},       {"bytes"},   {"x"},
                                      {"other_ranks"},   {"other_bytes"}, {"other_x"}, {"decided"},
                                      {"other_decided"}, {NULL}};

static void print_all(FILE *to, const Request *r, const Sheet *rows, const Sheet *worst, const Sheet *cliffs)
{
    SheetView view[MOST_SHOWN];
    g_autofree char *machine = report_machine_text(r), *root = report_root_text(r->question.asked_root);
    fprintf(to, "%s%s%s\n", r->library.only->library->title, root, machine);
    report_remarks(to, r, NULL);
    fputs("x: time of the default / time of the best that this version can be told to run\n\n", to);
    sheet_table(rows, view_of(of_rows, &r->library, view), 0, sheet_rows(rows), "", to);
    print_part("Worst points", worst, view_of(of_worst, &r->library, view), to);
    print_part("What the best saves there, and how sure that is", worst, of_gains, to);
    print_part("Cliffs: neighbours whose x differ by a factor of 1.5 or more", cliffs, of_cliffs, to);
}

// Says of each collective what was searched for the best, at the points of the grid and of the cliffs.
static void print_searched(FILE *to, const GPtrArray *regrets)
{
    fputc('\n', to);
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *x = regrets->pdata[i];
        g_autofree char *text = g_strconcat(collectives[x->collective].name, ": ", x->searched, NULL);
        wrap_print(to, "searched ", text);
    }
}

void regret_report(const Answer *answer, const Request *r, const GPtrArray *regrets, guint top)
{
    g_autoptr(Sheet) rows = rows_sheet(r, regrets), worst = worst_sheet(r, regrets, top),
                     points = points_sheet(r, regrets);
    const gboolean table = answer->format == FORMAT_TABLE;
    g_autoptr(Sheet) cliffs = cliffs_sheet(regrets, table ? top : G_MAXUINT),
                     notes = table ? NULL : report_remarks_sheet(r, NULL);
    if (table) {
        print_all(answer->to, r, rows, worst, cliffs);
        print_searched(answer->to, regrets);
    } else
        answer_sheets(answer, "regret", (const Sheet *const[]){rows, worst, cliffs, points, notes}, 5);
}

void regret_html(Html *page, const Request *r, Regret *x, guint top)
{
    SheetView view[MOST_SHOWN];
    g_autoptr(GPtrArray) one = g_ptr_array_new();
    g_ptr_array_add(one, x);
    g_autoptr(Sheet) rows = rows_sheet(r, one), worst = worst_sheet(r, one, top), cliffs = cliffs_sheet(one, top);
    html_sheet(page, rows, view_of(of_rows, &r->library, view), 0, sheet_rows(rows),
               "x over the grid: time of the default / time of the best");
    html_sheet(page, worst, view_of(of_worst + 1, &r->library, view), 0, sheet_rows(worst), "The worst points");
    html_sheet(page, worst, of_gains + 1, 0, sheet_rows(worst), "What the best saves there, and how sure that is");
    html_sheet(page, cliffs, of_cliffs + 1, 0, sheet_rows(cliffs),
               "The steepest cliffs: neighbours whose x differ by a factor of 1.5 or more");
}
