// What a backend sees of an algorithm: one operation after the other, groups translated, requests and scratch numbered.
// The recorder, the contents check and MPI are each one `emit`.
#pragma once
#include "coll.h"

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
    COLL_RAISE, // the flag of queue `to`, to n
    COLL_AWAIT, // until the flag that rank `from` has for queue `to` is n
} CollOpKind;

// An operation as it is issued. What it points to is gone when emit returns.
typedef struct CollIssue {
    CollOpKind kind;
    const Coll *view;      // that it was issued on
    int to, from;          // ranks of the whole
    const Slice *out, *in; // what is sent or read; what is received or written (reduce: in = out op right); else empty
    const Slice *right;    // reduce only; else empty
    // wait: the request is the n-th newest of those not waited for (0 = newest); waitall: the n newest; throttle: fewer
    // than n; pack, unpack: n blocks; raise, await: what the flag says.
    int n;
    const Blocks *blocks;
    const int *which;
} CollIssue;

// The same to be kept; blocks and which are still the text's.
typedef struct CollOp {
    CollOpKind kind;
    int to, from;
    Slice out, in, right;
    int n;
    const Blocks *blocks;
    const int *which;
} CollOp;
CollOp coll_keep(const CollIssue *op);

struct CollRun {
    void (*emit)(CollRun *run, const CollIssue *op);
    void (*room)(CollRun *run, size_t len); // scratch of so many bytes is taken, number next_scratch; NULL: no matter
    int next_request, next_scratch;
    size_t scratch; // bytes of all scratch
    int *pending;   // numbers of the requests not yet waited for, in the order of issue
    int n_pending, max_pending;
    struct CollChunk *chunks;
};

// A run with this emit; reset before each rank's text; clear frees what it holds.
void coll_run_init(CollRun *run, void (*emit)(CollRun *run, const CollIssue *op));
void coll_run_reset(CollRun *run);
void coll_run_clear(CollRun *run);

// The rank's view of an operation on m bytes (the whole vector, or one rank's block: as -m of the program; with counts
// these say it), in the buffers COLL_IN and COLL_OUT. `of` has what all ranks share: p, root, elem, commutative,
// per_node, par, counts. bcast and a barrier have one buffer, COLL_OUT.
Coll coll_make(Collective collective, const Coll *of, int rank, size_t m, CollRun *run);
// Makes the view one in place as MPI means it, at the ranks where it means something. (A reduce_scatter has its result
// where it lies, not at the front of the vector.)
void coll_in_place(Coll *c, Collective collective);

// The algorithm that runs on this view: `algorithm` itself, or its fallback; then *why is the unmet need's text and
// c->par the fallback's parameters: shared ones, and defaults. NULL: a need is not met and there is no fallback.
const CollAlgorithm *coll_resolve(const CollAlgorithm *algorithm, Coll *c, const char **why);
