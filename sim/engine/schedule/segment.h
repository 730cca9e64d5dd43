// The segment of shared memory that a run needs: the slots and flags that its ranks' texts touch. segment_allocated() is
// the memory that a component has to allocate beforehand, when it does not know yet which operations will run.
#pragma once
#include "engine/schedule/operation.h"
#include <stdint.h>

// Queues and flags begin at multiples of this many bytes, which is a line of the cache, so that two of them never share
// a line.
enum { SEGMENT_LINE = 64 };

// Where everything is: first a line for each flag that some rank raises, then the queues. A queue ends after the last
// slot that is touched. Slots that no rank touches, at the end of a queue, and flags that no rank raises have no
// memory.
typedef struct SegmentLayout {
    int p;
    size_t bytes;    // the size of the segment
    size_t *queue;   // p + 1 of them: the queue of rank r is from queue[r] to queue[r + 1], in bytes
    uint64_t *flags; // the flags, by growing number queue * p + who; flag i is in line i
    size_t n_flags;
} SegmentLayout;

// Makes the layout of an operation in shared memory; it runs the text of every rank. p * slots * fragment must be below
// 2^62. An operation that touches no shared memory has 0 bytes. Free with segment_layout_free.
SegmentLayout *segment_layout(const Operation *op);
void segment_layout_free(SegmentLayout *layout);
// Returns where the flag is that rank `who` has for a queue, in bytes; SIZE_MAX if no rank raises it.
size_t segment_flag(const SegmentLayout *layout, int queue, int who);
// Returns the size of the segment (SegmentLayout.bytes), in bytes.
size_t segment_bytes(const Operation *op);

// A page of memory, and what a rank's notice in a slot takes, in bytes.
enum { SEGMENT_PAGE = 4096, SEGMENT_NOTICE = 4 };
// Returns the bytes that a component allocates when a communicator of op's ranks is made, so that every rank can be the
// root of any operation: a queue for each rank, and in each of its slots a fragment and a block with a notice for every
// rank, both in whole pages. That is p * slots * (fragment + 4096) if the fragment is whole pages and p is at most 1024.
// p * slots * fragment must be below 2^62.
size_t segment_allocated(const Operation *op);
