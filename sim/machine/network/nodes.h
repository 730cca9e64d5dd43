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

typedef enum NodesKind { NODES_ORDER, NODES_RANDOM, NODES_FRAGMENT, NODES_FILE } NodesKind;

// Clear with nodes_clear. All zero is `order`.
typedef struct NodesSpec {
    NodesKind kind;
    uint32_t seed, last_seed;
    int fragments;
    char *file;
    GPtrArray *names; // of char *: of NODES_FILE, in the order of nodes
    GArray *lines;    // of guint64: the line of each
} NodesSpec;

// Parses the argument of --nodes, and reads the file that it names. Returns FALSE and a bad-input error if it is
// malformed, with nothing to clear.
gboolean nodes_parse(const char *text, NodesSpec *spec, GError **error);
// Reads a file's text in the same way; errors call it `name`.
gboolean nodes_parse_text(const char *name, const char *text, size_t length, NodesSpec *spec, GError **error);
void nodes_clear(NodesSpec *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NodesSpec, nodes_clear)

// Returns the network of a topology in which so many nodes have room, and sets (*hosts)[i] to the host of node i in the
// placement of `seed`; `table` is the topology's file of hosts, or NULL. Returns NULL and a bad-input error if there is
// no room, or if a name is unknown or comes twice. Free with network_free and g_free.
Network *nodes_place(const NodesSpec *spec, uint32_t seed, const Topology *topology, const Hosts *table, int nodes,
                     int **hosts, GError **error);
