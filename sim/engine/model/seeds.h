// Which of the runs with several seeds an answer shows, and what the others say.
#pragma once
#include "engine/model/model.h"

// Returns a new site for a run of the operation, with its noise; NULL if the run needs none.
typedef Site *SiteMaker(const Operation *op, const Platform *platform, const PredictOptions *options);

// What runs, and where. The model has a site of `site`, and threads that run other seeds make their own.
typedef struct SeedQuestion {
    const Operation *op;
    const Schedule *s;
    const Hockney *model;
    const Platform *platform;
    const PredictOptions *o;
    SiteMaker *site; // NULL if there are not several seeds
} SeedQuestion;

// The times of several runs that an answer has, in ascending order.
typedef enum SeedTime { SEED_SHORTEST, SEED_MEDIAN, SEED_P99, SEED_LONGEST, N_SEED_TIMES } SeedTime;

// The run that is shown. Clear with seed_run_clear.
typedef struct SeedRun {
    Network *network;  // on which its nodes are; NULL if none is asked for
    uint64_t *arrival; // by rank, in ns; NULL if all ranks begin at 0
    double *start;     // the same in s
    SkewOutcome outcome;
    int run_of[N_SEED_TIMES]; // whose time each of these is
    Replay *given_up;         // instead, if this run takes longer than it may
} SeedRun;
void seed_run_clear(SeedRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SeedRun, seed_run_clear)

// Finds the run that is shown, which is the only one unless there are several seeds. Has the site's noise draw for it,
// and gives the site the prices of messages on the network with its placement. A run that takes longer than o->enough_s
// is of no use, if that is above 0. The times of the outcome are those of clocks, which may differ from those of
// certificates in their last digits. Returns FALSE and an error if the runs are too much, or if prices are not known.
gboolean seed_run_choose(const SeedQuestion *question, SeedRun *run, GError **error);
// Returns where the outcome has one of the times.
double *seed_time(SkewOutcome *outcome, SeedTime which);
// Sets up another of the runs, in place of the one that is set up.
gboolean seed_run_again(const SeedQuestion *question, int i, SeedRun *run, GError **error);
