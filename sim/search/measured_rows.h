// From the collectives of logs to operations that can be simulated.
#pragma once
#include "calibrate/calibrate.h"

// Takes the rows whose ranks share cores out of the logs, which note it. If there are no other rows they stay, and `notes`
// (of char *) says so.
void measured_rows_pass_crowded(const GPtrArray *logs, GPtrArray *notes);

// Makes a CalibrateRow of each collective in the logs that the model can use; `notes` says which it cannot. `keep` owns
// what the rows point to. Returns NULL and an error, with file and line, if a log does not say which algorithm ran on how
// many ranks, or says what cannot be. Free with g_array_unref.
GArray *measured_rows_make(const GPtrArray *logs, const Model *model, GPtrArray *keep, GPtrArray *notes,
                           GError **error);
