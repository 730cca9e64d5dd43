// The answer of `rules diff`: where two files make a library run something else, and what that costs.
#include "answer/report/report.h"
#include "answer/libraries/rules_answer.h"
#include "base/units.h"
#include "libraries/decide/rules_write.h"
#include "libraries/decide/tuned.h"
#include "out/wrap.h"
#include "engine/schedule/parse.h"
#include "advice/tune/difference.h"
#include <string.h>

static void part_clear(gpointer data)
{
    DifferencePart *part = data;
    for (int i = 0; i < 2; i++) {
        g_free(part->runs[i]);
        g_free(part->shown[i]);
    }
}

void rules_difference_clear(RulesDifference *x)
{
    g_clear_pointer(&x->parts, g_array_unref);
    g_clear_pointer(&x->places, g_ptr_array_unref);
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

// Returns what runs: "4 ring, segment 8K", "fixed decision". Fields that the algorithm does not use are left out. Free
// with g_free.
static char *runs_text(const RulesFile *file, const RulesCell *cell)
{
    const LibraryRule *rule = rules_find(file, cell->collective, (int)cell->ranks.first, cell->bytes.first);
    const LibraryAlgorithm *a = rule ? tables_tuned(file->names, rule->collective, rule->id) : NULL;
    if (rule && rule->runs)
        return g_strdup(rule->runs);
    if (!rule || rule->id == 0)
        return g_strdup("fixed decision");
    GString *s = g_string_new("");
    if (a && a->by_name)
        g_string_append(s, a->name);
    else
        g_string_printf(s, "%d %s", rule->id, a ? a->name : "(an error)");
    if (a && a->takes & TAKES_FANOUT)
        g_string_append_printf(s, ", fanout %d", rule->fanout);
    if (a && a->takes & TAKES_SEGMENT && rule->segment)
        g_string_append_printf(s, ", segment %d", rule->segment);
    if (a && a->takes & TAKES_MAX_REQUESTS && rule->max_requests)
        g_string_append_printf(s, ", requests %d", rule->max_requests);
    return g_string_free(s, FALSE);
}

static void find_cells(RulesDifference *x)
{
    g_autoptr(GArray) cells = rules_cells(x->files, 2);
    for (guint i = 0; i < cells->len; i++) {
        const RulesCell *cell = &g_array_index(cells, RulesCell, i);
        DifferencePart part = {.cell = *cell,
                               .library = x->files[0]->library,
                               .collective = tuned_collectives[cell->collective].name,
                               .runs = {runs_text(x->files[0], cell), runs_text(x->files[1], cell)}};
        if (g_str_equal(part.runs[0], part.runs[1]))
            part_clear(&part);
        else
            g_array_append_val(x->parts, part);
    }
}

static gboolean within(RuleRange range, gint64 value)
{
    return range.first <= value && value <= range.last;
}

// Returns TRUE if the call is one of the part.
static gboolean has_call(const DifferencePart *part, const DecideCall *call)
{
    if (strcmp(part->collective, collectives[call->collective].name) != 0)
        return FALSE;
    if (!part->tree)
        return within(part->cell.ranks, call->p) && within(part->cell.bytes, rules_size(part->library, call));
    const RuleCall asked = selection_call(call);
    return rule_fits(&part->when, &asked);
}

// Returns TRUE if the call's sizes are not below those of the part. They rise with the call's.
static gboolean reaches(const DifferencePart *part, const DecideCall *call)
{
    if (!part->tree)
        return rules_size(part->library, call) >= part->cell.bytes.first;
    const RuleCall asked = selection_call(call);
    gboolean all = part->when.flags[SELECT_BELOW_POW2] != 1 || !asked.flags[SELECT_BELOW_POW2];
    for (int i = SELECT_AVERAGE; i < SELECT_N_NUMBERS; i++)
        all &= asked.numbers[i] >= part->when.numbers[i].first;
    return all;
}

// ---- Points ---------------------------------------------------------------------------------------------------------

// Adds the least point of a part: on its least ranks that have a call of such a size, with the least such size.
static void add_least(GArray *more, const Request *r, const DifferencePart *part)
{
    enum { MOST_RANKS = 4096, TRIED = 64 };
    const RuleRange ranks = part->tree ? part->when.numbers[SELECT_RANKS] : part->cell.ranks;
    const gint64 elem = (gint64)r->question.elem, first = MAX(ranks.first, 2),
                 most = part->tree ? (gint64)1 << 32 : part->cell.bytes.first / elem + 1;
    const gboolean barrier = r->question.collective == COLL_BARRIER;
    for (gint64 p = first; p <= MIN(ranks.last, MIN(MOST_RANKS, first + TRIED)); p++) {
        gint64 low = 0, high = most; // elements
        while (low < high && !barrier) {
            const gint64 mid = low + (high - low) / 2;
            const DecideCall call = request_call(r, (int)p, 0, (size_t)(mid * elem), NULL);
            if (reaches(part, &call))
                high = mid;
            else
                low = mid + 1;
        }
        const size_t m = barrier ? 0 : (size_t)(MAX(low, 1) * elem);
        const DecideCall call = request_call(r, (int)p, 0, m, NULL);
        const DifferencePlace place = {.collective = r->question.collective, .p = (int)p, .m = m};
        if (has_call(part, &call)) {
            g_array_append_val(more, place);
            return;
        }
    }
}

static gboolean covered(const RulesDifference *x, const Request *r, const DifferencePart *part)
{
    for (guint i = 0; i < r->question.ranks->len; i++)
        for (guint k = 0; k < r->question.sizes->len; k++) {
            const DecideCall call =
                request_call(r, (int)g_array_index(r->question.ranks, size_t, i), request_per_node(r, i),
                             g_array_index(r->question.sizes, size_t, k), NULL);
            if (call.m % r->question.elem == 0 && has_call(part, &call))
                return TRUE;
        }
    return x->options->ranks || x->options->sizes;
}

static void free_places(gpointer places)
{
    if (places)
        g_array_unref(places);
}

// Checks the sizes against the elements of the collectives that the parts are about.
static gboolean check_sizes(const RulesDifference *x, Request *r, GError **error)
{
    gboolean chosen[N_COLLECTIVES] = {FALSE};
    for (guint i = 0; i < x->parts->len; i++)
        for (int c = 0; c < N_COLLECTIVES; c++)
            chosen[c] |= strcmp(g_array_index(x->parts, DifferencePart, i).collective, collectives[c].name) == 0;
    return ask_library_sizes(x->options, chosen, x->options->sizes != NULL, r, error);
}

gboolean rules_difference_find(RulesDifference *x, Request *r, GError **error)
{
    x->parts = g_array_new(FALSE, FALSE, sizeof(DifferencePart));
    x->places = g_ptr_array_new_with_free_func(free_places);
    g_array_set_clear_func(x->parts, part_clear);
    if (x->files[0]->selection)
        rules_tree_differences(x->parts, x->files);
    else
        find_cells(x);
    if (!check_sizes(x, r, error))
        return FALSE;
    for (int c = 0; c < N_COLLECTIVES; c++) {
        g_autoptr(GArray) more = g_array_new(FALSE, FALSE, sizeof(DifferencePlace));
        gboolean differ = FALSE;
        r->question.collective = (Collective)c;
        r->question.elem = ask_library_element(x->options, (Collective)c);
        for (guint i = 0; i < x->parts->len; i++) {
            const DifferencePart *part = &g_array_index(x->parts, DifferencePart, i);
            if (strcmp(part->collective, collectives[c].name) != 0)
                continue;
            differ = TRUE;
            if (!covered(x, r, part))
                add_least(more, r, part);
        }
        GArray *places = differ ? difference_compute(r, (Collective)c, r->question.elem, x->files, more, error) : NULL;
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
    guint part, timed;
    const DifferencePlace *worst; // NULL if no point of it has a time
} DifferenceRow;

static int by_cost(const void *a, const void *b)
{
    const DifferenceRow *x = a, *y = b;
    const double one = x->worst ? difference_cost(x->worst) : 0, two = y->worst ? difference_cost(y->worst) : 0;
    return one != two ? (one > two ? -1 : 1) : (x->part > y->part) - (x->part < y->part);
}

// Returns the differences (DifferenceRow), those that cost most first. Free with g_array_unref.
static GArray *ranked(const RulesDifference *x, const Request *r)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(DifferenceRow));
    for (guint i = 0; i < x->parts->len; i++) {
        DifferenceRow row = {.part = i};
        for (guint c = 0; c < x->places->len; c++) {
            const GArray *places = x->places->pdata[c];
            for (guint k = 0; places && k < places->len; k++) {
                const DifferencePlace *place = &g_array_index(places, DifferencePlace, k);
                DecideCall call = request_call(r, place->p, place->per_node, place->m, NULL);
                call.collective = place->collective;
                call.elem = place->elem;
                if (difference_cost(place) == 0 || !has_call(&g_array_index(x->parts, DifferencePart, i), &call))
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
    Sheet *sheet = sheet_new("rows", (const char *const[]){"collective", "min_ranks", "max_ranks", "min_bytes",
                                                           "max_bytes", "counted_as", "condition", "first_runs",
                                                           "second_runs", "timed", "ranks", "per_node", "bytes",
                                                           "first_s", "second_s", "time_ratio", "library", NULL});
    g_autoptr(GArray) rows = ranked(x, r);
    sheet_text(sheet, "library", r->library.only->library->name);
    report_machine(sheet, r->machine.platform, r->machine.model,
                   r->machine.model->transfers ? transfer_names[r->machine.options.transfer] : NULL, r->machine.sets);
    for (guint i = 0; i < rows->len; i++) {
        const DifferenceRow *row = &g_array_index(rows, DifferenceRow, i);
        const DifferencePart *part = &g_array_index(x->parts, DifferencePart, row->part);
        sheet_row(sheet);
        if (part->tree) {
            rules_tree_fill(sheet, x->files[0]->selection, part->collective, &part->when);
        } else {
            sheet_text(sheet, "collective", part->collective);
            rules_fill_range(sheet, "min_ranks", "max_ranks", part->cell.ranks, rules_plain);
            rules_fill_range(sheet, "min_bytes", "max_bytes", part->cell.bytes, units_format_size);
            sheet_text(sheet, "counted_as", tuned_size_names[tuned_kind(part->library->family, part->cell.collective)]);
        }
        sheet_text(sheet, "first_runs", part->runs[0]);
        sheet_text(sheet, "second_runs", part->runs[1]);
        if (part->tree) {
            enum { SHOWN = 24 };
            for (int k = 0; k < 2; k++) {
                const char *column = k ? "second_runs" : "first_runs";
                sheet_show(sheet, column, g_strdup(part->shown[k]));
                report_short(sheet, column, part->shown[k], SHOWN);
            }
        }
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
                           tree[] = {{"collective"}, {"min_ranks", "ranks"}, {"min_bytes", "bytes"}, {"condition"},
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
    g_autofree char *head =
        g_strdup_printf("%s and %s, as %s reads them: %s", x->files[0]->name, x->files[1]->name,
                        r->library.only->library->title, n > 0 ? "they differ" : "they run the same");
    wrap_print(answer->to, "", head);
    if (n > 0)
        fputc('\n', answer->to);
    sheet_table(rows, x->files[0]->selection ? tree : view, 0, n, "", answer->to);
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
