// What every rank of an algorithm does, as the algorithm issues it, for the second simulator (reference_sim.h). It does
// not pass through a recorded schedule.
#pragma once
#include "api/backend.h"
#include "registry/registry.h"
#include <glib.h>

typedef struct ReferenceLine {
    CollOpKind kind;
    int to, from, n;
    int64_t out, in;
} ReferenceLine;

typedef struct ReferenceProgram {
    int p;
    GArray **lines; // of each rank: ReferenceLine
} ReferenceProgram;

// Runs the algorithm's text for every rank and keeps the operations except copies, packs and unpacks, which cost
// nothing. Of each rank only the first `cut_off` operations are kept; 0 keeps all. Free with reference_program_free.
ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off);
void reference_program_free(ReferenceProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReferenceProgram, reference_program_free)
