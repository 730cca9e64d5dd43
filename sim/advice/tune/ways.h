// On several nodes, Open MPI's HAN or the compositions of MPICH's ch4 decide first. A setting is then a pair of files. The
// first one is for what decides first, and the second one for the algorithms that run on all ranks. For a call, the first
// file names one of HAN's algorithms or one of the compositions, or it leaves the call to the second one. If this has no
// rule for the call, the library decides by itself. So a choice of tune is one of:
//
//     default                       the first file names han, and the second no id
//     an id                         the first file names tuned, and the second the id
//     a way: tuned, or han @simple  the first file names that, and the second no id
//
// and likewise with compositions. Where HAN does not serve a call, as on one node, the last row and the first are the same.
#pragma once
#include "search/search/intervals.h"
#include "search/search/request.h"

// Returns the ways of a collective (TuneChoice): the last row of the above. Returns NULL if HAN does not serve it, or if ch4
// has only one composition for it. Free with g_array_unref.
GArray *ways_of(const Tables *tables, Collective collective, const DecideHan *han);
// Times the ways at the places that have none yet, and lowers their best_s to the fastest. The request must be as for
// tune_compute. Returns FALSE and an error if a simulation fails.
gboolean ways_time(Tune *tune, Request *r, GError **error);
// Takes ids of tuned away from communicators that are no larger than a node with other nodes beside it: they would also
// act in what HAN runs within that node. Also takes them away from communicators of n ranks if some call of the grid has n
// nodes, between which HAN may make calls that tuned decides. If the grid has calls on n ranks as well, these may gain
// more by an id, so it keeps theirs unless the request says otherwise (RequestLibrary.apart).
void ways_clip(Tune *tune, const Request *request);

// Returns the file for HAN that goes with what tune_file() makes of the same tunes (Tune *); the lines of `header` (char *)
// are a comment in it. Free with g_free.
char *ways_file(const GPtrArray *tunes, const GPtrArray *header);
