// Answers one command line after the other, for a program that asks the same of many machines (collsim-explore).
#pragma once
#include <glib.h>

// Reads requests from stdin until it ends, and returns the exit status. A request is a list of words, each ended by a
// zero byte, and then an empty word. The first word is the file that gets the answer, and the others are what follows
// `collsim` on a command line; run() runs them and returns their exit status. The reply on stdout is one line: the exit
// status, a space and the error, if there is one. A request may take at most `seconds` of CPU time; the process ends if one
// takes longer. Schedules are kept from one request to the next (kept.h).
int serve_requests(int (*run)(int argc, char **argv, GError **error), guint seconds);
