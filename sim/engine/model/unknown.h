// What a machine does not know although a prediction depends on it. Its answers say so, because the times look as good
// as others.
#pragma once
#include "engine/model/model.h"

// Adds a line (char *) to the notes, unless it is there, for each thing that runs under the model depend on and that
// the platform does not say:
//   gamma, if ranks reduce: reductions then cost nothing. A gamma of 0 that --set gave is known.
//   NICs, if there are several nodes with up to `most` ranks, more than one: each rank then sends at full speed.
// `most` is 0 or 1 if no two ranks share a node, or if all do.
void unknown_note(GPtrArray *notes, const Model *model, const Platform *platform, gboolean reduces, int most);
