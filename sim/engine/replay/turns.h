// Whether ranks can go through a schedule in lockstep although only every n-th does the same (lockstep.h). Private to
// the replay.
#pragma once
#include "engine/replay/gears.h"

// Returns n if all ranks can go through the whole schedule in turns of n ranks, with 2 <= n < p; otherwise 0.
int turns_of(const Schedule *s, const Hockney *model);
