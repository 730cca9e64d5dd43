#include "answer/calibrate.h"
#include "base/units.h"
#include "out/json.h"
#include "out/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static char *percent(double error)
{
    return g_strdup_printf("%.1f %%", 100 * error);
}

static void add_header(Table *t, const char *const *names)
{
    for (; *names; names++)
        table_add(t, g_strdup(*names));
}

static void print_figures(const Calibration *c)
{
    static const char *const names[] = {"figure", "value", "rows", "left out", "median", "p90", "worst error", NULL};
    Table *t = table_new(G_N_ELEMENTS(names) - 1);
    add_header(t, names);
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const CalibratedFigure *f = &c->figure[k];
        if (!f->found)
            continue;
        table_add(t, g_strdup(platform_keys[k].name));
        table_add(t, platform_figure_text(k, f->value));
        table_add(t, f->rows ? g_strdup_printf("%u", f->rows) : g_strdup(""));
        table_add(t, f->rows ? g_strdup_printf("%u", f->left_out) : g_strdup(""));
        table_add(t, f->rows ? percent(f->errors.median) : g_strdup(""));
        table_add(t, f->rows ? percent(f->errors.p90) : g_strdup(""));
        table_add(t, f->rows ? percent(f->errors.worst) : g_strdup(""));
    }
    table_print(t, "");
    table_free(t);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if (c->figure[k].missing)
            printf("missing: %s: needs %s\n", platform_keys[k].name, c->figure[k].missing);
}

// Prints the pieces of one-way times; those of the gaps of the LogP models are among the notes.
static void print_pieces(const Calibration *c)
{
    static const char *const names[] = {"from", "alpha", "beta", "jump", NULL};
    if (!c->pieces || c->model != &hockney_model)
        return;
    if (c->pieces->len == 1) {
        puts("\nthe one-way times do not bend");
        return;
    }
    puts("\nthe one-way times bend:");
    Table *t = table_new(G_N_ELEMENTS(names) - 1);
    add_header(t, names);
    for (guint i = 0; i < c->pieces->len; i++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, i);
        table_add(t, units_format_size(i ? (size_t)piece->from : 0));
        table_add(t, platform_figure_text(KEY_ALPHA, piece->at_zero));
        table_add(t, platform_figure_text(KEY_BETA, piece->slope));
        table_add(t, i ? g_strdup_printf("x%.2f", fit_jump(c->pieces, i)) : g_strdup(""));
    }
    table_print(t, "");
    table_free(t);
}

static void print_points(const Calibration *c)
{
    static const char *const names[] = {"what", "bytes", "measured", "predicted", "error", "by pieces", "line", NULL};
    puts("");
    Table *t = table_new(G_N_ELEMENTS(names) - 1);
    add_header(t, names);
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        table_add(t, g_strdup(g_ptr_array_index(c->series, p->series)));
        table_add(t, units_format_size(p->bytes));
        table_add(t, units_format_time(p->measured_s));
        table_add(t, units_format_time(p->predicted_s));
        table_add(t, p->left_out ? g_strdup("left out")
                                 : g_strdup_printf("%+.1f %%", 100 * (p->predicted_s / p->measured_s - 1)));
        table_add(t, p->pieces_s > 0 ? units_format_time(p->pieces_s) : g_strdup(""));
        table_add(t, p->line ? g_strdup_printf("%s:%u", p->log->name, p->line) : g_strdup(""));
    }
    table_print(t, "");
    table_free(t);
}

void calibrate_table(const Calibration *c, const GPtrArray *logs, gboolean points)
{
    g_autoptr(GString) from = g_string_new(NULL);
    for (guint i = 0; i < logs->len; i++) {
        const Log *log = g_ptr_array_index(logs, i);
        g_string_append_printf(from, "%s%s (%s)", i ? ", " : "", log->name, log->format);
    }
    printf("%s from %s\n\n", c->model->name, from->str);
    print_figures(c);
    print_pieces(c);
    if (c->notes->len)
        puts("");
    for (guint i = 0; i < c->notes->len; i++)
        puts(g_ptr_array_index(c->notes, i));
    if (points)
        print_points(c);
}

static void json_strings(Json *json, const char *key, const GPtrArray *texts)
{
    json_open(json, key, '[');
    for (guint i = 0; i < texts->len; i++)
        json_string(json, NULL, g_ptr_array_index(texts, i));
    json_close(json, ']');
}

static void json_figures(Json *json, const Calibration *c)
{
    json_open(json, "figures", '{');
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const CalibratedFigure *f = &c->figure[k];
        if (!f->found)
            continue;
        g_autofree char *text = platform_figure_text(k, f->value);
        json_open(json, platform_keys[k].name, '{');
        if (isfinite(f->value))
            json_number(json, "value", f->value);
        else
            json_string(json, "value", NULL);
        json_string(json, "text", text);
        json_integer(json, "rows", f->rows);
        json_integer(json, "left_out", f->left_out);
        json_number(json, "median_error", f->errors.median);
        json_number(json, "p90_error", f->errors.p90);
        json_number(json, "worst_error", f->errors.worst);
        json_string(json, "source", f->source);
        json_close(json, '}');
    }
    json_close(json, '}');
    json_open(json, "missing", '{');
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if (c->figure[k].missing)
            json_string(json, platform_keys[k].name, c->figure[k].missing);
    json_close(json, '}');
}

void calibrate_json(const Calibration *c)
{
    Json json = {g_string_new(NULL), TRUE};
    json_open(&json, NULL, '{');
    json_string(&json, "model", c->model->name);
    json_figures(&json, c);
    json_open(&json, "pieces", '[');
    for (guint i = 0; c->pieces && i < c->pieces->len; i++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, i);
        json_open(&json, NULL, '{');
        json_number(&json, "from", piece->from);
        json_number(&json, "to", piece->to);
        json_number(&json, "at_zero_s", piece->at_zero);
        json_number(&json, "per_byte_s", piece->slope);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_strings(&json, "notes", c->notes);
    json_open(&json, "points", '[');
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        json_open(&json, NULL, '{');
        json_string(&json, "series", g_ptr_array_index(c->series, p->series));
        json_string(&json, "file", p->log->name);
        json_integer(&json, "line", p->line);
        json_integer(&json, "bytes", (gint64)p->bytes);
        json_number(&json, "measured_s", p->measured_s);
        json_number(&json, "predicted_s", p->predicted_s);
        if (p->pieces_s > 0)
            json_number(&json, "pieces_s", p->pieces_s);
        json_integer(&json, "left_out", p->left_out);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}

// Adds a field of CSV that may hold commas.
static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (const char[]){*text, '\0'}, stdout);
    putchar('"');
}

void calibrate_csv(const Calibration *c)
{
    puts("series,file,line,bytes,measured_s,predicted_s,pieces_s,left_out");
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        const double times[] = {p->measured_s, p->predicted_s, p->pieces_s};
        print_quoted(g_ptr_array_index(c->series, p->series));
        putchar(',');
        print_quoted(p->log->name);
        printf(",%u,%zu", p->line, p->bytes);
        for (guint k = 0; k < G_N_ELEMENTS(times); k++) {
            char digits[G_ASCII_DTOSTR_BUF_SIZE];
            printf(",%s", k == 2 && times[k] <= 0 ? "" : g_ascii_formatd(digits, sizeof digits, "%.17g", times[k]));
        }
        printf(",%d\n", p->left_out);
    }
}
