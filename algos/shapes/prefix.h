// A rank's part of a scan or an exscan.
#pragma once
#include "api/blocks.h"

// `through` is what has come from the ranks before this one, reduced with its own vector.
typedef struct Prefix {
    bool exclusive; // of an exscan
    bool any;       // something has come
    bool stale;     // what came last is not yet in `through`
    Slice own, through, inbox;
} Prefix;
Prefix prefix_begin(const Coll *c, bool exclusive);
// Sends `through` to rank `to` and receives from rank `from` what goes before. A rank outside of 0 .. p-1 means that
// nothing is sent or received.
void prefix_step(const Coll *c, Prefix *s, int to, int from);
