// A lower bound on the time of an operation under the models of the LogP family, from the texts of a few ranks.
#pragma once
#include "engine/model/model.h"

// Returns a time, in seconds and >= 0, that the operation cannot beat under loggops, loggp or logp; its algorithm must
// be one of messages. The bound adds up the messages and reductions of a few ranks (text_sample_rank). A rank's processor
// does one thing after another, and so does each direction of its network interface; what the rank receives cannot come
// before a first message has crossed the network. `map` is where the ranks are (PredictOptions.map).
//
// To a caller that passes `enough_s`, in seconds, all bounds that are as large are alike: a text ends once it has such a
// bound, and the others are not run. With INFINITY all are.
double logp_bound(const Operation *op, const Model *model, const Platform *platform, const Mapping *map,
                  double enough_s);
