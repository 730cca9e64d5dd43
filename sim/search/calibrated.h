// Calibrates any model from logs.
#pragma once
#include "calibrate/calibrate.h"
#include "calibrate/measured_fit.h"

// What was found. `fit` is NULL except under measured, where it has the platform.
typedef struct Calibrated {
    Calibration *c;
    MeasuredFit *fit;
} Calibrated;

void calibrated_clear(Calibrated *found);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Calibrated, calibrated_clear)

// Calibrates the model from logs (of Log *). Figures of `assumed` are taken as they are, apart from a gamma for which the
// logs have reductions. `keep` takes ownership of what the result points to; the logs must outlive it. Returns FALSE and
// an error on bad input.
gboolean calibrated_find(const Model *model, const GPtrArray *logs, Platform *assumed, GPtrArray *keep,
                         Calibrated *found, GError **error);
