#include "advice/learn/campaign.h"
#include "base/distinct.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

// ---- Scores ---------------------------------------------------------------------------------------------------------

static void add_choice(LearnScore *score, const LearnData *data, const LearnPoint *point, int choice)
{
    learn_score_add(score, choice < 0 ? NAN : learn_x(point, learn_time(data, point, (guint)choice)));
}

static void add_errors(GArray *to, const Corrected *by, const LearnPoint *point)
{
    for (guint c = 0; c < by->data->choices->len; c++) {
        const double error = fabs(corrected_time(by, point, c) / learn_time(by->data, point, c) - 1);
        if (!isnan(error))
            g_array_append_val(to, error);
    }
}

void campaign_score(const LearnData *data, const LearnLimits *limits, LearnFeature feature, const GArray *learnt,
                    const GArray *tested, CampaignTest *to, GArray *const *errors)
{
    const guint *const rows = (const guint *)(const void *)learnt->data;
    g_autoptr(Learnt) by = learnt->len ? learn_from(data, limits, feature, rows, learnt->len) : NULL;
    g_autoptr(Corrected) plain = corrected_new(data, rows, 0), corrected = corrected_new(data, rows, learnt->len);
    for (guint i = 0; i < tested->len; i++) {
        const LearnPoint *point = learn_point(data, g_array_index(tested, guint, i));
        LearnScore *const s = to->scores;
        to->points++;
        add_choice(&s[CAMPAIGN_TREE], data, point, by ? (int)learnt_choose(by, point) : -1);
        add_choice(&s[CAMPAIGN_NEAREST], data, point, by ? (int)learnt_nearest(by, point) : -1);
        add_choice(&s[CAMPAIGN_SINGLE], data, point, by ? (int)learnt_single(by, point) : -1);
        add_choice(&s[CAMPAIGN_SIMULATION], data, point, corrected_choose(plain, point));
        add_choice(&s[CAMPAIGN_CORRECTED], data, point, corrected_choose(corrected, point));
        learn_score_add(&s[CAMPAIGN_DEFAULT], isnan(point->default_s) ? NAN : learn_x(point, point->default_s));
        if (errors) {
            add_errors(errors[CAMPAIGN_SIMULATION], plain, point);
            add_errors(errors[CAMPAIGN_CORRECTED], corrected, point);
        }
    }
}

void campaign_test_sum(CampaignTest *to, const CampaignTest *from)
{
    to->points += from->points;
    for (int m = 0; m < N_CAMPAIGN_MODELS; m++)
        learn_score_sum(&to->scores[m], &from->scores[m]);
}

void campaign_test_end(CampaignTest *test)
{
    for (int m = 0; m < N_CAMPAIGN_MODELS; m++)
        learn_score_end(&test->scores[m], test->points);
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

// Returns the test of a value, which is added if it is new.
static CampaignTest *test_of(GArray *each, gint64 value)
{
    guint k = 0;
    while (k < each->len && g_array_index(each, CampaignTest, k).value < value)
        k++;
    if (k == each->len || g_array_index(each, CampaignTest, k).value != value)
        g_array_insert_val(each, k, ((CampaignTest){.value = value}));
    return &g_array_index(each, CampaignTest, k);
}

// Divides the points of a question. Without two sets and without a bound, those with this value are tested.
static void divide(const Campaign *x, const LearnData *data, const CampaignSplit *split, gint64 value, GArray *learnt,
                   GArray *tested)
{
    g_array_set_size(learnt, 0);
    g_array_set_size(tested, 0);
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *point = learn_point(data, i);
        const gboolean test = x->tested      ? point->set > 0
                              : split->above ? point->p > split->above
                                             : point->x[split->feature] == value;
        g_array_append_val(test ? tested : learnt, i);
    }
}

// Adds the test of one division of a question's points, by the value of the feature at those that are tested.
static gboolean test_question(const Campaign *x, const LearnData *data, const LearnLimits *limits,
                              const CampaignSplit *split, gint64 value, CampaignTests *tests, CampaignTest *question)
{
    g_autoptr(GArray) learnt = g_array_new(FALSE, FALSE, sizeof(guint)),
                      tested = g_array_new(FALSE, FALSE, sizeof(guint)), one = g_array_new(FALSE, FALSE, sizeof(guint));
    divide(x, data, split, value, learnt, tested);
    if (!learnt->len || !tested->len)
        return FALSE;
    g_autoptr(GArray) values =
        learn_values(data, (const guint *)(const void *)tested->data, tested->len, split->feature);
    for (guint v = 0; v < values->len; v++) {
        CampaignTest test = {0};
        g_array_set_size(one, 0);
        for (guint i = 0; i < tested->len; i++) {
            const guint row = g_array_index(tested, guint, i);
            if (learn_point(data, row)->x[split->feature] == g_array_index(values, gint64, v))
                g_array_append_val(one, row);
        }
        campaign_score(data, limits, split->feature, learnt, one, &test, tests->errors);
        campaign_test_sum(test_of(tests->each, g_array_index(values, gint64, v)), &test);
        campaign_test_sum(question, &test);
        campaign_test_sum(&tests->all, &test);
    }
    return TRUE;
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns the values of the feature that are left out in turn; one that nobody asks about, if points are divided otherwise.
static GArray *values_left_out(const Campaign *x, const LearnData *data, const CampaignSplit *split)
{
    g_autofree guint *rows = g_new(guint, data->points->len);
    for (guint i = 0; i < data->points->len; i++)
        rows[i] = i;
    GArray *values = learn_values(data, rows, data->points->len, split->feature);
    if (x->tested || split->above)
        g_array_set_size(values, 1);
    return values;
}

CampaignTests *campaign_tests(const Campaign *x, const LearnLimits *limits, const CampaignSplit *split, GError **error)
{
    g_autoptr(CampaignTests) tests = g_new0(CampaignTests, 1);
    tests->feature = split->feature;
    tests->each = g_array_new(FALSE, FALSE, sizeof(CampaignTest));
    tests->questions = g_array_new(FALSE, FALSE, sizeof(CampaignTest));
    tests->errors[CAMPAIGN_SIMULATION] = g_array_new(FALSE, FALSE, sizeof(double));
    tests->errors[CAMPAIGN_CORRECTED] = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint q = 0; q < x->questions->len; q++) {
        const LearnData *data = ((const CampaignQuestion *)x->questions->pdata[q])->data;
        g_autoptr(GArray) values = values_left_out(x, data, split);
        CampaignTest question = {0};
        gboolean learnt = FALSE;
        for (guint v = 0; v < values->len; v++)
            learnt |= test_question(x, data, limits, split, g_array_index(values, gint64, v), tests, &question);
        tests->unlearnt += !learnt;
        campaign_test_end(&question);
        g_array_append_val(tests->questions, question);
    }
    for (guint k = 0; k < tests->each->len; k++)
        campaign_test_end(&g_array_index(tests->each, CampaignTest, k));
    for (int m = 0; m < N_CAMPAIGN_MODELS; m++)
        if (tests->errors[m])
            g_array_sort(tests->errors[m], by_size);
    if (tests->all.points) {
        campaign_test_end(&tests->all);
        return g_steal_pointer(&tests);
    }
    if (x->tested)
        bad_input(error, "--test: no collective of the files was learnt; allowed: files with the same collectives");
    else if (split->above)
        bad_input(error,
                  "--leave-out 'p>%d': no collective was measured on fewer and on more ranks; allowed: a number "
                  "between those of the files",
                  split->above);
    else
        bad_input(error, "--leave-out %s: the rows of each collective have one value of it; allowed: two or more",
                  learn_feature_names[split->feature]);
    return NULL;
}

void campaign_tests_free(CampaignTests *tests)
{
    if (!tests)
        return;
    g_array_unref(tests->each);
    g_array_unref(tests->questions);
    for (int m = 0; m < N_CAMPAIGN_MODELS; m++)
        if (tests->errors[m])
            g_array_unref(tests->errors[m]);
    g_free(tests);
}

// ---- Noise ----------------------------------------------------------------------------------------------------------

static gboolean same_place(const LearnPoint *a, const LearnPoint *b)
{
    return memcmp(a->x, b->x, sizeof a->x) == 0 && a->set == b->set;
}

CampaignNoise campaign_noise(const Campaign *x)
{
    LearnScore sum = {0};
    guint pairs = 0;
    for (guint q = 0; q < x->questions->len; q++) {
        const LearnData *data = ((const CampaignQuestion *)x->questions->pdata[q])->data;
        for (guint i = 0; i < data->points->len; i++)
            for (guint k = 0; k < data->points->len; k++) {
                const LearnPoint *here = learn_point(data, i), *other = learn_point(data, k);
                const double time_s = learn_time(data, here, other->best);
                if (i == k || !same_place(here, other) || isnan(time_s))
                    continue;
                learn_score_add(&sum, learn_x(here, time_s));
                pairs++;
            }
    }
    learn_score_end(&sum, pairs);
    return (CampaignNoise){pairs, sum.mean};
}
