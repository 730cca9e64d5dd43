// The answer of `rules diff`: where two files make a library run something else, and what that costs.
#include "answer/report.h"
#include "answer/rules.h"
#include "base/units.h"
#include "decide/rules_write.h"
#include "decide/tuned.h"
#include "out/wrap.h"
#include "schedule/names.h"
#include "tune/difference.h"
#include <string.h>

void rules_difference_clear(RulesDifference *x)
{
    g_clear_pointer(&x->cells, g_array_unref);
    g_clear_pointer(&x->places, g_ptr_array_unref);
}

// Returns what runs: "4 ring, segment 8K", "fixed decision". Fields that the algorithm does not use are left out. Free
// with g_free.
static char *runs_text(const RulesFile *file, const RulesCell *cell)
{
    const LibraryRule *rule =
        rules_find(file, cell->collective, (int)cell->ranks.first, RULE_NODES_ANY, cell->bytes.first);
    const TunedAlgorithm *a = rule ? tuned_algorithm(file->library, rule->collective, rule->id) : NULL;
    if (!rule || rule->id == 0)
        return g_strdup("fixed decision");
    GString *s = g_string_new("");
    g_string_printf(s, "%d %s", rule->id, a ? a->name : "(an error)");
    if (a && a->fanout)
        g_string_append_printf(s, ", fanout %d", rule->fanout);
    if (a && a->segment && rule->segment)
        g_string_append_printf(s, ", segment %d", rule->segment);
    if (a && a->requests && rule->max_requests)
        g_string_append_printf(s, ", requests %d", rule->max_requests);
    return g_string_free(s, FALSE);
}

// ---- Points ---------------------------------------------------------------------------------------------------------

static gboolean within(RuleRange range, gint64 value)
{
    return range.first <= value && value <= range.last;
}

static gboolean has_place(const RulesCell *cell, const DifferencePlace *place)
{
    return tuned_collective(collectives[place->collective].name) == cell->collective && within(cell->ranks, place->p) &&
           within(cell->bytes, place->counted);
}

// Adds the least point of a cell: on its least ranks that have a call of such a size, with the least such size.
static void add_least(GArray *more, Collective collective, size_t elem, const RulesCell *cell)
{
    enum { MOST_RANKS = 4096, TRIED = 64 };
    for (gint64 p = cell->ranks.first; p <= MIN(cell->ranks.last, MIN(MOST_RANKS, cell->ranks.first + TRIED)); p++) {
        gint64 low = 0, high = cell->bytes.first / (gint64)elem + 1; // elements; the size rises with them
        while (low < high && collective != COLL_BARRIER) {
            const gint64 mid = low + (high - low) / 2;
            const DecideCall call = {.collective = collective, .p = (int)p, .m = (size_t)mid * elem, .elem = elem};
            if (rules_size(&call) < cell->bytes.first)
                low = mid + 1;
            else
                high = mid;
        }
        const size_t m = collective == COLL_BARRIER ? 0 : (size_t)MAX(low, 1) * elem;
        const DecideCall call = {.collective = collective, .p = (int)p, .m = m, .elem = elem};
        const DifferencePlace place = {.collective = collective, .p = (int)p, .m = m};
        if (within(cell->bytes, rules_size(&call))) {
            g_array_append_val(more, place);
            return;
        }
    }
}

static gboolean covered(const RulesDifference *x, const Request *r, Collective collective, size_t elem,
                        const RulesCell *cell)
{
    for (guint i = 0; i < r->ranks->len; i++)
        for (guint k = 0; k < r->sizes->len; k++) {
            const DecideCall call = {.collective = collective,
                                     .p = (int)g_array_index(r->ranks, size_t, i),
                                     .m = g_array_index(r->sizes, size_t, k),
                                     .elem = elem};
            if (within(cell->ranks, call.p) && within(cell->bytes, rules_size(&call)) && call.m % elem == 0)
                return TRUE;
        }
    return x->options->ranks || x->options->sizes;
}

static void free_places(gpointer places)
{
    if (places)
        g_array_unref(places);
}

gboolean rules_difference_find(RulesDifference *x, Request *r, GError **error)
{
    g_autoptr(GArray) cells = rules_cells(x->files, 2, RULE_NODES_ANY);
    x->cells = g_array_new(FALSE, FALSE, sizeof(RulesCell));
    x->places = g_ptr_array_new_with_free_func(free_places);
    for (guint i = 0; i < cells->len; i++) {
        const RulesCell *cell = &g_array_index(cells, RulesCell, i);
        g_autofree char *a = runs_text(x->files[0], cell), *b = runs_text(x->files[1], cell);
        if (!g_str_equal(a, b))
            g_array_append_val(x->cells, *cell);
    }
    for (int c = 0; c < N_COLLECTIVES; c++) {
        const size_t elem = ask_library_element(x->options, (Collective)c);
        const int number = tuned_collective(collectives[c].name);
        g_autoptr(GArray) more = g_array_new(FALSE, FALSE, sizeof(DifferencePlace));
        gboolean differ = FALSE;
        for (guint i = 0; i < x->cells->len; i++) {
            const RulesCell *cell = &g_array_index(x->cells, RulesCell, i);
            differ |= cell->collective == number;
            if (cell->collective == number && !covered(x, r, (Collective)c, elem, cell))
                add_least(more, (Collective)c, elem, cell);
        }
        GArray *places = differ ? difference_compute(r, (Collective)c, elem, x->files, more, error) : NULL;
        if (differ && !places)
            return FALSE;
        g_ptr_array_add(x->places, places);
    }
    return TRUE;
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

static void fill_times(Sheet *sheet, const DifferencePlace *place)
{
    sheet_count(sheet, "ranks", place->p);
    if (place->per_node)
        sheet_count(sheet, "per_node", place->per_node);
    sheet_count(sheet, "bytes", (int64_t)place->m);
    sheet_number(sheet, "first_s", place->of[0].time_s);
    sheet_number(sheet, "second_s", place->of[1].time_s);
    sheet_number(sheet, "time_ratio", difference_ratio(place));
}

// A difference with what it costs.
typedef struct DifferenceRow {
    guint cell, timed;
    const DifferencePlace *worst; // NULL if no point of it has a time
} DifferenceRow;

static int by_cost(const void *a, const void *b)
{
    const DifferenceRow *x = a, *y = b;
    const double one = x->worst ? difference_cost(x->worst) : 0, two = y->worst ? difference_cost(y->worst) : 0;
    return one != two ? (one > two ? -1 : 1) : (x->cell > y->cell) - (x->cell < y->cell);
}

// Returns the differences (DifferenceRow), those that cost most first. Free with g_array_unref.
static GArray *ranked(const RulesDifference *x)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(DifferenceRow));
    for (guint i = 0; i < x->cells->len; i++) {
        DifferenceRow row = {.cell = i};
        for (guint c = 0; c < x->places->len; c++) {
            const GArray *places = x->places->pdata[c];
            for (guint k = 0; places && k < places->len; k++) {
                const DifferencePlace *place = &g_array_index(places, DifferencePlace, k);
                if (difference_cost(place) == 0 || !has_place(&g_array_index(x->cells, RulesCell, i), place))
                    continue;
                row.timed++;
                row.worst = row.worst ? row.worst : place; // the first one costs most
            }
        }
        g_array_append_val(rows, row);
    }
    g_array_sort(rows, by_cost);
    return rows;
}

// Makes the sheet "rows": the differences. Free with sheet_free.
static Sheet *rows_sheet(const RulesDifference *x, const Request *r)
{
    Sheet *sheet =
        sheet_new("rows", (const char *const[]){"collective", "min_ranks", "max_ranks", "min_bytes", "max_bytes",
                                                "counted_as", "first_runs", "second_runs", "timed", "ranks", "per_node",
                                                "bytes", "first_s", "second_s", "time_ratio", "library", NULL});
    g_autoptr(GArray) rows = ranked(x);
    sheet_text(sheet, "library", r->only->library->name);
    report_machine(sheet, r->platform, r->model, r->model->transfers ? transfer_names[r->options.transfer] : NULL,
                   r->sets);
    for (guint i = 0; i < rows->len; i++) {
        const DifferenceRow *row = &g_array_index(rows, DifferenceRow, i);
        const RulesCell *cell = &g_array_index(x->cells, RulesCell, row->cell);
        sheet_row(sheet);
        sheet_text(sheet, "collective", tuned_collectives[cell->collective].name);
        rules_fill_range(sheet, "min_ranks", "max_ranks", cell->ranks, rules_plain);
        rules_fill_range(sheet, "min_bytes", "max_bytes", cell->bytes, units_format_size);
        sheet_text(sheet, "counted_as", tuned_size_names[tuned_collectives[cell->collective].size]);
        sheet_take(sheet, "first_runs", runs_text(x->files[0], cell));
        sheet_take(sheet, "second_runs", runs_text(x->files[1], cell));
        sheet_count(sheet, "timed", row->timed);
        if (row->worst)
            fill_times(sheet, row->worst);
    }
    return sheet;
}

static int by_place(const void *a, const void *b)
{
    const DifferencePlace *const *x = a, *const *y = b;
    const double one = difference_cost(*x), two = difference_cost(*y);
    return one != two ? (one > two ? -1 : 1) : 0;
}

// Makes the sheet "points": the points at which the files run something else. Free with sheet_free.
static Sheet *points_sheet(const RulesDifference *x)
{
    enum { SHOWN = 26 };
    Sheet *sheet = sheet_new("points", (const char *const[]){"collective", "ranks", "per_node", "bytes",
                                                             "counted_bytes", "first_s", "second_s", "time_ratio",
                                                             "first_runs", "second_runs", "not_in_data", NULL});
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint c = 0; c < x->places->len; c++) {
        const GArray *places = x->places->pdata[c];
        for (guint k = 0; places && k < places->len; k++)
            g_ptr_array_add(all, &g_array_index(places, DifferencePlace, k));
    }
    g_ptr_array_sort(all, by_place);
    for (guint i = 0; i < all->len; i++) {
        const DifferencePlace *place = all->pdata[i];
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[place->collective].name);
        sheet_count(sheet, "counted_bytes", place->counted);
        fill_times(sheet, place);
        sheet_text(sheet, "first_runs", place->of[0].text);
        sheet_text(sheet, "second_runs", place->of[1].text);
        report_short(sheet, "first_runs", place->of[0].text, SHOWN);
        report_short(sheet, "second_runs", place->of[1].text, SHOWN);
        sheet_text(sheet, "not_in_data", place->of[0].missing ? place->of[0].missing : place->of[1].missing);
    }
    return sheet;
}

gboolean rules_difference_report(const Answer *answer, const RulesDifference *x, const Request *r, guint top)
{
    static const SheetView view[] = {{"collective"}, {"min_ranks", "ranks"}, {"min_bytes", "bytes"}, {"counted_as"},
                                     {"first_runs"}, {"second_runs"},        {"time_ratio"},         {NULL}},
                           of_points[] = {{"collective"}, {"ranks"},      {"bytes"},       {"first_s"}, {"second_s"},
                                          {"time_ratio"}, {"first_runs"}, {"second_runs"}, {NULL}};
    g_autoptr(Sheet) rows = rows_sheet(x, r), points = points_sheet(x);
    const guint n = sheet_rows(rows), shown = MIN(sheet_rows(points), top);
    if (answer->format != FORMAT_TABLE) {
        g_autoptr(Sheet) notes = report_remarks_sheet(r, NULL);
        answer_sheets(answer, "rules", (const Sheet *const[]){rows, points, notes}, 3);
        return n > 0;
    }
    g_autofree char *head = g_strdup_printf("%s and %s, as %s reads them: %s", x->files[0]->name, x->files[1]->name,
                                            r->only->library->title, n > 0 ? "they differ" : "they run the same");
    wrap_print(answer->to, "", head);
    if (n > 0)
        fputc('\n', answer->to);
    sheet_table(rows, view, 0, n, "", answer->to);
    if (shown == 0)
        return n > 0;
    g_autofree char *machine = report_machine_text(r), *title = g_strdup_printf("Predicted times%s", machine);
    fputc('\n', answer->to);
    wrap_print(answer->to, "", title);
    report_remarks(answer->to, r, NULL);
    sheet_table(points, of_points, 0, shown, "", answer->to);
    if (shown < sheet_rows(points))
        fprintf(answer->to, "and %u more; --top N prints more\n", sheet_rows(points) - shown);
    return n > 0;
}
