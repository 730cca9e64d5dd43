// Crossover sizes: the message sizes at which the faster of two algorithms changes. The search knows nothing of the
// algorithms: it only runs both at sizes that it picks (DuelRun).
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

// The outcome of running both algorithms at one size.
typedef struct Duel {
    size_t m;      // bytes
    gboolean fair; // both run to their end, and neither is replaced by its fallback; if not, only m means anything
    double time_s[2];
    int winner;        // 0 or 1; -1 for a tie
    uint64_t messages; // of both runs together: how long they took to simulate
} Duel;

// Runs both algorithms at duel->m and sets the other fields, which are 0 before. Returns FALSE and an error to end the
// search.
typedef gboolean (*DuelRun)(Duel *duel, gpointer data, GError **error);

// One change of winner, between two sizes of the doubling that different algorithms win. If it changes several times
// there, all of these changes together are one crossover.
typedef struct Crossover {
    Duel last;   // the last size at which the old winner wins
    Duel next;   // the next size at which the new one wins; in between they tie, or do not both run
    Duel before; // the last size before the winner first changes; equal to `last` if it changes only once
    int changes; // how often it changes; 0 if there were too many sizes to check, so there may be more changes than one
} Crossover;

// The caller sets the fields down to `data`; crossover_search sets the others. Every size tried is a multiple of
// `element` bytes.
typedef struct CrossoverSearch {
    size_t element, most; // the smallest size to try, and the largest that may be tried
    size_t blocks;        // multiples of this many elements run fastest, so the search prefers them
    DuelRun run;
    gpointer data;
    // Results
    GArray *found;        // of Crossover, by size
    Duel first;           // the smallest size at which both run; first.fair is FALSE if there is none
    Duel final;           // the largest size tried
    Duel alone;           // the largest size below `first` at which they do not both run; m = 0 if there is none
    guint wins[2], equal; // how many sizes of the doubling each one wins, and at how many they tie
    GArray *tried;        // of Duel, by size
} CrossoverSearch;

// Finds the crossovers of two algorithms. It tries 1, 2, 4 .. elements, up to `most` bytes. Where the winner changes
// between two of these sizes it bisects, and then looks for further changes between the two. It assumes that neither
// time falls as the size grows: if A takes less time at the larger of two sizes than B at the smaller, then A wins at
// every size between them, and the search skips these. It ends early, with final.m below `most`, if messages become too
// many and more bytes mean still more of them.
//
// Returns FALSE and the error of `run` if a run fails. Clear the search with crossover_search_clear in either case.
gboolean crossover_search(CrossoverSearch *search, GError **error);
void crossover_search_clear(CrossoverSearch *search);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CrossoverSearch, crossover_search_clear)

// Returns which of two times is smaller, 0 or 1, or -1 if they are equal but for rounding. A time is the sum of
// count[i] x figure[i] over n terms; `first` and `second` hold the counts.
int duel_winner(const int64_t *first, const int64_t *second, const double *figure, int n);
