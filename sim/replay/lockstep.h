// The parts of the lockstep gear: a cursor that goes through the schedule step by step, the function that moves all
// clocks one step on, and the one that walks the path one step back. Private to that gear.
#pragma once
#include "replay/gears.h"

// A step of the schedule: an operation, in a round of its loop.
typedef struct Cursor {
    uint32_t pc, round;
} Cursor;

// Returns false at the end of the schedule.
static inline bool has_step(const Class *k, Cursor at)
{
    return k->ops[at.pc].kind != OP_END;
}

static inline Cursor next_step(const Class *k, Cursor at)
{
    at.pc++;
    if (k->ops[at.pc].kind != OP_LOOP)
        return at;
    if (++at.round < k->ops[at.pc].out.bytes)
        at.pc -= (uint32_t)k->ops[at.pc].to;
    else
        at = (Cursor){at.pc + 1, 0};
    return at;
}

// At a site: stretches of consecutive v whose messages of one exchange have the same levels.
typedef struct Stretch {
    int end;         // the v after the last one
    uint8_t in, out; // the levels of the message that v receives, and of the one that it sends
} Stretch;

typedef struct Lockstep {
    const Schedule *s;
    const Class *k; // one of the classes; all are alike from operation `first` on
    uint32_t first;
    Hockney model;
    int p;
    // The stretches of the exchanges with these peers (of v = 0), which the last exchange had; at most p. NULL on a
    // flat machine.
    Stretch *stretch;
    int to, from;
} Lockstep;

static inline const Stride *stride_at(const Lockstep *l, Cursor at)
{
    static const Stride none;
    return l->k->loops ? &l->k->strides[at.pc] : &none;
}

// Returns the bytes that v sends in this step; in_bytes, the bytes that it receives or reduces.
static inline uint64_t out_bytes(const Lockstep *l, int v, Cursor at)
{
    const Op *op = &l->k->ops[at.pc];
    return length_of(l->s, v, op->out_cut, op->out, stride_at(l, at)->out, at.round);
}

static inline uint64_t in_bytes(const Lockstep *l, int v, Cursor at)
{
    const Op *op = &l->k->ops[at.pc];
    return length_of(l->s, v, op->in_cut, op->in, stride_at(l, at)->in, at.round);
}

// Returns the peer to which v sends in this step; from_v, the one from which it receives.
static inline int to_v(const Lockstep *l, int v, Cursor at)
{
    return peer_of(l->s, v, l->k->ops[at.pc].to, stride_at(l, at)->to, at.round);
}

static inline int from_v(const Lockstep *l, int v, Cursor at)
{
    return peer_of(l->s, v, l->k->ops[at.pc].from, stride_at(l, at)->from, at.round);
}

// Returns the time of a message that v sends to `peer` or receives from it.
static inline double message_of(const Lockstep *l, int v, int peer, uint64_t bytes)
{
    return cost_at(&l->model, cost_level(&l->model, v, peer), bytes);
}

// Returns when an exchange ends at a rank that is ready at `own`, if its source is ready at `there` and its target at
// `to`. The messages that it receives and sends take the times `in` and `out`.
static inline double exchange_end(Transfer transfer, double own, double there, double to, double in, double out)
{
    const bool meets = transfer == TRANSFER_RENDEZVOUS; // each message waits for the later of its two ends
    const double received = (meets ? MAX(own, there) : there) + in, sent = (meets ? MAX(own, to) : own) + out;
    return MAX(received, sent);
}

// Moves the clocks of all ranks one step on. *now are the clocks, by v; *other is a second array of that size, and the
// two may be swapped.
void lockstep_step(Lockstep *l, Cursor at, double **now, double **other);

// The clocks before a step, of consecutive v from `first` on, modulo p.
typedef struct ClockRow {
    const double *clock;
    int first;
} ClockRow;

typedef struct PathWalk {
    int v;        // the rank at which the walk is
    ClockTally n; // what the steps walked so far have paid
    GArray *path; // of PathStep, backwards; NULL if only the tally is wanted
} PathWalk;

// Walks back over one step: adds what it contributed to the clock of w->v, and sets w->v to the rank from which that
// came.
void lockstep_walk_back(const Lockstep *l, Cursor at, const ClockRow *before, PathWalk *w);

// Checkpoints of all clocks, one every `every` steps.
typedef struct Checkpoints {
    int64_t steps, every; // `steps` is the number of all steps
    double *clocks;       // clocks[i * p + v] is v's clock at checkpoint i, before step i * every
    Cursor *cursors;      // the step of each checkpoint
} Checkpoints;

// Walks the path of w->v's clock from the last step back to the first. Afterwards w->v is the rank with whose start the
// path begins.
void lockstep_walk(const Lockstep *l, const Checkpoints *ck, PathWalk *w);
