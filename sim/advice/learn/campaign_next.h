// Which points to measure next: each as far as possible from all that are measured, in the logarithms of p, m and ranks per
// node; and there only the algorithms that corrected predictions say are the fastest.
#pragma once
#include "advice/learn/campaign.h"

enum { CAMPAIGN_NEXT_CHOICES = 2 };

typedef struct CampaignPlace {
    int p, per_node; // per_node 0: as many as at the question's point with the most ranks
} CampaignPlace;

typedef struct CampaignNext {
    guint question;
    int p, per_node;
    size_t m;
    double distance;                    // from the nearest point that is measured, or comes before this one
    int choices[CAMPAIGN_NEXT_CHOICES]; // -1: no prediction says so
    double time_s;                      // that of the first one is expected to take; NAN without a prediction
} CampaignNext;

// Returns at most n points (of CampaignNext), the farthest first, of each question's grid: `places` (of CampaignPlace) and
// `sizes` (of size_t), or, where one is NULL, those that the first set has. Of equally far ones the first counts, in the
// order of questions, places and sizes. Free with g_array_unref.
GArray *campaign_next(const Campaign *campaign, const GArray *places, const GArray *sizes, guint n);
// Sets what to measure at the point, by the predictions of all choices of its question there; NAN where there is none.
void campaign_next_choose(const Campaign *campaign, const double *predicted_s, CampaignNext *next);
