// The communication API: what an algorithm's text can do.
#pragma once
#include "api/view.h"

typedef struct Blocks Blocks; // api/blocks.h

// ---- Messages ------------------------------------------------------------------------------------------------------
// Peers are ranks of the view, 0 .. p-1. A rank sends no message to itself, except through coll_sendrecv, which then
// copies. A call without an i (isend, irecv) returns when its messages have left or come.

typedef int CollReq; // a rank's requests are numbered 0, 1, 2 .. in the order of issue

// A slice is a large struct, and texts send a billion times. So the functions take pointers, and the macros let texts
// pass slices by value.
void coll_send_slice(const Coll *c, int to, const Slice *s);
void coll_recv_slice(const Coll *c, int from, const Slice *s);
void coll_sendrecv_slices(const Coll *c, int to, const Slice *s, int from, const Slice *r);

#define coll_send(c, to, s)              coll_send_slice(c, to, (const Slice[]){s})
#define coll_recv(c, from, s)            coll_recv_slice(c, from, (const Slice[]){s})
#define coll_sendrecv(c, to, s, from, r) coll_sendrecv_slices(c, to, (const Slice[]){s}, from, (const Slice[]){r})
// Like coll_sendrecv, but `to` or `from` may be -1: then nothing is sent or received.
void coll_exchange(const Coll *c, int to, Slice s, int from, Slice r);

CollReq coll_isend(const Coll *c, int to, Slice s);
CollReq coll_irecv(const Coll *c, int from, Slice s);
void coll_wait(const Coll *c, CollReq r);
// Returns the number that the next request will have.
CollReq coll_mark(const Coll *c);
// Waits for all requests from number `from` on; 0 waits for all.
void coll_waitall(const Coll *c, CollReq from);
// Waits until fewer than n >= 1 requests are pending, whichever end first.
void coll_throttle(const Coll *c, int n);

// ---- Local work ----------------------------------------------------------------------------------------------------

// into = left op right, in this order. Lengths are equal. `into` may be either operand, else it must not overlap them.
void coll_reduce(const Coll *c, Slice into, Slice left, Slice right);
void coll_copy(const Coll *c, Slice into, Slice from);
// Packs the n blocks `which`, in this order, into one slice; unpack does the reverse. Each is one operation, however
// many blocks there are.
void coll_pack(const Coll *c, Slice into, const Blocks *from, int n, const int *which);
void coll_unpack(const Coll *c, const Blocks *into, int n, const int *which, Slice from);
// Takes scratch of len bytes (0 is allowed). It lives to the end of the run; its contents are undefined at first.
Slice coll_scratch(const Coll *c, size_t len);
// Returns room for n integers that live to the end of the run.
int *coll_ints(const Coll *c, size_t n);

// ---- Groups --------------------------------------------------------------------------------------------------------

// The view of a group of p ranks in which the caller is `rank`; the root is 0, the buffers are the same. The view must
// not outlive c.
Coll coll_sub(const Coll *c, int p, int rank, CollMap map);
// v = (rank - root) mod p, the caller's number counted from the root.
int coll_v(const Coll *c);
// The rank of v.
int coll_rank(const Coll *c, int v);
// The number that rank r of this view has in the whole.
int coll_world(const Coll *c, int r);

// ---- Shared memory -------------------------------------------------------------------------------------------------
// Every rank has a queue of par.slots slots of par.fragment bytes. It alone writes to its queue, and all ranks can read
// it. Every rank also has a flag for each queue, which says how far it has got with that queue. An algorithm in shared
// memory sends no messages.

// The first len bytes of the slot that holds fragment i (0, 1, 2 ..) of the owner's queue: an ordinary slice, in slot
// i mod slots. A copy into it is a write. A copy or a reduction from it is a read, which `readers` >= 1 ranks do at the
// same time.
Slice coll_slot(const Coll *c, int owner, int i, int readers, size_t len);
// Raises the caller's flag for `queue`, which is 0 at first, to n. Whoever awaits n then sees all that the caller did
// before.
void coll_raise(const Coll *c, int queue, int n);
// Waits until the flag that rank `who` has for `queue` is at least n >= 1.
void coll_await(const Coll *c, int who, int queue, int n);
