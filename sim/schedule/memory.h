// What a run needs in memory beside the operation's own buffers, and what it copies there.
#pragma once
#include "model/model.h"

typedef struct MemoryUse {
    uint64_t connections; // other ranks that it exchanges messages with
    uint64_t scratch;     // bytes of temporary buffers; all are kept to the end
    uint64_t copied;      // bytes copied, packed and unpacked
} MemoryUse;

typedef struct Memory {
    MemoryUse root;   // rank 0 where there is none
    MemoryUse most;   // the most of any rank, each by itself
    MemoryUse others; // the most of any rank but the root
    MemoryUse all;    // the sum over all ranks: a connection counts at both its ends
} Memory;

// By a pass over the text of every rank: ranks that share a schedule may still differ in what they copy.
Memory memory_of(const Operation *op);

// Bytes that a rank keeps for a connection: on the Sunway system the root of a linear gatherv on 32,768 ranks took 1312.12 MB
// for 32,767 of them (Sun et al., an optimized gatherv for large scale, section 5.1; taken as 2^20 bytes).
enum { MEMORY_CONNECTION = 41989 };
