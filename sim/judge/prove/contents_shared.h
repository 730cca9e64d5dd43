// Flags and slots of shared memory while an algorithm is executed on contents: finds slots that are read or written
// while another rank may still be using them.
//
// A rank learns about other ranks through flags alone. So every rank has a vector clock: for each rank q, the number of
// q's accesses to slots that are certain to be over. A flag carries the clock that its rank had when it raised it, and
// a rank that awaits the flag adds that clock to its own.
#pragma once
#include "judge/prove/contents.h"

typedef struct Shared Shared;

// Returns NULL if no rank raises or awaits a flag; free with shared_free. Clocks are kept only if `clocks` is set: what
// they find does not depend on the order in which the ranks run, so one run with clocks is enough.
Shared *shared_new(const Contents *c, bool clocks);
void shared_free(Shared *x);
// Rank r executes the raise `op`. In a barrier, `knows` has a bit for each rank that it has heard of, in so many `words`.
void shared_raise(Shared *x, int r, const CollOp *op, int words, const uint64_t *knows);
// Returns true if the flag that the await `op` waits for has been raised far enough.
bool shared_is_raised(const Shared *x, const CollOp *op);
// Rank r completes the await `op`, whose flag is raised. It learns what the flag's rank knew when the flag first
// reached the awaited value; of what happened between that and now it cannot be certain. Adds to `knows` the ranks of
// which that rank had heard.
void shared_learn(Shared *x, int r, const CollOp *op, int words, uint64_t *knows);
// Rank r is about to execute its operation i. Returns NULL, or an error (free with g_free) if the operation touches a
// slot that another rank may still be writing, or writes one that another rank may still be reading.
char *shared_touch(Shared *x, const Contents *c, int r, int i);
