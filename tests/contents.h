// Proves on contents that an algorithm computes its collective at one point.
//
// The text is run for every rank and its operations are kept. Then they are executed together, element by element, where
// an element is an affine map x -> a x + b modulo 2^64 with a odd, and n, the number of contributions in it:
//
//     reduction         a, b                                    n = 0
//     ordered           composition: associative, and not       poison: what scratch and outputs hold at first. It may
//                       commutative                             travel, but reach neither a reduction nor a result
//     commutative       sums
//
// The leaves are random per rank and element, so equal contents are a proof but for a chance of 2^-64 or so.
#pragma once
#include "api/backend.h"
#include "registry/entry.h"

// One point. In place as MPI means it, at the ranks where it means something; a reduce_scatter has no such form here
// (MPI's leaves the result at the front of the vector, which Slices `in` and `out` could say, but no entry needs).
typedef struct ContentsCase {
    const CollAlgorithm *algorithm;
    CollParams par;
    int p, root;
    size_t m, elem; // bytes; m as -m of the program, a multiple of elem
    bool commutative, in_place;
    int per_node;
    const CollCounts *counts; // NULL: all blocks are alike; kept until contents_free
} ContentsCase;

// What one rank does. A mutation replaces `op` and `n`, and puts them back before contents_free.
typedef struct ContentsRank {
    CollOp *op;
    int n;
    Slice in, out; // its view's
    int n_buffers;
    size_t *len; // of each buffer, bytes; a backend is not told of scratch's length, so what is used counts
    size_t *at;  // where each begins among the elements of all ranks
    size_t queue_len, queue_at; // the same of its queue in shared memory
} ContentsRank;

typedef struct Contents {
    ContentsCase of;
    const CollAlgorithm *ran; // the case's, or the fallback; NULL: a need is not met, this is no case
    const char *why;          // the unmet need where `ran` is not the case's algorithm
    ContentsRank *rank;       // p of them
    size_t n_elements;        // in all buffers of all ranks
    void *kept;               // the block lists that operations point to
} Contents;

// Records the operations of all ranks. To be freed with contents_free.
Contents *contents_record(const ContentsCase *x);
void contents_free(Contents *c);

// The first error as one line, to be freed; NULL: the collective is computed. Looks for unmatched or unequal messages,
// broken rules (contents_rules), then executes under synchronous sends (done when the receive is posted, which is when
// the data are taken) and eager ones (data taken at once), ranks in ascending order and in descending order.
char *contents_error(const Contents *c);

// Both in one. *ran (may be NULL) as in Contents; NULL comes back too where it is no case.
char *contents_check(const ContentsCase *x, const CollAlgorithm **ran);

// What a rank must not do whatever the others do, as one line to be freed; NULL: all is well. Slices are whole elements
// inside their buffers, inputs are not written, operands are disjoint (a copy's or reduction's may be identical), a
// request is pending until waited for, and until then nothing writes what it sends or touches what it receives; all are
// waited for. A slot is written by its owner alone, and flags grow.
char *contents_rules(const Contents *c, int rank);

// The i-th slice that an operation itself touches; false: it has no more.
typedef struct ContentsAccess {
    Slice slice;
    bool write;
} ContentsAccess;
bool contents_access(const CollOp *op, int i, ContentsAccess *a);
// Does one of the two write what the other touches?
bool contents_conflict(const ContentsAccess *a, const ContentsAccess *b);
// Has the operation this part of a message?
bool contents_sends(const CollOp *op);
bool contents_receives(const CollOp *op);

// "rank 2 operation 4 (send to 3)", to be freed; operations count from 0.
char *contents_op(const Contents *c, int rank, int i);

// ---- Parts of contents_error -------------------------------------------------------------------------------------

typedef struct ContentsMessage {
    int src, src_op, dst, dst_op;
    size_t n, at; // elements; where they wait among those sent early
} ContentsMessage;

// Who meets whom is known before anything runs: the k-th send from s to d, and d's k-th receive from s.
typedef struct Messages {
    ContentsMessage *of;
    int n;
    size_t n_elements; // of all messages
    int *first;        // of each rank among all operations
    int *out, *in;     // an operation's message, as its sender and as its receiver
} Messages;

// Matches all messages, to be cleared in any case; the error if one is left over, missing or of two lengths.
char *messages_match(const Contents *c, Messages *ms);
void messages_clear(Messages *ms);

// Executes matched operations that keep the rules, ranks upwards or downwards in turn, each as far as it gets. A slot is
// read after its fragment was written, and written after that was read, whoever is fast or slow: by what the flags say.
char *contents_run(const Contents *c, const Messages *ms, bool eager, bool downwards);
