#include "advice/learn/learn.h"
#include "advice/learn/learn_terms.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/rounding.h"
#include <math.h>
#include <string.h>

// ---- Costs ----------------------------------------------------------------------------------------------------------

enum { NEVER = 64 * LEARN_UNIT }; // what a choice of another collective costs: more than any that can run

double learn_x(const LearnPoint *point, double time_s)
{
    const double t = isnan(time_s) ? point->worst_s : time_s;
    return t == point->best_s ? 1 : t / point->best_s; // both may be 0, on one rank
}

// Returns what a time costs at a point; 0 if only rounding makes it longer than the best one.
static guint32 cost_of(const LearnPoint *point, double time_s)
{
    const double x = learn_x(point, time_s);
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
    g_free(x->sums);
    g_free(x->rows);
    g_free(x);
}

// Returns TRUE if a choice can be made at a point.
static gboolean is_open(const Learnt *x, const LearnPoint *point, guint choice)
{
    return !x->data->measured || !isnan(learn_time(x->data, point, choice));
}

// Returns the choice of a collective that costs least, by choice; of those that can be made at a point if it is not NULL.
static guint cheapest(const Learnt *x, Collective collective, const guint64 *cost, const LearnPoint *point)
{
    const guint first = x->data->first[collective];
    guint best = first;
    guint64 least = G_MAXUINT64;
    for (guint c = first; c < first + x->data->n[collective]; c++)
        if (cost[c] < least && (!point || is_open(x, point, c))) {
            least = cost[c];
            best = c;
        }
    return best;
}

// Adds what each choice costs at a point.
static void add_costs(const Learnt *x, guint row, guint64 *sums)
{
    const Collective collective = learn_point(x->data, row)->collective;
    const guint first = x->data->first[collective];
    for (guint c = first; c < first + x->data->n[collective]; c++)
        sums[c] += costs_of(x, row)[c];
}

static void find_singles(Learnt *x)
{
    x->sums = g_new0(guint64, x->data->choices->len);
    for (guint i = 0; i < x->n; i++)
        add_costs(x, x->rows[i], x->sums);
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (x->data->n[c])
            x->single[c] = cheapest(x, (Collective)c, x->sums, NULL);
}

// Makes a table of all points.
static Learnt *make_table(const LearnData *data, const guint *rows, guint taken)
{
    static const CartKind kinds[N_LEARN_FEATURES] = {[FEATURE_OP] = CART_NAMED};
    const guint n = data->points->len, choices = data->choices->len;
    Learnt *x = g_new0(Learnt, 1);
    gint64 *values = g_new(gint64, (gsize)n * N_LEARN_FEATURES);
    guint32 *cost = g_new(guint32, (gsize)n * choices);
    for (guint i = 0; i < n; i++) {
        const LearnPoint *point = learn_point(data, i);
        memcpy(values + (gsize)i * N_LEARN_FEATURES, point->x, N_LEARN_FEATURES * sizeof *values);
        fill_costs(data, point, cost + (gsize)i * choices);
    }
    x->rows = g_memdup2(rows, taken * sizeof *rows);
    x->n = taken;
    x->data = data;
    x->table = (CartTable){N_LEARN_FEATURES, choices, kinds, values, cost};
    return x;
}

GArray *learn_values(const LearnData *data, const guint *rows, guint n, LearnFeature feature)
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
    g_autoptr(GArray) values = learn_values(x->data, x->rows, x->n, feature);
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

Learnt *learn_from(const LearnData *data, const LearnLimits *limits, LearnFeature feature, const guint *rows, guint n)
{
    Learnt *x = make_table(data, rows, n);
    CartLimits cart = limits->cart;
    cart.saved = x->saved = limits->choose ? choose_saved(x, limits, feature) : limits->cart.saved;
    x->tree = cart_grow(&x->table, x->rows, x->n, &cart);
    find_singles(x);
    return x;
}

Learnt *learn_grow(const LearnData *data, const LearnLimits *limits, LearnFeature feature, gint64 left_out)
{
    g_autofree guint *rows = g_new(guint, data->points->len);
    guint n = 0;
    for (guint i = 0; i < data->points->len; i++)
        if (left_out < 0 || learn_point(data, i)->x[feature] != left_out)
            rows[n++] = i;
    return learn_from(data, limits, feature, rows, n);
}

guint learnt_choose(const Learnt *x, const LearnPoint *point)
{
    const guint leaf = cart_leaf(x->tree, &x->table, point->x), choice = cart_node(x->tree, leaf)->choice;
    if (learn_choice(x->data, choice)->collective != point->collective)
        return learnt_single(x, point);
    if (is_open(x, point, choice))
        return choice;
    g_autofree guint64 *cost = g_new0(guint64, x->table.choices);
    for (guint i = 0; i < x->n; i++)
        if (cart_leaf(x->tree, &x->table, learn_point(x->data, x->rows[i])->x) == leaf)
            add_costs(x, x->rows[i], cost);
    return cheapest(x, point->collective, cost, point);
}

guint learnt_single(const Learnt *x, const LearnPoint *point)
{
    return x->data->measured ? cheapest(x, point->collective, x->sums, point) : x->single[point->collective];
}

double learn_distance(const LearnPoint *a, const LearnPoint *b)
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
        const double d = learn_distance(point, other);
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
    guint best = learnt_single(x, point);
    double least = INFINITY;
    for (guint c = first; c < end && found > 0; c++) {
        double sum = 0;
        if (!is_open(x, point, c))
            continue;
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

void learn_score_add(LearnScore *to, double x)
{
    if (isnan(x)) {
        to->unknown++;
        return;
    }
    to->best += x <= 1 || rounding_explains(x, 1, 0);
    to->mean += log(x);
    to->worst = fmax(to->worst, x);
}

// Returns the time of a choice at a point, divided by that of the best choice with the same label; NAN if it cannot run.
static double params_x(const LearnData *data, const LearnPoint *point, guint choice)
{
    const guint first = data->first[point->collective], end = first + data->n[point->collective];
    double best_s = INFINITY;
    for (guint c = first; c < end; c++)
        if (learn_choice(data, c)->label == learn_choice(data, choice)->label)
            best_s = fmin(best_s, learn_time(data, point, c)); // without those that are NAN
    return learn_time(data, point, choice) / best_s;
}

static void test_add(LearnTest *to, const Learnt *grown, const LearnPoint *point)
{
    const LearnData *data = grown->data;
    to->points++;
    learn_score_add(&to->params, params_x(data, point, learnt_choose(grown, point)));
    learn_score_add(&to->tree, learn_x(point, learn_time(data, point, learnt_choose(grown, point))));
    learn_score_add(&to->nearest, learn_x(point, learn_time(data, point, learnt_nearest(grown, point))));
    learn_score_add(&to->single, learn_x(point, learn_time(data, point, grown->single[point->collective])));
    learn_score_add(&to->usual, isnan(point->default_s) ? NAN : learn_x(point, point->default_s));
}

void learn_score_sum(LearnScore *to, const LearnScore *from)
{
    to->best += from->best;
    to->unknown += from->unknown;
    to->mean += from->mean;
    to->worst = fmax(to->worst, from->worst);
}

static void test_sum(LearnTest *to, const LearnTest *from)
{
    to->points += from->points;
    learn_score_sum(&to->tree, &from->tree);
    learn_score_sum(&to->nearest, &from->nearest);
    learn_score_sum(&to->single, &from->single);
    learn_score_sum(&to->usual, &from->usual);
    learn_score_sum(&to->params, &from->params);
}

void learn_score_end(LearnScore *score, guint points)
{
    const guint n = points - score->unknown;
    score->mean = n ? exp(score->mean / n) : NAN;
    score->worst = n ? score->worst : NAN;
}

static void test_end(LearnTest *test)
{
    LearnScore *const scores[] = {&test->tree, &test->nearest, &test->single, &test->usual, &test->params};
    for (size_t i = 0; i < G_N_ELEMENTS(scores); i++)
        learn_score_end(scores[i], test->points);
}

static void end_errors(LearnTest *test, GArray *errors)
{
    test->median_error = learn_terms_quantile(errors, 0.5);
    test->p90_error = learn_terms_quantile(errors, 0.9);
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
    g_autoptr(GArray) values = learn_values(data, learnt->rows, learnt->n, feature);
    if (values->len < 2) {
        bad_input(error, "--leave-out %s: the grid has one value of it; allowed: two or more",
                  feature == FEATURE_LATENCY ? "platform" : learn_feature_names[feature]);
        return NULL;
    }
    g_autoptr(GArray) inner = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) outer = g_array_new(FALSE, FALSE, sizeof(double));
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
        g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
        learn_terms_errors(data, feature, test.left_out, errors);
        end_errors(&test, errors);
        g_array_append_vals(test.extrapolated ? outer : inner, errors->data, errors->len);
        test_sum(test.extrapolated ? &tests->outer : &tests->inner, &test);
        test_end(&test);
        g_array_append_val(tests->each, test);
    }
    for (guint i = 0; i < data->points->len; i++)
        test_add(&tests->known, learnt, learn_point(data, i));
    test_end(&tests->inner);
    test_end(&tests->outer);
    test_end(&tests->known);
    end_errors(&tests->inner, inner);
    end_errors(&tests->outer, outer);
    tests->known.median_error = tests->known.p90_error = NAN;
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
