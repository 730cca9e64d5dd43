// The broadcast of the lengths that precedes a v-collective over a binomial tree on the conservative level.
#pragma once
#include "api/view.h"

#define LENGTHS_UNKNOWN "the lengths are scattered and collected (lengths=mpich), and ranks end that at different times"

// Does what runs_bcast_counts does, and with LENGTHS_MPICH what MPICH's broadcast runs for so many bytes.
void lengths_bcast(const Coll *c);
// Returns true if the lengths go down a tree, or all ranks know them.
bool lengths_over_tree(const CollParams *par, int p);
