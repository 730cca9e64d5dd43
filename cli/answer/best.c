#include "answer/best.h"
#include "answer/report.h"
#include "out/table.h"
#include "base/units.h"
#include <stdio.h>

static double ratio_of(const Contest *x, const Contender *e)
{
    const Contender *best = g_ptr_array_index(x->ranking, 0);
    return best->point->time_s > 0 ? e->point->time_s / best->point->time_s : 1;
}

static gboolean has_optimum(const Contender *e)
{
    return e->S > 0 && e->form.linear;
}

static double segment_best(const Contest *x, const Contender *e)
{
    return (double)x->m / e->form.parts / e->S_best;
}

static void print_ranking(const Request *r, const Contest *x)
{
    static const char *const names[] = {"algorithm", "time", "x best", "formula"};
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < x->ranking->len; i++) {
        const Contender *e = g_ptr_array_index(x->ranking, i);
        g_autofree char *params = point_params(e->point, TRUE);
        table_add(t, g_strdup_printf("%s%s%s", e->point->algorithm->name, *params ? " " : "", params));
        table_add(t, units_format_time(e->point->time_s));
        table_add(t, table_ratio(ratio_of(x, e), 1));
        table_add(t, model_certificate_text(r->model, e->point->prediction->count));
    }
    table_print(t, "");
    table_free(t);
}

static void print_optima(const Contest *x)
{
    static const char *const names[] = {"segments", "S", "time", "closed form: S*", "segment*", "T*"};
    gboolean any = FALSE;
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < x->ranking->len; i++) {
        const Contender *e = g_ptr_array_index(x->ranking, i);
        const gboolean known = has_optimum(e);
        if (e->S == 0)
            continue;
        any = TRUE;
        table_add(t, g_strdup(e->point->algorithm->name));
        table_add(t, g_strdup_printf("%d", e->S));
        table_add(t, units_format_time(e->point->time_s));
        table_add(t, known ? g_strdup_printf("%.1f", e->S_best) : g_strdup("not of S and 1/S"));
        table_add(t, known ? g_strdup_printf("%.0f", segment_best(x, e)) : g_strdup(""));
        table_add(t, known ? units_format_time(e->time_best_s) : g_strdup(""));
    }
    if (any) {
        puts("");
        table_print(t, "");
    }
    table_free(t);
}

static void print_contest(const Request *r, const Contest *x)
{
    g_autofree char *size = units_format_size(x->m);
    printf("%d rank%s", x->p, x->p == 1 ? "" : "s");
    if (r->collective != COLL_BARRIER)
        printf(", %s bytes", size);
    puts("");
    print_ranking(r, x);
    print_optima(x);
    puts("");
}

void best_table(const Request *r, const GPtrArray *contests)
{
    g_autofree char *machine = report_machine(r);
    g_autoptr(GPtrArray) winners = g_ptr_array_new();
    printf("%s%s\n\n", request_name(r), machine);
    for (guint i = 0; i < contests->len; i++) {
        const Contest *x = g_ptr_array_index(contests, i);
        print_contest(r, x);
        if (x->ranking->len > 0)
            g_ptr_array_add(winners, ((Contender *)g_ptr_array_index(x->ranking, 0))->point);
    }
    report_winners(winners);
}

void best_csv(const Request *r, const GPtrArray *contests)
{
    GString *s = g_string_new(NULL);
    report_csv_columns(s, r);
    g_string_append(s, ",ratio,segments,best_segments,best_segment_bytes,best_time_s\n");
    for (guint i = 0; i < contests->len; i++) {
        const Contest *x = g_ptr_array_index(contests, i);
        for (guint k = 0; k < x->ranking->len; k++) {
            const Contender *e = g_ptr_array_index(x->ranking, k);
            const double figures[] = {e->S_best, segment_best(x, e), e->time_best_s};
            char text[G_ASCII_DTOSTR_BUF_SIZE];
            report_csv_point(s, r, e->point);
            g_string_append_printf(s, ",%s,", g_ascii_formatd(text, sizeof text, "%.17g", ratio_of(x, e)));
            if (e->S > 0)
                g_string_append_printf(s, "%d", e->S);
            for (size_t n = 0; n < G_N_ELEMENTS(figures); n++)
                g_string_append_printf(s, ",%s",
                                       has_optimum(e) ? g_ascii_formatd(text, sizeof text, "%.17g", figures[n]) : "");
            g_string_append_c(s, '\n');
        }
    }
    fputs(s->str, stdout);
    g_string_free(s, TRUE);
}

void best_json(const Request *r, const GPtrArray *contests)
{
    Json json = {g_string_new("["), TRUE};
    for (guint i = 0; i < contests->len; i++) {
        const Contest *x = g_ptr_array_index(contests, i);
        for (guint k = 0; k < x->ranking->len; k++) {
            const Contender *e = g_ptr_array_index(x->ranking, k);
            report_json_point(&json, r, e->point);
            json_open(&json, "certificate", '{');
            for (int n = 0; n < r->model->n_terms; n++)
                json_integer(&json, r->model->terms[n], e->point->prediction->count[n]);
            json_close(&json, '}');
            json_number(&json, "ratio", ratio_of(x, e));
            if (e->S > 0)
                json_integer(&json, "segments", e->S);
            if (has_optimum(e)) {
                json_number(&json, "best_segments", e->S_best);
                json_number(&json, "best_segment_bytes", segment_best(x, e));
                json_number(&json, "best_time_s", e->time_best_s);
            }
            json_close(&json, '}');
            g_string_append_c(json.text, '\n');
        }
    }
    g_string_append_c(json.text, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}
