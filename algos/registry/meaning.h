// What a collective must compute, whatever the algorithm. Everything that checks results asks here.
#pragma once
#include "api/collective.h"
#include "api/view.h"

// The bytes of `out` must be the reduction of the own bytes, from byte `from` on, of the ranks first .. end-1, in this
// order. If that is one rank, it is a copy. A rank's own bytes are what its `in` holds at first.
typedef struct Due {
    Slice out;
    int first, end;
    size_t from;
} Due;
typedef void (*DueFunc)(const Due *due, void *user);

// Calls `due` for every part of this view's result; coll_make made the view, and it may be in place. Parts do not
// overlap. Bytes in no part are not a result: those of an exscan's first rank, of a gather's ranks other than the root,
// and gaps between blocks.
void meaning_of(Collective collective, const Coll *view, size_t m, DueFunc due, void *user);

// Returns true if the rank has data of its own. In bcast and scatter(v) the root alone has.
bool meaning_has_data(Collective collective, const Coll *view);
