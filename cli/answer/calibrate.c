#include "answer/calibrate.h"
#include "answer/report.h"
#include "base/escape.h"
#include "out/wrap.h"
#include <math.h>
#include <stdio.h>

// ---- The sheets -----------------------------------------------------------------------------------------------------

static void fill_error(Sheet *sheet, const char *column, double error)
{
    sheet_number(sheet, column, error);
    sheet_show(sheet, column, g_strdup_printf("%.1f %%", 100 * error));
}

// Makes the sheet "rows": the figures that were found and, if `missing`, those that are missing. Free with sheet_free.
static Sheet *figures_sheet(const Calibration *c, char **sets, gboolean missing)
{
    static const char *const columns[] = {
        "model",        "sets",      "figure",      "value",  "text",    "rows", "rows_left_out",
        "median_error", "p90_error", "worst_error", "source", "missing", NULL};
    Sheet *sheet = sheet_new("rows", columns);
    sheet_text(sheet, "model", c->model->name);
    sheet_take(sheet, "sets", sets ? g_strjoinv(";", sets) : NULL);
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const CalibratedFigure *f = &c->figure[k];
        if (!f->found && !(missing && f->missing))
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "figure", platform_keys[k].name);
        sheet_text(sheet, "missing", f->missing);
        if (!f->found)
            continue;
        sheet_number(sheet, "value", f->value);
        sheet_take(sheet, "text", platform_figure_text(k, f->value));
        sheet_text(sheet, "source", f->source);
        if (f->rows) {
            sheet_count(sheet, "rows", f->rows);
            sheet_count(sheet, "rows_left_out", f->left_out);
            fill_error(sheet, "median_error", f->errors.median);
            fill_error(sheet, "p90_error", f->errors.p90);
            fill_error(sheet, "worst_error", f->errors.worst);
        }
    }
    return sheet;
}

// Makes the sheet "pieces". Free with sheet_free.
static Sheet *pieces_sheet(const Calibration *c)
{
    Sheet *sheet = sheet_new(
        "pieces", (const char *const[]){"from_bytes", "to_bytes", "alpha_s", "beta_s_per_byte", "jump", NULL});
    for (guint i = 0; c->pieces && i < c->pieces->len; i++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, i);
        sheet_row(sheet);
        sheet_count(sheet, "from_bytes", i ? (int64_t)piece->from : 0);
        sheet_number(sheet, "to_bytes", piece->to);
        sheet_number(sheet, "alpha_s", piece->at_zero);
        sheet_show(sheet, "alpha_s", platform_figure_text(KEY_ALPHA, piece->at_zero));
        sheet_number(sheet, "beta_s_per_byte", piece->slope);
        sheet_show(sheet, "beta_s_per_byte", platform_figure_text(KEY_BETA, piece->slope));
        if (i) {
            sheet_number(sheet, "jump", fit_jump(c->pieces, i));
            sheet_show(sheet, "jump", g_strdup_printf("x%.2f", fit_jump(c->pieces, i)));
        }
    }
    return sheet;
}

// Makes the sheet "points": each row that was measured. Free with sheet_free.
static Sheet *points_sheet(const Calibration *c)
{
    static const char *const columns[] = {"series",   "file",     "line",  "bytes",  "measured_s", "predicted_s",
                                          "pieces_s", "left_out", "error", "choice", NULL};
    Sheet *sheet = sheet_new("points", columns);
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        sheet_row(sheet);
        sheet_text(sheet, "series", g_ptr_array_index(c->series, p->series));
        sheet_text(sheet, "file", p->log->name);
        sheet_count(sheet, "line", p->line);
        sheet_count(sheet, "bytes", (int64_t)p->bytes);
        sheet_number(sheet, "measured_s", p->measured_s);
        sheet_number(sheet, "predicted_s", p->predicted_s);
        sheet_number(sheet, "pieces_s", p->pieces_s > 0 ? p->pieces_s : NAN);
        sheet_count(sheet, "left_out", p->left_out);
        sheet_take(sheet, "error",
                   p->left_out ? g_strdup("left out")
                               : g_strdup_printf("%+.1f %%", 100 * (p->predicted_s / p->measured_s - 1)));
        sheet_take(sheet, "choice", p->line ? g_strdup_printf("%s:%u", p->log->name, p->line) : NULL);
    }
    return sheet;
}

// Makes the sheet "notes". Free with sheet_free.
static Sheet *notes_sheet(const Calibration *c)
{
    Sheet *sheet = sheet_new("notes", (const char *const[]){"note", NULL});
    for (guint i = 0; i < c->notes->len; i++) {
        sheet_row(sheet);
        sheet_text(sheet, "note", g_ptr_array_index(c->notes, i));
    }
    return sheet;
}

// ---- For people -----------------------------------------------------------------------------------------------------

static void print_figures(FILE *to, const Calibration *c)
{
    static const SheetView view[] = {{"figure"},       {"text"},      {"rows"},        {"rows_left_out"},
                                     {"median_error"}, {"p90_error"}, {"worst_error"}, {NULL}};
    g_autoptr(Sheet) sheet = figures_sheet(c, NULL, FALSE);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if (c->figure[k].missing)
            fprintf(to, "missing: %s: needs %s\n", platform_keys[k].name, c->figure[k].missing);
}

// Prints the pieces of one-way times; those of the gaps of the LogP models are among the notes.
static void print_pieces(FILE *to, const Calibration *c)
{
    static const SheetView view[] = {{"from_bytes"}, {"alpha_s"}, {"beta_s_per_byte"}, {"jump"}, {NULL}};
    if (!c->pieces || c->model != &hockney_model)
        return;
    if (c->pieces->len == 1) {
        fputs("\nOne line fits all one-way times.\n", to);
        return;
    }
    fprintf(to, "\nThe one-way times bend: %u lines fit them.\n", c->pieces->len);
    g_autoptr(Sheet) pieces = pieces_sheet(c);
    sheet_table(pieces, view, 0, sheet_rows(pieces), "", to);
}

static void print_table(FILE *to, const Calibration *c, const GPtrArray *logs, char **sets, gboolean points)
{
    static const SheetView view[] = {{"series"}, {"bytes"},    {"measured_s"},     {"predicted_s"},
                                     {"error"},  {"pieces_s"}, {"choice", "line"}, {NULL}};
    g_autofree char *given = sets ? g_strjoinv(", ", sets) : NULL;
    fprintf(to, "%s from ", c->model->name);
    for (guint i = 0; i < logs->len; i++) {
        const Log *log = g_ptr_array_index(logs, i);
        g_autofree char *name = escape_terminal(log->name);
        fprintf(to, "%s%s (%s)", i ? ", " : "", name, log->format);
    }
    fprintf(to, "%s%s\n\n", given ? ", with " : "", given ? given : "");
    print_figures(to, c);
    print_pieces(to, c);
    if (c->notes->len)
        fputc('\n', to);
    for (guint i = 0; i < c->notes->len; i++)
        wrap_print(to, "", g_ptr_array_index(c->notes, i));
    if (!points)
        return;
    g_autoptr(Sheet) sheet = points_sheet(c);
    fputc('\n', to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

void calibrate_report(const Answer *answer, const Calibration *c, const GPtrArray *logs, char **sets, gboolean points)
{
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, c, logs, sets, points);
        return;
    }
    g_autoptr(Sheet) figures = figures_sheet(c, sets, TRUE), pieces = pieces_sheet(c);
    g_autoptr(Sheet) notes = notes_sheet(c), measured = points_sheet(c);
    if (answer->format == FORMAT_CSV && points)
        sheet_csv(measured, answer->to);
    else
        answer_sheets(answer, "calibrate", (const Sheet *const[]){figures, pieces, notes, measured}, 4);
}
