// Where of two ways to do the same the other one becomes the faster: sizes, found by trying them.
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

// What both take at a size.
typedef struct Duel {
    size_t m;
    gboolean fair; // both run as themselves; else the rest means nothing
    double time_s[2];
    int winner;        // 0 or 1; -1: they are equal
    uint64_t messages; // of both together: how long this took to find out
} Duel;

// Fills in all but m; FALSE and an error ends the search.
typedef gboolean (*DuelRun)(Duel *duel, gpointer data, GError **error);

typedef struct Crossover {
    Duel last,
        next; // the largest size at which one wins, and the next at which the other does: between them they are equal
    Duel before; // up to here, from the doubling step before, only the first one wins; the same as `last` where there
                 // is but one change of winner
    int changes; // of winner, between the two doubling steps; 0: too many sizes to look at, there may be more
} Crossover;

// Sizes are multiples of `element`, which is the first one tried.
typedef struct CrossoverSearch {
    size_t element, most;
    size_t blocks; // multiples of this many elements are the quickest to run
    DuelRun run;
    gpointer data;
    // What came of it.
    GArray *found;        // Crossover, by size
    Duel first, final;    // the smallest size at which both run, and the largest tried; first.fair FALSE: there is none
    Duel alone;           // the largest size below that one, at which they do not both run; m = 0: none
    guint wins[2], equal; // of the sizes 1, 2, 4 .. elements
    GArray *tried;        // Duel, by size
} CrossoverSearch;

// Tries the sizes 1, 2, 4 .. elements up to `most`, and where the winner changes between two of them halves the distance.
// Then it looks for more changes there: it takes for granted that neither time falls as the size grows, so that one wins at
// all sizes between two if it takes less at the larger than the other one at the smaller. Ends early, with `final` below
// `most`, where more bytes mean more messages and these become too many. FALSE and an error as run's; what it found is to be
// cleared with crossover_search_clear in any case.
gboolean crossover_search(CrossoverSearch *search, GError **error);
void crossover_search_clear(CrossoverSearch *search);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CrossoverSearch, crossover_search_clear)

// Who of two wins whose times are sums of count[i] figure[i]: 0 or 1; -1: equal, to what doubles can tell.
int duel_winner(const int64_t *first, const int64_t *second, const double *figure, int n);
