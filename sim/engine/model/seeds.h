// Which of the runs with several seeds an answer shows, and what the others say.
#pragma once
#include "engine/model/skew.h"
#include "engine/replay/replay.h"

// The run that is shown. Clear with seed_run_clear.
typedef struct SeedRun {
    uint64_t *arrival; // by rank, in ns; NULL if all ranks begin at 0
    double *start;     // the same in s
    SkewOutcome outcome;
    Replay *given_up; // instead, if this run takes longer than it may
} SeedRun;
void seed_run_clear(SeedRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SeedRun, seed_run_clear)

// Finds the run that is shown, and has the site's noise draw for it. A run that takes longer than enough_s is of no use,
// if that is above 0. Returns FALSE and an error if the runs are too much.
gboolean seed_run_choose(const Schedule *s, const Hockney *model, const Skew *skew, double enough_s, SeedRun *run,
                         GError **error);
