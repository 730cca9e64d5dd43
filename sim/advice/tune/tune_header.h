// A header of C that decides as rules do: a program that includes it asks for the algorithm of each call, and needs
// neither this program nor the library's rules file.
#pragma once
#include "advice/tune/tune.h"

enum { TUNE_HEADER_LINES = 1000 }; // the most that a header may have

// The rules of one collective. The rules of `commuting` may name algorithms whose results are wrong for an operation
// that does not commute; `commuting` is NULL if the collective has no such algorithms.
typedef struct TuneHeaderPart {
    const Tune *any, *commuting;
} TuneHeaderPart;

// Returns the text of the header (free with g_free): an enum of the collectives, a struct of the choice, and the
// function PREFIX_algorithm(). `parts` has the collectives (TuneHeaderPart), at least one, in the order of the enum;
// their rules must be by_call, and `tables` those of their library. `prefix` begins all names; it must be
// tune_header_prefix(). The lines of `about` (char *) come first, as a comment. Returns NULL and an error if the header
// would have too many lines.
char *tune_header(const Tables *tables, const GArray *parts, const char *prefix, const GPtrArray *about,
                  GError **error);
// Returns TRUE if a text can begin the header's names: a letter, and at most 39 letters, digits and underscores.
gboolean tune_header_prefix(const char *text);
