// Crossover sizes: the message sizes at which the faster of two algorithms changes. The search knows nothing of the
// algorithms: it only runs both at sizes that it picks (DuelRun).
//
// What it finds holds at the sizes that it tried, because a time need not rise with the size: where ranks share a NIC,
// or messages of some lengths are cheaper than shorter ones, the winner may change at any size. Where nothing of this
// kind can happen, it proves more (DuelStretch.proven_from).
#pragma once
#include "search/form/duel.h"

// Finds the crossovers of two algorithms. It tries 1, 2, 4 .. elements, up to `most` bytes, and then sizes between
// them. Where Duel.fixed holds, it assumes that neither time falls as the size grows: if A takes less time at the
// larger of two sizes than B at the smaller, then A wins at every size between them, and only the other sizes are
// tried. Elsewhere it tries `tries` sizes of all remainders. Around each change of winner that this shows it bisects,
// to the element, and tries more sizes near it. It ends early, with final.m below `most`, if messages become too many
// and more bytes mean still more of them.
//
// A proof needs three multiples of `unit` at which Duel.fixed holds and each algorithm sends as many messages. The time
// is then a convex function of these multiples, because it is the largest of sums that are linear in the size. Where
// the three times lie on a line, it is that line, and bounds the times between multiples too: no part of a message is
// longer than at the next multiple, nor shorter by more than `blocks` elements than at the one below.
//
// Returns FALSE and the error of `run` if a run fails. Clear the search with crossover_search_clear in either case.
gboolean crossover_search(CrossoverSearch *search, GError **error);
void crossover_search_clear(CrossoverSearch *search);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CrossoverSearch, crossover_search_clear)

// Returns which of two times is smaller, 0 or 1, or -1 if they are equal but for rounding. A time is the sum of
// count[i] x figure[i] over n terms; `first` and `second` hold the counts.
int duel_winner(const int64_t *first, const int64_t *second, const double *figure, int n);
