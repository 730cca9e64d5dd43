#include "advice/learn/learn.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/rounding.h"
#include <math.h>
#include <string.h>

// ---- Costs ----------------------------------------------------------------------------------------------------------

enum { NEVER = 64 * LEARN_UNIT }; // what a choice of another collective costs: more than any that can run

static double x_of(const LearnPoint *point, double time_s)
{
    const double t = isnan(time_s) ? point->worst_s : time_s;
    return t == point->best_s ? 1 : t / point->best_s; // both may be 0, on one rank
}

// Returns what a time costs at a point; 0 if only rounding makes it longer than the best one.
static guint32 cost_of(const LearnPoint *point, double time_s)
{
    const double x = x_of(point, time_s);
    return x <= 1 || rounding_explains(x, 1, 0) ? 0 : (guint32)fmin(NEVER - 1, round(log2(x) * LEARN_UNIT));
}

// Fills in what each choice costs at a point.
static void fill_costs(const LearnData *data, const LearnPoint *point, guint32 *cost)
{
    const guint first = data->first[point->collective], n = data->n[point->collective];
    for (guint c = 0; c < data->choices->len; c++)
        cost[c] = c >= first && c < first + n ? cost_of(point, learn_time(data, point, c)) : NEVER;
}

static const guint32 *costs_of(const Learnt *x, guint row)
{
    return x->table.cost + (gsize)row * x->table.choices;
}

// ---- Learning -------------------------------------------------------------------------------------------------------

void learnt_free(Learnt *x)
{
    if (!x)
        return;
    g_free((gpointer)(uintptr_t)x->table.x);
    g_free((gpointer)(uintptr_t)x->table.cost);
    g_array_unref(x->tree);
    g_free(x->rows);
    g_free(x);
}

// Returns the choice of a collective that costs least over all points that were learnt from.
static guint best_single(const Learnt *x, Collective collective)
{
    const guint first = x->data->first[collective];
    guint best = first;
    guint64 least = G_MAXUINT64;
    for (guint c = first; c < first + x->data->n[collective]; c++) {
        guint64 sum = 0;
        for (guint i = 0; i < x->n; i++)
            if (learn_point(x->data, x->rows[i])->collective == collective)
                sum += costs_of(x, x->rows[i])[c];
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    return best;
}

// Makes a table of all points, and chooses those to learn from.
static Learnt *take_points(const LearnData *data, LearnFeature feature, gint64 left_out)
{
    static const CartKind kinds[N_LEARN_FEATURES] = {[FEATURE_OP] = CART_NAMED};
    const guint n = data->points->len, choices = data->choices->len;
    Learnt *x = g_new0(Learnt, 1);
    gint64 *values = g_new(gint64, (gsize)n * N_LEARN_FEATURES);
    guint32 *cost = g_new(guint32, (gsize)n * choices);
    x->rows = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        const LearnPoint *point = learn_point(data, i);
        memcpy(values + (gsize)i * N_LEARN_FEATURES, point->x, sizeof point->x);
        fill_costs(data, point, cost + (gsize)i * choices);
        if (left_out < 0 || point->x[feature] != left_out)
            x->rows[x->n++] = i;
    }
    x->data = data;
    x->table = (CartTable){N_LEARN_FEATURES, choices, kinds, values, cost};
    return x;
}

// Returns the values of a feature, rising, each once, at the points that were learnt from. Free with g_array_unref.
static GArray *values_of(const LearnData *data, const guint *rows, guint n, LearnFeature feature)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < n; i++)
        g_array_append_val(values, learn_point(data, rows[i])->x[feature]);
    return distinct_sort(values, distinct_by_number);
}

// Returns how much a leaf has to save, as LearnLimits has it.
static guint64 choose_saved(const Learnt *x, const LearnLimits *limits, LearnFeature feature)
{
    // From a fiftieth of a doubling to three doublings.
    static const guint64 tried[] = {LEARN_UNIT / 50, LEARN_UNIT / 20, LEARN_UNIT / 10, LEARN_UNIT / 5,
                                    LEARN_UNIT / 2,  LEARN_UNIT,      2 * LEARN_UNIT,  3 * LEARN_UNIT};
    guint64 cost[G_N_ELEMENTS(tried)] = {0};
    g_autoptr(GArray) values = values_of(x->data, x->rows, x->n, feature);
    g_autofree guint *others = g_new(guint, x->n);
    CartLimits whole = limits->cart;
    whole.saved = 0;
    for (guint v = 0; v < values->len && values->len > 1; v++) {
        const gint64 left_out = g_array_index(values, gint64, v);
        guint n = 0;
        for (guint i = 0; i < x->n; i++)
            if (learn_point(x->data, x->rows[i])->x[feature] != left_out)
                others[n++] = x->rows[i];
        g_autoptr(GArray) tree = cart_grow(&x->table, others, n, &whole);
        for (guint k = 0; k < G_N_ELEMENTS(tried); k++) {
            g_autoptr(GArray) pruned = cart_pruned(tree, tried[k]);
            for (guint i = 0; i < x->n; i++) {
                const LearnPoint *point = learn_point(x->data, x->rows[i]);
                if (point->x[feature] == left_out)
                    cost[k] +=
                        costs_of(x, x->rows[i])[cart_node(pruned, cart_leaf(pruned, &x->table, point->x))->choice];
            }
        }
    }
    guint best = 0;
    for (guint k = 1; k < G_N_ELEMENTS(tried); k++)
        best = cost[k] <= cost[best] ? k : best;
    return values->len > 1 ? tried[best] : LEARN_UNIT / 10;
}

Learnt *learn_grow(const LearnData *data, const LearnLimits *limits, LearnFeature feature, gint64 left_out)
{
    Learnt *x = take_points(data, feature, left_out);
    CartLimits cart = limits->cart;
    cart.saved = x->saved = limits->choose ? choose_saved(x, limits, feature) : limits->cart.saved;
    x->tree = cart_grow(&x->table, x->rows, x->n, &cart);
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (data->n[c])
            x->single[c] = best_single(x, (Collective)c);
    return x;
}

guint learnt_choose(const Learnt *x, const LearnPoint *point)
{
    const guint choice = cart_node(x->tree, cart_leaf(x->tree, &x->table, point->x))->choice;
    return learn_choice(x->data, choice)->collective == point->collective ? choice : x->single[point->collective];
}

// Returns how far two points are from each other in the logarithms of their features. A feature that is 0 counts as 1.
static double distance(const LearnPoint *a, const LearnPoint *b)
{
    double sum = 0;
    for (int k = FEATURE_P; k < N_LEARN_FEATURES; k++) {
        const double apart = log2((double)MAX(a->x[k], 1)) - log2((double)MAX(b->x[k], 1));
        sum += apart * apart;
    }
    return sqrt(sum);
}

guint learnt_nearest(const Learnt *x, const LearnPoint *point)
{
    enum { NEAREST = 3 };
    const guint first = x->data->first[point->collective], end = first + x->data->n[point->collective];
    guint row[NEAREST], found = 0;
    double far[NEAREST];
    for (guint i = 0; i < x->n; i++) {
        const LearnPoint *other = learn_point(x->data, x->rows[i]);
        const double d = distance(point, other);
        if (other->collective != point->collective || (found == NEAREST && d >= far[NEAREST - 1]))
            continue;
        guint at = found < NEAREST ? found++ : NEAREST - 1;
        for (; at > 0 && far[at - 1] > d; at--) {
            far[at] = far[at - 1];
            row[at] = row[at - 1];
        }
        far[at] = d;
        row[at] = x->rows[i];
    }
    guint best = x->single[point->collective];
    double least = INFINITY;
    for (guint c = first; c < end && found > 0; c++) {
        double sum = 0;
        for (guint k = 0; k < found; k++)
            sum += costs_of(x, row[k])[c] / (far[k] + 0.5);
        if (isinf(least) || (sum < least && !rounding_explains(sum, least, found))) {
            least = sum;
            best = c;
        }
    }
    return best;
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
    const LearnData *data = grown->data;
    to->points++;
    score_add(&to->tree, x_of(point, learn_time(data, point, learnt_choose(grown, point))));
    score_add(&to->nearest, x_of(point, learn_time(data, point, learnt_nearest(grown, point))));
    score_add(&to->single, x_of(point, learn_time(data, point, grown->single[point->collective])));
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
    score_sum(&to->tree, &from->tree);
    score_sum(&to->nearest, &from->nearest);
    score_sum(&to->single, &from->single);
    score_sum(&to->usual, &from->usual);
}

static void test_end(LearnTest *test)
{
    LearnScore *const scores[] = {&test->tree, &test->nearest, &test->single, &test->usual};
    for (size_t i = 0; i < G_N_ELEMENTS(scores); i++) {
        const guint n = test->points - scores[i]->unknown;
        scores[i]->mean = n ? exp(scores[i]->mean / n) : NAN;
        scores[i]->worst = n ? scores[i]->worst : NAN;
    }
}

// Counts a point that was left out, if what the tree chooses there is slower than the best.
static void count_mistake(GArray *mistakes, const Learnt *grown, const LearnPoint *point)
{
    const guint choice = learnt_choose(grown, point), chosen = learn_choice(grown->data, choice)->label;
    const guint32 cost = cost_of(point, learn_time(grown->data, point, choice));
    guint k = 0;
    if (cost == 0)
        return;
    while (k < mistakes->len && (g_array_index(mistakes, LearnMistake, k).best != point->label ||
                                 g_array_index(mistakes, LearnMistake, k).chosen != chosen))
        k++;
    if (k == mistakes->len)
        g_array_append_val(mistakes, ((LearnMistake){point->label, chosen, 0, 0}));
    LearnMistake *const m = &g_array_index(mistakes, LearnMistake, k);
    m->points++;
    m->mean += cost; // the sum, until mistakes_end
}

static gint by_cost(gconstpointer a, gconstpointer b)
{
    const LearnMistake *x = a, *y = b;
    return x->mean != y->mean   ? (x->mean < y->mean) - (x->mean > y->mean)
           : x->best != y->best ? (x->best > y->best) - (x->best < y->best)
                                : (x->chosen > y->chosen) - (x->chosen < y->chosen);
}

static void mistakes_end(GArray *mistakes)
{
    g_array_sort(mistakes, by_cost);
    for (guint k = 0; k < mistakes->len; k++) {
        LearnMistake *const m = &g_array_index(mistakes, LearnMistake, k);
        m->mean = exp2(m->mean / m->points / LEARN_UNIT);
    }
}

LearnTests *learn_tests(const Learnt *learnt, const LearnLimits *limits, LearnFeature feature, GError **error)
{
    const LearnData *data = learnt->data;
    g_autoptr(GArray) values = values_of(data, learnt->rows, learnt->n, feature);
    if (values->len < 2) {
        bad_input(error, "--leave-out %s: the grid has one value of it; allowed: two or more",
                  feature == FEATURE_LATENCY ? "platform" : learn_feature_names[feature]);
        return NULL;
    }
    LearnTests *tests = g_new0(LearnTests, 1);
    tests->feature = feature;
    tests->each = g_array_new(FALSE, FALSE, sizeof(LearnTest));
    tests->mistakes = g_array_new(FALSE, FALSE, sizeof(LearnMistake));
    tests->inner.left_out = tests->outer.left_out = tests->known.left_out = -1;
    for (guint k = 0; k < values->len; k++) {
        LearnTest test = {.left_out = g_array_index(values, gint64, k),
                          .extrapolated = feature != FEATURE_OP && (k == 0 || k + 1 == values->len)};
        g_autoptr(Learnt) grown = learn_grow(data, limits, feature, test.left_out);
        for (guint i = 0; i < data->points->len; i++)
            if (learn_point(data, i)->x[feature] == test.left_out) {
                test_add(&test, grown, learn_point(data, i));
                count_mistake(tests->mistakes, grown, learn_point(data, i));
            }
        test_sum(test.extrapolated ? &tests->outer : &tests->inner, &test);
        test_end(&test);
        g_array_append_val(tests->each, test);
    }
    for (guint i = 0; i < data->points->len; i++)
        test_add(&tests->known, learnt, learn_point(data, i));
    test_end(&tests->inner);
    test_end(&tests->outer);
    test_end(&tests->known);
    mistakes_end(tests->mistakes);
    tests->outer.extrapolated = TRUE;
    return tests;
}

void learn_tests_free(LearnTests *tests)
{
    if (!tests)
        return;
    g_array_unref(tests->each);
    g_array_unref(tests->mistakes);
    g_free(tests);
}
