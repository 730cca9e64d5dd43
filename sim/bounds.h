// What no algorithm can beat: one port each way, a fully connected network (Chan et al. 2007).
#pragma once
#include "coll.h"
#include "platform.h"

// max(c alpha, B beta, W gamma), s: the rounds, the bytes through some port and the bytes reduced at some rank that the
// collective cannot do without. m bytes, as -m.
double lower_bound(Collective collective, int p, size_t m, const Platform *platform);
