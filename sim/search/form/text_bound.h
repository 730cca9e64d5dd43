// A lower bound on the time of an operation under hockney, from the texts of a few of its ranks.
#pragma once
#include "engine/model/model.h"

// Returns a time, in seconds and >= 0, that the operation cannot beat; its algorithm must be one of messages. The texts
// of four ranks are run: the root, its two neighbours and the rank half way round. Each runs as if every peer were
// ready, so only its own ports, its own reductions and the order of its blocking operations cost time. The latest end
// is the bound. `map` is where the ranks are (PredictOptions.map): each message costs what it costs at its level. What
// a node's ranks share is taken to be idle.
//
// To a caller that passes `enough_s`, in seconds, all bounds that are as large are alike: a text ends once it has such a
// bound, the others are not run, and enough_s is returned. So the answer does not depend on what is kept of the texts
// (kept.h), which may have run further. With INFINITY all run.
double text_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                  double enough_s);
