// Rings that may have run on a congested network: more nodes should not make a step longer.
#pragma once
#include "measurements/calibrate/calibration.h"

// A step is congested if it takes this many times as long as on fewer nodes.
#define RINGS_CONGESTED 1.25

// Returns the nodes of the largest ring with one rank a node that calibrated, 0 if there is none.
int measured_rings_nodes(const GArray *rows, const gboolean *uses_row);
// Adds to `notes` (of char *) by how much the steps of the largest ring are longer than those of the same size of a ring on
// fewer nodes among the same rows, if they are congested.
void measured_rings_note(const GArray *rows, const gboolean *uses_row, GPtrArray *notes);
// Returns how many times as long a message takes by `slow` as by `fast`: the median over the sizes of `slow` that `fast`
// spans, at least three. NAN if they have fewer in common.
double measured_rings_ratio(const Table *slow, const Table *fast);
