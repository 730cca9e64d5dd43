// Draws what measuring a share of the points is worth, `learn --from --share`: the loss at the others, for each model.
#include "answer/advice/campaign_answer.h"
#include "figure/chart.h"
#include <math.h>

// Returns the smallest x of a share, of the models that measure (if `corrected` is not set), or of corrected simulation.
static double least_x(const CampaignShare *share, gboolean corrected)
{
    const LearnScore *s = share->test.scores;
    return corrected ? s[CAMPAIGN_CORRECTED].mean
                     : fmin(s[CAMPAIGN_TREE].mean, fmin(s[CAMPAIGN_NEAREST].mean, s[CAMPAIGN_SINGLE].mean));
}

// The answer: up to which share of measured points, in random order, corrected simulation chooses better than what only
// measures. Free with g_free.
static char *title_of(const CampaignAnswer *x)
{
    double first = NAN, last = NAN;
    for (guint i = 0; i < x->shares->len; i++) {
        const CampaignShare *share = &g_array_index(x->shares, CampaignShare, i);
        if (share->order != CAMPAIGN_RANDOM || share->share <= 0 || isnan(least_x(share, FALSE)))
            continue;
        if (least_x(share, TRUE) < least_x(share, FALSE))
            last = share->share;
        else
            first = isnan(first) ? share->share : first;
    }
    if (!x->measured->predicted)
        return g_strdup("What is lost where nothing was measured");
    if (isnan(last))
        return g_strdup("Simulation saves no measurements here");
    return isnan(first) || first > last
               ? g_strdup_printf("Simulation with measurements chooses best up to %.0f %% of the points", 100 * last)
               : g_strdup_printf(
                     "Simulation with measurements chooses best up to %.0f %% of the points, but not at all "
                     "of these shares",
                     100 * last);
}

Canvas *campaign_canvas(const CampaignAnswer *x, const PictureAsk *ask)
{
    static const int drawn[] = {CAMPAIGN_SIMULATION, CAMPAIGN_CORRECTED, CAMPAIGN_NEAREST, CAMPAIGN_TREE,
                                CAMPAIGN_SINGLE};
    g_autofree char *title = title_of(x),
                    *note = g_strdup_printf("%s; loss: measured time of what is chosen / that of the best - 1, "
                                            "geometric mean over the points that are not measured and %u orders",
                                            x->from, x->seeds);
    g_autoptr(Chart) chart = chart_new(&(ChartHead){.title = title,
                                                    .note = note,
                                                    .x = CHART_NUMBER,
                                                    .x_name = "points measured (%)",
                                                    .y = CHART_NUMBER,
                                                    .y_name = "loss (%)"});
    chart_panel(chart, "points at random", "");
    chart_panel(chart, "points spread in p and m", "");
    for (guint m = 0; m < G_N_ELEMENTS(drawn); m++) {
        CanvasLook look = chart_look(m);
        look.width = 1.8;
        look.dash = 1;
        const guint series = chart_series(chart, campaign_model_names[drawn[m]], look);
        for (guint i = 0; i < x->shares->len; i++) {
            const CampaignShare *share = &g_array_index(x->shares, CampaignShare, i);
            const double mean = share->test.scores[drawn[m]].mean;
            if (share->share > 0 && !isnan(mean))
                chart_point(chart, share->order, series, 100 * share->share, 100 * (mean - 1));
            else
                chart_gap(chart, share->order, series);
        }
    }
    return chart_canvas(chart, ask);
}
