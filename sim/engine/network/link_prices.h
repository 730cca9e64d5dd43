// The prices of messages on a network (engine/replay/links.h), from the loads of their rounds.
#pragma once
#include "engine/network/walk.h"
#include "engine/replay/links.h"
#include "machine/network/network.h"

typedef struct LinkPricesOptions {
    Transfer transfer;
    bool each;  // every rank's own time is wanted: it begins at a time of its own, or its end is asked for
    bool links; // .. and what its messages wait for
} LinkPricesOptions;

// Gives the site the prices of a schedule's messages; host[i] is the host of node i. Returns FALSE and an error if there
// are too many messages, if sums would not fit into 64 bits, or if rounds are not known.
gboolean link_prices_add(Site *site, const Schedule *s, const LinkPricesOptions *options, const Network *network,
                         const int *host, GError **error);
