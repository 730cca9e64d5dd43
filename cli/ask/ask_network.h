// The options about the network between nodes, for the tables of subcommands.
#pragma once
#include "machine/network/network_options.h"

#define NETWORK_ENTRIES(o) NETWORK_TEXTS((o).topology, (o).routing, (o).nodes)
#define NETWORK_TEXTS(TOPOLOGY, ROUTING, NODES)                                                                        \
    ENTRY_STRING("topology", 0, TOPOLOGY, "another network, such as torus:16,16,16", "KIND:SHAPE"),                    \
        ENTRY_STRING("routing", 0, ROUTING, "minimal or spread", "NAME"),                                              \
        ENTRY_STRING("nodes", 0, NODES, "hosts of the nodes (default order)", "PLACEMENT")

#define HELP_PLACEMENT                                                                                                 \
    "--nodes order puts node i on host i, random:SEED on a random one of the machine,\n"                               \
    "and fragment:C:SEED the nodes into C of its groups. Of seeds 1..20 the table has\n"                               \
    "median and range. A file has the names of hosts, n[001-064,100] for several, in\n"                                \
    "the order of nodes, or is one of PICO's (MPI_Rank,allocation).\n"

#define HELP_ON_NETWORK                                                                                                \
    "Where links in [topology] have a rate, messages of a round share them, under\n"                                   \
    "hockney and measured (docs/NETWORKS.md). --topology KIND:SHAPE and --routing ask\n"                               \
    "about another network; --nodes order puts node i on host i, random:SEED on a\n"                                   \
    "random one, fragment:C:SEED the nodes into C groups; a file has names of hosts.\n"
