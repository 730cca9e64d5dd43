// One rank's list of operations while it grows: where two mean the same as one they are fused, what repeats becomes a loop.
// Private to the recorder.
#pragma once
#include "schedule/schedule.h"

enum { MAX_BODY = 4 }; // of a loop of messages

// One rank's operations while they grow. The last ones may still fuse with what follows (an isend with its wait), so they
// stand in `open` until that is settled.
typedef struct Builder {
    Op *ops;
    Stride *strides;
    uint32_t n, max;
    uint32_t plain; // where the operations since the last loop begin
    Op *open;
    uint32_t n_open, max_open;
    // The loop that the list ends with, as long as what comes continues it.
    uint32_t body, matched; // length; operations of the next round seen so far
    uint64_t rounds;
    bool still; // no stride: all rounds are alike
    Op *next;   // what the next round must be
    uint32_t max_next;
    // In shared memory a round is a fragment, of any length: from one time that a flag is raised to the next. The flag is
    // the first one raised since the last loop, and where that was last; 0: not yet.
    int32_t flag;
    uint32_t raised;
} Builder;

// A list that begins anew; what it held stays allocated until builder_clear.
void builder_reset(Builder *b);
// Field by field, without a word that holds two: such a one would have to wait until both have been written.
static inline bool same_op(const Op *a, const Op *b)
{
    const int head = (a->kind ^ b->kind) | (a->out_cut ^ b->out_cut) | (a->in_cut ^ b->in_cut) | (a->text ^ b->text);
    const int32_t peers = (a->to ^ b->to) | (a->from ^ b->from) | (a->group ^ b->group);
    return !((uint64_t)(head | peers) | (a->out.bytes ^ b->out.bytes) | (a->in.bytes ^ b->in.bytes));
}

void builder_take(const Schedule *s, Builder *b, const Op *op);
// The next operation of the text.
static inline void builder_add(const Schedule *s, Builder *b, const Op *op)
{
    // Mostly one more of a long loop.
    if (!b->still || b->n_open > 0 || op->kind == OP_ISEND || op->kind == OP_IRECV ||
        !same_op(&b->next[b->matched], op)) {
        builder_take(s, b, op);
    } else if (++b->matched == b->body) {
        b->matched = 0;
        b->rounds++;
    }
}
// The same as the last one, which was no isend or irecv; true if that was all.
static inline bool builder_again(Builder *b)
{
    const bool again = b->still && b->body == 1;
    b->rounds += again;
    return again;
}
// The text is at its end: ops[0 .. n) is the list, with OP_END.
void builder_finish(const Schedule *s, Builder *b);
void builder_clear(Builder *b);
