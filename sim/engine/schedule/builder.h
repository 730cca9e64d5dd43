// Builds one rank's list of operations. It fuses operations that together mean the same as one (an irecv, an isend and
// their waitall become a sendrecv), and it folds what repeats into loops. Private to the recorder.
#pragma once
#include "engine/schedule/schedule.h"

enum { MAX_BODY = 4 }; // the most operations in the body of a loop of messages

// One rank's list. The newest requests may still fuse with what follows (an isend with its wait), so they are kept in
// `open` until the next operation of another kind decides.
typedef struct Builder {
    Op *ops;
    Stride *strides;
    uint32_t n, max;
    uint32_t plain; // the index in ops at which the operations after the last loop begin
    Op *open;
    uint32_t n_open, max_open;
    // The loop at the end of the list, which has no OP_LOOP until an operation comes that does not continue it.
    uint32_t body;    // operations in its body; 0 if the list does not end with a loop
    uint32_t matched; // operations of the next round that have come so far
    uint64_t rounds;  // complete rounds
    bool still;       // no operation of the body has a stride, so all rounds are alike
    bool isends;      // RecordOptions.isends
    Op *next;         // the operations that the next round must have to continue the loop
    uint32_t max_next;
    // In shared memory the body of a loop is a fragment's work, of any length: it ends where the rank raises a flag
    // once more. `flag` is the queue of the first flag raised after the last loop, and `raised` the list's length when
    // that flag was last raised; 0 if it was not.
    int32_t flag;
    uint32_t raised;
} Builder;

// Empties the list for another rank; the memory remains allocated until builder_clear.
void builder_reset(Builder *b);
// Compares field by field. Loading two fields as one word would be slower: the processor would have to wait until the
// separate stores of both have reached the cache.
static inline bool same_op(const Op *a, const Op *b)
{
    const int head = (a->kind ^ b->kind) | (a->out_cut ^ b->out_cut) | (a->in_cut ^ b->in_cut) | (a->text ^ b->text);
    const int32_t peers = (a->to ^ b->to) | (a->from ^ b->from) | (a->group ^ b->group) | (a->phase ^ b->phase);
    return !((uint64_t)(head | peers) | (a->out.bytes ^ b->out.bytes) | (a->in.bytes ^ b->in.bytes));
}

// The general case of builder_add.
void builder_take(const Schedule *s, Builder *b, const Op *op);
// Adds the next operation of the text.
static inline void builder_add(const Schedule *s, Builder *b, const Op *op)
{
    // Most operations continue a long loop whose rounds are all alike; only these need no builder_take.
    if (!b->still || b->n_open > 0 || op->kind == OP_ISEND || op->kind == OP_IRECV ||
        !same_op(&b->next[b->matched], op)) {
        builder_take(s, b, op);
    } else if (++b->matched == b->body) {
        b->matched = 0;
        b->rounds++;
    }
}
// Adds the last operation once more, if it is the whole body of a loop whose rounds are all alike. Otherwise returns
// false and changes nothing; builder_add is then needed. The last operation must not have been an isend or irecv.
static inline bool builder_again(Builder *b)
{
    const bool again = b->still && b->body == 1;
    b->rounds += again;
    return again;
}
// Completes the list, which is ops[0] .. ops[n-1] with OP_END as the last one, and strides[], which goes with it. The
// builder owns both.
void builder_finish(const Schedule *s, Builder *b);
// Appends an operation of a complete list, as it is, to an empty list or after other such operations.
void builder_append(Builder *b, const Op *op, const Stride *stride);
// Frees what the builder holds.
void builder_clear(Builder *b);
