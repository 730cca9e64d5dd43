// What a search has found, for another one that looks at the same points of the same machine: predictions, forms, bounds
// of compositions, and shapes whose symmetry has been sampled.
#pragma once
#include "search/form/size_form.h"
#include "engine/model/model.h"
#include "engine/schedule/sampled.h"
#include <glib.h>

typedef struct KnownTimes KnownTimes;

// What was simulated.
typedef struct KnownRun {
    const CollAlgorithm *algorithm; // that ran, not one in whose place a fallback ran
    CollParams par;
    int p, per_node; // see Point
    size_t m, elem;
    int root;
} KnownRun;

// The form of a run's times over the length of its segments (segment_form).
typedef struct KnownForm {
    SegmentForm form;
    bool good; // what segment_form() returned
} KnownForm;

// Makes an empty one at *at and returns it, unless there is one already: then it returns NULL. known_end() frees what
// this has returned, and empties *at then.
KnownTimes *known_begin(KnownTimes **at);
void known_end(KnownTimes **at, KnownTimes *own);
// Notes what is predicted of a run, with a reference of its own. A prediction that is beyond beyond_s takes the place of
// none that is exact. Threads may call these functions at the same time.
void known_add(KnownTimes *known, const KnownRun *run, Prediction *prediction, double beyond_s);
// Returns what is predicted of a run, which may be that it takes longer than enough_s (Prediction.beyond). Returns NULL
// if neither was noted. Free with prediction_free.
Prediction *known_find(KnownTimes *known, const KnownRun *run, double enough_s);
// Do the same for a form. It is found only if run->par has the same length of segments, too.
void known_add_form(KnownTimes *known, const KnownRun *run, const KnownForm *form);
gboolean known_find_form(KnownTimes *known, const KnownRun *run, KnownForm *form);
// Do the same for a time that the run cannot beat, in seconds. One that was found for a caller to whom all bounds from
// limit_s on are alike says no more than that where it is as large; it is found for a caller with the same limit or a
// lower one.
void known_add_bound(KnownTimes *known, const KnownRun *run, double bound_s, double limit_s);
gboolean known_find_bound(KnownTimes *known, const KnownRun *run, double limit_s, double *bound_s);
// Returns the shapes whose symmetry has been sampled in these simulations; `known` owns them.
Sampled *known_sampled(const KnownTimes *known);
