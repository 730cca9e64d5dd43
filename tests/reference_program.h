// What every rank of an algorithm does, as the algorithm issues it, for the second simulator (reference_sim.h). It does
// not pass through a recorded schedule.
#pragma once
#include "api/backend.h"
#include "registry/registry.h"
#include "engine/schedule/record.h"
#include <glib.h>

enum { REFERENCE_FRESH = COLL_AWAIT + 1 }; // a kind of line: a scratch buffer of `in` bytes is used first

typedef struct ReferenceLine {
    int kind; // a CollOpKind or REFERENCE_FRESH; packs and unpacks are COLL_COPY
    int to, from, n;
    int64_t out, in; // bytes; of a copy, `in` has what it writes
} ReferenceLine;

typedef struct ReferenceProgram {
    int p;
    GArray **lines; // of each rank: ReferenceLine
} ReferenceProgram;

// Runs the algorithm's text for every rank and keeps the operations except copies, packs and unpacks, which cost
// nothing. Of each rank only the first `cut_off` operations are kept; 0 keeps all. Free with reference_program_free.
ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off);
// The same, but keeps what the options ask for: copies and scratch buffers as well, which do not count for the cut-off.
ReferenceProgram *reference_program_with(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                         const RecordOptions *options);
void reference_program_free(ReferenceProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReferenceProgram, reference_program_free)
