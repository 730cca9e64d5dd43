// The [topology] of a platform: how a machine's hosts are connected, for a simulator of networks. Hosts are numbered
// row by row, so that neighbours have neighbouring numbers.
//
//   kind       shape                   meaning
//   flat       -                       every host has its own port into a network of unlimited capacity
//   fat_tree   2; 4,4; 1,2; 1,2        number of levels; then ports down, ports up and cables per port, each with one
//                                      number for every level from the hosts up
//   torus      4,4                     hosts in each dimension
//   dragonfly  2,1; 2,1; 2,1; 2        groups, chassis per group, routers per chassis, each with the number of cables
//                                      between two of them; then hosts per router
#pragma once
#include <glib.h>

typedef enum { TOPOLOGY_FLAT, TOPOLOGY_FAT_TREE, TOPOLOGY_TORUS, TOPOLOGY_DRAGONFLY, N_TOPOLOGIES } TopologyKind;
extern const char *const topology_names[N_TOPOLOGIES + 1]; // ends with NULL

// A topology as the file gives it and as topology_make completes it.
typedef struct Topology {
    TopologyKind kind;
    char *shape; // without spaces; NULL if flat
    int hosts;   // 0 if there are as many as are needed (flat)
    int hops;    // links between two hosts that are nearest to each other; 0 if there is only one host
} Topology;

// Sets *out to the topology of this kind and shape; shape is NULL for a flat one. Numbers are 1 or more, and there are
// at most 2^27 hosts. Free out->shape with g_free. On failure returns FALSE and a bad-input error, which does not name
// a file, and leaves *out as it was.
gboolean topology_make(TopologyKind kind, const char *shape, Topology *out, GError **error);

// ---- The section of a platform's file ------------------------------------------------------------------------------

// The values of kind, shape and shape.source that have been read. Begin with all zero.
typedef struct TopologyText {
    char *text[3];
    guint line[3]; // the line in the file; 0 if the key has not been read
} TopologyText;

// Keeps the value of a key that is in this line of the file. Returns FALSE and a bad-input error if the key is
// unknown or has been read before.
gboolean topology_read(TopologyText *given, guint line, const char *key, const char *value, GError **error);
// Sets *out to the topology that the whole section describes, or to the flat one if nothing was read. On failure
// returns FALSE and a bad-input error, and sets *line to the line that is wrong.
gboolean topology_finish(const TopologyText *given, guint *line, Topology *out, GError **error);
// Frees the values.
void topology_text_clear(TopologyText *given);
