// A rule of a file says what it makes the library run: where the algorithm that it names cannot, the rule says so.
#pragma once
#include "search/search/intervals.h"

// Appends the rule to `rules` (of LibraryRule), where the first rule that fits decides. On numbers of ranks on which
// its algorithm cannot run, the file names what the library runs in its place, and below the least size that has
// elements enough, nothing. Calls at tune->places run the same.
void narrow_add(GArray *rules, const Tune *tune, const LibraryRule *rule, const Tables *tables);
