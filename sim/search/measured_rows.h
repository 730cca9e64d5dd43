// From the collectives of logs to operations that can be simulated.
#pragma once
#include "calibrate/calibrate.h"

// Removes from the logs the rows whose ranks share cores, and notes in each log that it did (log_pass). If no other
// rows can be used, the rows stay, and `notes` (of char *) says so.
void measured_rows_pass_crowded(const GPtrArray *logs, GPtrArray *notes);

// Returns a CalibrateRow for each collective in the logs that the model can use, on a machine with the levels of
// `machine`, which may be NULL if it has only one. `notes` gets a line for the others. `keep` (of GPtrArray *) takes
// ownership of what the rows point to. Returns NULL and an error, with file and line, if a log has nothing but collectives
// that do not say which algorithm ran on how many ranks, or if a run is impossible. Free with g_array_unref.
GArray *measured_rows_make(const GPtrArray *logs, const Model *model, Platform *machine, GPtrArray *keep,
                           GPtrArray *notes, GError **error);
