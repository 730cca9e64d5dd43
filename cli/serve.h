// Answers many command lines in one process. collsim-explore asks for the same map of many machines, so the schedules
// of one are there for the next.
#pragma once
#include <glib.h>

// Reads requests from stdin until it ends, and returns the exit status. A request is a list of words, each ended by a
// zero byte, and then an empty word. The first word is the file that gets the answer, and the others are what follows
// `collsim` on a command line; run() runs them and returns their exit status. The reply on stdout is one line: the exit
// status, a space and the error, if there is one. An answer that cannot be written, as on a full disk, is the last one:
// a program that has more requests starts another server. A request may take at most `seconds` of CPU time; the process
// ends if one takes longer. Schedules are kept from one request to the next (kept.h).
int serve_requests(int (*run)(int argc, char **argv, GError **error), guint seconds);
