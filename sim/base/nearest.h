// Wrong names in what a user wrote: how to find the closest right name, and the error that says both.
#pragma once
#include <glib.h>

// Returns the name closest to `wrong`, or NULL if none is near; there is nothing to free. The distance is the number of
// letters added, left out, changed or swapped with a neighbour (Damerau-Levenshtein, optimal string alignment; case does
// not count, so `LUMI` finds `lumi`). A name is near at a distance of at most max(1, strlen(wrong) / 3); of equally close
// names the first wins. `names` ends in NULL. O(strlen(wrong) * strlen(name)) for each name of a similar length.
const char *nearest_name(const char *wrong, const char *const *names);

// Sets *error to "unknown KIND 'WRONG', did you mean NEAREST? allowed: NAME, NAME, ..." and returns FALSE. `kind` is the
// kind of thing that has the name ("platform"). The question is left out if no name is near. `names` ends in NULL.
gboolean nearest_unknown(const char *kind, const char *wrong, const char *const *names, GError **error);

// Sets *index to the place of `name` in `names`, which ends in NULL. If it is not there, returns FALSE with the error of
// nearest_unknown.
gboolean nearest_find(const char *kind, const char *name, const char *const *names, int *index, GError **error);
