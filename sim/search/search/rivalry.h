// Two algorithms against each other: the sizes at which the faster one changes, for each number of ranks.
#pragma once
#include "search/form/crossover.h"
#include "search/form/size_form.h"
#include "search/search/rival_settings.h"

// The closed forms of both times near one size, and where they meet.
typedef struct Meeting {
    gboolean known; // TRUE if closed forms hold (request_flat) and both times are linear in m there; otherwise the
                    // other fields mean nothing
    SizeForm form[2];
    double m; // the size at which both take the same time, in bytes; NAN if there is none
} Meeting;

// Two algorithms on p ranks.
typedef struct Rivalry {
    const Request *request; // its `named` are the two algorithms
    int p, per_node;        // per_node: see Point
    CrossoverSearch search;
    Meeting *meeting;       // one for each crossover of search.found; a single one if there are none
    gboolean best;          // each has at every size its best parameters and parts
    RivalSettings settings; // .. which are among these
    const char *why[2];     // the need that keeps each algorithm from running below search.first, or at all; else NULL
} Rivalry;

// Makes a rivalry for each number of ranks of the request; rivalry_run_all runs them, on all processors. With `best`,
// each algorithm has its best parameters and parts at every size; both must then be of the registry, or of files. Free
// with g_ptr_array_unref.
GPtrArray *rivalry_make_all(const Request *request, gboolean best);
// Finds the crossovers of all rivalries. Returns FALSE and an error if a search fails.
gboolean rivalry_run_all(const GPtrArray *rivalries, GError **error);
// Returns the i-th of the two algorithms, i = 0 or 1.
const CollAlgorithm *rivalry_algorithm(const Rivalry *x, int i);
