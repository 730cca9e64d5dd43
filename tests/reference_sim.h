// A second simulator, with which the gears are compared. It is slow and simple, computes in integers, and was written
// from the text of docs/MODEL.md ("The rules of hockney") alone.
#pragma once
#include "reference_machine.h"
#include "reference_program.h"

// What a chain of operations has paid for: messages and bytes by level, bytes reduced, and the use of shared resources.
typedef struct ReferenceTally {
    int64_t alpha[REFERENCE_LEVELS], beta[REFERENCE_LEVELS], gamma, nic_bytes, nic_messages, memory[REFERENCE_LEVELS];
} ReferenceTally;

typedef struct ReferenceStamp {
    int64_t t, start; // the chain begins at a rank that starts at `start`
    ReferenceTally n;
} ReferenceStamp;

// Simulates the program. Rank r begins at start[r], or all ranks at 0 if `start` is NULL. Sets ends[r] to the stamp
// with which rank r ends; its t is -1 if the rank waits for ever. Sets *passed to whether some message took no time:
// the rules do not fix the order of these, and so leave open which chain is counted after them. Returns the last end,
// or -1 if some rank waits for ever.
int64_t reference_run(const ReferenceProgram *program, const ReferenceMachine *machine, const int64_t *start,
                      ReferenceStamp *ends, bool *passed);

// Returns the stamp as text for messages: "13: 1 alpha.0 4 beta.0 4 nic.rate"; free with g_free.
char *reference_stamp_text(const ReferenceStamp *x);
