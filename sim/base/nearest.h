// Names that a user wrote: finds the one that is meant, or proposes the nearest in an error.
#pragma once
#include <glib.h>

// Returns the name closest to `wrong`, or NULL if none is near; the caller does not free it. The distance is the number
// of letters added, left out, changed or swapped with a neighbour (Damerau-Levenshtein, optimal string alignment), and
// case does not count. A name is near at a distance of at most max(1, strlen(wrong) / 3). If names are equally close,
// the first one wins. `names` ends in NULL. Takes O(strlen(wrong) * strlen(name)) for each name of a similar length.
const char *nearest_name(const char *wrong, const char *const *names);

// Returns what an error says between its complaint and "allowed: ..": ", did you mean NEAREST? ", or "; " if no name is near.
// Every error about a name that is looked up has this hint. Free with g_free.
char *nearest_hint(const char *wrong, const char *const *names);

// Sets *error to "unknown KIND 'WRONG', did you mean NEAREST? allowed: NAME, NAME, ..." and returns FALSE. `kind` says
// what has the name ("platform"). The question is left out if no name is near. `names` ends in NULL.
gboolean nearest_unknown(const char *kind, const char *wrong, const char *const *names, GError **error);

// Returns the index of `name` in `names`, which ends in NULL. Without an equal name, the only one that differs just in
// case, '-' and '_' matches: `LUMI` is lumi, `recursive-doubling` is recursive_doubling. Returns -1 if there is none,
// or several: of the names `o` and `O`, each matches itself only.
int nearest_match(const char *name, const char *const *names);

// Sets *index to what nearest_match returns. If there is no match, returns FALSE with the error of nearest_unknown.
gboolean nearest_find(const char *kind, const char *name, const char *const *names, int *index, GError **error);
