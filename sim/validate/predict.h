// Predicts measured rows on a platform.
#pragma once
#include "validate/case.h"

typedef struct PredictPlan {
    const Model *model;
    const Platform *platform;
    char **places; // GROUP=LEVEL, see CasePlace; NULL for none
    CaseBarrier barrier;
    size_t element;
} PredictPlan;

// Predicts all rows that have an algorithm, on all processors; runs that are the same are simulated once. Sets
// predicted_s, NAN where a run does not end. Returns FALSE and an error on bad input.
gboolean validate_predict(ValidateRows *rows, const PredictPlan *plan, GError **error);
