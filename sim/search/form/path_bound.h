// Lower bounds on the time of an operation under hockney and measured, from the texts of the ranks along chains of
// messages.
#pragma once
#include "engine/model/model.h"

// Returns a time, in seconds and >= 0, that the operation cannot beat; its algorithm must be one of messages. Under
// TRANSFER_MEASURED the platform has [measured]. What a node's ranks share is taken to be idle. The function starts at
// four ranks: the root, its two neighbours and the rank half way round. The text of each runs as if every peer were
// ready, so only its own ports, its own reductions and its own waits cost time. What it waits for last before it ends
// is a message of another rank, whose text runs up to that message in the same way, and so on. The bound is the latest
// of these times, each with all that follows on the chain. `map` is where the ranks are (PredictOptions.map).
//
// To a caller that passes `enough_s`, in seconds, all bounds that are as large are alike: once there is such a bound,
// no other text is run. With INFINITY all are.
double path_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                  double enough_s);

// The bound of an operation for all lengths of its segments, from the texts of a few ranks.
typedef struct PathForm PathForm;
// Returns the form of an operation with this parameter, `segment`; op's own value of it does not count. Returns NULL if
// nothing is known. Free with path_form_free.
//
// The bound is the longer of two times. The first one is that of a chain of messages which are not cut. Segments go
// along the same chain if each rank on it receives from the same ranks when messages are cut, and from the one before
// it all segments of what it received from there. So the last segment that is not shorter than the others passes every
// rank of the chain, after all those before it have left the first rank. The second time is how long one rank's port is
// busy, if the rank then sends all segments of what it sent, to the same ranks or wherever a message is cheapest. Texts
// with three and a half segments of a message show whether these conditions hold; the chain ends at the rank where they
// do not.
PathForm *path_form(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                    const Mapping *map);
void path_form_free(PathForm *form); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PathForm, path_form_free)
// Returns a time, in seconds and >= 0, that the operation cannot beat with segments of this many bytes, a whole number
// of elements; 0 means that no message is cut.
double path_form_time(const PathForm *form, size_t segment);
// Returns a time that it cannot beat with segments of any length from `shortest` to `longest` bytes, or without segments.
double path_form_least(const PathForm *form, size_t shortest, size_t longest);
