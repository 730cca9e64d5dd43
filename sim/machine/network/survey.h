// What can be said of a network without a run: how far hosts are from each other, what connects its halves, and how
// much of a link's rate random pairs of hosts get.
#pragma once
#include "machine/network/network.h"

// Returns, by number of links (GArray of uint64_t), how many of the pairs of hosts that were looked at are so far from
// each other: all hosts seen from up to `sources` hosts. Free with g_array_unref.
GArray *network_distances(const Network *network, int sources);
// Returns how many links of a class, in one direction, lead from the hosts of one half of the network's parts to the
// other half; 0 if none does.
int64_t network_cut(const Network *network, int class);
// Returns the class of links that limits a host's message alone: that of its own link, or the first class that has a rate.
int network_own_class(const Network *network);
// Returns the effective bisection of one random pairing: hosts are paired at random, each sends to its partner, and gets
// the share of the rate of network_own_class() that the fullest link on its way leaves it; the mean over all hosts. If no class has a
// rate, all links are as fast. Returns NAN for groups without rates, whose bundles are not links of a host's rate.
double network_pairing(const Network *network, uint32_t seed);
