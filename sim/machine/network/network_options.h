// The options about the network between nodes, as users write them: its topology, the routing, and where the nodes of a
// run are.
#pragma once
#include "machine/network/placement.h"
#include "machine/platform/platform.h"

// The options as texts; NULL for those that were not given.
typedef struct NetworkOptions {
    char *topology, *routing, *nodes;
} NetworkOptions;
void network_options_clear(NetworkOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NetworkOptions, network_options_clear)

// Reads the options for a platform. A topology of the same kind, with as many classes of links, has the platform's rates.
// Returns FALSE and an error on bad input, or if the platform has no topology and the options give none. Clear `asked`
// with network_spec_clear in any case.
gboolean network_options_read(const NetworkOptions *options, const Platform *platform, NetworkSpec *asked,
                              GError **error);
