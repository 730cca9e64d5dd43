// The backend interface. A backend receives an algorithm as a sequence of operations, one call of `emit` for each. The
// ranks of groups are already translated to ranks of the whole, and requests and scratch buffers are numbered. The
// recorder, the contents check and MPI each implement one `emit`.
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
    COLL_RAISE, // raises the caller's flag for queue `to` to n
    COLL_AWAIT, // waits until the flag that rank `from` has for queue `to` is at least n
} CollOpKind;

// Return whether an operation of this kind sends, or receives, a message; a sendrecv does both.
static inline bool coll_kind_sends(CollOpKind kind)
{
    return kind == COLL_SEND || kind == COLL_ISEND || kind == COLL_SENDRECV;
}
static inline bool coll_kind_receives(CollOpKind kind)
{
    return kind == COLL_RECV || kind == COLL_IRECV || kind == COLL_SENDRECV;
}

// An operation as it is issued. The pointers to slices, and `view`, are valid until emit returns.
typedef struct CollIssue {
    CollOpKind kind;
    const Coll *view;   // the view that issued it
    int to, from;       // ranks of the whole
    const Slice *out;   // the bytes that are sent or read; empty if there are none
    const Slice *in;    // the bytes that are received or written (reduce: in = out op right); empty if there are none
    const Slice *right; // the right operand of a reduction; else empty
    // The meaning of n depends on the kind. wait: the request is the n-th newest of those not waited for (0 is the
    // newest). waitall: the n newest requests. throttle: wait until fewer than n of them are pending; those that have
    // completed still count as not waited for. pack, unpack: the number of blocks. raise, await: the flag's value.
    int n;
    const Blocks *blocks; // pack, unpack: the blocks that `which` numbers
    const int *which;
} CollIssue;

// An operation that is kept after emit has returned. It has its own copy of the slices; `blocks` and `which` still
// point to memory of the text.
typedef struct CollOp {
    CollOpKind kind;
    int to, from;
    Slice out, in, right;
    int n;
    const Blocks *blocks;
    const int *which;
} CollOp;
// Copies an issued operation, so that it outlives emit.
CollOp coll_keep(const CollIssue *op);

// Memory for the integers of coll_ints.
struct CollChunk {
    struct CollChunk *next;
    size_t used, size;
    int at[];
};

// A table of coll_table, coll_nodes_table or coll_nodes_sizes.
struct CollTable {
    struct CollTable *next;
    void (*make)(void);     // the function that filled it; its type depends on which of them it is
    const CollNodes *nodes; // what the table depends on, or NULL if that is the key alone
    CollKey key;
    size_t at[]; // or integers
};

// The nodes of a group, which coll_nodes found.
struct CollGroupNodes {
    struct CollGroupNodes *next;
    const CollNodes *up; // of the group's parent
    CollMap map;
    int p, first, last; // the group's first and last rank, as ranks of the parent
    CollNodes *nodes;
};

// What runs while a text waits for the first time; `around` runs if that waits in its turn. NULL ends the list.
struct CollOverlap {
    const struct CollOverlap *around;
    const struct CollPart *part; // where `meanwhile` is, as CollRun has it
    const char *phase;
    void (*meanwhile)(void *data);
    void *data;
};

// A call of a part of a composition. It lives while the part's text runs.
struct CollPart {
    const struct CollPart *around; // the call that this one is made in; NULL if the composition is the whole
    const char *phase;             // the phase of the text that calls
    const CollAlgorithm *ran;
    int level; // Coll.level of the part's group
};

// The segments of one message, times the ranks, that a simulation allows: with more, it would not end soon.
#define COLL_MOST_SEGMENTS ((uint64_t)1 << 30)

// One rank's execution of a text.
struct CollRun {
    void (*emit)(CollRun *run, const CollIssue *op);
    void (*room)(CollRun *run, size_t len); // if not NULL: called when the text takes scratch number next_scratch
    // If not NULL: called when a part of a composition runs on several ranks. If the part does not meet its needs, its
    // fallback runs, and `why` says which need that is; otherwise `ran` is the part itself, and `why` is NULL.
    void (*part_runs)(CollRun *run, const CollAlgorithm *called, const CollAlgorithm *ran, const char *why);
    bool skips_parts; // part_runs is all that matters: the texts of parts that have no parts themselves do not run
    // The phase in which the text is (coll_phase), and the part of a composition; NULL for none.
    const char *phase;
    const struct CollPart *part;
    void (*phase_begins)(CollRun *run); // if not NULL: called when one of these changes
    // The most segments that a message may be cut into, times the ranks of the whole; 0 sets no limit. If a message
    // would have more, only its first segment is made, and `segments` says how many it would have had.
    uint64_t most_segments, segments;
    bool irregular; // the texts did what formulas do not know: a cut had blocks of different lengths, or a fallback ran
    int next_request, next_scratch;
    size_t scratch; // bytes of all scratch taken so far
    // What the calls of parts in shared memory have used so far (coll_take_queues).
    int flags_taken;
    size_t slots_taken;
    // The requests not yet waited for, in the order of issue: n_pending from index first_pending on.
    int *pending;
    int n_pending, max_pending;
    // The order of a rank's operations does not matter to the backend, so ranks may count as alike that do the same in
    // another order (same_in_nodes).
    bool unordered;
    bool no_copies; // the backend passes over copies and packed blocks (coll_copies)
    // For texts that overlap (coll_overlap): what runs at the next wait, and how many of the pending requests belong to
    // the texts around the one that runs. It must not wait for these.
    const struct CollOverlap *overlap;
    int n_around;
    int first_pending;
    struct CollChunk *chunks;
    struct CollTable *tables;      // the table made last comes first
    struct CollGroupNodes *groups; // the group asked for last comes first
};

// Initialises a run that hands its operations to `emit`. Free what it takes with coll_run_clear.
void coll_run_init(CollRun *run, void (*emit)(CollRun *run, const CollIssue *op));
// Makes the run ready for the next rank's text: requests and scratch are numbered from the beginning again, and the
// integers of coll_ints are gone.
void coll_run_reset(CollRun *run);
// Forgets the nodes of groups, and the tables of nodes. Needed before the run goes on with an operation on other nodes.
void coll_run_forget(CollRun *run);
// Says where the text is: in this part and phase. Both may be NULL.
void coll_run_place(CollRun *run, const struct CollPart *part, const char *phase);
// Gives a call of a part in shared memory values of the flags and slots of the queues of its own. The ranks of the
// view's group must have made the same calls in shared memory before, with as many bytes.
void coll_take_queues(Coll *c);
// Returns how many integers the text has taken (coll_ints) since the last reset.
size_t coll_run_ints(const CollRun *run);
// Frees the memory that the run holds.
void coll_run_clear(CollRun *run);
