// Two algorithms run at the same size, and what follows from many such duels: a search for crossovers (crossover.h).
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

// The outcome of running both algorithms at one size.
typedef struct Duel {
    size_t m;      // bytes
    gboolean fair; // both run to their end, and neither is replaced by its fallback; if not, only m means anything
    double time_s[2];
    int winner;       // 0 or 1; -1 for a tie
    uint64_t sent[2]; // the messages of each run
    // Both times are those of the longest of chains of messages and reductions which the program fixes, whatever these
    // cost: no two transfers compete for a port, and a longer message never takes less time.
    gboolean fixed;
} Duel;

// Runs both algorithms at duel->m and sets the other fields, which are 0 before. Returns FALSE and an error to end the
// search.
typedef gboolean (*DuelRun)(Duel *duel, gpointer data, GError **error);

// A change of winner. Changes at sizes less than a factor of two apart are one crossover, or two if they are even in
// number, so that the winner is another one after a crossover.
typedef struct Crossover {
    Duel last; // the last size at which the old winner wins; it does not win at the next larger size
    Duel
        next; // the next size at which the new one wins; it does not win at the next smaller size. In between they tie,
              // or do not both run, at all sizes tried
    Duel before; // the last size before the winner first changes; equal to `last` if it changes only once
    int changes; // how often it changes at the sizes tried; odd
} Crossover;

// Sizes between two crossovers, before the first one or after the last one.
typedef struct DuelStretch {
    int winner;      // of every size tried, but for ties; -1 if all are ties
    size_t from, to; // bytes; both were tried
    guint tried;     // how many sizes were tried at which both run
    guint ties;      // at how many of these they tie
    // The winner wins at every size from here to there, tried or not; these are the most sizes of the stretch for which
    // that is known. Both are 0 if it is not known of any two sizes.
    size_t proven_from, proven_to;
} DuelStretch;

// The caller sets the fields down to `data`; crossover_search sets the others. Every size tried is a multiple of
// `element` bytes.
typedef struct CrossoverSearch {
    size_t element, most; // the smallest size to try, and the largest that may be tried
    size_t blocks;        // multiples of this many elements run fastest, so the search prefers them
    // A message of this many bytes, or a multiple of it, is cut into parts that are all as long as the cut allows; 0 if
    // there is no such size, so that nothing can be proven.
    size_t unit;
    // How many sizes to try between m and 2m where a time may fall as the size grows, and a quarter of them where
    // Duel.fixed makes that unlikely; 0 to rely on that no time falls.
    guint tries;
    DuelRun run;
    gpointer data;
    // Results
    GArray *found;        // of Crossover, by size
    GArray *stretches;    // of DuelStretch, by size: one more than there are crossovers; none if first.fair is FALSE
    Duel first;           // the smallest size at which both run; first.fair is FALSE if there is none
    Duel final;           // the largest size tried
    Duel alone;           // the largest size below `first` at which they do not both run; m = 0 if there is none
    guint wins[2], equal; // how many sizes of the doubling each one wins, and at how many they tie
    GArray *tried;        // of Duel, by size
} CrossoverSearch;
