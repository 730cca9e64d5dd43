// What the model of shared memory charges: for n bytes, writing a slot takes n write, and reading one n read, or n read
// readers / lanes if more than `lanes` ranks read it. An await ends at the rank's own clock or `flag` after the flag
// was raised, whichever is later.
#pragma once
#include "engine/replay/term.h"
#include "engine/schedule/schedule.h"

typedef struct SharedCosts {
    double write, read, lanes, flag, gamma; // in s per byte, s per byte, ranks (>= 1), s, s per byte
} SharedCosts;

typedef enum { SHARED_WRITE, SHARED_READ, SHARED_CROWD, SHARED_FLAG, SHARED_GAMMA, SHARED_TERMS } SharedTerm;
extern const TermKind shared_terms[SHARED_TERMS];

// The most accesses that a model should replay: 2^28 take some ten seconds. The memory that each needs, about, in
// bytes.
enum { SHARED_MOST_ACCESSES = 1 << 28, SHARED_ACCESS_BYTES = 80 };

// Two sums of the same costs may differ by this much, relative to their size, if they were added in different orders.
// Such a difference does not make one of them later.
#define SHARED_ROUNDING 1e-12

// Returns the term that an operation in shared memory, or a reduction, pays, and sets *n to how often.
static inline SharedTerm shared_cost(const Op *op, const SharedCosts *k, int64_t *n)
{
    *n = (int64_t)op->in.bytes;
    if (op->kind == OP_WRITE)
        return SHARED_WRITE;
    if (op->kind == OP_REDUCE)
        return SHARED_GAMMA;
    if (op->kind == OP_AWAIT) {
        *n = 1;
        return SHARED_FLAG;
    }
    if (op->to <= k->lanes)
        return SHARED_READ;
    *n *= op->to;
    return SHARED_CROWD;
}

// Returns what one of a term costs, in s.
static inline double shared_value(const SharedCosts *k, SharedTerm term)
{
    const double value[SHARED_TERMS] = {k->write, k->read, k->read / k->lanes, k->flag, k->gamma};
    return value[term];
}

// Returns the v of the rank that owns the queue of a raise or an await.
static inline int shared_queue(const Schedule *s, int v, const Op *op)
{
    return op->to == OWN_QUEUE ? v : peer_of(s, v, op->to, 0, 0);
}
