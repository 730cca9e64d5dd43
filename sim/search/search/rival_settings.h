// The parameters and parts with which each of two algorithms is at its best, at every size.
#pragma once
#include "search/search/contest.h"

enum { RIVAL_SETTINGS_LARGEST = 16 << 20 }; // no larger sizes are searched

// Parameters that may be the best of an algorithm from one size to another, in bytes.
typedef struct RivalSetting {
    CollParams par;
    size_t from, to;
    size_t found; // where the search found them; 0 for the defaults
} RivalSetting;

// The caller sets the fields down to `algorithm`. Clear with rival_settings_clear.
typedef struct RivalSettings {
    const Request *request; // its `named` are the two algorithms
    int p, per_node;        // per_node: see Point
    const CollAlgorithm *algorithm[2];
    GArray *of[2];          // of RivalSetting
    ContestCounts searched; // what the search for them has considered
} RivalSettings;

// Finds the parameters with which each of the two is the fastest at some size, as the search for the best of the two
// finds it at sizes of 1, 8, 64 .. elements, up to `most` bytes. Those of one size may be the best up to the next ones
// on both sides, and the defaults everywhere. Where the search shows that one of the two cannot win, it does not look
// for the best parts of that one. Returns FALSE and an error if the search fails.
gboolean rival_settings_find(RivalSettings *x, size_t most, GError **error);
// Adds the settings with which the two are the fastest at one more size. Sets *grown to TRUE if some were not known, or
// not for sizes so far away; else leaves it. Returns FALSE and an error if the search fails.
gboolean rival_settings_add(RivalSettings *settings, size_t m, gboolean *grown, GError **error);
// Runs the i-th algorithm with those of its settings that may be the best at m bytes, also with segments of parts that are
// the same share of the message as where they were found, and returns the fastest run; the first of equals. Returns NULL if it can run with none of them, or if *error is set. Free with point_free.
Point *rival_settings_fastest(const RivalSettings *x, int i, size_t m, GError **error);
void rival_settings_clear(RivalSettings *x);
