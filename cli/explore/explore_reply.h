// What the server of `collsim explore` writes: headers, errors, answers as JSON, and the files of its page, which are compiled
// into the program.
#pragma once
#include "explore/explore_jobs.h"
#include <microhttpd.h>

// What a request gets.
typedef struct ExploreReply {
    guint status; // of HTTP
    struct MHD_Response *response;
} ExploreReply;

ExploreReply explore_reply_error(guint status, const char *text);
// Returns how a job has ended: {"line", "ms", "printed", "svg"} or {"line", "error"}; with `picture` the SVG alone.
ExploreReply explore_reply_answer(const ExploreAnswer *answer, gboolean picture);
// Returns what the page may offer: collectives with their algorithms, machines, and what to begin with.
ExploreReply explore_reply_about(const GPtrArray *machines, const ExploreStart *start);
// Returns a file of the page; "" is the page itself. An error if there is none of that name.
ExploreReply explore_reply_file(const char *name);
// Leads to another address.
ExploreReply explore_reply_address(const char *address);
// Returns a stream of events, which are what `read` writes.
ExploreReply explore_reply_events(MHD_ContentReaderCallback read, gpointer user);
