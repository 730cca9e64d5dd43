// The choices of a data set: from a list, or of a library.
#include "base/csv.h"
#include "base/error.h"
#include "advice/learn/data.h"
#include "engine/schedule/parse.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 10000 };
static const int64_t segments[] = {0, 8 << 10, 32 << 10, 128 << 10}, fanouts[] = {2, 4, 8};

static void choice_clear(gpointer data)
{
    LearnChoice *c = data;
    g_free(c->name);
    g_free(c->given);
}

static void point_clear(gpointer data)
{
    g_free(((LearnPoint *)data)->time_s);
    g_free(((LearnPoint *)data)->why);
    g_free(((LearnPoint *)data)->predicted_s);
}

LearnData *learn_data_new(void)
{
    LearnData *data = g_new0(LearnData, 1);
    data->choices = g_array_new(FALSE, FALSE, sizeof(LearnChoice));
    data->labels = g_array_new(FALSE, FALSE, sizeof(LearnLabel));
    data->points = g_array_new(FALSE, FALSE, sizeof(LearnPoint));
    g_array_set_clear_func(data->choices, choice_clear);
    g_array_set_clear_func(data->points, point_clear);
    return data;
}

void learn_data_free(LearnData *data)
{
    if (!data)
        return;
    g_array_unref(data->choices);
    g_array_unref(data->labels);
    g_array_unref(data->points);
    g_free(data);
}

// ---- A list ---------------------------------------------------------------------------------------------------------

// Takes `first` and replaces each choice by one for each value of NAME=VALUE,VALUE,.. A parameter that is `unused` is
// only noted. Returns FALSE and an error on bad input.
static gboolean spread(GArray *choices, const char *assignment, gboolean unused, GError **error)
{
    const char *values = strchr(assignment, '=');
    const guint n = choices->len;
    if (!values || values == assignment || !values[1])
        return bad_input(error, "'%s' is not a parameter; allowed: NAME=VALUE,VALUE,..", assignment);
    g_autofree char *name = g_strndup(assignment, (gsize)(values - assignment));
    g_auto(GStrv) words = g_strsplit(values + 1, ",", -1);
    if ((gsize)n * g_strv_length(words) > MOST_CHOICES)
        return bad_input(error, "more than %d combinations; allowed: fewer values", MOST_CHOICES);
    for (guint i = 0; i < n; i++)
        for (char **word = words; *word; word++) {
            const LearnChoice *from = &g_array_index(choices, LearnChoice, i);
            LearnChoice c = *from;
            gboolean known = TRUE;
            g_autofree char *one = g_strdup_printf("%s=%s", name, *word);
            if (!unused && !param_parse(c.entry, one, &c.par, &known, error))
                return known ? FALSE
                             : bad_input(error, "%s %s has no parameter '%s'; allowed: those in collsim list %s",
                                         collectives[c.collective].name, c.entry->name, name,
                                         collectives[c.collective].name);
            // Appending can move the array, and `from` with it.
            char *texts[] = {g_strdup(from->name),
                             *from->given ? g_strdup_printf("%s;%s", from->given, one) : g_strdup(one)};
            g_array_append_val(choices, c);
            LearnChoice *added = &g_array_index(choices, LearnChoice, choices->len - 1);
            added->name = texts[0];
            added->given = texts[1];
        }
    g_array_remove_range(choices, 0, n);
    return TRUE;
}

static gboolean spread_all(GArray *choices, const char *lists, gboolean unused, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(lists, ";", -1);
    for (char **part = parts; *part; part++)
        if (!spread(choices, g_strstrip(*part), unused, error))
            return FALSE;
    return TRUE;
}

typedef struct ChoiceColumns {
    int collective, id, name, algorithm, params, unused;
} ChoiceColumns;

static gboolean read_row(LearnData *data, const Csv *csv, size_t row, const ChoiceColumns *at, GError **error)
{
    LearnChoice c = {0};
    if (!collective_parse(csv_field(csv, row, at->collective), &c.collective, error) ||
        !(c.entry = algorithm_parse(c.collective, csv_field(csv, row, at->algorithm), error)))
        return FALSE;
    if (c.entry->shared)
        return bad_input(error, "%s works in shared memory; allowed: algorithms that send messages", c.entry->name);
    if (!*csv_field(csv, row, at->name))
        return bad_input(error, "the name is empty; allowed: a name of the id");
    c.par = algorithm_defaults(c.entry);
    g_autoptr(GArray) choices = g_array_new(FALSE, FALSE, sizeof(LearnChoice));
    g_array_set_clear_func(choices, choice_clear);
    g_array_append_val(choices, c);
    LearnChoice *first = &g_array_index(choices, LearnChoice, 0);
    first->name = g_strdup(csv_field(csv, row, at->name));
    first->given = g_strdup("");
    if (!csv_int(csv, row, at->id, 1, 1000, &first->id, error) ||
        !spread_all(choices, csv_field(csv, row, at->params), FALSE, error) ||
        !spread_all(choices, csv_field(csv, row, at->unused), TRUE, error))
        return FALSE;
    if (data->choices->len + choices->len > MOST_CHOICES)
        return bad_input(error, "more than %d choices; allowed: fewer values", MOST_CHOICES);
    g_array_append_vals(data->choices, choices->data, choices->len);
    g_array_set_clear_func(choices, NULL); // their texts have moved
    return TRUE;
}

gboolean learn_read_choices(LearnData *data, const char *path, GError **error)
{
    g_autoptr(Csv) csv = csv_read(path, error);
    ChoiceColumns at;
    if (!csv || !csv_need(csv, "collective", &at.collective, error) || !csv_need(csv, "id", &at.id, error) ||
        !csv_need(csv, "name", &at.name, error) || !csv_need(csv, "algorithm", &at.algorithm, error) ||
        !csv_need(csv, "params", &at.params, error) || !csv_need(csv, "unused", &at.unused, error))
        return FALSE;
    for (size_t row = 0; row < csv_rows(csv); row++) {
        g_autoptr(GError) why = NULL;
        if (!read_row(data, csv, row, &at, &why)) {
            const char *file = csv_name(csv);
            return g_str_has_prefix(why->message, file) // an error about a number says already where it is
                       ? bad_input(error, "%s", why->message)
                       : bad_input(error, "%s:%zu: %s", file, csv_line(csv, row), why->message);
        }
    }
    return TRUE;
}

// ---- A library ------------------------------------------------------------------------------------------------------

void learn_add_library(LearnData *data, const Tables *tables, Collective collective)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        LearnChoice c = {.collective = collective, .id = a->id};
        if (a->collective != collective || !(c.entry = decide_entry(tables, a, &c.par)))
            continue;
        const CollParam *cut = NULL, *wide = NULL;
        for (int k = 0; k < algorithm_n_params(c.entry); k++) {
            const CollParam *param = &c.entry->params[k];
            if (!decide_takes(a, param))
                continue;
            if (param->kind == PARAM_SIZE)
                cut = param;
            else if (strcmp(param->name, "max_requests") != 0)
                wide = param;
        }
        for (guint s = 0; s < (cut ? G_N_ELEMENTS(segments) : 1); s++)
            for (guint f = 0; f < (wide ? G_N_ELEMENTS(fanouts) : 1); f++) {
                LearnChoice choice = c;
                if (cut)
                    param_set(cut, &choice.par, segments[s]);
                if (wide)
                    param_set(wide, &choice.par, fanouts[f]);
                choice.name = g_strdup(a->name);
                choice.given = params_text(c.entry, &choice.par);
                g_strdelimit(choice.given, " ", ';');
                g_array_append_val(data->choices, choice);
            }
    }
}

// ---- The end --------------------------------------------------------------------------------------------------------

typedef struct Numbered {
    LearnChoice choice;
    guint number;
} Numbered;

static int by_id(const void *a, const void *b)
{
    const Numbered *x = a, *y = b;
    if (x->choice.collective != y->choice.collective)
        return x->choice.collective < y->choice.collective ? -1 : 1;
    if (x->choice.id != y->choice.id)
        return x->choice.id < y->choice.id ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void sort(GArray *choices)
{
    g_autofree Numbered *all = g_new(Numbered, choices->len);
    for (guint i = 0; i < choices->len; i++)
        all[i] = (Numbered){g_array_index(choices, LearnChoice, i), i};
    qsort(all, choices->len, sizeof *all, by_id);
    for (guint i = 0; i < choices->len; i++)
        g_array_index(choices, LearnChoice, i) = all[i].choice;
}

static gboolean runs_same(const LearnChoice *a, const LearnChoice *b)
{
    return a->collective == b->collective && a->entry == b->entry && params_same(a->entry, &a->par, &b->par);
}

gboolean learn_end_choices(LearnData *data, GError **error)
{
    if (!data->choices->len)
        return bad_input(error, "there is nothing to choose from; allowed: at least one algorithm of a collective");
    sort(data->choices);
    for (guint i = 0; i < data->choices->len; i++) {
        LearnChoice *c = &g_array_index(data->choices, LearnChoice, i);
        const LearnLabel *last = data->labels->len ? learn_label(data, data->labels->len - 1) : NULL;
        if (!data->n[c->collective]++)
            data->first[c->collective] = i;
        if (!last || last->collective != c->collective || last->id != c->id) {
            const LearnLabel label = {c->collective, c->id, c->name, 0};
            g_array_append_val(data->labels, label);
        }
        c->label = data->labels->len - 1;
        c->same = data->first[c->collective];
        while (!runs_same(learn_choice(data, c->same), c))
            c->same++;
        data->different += c->same == i;
    }
    return TRUE;
}
