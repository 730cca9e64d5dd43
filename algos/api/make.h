// The view that a rank has of a whole collective operation.
#pragma once
#include "api/collective.h"
#include "api/view.h"

// Returns the rank's view of an operation on m bytes, in the buffers COLL_IN and COLL_OUT. m is the whole vector or one
// rank's block, as -m of the program; if there are counts, they say it instead. `of` holds what is the same for all
// ranks: p, root, elem, commutative, per_node, par, counts. bcast and barrier have one buffer, COLL_OUT.
Coll coll_make(Collective collective, const Coll *of, int rank, size_t m, CollRun *run);
// Makes the view one in place as MPI means it, at the ranks where MPI defines that. (A reduce_scatter's result is then
// where the rank's block lies, not at the front of the vector.)
void coll_in_place(Coll *c, Collective collective);
