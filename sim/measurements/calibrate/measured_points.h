// What a calibration of the model measured predicts for the rows of its logs: its report and its picture.
#pragma once
#include "measurements/calibrate/measured_fit.h"

#define MEASURED_CALIBRATED "calibrated: " // begins the name of a series of rows that calibrated

// Returns what the report of a calibration shows: all rows of collectives, simulated on the platform of
// the fit, and the one-way times by the table of the level between nodes. The notes are those of the fit. Returns NULL
// and an error if a row cannot be simulated. Free with calibration_free.
Calibration *measured_points(const MeasuredFit *fit, const GPtrArray *logs, const GArray *rows, GError **error);

// Returns what the picture of a calibration shows: what the report does, and the one-way times at the levels inside of far.
// The logs must outlive it. Free with calibration_free.
Calibration *measured_points_picture(const MeasuredFit *fit, const GPtrArray *logs, const Calibration *points);
