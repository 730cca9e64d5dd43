// What UCC's team layer tl/ucp, which sends the messages of UCC's collectives, knows of a call. Its names for collectives
// and what "message size" means there differ from MPI's.
#pragma once
#include "libraries/decide/decide.h"

// Returns UCC's name for a collective of tuned.h, as selection strings have it: "reduce_scatter" for MPI's
// reduce_scatter_block. Returns NULL if tl/ucp does not have it.
const char *ucc_name(int number);
// Returns the number of tuned.h for UCC's name, of which upper and lower case are the same; -1 if UCC has no such
// collective, and -2 for one that MPI does not have.
int ucc_number(const char *name, size_t length);
// Returns TRUE if tl/ucp has algorithms of a collective to choose from by a selection string.
gboolean ucc_chooses(int number);
// Returns the bytes by which the rows of UCC's table decide (decisions/README.md).
size_t ucc_bytes(const DecideCall *call);
// Sets what the library passes to an algorithm of its own accord: its radix, or how many messages it posts at once. What
// is above 0 stays.
void ucc_usual(const LibraryAlgorithm *algorithm, const DecideCall *call, DecidePassed *passed);
// Returns the radix that UCC takes by default for p ranks, the largest number of which on a node is given: the smallest
// one with which the fewest ranks are left out of the exchange.
int ucc_radix(int p, int most_on_a_node);
