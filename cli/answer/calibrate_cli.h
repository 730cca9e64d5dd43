// Between the files of `collsim calibrate`.
#pragma once
#include "calibrate/calibrate.h"
#include "answer/measure.h"
#include "search/points.h"

// Measures what the model wants of a machine itself: a ping-pong, and reductions by one rank. NULL and bad input. Free
// with log_free.
Log *calibrate_run(const Model *model, const MeterOptions *options, GError **error);

// Takes rows of ranks that share cores out of the logs, which then say so, unless there are no others; in notes then.
void calibrate_pass_crowded(const GPtrArray *logs, GPtrArray *notes);

// The collectives of the logs, ready to be simulated by the model; notes (char *) says what is of no use to it. `keep`
// owns what the rows point to. NULL and bad input, with file and line, where a log does not say which algorithm ran on
// how many ranks, or says what cannot be. Free with g_array_unref.
GArray *calibrate_make_rows(const GPtrArray *logs, const Model *model, GPtrArray *keep, GPtrArray *notes,
                            GError **error);

// The answer as a table (with each point where `points`), as JSON, or its points as CSV.
void calibrate_table(const Calibration *c, const GPtrArray *logs, gboolean points);
void calibrate_json(const Calibration *c);
void calibrate_csv(const Calibration *c);

// Measured points and what the figures make of them, drawn to FILE.svg, .png or .pdf. One-way times and up to eight
// collectives over their size; of more, predicted over measured time.
gboolean calibrate_draw(const Calibration *c, const char *path, const char *title, GError **error);
