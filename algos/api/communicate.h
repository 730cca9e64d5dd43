// The communication API: the operations that an algorithm's text can use.
#pragma once
#include "api/view.h"

typedef struct Blocks Blocks; // api/blocks.h

// ---- Messages ------------------------------------------------------------------------------------------------------
// Peers are ranks of the view, 0 .. p-1. A rank must not send to itself; only coll_sendrecv may name the caller as both
// peers, and then copies. coll_send, coll_recv, coll_sendrecv and coll_exchange return when their messages have left or
// arrived; coll_isend and coll_irecv return at once with a request to wait for.

typedef int CollReq; // a rank's requests are numbered 0, 1, 2 .. in the order of issue

// A slice is a large struct, and a simulation can send a billion times. The functions therefore take pointers, and the
// macros let texts pass slices by value.
void coll_send_slice(const Coll *c, int to, const Slice *s);
void coll_recv_slice(const Coll *c, int from, const Slice *s);
void coll_sendrecv_slices(const Coll *c, int to, const Slice *s, int from, const Slice *r);

#define coll_send(c, to, s)              coll_send_slice(c, to, (const Slice[]){s})
#define coll_recv(c, from, s)            coll_recv_slice(c, from, (const Slice[]){s})
#define coll_sendrecv(c, to, s, from, r) coll_sendrecv_slices(c, to, (const Slice[]){s}, from, (const Slice[]){r})
// Works like coll_sendrecv, but `to` or `from` may be -1: then nothing is sent, or nothing is received.
void coll_exchange(const Coll *c, int to, Slice s, int from, Slice r);

// Begin a send or a receive, and return its request at once.
CollReq coll_isend(const Coll *c, int to, Slice s);
CollReq coll_irecv(const Coll *c, int from, Slice s);
// Waits for request r. Does nothing if r has been waited for before.
void coll_wait(const Coll *c, CollReq r);
// Waits for the requests from .. to-1, one after the other.
void coll_wait_range(const Coll *c, CollReq from, CollReq to);
// Returns the number that the next request will have.
CollReq coll_mark(const Coll *c);
// Waits for all pending requests whose number is `from` or higher; 0 waits for all.
void coll_waitall(const Coll *c, CollReq from);
// Waits until fewer than n >= 1 of the requests not waited for are pending, whichever of them complete first. No
// request counts as waited for afterwards, so coll_wait and coll_waitall may name those that have completed, and then
// go on.
void coll_throttle(const Coll *c, int n);

// Runs a text, and lets `meanwhile` overlap with it, as a nonblocking collective overlaps with other work of its rank.
// The text runs until it would wait for the first time, then meanwhile(data) runs to its end, and then the text goes
// on. The texts of `meanwhile` must wait for all their requests, and must not touch what the requests around them are
// using. They may overlap with a third text in the same way.
void coll_overlap(const Coll *c, void (*text)(const Coll *c), void (*meanwhile)(void *data), void *data);

// Says that a phase of the text begins, such as "reduce-scatter". NULL ends one that no other follows. It is not an
// operation: it takes no time and changes nothing, but reports and traces name the operations after it by it. `name`
// must live as long as the program.
void coll_phase(const Coll *c, const char *name);

// ---- Local work ----------------------------------------------------------------------------------------------------

// Computes into = left op right, with the operands in this order. The three lengths must be equal. `into` may be one of
// the operands, but must not overlap them otherwise.
void coll_reduce(const Coll *c, Slice into, Slice left, Slice right);
// Copies `from` to `into`, which must be as long. Does nothing if they are the same bytes.
void coll_copy(const Coll *c, Slice into, Slice from);
// Returns false if nobody needs the text's copies, because it runs only to show its messages. A text whose copies are
// many may leave them out then.
bool coll_copies(const Coll *c);
// Packs n blocks into one slice: those with the numbers which[0], which[1] .., in this order. coll_unpack does the
// reverse. Either is one operation, whatever n is.
void coll_pack(const Coll *c, Slice into, const Blocks *from, int n, const int *which);
void coll_unpack(const Coll *c, const Blocks *into, int n, const int *which, Slice from);
// Takes a scratch buffer of len >= 0 bytes. It lives until the end of the run; its contents are undefined at first.
Slice coll_scratch(const Coll *c, size_t len);
// Does the same if the caller needs the buffer. Otherwise it returns a slice of this length that no operation may
// touch, for a view that must know the length.
Slice coll_scratch_if(const Coll *c, bool needed, size_t len);
// Returns memory for n integers that live until the end of the run.
int *coll_ints(const Coll *c, size_t n);
// Returns the table of n integers that make(p, table) fills. All ranks of the run share it: the first that asks for a
// table of this function and number has it made, so that what depends on p alone is computed once.
const int *coll_table(const Coll *c, void (*make)(int p, int *table), int p, size_t n);
// Does the same for a table that depends on the view's nodes (coll_nodes), which must be known, and on the key: the
// first rank that asks for a table of this function, these nodes and this key has it made. The rank of `c` must not matter.
const int *coll_nodes_table(const Coll *c, void (*make)(const Coll *c, CollKey key, int *table), CollKey key, size_t n);
// Does the same for a table of n lengths or positions in bytes.
const size_t *coll_nodes_sizes(const Coll *c, void (*make)(const Coll *c, CollKey key, size_t *table), CollKey key,
                               size_t n);
// Returns memory for n lengths or positions in bytes that live until the end of the run.
size_t *coll_sizes(const Coll *c, size_t n);

// ---- Groups --------------------------------------------------------------------------------------------------------

// Returns the view of a group of p ranks in which the caller is `rank`. The group has root 0 and the buffers of c; it
// has no counts. `map` translates its ranks to ranks of c; it may depend on the caller, but groups of c with the same
// map and p must be the same group if they have the same first and last ranks. The view must not outlive c.
Coll coll_sub(const Coll *c, int p, int rank, CollMap map);
// Returns the nodes of the view, or NULL if they are not known. The nodes of a group are those of its parent, without
// the ranks that are not in the group, in the group's own numbers; they are numbered in the order of their lowest
// ranks. If its `level` is not COLL_SAME_LEVEL, the group has units of another level instead: that of the next level
// inside its parent's nodes, or outside them, at which some but not all of its ranks are together. Without such a level
// its nodes are known, but there are 0 of them. Nodes are found when they are asked for, and the run, which must not be
// NULL then, keeps them.
const CollNodes *coll_nodes(const Coll *c);
// Returns v = (rank - root) mod p, the caller's number counted from the root.
int coll_v(const Coll *c);
// Returns the rank whose number counted from the root is v.
int coll_rank(const Coll *c, int v);
// Returns the number that rank r of this view, 0 <= r < c->p, has in the whole.
int coll_world(const Coll *c, int r);

// ---- Shared memory -------------------------------------------------------------------------------------------------
// Every rank has a queue of par.slots slots of par.fragment bytes. It alone writes to its queue, and all ranks can read
// it. Every rank also has a flag for each queue, which says how far it has got with that queue. An algorithm in shared
// memory sends no messages.

// Returns the first len bytes of the slot that holds fragment i (0, 1, 2 ..) of the owner's queue, which is slot i mod
// slots. It is an ordinary slice: a copy into it is a write, and a copy or a reduction from it is a read, which
// `readers` >= 1 ranks do at the same time. len must not exceed the fragment, rounded down to whole elements.
Slice coll_slot(const Coll *c, int owner, int i, int readers, size_t len);
// Returns the first len bytes of a buffer of the owner, which `readers` >= 1 ranks read in place, as CMA, KNEM or XPMEM
// let them, without a slot. The owner copies its buffer into the slice: this says which buffer it lends, and takes no
// time. A copy or a reduction from the slice is a single copy. A text lends one buffer of each rank, has no parameters
// of slots, and must not change the buffer or end before its readers have raised a flag. Only the simulator reads in
// place: the MPI backend has no such copies, and copies the buffer into shared memory.
Slice coll_lent(const Coll *c, int owner, int readers, size_t len);
// Raises the caller's flag for `queue`, which is 0 at first, to n. A rank that awaits n then sees everything that the
// caller wrote before.
void coll_raise(const Coll *c, int queue, int n);
// Waits until the flag that rank `who` has for `queue` is at least n >= 1.
void coll_await(const Coll *c, int who, int queue, int n);
