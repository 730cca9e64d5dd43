// From the sizes that a search for crossovers has tried to what can be said of all sizes.
#pragma once
#include "search/form/duel.h"

// Returns the index of size m in search->tried, or the index at which to insert it.
guint changes_place(const CrossoverSearch *search, size_t m);
// Returns the duel at size m, or NULL if the size was not tried. It is valid until a size is tried.
const Duel *changes_at(const CrossoverSearch *search, size_t m);

// Sets search->found to the changes of winner at the sizes tried, in groups (Crossover). The two sizes of a change need
// not be next to each other.
void changes_find(CrossoverSearch *search);

// A range of sizes, in bytes, and who wins at all of them. Both ends are multiples of search->unit.
typedef struct ChangeProof {
    size_t from, to;
    int winner;
} ChangeProof;

// Returns TRUE, and who wins from the first to the last of three duels, if that is proven (crossover_search). All three
// sizes are multiples of search->unit, and rise.
gboolean changes_prove(const CrossoverSearch *search, const Duel *const point[3], ChangeProof *proof);
// Sets search->stretches, given the crossovers and what is proven: of ChangeProof, by size.
void changes_stretches(CrossoverSearch *search, const GArray *proofs);
