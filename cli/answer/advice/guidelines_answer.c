#include "answer/advice/guidelines_answer.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include "advice/tune/tune.h"
#include <math.h>
#include <string.h>

static const GuidelineRow *row_at(const Guidelines *x, guint i)
{
    return &g_array_index(x->rows, GuidelineRow, i);
}

static const Guideline *guideline_of(const Guidelines *x, const GuidelineRow *row)
{
    return x->list->pdata[row->guideline];
}

static const GuidelineCase *case_of(const Guidelines *x, const GuidelineRow *row, GuidelineSide side)
{
    return &g_array_index(x->cases, GuidelineCase, row->worst[side]);
}

static const GuidelineTime *left_of(const Guidelines *x, const GuidelineCase *at)
{
    return &g_array_index(x->times, GuidelineTime, at->left);
}

static const GuidelinePlace *place_of(const Guidelines *x, const GuidelineTime *time)
{
    return x->places->pdata[time->place];
}

static gboolean has_both(const Guidelines *x)
{
    return x->has[GUIDELINE_PREDICTED] && x->has[GUIDELINE_MEASURED];
}

// ---- A row for each guideline -------------------------------------------------------------------------------------------

static void fill_total(Sheet *sheet, const Guidelines *x, const GuidelineTotal *total)
{
    static const char *const checked[] = {"predicted_rows", "measured_rows"}, *const violated[] = {
                                                                                  "predicted_violations",
                                                                                  "measured_violations"};
    for (int side = 0; side < N_GUIDELINE_SIDES; side++)
        if (x->has[side]) {
            sheet_count(sheet, checked[side], total->checked[side]);
            sheet_count(sheet, violated[side], total->violated[side]);
        }
    if (x->has[GUIDELINE_MEASURED]) {
        sheet_count(sheet, "marked_rows", total->marked);
        sheet_count(sheet, "marked_violations", total->marked_violated);
    }
    if (has_both(x)) {
        sheet_count(sheet, "both_violations", total->both);
        sheet_number(sheet, "recall", (double)total->both / (total->both + total->missed));
        sheet_number(sheet, "precision", (double)total->both / (total->both + total->false_alarms));
    }
    if (total->worst < 0)
        return;
    const GuidelineRow *row = row_at(x, (guint)total->worst);
    sheet_number(sheet, "worst_x", row->x[guidelines_side(x)]);
}

static void fill_rate(Sheet *sheet, const char *column, guint part, guint whole)
{
    if (whole > 0)
        sheet_show(sheet, column, g_strdup_printf("%.0f %%", 100.0 * part / whole));
}

// Makes the sheet "rows". Free with sheet_free.
static Sheet *rows_sheet(const Guidelines *x)
{
    Sheet *sheet = sheet_new(
        "rows", (const char *const[]){"guideline", "guideline_kind", "predicted_rows", "predicted_violations",
                                      "measured_rows", "measured_violations", "marked_rows", "marked_violations",
                                      "both_violations", "recall", "precision", "worst_x", "source", NULL});
    for (guint i = 0; i <= x->list->len; i++) {
        const Guideline *g = i < x->list->len ? x->list->pdata[i] : NULL;
        const GuidelineTotal total = guidelines_total(x, g);
        if (g && total.checked[0] + total.checked[1] + total.marked == 0)
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "guideline", g ? g->text : "all");
        sheet_text(sheet, "guideline_kind", g ? guideline_kinds[g->kind] : NULL);
        sheet_text(sheet, "source", g && *g->source ? g->source : NULL);
        fill_total(sheet, x, &total);
        if (has_both(x)) {
            fill_rate(sheet, "recall", total.both, total.both + total.missed);
            fill_rate(sheet, "precision", total.both, total.both + total.false_alarms);
        }
    }
    return sheet;
}

// ---- A row for each case ------------------------------------------------------------------------------------------------

static Sheet *cases_sheet(const char *name)
{
    return sheet_new(name, (const char *const[]){"guideline",
                                                 "collective",
                                                 "ranks",
                                                 "per_node",
                                                 "bytes",
                                                 "right_side",
                                                 "predicted_x",
                                                 "predicted_left_s",
                                                 "predicted_right_s",
                                                 "measured_x",
                                                 "measured_left_s",
                                                 "measured_right_s",
                                                 "marked",
                                                 "decided",
                                                 "decided_sizes",
                                                 "right_decided",
                                                 "not_in_data",
                                                 "best_s",
                                                 "best",
                                                 "setting",
                                                 "cures",
                                                 "tunes",
                                                 "elsewhere_x",
                                                 "elsewhere_bytes",
                                                 "file",
                                                 "line",
                                                 "right_lines",
                                                 NULL});
}

// Returns what the library runs on the right side, "gather: 2 binomial; bcast: 5 binary". With `sizes`, those for which it decides
// so follow: "gather: 2 binomial, from 2K to 64K; ..". Free with g_free.
static char *right_decided(const GuidelinesAnswer *a, const GuidelineCase *at, gboolean sizes)
{
    const Guidelines *x = a->guidelines;
    GString *s = g_string_new(NULL);
    for (guint i = at->first; i < at->first + at->n; i++) {
        const GuidelineTime *time =
            &g_array_index(x->times, GuidelineTime, g_array_index(x->uses, GuidelineUse, i).time);
        if (!time->decided)
            continue;
        g_autofree char *range = sizes ? guidelines_decided_sizes(a->request, place_of(x, time), time) : NULL;
        g_string_append_printf(s, "%s%s: %s%s%s", s->len ? "; " : "", guideline_collective(time->collective),
                               time->decided, range ? ", " : "", range ? range : "");
    }
    return g_string_free(s, FALSE);
}

// Returns the rows of logs that the right side was measured in, "bcast.txt:8, 9". Free with g_free.
static char *right_lines(const Guidelines *x, const GuidelineCase *at)
{
    GString *s = g_string_new(NULL);
    const char *last = "";
    for (guint i = at->first; i < at->first + at->n; i++) {
        const LogSample *sample =
            g_array_index(x->times, GuidelineTime, g_array_index(x->uses, GuidelineUse, i).time).sample;
        if (!sample)
            continue;
        const gboolean same = strcmp(sample->log->name, last) == 0;
        g_string_append_printf(s, "%s%s%s%u", s->len ? ", " : "", same ? "" : sample->log->name, same ? "" : ":",
                               sample->line);
        last = sample->log->name;
    }
    return g_string_free(s, FALSE);
}

// Returns whether a file of `tune` cures a violation, as a text. Free with g_free.
static char *tunes_text(const GuidelinesAnswer *a, const GuidelineCure *cure, Collective collective)
{
    if (isnan(cure->best_s))
        return NULL;
    if (!cure->cures)
        return g_strdup("no: nothing that it can be told is fast enough");
    if (!tune_can(a->request->library.only, collective))
        return g_strdup_printf("no: its files name no algorithm of %s", collectives[collective].name);
    if (!cure->tunes)
        return g_strdup("no: its files cannot name it");
    if (tune_has_one(a->request->library.only->library, collective) && collective != COLL_BARRIER)
        return g_strdup("for all sizes at once");
    if (sure_enough(&cure->file_sure, SURE_DEFAULT))
        return g_strdup("yes");
    return isnan(cure->file_sure.share) ? g_strdup("yes")
                                        : g_strdup_printf("with --sure %.0f", floor(100 * cure->file_sure.share));
}

static void fill_cure(Sheet *sheet, const GuidelinesAnswer *a, guint row, Collective collective)
{
    const Guidelines *x = a->guidelines;
    if (!x->cures || !guidelines_violated(x, row_at(x, row), GUIDELINE_PREDICTED))
        return;
    const GuidelineCure *cure = &g_array_index(x->cures, GuidelineCure, row);
    if (isnan(cure->best_s))
        return;
    sheet_number(sheet, "best_s", cure->best_s);
    sheet_text(sheet, "best", cure->best);
    sheet_count(sheet, "cures", cure->cures);
    if (cure->cures)
        sheet_text(sheet, "setting", cure->setting);
    sheet_take(sheet, "tunes", tunes_text(a, cure, collective));
    if (isnan(cure->elsewhere_x))
        return;
    g_autofree char *size = units_format_size(cure->elsewhere_m);
    sheet_number(sheet, "elsewhere_x", cure->elsewhere_x);
    sheet_count(sheet, "elsewhere_bytes", (int64_t)cure->elsewhere_m);
    if (cure->cures && cure->tunes && cure->elsewhere_x > 1 + TUNE_WITHIN)
        sheet_show(sheet, "tunes", g_strdup_printf("for all sizes, %.2fx at %s", cure->elsewhere_x, size));
}

// Fills in what is predicted; with `sizes`, also for which sizes the library decides so.
static void fill_predicted(Sheet *sheet, const GuidelinesAnswer *a, const GuidelineCase *at, gboolean sizes)
{
    enum { SHOWN = 40 };
    const Guidelines *x = a->guidelines;
    const GuidelineTime *left = left_of(x, at);
    g_autofree char *right = right_decided(a, at, sizes);
    sheet_number(sheet, "predicted_left_s", left->time_s[GUIDELINE_PREDICTED]);
    sheet_number(sheet, "predicted_right_s", guidelines_right(x, at, GUIDELINE_PREDICTED));
    sheet_text(sheet, "decided", left->decided);
    report_short(sheet, "decided", left->decided, SHOWN);
    sheet_text(sheet, "right_decided", *right ? right : NULL);
    report_short(sheet, "right_decided", right, SHOWN);
    sheet_text(sheet, "not_in_data", left->missing);
    if (sizes)
        sheet_take(sheet, "decided_sizes", guidelines_decided_sizes(a->request, place_of(x, left), left));
}

static void fill_logged(Sheet *sheet, const Guidelines *x, const GuidelineRow *row)
{
    const GuidelineCase *at = case_of(x, row, GUIDELINE_MEASURED);
    const GuidelineTime *left = left_of(x, at);
    sheet_number(sheet, "measured_x", row->x[GUIDELINE_MEASURED]);
    sheet_number(sheet, "measured_left_s", left->time_s[GUIDELINE_MEASURED]);
    sheet_number(sheet, "measured_right_s", guidelines_right(x, at, GUIDELINE_MEASURED));
    sheet_count(sheet, "marked", row->marked);
    sheet_show(sheet, "marked", g_strdup(row->marked ? "mean" : ""));
    if (!left->sample)
        return;
    sheet_text(sheet, "file", left->sample->log->name);
    sheet_count(sheet, "line", left->sample->line);
    sheet_take(sheet, "right_lines", right_lines(x, at));
}

static void add_case(Sheet *sheet, const GuidelinesAnswer *a, guint i, gboolean sizes)
{
    const Guidelines *x = a->guidelines;
    const GuidelineRow *row = row_at(x, i);
    const GuidelineCase *at = case_of(x, row, guidelines_side(x));
    const GuidelineTime *left = left_of(x, at);
    const GuidelinePlace *place = place_of(x, left);
    sheet_row(sheet);
    sheet_text(sheet, "guideline", guideline_of(x, row)->text);
    sheet_text(sheet, "collective", collectives[left->collective].name);
    sheet_count(sheet, "ranks", place->p);
    if (place->per_node) {
        sheet_show(sheet, "ranks", units_format_ranks(place->p, place->per_node));
        sheet_count(sheet, "per_node", place->per_node);
    }
    sheet_count(sheet, "bytes", (int64_t)left->m);
    sheet_take(sheet, "right_side", guidelines_right_text(x, at));
    sheet_number(sheet, "predicted_x", row->x[GUIDELINE_PREDICTED]);
    if (x->has[GUIDELINE_PREDICTED])
        fill_predicted(sheet, a, case_of(x, row, GUIDELINE_PREDICTED), sizes && a->request && !a->rules);
    if (x->has[GUIDELINE_MEASURED])
        fill_logged(sheet, x, row);
    fill_cure(sheet, a, i, (Collective)left->collective);
}

// Makes the sheet "violations". Free with sheet_free.
static Sheet *violations_sheet(const GuidelinesAnswer *a)
{
    Sheet *sheet = cases_sheet("violations");
    g_autoptr(GArray) rows = guidelines_violations(a->guidelines, a->once, a->listed);
    for (guint i = 0; i < rows->len; i++)
        add_case(sheet, a, g_array_index(rows, guint, i), TRUE);
    return sheet;
}

// Makes the sheet "points": all rows. Free with sheet_free.
static Sheet *points_sheet(const GuidelinesAnswer *a)
{
    Sheet *sheet = cases_sheet("points");
    for (guint i = 0; i < a->guidelines->rows->len; i++)
        add_case(sheet, a, i, FALSE);
    return sheet;
}

// ---- For people ---------------------------------------------------------------------------------------------------------

enum { MOST_SHOWN = 12 };

// Fills in a view without the columns of a side that is not known. Returns it.
static const SheetView *view_of(const SheetView *all, const Guidelines *x, SheetView to[MOST_SHOWN])
{
    static const char *const of_predictions[] = {"decided", "right_decided", NULL}, *const of_both[] = {
                                                                                        "both_violations", "recall",
                                                                                        "precision", NULL};
    int n = 0;
    for (; all->column; all++)
        if ((x->has[GUIDELINE_PREDICTED] ||
             !(g_str_has_prefix(all->column, "predicted_") || g_strv_contains(of_predictions, all->column))) &&
            (x->has[GUIDELINE_MEASURED] ||
             !(g_str_has_prefix(all->column, "measured_") || g_str_has_prefix(all->column, "marked"))) &&
            (has_both(x) || !g_strv_contains(of_both, all->column)))
            to[n++] = *all;
    to[n] = (SheetView){NULL};
    return to;
}

static void print_title(const GuidelinesAnswer *a, FILE *to)
{
    const Guidelines *x = a->guidelines;
    const char *is =
        x->has[GUIDELINE_PREDICTED] ? has_both(x) ? ", predicted and measured" : ", predicted" : ", measured";
    g_autofree char *machine = a->request ? report_machine_text(a->request) : NULL;
    fprintf(to, "%s%s%s%s\n", a->library, a->rules ? " with a rules file" : "", machine ? machine : "", is);
    if (a->request && !x->has[GUIDELINE_MEASURED])
        report_remarks(to, a->request, NULL);
    for (guint i = 0; i < a->notes->len; i++)
        wrap_print(to, "", a->notes->pdata[i]);
    g_autofree char *text =
        g_strdup_printf("violations: the left side takes over %g times as long as the right one", 1 + x->tolerance);
    fprintf(to, "%s\n\n", text);
}

// Prints what both sides say together.
static void print_both(const Guidelines *x, FILE *to)
{
    const GuidelineTotal total = guidelines_total(x, NULL);
    const guint measured = total.both + total.missed, predicted = total.both + total.false_alarms;
    g_autofree char *text =
        g_strdup_printf("Of %u rows, %u are violations as measured, and %u of these are predicted (%.0f %%). %u are "
                        "predicted, and %u of "
                        "these were measured (%.0f %%).",
                        total.compared, measured, total.both, measured ? 100.0 * total.both / measured : 100, predicted,
                        total.both, predicted ? 100.0 * total.both / predicted : 100);
    fputc('\n', to);
    wrap_print(to, "", text);
}

static void print_marked(const Guidelines *x, FILE *to)
{
    const GuidelineTotal total = guidelines_total(x, NULL);
    if (!total.marked)
        return;
    g_autofree char *text = g_strdup_printf("%u rows do not count: OSU's average over the ranks makes collectives with "
                                            "a root look too fast. %u of them would be "
                                            "violations. Measure with -f, which also prints the last rank's time.",
                                            total.marked, total.marked_violated);
    fputc('\n', to);
    wrap_print(to, "", text);
}

void guidelines_report(const Answer *answer, const GuidelinesAnswer *a)
{
    static const SheetView of_rows[] = {{"guideline"},
                                        {"predicted_rows"},
                                        {"predicted_violations"},
                                        {"measured_rows"},
                                        {"measured_violations"},
                                        {"both_violations"},
                                        {"marked_rows"},
                                        {"worst_x"},
                                        {NULL}},
                           of_cases[] = {{"collective"}, {"ranks"},   {"bytes"},  {"predicted_x"}, {"measured_x"},
                                         {"right_side"}, {"decided"}, {"marked"}, {NULL}},
                           of_cures[] = {{"collective"}, {"ranks"}, {"bytes"}, {"tunes"}, {"setting"}, {NULL}};
    const Guidelines *x = a->guidelines;
    SheetView view[MOST_SHOWN];
    const gboolean table = answer->format == FORMAT_TABLE;
    g_autoptr(Sheet) rows = rows_sheet(x), violations = violations_sheet(a),
                     points = answer->format == FORMAT_JSON || a->points ? points_sheet(a) : NULL,
                     notes = a->notes->len ? sheet_notes(a->notes) : NULL;
    if (answer->format == FORMAT_CSV && a->points)
        answer_sheets(answer, "guidelines", (const Sheet *const[]){points, notes}, 2);
    else if (!table)
        answer_sheets(answer, "guidelines", (const Sheet *const[]){rows, violations, points, notes}, 4);
    if (!table)
        return;
    const Sheet *cases = a->points ? points : violations;
    const guint n = a->points ? sheet_rows(points) : sheet_rows(violations);
    FILE *const to = answer->to;
    print_title(a, to);
    sheet_table(rows, view_of(of_rows, x, view), 0, sheet_rows(rows), "", to);
    if (n)
        fprintf(to, "\n%s\n", a->points ? "All rows" : "Violations: the worst of each guideline and collective");
    sheet_table(cases, view_of(of_cases, x, view), 0, n, "", to);
    if (x->cures && n)
        fputs("\nWhether a file of `tune` cures them, and what to set for one collective\n", to);
    if (x->cures)
        sheet_table(cases, of_cures, 0, n, "", to);
    if (has_both(x))
        print_both(x, to);
    print_marked(x, to);
}
