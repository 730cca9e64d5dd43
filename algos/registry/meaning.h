// The meaning of a collective: the result that every algorithm of the collective must compute. All code that checks
// results uses these functions.
#pragma once
#include "api/collective.h"
#include "api/view.h"

// One part of a result: the bytes of `out` must be the reduction over the ranks first .. end-1, in this order. The
// operand of each rank is the bytes of its initial `in` from byte `from` on, as many as `out` has. If end = first + 1,
// the part is a copy of that rank's bytes.
typedef struct Due {
    Slice out;
    int first, end;
    size_t from;
} Due;
typedef void (*DueFunc)(const Due *due, void *user);

// Calls `due` for every part of the result of this view, an operation on m bytes. coll_make must have made the view,
// and it may be in place. Parts do not overlap. Bytes of `out` that are in no part are not checked: `out` of the
// first rank in an exscan, `out` of all ranks but the root in a gather or a reduction, and gaps between blocks.
void meaning_of(Collective collective, const Coll *view, size_t m, DueFunc due, void *user);

// Returns true if the rank has data of its own at first. In bcast, scatter and scatterv only the root has.
bool meaning_has_data(Collective collective, const Coll *view);
