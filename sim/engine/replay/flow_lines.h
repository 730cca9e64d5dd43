// The flow gear for operations that leave no request open: messages stand in the lines of NICs and memories, and
// nothing else competes. Private to the replay.
#pragma once
#include "engine/replay/gears.h"

// Returns whether it may run. It keeps no critical path, and no ledger.
bool flow_lines_apply(const Schedule *s, const Hockney *model);
// Runs ranks to their ends. Returns NULL where fewer than p do not stand for all, and if a rank is stuck.
Replay *flow_lines_replay(const GearInput *in);
