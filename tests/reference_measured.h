// A second simulator of the model measured, with which the gears are compared. It is slow and simple, computes in
// integers, and was written from the text of docs/MODEL.md ("The rules of measured") alone.
#pragma once
#include "reference_figures.h"
#include "reference_program.h"

typedef struct ReferenceEnd {
    int64_t t;     // -1 if the rank waits for ever
    GArray *terms; // of ReferenceTerm: each once, and only those whose value is above 0
} ReferenceEnd;

// Simulates the program on the machine; only its places and shared resources count. Rank r begins at
// start[r], or all ranks at 0 if `start` is NULL. Sets ends[r] to the end of rank r; clear them with
// reference_ends_clear. Returns the last end, or -1 if some rank waits for ever.
int64_t reference_measured(const ReferenceProgram *program, const ReferenceMachine *machine,
                           const ReferenceFigures *figures, const int64_t *start, ReferenceEnd *ends);
void reference_ends_clear(ReferenceEnd *ends, int p);
