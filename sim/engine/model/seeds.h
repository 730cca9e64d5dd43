// Which of the runs with several seeds an answer shows, and what the others say.
#pragma once
#include "engine/model/model.h"

// The run that is shown. Clear with seed_run_clear.
typedef struct SeedRun {
    Network *network;  // on which its nodes are; NULL if none is asked for
    uint64_t *arrival; // by rank, in ns; NULL if all ranks begin at 0
    double *start;     // the same in s
    SkewOutcome outcome;
    Replay *given_up; // instead, if this run takes longer than it may
} SeedRun;
void seed_run_clear(SeedRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SeedRun, seed_run_clear)

// Finds the run that is shown, which is the only one unless there are several seeds. Has the site's noise draw for it,
// and gives the site the prices of messages on the network with its placement. A run that takes longer than o->enough_s
// is of no use, if that is above 0. Returns FALSE and an error if the runs are too much, or if prices are not known.
gboolean seed_run_choose(const Operation *op, const Schedule *s, const Hockney *model, const PredictOptions *o,
                         SeedRun *run, GError **error);
