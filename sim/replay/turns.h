// Lockstep for ranks that take turns: v does what v mod n does, relative to itself, so there are n classes. Step i of a
// class is an exchange or a reduction, and so is step i of every other class; what a rank sends in step i its peer,
// which may be of another class, receives in step i. Private to the replay.
//
// In allreduce k_ring on 8 ranks with k = 4, for example, n is 4. In the first step ranks 0 and 4 send to the rank 3
// above them, and 1, 2, 3 and 5, 6, 7 to the one 1 below.
#pragma once
#include "replay/gears.h"

// Returns n if all ranks can go through the whole schedule in this way, with 2 <= n < p; otherwise 0.
int turns_of(const Schedule *s, const Hockney *model);
// Runs all ranks to the end. `n` comes from turns_of. Returns NULL if, under measured, messages may take a port in another
// order than that of the steps.
Replay *turns_replay(const GearInput *in, int n);
// Returns the memory that this needs, in bytes.
size_t turns_bytes(const Schedule *s);
