// What a search has found, for another one that looks at the same points: times of simulations, forms, and shapes whose
// symmetry has been sampled.
#pragma once
#include "search/form/size_form.h"
#include "engine/schedule/sampled.h"
#include <glib.h>

typedef struct KnownTimes KnownTimes;

// What was simulated, from root 0.
typedef struct KnownRun {
    const CollAlgorithm *algorithm; // that ran, not one in whose place a fallback ran
    CollParams par;
    int p, per_node; // see Point
    size_t m, elem;
} KnownRun;

// The form of a run's times over the length of its segments (segment_form).
typedef struct KnownForm {
    SegmentForm form;
    bool good; // what segment_form() returned
} KnownForm;

KnownTimes *known_new(void);
void known_free(KnownTimes *known);
// Notes how long a run takes: time_s, or, if beyond_s is above 0, longer than that. Threads may call this and
// known_find() at the same time.
void known_add(KnownTimes *known, const KnownRun *run, double time_s, double beyond_s);
// Sets *time_s to how long a run takes, or to INFINITY if that is known to be longer than most_s. Returns FALSE if
// neither was noted.
gboolean known_find(KnownTimes *known, const KnownRun *run, double most_s, double *time_s);
// Do the same for a form. It is found only if run->par has the same length of segments, too.
void known_add_form(KnownTimes *known, const KnownRun *run, const KnownForm *form);
gboolean known_find_form(KnownTimes *known, const KnownRun *run, KnownForm *form);
// Returns the shapes whose symmetry has been sampled in these simulations; `known` owns them.
Sampled *known_sampled(const KnownTimes *known);
