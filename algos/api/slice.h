// Slices: which bytes an operation reads or writes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A range of bytes of one buffer. A slice holds no address: the simulator moves no data, and MPI adds the address at
// which the buffer begins.
//
// `cut` says that a slice is blocks first .. first+count-1 of an even cut of `whole` bytes into `parts`. Slices whose
// lengths differ only through such a cut count as the same in schedules, so that ranks can share one. parts = 0 means
// that nothing is known.
typedef struct Slice {
    int buf;         // COLL_IN, COLL_OUT, or a scratch buffer's number; below 0 a queue in shared memory
    int readers;     // for a slot in shared memory: how many ranks read it at the same time
    size_t off, len; // bytes
    struct {
        int first, count, parts;
        size_t whole;
    } cut;
} Slice;

enum { COLL_IN, COLL_OUT, COLL_FIRST_SCRATCH };

// Bytes off .. off+len-1 of s.
Slice slice_at(Slice s, size_t off, size_t len);
// The first bytes of s, as many as `like` has: room in a scratch buffer for one block.
Slice slice_like(Slice s, Slice like);

// Returns true if the slice is a slot of a queue in shared memory.
static inline bool is_slot(Slice s)
{
    return s.buf < 0;
}
// The rank, in the whole, that owns the slot.
static inline int slot_owner(Slice s)
{
    return -1 - s.buf;
}
