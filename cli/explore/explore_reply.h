// What the server of `collsim explore` writes: headers, errors, answers as JSON, and the files of its page, which are compiled
// into the program.
#pragma once
#include "explore/explore_jobs.h"
#include <libsoup/soup.h>

// Sets the headers that all answers have.
void explore_reply_begin(SoupServerMessage *message);
void explore_reply_error(SoupServerMessage *message, guint status, const char *text);
// Writes how a job has ended: {"line", "ms", "printed", "svg"} or {"line", "error"}; with `picture` the SVG alone.
void explore_reply_answer(SoupServerMessage *message, const ExploreAnswer *answer, gboolean picture);
// Writes what the page may offer: collectives with their algorithms, machines, and what to begin with.
void explore_reply_about(SoupServerMessage *message, const GPtrArray *machines, const ExploreStart *start);
// Writes a file of the page; "" is the page itself. Returns FALSE if there is none of that name.
gboolean explore_reply_file(SoupServerMessage *message, const char *name);
