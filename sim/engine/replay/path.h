// Critical paths, as the gears collect them: from the end backwards. All but the names is private to the replay.
#pragma once
#include "engine/replay/result.h"

enum { MAX_TRACE = 150000000 }; // the most entries that a trace keeps, which take 3 GB

// Returns what a person calls a kind of operation, or of a step of a path (PathStep.kind): "send", "NIC busy".
const char *path_kind_name(int kind);
// Sets the error for a trace that needs more entries.
void path_too_long(GError **error);
// Puts a path that was collected backwards into the order of time.
void path_in_order(GArray *path);
// Computes the `level` and `end_s` of each step of a path whose steps are in the order of time. The schedule's root is
// the one that the site was prepared for.
void path_times(GArray *path, const Schedule *s, const Hockney *model, double start);
// Adds what a path pays under measured to count[], by term; path_times has set the levels. Returns false if what a step
// pays does not follow from the step: a delay by shared transfers may have several lengths, and resources of nodes and
// links of a network are left out.
bool path_counts(const GArray *path, Site *site, int64_t *count);
