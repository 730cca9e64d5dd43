// What `calibrate` says.
#pragma once
#include "calibrate/calibrate.h"
#include <stdio.h>

// Print the figures as a table (with each point if `points`), as JSON, or the points as CSV.
void calibrate_table(const Calibration *c, const GPtrArray *logs, gboolean points);
void calibrate_json(const Calibration *c);
void calibrate_csv(const Calibration *c);

// Draws what was measured and what the figures predict: one-way times and up to eight collectives over their size; for more
// collectives, predicted over measured time. Writes the picture to `to`, in the format of the extension of `path`: .svg,
// .png or .pdf. Returns FALSE and an error if there is nothing to draw or gnuplot fails.
gboolean calibrate_draw(const Calibration *c, const char *path, const char *title, FILE *to, GError **error);
