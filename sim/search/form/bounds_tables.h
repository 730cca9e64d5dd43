// Lower bounds under measured, whose figures are tables over bytes: what no algorithm of messages can beat (bounds.h).
#pragma once
#include "search/form/bounds.h"

// Returns the least time of a byte of a message at the levels from `first` on, in seconds, where no message has more than
// `most` of the bytes that matter.
double tables_least_byte(const Measured *figures, int first, double most);
// Returns a time, in seconds, that no algorithm beats on p >= 1 ranks with m bytes: the longest of what messages that
// follow each other take, what the bytes through a rank's ports take, what some rank must reduce, and what the ranks of
// a node share (bounds_nics, bounds_nodes_at). A port is free again before its message has arrived, so that a rank can
// send several on which the next ones wait. `map` is where the ranks are (PredictOptions.map).
double bounds_by_tables(Collective collective, int p, double m, const Platform *platform, const Mapping *map);
