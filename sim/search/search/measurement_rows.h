// From the collectives of logs to operations that can be simulated.
#pragma once
#include "measurements/calibrate/calibrate.h"
#include "search/search/request.h"

// Removes from the logs the rows whose ranks share cores; if no other rows can be used, they stay. Adds to `notes` (of
// char *) that it did, and what else there is to say of the logs to a user who predicts their rows with the model.
void measurement_rows_prepare(const GPtrArray *logs, const Model *model, GPtrArray *notes);

// Makes a request of what a sample measured, on a machine that stays the caller's, under a model: the operation on the
// ranks and nodes that the log says, without a name. Returns FALSE and an error if a map is not one. Clear with
// measurement_request_clear, also then.
gboolean measurement_request(const LogSample *sample, const Platform *machine, const Model *model, Request *request,
                             GError **error);
void measurement_request_clear(Request *request);
// Returns a CalibrateRow for each collective in the logs that the model can use, on a machine with the levels of
// `machine`, which may be NULL if it has only one. `notes` gets a line for the others. `keep` (of GPtrArray *) takes
// ownership of what the rows point to. Returns NULL and an error, with file and line, if a log has nothing but
// collectives that do not say which algorithm ran on how many ranks, or if a run is impossible. Free with
// g_array_unref.
GArray *measurement_rows_make(const GPtrArray *logs, const Model *model, Platform *machine, GPtrArray *keep,
                              GPtrArray *notes, GError **error);
