// Rows from logs: where no rows file says which rows count, all that a model can predict are scored.
#pragma once
#include "model/model.h"
#include "validate/rows.h"

// Adds a row to be scored for each collective in the logs (of Log *), which must outlive the rows. A set is a log.
// `notes` (of char *) gets a line for each kind of row that is passed over: those that do not say what ran on how many
// ranks, one rank, the library's own choice, algorithms that the model does not time, other roots than 0, and maps that
// are files. Returns FALSE and an error if no row is left.
gboolean validate_rows_logged(ValidateRows *rows, const GPtrArray *logs, const Model *model, GPtrArray *notes,
                              GError **error);
