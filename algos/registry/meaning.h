// What a collective is to compute, whatever the algorithm: said once, for all that prove results.
#pragma once
#include "api/collective.h"
#include "api/view.h"

// The bytes of `out` are the reduction, in this order, of ranks first .. end-1's own bytes from `from` on; of one rank
// alone: a copy. A rank's own bytes are what its `in` holds at first.
typedef struct Due {
    Slice out;
    int first, end;
    size_t from;
} Due;
typedef void (*DueFunc)(const Due *due, void *user);

// Calls `due` for every part of the result of this view, which coll_make made, perhaps in place: parts do not overlap.
// What they leave out is no result (an exscan's first rank has none, nor has a gather's rank that is not the root; gaps
// between blocks).
void meaning_of(Collective collective, const Coll *view, size_t m, DueFunc due, void *user);

// Has the rank data of its own? All have but in bcast and scatter(v), where the root alone has.
bool meaning_has_data(Collective collective, const Coll *view);
