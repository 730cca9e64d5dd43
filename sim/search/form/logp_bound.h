// Lower bounds under the models of the LogP family: on the time of an operation, from the texts of a few ranks, and on
// that of any algorithm.
#pragma once
#include "search/form/bound_times.h"
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

// Returns what no algorithm of messages can beat under loggops, loggp or logp, as bound_times_on() does for the other
// models. A message takes o + L + o at least, and its sender begins the next one o or g later, whichever is longer. To
// send a vector as one message takes its further bytes, and to send it as more messages takes a gap for each, so a byte
// costs the lesser of the two. Ranks share nothing in these models, so NICs and memories do not count.
BoundTimes logp_bound_times(Collective collective, int p, double m, const Model *model, const Platform *platform,
                            const Mapping *map);
