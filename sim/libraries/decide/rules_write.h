// Comparing rules files, and writing a file for another version of Open MPI.
#pragma once
#include "libraries/decide/rules.h"

// A collective at ranges of ranks, from 2 on, and of bytes in which some files each decide by one rule.
typedef struct RulesCell {
    int collective;
    RuleRange ranks, bytes;
} RulesCell;

// Returns the cells of n files, of RulesCell: those of all collectives for which one of the files has rules, by
// collective, ranks and bytes, without gaps from 2 ranks and 0 bytes on. Rules for some places of ranks are left out.
// Free with g_array_unref.
GArray *rules_cells(const RulesFile *const *files, int n);

// Returns a file for another version that makes it run the same, at every number of ranks and size, as this one does.
// Free with g_free. Returns NULL and an error of FILE:LINE if that version cannot: if the library ignores this file, or
// a rule has no counterpart.
char *rules_convert(const RulesFile *file, const Library *target, GError **error);
