#include "model/model.h"
#include "base/nearest.h"
#include <string.h>

const Model *const models[] = {
    &hockney_model, &measured_model, &loggops_model, &loggp_model, &logp_model, &shared_model, NULL};

const Model *model_find(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(models)] = {NULL};
    int index = 0;
    for (int i = 0; models[i]; i++)
        names[i] = models[i]->name;
    return nearest_find("model", name, names, &index, error) ? models[index] : NULL;
}

bool model_shares_nodes(const Model *model)
{
    return model == &hockney_model || model == &measured_model;
}

void prediction_free(Prediction *p)
{
    if (!p)
        return;
    if (p->why)
        g_array_unref(p->why);
    if (p->terms)
        g_array_unref(p->terms);
    if (p->names)
        g_string_chunk_free(p->names);
    if (p->stuck)
        g_ptr_array_unref(p->stuck);
    ledger_free(p->ledger);
    g_free(p->clock);
    g_free(p);
}

static void append_term(GString *s, int64_t n, const char *name)
{
    if (n)
        g_string_append_printf(s, "%s%" G_GINT64_FORMAT " %s", s->len ? " + " : "", n, name);
}

// Orders terms by what they are worth in the certificate, the largest first, and then by name.
static int by_worth(gconstpointer a, gconstpointer b)
{
    const PredictionTerm *const *x = a, *const *y = b;
    const double difference = (double)(*y)->n * (*y)->value - (double)(*x)->n * (*x)->value;
    return difference > 0 ? 1 : difference < 0 ? -1 : strcmp((*x)->name, (*y)->name);
}

// Appends the `most` terms that are worth most, and how many others there are.
static void append_largest(GString *s, const GArray *terms, guint most)
{
    g_autoptr(GPtrArray) paid = g_ptr_array_new();
    for (guint i = 0; i < terms->len; i++)
        if (g_array_index(terms, PredictionTerm, i).n)
            g_ptr_array_add(paid, &g_array_index(terms, PredictionTerm, i));
    g_ptr_array_sort(paid, by_worth);
    for (guint i = 0; i < MIN(paid->len, most); i++) {
        const PredictionTerm *term = g_ptr_array_index(paid, i);
        append_term(s, term->n, term->name);
    }
    if (paid->len > most)
        g_string_append_printf(s, " + %u more terms", paid->len - most);
}

char *model_certificate_text(const Model *model, const Prediction *p, guint most)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; !p->terms && i < model->n_terms; i++)
        append_term(s, p->count[i], model->terms[i]);
    if (p->terms && model->n_terms == 0) // the terms have the order in which they were made
        append_largest(s, p->terms, most);
    for (guint i = 0; p->terms && model->n_terms > 0 && i < p->terms->len; i++)
        append_term(s, g_array_index(p->terms, PredictionTerm, i).n, g_array_index(p->terms, PredictionTerm, i).name);
    if (s->len == 0)
        g_string_append(s, "0");
    return g_string_free(s, FALSE);
}

// Returns what a term of the model costs once, in seconds. A term has the name of a figure, or is a figure divided by
// another one, as in read/lanes.
static double term_value(const Platform *platform, const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, "/", 2);
    double value[2] = {0, 1};
    for (int i = 0; i < 2 && parts[i]; i++)
        for (int key = 0; key < N_PLATFORM_KEYS; key++)
            if (strcmp(platform_keys[key].name, parts[i]) == 0) {
                value[i] = platform->value[key];
                break; // gamma is a figure of [hockney], and of [measured] for that model alone
            }
    return value[0] / value[1];
}

void prediction_name_calcs(const Model *model, const Platform *platform, Prediction *p)
{
    if (!p->terms) {
        p->terms = g_array_new(FALSE, FALSE, sizeof(PredictionTerm));
        for (int i = 0; i < model->n_terms; i++) {
            const PredictionTerm term = {model->terms[i], p->count[i], term_value(platform, model->terms[i]), 0};
            g_array_append_val(p->terms, term);
        }
    }
    for (guint i = 0; i < p->terms->len; i++) {
        PredictionTerm *term = &g_array_index(p->terms, PredictionTerm, i);
        if (strcmp(term->name, "gamma") == 0)
            term->name = "calc";
    }
    for (guint i = 0; p->why && i < p->why->len; i++) {
        WhyStep *step = &g_array_index(p->why, WhyStep, i);
        if (strcmp(step->what, "reduce") == 0) {
            step->what = "calc";
            step->bytes = 0;
        }
    }
}

static void append_cost(GString *s, const char *name, double cost)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (cost > 0)
        g_string_append_printf(s, "%s%s=%s", s->len ? ";" : "", name,
                               g_ascii_formatd(number, sizeof number, "%.15g", cost));
}

char *model_costs_text(const Model *model, const Platform *platform, const Prediction *p)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; !p->terms && i < model->n_terms; i++)
        append_cost(s, model->terms[i], (double)p->count[i] * term_value(platform, model->terms[i]));
    for (guint i = 0; p->terms && i < p->terms->len; i++) {
        const PredictionTerm *const term = &g_array_index(p->terms, PredictionTerm, i);
        append_cost(s, term->name, (double)term->n * term->value);
    }
    return g_string_free(s, FALSE);
}
