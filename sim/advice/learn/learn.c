#include "advice/learn/learn.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/rounding.h"
#include <math.h>
#include <string.h>

// ---- Growing --------------------------------------------------------------------------------------------------------

void learnt_free(Learnt *x)
{
    if (!x)
        return;
    g_free((gpointer)(uintptr_t)x->table.x);
    g_free((gpointer)(uintptr_t)x->table.label);
    g_array_unref(x->tree);
    g_free(x->choice);
    g_free(x);
}

static double x_of(const LearnPoint *point, double time_s)
{
    const double t = isnan(time_s) ? point->worst_s : time_s;
    return t == point->best_s ? 1 : t / point->best_s; // both may be 0, on one rank
}

// Returns the choice of a label, or of a whole collective if label is -1, whose mean x over these points is smallest.
// Points of other collectives do not count.
static guint best_choice(const LearnData *data, Collective collective, int label, const guint *rows, guint n)
{
    const guint first = data->first[collective];
    guint best = first;
    double least = INFINITY;
    for (guint c = first; c < first + data->n[collective]; c++) {
        double sum = 0;
        if (learn_choice(data, c)->same != c || (label >= 0 && learn_choice(data, c)->label != (guint)label))
            continue;
        for (guint i = 0; i < n; i++) {
            const LearnPoint *point = learn_point(data, rows[i]);
            if (point->collective == collective)
                sum += x_of(point, learn_time(data, point, c));
        }
        if (isinf(least) || (sum < least && !rounding_explains(sum, least, n))) {
            least = sum;
            best = c;
        }
    }
    return best;
}

// Finds what each leaf runs.
static void choose(Learnt *x, const guint *rows, guint n)
{
    g_autofree guint *mine = g_new(guint, n);
    x->choice = g_new0(guint, x->tree->len);
    for (guint at = 0; at < x->tree->len; at++) {
        const CartNode *leaf = cart_node(x->tree, at);
        guint k = 0;
        if (leaf->feature >= 0)
            continue;
        for (guint i = 0; i < n; i++)
            if (cart_leaf(x->tree, &x->table, learn_point(x->data, rows[i])->x) == at)
                mine[k++] = rows[i];
        x->choice[at] = best_choice(x->data, learn_label(x->data, leaf->label)->collective, (int)leaf->label, mine, k);
    }
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (x->data->n[c])
            x->single[c] = best_choice(x->data, (Collective)c, -1, rows, n);
}

Learnt *learn_grow(const LearnData *data, const CartLimits *limits, LearnFeature feature, gint64 left_out)
{
    static const CartKind kinds[N_LEARN_FEATURES] = {[FEATURE_OP] = CART_NAMED};
    const guint n = data->points->len;
    Learnt *x = g_new0(Learnt, 1);
    gint64 *values = g_new(gint64, (gsize)n * N_LEARN_FEATURES);
    guint *labels = g_new(guint, n), known = 0;
    g_autofree guint *rows = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        const LearnPoint *point = learn_point(data, i);
        memcpy(values + (gsize)i * N_LEARN_FEATURES, point->x, sizeof point->x);
        labels[i] = point->label;
        if (left_out < 0 || point->x[feature] != left_out)
            rows[known++] = i;
    }
    x->data = data;
    x->table = (CartTable){N_LEARN_FEATURES, data->labels->len, kinds, values, labels};
    x->tree = cart_grow(&x->table, rows, known, limits);
    choose(x, rows, known);
    return x;
}

guint learnt_choose(const Learnt *x, const LearnPoint *point)
{
    const guint choice = x->choice[cart_leaf(x->tree, &x->table, point->x)];
    return learn_choice(x->data, choice)->collective == point->collective ? choice : x->single[point->collective];
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

// Sums that become a score; `mean` holds the sum of log x meanwhile.
static void score_add(LearnScore *to, double x)
{
    if (isnan(x)) {
        to->unknown++;
        return;
    }
    to->best += x <= 1 || rounding_explains(x, 1, 0);
    to->mean += log(x);
    to->worst = fmax(to->worst, x);
}

static void test_add(LearnTest *to, const Learnt *grown, const LearnPoint *point)
{
    const guint choice = learnt_choose(grown, point), single = grown->single[point->collective];
    to->points++;
    to->hits += learn_choice(grown->data, choice)->label == point->label;
    score_add(&to->tree, x_of(point, learn_time(grown->data, point, choice)));
    score_add(&to->single, x_of(point, learn_time(grown->data, point, single)));
    score_add(&to->usual, isnan(point->default_s) ? NAN : x_of(point, point->default_s));
}

static void score_sum(LearnScore *to, const LearnScore *from)
{
    to->best += from->best;
    to->unknown += from->unknown;
    to->mean += from->mean;
    to->worst = fmax(to->worst, from->worst);
}

static void test_sum(LearnTest *to, const LearnTest *from)
{
    to->points += from->points;
    to->hits += from->hits;
    score_sum(&to->tree, &from->tree);
    score_sum(&to->single, &from->single);
    score_sum(&to->usual, &from->usual);
}

static void test_end(LearnTest *test)
{
    LearnScore *const scores[] = {&test->tree, &test->single, &test->usual};
    for (size_t i = 0; i < G_N_ELEMENTS(scores); i++) {
        const guint n = test->points - scores[i]->unknown;
        scores[i]->mean = n ? exp(scores[i]->mean / n) : NAN;
        scores[i]->worst = n ? scores[i]->worst : NAN;
    }
}

// Returns the values of a feature, rising, each once. Free with g_array_unref.
static GArray *values_of(const LearnData *data, LearnFeature feature)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < data->points->len; i++)
        g_array_append_val(values, learn_point(data, i)->x[feature]);
    return distinct_sort(values, distinct_by_number);
}

LearnTests *learn_tests(const Learnt *learnt, const CartLimits *limits, LearnFeature feature, GError **error)
{
    const LearnData *data = learnt->data;
    g_autoptr(GArray) values = values_of(data, feature);
    if (values->len < 2) {
        bad_input(error, "--leave-out %s: the grid has one value of it; allowed: two or more",
                  feature == FEATURE_LATENCY ? "platform" : learn_feature_names[feature]);
        return NULL;
    }
    LearnTests *tests = g_new0(LearnTests, 1);
    tests->feature = feature;
    tests->each = g_array_new(FALSE, FALSE, sizeof(LearnTest));
    tests->inner.left_out = tests->outer.left_out = tests->known.left_out = -1;
    for (guint k = 0; k < values->len; k++) {
        LearnTest test = {.left_out = g_array_index(values, gint64, k),
                          .extrapolated = feature != FEATURE_OP && (k == 0 || k + 1 == values->len)};
        g_autoptr(Learnt) grown = learn_grow(data, limits, feature, test.left_out);
        for (guint i = 0; i < data->points->len; i++)
            if (learn_point(data, i)->x[feature] == test.left_out)
                test_add(&test, grown, learn_point(data, i));
        test_sum(test.extrapolated ? &tests->outer : &tests->inner, &test);
        test_end(&test);
        g_array_append_val(tests->each, test);
    }
    for (guint i = 0; i < data->points->len; i++)
        test_add(&tests->known, learnt, learn_point(data, i));
    test_end(&tests->inner);
    test_end(&tests->outer);
    test_end(&tests->known);
    tests->outer.extrapolated = TRUE;
    return tests;
}

void learn_tests_free(LearnTests *tests)
{
    if (!tests)
        return;
    g_array_unref(tests->each);
    g_free(tests);
}
