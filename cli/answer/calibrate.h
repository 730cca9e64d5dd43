// What `calibrate` says.
#pragma once
#include "calibrate/calibrate.h"

// Print the figures as a table (with each point if `points`), as JSON, or the points as CSV.
void calibrate_table(const Calibration *c, const GPtrArray *logs, gboolean points);
void calibrate_json(const Calibration *c);
void calibrate_csv(const Calibration *c);

// Draws what was measured and what the figures make of it to FILE.svg, .png or .pdf: one-way times and up to eight
// collectives over their size, or of more collectives the predicted over the measured time.
gboolean calibrate_draw(const Calibration *c, const char *path, const char *title, GError **error);
