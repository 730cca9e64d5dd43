// What UCC's team layer tl/ucp, which sends the messages of UCC's collectives, knows of a call. Its names for collectives
// and what "message size" means there differ from MPI's.
#pragma once
#include "libraries/decide/decide.h"

enum { UCC_COLLECTIVES = 16 };

typedef struct UccCollective {
    const char *name, *mpi; // `mpi` is MPI's name, and NULL for what MPI does not have
    gboolean chooses;       // a selection string can name algorithms of it
} UccCollective;
extern const UccCollective ucc_collectives[UCC_COLLECTIVES];

// Returns the index of UCC's name, in upper or lower case; -1 if there is none.
int ucc_collective(const char *name);
// Returns the index of the collective with a number of tuned.h; -1 if UCC does not have it.
int ucc_of_tuned(int number);
// Returns the bytes by which the rows of UCC's table decide (decisions/README.md).
size_t ucc_bytes(const DecideCall *call);
// Sets what the library passes to an algorithm of its own accord: its radix, or how many messages it posts at once. What
// is above 0 stays.
void ucc_usual(const LibraryAlgorithm *algorithm, const DecideCall *call, DecidePassed *passed);
// Returns the radix that UCC takes by default for p ranks, if the fullest node has `most_on_a_node` of them: the smallest
// one with which the fewest ranks are left out of the exchange.
int ucc_radix(int p, int most_on_a_node);
