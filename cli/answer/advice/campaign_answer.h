// The answer of `learn --from`: what each way to choose is worth on measurements.
#pragma once
#include "advice/learn/campaign.h"
#include "out/answer.h"

// All that was learnt. Nothing is owned.
typedef struct CampaignAnswer {
    const Campaign *measured;
    const CampaignTests *tests;
    const CampaignSplit *split;
    const char *from, *test, *platform; // texts; `test` and `platform` may be NULL
    const GPtrArray *notes;             // of char *
} CampaignAnswer;

void campaign_report(const Answer *answer, const CampaignAnswer *x);
