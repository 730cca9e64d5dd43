// Wrong names in what a user wrote: the closest right one, and the error that tells both.
#pragma once
#include <glib.h>

// The name closest to `wrong`: the fewest letters added, left out, changed or swapped with a neighbour (Damerau-
// Levenshtein, optimal string alignment; case is free, so `LUMI` finds `lumi`), at most max(1, strlen(wrong) / 3) of
// them. `names` ends in NULL; of equally close names the first wins. NULL when none is near. Nothing to free.
// O(strlen(wrong) * strlen(name)) for each name of a similar length.
const char *nearest_name(const char *wrong, const char *const *names);

// `text` in single quotes, fit for a one-line message: control and non-ASCII bytes escaped as in C, cut after 60 bytes.
// The caller frees it.
char *quote_input(const char *text);

// Sets *error to "unknown KIND 'WRONG', did you mean NEAREST? allowed: NAME, NAME, ..." and returns FALSE. `kind` says
// what the name names ("platform"); without a near name the question falls away. `names` ends in NULL.
gboolean unknown_name(const char *kind, const char *wrong, const char *const *names, GError **error);

// Sets *index to where `name` stands in `names`, which ends in NULL; else the error of unknown_name and FALSE.
gboolean find_name(const char *kind, const char *name, const char *const *names, int *index, GError **error);
