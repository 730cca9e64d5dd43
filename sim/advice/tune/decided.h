// The times of what a decider of a request makes a library run, at many calls at once.
#pragma once
#include "search/search/points.h"

typedef struct DecidedTime {
    int p, per_node; // the call
    size_t m;
    const CollAlgorithm *named; // the decider, one of request->question.named
    double time_s;              // NAN if it is too large to simulate
    const CollAlgorithm *entry; // whose time that is; NULL without an entry
    char *text;                 // what runs, with its parameters
    char *missing;              // why the time is not known, or what was simulated instead; NULL if all is known
} DecidedTime;

// Returns an empty list (DecidedTime), for decided_add(). Free with g_array_unref.
GArray *decided_new(void);
void decided_add(GArray *times, const CollAlgorithm *named, int p, int per_node, size_t m);
// Fills in what runs at all calls, and its times. `what` is how progress calls the calls. Returns FALSE and an error
// if a call is bad input.
gboolean decided_times(GArray *times, const Request *r, const char *what, GError **error);
