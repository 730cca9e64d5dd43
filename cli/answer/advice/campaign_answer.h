// The answer of `learn --from`: what each way to choose is worth on measurements.
#pragma once
#include "advice/learn/campaign_next.h"
#include "figure/canvas.h"
#include "out/answer.h"

// All that was learnt. Nothing is owned.
typedef struct CampaignAnswer {
    const Campaign *measured;
    const CampaignTests *tests;
    const CampaignSplit *split;
    const GArray *shares; // of CampaignShare; NULL if nobody asks for them
    guint seeds;
    const GArray *next;                 // of CampaignNext; NULL likewise
    const char *from, *test, *platform; // texts; `test` and `platform` may be NULL
    const GPtrArray *notes;             // of char *
} CampaignAnswer;

void campaign_report(const Answer *answer, const CampaignAnswer *x);
// Returns a picture of what measured shares are worth. Free with canvas_free.
Canvas *campaign_canvas(const CampaignAnswer *x, const PictureAsk *ask);
