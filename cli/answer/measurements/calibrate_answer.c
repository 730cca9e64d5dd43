#include "answer/measurements/calibrate_answer.h"
#include "answer/report/report.h"
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

// Makes the sheet "rows" without rows. Free with sheet_free.
static Sheet *empty_figures(const Calibration *c, char **sets)
{
    static const char *const columns[] = {
        "model",        "sets",      "figure",      "value",  "text",    "rows", "rows_left_out",
        "median_error", "p90_error", "worst_error", "source", "missing", NULL};
    Sheet *sheet = sheet_new("rows", columns);
    sheet_text(sheet, "model", c->model->name);
    sheet_take(sheet, "sets", sets ? g_strjoinv(";", sets) : NULL);
    return sheet;
}

// Returns the name of a figure, "alpha"; with its level, "alpha.far", if several levels were calibrated. `x` is `c` or
// one of its inner levels. Free with g_free.
static char *figure_name(const Calibration *c, const Calibration *x, PlatformKey key)
{
    const gboolean by_level = c->inner->len > 0 && platform_keys[key].by_level;
    return by_level ? g_strdup_printf("%s.%s", platform_keys[key].name, x->level ? x->level : "far")
                    : g_strdup(platform_keys[key].name);
}

// Adds a figure to the sheet "rows" if it was found or, with `missing`, if it is missing.
static void add_calibrated(Sheet *sheet, const Calibration *c, const Calibration *x, PlatformKey key, gboolean missing)
{
    const CalibratedFigure *f = &x->figure[key];
    if (!f->found && !(missing && f->missing))
        return;
    sheet_row(sheet);
    sheet_take(sheet, "figure", figure_name(c, x, key));
    sheet_text(sheet, "missing", f->missing);
    if (!f->found)
        return;
    sheet_number(sheet, "value", f->value);
    sheet_take(sheet, "text", platform_figure_text(key, f->value));
    sheet_text(sheet, "source", f->source);
    if (!f->rows)
        return;
    sheet_count(sheet, "rows", f->rows);
    sheet_count(sheet, "rows_left_out", f->left_out);
    fill_error(sheet, "median_error", f->errors.median);
    fill_error(sheet, "p90_error", f->errors.p90);
    fill_error(sheet, "worst_error", f->errors.worst);
}

// Makes the sheet "rows": the figures that were found and, if `missing`, those that are missing. Free with sheet_free.
static Sheet *figures_sheet(const Calibration *c, char **sets, gboolean missing)
{
    Sheet *sheet = empty_figures(c, sets);
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        add_calibrated(sheet, c, c, k, missing);
        for (guint i = 0; i < c->inner->len; i++)
            add_calibrated(sheet, c, g_ptr_array_index(c->inner, i), k, FALSE);
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
        sheet_text(sheet, "file", p->sample->log->name);
        sheet_count(sheet, "line", p->sample->line);
        sheet_count(sheet, "bytes", (int64_t)p->sample->bytes);
        sheet_number(sheet, "measured_s", p->measured_s);
        sheet_number(sheet, "predicted_s", p->predicted_s);
        sheet_number(sheet, "pieces_s", p->pieces_s > 0 ? p->pieces_s : NAN);
        sheet_count(sheet, "left_out", p->left_out);
        sheet_take(sheet, "error",
                   p->left_out ? g_strdup("left out")
                               : g_strdup_printf("%+.1f %%", 100 * (p->predicted_s / p->measured_s - 1)));
        sheet_take(sheet, "choice",
                   p->sample->line ? g_strdup_printf("%s:%u", p->sample->log->name, p->sample->line) : NULL);
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
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        g_autofree char *name = figure_name(c, c, k);
        if (c->figure[k].missing)
            fprintf(to, "missing: %s: needs %s\n", name, c->figure[k].missing);
    }
}

// Prints the pieces of one-way times; those of the gaps of the LogP models are among the notes.
static void print_pieces(FILE *to, const Calibration *c)
{
    static const SheetView view[] = {{"from_bytes"}, {"alpha_s"}, {"beta_s_per_byte"}, {"jump"}, {NULL}};
    if (!c->pieces || c->model != &hockney_model)
        return;
    g_autofree char *at = c->level ? g_strdup_printf(" at %s", c->level) : g_strdup("");
    if (c->pieces->len == 1) {
        fprintf(to, "\nOne line fits all one-way times%s.\n", at);
        return;
    }
    fprintf(to, "\nThe one-way times%s bend: %u lines fit them.\n", at, c->pieces->len);
    g_autoptr(Sheet) pieces = pieces_sheet(c);
    sheet_table(pieces, view, 0, sheet_rows(pieces), "", to);
}

// Prints the model, the files and --set.
static void print_head(FILE *to, const Calibration *c, const GPtrArray *logs, char **sets)
{
    g_autofree char *given = sets ? g_strjoinv(", ", sets) : NULL;
    fprintf(to, "%s from ", c->model->name);
    for (guint i = 0; i < logs->len; i++) {
        const Log *log = g_ptr_array_index(logs, i);
        g_autofree char *name = escape_terminal(log->name);
        fprintf(to, "%s%s (%s)", i ? ", " : "", name, log->format);
    }
    fprintf(to, "%s%s\n\n", given ? ", with " : "", given ? given : "");
}

static void print_points(FILE *to, const Calibration *c)
{
    static const SheetView view[] = {{"series"}, {"bytes"},    {"measured_s"},     {"predicted_s"},
                                     {"error"},  {"pieces_s"}, {"choice", "line"}, {NULL}};
    g_autoptr(Sheet) sheet = points_sheet(c);
    fputc('\n', to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

static void print_table(FILE *to, const Calibration *c, const GPtrArray *logs, char **sets, gboolean points)
{
    print_head(to, c, logs, sets);
    print_figures(to, c);
    print_pieces(to, c);
    for (guint i = 0; i < c->inner->len; i++)
        print_pieces(to, g_ptr_array_index(c->inner, i));
    if (c->notes->len)
        fputc('\n', to);
    for (guint i = 0; i < c->notes->len; i++)
        wrap_print(to, "", g_ptr_array_index(c->notes, i));
    if (points)
        print_points(to, c);
}

void calibrate_report(const Answer *answer, const Calibration *c, const GPtrArray *logs, char **sets, gboolean points)
{
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, c, logs, sets, points);
        return;
    }
    g_autoptr(Sheet) figures = figures_sheet(c, sets, TRUE), pieces = pieces_sheet(c);
    g_autoptr(Sheet) notes = sheet_notes(c->notes), measured = points_sheet(c);
    if (answer->format == FORMAT_CSV && points)
        sheet_csv(measured, answer->to);
    else
        answer_sheets(answer, "calibrate", (const Sheet *const[]){figures, pieces, notes, measured}, 4);
}

// ---- The model measured ---------------------------------------------------------------------------------------------

// Adds a figure of the platform to the sheet "rows", at a level or without one (-1).
static void add_figure(Sheet *sheet, const Platform *x, PlatformKey key, int level)
{
    const char *source = level >= 0 && x->level_source[key][level] ? x->level_source[key][level] : x->source[key];
    const double value = level >= 0 ? x->by_level[key][level] : x->value[key];
    const gboolean table = level >= 0 ? x->level_table[key][level] != NULL : x->table[key] != NULL;
    sheet_row(sheet);
    sheet_take(sheet, "figure",
               level >= 0 ? g_strdup_printf("%s.%s", platform_keys[key].name, x->levels.at[level].name)
                          : g_strdup(platform_keys[key].name));
    sheet_number(sheet, "value", table ? NAN : value);
    sheet_take(sheet, "text", platform_value_text(x, key, level));
    sheet_text(sheet, "source", source);
}

// Makes the sheet "rows" of a platform with [measured]: all its figures. Free with sheet_free.
static Sheet *measured_sheet(const Calibration *c, const Platform *x, char **sets)
{
    Sheet *sheet = empty_figures(c, sets);
    for (PlatformKey key = 0; key < N_PLATFORM_KEYS; key++) {
        if (x->has[key] && !x->by_level[key])
            add_figure(sheet, x, key, -1);
        for (int level = 0; x->has[key] && x->by_level[key] && level < x->levels.n; level++)
            if (!isnan(x->by_level[key][level]))
                add_figure(sheet, x, key, level);
    }
    return sheet;
}

// Adds the lines to the sheet "notes", each after `head`.
static void add_notes(Sheet *sheet, const char *head, const GPtrArray *lines)
{
    for (guint i = 0; i < lines->len; i++) {
        sheet_row(sheet);
        sheet_take(sheet, "note", g_strconcat(head, g_ptr_array_index(lines, i), NULL));
    }
}

// Makes the sheet "errors": how far the prediction is off, a row for each series of collectives. Free with sheet_free.
static Sheet *errors_sheet(const Calibration *c)
{
    Sheet *sheet =
        sheet_new("errors", (const char *const[]){"series", "rows", "median_error", "p90_error", "worst_error", NULL});
    g_autofree double *errors = g_new(double, MAX(c->points->len, 1));
    for (guint i = 0; i < c->points->len;) {
        const guint series = g_array_index(c->points, CalibratedPoint, i).series;
        guint n = 0;
        for (; i < c->points->len && g_array_index(c->points, CalibratedPoint, i).series == series; i++) {
            const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
            if (p->left_out)
                continue;
            errors[n++] = fabs(p->predicted_s / p->measured_s - 1);
        }
        if (n == 0)
            continue;
        const FitErrors e = fit_errors(errors, n);
        sheet_row(sheet);
        sheet_text(sheet, "series", g_ptr_array_index(c->series, series));
        sheet_count(sheet, "rows", n);
        fill_error(sheet, "median_error", e.median);
        fill_error(sheet, "p90_error", e.p90);
        fill_error(sheet, "worst_error", e.worst);
    }
    return sheet;
}

static void print_lines(FILE *to, const char *head, const GPtrArray *lines)
{
    if (lines->len)
        fprintf(to, "%s\n", head);
    for (guint i = 0; i < lines->len; i++)
        wrap_print(to, "  ", g_ptr_array_index(lines, i));
}

// Prints the error over all rows that did not calibrate, and the sheet of errors.
static void print_errors(FILE *to, const Calibration *c)
{
    static const SheetView view[] = {{"series"}, {"rows"}, {"median_error"}, {"p90_error"}, {"worst_error"}, {NULL}};
    g_autoptr(Sheet) sheet = errors_sheet(c);
    g_autofree double *errors = g_new(double, MAX(c->points->len, 1));
    guint n = 0;
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        if (!p->left_out && !g_str_has_prefix(g_ptr_array_index(c->series, p->series), MEASURED_CALIBRATED))
            errors[n++] = fabs(p->predicted_s / p->measured_s - 1);
    }
    const FitErrors e = fit_errors(errors, n);
    if (n)
        fprintf(to, "\n%u rows that did not calibrate: error %.1f %% median, %.1f %% p90, %.1f %% worst\n\n", n,
                100 * e.median, 100 * e.p90, 100 * e.worst);
    else if (sheet_rows(sheet))
        fputs("\nNo row is left that did not calibrate: other collectives would show the error.\n\n", to);
    if (sheet_rows(sheet))
        sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

void calibrate_report_measured(const Answer *answer, const Calibration *c, const MeasuredFit *fit,
                               const GPtrArray *logs, char **sets, gboolean points)
{
    if (answer->format == FORMAT_TABLE) {
        FILE *to = answer->to;
        print_head(to, c, logs, sets);
        print_lines(to, "calibrated", fit->used);
        print_lines(to, "not from rows", fit->assumed);
        print_lines(to, "notes", c->notes);
        print_errors(to, c);
        if (points)
            print_points(to, c);
        return;
    }
    g_autoptr(Sheet) figures = measured_sheet(c, fit->platform, sets), errors = errors_sheet(c);
    g_autoptr(Sheet) notes = sheet_notes(c->notes), measured = points_sheet(c);
    add_notes(notes, "calibrated: ", fit->used);
    add_notes(notes, "not from rows: ", fit->assumed);
    if (answer->format == FORMAT_CSV && points)
        sheet_csv(measured, answer->to);
    else
        answer_sheets(answer, "calibrate", (const Sheet *const[]){figures, errors, notes, measured}, 4);
}
