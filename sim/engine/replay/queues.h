// Lockstep for ranks of nodes that share NICs: every rank's k-th exchange meets its partner's k-th, and the messages of
// one exchange stand in the lines of the NICs before those of the next. Private to the replay.
#pragma once
#include "engine/replay/gears.h"

// Returns whether `ranks` ranks may try to go through the whole schedule in this way.
bool queues_apply(const Schedule *s, const Hockney *model, int ranks);
// Runs ranks to the end. Returns NULL if exchanges do not meet, if messages of one exchange would have to wait for
// those of a later one, or if fewer than p ranks do not stand for all.
Replay *queues_replay(const GearInput *in);
// Returns the memory that this needs, in bytes.
size_t queues_bytes(const Schedule *s, int ranks);
