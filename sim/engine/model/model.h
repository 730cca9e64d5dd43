// Cost models: each one predicts how long a run of an algorithm takes on a platform. To add a model, define it in a
// file of this room and add it to `models` (models.c).
#pragma once
#include "machine/network/placement.h"
#include "machine/platform/mapping.h"
#include "machine/platform/platform.h"
#include "engine/model/skew.h"
#include "engine/replay/ledger.h"
#include "engine/replay/replay.h"
#include "engine/schedule/sampled.h"
#include "engine/schedule/schedule.h"

enum { MODEL_MAX_TERMS = 16 }; // the most terms that a model's certificate may have

typedef struct PredictOptions {
    Transfer transfer;        // how two ranks meet; only hockney reads it
    bool full;                // replay every rank even if a few could stand for all; shared always does
    bool why;                 // also keeps the critical path
    const LedgerWish *ledger; // also keeps these operations with their times; NULL for none
    const Mapping *map;       // where the ranks are; NULL if all are far from each other
    Sampled *sampled;         // see RecordOptions
    // If above 0, all times above it, in s, are alike to the caller, and such a run may end early (Prediction.beyond).
    // Not with why, ledger or clocks.
    double enough_s;
    // If not NULL, this finds the certificate of a run under hockney on a flat machine, so that the run need not be
    // replayed: the counts of alpha, beta and gamma. It is asked about runs of many messages whose texts cut blocks of
    // equal length and run no part's fallback. It returns false if it does not know the counts. Not with why, ledger or
    // clocks.
    bool (*form)(const Operation *op, const Platform *platform, bool eager, int64_t count[3]);
    // What messages share between nodes, with rates; NULL for a network in which nothing limits them but ports and NICs.
    // Only hockney and measured know it.
    const NetworkSpec *network;
    // Only hockney and measured read these:
    const Skew *skew;    // when ranks arrive, and noise; NULL if all arrive at 0, or at `start`, without noise
    const double *start; // when each rank begins, in s; NULL if all begin at 0
    bool clocks;         // also keeps when each rank ends
} PredictOptions;

// One step of a critical path. The first step begins at 0, every other one where the step before it ends.
typedef struct WhyStep {
    int rank, peer;    // peer: -1 if the step involves no other rank, such as a reduction
    const char *what;  // "send", "flight", "reduce" ..; static
    const char *phase; // of the algorithm's text; NULL if the text names none; lives as long as the program
    const char *level; // of a message, as the platform names it; NULL on a flat machine and for reductions
    uint64_t bytes;
    double start_s, end_s;
    char *link;       // on a network: the link that a message waits for, as people call it; NULL if it waits for none
    uint32_t sharers; // how many messages of its round, itself included, this link has
} WhyStep;
void why_step_clear(gpointer step);

// A term of a certificate.
typedef struct PredictionTerm {
    CostTerm term; // its level is that of the platform
    int64_t n;     // how often the critical path pays it
} PredictionTerm;

// The outcome of a run. If ranks are stuck, time_s, terms, count and why mean nothing.
typedef struct Prediction {
    double time_s;                  // computed from the certificate
    GArray *terms;                  // of PredictionTerm: the certificate; it may have terms that are not paid
    int64_t count[MODEL_MAX_TERMS]; // how often it pays terms of each kind that the model lists, at all levels together
    bool
        beyond; // the run takes longer than PredictOptions.enough_s: time_s is INFINITY, and of the rest only the totals,
                // the gear and `stuck`, which is empty, mean something
    Totals totals;
    const char *gear, *gear_why; // static; gear_why is NULL if the model has only one gear
    gboolean fixed; // the schedule fixes in which order transfers use each port, and nothing else is shared
    int64_t ranks_simulated;
    double *clock;                  // when each rank ends, in s; NULL unless asked for
    bool ends;                      // that was asked for: the next two are set
    double first_end_s, mean_end_s; // when the first rank ends, and the mean over all
    bool skewed;                    // PredictOptions.skew was set: `ends` is, and so is this
    SkewOutcome skew;
    GArray *why;    // of WhyStep; NULL unless asked for
    Ledger *ledger; // NULL unless asked for, and if ranks are stuck
    // On a network, where ranks do not exchange in step: the share of messages that begin more than half a round apart from
    // their round (links_drift). NAN elsewhere.
    double drift;
    uint32_t unequal; // of a GOAL schedule: how many messages have another size at their receive than at their send
    GPtrArray *stuck; // of char *, a line for each rank or message that waits forever; empty if the run ended
    gatomicrefcount owners; // see prediction_ref()
} Prediction;

typedef struct Model {
    const char *name, *summary;
    bool transfers;          // the option --transfer applies
    bool shared;             // the model is for algorithms in shared memory; the other models are for messages
    const PlatformKey *keys; // the figures that it reads from a platform; only those that are optional may be missing
    size_t n_keys;
    const TermKind *terms; // what a certificate counts, in the order of its columns; none if each run has its own
    int n_terms;
    // Predicts one run of the operation on a platform that has the figures in `keys`. A deadlock is a result, not an
    // error (Prediction.stuck). Returns NULL and an error if the operation is too large for the model, or its critical
    // path too long to keep. Free with prediction_free.
    Prediction *(*predict)(const struct Model *model, const Operation *op, const Platform *platform,
                           const PredictOptions *options, GError **error);
} Model;

extern const Model hockney_model, measured_model, loggops_model, loggp_model, logp_model, shared_model;
extern const Model *const models[];        // NULL-terminated
extern const char *const transfer_names[]; // indexed by Transfer, NULL-terminated

// Returns true if the model replays schedules (replayed.h). Then it knows what the ranks of a node share, and it can
// keep when each rank ends.
bool model_replays(const Model *model);
// Returns the model of this name; NULL and an error that lists the names if there is none.
const Model *model_find(const char *name, GError **error);
// Returns a prediction without terms, of a run without stuck ranks. Free with prediction_free.
Prediction *prediction_new(void);
// Takes an owner away, and frees the prediction with the last one. NULL is allowed.
void prediction_free(Prediction *p);
// Adds an owner, who must not change the prediction. Free with prediction_free.
Prediction *prediction_ref(Prediction *p);
// Returns the mean of the times at which the ranks end, in s, or that of the last one if the clocks were not asked for.
double prediction_mean(const Prediction *p);
// Returns what part of the last rank's end this is: 1, or less for a mean.
double prediction_mean_part(const Prediction *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Prediction, prediction_free)

// Adds a term to a prediction, which counts it.
void prediction_add(Prediction *prediction, const Model *model, CostTerm term, int64_t n);

// Returns a certificate as people read it: "15 alpha + 122880 beta", without the terms that count 0, or "0" if all do.
// Under measured the terms that are worth most come first, and at most `most` of them, followed by how many more there
// are. Free with g_free.
char *model_certificate_text(const Model *model, const Prediction *prediction, guint most);

// Returns what each term of a certificate costs, in seconds: "alpha=1.5e-05;beta=3e-06", without the terms that cost
// nothing, and "" if all do. The terms add up to the predicted time; each has 15 digits. Free with g_free.
char *model_costs_text(const Prediction *prediction);

// Names the reductions of a prediction `calc`: those of a GOAL schedule are ns, on a platform whose gamma is 1 ns/B.
void prediction_name_calcs(Prediction *prediction);
