// What HAN's rules file can name on several nodes, beside HAN as it is by default and ids of tuned: HAN's other algorithms,
// and tuned's own decision on all ranks. A file for tuned and one for HAN are a pair, and a choice of tune is one of:
//
//     default                HAN's file names han, tuned's the id 0
//     an id                  HAN's file names tuned, tuned's the id
//     tuned, or han @simple  HAN's file names that, tuned's the id 0
//
// Where HAN does not serve a call, as on one node, the last two rows and the first one are the same.
#pragma once
#include "advice/tune/intervals.h"
#include "search/search/request.h"

// Returns the last row of the above, for a collective (TuneChoice); NULL if HAN does not serve it. Free with g_array_unref.
GArray *ways_of(const Tables *tables, Collective collective, const DecideHan *han);
// Times the ways at the places that have none yet, and lowers their best_s to the fastest. The request must be as for
// tune_compute. Returns FALSE and an error if a simulation fails.
gboolean ways_time(Tune *tune, Request *r, GError **error);
// Takes ids of tuned away from communicators that are no larger than a node with other nodes beside it: they would also
// act in what HAN runs within that node.
void ways_clip(Tune *tune);

// Returns the file for HAN that goes with what tune_file() makes of the same tunes (Tune *); the lines of `header` (char *)
// are a comment in it. Free with g_free.
char *ways_file(const GPtrArray *tunes, const GPtrArray *header);
