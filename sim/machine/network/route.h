// The routes of each kind of network. Private to the network.
#pragma once
#include "machine/network/network.h"

// Sets what the kind has: sizes, classes by network_add_class(), ways, and the route. Returns FALSE and a bad-input error
// if the network is too large.
typedef gboolean NetworkMake(Network *n, const TopologyNumbers *x, int hosts, GError **error);
NetworkMake network_torus, network_fat_tree, network_dragonfly, network_switched, network_hyperx, network_groups;

// Adds a class that has this many numbers, or twice as many with `halves`, and this many links among them. The sum of
// the numbers is checked later.
void network_add_class(Network *n, int64_t numbers, int64_t links, int64_t block, bool halves);
// Sets the weights of ways through `dims` dimensions in all orders, and n->whole. Returns FALSE and an error if these
// are too many.
gboolean network_orders(Network *n, int dims, GError **error);
// Returns the weight of a step in one of `open` dimensions after `done` others, of all orders of these; `dims` is what
// network_orders() got.
uint32_t network_order_weight(const Network *n, int dims, int open, int done);

static inline NetworkHop *network_hop(const Network *n, NetworkHop *at, int class, int64_t link, uint32_t weight)
{
    *at = (NetworkHop){(int32_t)(n->class[class].first + link), 1, 1, weight, (uint32_t) class};
    return at + 1;
}
