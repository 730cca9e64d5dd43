// The answer of `calibrate`.
#pragma once
#include "figure/canvas.h"
#include "measurements/calibrate/measured_points.h"
#include "out/answer.h"

// Prints or writes the figures that were found from `logs` (of Log *). With `points`, a table has each measured row as
// well, and CSV has these rows in place of the figures; JSON always has both. `sets` is --set as given; NULL for none.
void calibrate_report(const Answer *answer, const Calibration *c, const GPtrArray *logs, char **sets, gboolean points);

// The same for the model measured, whose figures are tables: it says which rows determined which of them, what is a
// default, and how far the prediction is off for the collectives in the logs, whose points and notes `c` has.
void calibrate_report_measured(const Answer *answer, const Calibration *c, const MeasuredFit *fit,
                               const GPtrArray *logs, char **sets, gboolean points);

// Draws what was measured and what the figures predict: one-way times and up to eight collectives over their size; for
// more collectives, measured over predicted time. `machine` is its name, or NULL. Free with canvas_free. Returns NULL and an
// error if there is nothing to draw.
Canvas *calibrate_canvas(const Calibration *c, const char *machine, const PictureAsk *ask, GError **error);
