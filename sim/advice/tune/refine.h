// Refinement: calls between those of a grid at which it is worth to look, because the rules that the grid gave are
// likely to be bad there.
#pragma once
#include "search/search/intervals.h"

// Returns TRUE if calls near p ranks and m bytes can be looked at: on at most 256 ranks, with at most 256 MiB on all of
// them together. Beyond, simulations take long.
gboolean refine_can(int p, size_t m);

// Returns calls (ContestPlace) with numbers of ranks between those of tune->places, in all of their sizes; none if
// there is nothing to look at. The places must be a grid, and the calls have no nodes.
//
// Many algorithms need a power of two or an even number, or take a round more behind a power of two, so the numbers
// next to those of the grid are looked at, and the one in the middle.
GArray *refine_ranks(const Tune *tune);
// Returns calls (ContestPlace) of a reduction with few elements, in sizes between those of tune->places; none for other
// collectives. Where there are fewer elements than ranks, an element more can give another rank something to send.
GArray *refine_few(const Tune *tune);
// Returns calls (ContestPlace) with sizes between those of tune->places, whose choices must be set; none if there is
// nothing to look at.
//
// If the choice at one size is not an option at the next size of the same ranks, it serves the sizes between the two,
// although it may cease to be good shortly above the first one. The call in the middle (of the logarithms) halves what
// is not known. Steps below an eighth are not halved.
GArray *refine_sizes(const Tune *tune);
