// The network between the hosts of a machine: its links, and which of them a message from one host to another passes.
// It is made from the [topology] of a platform (machine/platform/topology.h), for so many hosts as a run needs. No link
// is stored: a link is a number, and a route is computed.
//
// A link has a direction. Links are in classes, whose numbers follow each other:
//
//   kind       classes                        numbers within a class
//   torus      dim1, dim2 ..                  up from each host, then down from each host
//   fat_tree   level1 .. (hosts to switches   up from each host or switch to each parent, then down, likewise
//              first)
//   dragonfly  host, chassis, group, global   up from each host, then down to each; from a router to each blade of its
//                                             chassis; to each chassis of its group; from a group to each one
//   (ours)     host, group, global            the same; from a switch to each one of its group; the cables of a group,
//                                             by how many groups further they lead
//   hyperx     host, dim1, dim2 ..            the same; from a switch to those 0, 1, 2 .. further in the dimension
//   groups     host, pair, out, in            the same; from a group to those 0, 1, 2 .. further; all that leaves a
//                                             group; all that enters it
//
// With minimal routing a message takes one shortest way: a torus and a hyperx go through dimensions in order, a torus
// the shorter way round and upwards where both are equal; a fat tree goes up by the destination's number (d-mod-k); a
// dragonfly goes to its gateway, over, and on. With spread routing it takes all shortest ways evenly: all orders of
// dimensions, both ways round, all switches of a fat tree, all cables between two groups. Each link then has a share of
// the message, in units of 1 / whole.
#pragma once
#include "machine/platform/topology.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct NetworkClass {
    const char *name;
    int32_t first, numbers; // the number of the first link, and how many numbers the class has ..
    int64_t links;          // .. and how many of these are links: none leads from a group to itself
    // Links that are copies of each other where `unit` is set: those whose numbers within the class are equal modulo
    // `block`, within the first and the second half if `halves`.
    int32_t block;
    bool halves; // up and down
} NetworkClass;

// Links first, first + stride, .. of one class, n in all, each with the same share of a message.
typedef struct NetworkHop {
    int32_t first, stride, n;
    uint32_t weight; // of Network.whole
    uint32_t class;
} NetworkHop;

typedef struct Network Network;
struct Network {
    Topology topology;
    int hosts;
    int n_classes;
    NetworkClass class[TOPOLOGY_CLASSES];
    int32_t n_links;
    uint32_t whole; // the weight of a link that all of a message passes
    int most_hops;  // of a route
    // If above 0: the network looks the same from host h and from host (h + unit) mod hosts, for each h.
    int unit;
    int part; // hosts in a group, in a subtree of the highest switches, or in a plane of the last dimension
    int (*route)(const Network *n, int from, int to, NetworkHop *hops);
    int sizes[TOPOLOGY_NUMBERS];        // of the kind: hosts, switches or groups in each dimension
    int n_sizes, per_switch;            // .. and hosts of a switch
    int64_t ways[TOPOLOGY_NUMBERS + 1]; // fat_tree: products of ports up
};

// Returns the network of a topology that is not flat, with at least this many hosts. Returns NULL and a bad-input error
// if it has fewer, or too many links or ways. Free with network_free.
Network *network_new(const Topology *topology, int hosts, GError **error);
void network_free(Network *network); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Network, network_free)

// Writes the route between two hosts to hops[], which has room for network->most_hops, and returns how many these are;
// 0 from a host to itself.
static inline int network_route(const Network *n, int from, int to, NetworkHop *hops)
{
    return from == to ? 0 : n->route(n, from, to, hops);
}

// Returns how many links a message passes on the way that network_route() wrote; where ways differ, the mean, rounded
// down. What all of a group's bundles make up together is not a link of its own.
int network_links(const Network *network, const NetworkHop *hops, int count);
// Returns the class of a link.
int network_class_of(const Network *network, int32_t link);
// Returns the number, within its class, of the first of the links that are its copies (NetworkClass.block).
static inline int32_t network_first_copy(const NetworkClass *class, int32_t at)
{
    const int32_t half = class->halves ? class->numbers / 2 : class->numbers;
    if (at < class->block)
        return at;
    return at >= half ? half + (at - half) % class->block : at % class->block;
}
// Replaces the links of a hop, where `unit` is set, by the first of their copies.
static inline void network_fold_hop(const Network *network, NetworkHop *hop)
{
    const NetworkClass *c = &network->class[hop->class];
    hop->first = c->first + network_first_copy(c, hop->first - c->first);
    if (hop->n > 1 && hop->stride % c->block == 0) { // they are all copies of the first
        hop->weight *= (uint32_t)hop->n;
        hop->n = 1;
    }
}
// Returns a link as people call it: "dim2 from host 5 up", "group 3 to group 7". Free with g_free.
char *network_link_text(const Network *network, int32_t link);
