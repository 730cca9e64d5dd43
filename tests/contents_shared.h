// Flags and slots in an execution on contents, and what may be known of others by flags alone.
//
// A rank's clock says how many accesses to slots of each rank are done for sure; it goes with the flags that the rank
// raises, to those who await them.
#pragma once
#include "contents.h"

typedef struct Shared Shared;

// NULL where there are only messages. clocks: look at what is sure; once is enough, for it does not depend on the order in
// which ranks run.
Shared *shared_new(const Contents *c, bool clocks);
void shared_free(Shared *x);
void shared_raise(Shared *x, int r, const CollOp *op);
bool shared_is_raised(const Shared *x, const CollOp *op);
// Rank r has awaited the flag: no more is sure than what was done when it first said as much.
void shared_learn(Shared *x, int r, const CollOp *op);
// Rank r's operation i is about to touch slots. Who, perhaps, still writes or reads them? To be freed; NULL: nobody.
char *shared_touch(Shared *x, const Contents *c, int r, int i);
