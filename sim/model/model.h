// Cost models: what one run of an algorithm costs on a platform. A model is one entry of `models`, made in one file.
#pragma once
#include "platform/platform.h"
#include "replay/replay.h"
#include "schedule/operation.h"
#include "schedule/schedule.h"

enum { MODEL_MAX_TERMS = 6 };

typedef struct PredictOptions {
    Transfer transfer; // hockney
    bool full;         // every message of every rank
    bool why;          // the critical path as well
} PredictOptions;

// One step of a critical path; each begins where the one before it ends.
typedef struct WhyStep {
    int rank, peer;   // peer -1: none
    const char *what; // static
    uint64_t bytes;
    double start_s, end_s;
} WhyStep;

typedef struct Prediction {
    double time_s;                  // computed from the certificate
    int64_t count[MODEL_MAX_TERMS]; // the certificate, in the order of the model's terms
    Totals totals;
    const char *gear, *gear_why; // static; gear_why is NULL where the model has one gear
    int64_t ranks_simulated;
    GArray *why;      // WhyStep, where asked for
    GPtrArray *stuck; // one line for each rank or message that waits; empty: all is well
} Prediction;

typedef struct Model {
    const char *name, *summary;
    bool transfers;          // does --transfer mean something?
    bool shared;             // times algorithms of shared memory, and only these
    const PlatformKey *keys; // what it needs of a platform
    size_t n_keys;
    const char *const *terms; // of the certificate
    int n_terms;
    // Free with prediction_free. NULL and bad input where the operation is too large for the model.
    Prediction *(*predict)(const struct Model *model, const Operation *op, const Platform *platform,
                           const PredictOptions *options, GError **error);
} Model;

extern const Model hockney_model, loggops_model, loggp_model, logp_model, shared_model;
extern const Model *const models[];        // NULL-terminated
extern const char *const transfer_names[]; // by Transfer, NULL-terminated

const Model *model_find(const char *name, GError **error);
void prediction_free(Prediction *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Prediction, prediction_free)

// The certificate for people: "15 alpha + 122880 beta"; "0" where all counts are 0. Free with g_free.
char *model_certificate_text(const Model *model, const int64_t *count);
