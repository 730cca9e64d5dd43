// The memory that a run needs in addition to the operation's own buffers, and the bytes that it copies.
#pragma once
#include "engine/schedule/schedule.h"
#include "engine/schedule/operation.h"
#include <stdint.h>

typedef struct MemoryUse {
    uint64_t connections; // ranks that this rank exchanges messages with
    uint64_t scratch;     // bytes of temporary buffers; all are kept until the run ends
    uint64_t copied;      // bytes that are copied, packed or unpacked
} MemoryUse;

typedef struct Memory {
    MemoryUse root;   // the root's; rank 0's if the collective has no root
    MemoryUse most;   // the maximum over all ranks, taken for each member on its own
    MemoryUse others; // the maximum over all ranks but the root
    MemoryUse all;    // the sum over all ranks; a connection counts at both of its ends
} Memory;

// Returns the memory use of an operation. It runs the text of every rank, because ranks that share a schedule may still
// differ in what they copy. A sum is UINT64_MAX if the true sum does not fit into 64 bits. The operation must be one
// that schedule_admit admits.
Memory memory_of(const Operation *op);
// Returns false and an error of what is "too much" if the texts of all ranks, whose totals these are, would take too
// long for memory_of: if they have more than 2^32 messages and accesses to shared memory, or effort_admit refuses them.
gboolean memory_admit(const Operation *op, const Totals *totals, GError **error);
// Returns false and an error unless the bytes that all ranks copy, and the bytes of all temporary buffers, are both
// below 2^62. `name` is the algorithm's.
gboolean memory_check(const Memory *memory, const char *name, int p, GError **error);

// The memory for one connection, in bytes. On the Sunway system the root of a linear gatherv on 32,768 ranks took
// 1312.12 MB for its 32,767 connections (Sun et al., an optimized gatherv for large scale, section 5.1; we read MB as
// 2^20 bytes).
enum { MEMORY_CONNECTION = 41989 };
