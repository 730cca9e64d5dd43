// What no algorithm of messages can beat on a fully connected network (Chan et al. 2007; Bar-Noy and Kipnis 1994). Blocks
// are all alike; reductions may be reordered and shared out among the ranks.
#pragma once
#include "coll.h"
#include "platform/platform.h"

// What the collective cannot do without, each on its own: T is no less than rounds alpha, nor bytes beta, nor work gamma.
// The three together need not be reachable.
typedef struct Bounds {
    double rounds; // messages one after the other
    double bytes;  // through a port of some rank
    double work;   // bytes that some rank reduces
} Bounds;

// For p >= 1 ranks and m >= 0 bytes, as -m, one port each way (rendezvous and eager-port). Of nothing to be moved (m = 0,
// p = 1) all are 0; a reduce_scatter has an element at least for each rank.
Bounds bounds_lower(Collective collective, int p, double m);
// The same where a rank has so many ports each way, >= 1; `eager`: where messages arrive without taking a port, so that
// what flows into one rank alone (gather, gatherv, reduce) is bounded by what each of the others sends.
Bounds bounds_of_ports(Collective collective, int p, double m, int ports, bool eager);
// Their formulas, "ceil(log2 p) alpha, m beta"; free with g_free.
char *bounds_text(Collective collective, int ports, bool eager);
// max(rounds alpha, bytes beta, work gamma), s: the sure bound.
double bounds_time(const Bounds *bounds, const Platform *platform);

// A bcast of S equal blocks that are sent one by one takes S - 1 + ceil(log2 p) rounds, so with the best S no less than
// (sqrt((ceil(log2 p) - 1) alpha) + sqrt(m beta))^2, s. No bound for what sends blocks of different lengths, or several in
// one message. p >= 2.
double bounds_bcast_blocks(int p, double m, const Platform *platform);
