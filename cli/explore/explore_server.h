// The HTTP server of `collsim explore`, on 127.0.0.1 alone. It answers only those who know the token in its address, and no
// page of another origin.
#pragma once
#include "explore/explore_jobs.h"
#include <glib.h>

typedef struct ExploreServer ExploreServer;

// Starts to listen; port 0 is any that is free. Returns NULL and an error if the port is taken. `jobs` and `machines` must
// outlive the server. Free with explore_server_free.
ExploreServer *explore_server_new(guint port, ExploreJobs *jobs, const GPtrArray *machines, const ExploreStart *start,
                                  GError **error);
void explore_server_free(ExploreServer *server);
// Returns the address of the page, with the token. Owned by the server.
const char *explore_server_address(const ExploreServer *server);
guint explore_server_port(const ExploreServer *server);
// Returns an address that leads to the page once. A browser is started with it, because other users of the machine can see the
// words with which a program is started; after that one time this address is worth nothing to them. Free with g_free.
char *explore_server_ticket(ExploreServer *server);
// Calls gone() once the last page was closed and none came back for some seconds.
void explore_server_watch(ExploreServer *server, void (*gone)(gpointer user), gpointer user);
