// Times of simulations that are done, for a search that looks at the same points as an earlier one.
#pragma once
#include "schedule/sampled.h"
#include <glib.h>

typedef struct KnownTimes KnownTimes;

// What was simulated, from root 0.
typedef struct KnownRun {
    const CollAlgorithm *algorithm; // that ran, not one in whose place a fallback ran
    CollParams par;
    int p, per_node; // see Point
    size_t m, elem;
} KnownRun;

KnownTimes *known_new(void);
void known_free(KnownTimes *known);
// Notes how long a run takes; INFINITY if it does not end. Threads may call this and known_find() at the same time.
void known_add(KnownTimes *known, const KnownRun *run, double time_s);
// Sets *time_s to how long a run takes. Returns FALSE if that was not noted.
gboolean known_find(KnownTimes *known, const KnownRun *run, double *time_s);
// Returns the shapes whose symmetry has been sampled in these simulations; `known` owns them.
Sampled *known_sampled(const KnownTimes *known);
