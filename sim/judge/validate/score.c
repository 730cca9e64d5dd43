#include "judge/validate/score.h"
#include "base/units.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CANDIDATES = 3 };

const char *const score_by_names[] = {[SCORE_BY_SET] = "set",
                                      [SCORE_BY_COLLECTIVE] = "collective",
                                      [SCORE_BY_RANKS] = "p",
                                      [SCORE_BY_BYTES] = "bytes",
                                      [SCORE_BY_ALGORITHM] = "algorithm",
                                      [SCORE_BY_GROUP] = "group",
                                      NULL};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns a quantile of sorted values, NAN if there are none.
static double quantile(const GArray *sorted, double q)
{
    if (!sorted->len)
        return NAN;
    const double at = q * (sorted->len - 1);
    const guint low = (guint)at, high = MIN(low + 1, sorted->len - 1);
    const double a = g_array_index(sorted, double, low), b = g_array_index(sorted, double, high);
    return a + (b - a) * (at - low);
}

// ---- Parts of a set -------------------------------------------------------------------------------------------------

static const size_t band_ends[] = {1 << 10, 1 << 15, 1 << 20};

// Returns the number of the size band, up to G_N_ELEMENTS(band_ends) for the sizes beyond the last end.
static guint band_of(size_t bytes)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(band_ends) && bytes > band_ends[i])
        i++;
    return i;
}

static char *band_text(guint band)
{
    const gboolean beyond = band == G_N_ELEMENTS(band_ends);
    g_autofree char *end = units_format_size(band_ends[beyond ? band - 1 : band]);
    return g_strdup_printf("%s %s", beyond ? "above" : "up to", end);
}

static char *part_of(const ValidateRow *row, ScoreBy by)
{
    switch (by) {
    case SCORE_BY_COLLECTIVE:
        return g_strdup(row->collective);
    case SCORE_BY_RANKS:
        return g_strdup_printf("%d", row->sample.p);
    case SCORE_BY_BYTES:
        return band_text(band_of(row->bytes));
    case SCORE_BY_ALGORITHM:
        return g_strdup_printf("%s%s%s", row->collective, *row->algorithm ? " " : "", row->algorithm);
    case SCORE_BY_GROUP:
        return g_strdup(row->group);
    default:
        return g_strdup("");
    }
}

// A part of a set, and the errors and losses in it.
typedef struct ScorePart {
    const char *set;
    ScoreBy by;
    char *name;
    double order; // parts of a set are sorted by it, and then by name
    guint unscored;
    GArray *errors, *ratios, *losses; // of double; ratios: predicted / measured - 1
} ScorePart;

static void part_free(gpointer data)
{
    ScorePart *part = data;
    g_free(part->name);
    g_array_unref(part->errors);
    g_array_unref(part->ratios);
    g_array_unref(part->losses);
    g_free(part);
}

typedef struct ScoreParts {
    GPtrArray *sets; // of const char *, in the order of the rows
    GPtrArray *all;  // of ScorePart *
    GHashTable *index;
} ScoreParts;

static ScorePart *part_find(ScoreParts *parts, const ValidateRow *row, ScoreBy by)
{
    g_autofree char *name = part_of(row, by);
    char *key = g_strdup_printf("%s\n%d\n%s", row->set, (int)by, name);
    ScorePart *part = g_hash_table_lookup(parts->index, key);
    if (part) {
        g_free(key);
        return part;
    }
    part = g_new0(ScorePart, 1);
    *part = (ScorePart){.set = row->set,
                        .by = by,
                        .name = g_steal_pointer(&name),
                        .order = by == SCORE_BY_RANKS   ? (double)row->sample.p
                                 : by == SCORE_BY_BYTES ? band_of(row->bytes)
                                                        : 0,
                        .errors = g_array_new(FALSE, FALSE, sizeof(double)),
                        .ratios = g_array_new(FALSE, FALSE, sizeof(double)),
                        .losses = g_array_new(FALSE, FALSE, sizeof(double))};
    g_hash_table_insert(parts->index, key, part);
    g_ptr_array_add(parts->all, part);
    return part;
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

static void add_row(ScoreParts *parts, const ValidateRow *row, const gboolean *by)
{
    const double ratio = row->predicted_s / row->measured_s - 1, error = fabs(ratio);
    for (int b = 0; b < N_SCORE_BY; b++) {
        if (!by[b] && b != SCORE_BY_SET)
            continue;
        ScorePart *part = part_find(parts, row, (ScoreBy)b);
        if (isnan(ratio)) {
            part->unscored++;
            continue;
        }
        g_array_append_val(part->ratios, ratio);
        g_array_append_val(part->errors, error);
    }
}

// ---- Choices --------------------------------------------------------------------------------------------------------

// Returns the first prediction of each algorithm at each point, double by key_of().
static GHashTable *predictions_of(const ValidateRows *rows)
{
    GHashTable *found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rows->rows->len; i++) {
        ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        char *key = validate_row_key(row, row->algorithm);
        if (isnan(row->predicted_s) || g_hash_table_contains(found, key))
            g_free(key);
        else
            g_hash_table_insert(found, key, &row->predicted_s);
    }
    return found;
}

// Returns the loss of a choice; NAN if too few candidates are predicted.
static double loss_of(const ValidateChoice *choice, GHashTable *predictions, double tie)
{
    g_autofree double *predicted = g_new(double, MAX(choice->candidates->len, 1));
    double best = INFINITY, least = INFINITY, sum = 0;
    guint n = 0, tied = 0;
    for (guint i = 0; i < choice->candidates->len; i++) {
        const ValidateCandidate *c = &g_array_index(choice->candidates, ValidateCandidate, i);
        g_autofree char *key = validate_row_key(&choice->point, c->algorithm);
        const double *time = g_hash_table_lookup(predictions, key);
        predicted[i] = time ? *time : NAN;
        if (!time)
            continue;
        n++;
        best = MIN(best, c->measured_s);
        least = MIN(least, *time);
    }
    for (guint i = 0; i < choice->candidates->len; i++)
        if (predicted[i] <= least * (1 + tie)) { // false for NAN
            sum += g_array_index(choice->candidates, ValidateCandidate, i).measured_s;
            tied++;
        }
    return n < LEAST_CANDIDATES ? NAN : sum / tied / best - 1;
}

static void add_choice(ScoreParts *parts, const ValidateChoice *choice, GHashTable *predictions, double tie,
                       const gboolean *by)
{
    const double loss = loss_of(choice, predictions, tie);
    if (isnan(loss))
        return;
    for (int b = 0; b < N_SCORE_BY; b++)
        if ((by[b] || b == SCORE_BY_SET) && b != SCORE_BY_ALGORITHM)
            g_array_append_val(part_find(parts, &choice->point, (ScoreBy)b)->losses, loss);
}

// ---- All ------------------------------------------------------------------------------------------------------------

static int set_order(const ScoreParts *parts, const char *set)
{
    guint i = 0;
    while (i < parts->sets->len && strcmp(g_ptr_array_index(parts->sets, i), set) != 0)
        i++;
    return (int)i;
}

static gint compare_parts(gconstpointer a, gconstpointer b, gpointer parts)
{
    const ScorePart *x = *(ScorePart *const *)a, *y = *(ScorePart *const *)b;
    const int sets = set_order(parts, x->set) - set_order(parts, y->set);
    if (sets || x->by != y->by)
        return sets ? sets : (int)x->by - (int)y->by;
    return x->order != y->order ? (x->order > y->order) - (x->order < y->order) : strcmp(x->name, y->name);
}

static void score_clear(gpointer data)
{
    g_free(((Score *)data)->part);
}

static double mean(const GArray *values)
{
    double sum = 0;
    for (guint i = 0; i < values->len; i++)
        sum += g_array_index(values, double, i);
    return values->len ? sum / values->len : NAN;
}

static Score score_of(ScorePart *part)
{
    g_array_sort(part->errors, compare);
    g_array_sort(part->ratios, compare);
    g_array_sort(part->losses, compare);
    return (Score){.set = part->set,
                   .by = part->by,
                   .part = g_strdup(part->name),
                   .rows = part->errors->len,
                   .median = quantile(part->errors, 0.5),
                   .p90 = quantile(part->errors, 0.9),
                   .bias = quantile(part->ratios, 0.5),
                   .unscored = part->unscored,
                   .choices = part->losses->len,
                   .mean_loss = mean(part->losses),
                   .median_loss = quantile(part->losses, 0.5),
                   .p90_loss = quantile(part->losses, 0.9)};
}

GArray *score(const ValidateRows *rows, const gboolean by[N_SCORE_BY], double tie)
{
    ScoreParts parts = {g_ptr_array_new(), g_ptr_array_new_with_free_func(part_free),
                        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        if (set_order(&parts, row->set) == (int)parts.sets->len)
            g_ptr_array_add(parts.sets, (gpointer)(uintptr_t)row->set);
        if (row->use == ROW_SCORE)
            add_row(&parts, row, by);
    }
    g_autoptr(GHashTable) predictions = predictions_of(rows);
    for (guint i = 0; i < rows->choices->len; i++)
        add_choice(&parts, &g_array_index(rows->choices, ValidateChoice, i), predictions, tie, by);
    g_ptr_array_sort_with_data(parts.all, compare_parts, &parts);
    GArray *scores = g_array_new(FALSE, FALSE, sizeof(Score));
    g_array_set_clear_func(scores, score_clear);
    for (guint i = 0; i < parts.all->len; i++) {
        const Score x = score_of(g_ptr_array_index(parts.all, i));
        g_array_append_val(scores, x);
    }
    g_hash_table_unref(parts.index);
    g_ptr_array_unref(parts.all);
    g_ptr_array_unref(parts.sets);
    return scores;
}
