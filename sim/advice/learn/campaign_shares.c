#include "advice/learn/campaign.h"
#include "base/parallel.h"
#include <math.h>

const char *const campaign_order_names[] = {[CAMPAIGN_RANDOM] = "random", [CAMPAIGN_SPREAD] = "spread"};
static const double shares[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};

// ---- Orders ---------------------------------------------------------------------------------------------------------

static void swap(guint *order, guint i, guint k)
{
    const guint kept = order[i];
    order[i] = order[k];
    order[k] = kept;
}

// Puts what is farthest from all that come before it next, from the second one on. Of several the first is taken.
static void spread(const LearnData *data, guint *order, guint n)
{
    g_autofree double *far = g_new(double, n);
    for (guint i = 0; i < n; i++)
        far[i] = INFINITY;
    for (guint next = 1; next < n; next++) {
        guint best = next;
        for (guint i = next; i < n; i++) {
            far[i] = fmin(far[i], learn_distance(learn_point(data, order[next - 1]), learn_point(data, order[i])));
            best = far[i] > far[best] ? i : best;
        }
        const double kept = far[next];
        swap(order, next, best);
        far[next] = far[best];
        far[best] = kept;
    }
}

void campaign_order(const LearnData *data, CampaignOrder kind, guint32 seed, guint *order, guint n)
{
    GRand *random = g_rand_new_with_seed(seed);
    for (guint i = n; i-- > 1;)
        swap(order, i, (guint)g_rand_int_range(random, 0, (gint32)i + 1));
    g_rand_free(random);
    if (kind == CAMPAIGN_SPREAD)
        spread(data, order, n);
}

// ---- Shares ---------------------------------------------------------------------------------------------------------

// One order of a question's points.
typedef struct ShareJob {
    const LearnData *data;
    const LearnLimits *limits;
    LearnFeature feature;
    CampaignOrder order;
    guint32 seed;
    guint learnt[G_N_ELEMENTS(shares)];
    CampaignTest tests[G_N_ELEMENTS(shares)];
} ShareJob;

static gboolean test_shares(gpointer data, gpointer user, GError **error)
{
    ShareJob *job = data;
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint)), others = NULL;
    (void)user;
    (void)error;
    for (guint i = 0; i < job->data->points->len; i++)
        if (learn_point(job->data, i)->set == 0)
            g_array_append_val(order, i);
    const guint n = order->len;
    others = g_array_sized_new(FALSE, FALSE, sizeof(guint), n);
    campaign_order(job->data, job->order, job->seed, (guint *)(void *)order->data, n);
    for (guint k = G_N_ELEMENTS(shares); n && k-- > 0;) { // ever fewer, so that those before need not be kept
        const guint learnt = shares[k] > 0 ? (guint)fmax(1, round(shares[k] * n)) : 0;
        for (guint i = order->len; i-- > learnt;)
            g_array_append_val(others, g_array_index(order, guint, i));
        g_array_set_size(order, learnt);
        job->learnt[k] = learnt;
        campaign_score(job->data, job->limits, job->feature, order, others, &job->tests[k], NULL);
    }
    return TRUE;
}

GArray *campaign_shares(const Campaign *x, const LearnLimits *limits, LearnFeature feature, guint seeds)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(CampaignShare));
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    for (guint q = 0; q < x->questions->len; q++)
        for (guint i = 0; i < seeds * N_CAMPAIGN_ORDERS; i++) {
            ShareJob *job = g_new0(ShareJob, 1);
            *job = (ShareJob){.data = ((const CampaignQuestion *)x->questions->pdata[q])->data,
                              .limits = limits,
                              .feature = feature,
                              .order = i / seeds,
                              .seed = i % seeds};
            g_ptr_array_add(jobs, job);
        }
    const ParallelWork work = {.run = test_shares, .what = "orders of points"};
    parallel_run(jobs, &work, NULL);
    for (guint i = 0; i < N_CAMPAIGN_ORDERS * G_N_ELEMENTS(shares); i++) {
        CampaignShare sum = {.order = i / G_N_ELEMENTS(shares), .share = shares[i % G_N_ELEMENTS(shares)]};
        for (guint j = 0; j < jobs->len; j++) {
            const ShareJob *job = jobs->pdata[j];
            if (job->order != sum.order)
                continue;
            campaign_test_sum(&sum.test, &job->tests[i % G_N_ELEMENTS(shares)]);
            sum.learnt += job->seed == 0 ? job->learnt[i % G_N_ELEMENTS(shares)] : 0;
        }
        campaign_test_end(&sum.test);
        g_array_append_val(all, sum);
    }
    return all;
}

// ---- Few algorithms -------------------------------------------------------------------------------------------------

// Returns the choice with the smallest prediction of those that are not `taken`; -1 if none is left.
static int fastest_predicted(const LearnData *data, const LearnPoint *point, const gboolean *taken)
{
    int best = -1;
    for (guint c = 0; c < data->choices->len; c++)
        if (!taken[c] && !isnan(point->time_s[c]) && !isnan(point->predicted_s[c]) &&
            (best < 0 || point->predicted_s[c] < point->predicted_s[best]))
            best = (int)c;
    return best;
}

// Adds a point to the values of 1, 2 .. algorithms; `times` has the sums of their times. Returns FALSE without a prediction.
static gboolean add_few(const LearnData *data, const LearnPoint *point, CampaignFew *few)
{
    g_autofree gboolean *taken = g_new0(gboolean, data->choices->len);
    double best = INFINITY, time_s = 0;
    for (guint k = 0; k < CAMPAIGN_MOST_FEW; k++) {
        const int choice = fastest_predicted(data, point, taken);
        if (choice < 0 && k == 0)
            return FALSE;
        if (choice >= 0) {
            taken[choice] = TRUE;
            best = fmin(best, point->time_s[choice]);
            time_s += point->time_s[choice];
        }
        learn_score_add(&few[k].score, learn_x(point, best));
        few[k].time_share += time_s;
    }
    return TRUE;
}

guint campaign_few(const Campaign *x, CampaignFew few[CAMPAIGN_MOST_FEW])
{
    double all_s = 0;
    guint points = 0;
    for (guint k = 0; k < CAMPAIGN_MOST_FEW; k++)
        few[k] = (CampaignFew){.few = k + 1};
    for (guint q = 0; q < x->questions->len; q++) {
        const LearnData *data = ((const CampaignQuestion *)x->questions->pdata[q])->data;
        for (guint i = 0; i < data->points->len; i++) {
            const LearnPoint *point = learn_point(data, i);
            if (point->set > 0 || !add_few(data, point, few))
                continue;
            points++;
            for (guint c = 0; c < data->choices->len; c++)
                all_s += isnan(point->time_s[c]) ? 0 : point->time_s[c];
        }
    }
    for (guint k = 0; k < CAMPAIGN_MOST_FEW; k++) {
        learn_score_end(&few[k].score, points);
        few[k].time_share /= all_s;
    }
    return points;
}
