// A lower bound on the time of an operation under hockney and measured, from the NICs of one node.
#pragma once
#include "engine/model/model.h"

// Returns a time, in seconds and >= 0, that the operation cannot beat because of the NICs of one node: its root's, or
// in a scan one in the middle. The texts of all ranks of the node are run, each as if every peer were ready. A NIC
// serves the messages that leave the node, and those that enter it, one after the other: the last of them begins no
// earlier than when the first one can, and the NIC has served all others. Then that message still has to arrive, and
// its rank must do what its text has after the last of its messages between nodes. The bound is 0 where nodes have no
// NICs. `map` is where the ranks are (PredictOptions.map).
//
// To a caller that passes `enough_s`, in seconds, all bounds that are as large are alike: once there is such a bound,
// no other text is run. With INFINITY all are.
double node_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                  double enough_s);
// Returns a lesser bound that costs little however long the texts are: where the collective says how much must leave each
// node, from where the first message to another node begins. It is 0 elsewhere. `enough_s`, which must be finite, is as
// above.
double node_begun_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                        double enough_s);
// Returns another bound by the messages that the same node receives, which takes a few times as long to find: none of
// them begins before its sender's text has come to it, and what follows the last of them may lead from rank to rank, as
// through the tree that gathers at the root. It is 0 where that would take too many operations. `enough_s` is as above.
double node_late_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                       double enough_s);
