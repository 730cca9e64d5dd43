// The places that a regret (regret.h) looks at: those of a grid, and pairs of neighbours on both sides of every place
// where the library decides otherwise.
#pragma once
#include "search/search/contest.h"

typedef struct RegretPlace {
    int p, per_node;
    size_t m;
    gboolean grid;              // it belongs to the grid, not only to a pair
    double default_s;           // NAN where the default is not known
    double usual_s, best_s;     // usual_s: where no rule of a file decides (below); both are NAN where it is not known
    char *decided;              // what the library runs (decision_text)
    char *missing;              // why the default is not known, or what was simulated instead; NULL if all is known
    char *best, *best_id;       // the algorithm with its parameters, and the library's name of it
    double all_s;               // of the best of all algorithms; NAN unless it was looked for
    char *all;                  // that algorithm, with its parameters
    const CollAlgorithm *entry; // of the best, with `par`; NULL where the default is the best, or not known
    CollParams par;
    const CollAlgorithm *default_entry, *usual_entry; // whose times default_s and usual_s are; NULL without an entry
} RegretPlace;

// Two neighbours, the one with fewer ranks or bytes first.
typedef struct RegretPair {
    guint place[2];
    double factor; // the larger x divided by the smaller one
} RegretPair;

// Returns an empty index of the places that are known, for regret_places_add(); free with g_hash_table_unref.
GHashTable *regret_places_new(void);
// Returns the index of a place in `places` (RegretPlace), to which it is added if it is new.
guint regret_places_add(GArray *places, GHashTable *known, int p, int per_node, size_t m, gboolean grid);
// Adds the places of the request's grid, and to `pairs` (RegretPair) the pairs of neighbours, unless it is NULL.
void regret_places_add_grid(GArray *places, GArray *pairs, const Request *r);
// Returns the sizes of the grid; a barrier has one, 0. Free with g_array_unref.
GArray *regret_places_sizes(const Question *q);
