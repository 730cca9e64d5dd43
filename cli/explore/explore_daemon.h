// libmicrohttpd in GLib's loop: it listens on a port of 127.0.0.1 and calls for each request, all in one thread.
#pragma once
#include <glib.h>
#include <microhttpd.h>

typedef struct ExploreDaemon ExploreDaemon;

// Starts to listen; port 0 is any that is free. Returns NULL and an error if the port is taken. Free with explore_daemon_free,
// which ends all requests, and needs that none of them is suspended.
ExploreDaemon *explore_daemon_new(guint port, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback ended,
                                  gpointer user, GError **error);
void explore_daemon_free(ExploreDaemon *daemon);
guint explore_daemon_port(const ExploreDaemon *daemon);
// Goes on with a connection that was suspended.
void explore_daemon_resume(ExploreDaemon *daemon, struct MHD_Connection *connection);
