#include "advice/learn/campaign.h"
#include "base/distinct.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

const char *const campaign_model_names[] = {[CAMPAIGN_TREE] = "tree",
                                            [CAMPAIGN_NEAREST] = "nearest",
                                            [CAMPAIGN_SINGLE] = "single",
                                            [CAMPAIGN_SIMULATION] = "simulation",
                                            [CAMPAIGN_CORRECTED] = "corrected",
                                            [CAMPAIGN_DEFAULT] = "default",
                                            NULL};

// ---- The order of rows ----------------------------------------------------------------------------------------------

// The rows of a question follow each other, and so do those of a point. `apart` tells whether groups are questions.
static int by_question(const CampaignRow *a, const CampaignRow *b, gboolean apart)
{
    const int collective = (a->collective > b->collective) - (a->collective < b->collective);
    return collective || !apart ? collective : strcmp(a->group, b->group);
}

static int by_place(const CampaignRow *a, const CampaignRow *b)
{
    return a->tested != b->tested       ? (a->tested > b->tested) - (a->tested < b->tested)
           : strcmp(a->set, b->set)     ? strcmp(a->set, b->set)
           : strcmp(a->group, b->group) ? strcmp(a->group, b->group)
           : a->p != b->p               ? (a->p > b->p) - (a->p < b->p)
           : a->per_node != b->per_node ? (a->per_node > b->per_node) - (a->per_node < b->per_node)
                                        : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

// Of several measurements of an algorithm at a point the fastest comes first, and of equal ones that with the smaller prediction.
static int by_row(gconstpointer a, gconstpointer b, gpointer apart)
{
    const CampaignRow *x = a, *y = b;
    const int question = by_question(x, y, GPOINTER_TO_INT(apart)), place = question ? question : by_place(x, y),
              name = place ? place : strcmp(x->algorithm, y->algorithm);
    return name                             ? name
           : x->measured_s != y->measured_s ? (x->measured_s > y->measured_s) - (x->measured_s < y->measured_s)
                                            : (x->predicted_s > y->predicted_s) - (x->predicted_s < y->predicted_s);
}

static const CampaignRow *row_at(const GArray *rows, guint i)
{
    return &g_array_index(rows, CampaignRow, i);
}

// ---- Questions ------------------------------------------------------------------------------------------------------

static void question_free(gpointer data)
{
    CampaignQuestion *q = data;
    g_free(q->group);
    learn_data_free(q->data);
    g_free(q);
}

void campaign_free(Campaign *x)
{
    if (x)
        g_ptr_array_unref(x->questions);
    g_free(x);
}

// Returns the place of an algorithm among the choices, which are in the order of their names.
static guint choice_of(const LearnData *data, const char *name)
{
    guint low = 0, high = data->choices->len;
    while (high - low > 1) {
        const guint middle = (low + high) / 2;
        if (strcmp(learn_choice(data, middle)->name, name) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Makes a choice of each algorithm among the rows of a question.
static void add_choices(LearnData *data, const GArray *rows, guint from, guint to)
{
    const Collective collective = row_at(rows, from)->collective;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = from; i < to; i++) {
        const CampaignRow *row = row_at(rows, i);
        if (!row->usual)
            distinct_name(names, row->algorithm);
    }
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        const LearnChoice choice = {.collective = collective,
                                    .id = (int)i + 1,
                                    .name = g_strdup(name),
                                    .given = g_strdup(""),
                                    .same = i,
                                    .label = i};
        g_array_append_val(data->choices, choice);
        g_array_append_val(data->labels,
                           ((LearnLabel){.collective = collective, .id = (int)i + 1, .name = choice.name}));
    }
    data->n[collective] = data->different = names->len;
}

// Makes the point of some rows, and adds it if enough was measured there.
static void add_point(Campaign *x, LearnData *data, const GArray *rows, guint from, guint to)
{
    const CampaignRow *first = row_at(rows, from);
    const guint n = data->choices->len;
    LearnPoint at = {.collective = first->collective,
                     .p = first->p,
                     .per_node = first->per_node,
                     .m = first->bytes,
                     .time_s = g_new(double, n),
                     .predicted_s = g_new(double, n),
                     .default_s = NAN,
                     .set = first->tested,
                     .group = first->group};
    guint measured = 0, calibrating = 0;
    for (guint c = 0; c < n; c++)
        at.time_s[c] = at.predicted_s[c] = NAN;
    for (guint i = from; i < to; i++) {
        const CampaignRow *row = row_at(rows, i);
        if (row->usual) {
            at.default_s = fmin(at.default_s, row->measured_s);
            continue;
        }
        const guint c = choice_of(data, row->algorithm);
        calibrating += row->calibrates;
        if (!isnan(at.time_s[c]))
            continue;
        at.time_s[c] = row->measured_s;
        at.predicted_s[c] = row->predicted_s;
        x->predicted |= !isnan(row->predicted_s);
        measured++;
    }
    learn_set_place(&at);
    if (measured < CAMPAIGN_LEAST_CHOICES) {
        x->few += measured > 0;
        g_free(at.time_s);
        g_free(at.predicted_s);
        return;
    }
    learn_find_best(data, &at);
    g_array_index(data->labels, LearnLabel, at.label).points++;
    g_array_append_val(data->points, at);
    x->points++;
    x->tested += at.set > 0;
    x->rows += measured;
    x->calibrating += calibrating;
}

Campaign *campaign_new(GArray *rows, gboolean apart, GError **error)
{
    g_autoptr(Campaign) x = g_new0(Campaign, 1);
    x->questions = g_ptr_array_new_with_free_func(question_free);
    g_array_sort_with_data(rows, by_row, GINT_TO_POINTER(apart));
    for (guint from = 0, to; from < rows->len; from = to) {
        for (to = from + 1; to < rows->len && by_question(row_at(rows, from), row_at(rows, to), apart) == 0; to++)
            ;
        CampaignQuestion *q = g_new(CampaignQuestion, 1);
        *q = (CampaignQuestion){row_at(rows, from)->collective, g_strdup(apart ? row_at(rows, from)->group : ""),
                                learn_data_new()};
        q->data->measured = TRUE;
        add_choices(q->data, rows, from, to);
        for (guint at = from, end; at < to; at = end) {
            for (end = at + 1; end < to && by_place(row_at(rows, at), row_at(rows, end)) == 0; end++)
                ;
            add_point(x, q->data, rows, at, end);
        }
        if (q->data->points->len)
            g_ptr_array_add(x->questions, q);
        else
            question_free(q);
    }
    if (x->points)
        return g_steal_pointer(&x);
    bad_input(error,
              "no collective has %d algorithms measured on the same ranks with the same size; allowed: rows that name "
              "%d or more algorithms at a point",
              CAMPAIGN_LEAST_CHOICES, CAMPAIGN_LEAST_CHOICES);
    return NULL;
}
