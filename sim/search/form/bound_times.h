// Lower bounds as times on a machine, under hockney or measured: what no algorithm of messages can beat (bounds.h).
#pragma once
#include "search/form/bounds.h"

// What no algorithm can beat on a machine, each in seconds and >= 0.
typedef struct BoundTimes {
    double latency_s;     // of messages that must follow each other
    double bandwidth_s;   // of the bytes that must pass through a port of some rank
    double computation_s; // of what some rank must reduce
    double nodes_s;       // of what must pass between nodes, and through what their ranks share
} BoundTimes;

// Returns these under hockney with a transfer of this kind, or under measured, for ranks with `ports` >= 1 ports each
// way; under measured 1 stands for as many as the machine's figures say. Under hockney, the first three are rounds x
// alpha, bytes x beta and work x gamma with the figures of bounds_figures(): what a node's ranks share makes nothing
// faster. The first is longer where messages between nodes are slower than those within them.
BoundTimes bound_times_on(Collective collective, int p, double m, int ports, const Platform *platform,
                          Transfer transfer, const Mapping *map);
// Returns the longest of the four. No algorithm is faster.
double bound_times_longest(const BoundTimes *times);
// Returns the least time by which all of n ranks can know what one of them knew at 0, where a message arrives way_s after
// it began, and each of a rank's ports begins one every gap_s (Karp et al. 1993). This is also the least by which one
// rank can know something of each.
double bound_times_spread(double n, double way_s, double gap_s, double ports);
