// Queues of numbers by pair of ranks, a table that holds the pairs whose queue is not empty. Private to the walk.
#pragma once
#include <stdint.h>

typedef struct Channels Channels;

// Free with channels_free.
Channels *channels_new(void);
void channels_free(Channels *x);
// Appends number i, 0 or above, to the queue of a pair. A number is in at most one queue.
void channels_add(Channels *x, int rank, int other, int32_t i);
// Returns the first number of a pair's queue; -1 if it is empty.
int32_t channels_first(const Channels *x, int rank, int other);
// Removes the first number of a pair's queue, which is not empty, and returns it.
int32_t channels_take(Channels *x, int rank, int other);
