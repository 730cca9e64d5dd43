// Broadcast and reduction through queues in shared memory.
#pragma once
#include "shapes/tree.h"

// The number of fragments of c->in.
int shm_fragments(const Coll *c);
// Hands c->out down the tree: a rank reads each fragment from its parent's queue, as one of `readers`, and writes it
// into its own queue if it has children. `first` counts the fragments that have passed through the queues before; all
// of them must have been read.
void shm_bcast(const Coll *c, Tree t, int readers, int first);
// Reduces c->in up the tree, through the ranks' queues, into c->out at the root of the tree. The order of the ranks is
// kept if each subtree is a run of them. The root of the tree may have a parent too, which takes the result out of its
// queue. `from` is the queue that the caller takes c->out from; -1 if none.
void shm_reduce(const Coll *c, Tree t, int from);

// The same over a flat tree with fewer flags: half of the slots at a time is freed, when one rank after the other has
// passed that set's counter.
void shm_sets_bcast(const Coll *c, int first);
void shm_sets_reduce(const Coll *c);
// How a queue is cut into sets of slots.
typedef struct ShmSets {
    int n, slots; // slots of each set
} ShmSets;
ShmSets shm_sets(const CollParams *par);

// The size of the segment in bytes: each rank's queue of slots. A slot's fragment and its flags, 4 bytes for each rank,
// begin on pages of their own. SIZE_MAX if the segment is larger than that.
size_t shm_segment(int p, const CollParams *par);
