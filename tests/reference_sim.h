// A second simulator, for tests: slow, plain, in integers, written from the definition of the three disciplines and from
// nothing else. It reads each rank's raw operations, not a schedule.
#pragma once
#include "replay/replay.h"

typedef struct ReferenceModel {
    int64_t alpha, beta, gamma;
    Transfer transfer;
} ReferenceModel;

// The operations of all ranks, copies left out; cut_off: of each rank only so many, 0: all.
typedef struct ReferenceProgram ReferenceProgram;

ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off);
void reference_free(ReferenceProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReferenceProgram, reference_free)

// When each rank ends, -1: never. start: when it begins, NULL: 0. Returns the last end, -1 if one has none.
int64_t reference_run(const ReferenceProgram *program, const ReferenceModel *model, const int64_t *start,
                      int64_t *ends);
