// The result of a calibration of the model measured (measured_fit.h).
#pragma once
#include "measurements/calibrate/calibration.h"

// The result. Everything is owned by it.
typedef struct MeasuredFit {
    Platform *platform; // with [measured], and with [node] if `assumed` has it or the rows determine it
    GPtrArray *used;    // of char *: which rows calibrated which table or figure, a line each
    GPtrArray *assumed; // of char *: which parts are defaults or were given, a line each
    GPtrArray *notes;   // of char *: points that were moved to make a table monotone, rows that were dropped
    gboolean *uses_row; // by row of the argument `rows`: it calibrated, so it must not be scored
    int ring;           // nodes of the largest ring that gave steps between nodes; 0 if none did
} MeasuredFit;
