// How a machine's hosts are connected, as a simulator of networks is told: the [topology] of a platform. The hosts are
// numbered row by row, neighbours first.
//
//   kind       shape                   means
//   flat       -                       every host has a port of its own into a network that nobody fills
//   fat_tree   2; 4,4; 1,2; 1,2        levels; ports down, ports up, cables a port, of each level from the hosts up
//   torus      4,4                     hosts of each dimension
//   dragonfly  2,1; 2,1; 2,1; 2        groups, chassis of a group, routers of a chassis, each with the cables between
//                                      two of them; hosts of a router
#pragma once
#include <glib.h>

typedef enum { TOPOLOGY_FLAT, TOPOLOGY_FAT_TREE, TOPOLOGY_TORUS, TOPOLOGY_DRAGONFLY, N_TOPOLOGIES } TopologyKind;
extern const char *const topology_names[N_TOPOLOGIES + 1]; // ends with NULL

// All zero: flat.
typedef struct Topology {
    TopologyKind kind;
    char *shape; // without spaces; NULL where flat
    int hosts;   // 0: as many as are wanted
    int hops;    // links between two hosts that are nearest to each other; 0 where there is but one host
} Topology;

// The topology of this kind and shape (NULL: none given), in *out; free its shape with g_free. Numbers are 1 or more,
// hosts at most 2^27. An error is one line without a place, and leaves *out as it was.
gboolean topology_make(TopologyKind kind, const char *shape, Topology *out, GError **error);

// ---- The section of a platform's file ------------------------------------------------------------------------------

// What has been read of it: kind, shape, shape.source. All zero at first.
typedef struct TopologyText {
    char *text[3];
    guint line[3]; // of the file; 0: not read
} TopologyText;

// Takes key = value of this line.
gboolean topology_read(TopologyText *given, guint line, const char *key, const char *value, GError **error);
// What the section says as a whole, in *out; flat where nothing was read. On error *line is where it is wrong.
gboolean topology_finish(const TopologyText *given, guint *line, Topology *out, GError **error);
void topology_text_clear(TopologyText *given);
