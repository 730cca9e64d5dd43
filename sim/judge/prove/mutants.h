// Shows that the contents checker can fail. In an algorithm, every operation of every rank is dropped, swapped with the
// next one, misrouted or shortened, one at a time, and the checker (contents.h) must reject the mutant. The only
// mutants that it may accept, and must accept, are those that a rule of mutant_rules.h proves to be equivalent without
// looking at contents.
#pragma once
#include "judge/prove/mutant_rules.h"

typedef enum Mutation {
    DROP,
    SWAP,
    MISROUTE_TO,
    MISROUTE_FROM,
    SHORTEN_OUT,       // what is sent; in a copy or reduction, all operands
    SHORTEN_IN,        // what is received
    SHORTEN_BOTH_ENDS, // a message, at its sender and its receiver
    RAISE_MORE,        // a raise or await of a flag gets a value larger by 1
    RAISE_LESS,
    N_MUTATIONS
} Mutation;

extern const char *const mutation_names[N_MUTATIONS];

typedef struct MutantsGrid {
    const int *p; // the numbers of ranks
    int n;
} MutantsGrid;
extern const MutantsGrid mutants_grid; // up to 13 ranks

typedef struct MutantsTally {
    long mutants[N_MUTATIONS], caught[N_MUTATIONS], same[N_RULES];
    long all, all_caught; // the sums over the mutations
    char *wrong;          // the first mutant that was judged wrongly; NULL if there is none; free with g_free
} MutantsTally;

// Tries the mutants of the algorithm on these ranks, until the first that is judged wrongly.
void mutants_prove(const CollAlgorithm *a, const MutantsGrid *grid, MutantsTally *tally);
