// Names of algorithms as users write them: one of the registry, an alias, or LIB:WORD, where LIB is a library with or
// without a version, and WORD an id or a name there, `auto` for its default, or `all`.
#pragma once
#include "libraries/decide/tables.h"

// Returns the library of a name LIB:WORD, and sets *word. If the name is not of this form, returns NULL; if LIB is not
// the name of a library, but begins as one or is near one, returns NULL and an error.
const Library *names_of_library(const char *name, const char **word, GError **error);
// Returns the i-th library, from 0 on, in which LIB:WORD is looked for; NULL if i is too large. The first is
// names_of_library(); if LIB has no version, its other versions follow.
const Library *names_version(const char *name, int i);
// Returns TRUE if WORD, which may be `all`, means an algorithm.
gboolean names_mean(const char *word, const LibraryAlgorithm *algorithm);
// Returns the entry that a name means in a collective, also as LIB:WORD, apart from LIB:all and LIB:auto; NULL if there
// is none.
const CollAlgorithm *names_entry(Collective collective, const char *name);
