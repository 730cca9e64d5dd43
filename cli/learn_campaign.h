// `learn --from`: learns from measurements, and says what simulation is worth beside them.
#pragma once
#include "advice/learn/learn.h"
#include "ask/ask.h"
#include "ask/ask_logs.h"
#include "out/picture.h"

// What `learn` was asked, with --from. All texts may be NULL.
typedef struct LearnCampaign {
    char **from, **test;  // files with rows, or logs
    char *platform;       // of --from, and of --test if there is a comma in it
    const char *above;    // P, as in --leave-out 'p>P'
    LearnFeature feature; // that is left out, if `above` is NULL
    gboolean apart;       // each group of rows is learnt by itself
    guint seeds;          // of the curve of shares; 0 if nobody asks for it
    guint next;           // points to advise about; their grid is the request's -p and -m, if it has them
    const PictureAsk *draw;
    const gboolean *chosen; // by collective: which are learnt
    const LearnLimits *limits;
    LogOptions *logs; // how logs are read; its files are set here
    RequestOptions *request;
} LearnCampaign;

// Prints the answer. Returns the exit status, with *error set if it is 2.
int learn_campaign(const LearnCampaign *ask, GError **error);
