// A second simulator, with which the gears are compared. It is slow and simple, computes in integers, and was written
// from the definitions of the three disciplines (rendezvous, eager, eager-port) alone. It reads each rank's operations
// as the algorithm issues them, not a recorded schedule.
#pragma once
#include "replay/replay.h"

typedef struct ReferenceModel {
    int64_t alpha, beta, gamma;
    Transfer transfer;
} ReferenceModel;

typedef struct ReferenceProgram ReferenceProgram;

// Runs the algorithm's text for every rank and keeps the operations except copies, packs and unpacks, which cost
// nothing. Of each rank only the first `cut_off` operations are kept; 0 keeps all. Free with reference_free.
ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off);
void reference_free(ReferenceProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReferenceProgram, reference_free)

// Simulates the program. Rank r begins at start[r], or all ranks at 0 if `start` is NULL. Sets ends[r] to the time at
// which rank r ends, or -1 if it waits for ever. Returns the last end, or -1 if some rank waits for ever.
int64_t reference_run(const ReferenceProgram *program, const ReferenceModel *model, const int64_t *start,
                      int64_t *ends);
