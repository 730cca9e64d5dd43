// The options about the network between nodes: its topology, the routing, and where the nodes of a run are.
#pragma once
#include "machine/network/placement.h"
#include "machine/platform/platform.h"

// The options as texts; NULL for those that were not given.
typedef struct NetworkOptions {
    char *topology, *routing, *nodes;
} NetworkOptions;
void network_options_clear(NetworkOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NetworkOptions, network_options_clear)

#define NETWORK_ENTRIES(o)                                                                                             \
    ENTRY_STRING("topology", 0, (o).topology, "another network, such as torus:16,16,16", "KIND:SHAPE"),                \
        ENTRY_STRING("routing", 0, (o).routing, "minimal or spread", "NAME"),                                          \
        ENTRY_STRING("nodes", 0, (o).nodes, "hosts of the nodes (default order)", "PLACEMENT")

#define HELP_PLACEMENT                                                                                                 \
    "--nodes order puts node i on host i, random:SEED on a random one of the machine,\n"                               \
    "and fragment:C:SEED the nodes into C of its groups. Of seeds 1..20 the table has\n"                               \
    "median and range. A file has the names of hosts, n[001-064,100] for several, in\n"                                \
    "the order of nodes, or is one of PICO's (MPI_Rank,allocation).\n"

#define HELP_ON_NETWORK                                                                                                \
    "Where links in [topology] have a rate, messages of a round share them, under\n"                                   \
    "hockney (docs/NETWORKS.md). --topology KIND:SHAPE and --routing ask about\n"                                      \
    "another network; --nodes order puts node i on host i, random:SEED on a random\n"                                  \
    "one, fragment:C:SEED the nodes into C groups, and a file has names of hosts.\n"

// Reads the options for a platform. Returns FALSE and an error on bad input, or if the platform has no topology and the
// options give none.
gboolean ask_network(const NetworkOptions *options, const Platform *platform, NetworkSpec *asked, GError **error);
// Returns the network with this seed's placement of so many nodes: see placement_make().
Network *ask_network_place(const NetworkSpec *asked, uint32_t seed, int nodes, int **hosts, GError **error);
