// How much later receives end because several rendezvous isends of one waitall share their sender's port, under
// measured ("Shared transfers" in docs/MODEL.md). Private to the gears that run on a machine.
#pragma once
#include "engine/replay/machine.h"

// What a receive ends later by, and what that counts in certificates.
typedef struct LateBy {
    double t;
    ClockTally n;
} LateBy;

// The isends of one rank, numbered from 0 in the order of issue.
typedef struct LateList {
    LateBy *by;
} LateList;

typedef struct Late {
    const Machine *m;
    LateList *list; // by class, if all ranks of a class have the same; otherwise by v
    bool by_class;
    int32_t *issued; // by v: how many isends it has issued
} Late;

// Returns NULL unless some receive may end later (prices_may_share). Free with late_free.
Late *late_new(const Machine *m);
void late_free(Late *late); // NULL is allowed
// Returns the memory, in bytes, that this needs for n ranks and the messages that they send.
uint64_t late_bytes(const Schedule *s, const Site *site, int n, double messages);
// Returns the number of v's next isend.
static inline int32_t late_number(Late *x, int v)
{
    return x->issued[v]++;
}
// Returns when the receive of v's isend with this number ends that would end at `end`; `node` is the receive's entry in
// the trace.
Stamp late_end(Machine *m, Late *late, int v, int32_t number, Stamp end, uint32_t node);
