// What a backend sees of an algorithm: one operation after the other, with groups translated to ranks of the whole, and
// requests and scratch numbered. The recorder, the contents check and MPI are each one `emit`.
#pragma once
#include "api/view.h"

typedef struct Blocks Blocks; // api/blocks.h

typedef enum CollOpKind {
    COLL_SEND,
    COLL_RECV,
    COLL_SENDRECV,
    COLL_ISEND,
    COLL_IRECV,
    COLL_WAIT,
    COLL_WAITALL,
    COLL_THROTTLE,
    COLL_REDUCE_OP,
    COLL_COPY,
    COLL_PACK,
    COLL_UNPACK,
    COLL_RAISE, // raises the flag of queue `to` to n
    COLL_AWAIT, // waits until the flag that rank `from` has for queue `to` is n
} CollOpKind;

// An operation as it is issued. What it points to is gone when emit returns.
typedef struct CollIssue {
    CollOpKind kind;
    const Coll *view;      // the view that issued it
    int to, from;          // ranks of the whole
    const Slice *out, *in; // what is sent or read; what is received or written (reduce: in = out op right); else empty
    const Slice *right;    // the right operand of a reduction; else empty
    // wait: the request is the n-th newest of those not waited for (0 is the newest); waitall: the n newest; throttle:
    // fewer than n; pack, unpack: n blocks; raise, await: the flag's value.
    int n;
    const Blocks *blocks;
    const int *which;
} CollIssue;

// The same, to be kept; blocks and which still belong to the text.
typedef struct CollOp {
    CollOpKind kind;
    int to, from;
    Slice out, in, right;
    int n;
    const Blocks *blocks;
    const int *which;
} CollOp;
CollOp coll_keep(const CollIssue *op);

// Room for the integers of coll_ints.
struct CollChunk {
    struct CollChunk *next;
    size_t used, size;
    int at[];
};

struct CollRun {
    void (*emit)(CollRun *run, const CollIssue *op);
    void (*room)(CollRun *run, size_t len); // called when scratch number next_scratch is taken; NULL if nobody asks
    int next_request, next_scratch;
    size_t scratch; // bytes of all scratch
    int *pending;   // the requests not yet waited for, in the order of issue
    int n_pending, max_pending;
    struct CollChunk *chunks;
};

// Makes a run with this emit.
void coll_run_init(CollRun *run, void (*emit)(CollRun *run, const CollIssue *op));
// Makes the run ready for the next rank's text.
void coll_run_reset(CollRun *run);
// Frees what the run holds.
void coll_run_clear(CollRun *run);
