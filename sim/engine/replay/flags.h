// The flags of ranks that share memory. Each keeps the history of its values, with the time of each, so ranks may run
// in any order. Private to the replay.
#pragma once
#include "engine/replay/cost.h"

typedef struct Flags Flags;

// Returns the flags of p ranks, all at 0. Free with flags_free.
Flags *flags_new(int p);
void flags_free(Flags *x); // NULL is allowed

// Raises the flag that `who` has for a queue to n, which must be larger than before. Adds the ranks that await no more
// than n to runnable[], which holds *n_runnable ranks.
void flags_raise(Flags *x, int who, int queue, uint64_t n, const Stamp *stamp, int *runnable, int *n_runnable);
// Returns the stamp of the first raise of the flag to at least n, valid until the next call. If it has not been raised
// that far, returns NULL, and v waits until it is.
const Stamp *flags_await(Flags *x, int v, int who, int queue, uint64_t n);
// Returns the value that v waits for; 0 if it does not wait.
uint64_t flags_awaited(const Flags *x, int v);
