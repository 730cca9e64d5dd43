// The contents checker: proves that an algorithm computes its collective at one point (p, root, size, parameters ..).
//
// contents_record() runs the algorithm's text for every rank and keeps the operations. contents_error() then executes
// the operations of all ranks together, on symbolic contents. One element is an affine map x -> a x + b modulo 2^64,
// together with n, the number of contributions that were combined in it. What a reduction does with two elements
// depends on the operation that is tested:
//
//     ordered       composes the maps, which is associative but not commutative
//     commutative   adds a to a and b to b
//
// In either case the n are added. n = 0 marks poison, which scratch and outputs hold at first: poison may be copied and
// sent, but it must not reach a reduction or a result.
//
// The a and b of every rank's input are pseudo-random, with a odd so that composition loses no information. If a result
// equals what it must be, then it was computed correctly, except with a probability of about 2^-64.
#pragma once
#include "api/backend.h"
#include "api/blocks.h"
#include "registry/entry.h"

// One point of an algorithm.
//
// In place means what MPI means by it, and changes nothing at ranks for which MPI does not define it (in a gather,
// all but the root). Reduce_scatter and reduce_scatter_block are not tested in place: MPI then leaves the result at the
// front of the vector, and no entry of the registry needs that form.
typedef struct ContentsCase {
    const CollAlgorithm *algorithm;
    CollParams par;
    int p, root;
    size_t m, elem; // bytes; m counts what the program's -m counts, and is a multiple of elem
    bool commutative, in_place;
    const CollNodes *nodes;   // NULL if they are not known; must live until contents_free
    const CollCounts *counts; // NULL if all blocks have the same length; must live until contents_free
} ContentsCase;

// What one rank does. A mutation replaces `op` and `n`, and puts them back before contents_free.
typedef struct ContentsRank {
    CollOp *op;
    int n;
    Slice in, out; // of the rank's view
    int n_buffers;
    size_t *len;                // of each buffer, in bytes; for scratch, up to the last byte that an operation touches
    size_t *at;                 // where each buffer begins among the elements of all ranks
    size_t queue_len, queue_at; // the same for the rank's queue in shared memory, which is empty if nobody touches it
} ContentsRank;

typedef struct Contents {
    ContentsCase of;
    const CollAlgorithm *ran; // the case's algorithm, or its fallback; NULL if a need is unmet and there is no fallback
    const char *why;          // the unmet need, if `ran` is not the case's algorithm
    ContentsRank *rank;       // p of them
    size_t n_elements;        // in all buffers of all ranks
    // Whether a rank raises or awaits a flag. Then slot_len and slots are the bytes of a slot, in whole elements, and
    // the slots of a queue.
    bool flags;
    size_t slot_len, slots;
    void *kept; // the block lists that operations point to
} Contents;

// Records the operations of all ranks. Free with contents_free.
Contents *contents_record(const ContentsCase *x);
void contents_free(Contents *c);

// Returns NULL if the collective is computed, otherwise the first error as one line (free with g_free). c->ran must not
// be NULL.
//
// First matches the messages (messages_match), then checks each rank by itself (contents_rules), then executes all
// ranks under synchronous sends, where a message is taken when its receive is posted.
//
// If the rules hold, one order of the ranks finds what any other finds, and eager sends, where a message is taken at
// once, find nothing more. Every receive names its sender, and nothing touches what a pending request sends or
// receives, so what a message holds does not depend on when it is taken. An operation that may go on may still do so
// after other ranks went on, so all orders get equally far, and eager sends at least as far. Slots are the same in all
// orders if their flags order all accesses to them, which the run looks at. This is an argument about the checker, not
// about an algorithm, so up to 5 ranks it is put to the test: there the ranks also run in descending order, and in both
// orders under eager sends if there are messages.
char *contents_error(const Contents *c);

// Returns the same for a mutant of an algorithm that keeps the rules. Only the ranks a and b, which may be one, have
// other operations than the algorithm, so the others are not asked about their rules again. The rules come first here,
// because they cost least.
char *contents_error_in(const Contents *c, int a, int b);

// Records the case and returns what contents_error() says of it. *ran (`ran` may be NULL) becomes Contents.ran; if that
// is NULL, nothing is executed and NULL is returned.
char *contents_check(const ContentsCase *x, const CollAlgorithm **ran);

// Returns NULL if the rank's operations keep the rules that hold whatever other ranks do, otherwise the first error as
// one line (free with g_free). The rules:
// - A slice consists of whole elements and lies inside its buffer.
// - The input is not written. (In place, the part of it that is the output may be.)
// - The operands of one operation do not overlap; those of a copy or a reduction may be identical.
// - Until a request is waited for, nothing writes what it sends, or touches what it receives.
// - A wait asks only for requests that are pending, and every request is waited for.
// - A slot in shared memory is written by its owner alone, and no message is sent from it or received into it.
// - A flag only grows.
char *contents_rules(const Contents *c, int rank);

typedef struct ContentsAccess {
    Slice slice;
    bool write; // otherwise a read
} ContentsAccess;
// Sets *a to the i-th slice that the operation reads or writes itself (i >= 0). Returns false if the operation has no
// such slice, as waits, throttles and flags; *a is then undefined.
static inline bool contents_access(const CollOp *op, int i, ContentsAccess *a)
{
    const ContentsAccess read = {op->out, false}, write = {op->in, true};
    switch (op->kind) {
    case COLL_SEND:
    case COLL_ISEND:
        *a = read;
        return i < 1;
    case COLL_RECV:
    case COLL_IRECV:
        *a = write;
        return i < 1;
    case COLL_SENDRECV:
    case COLL_COPY:
        *a = i == 0 ? read : write;
        return i < 2;
    case COLL_REDUCE_OP:
        *a = i == 0 ? read : i == 1 ? (ContentsAccess){op->right, false} : write;
        return i < 3;
    case COLL_PACK:
    case COLL_UNPACK:
        if (i > op->n)
            return false;
        if (i == 0)
            *a = op->kind == COLL_PACK ? write : read;
        else
            *a = (ContentsAccess){block(op->blocks, op->which[i - 1]), op->kind == COLL_UNPACK};
        return true;
    case COLL_WAIT:
    case COLL_WAITALL:
    case COLL_THROTTLE:
    case COLL_RAISE:
    case COLL_AWAIT:
        break;
    }
    return false;
}
// Returns true if the two overlap and at least one of them writes.
bool contents_conflict(const ContentsAccess *a, const ContentsAccess *b);
// Return true if the operation sends, or receives, a message; a sendrecv does both.
static inline bool contents_sends(const CollOp *op)
{
    return op->kind == COLL_SEND || op->kind == COLL_ISEND || op->kind == COLL_SENDRECV;
}
static inline bool contents_receives(const CollOp *op)
{
    return op->kind == COLL_RECV || op->kind == COLL_IRECV || op->kind == COLL_SENDRECV;
}

// Returns a name for the rank's i-th operation (from 0), such as "rank 2 operation 4 (send to 3)"; free with g_free.
char *contents_op(const Contents *c, int rank, int i);

// ---- Parts of contents_error -------------------------------------------------------------------------------------

typedef struct ContentsMessage {
    int src, src_op, dst, dst_op; // the two ranks, and the operation of each
    size_t n;                     // elements
    size_t at;                    // where the contents of an eager message are kept until its receive is posted
} ContentsMessage;

// All messages. They can be matched before anything runs: the k-th send from s to d meets d's k-th receive from s.
typedef struct Messages {
    ContentsMessage *of;
    int n;
    size_t n_elements; // of all messages
    int *first;        // of each rank, the place of its first operation among all operations
    int *out, *in;     // of each operation, the message that it sends and the one that it receives; else undefined
} Messages;

// Matches sends with receives. Returns NULL, or an error (free with g_free) if a peer is not a rank, a send or receive
// meets none, or the two ends of a message differ in length. In either case clear *ms with messages_clear.
char *messages_match(const Contents *c, Messages *ms);
void messages_clear(Messages *ms);

// Executes operations that are matched and keep the rules. The ranks take turns, in ascending order or downwards, and
// each goes as far as it can. Returns NULL, or the first error as one line (free with g_free): poison in a reduction, a
// slot that another rank may still be using as far as the flags say, a deadlock, or a wrong result.
char *contents_run(const Contents *c, const Messages *ms, bool eager, bool downwards);
