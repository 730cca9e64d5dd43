// Slices: the bytes that an operation reads or writes.
#pragma once
#include "api/linkage.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A range of bytes of one buffer. A slice holds no address: the simulator moves no data, and MPI adds the address at
// which the buffer begins.
//
// `cut` says that the slice is blocks first .. first+count-1 of an even cut of `whole` bytes into `parts` blocks, which
// may differ by one element. A schedule then names the blocks, relative to the rank, and not the bytes, so that ranks
// whose blocks differ in length can share it. If parts = 0, the slice is not known to come from an even cut.
typedef struct Slice {
    int buf;         // COLL_IN, COLL_OUT, or a scratch buffer's number; below 0: a queue in shared memory
    int readers;     // of a slot in shared memory: the number of ranks that read it at the same time; below 0: the
                     // slice is a buffer that its owner lends to so many readers
    size_t off, len; // bytes
    struct {
        int first, count, parts;
        size_t whole;
    } cut;
} Slice;

enum { COLL_IN, COLL_OUT, COLL_FIRST_SCRATCH };

// Returns bytes off .. off+len-1 of s, off + len <= s.len. The result is not known to come from a cut.
Slice slice_at(Slice s, size_t off, size_t len);
// Returns the first like.len bytes of s, with the cut of `like`; like.len <= s.len. Texts use it for the part of a
// scratch buffer that holds a copy of the block `like`.
Slice slice_like(Slice s, Slice like);

// Returns true if the slice is a slot of a queue in shared memory.
static inline bool is_slot(Slice s)
{
    return s.buf < 0;
}
// Returns true if the slice is a buffer of its owner that other ranks read in place (coll_lent).
static inline bool is_lent(Slice s)
{
    return s.buf < 0 && s.readers < 0;
}
// Returns the rank, in the whole, that owns the slot.
static inline int slot_owner(Slice s)
{
    return -1 - s.buf;
}
