// Broadcast and reduction through queues in shared memory.
#pragma once
#include "shapes/tree.h"

// Returns the number of fragments of c->in; an empty vector has one.
int shm_fragments(const Coll *c);
// How a rank signals to the readers of its queue that it has written a fragment.
typedef enum ShmNotice {
    SHM_CELLS,   // it sets a cell for each reader, and each reader polls its own cell
    SHM_COUNTER, // it raises one counter, which all readers poll
} ShmNotice;
// Copies fragment k into the caller's queue, and signals that it is there. If its slot is `reused`, the function first
// waits until the n readers have read the fragment that is still in the slot. `reader` may be NULL if the slot is not
// reused and the notice is SHM_COUNTER.
void shm_put(const Coll *c, Slice data, int k, bool reused, int n, const int *reader, ShmNotice notice);
// Copies fragment k out of the queue of rank `from`, as one of `readers` ranks, and reports to `from` that it is read.
void shm_get(const Coll *c, Slice into, int k, int from, int readers, ShmNotice notice);
// Broadcasts c->out down the tree: a rank reads each fragment from its parent's queue, as one of `readers` ranks, and
// writes it into its own queue if it has children. `first` is the number of fragments that have passed through the
// queues before; all of them must have been read. The cell of reader r is the writer's flag for the queue of r, which
// otherwise says how much of the queue of r the writer has read: that must not be more than `first` fragments.
void shm_bcast(const Coll *c, Tree t, int readers, int first, ShmNotice notice);

// What a rank does with a fragment in a child's slot.
typedef enum ShmOperand {
    SHM_COPIED, // it copies the fragment out, frees the slot, and then reduces; its own fragment, the first one and the
                // result are copied once more (algorithm 2 of the paper)
    SHM_FUSED,  // it reduces the fragment in the slot, which saves a buffer, and frees the slot afterwards
} ShmOperand;
// Reduces c->in up the tree, through the ranks' queues, into c->out at the root of the tree. The order of the ranks is
// kept if each subtree is a run of consecutive ranks. If the result is wanted at another rank, the tree's root has that
// rank as its parent, and the rank passes the tree's root as `from`: it takes c->out from the queue of `from`. All
// other ranks pass -1.
void shm_reduce(const Coll *c, Tree t, int from, ShmOperand operand);

// Broadcasts c->out in steps of release and gather. A fragment is in a slot of the root, where all ranks read it. The
// root's release flags travel down the tree, a cell for each child, ahead of the reads. The gather flags, which say
// that a rank's subtree has read the fragment, travel up again before the rank goes on. `first` is as in shm_bcast.
void shm_release_bcast(const Coll *c, Tree t, int first);

// Lends a buffer to the n readers, and returns when all have reported that they have read it.
void shm_lend(const Coll *c, Slice data, int n, const int *reader);
// Copies a buffer that rank `from` lends to `readers` ranks, and reports to `from` that it is read.
void shm_borrow(const Coll *c, Slice into, int from, int readers);
// Broadcasts c->out down the tree by single copies: a rank copies the whole message straight out of its parent's
// buffer, as one of `readers` ranks, and ends when its children have copied it out of its own.
void shm_single_bcast(const Coll *c, Tree t, int readers);
// Reduces c->in into c->out at c->root, which reduces the vectors in the buffers of their ranks, the highest rank
// first.
void shm_single_reduce(const Coll *c);

// Broadcast and reduce from and to c->root over a flat tree. No flag frees a slot: once all slots of a queue have been
// used, all ranks meet in a barrier, and the queue begins anew.
void shm_queue_bcast(const Coll *c);
void shm_queue_reduce(const Coll *c);

// Do the same from and to c->root over a flat tree, with fewer flags: the slots are freed a set at a time, once one
// rank after the other has passed the counter of the set.
void shm_sets_bcast(const Coll *c, int first);
void shm_sets_reduce(const Coll *c);
// A queue's sets of slots.
typedef struct ShmSets {
    int n;     // the number of sets: 2, or 1 if the queue has a single slot
    int slots; // the number of slots in each set
} ShmSets;
ShmSets shm_sets(const CollParams *par);
