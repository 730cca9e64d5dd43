// A lower bound on the time of an operation under measured, from the texts of a few of its ranks.
#pragma once
#include "model/model.h"

// Returns a time, in seconds and >= 0, that the operation cannot beat on a platform that has [measured]; its algorithm
// must be one of messages. The texts of four ranks are run: the root, its two neighbours and the rank half way round. A
// rank's messages occupy its ports for their gaps, and it computes its own reductions; the largest of these sums is the
// bound. `map` is where the ranks are (PredictOptions.map).
//
// To a caller that passes `enough_s`, in seconds, all bounds that are as large are alike: once a text has such a bound,
// the others are not run. With INFINITY all are.
double port_bound(const Operation *op, const Platform *platform, const Mapping *map, double enough_s);
