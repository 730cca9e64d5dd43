// The [topology] of a platform: how a machine's hosts are connected. SimGrid's export uses kind and shape; the loads of
// links (machine/network/network.h) use all of it. Hosts are numbered row by row, so that neighbours have neighbouring
// numbers.
//
//   kind       shape                   meaning
//   flat       -                       every host has its own port into a network of unlimited capacity
//   fat_tree   2; 4,4; 1,2; 1,2        number of levels; then ports down, ports up and cables per port, each with one
//                                      number for every level from the hosts up
//   torus      4,4                     hosts in each dimension
//   dragonfly  2,1; 2,1; 2,1; 2        groups, chassis per group, routers per chassis, each with the number of cables
//                                      between two of them; then hosts per router. Router g of a chassis leads to
//                                      group g, as in SimGrid
//   dragonfly  73,4; 32,1; 4           groups, switches per group, each with the number of cables between two of them;
//                                      then hosts per switch. A group's cables begin at its switches in turn, in the
//                                      order of the distances to the groups that they lead to
//   hyperx     8,8; 4                  switches in each dimension; then hosts per switch (1 if it is left out). Each two
//                                      switches that differ in one dimension have a cable
//   groups     256; 6                  hosts in a group; then groups (as many as are needed if it is left out)
#pragma once
#include <glib.h>

typedef enum {
    TOPOLOGY_FLAT,
    TOPOLOGY_FAT_TREE,
    TOPOLOGY_TORUS,
    TOPOLOGY_DRAGONFLY,
    TOPOLOGY_HYPERX,
    TOPOLOGY_GROUPS,
    N_TOPOLOGIES
} TopologyKind;
extern const char *const topology_names[N_TOPOLOGIES + 1]; // ends with NULL

// Which way a message takes: one shortest way that is fixed, or evenly all shortest ways.
typedef enum { ROUTING_MINIMAL, ROUTING_SPREAD, N_ROUTINGS } TopologyRouting;
extern const char *const routing_names[N_ROUTINGS + 1]; // ends with NULL

// The numbers of a shape: sections separated by ';', and numbers in a section separated by ','.
enum { TOPOLOGY_NUMBERS = 32, TOPOLOGY_SECTIONS = 4, TOPOLOGY_CLASSES = TOPOLOGY_NUMBERS + 1 };
typedef struct TopologyNumbers {
    int sections, count[TOPOLOGY_SECTIONS], at[TOPOLOGY_SECTIONS][TOPOLOGY_NUMBERS];
} TopologyNumbers;

// What the links of a topology can do. It is shared by the copies of a topology, and not changed.
typedef struct TopologyLinks {
    gboolean rated; // some class has a rate
    double
        per_byte_s[TOPOLOGY_CLASSES]; // by class, of what `background` leaves of its rate; 0 if it has no rate, so that
                                      // it never limits a message
    double background[TOPOLOGY_CLASSES]; // by class: the share of its rate that other traffic has
    double hop_s;                        // of each link of a route beyond the first
    char *source[TOPOLOGY_CLASSES], *hop_source;
    char *hosts, *hosts_source; // the file with the names of hosts; NULL for none
} TopologyLinks;

// A topology as the file gives it and as topology_make completes it.
typedef struct Topology {
    TopologyKind kind;
    char *shape;   // without spaces; NULL if flat
    int hosts;     // 0 if there are as many as are needed (flat, and groups without a number)
    int hops;      // links between two hosts that are nearest to each other; 0 if there is only one host
    gboolean ours; // SimGrid has no such network
    TopologyNumbers numbers;
    TopologyRouting routing;
    TopologyLinks *links; // a reference-counted box (g_atomic_rc_box); NULL if flat
} Topology;

// Sets *out to the topology of this kind and shape; shape is NULL for a flat one. Numbers are 1 or more, and there are
// at most 2^27 hosts. The routing is the kind's default, and no class has a rate. Free it with topology_clear. On
// failure returns FALSE and a bad-input error, which does not name a file, and leaves *out as it was.
gboolean topology_make(TopologyKind kind, const char *shape, Topology *out, GError **error);
// Returns a copy. Free with topology_clear.
Topology topology_copy(const Topology *of);
void topology_clear(Topology *topology);

// Gives a topology the links of another one that has as many classes: their rates, hop, and the file of hosts.
void topology_take_links(Topology *topology, const Topology *from);

// Gives a topology links with so many times the rates, and with hops that are so much shorter.
void topology_speed_up(Topology *topology, double rates, double hops);

// Returns how many classes of links the topology has, and the name of class i: "host", "dim3", "level2", "pair".
int topology_classes(const Topology *t);
const char *topology_class(const Topology *t, int i);

// ---- The section of a platform's file ------------------------------------------------------------------------------

// A line of the section: a key, and its value.
typedef struct TopologyLine {
    char *key, *value;
    guint line;
} TopologyLine;

// The lines that have been read. Begin with all zero.
typedef struct TopologyText {
    GArray *lines; // of TopologyLine
} TopologyText;

// Keeps the value of a key that is in this line of the file. Returns FALSE and a bad-input error if the key is
// unknown or has been read before.
gboolean topology_read(TopologyText *given, guint line, const char *key, const char *value, GError **error);
// Sets *out to the topology that the whole section describes, or to the flat one if nothing was read. The file of hosts
// is sought beside `path`, the platform's file. On failure returns FALSE and a bad-input error, and sets *line to the
// line that is wrong.
gboolean topology_finish(const TopologyText *given, const char *path, guint *line, Topology *out, GError **error);
// Frees the values.
void topology_text_clear(TopologyText *given);
