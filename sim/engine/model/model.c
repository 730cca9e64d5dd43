#include "engine/model/model.h"
#include <math.h>
#include <string.h>

Prediction *prediction_new(void)
{
    Prediction *p = g_new0(Prediction, 1);
    p->terms = g_array_new(FALSE, FALSE, sizeof(PredictionTerm));
    p->stuck = g_ptr_array_new_with_free_func(g_free);
    g_atomic_ref_count_init(&p->owners);
    p->drift = NAN;
    return p;
}

Prediction *prediction_ref(Prediction *p)
{
    g_atomic_ref_count_inc(&p->owners);
    return p;
}

double prediction_mean(const Prediction *p)
{
    return p->ends ? p->mean_end_s : p->time_s;
}

double prediction_mean_part(const Prediction *p)
{
    return p->time_s > 0 ? prediction_mean(p) / p->time_s : 1;
}

void prediction_free(Prediction *p)
{
    if (!p || !g_atomic_ref_count_dec(&p->owners))
        return;
    if (p->why)
        g_array_unref(p->why);
    g_array_unref(p->terms);
    g_ptr_array_unref(p->stuck);
    ledger_free(p->ledger);
    g_free(p->clock);
    g_free(p);
}

void prediction_add(Prediction *p, const Model *model, CostTerm term, int64_t n)
{
    const PredictionTerm x = {term, n};
    g_array_append_val(p->terms, x);
    for (int i = 0; i < model->n_terms; i++)
        if (model->terms[i] == term.kind)
            p->count[i] += n;
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

static void append_term(GString *s, const PredictionTerm *x)
{
    g_autofree char *text = term_text(&x->term);
    g_string_append_printf(s, "%s%" G_GINT64_FORMAT " %s", s->len ? " + " : "", x->n, text);
}

// Orders terms by what they are worth in the certificate, the largest first, and then by what they are called.
static int by_worth(gconstpointer a, gconstpointer b)
{
    const PredictionTerm *const *x = a, *const *y = b;
    const double difference = (double)(*y)->n * term_value(&(*y)->term) - (double)(*x)->n * term_value(&(*x)->term);
    if (difference > 0 || difference < 0)
        return difference > 0 ? 1 : -1;
    g_autofree char *of_x = term_text(&(*x)->term), *of_y = term_text(&(*y)->term);
    return strcmp(of_x, of_y);
}

char *model_certificate_text(const Model *model, const Prediction *p, guint most)
{
    GString *s = g_string_new(NULL);
    g_autoptr(GPtrArray) paid = g_ptr_array_new();
    for (guint i = 0; i < p->terms->len; i++)
        if (g_array_index(p->terms, PredictionTerm, i).n)
            g_ptr_array_add(paid, &g_array_index(p->terms, PredictionTerm, i));
    if (model->n_terms == 0) // the terms have the order in which they were made
        g_ptr_array_sort(paid, by_worth);
    const guint shown = model->n_terms == 0 ? MIN(paid->len, most) : paid->len;
    for (guint i = 0; i < shown; i++)
        append_term(s, g_ptr_array_index(paid, i));
    if (paid->len > shown)
        g_string_append_printf(s, " + %u more terms", paid->len - shown);
    if (s->len == 0)
        g_string_append(s, "0");
    return g_string_free(s, FALSE);
}

void why_step_clear(gpointer step)
{
    g_free(((WhyStep *)step)->link);
}

void prediction_name_calcs(Prediction *p)
{
    for (guint i = 0; i < p->terms->len; i++) {
        CostTerm *const term = &g_array_index(p->terms, PredictionTerm, i).term;
        if (term->kind == TERM_GAMMA || term->kind == TERM_REDUCE)
            term->kind = TERM_CALC;
    }
    for (guint i = 0; p->why && i < p->why->len; i++) {
        WhyStep *step = &g_array_index(p->why, WhyStep, i);
        if (strcmp(step->what, "reduce") == 0) {
            step->what = "calc";
            step->bytes = 0;
        }
    }
}

char *model_costs_text(const Prediction *p)
{
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < p->terms->len; i++) {
        const PredictionTerm *const x = &g_array_index(p->terms, PredictionTerm, i);
        const double cost = (double)x->n * term_value(&x->term);
        g_autofree char *name = term_text(&x->term);
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        if (cost > 0)
            g_string_append_printf(s, "%s%s=%s", s->len ? ";" : "", name,
                                   g_ascii_formatd(number, sizeof number, "%.15g", cost));
    }
    return g_string_free(s, FALSE);
}
