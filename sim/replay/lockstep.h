// The parts of the lockstep gear: the schedule step by step, all clocks one step on, the path one step back. Private to it.
#pragma once
#include "replay/gears.h"

typedef struct Cursor {
    uint32_t pc, round;
} Cursor;

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

typedef struct Lockstep {
    const Schedule *s;
    const Class *k; // any class; all are alike from operation `first` on
    uint32_t first;
    Hockney model;
    int p;
} Lockstep;

static inline const Stride *stride_at(const Lockstep *l, Cursor at)
{
    static const Stride none;
    return l->k->loops ? &l->k->strides[at.pc] : &none;
}

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

static inline int to_v(const Lockstep *l, int v, Cursor at)
{
    return peer_of(l->s, v, l->k->ops[at.pc].to, stride_at(l, at)->to, at.round);
}

static inline int from_v(const Lockstep *l, int v, Cursor at)
{
    return peer_of(l->s, v, l->k->ops[at.pc].from, stride_at(l, at)->from, at.round);
}

// When an exchange ends at a rank: it is ready at `own`, its source at `there`, its target at `to`; in and out are what the
// two messages cost.
static inline double exchange_end(Transfer transfer, double own, double there, double to, double in, double out)
{
    const bool meets = transfer == TRANSFER_RENDEZVOUS; // each message waits for the later of its two ends
    const double received = (meets ? MAX(own, there) : there) + in, sent = (meets ? MAX(own, to) : own) + out;
    return MAX(received, sent);
}

// One step of all ranks; *now and *other are the two arrays of clocks, by v.
void lockstep_step(const Lockstep *l, Cursor at, double **now, double **other);

// Clocks before a step, of ranks first .. first + n - 1 mod p.
typedef struct ClockRow {
    const double *clock;
    int first;
} ClockRow;

typedef struct PathWalk {
    int v;        // where the path is
    ClockTally n; // of what has been walked
    GArray *path; // PathStep, backwards; NULL: only the tally is wanted
} PathWalk;

// One step of the path backwards.
void lockstep_walk_back(const Lockstep *l, Cursor at, const ClockRow *before, PathWalk *w);

// Checkpoints of all clocks, every `every` steps.
typedef struct Checkpoints {
    int64_t steps, every;
    double *clocks; // checkpoint i: before step i * every
    Cursor *cursors;
} Checkpoints;

// From the end to the beginning; afterwards w->v is where the path begins.
void lockstep_walk(const Lockstep *l, const Checkpoints *ck, PathWalk *w);
