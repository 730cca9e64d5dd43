// Rows from logs: where no rows file says which rows count, all that a model can predict are scored.
#pragma once
#include "engine/model/model.h"
#include "judge/validate/validate_rows.h"

// Returns a row to be scored for each collective in the logs (of Log *), which must outlive the rows, and the choices
// that they give. If rows are to calibrate, messages and reductions of one rank become rows that calibrate, and which
// collectives do too is still undecided. A set is a log. The logs lose what measurement_rows_prepare removes. `notes` (of char *) gets a line for
// each kind of row that is passed over: rows that do not say what ran on how many ranks, and rows with one rank, with
// the library's own choice (with `defaults`, these become rows of the use default), with an algorithm that the model does not time, with another root than 0, or with a map
// that is a file. Returns NULL and an error if no row is left.
ValidateRows *validate_rows_logged(const GPtrArray *logs, const Model *model, gboolean calibrates, gboolean defaults,
                                   GPtrArray *notes, GError **error);
