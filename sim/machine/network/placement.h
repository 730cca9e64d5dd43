// What --nodes asks for: on which hosts of the network the nodes of a run are. (Which ranks a node has is --map's.)
//
//   order             node i is on host i
//   random:SEED       the nodes are on random hosts of the machine
//   fragment:C:SEED   the nodes are in C random groups of the machine (Network.part), in the order of hosts: in each
//                     group on consecutive hosts, as many as chance will have it
//   FILE              names of hosts, or numbers if the topology has no file of hosts: lists as in host_names.h, in the
//                     order of nodes; or a CSV with the columns MPI_Rank and allocation, as PICO writes it
//
// SEED may be a range, 1..20: then there is a placement for each.
#pragma once
#include "machine/network/hosts.h"

typedef enum PlacementKind { PLACEMENT_ORDER, PLACEMENT_RANDOM, PLACEMENT_FRAGMENT, PLACEMENT_FILE } PlacementKind;

// Clear with placement_clear. All zero is `order`.
typedef struct Placement {
    PlacementKind kind;
    uint32_t seed, last_seed;
    int fragments;
    char *file;
    GPtrArray *names; // of char *: of PLACEMENT_FILE, in the order of nodes
    GArray *lines;    // of guint64: the line of each
} Placement;

// Parses the argument of --nodes, and reads the file that it names. Returns FALSE and a bad-input error if it is
// malformed, with nothing to clear.
gboolean placement_parse(const char *text, Placement *spec, GError **error);
// Reads a file's text in the same way; errors call it `name`.
gboolean placement_parse_text(const char *name, const char *text, size_t length, Placement *spec, GError **error);
void placement_clear(Placement *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Placement, placement_clear)

// Returns how many seeds there are: 1 or more.
static inline int placement_seeds(const Placement *spec)
{
    return (int)(spec->last_seed - spec->seed) + 1;
}
// Returns the seed of run i of several: one above the other if there is a range, and otherwise always the same.
static inline uint32_t placement_seed(const Placement *spec, int i)
{
    return placement_seeds(spec) > 1 ? spec->seed + (uint32_t)i : spec->seed;
}

// The network of a run, and where its nodes are. Clear with network_spec_clear.
typedef struct NetworkSpec {
    Topology topology;
    Placement nodes;
    Hosts *hosts; // NULL if the topology names no file of hosts
} NetworkSpec;
void network_spec_clear(NetworkSpec *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NetworkSpec, network_spec_clear)

// Returns "torus 4,4, minimal routing, 30 % of dim1 are others'". Free with g_free.
char *network_spec_text(const NetworkSpec *spec);
// Return the placement as --nodes takes it: with one seed, "random:3", and with all that were asked for, "random:1..20".
// Free with g_free.
char *network_spec_nodes(const NetworkSpec *asked, uint32_t seed);
char *network_spec_all_nodes(const NetworkSpec *asked);

// Returns the network of a topology in which so many nodes have room, and sets (*hosts)[i] to the host of node i in the
// placement of `seed`; `table` is the topology's file of hosts, or NULL. Returns NULL and a bad-input error if there is
// no room, or if a name is unknown or comes twice. Free with network_free and g_free.
Network *placement_make(const Placement *spec, uint32_t seed, const Topology *topology, const Hosts *table, int nodes,
                        int **hosts, GError **error);
