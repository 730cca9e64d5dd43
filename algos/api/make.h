// Makes the view that a rank has of a whole collective operation.
#pragma once
#include "api/collective.h"
#include "api/view.h"

// Returns the rank's view of an operation on m bytes, in the buffers COLL_IN and COLL_OUT. m is the size of the whole
// vector or of one rank's block (CollectiveInfo.vector), in bytes, like the option -m; if there are counts, they give
// the sizes instead. `of` holds the fields that are the same for all ranks: p, root, elem, commutative, nodes, par,
// counts. bcast and barrier have one buffer, COLL_OUT. `run` may be NULL if the view is not run.
Coll coll_make(Collective collective, const Coll *of, int rank, size_t m, CollRun *run);
// Turns the view into one in place, as MPI defines it, for collectives with CollectiveInfo.in_place. In rooted
// collectives only the root's view changes.
void coll_in_place(Coll *c, Collective collective);
