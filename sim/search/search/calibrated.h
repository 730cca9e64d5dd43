// Calibrates any model from logs.
#pragma once
#include "measurements/calibrate/calibrate.h"
#include "measurements/calibrate/measured_fit.h"

// What was found. `fit` is NULL except under measured, where it has the platform.
typedef struct Calibrated {
    Calibration *c;
    MeasuredFit *fit;
} Calibrated;

void calibrated_clear(Calibrated *found);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Calibrated, calibrated_clear)

// Returns what a calibration that begins with a platform assumes: a copy in which figures that --set gave before it was
// written are like others. Free with platform_free.
Platform *calibrated_assume(const Platform *base);

// Calibrates the model from logs (of Log *). `assumed` has the levels and the figures that are known; measured_fit.h
// and calibrate.h say which of them stay. A gamma for which the logs have reductions does not, unless --set gave it.
// `keep` takes ownership of what the result points to; the logs must outlive it. Returns FALSE and an error on bad
// input.
gboolean calibrated_find(const Model *model, const GPtrArray *logs, Platform *assumed, GPtrArray *keep,
                         Calibrated *found, GError **error);
