// What an operation takes at least under hockney, from the texts of a few of its ranks.
#pragma once
#include "model/model.h"

// The latest end, s, that the root's text, its neighbours' and another one's have if whoever a rank waits for is ready: what
// passes its ports, what it reduces, and the order of what blocks. For algorithms of messages; no less than 0.
double text_bound(const Operation *op, const Platform *platform, Transfer transfer);
