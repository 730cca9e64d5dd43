// Predicts measured rows: on a platform, or on platforms that rows of the same data calibrate.
#pragma once
#include "judge/validate/case.h"

typedef enum CalibrateFrom {
    CALIBRATE_NOTHING,  // the platform has all figures
    CALIBRATE_SAME_RUN, // each group of rows is a run, which its calibrating rows calibrate
    CALIBRATE_ALL,      // all calibrating rows of a set calibrate one machine
} CalibrateFrom;
extern const char *const calibrate_from_names[]; // by CalibrateFrom, NULL-terminated

typedef struct PredictPlan {
    const Model *model;
    const Platform *platform; // with CALIBRATE_NOTHING the machine; otherwise its levels, and figures that are taken as
                              // they are
    CalibrateFrom from;
    char **fallbacks; // GROUP=OTHER: rows of the first group are predicted as rows of the other one; NULL for none
    char **places;    // GROUP=LEVEL, as case_new takes it; NULL for none
    CaseBarrier barrier;
    const NetworkSpec *network; // in place of the platform's; NULL for that
} PredictPlan;

// Predicts all rows that have an algorithm, on all processors; runs that are the same are simulated once. Sets
// predicted_s, NAN where a run does not end. Adds to `notes` (of char *) what calibrated the predictions. Returns FALSE
// and an error on bad input.
gboolean validate_predict(ValidateRows *rows, const PredictPlan *plan, GPtrArray *notes, GError **error);
