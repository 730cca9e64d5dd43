// Lower bounds on the time of an operation that hold however its messages are cut into segments.
#pragma once
#include "engine/model/model.h"

// Returns true if the parameter is the length of segments: no message is cut if it is 0, or as long as all of them. Any
// other parameter may be a limit, as that of alltoallv hybrid: blocks below it take another way.
bool segment_is_length(const CollParam *segment);

// Returns a time under hockney, in seconds and >= 0, that the operation cannot beat with any value of `segment`, the
// parameter that sets the length of a segment. The algorithm must be one of messages; op's own value of the parameter
// does not count.
//
// Segments make more messages of one, so the least number of messages is that of the text whose messages are not cut.
// The formula gives it as the time if only alpha costs anything; and four ranks (see text_bound.h) give it by what they
// send and receive through one port each. Segments may make bytes fewer, where a segment is sent more than once (bcast
// circulant). The bytes at a port are then a + b / S, and two texts give the least that they can be, a.
//
// For a parameter that is a limit, the bound holds if all blocks reach the limit or, with `below`, if all are below it.
// Blocks must be equal, so that one of the two is true. The formula is not used for a limit.
//
// `map` is where the ranks are (PredictOptions.map). Segments may move messages from one level to another, so each
// counts with the least alpha and beta of all levels, and the formula, which knows one level, counts only where closed
// forms hold.
double segment_bound(const Operation *op, const CollParam *segment, bool below, const Platform *platform,
                     Transfer transfer, const Mapping *map);
