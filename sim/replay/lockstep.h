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

// With levels: stretches of consecutive v whose messages of one exchange have the same levels.
typedef struct Stretch {
    int first, end;  // the first v, and the one after the last
    uint8_t in, out; // the levels of the message that v receives, and of the one that it sends
    uint8_t pair;    // the number of these two in Lockstep.pairs
} Stretch;

enum { LEVEL_PAIRS = LOCKSTEP_LEVELS * LOCKSTEP_LEVELS };

// Under measured, lockstep assumes that each rank's port takes messages in the order of the steps. With rendezvous it
// does, because a rank posts a receive when the one before it is over. But eager messages take the port in the order in
// which they begin, so each must begin after the rank's message of the step before, unless both have the same sender.
typedef struct LockstepOrder {
    const double *begun; // by rank: GearInput.begun; NULL after the first exchange
    bool matters;  // there are eager messages, and ranks receive from more than one rank; otherwise nothing is checked
    int source;    // of the last exchange, the rank from which v = 0 received; -1 if there was none
    bool meets;    // some messages of the last exchange used rendezvous
    double latest; // all messages of the last exchange began by then
    double low, high; // all clocks are within these bounds
} LockstepOrder;

typedef struct Lockstep {
    const Schedule *s;
    const Class *k; // one of the classes; all are alike from operation `first` on
    uint32_t first;
    Hockney model;
    int p;
    // The stretches of the exchanges with these peers (of v = 0), which the last exchange had; at most p. NULL if all
    // ranks are equally far from each other. With shifts, those with the levels of `most`, which most ranks have, are left out.
    Stretch *stretch, most;
    int n_stretches, to, from;
    Stretch pairs[LEVEL_PAIRS]; // one stretch for each pair of levels
    int n_pairs;
    LockstepOrder order;
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

// Returns the level of all pairs of ranks where all are equally far from each other.
static inline int far_level(const Hockney *h)
{
    return h->site ? h->site->n_levels - 1 : 0;
}

// What its two messages cost a rank in one exchange.
typedef struct ExchangeCost {
    double in, out; // the time of the message that it receives, and how long the other one keeps its port busy
    double busy;    // how long the one that it receives keeps its port busy; 0 if it cannot be the later limit
    bool in_meets, out_meets; // the message that it receives, or sends, waits for the later one of its two ends
} ExchangeCost;

// Returns what an exchange costs a rank that receives and sends so many bytes at these levels.
static inline ExchangeCost exchange_cost(const Hockney *h, int in_level, uint64_t in, int out_level, uint64_t out)
{
    if (!cost_is_measured(h)) {
        const bool meets = h->transfer == TRANSFER_RENDEZVOUS;
        return (ExchangeCost){cost_at(h, in_level, in), cost_at(h, out_level, out), 0, meets, meets};
    }
    const Prices *received = prices_at(h->site, in_level, in), *sent = prices_at(h->site, out_level, out);
    const bool in_meets = !prices_eager(h->site, in_level, in), out_meets = !prices_eager(h->site, out_level, out);
    return (ExchangeCost){.in = received->of[PRICE_STEP].value,
                          .out = sent->of[PRICE_GAP].value,
                          .busy = in_meets ? 0 : received->of[PRICE_GAP].value,
                          .in_meets = in_meets,
                          .out_meets = out_meets};
}

// Returns when an exchange ends at a rank that is ready at `own`, if its source is ready at `there` and its target at
// `to`.
static inline double exchange_end(ExchangeCost c, double own, double there, double to)
{
    const double received = MAX((c.in_meets ? MAX(own, there) : there) + c.in, own + c.busy),
                 sent = (c.out_meets ? MAX(own, to) : own) + c.out;
    return MAX(received, sent);
}

// Sets the clocks of n ranks with this cost to the end of an exchange. Before it these ranks are ready at old[i], their
// sources at source[i] and their targets at target[i].
void lockstep_exchange(double *now, const double *old, const double *source, const double *target, size_t n,
                       const ExchangeCost *cost);

// Moves the clocks of all ranks one step on. *now are the clocks, by v; *other is a second array of that size, and the
// two may be swapped. Returns false if messages may take a port in another order than that of the steps.
bool lockstep_step(Lockstep *l, Cursor at, double **now, double **other);

// Sets up the order of messages (LockstepOrder) before the first step. `now` are the clocks, NULL if all are 0; `begun` are
// those of GearInput.
void lockstep_order_begin(Lockstep *l, const double *now, const double *begun);
// Notes the step that comes next. `other` holds the clocks before the last exchange if they may be needed, and after the
// call, if peers are an XOR, those before this one. Returns false if messages may come in another order.
bool lockstep_order_holds(Lockstep *l, Cursor at, const double *now, double *other);

// The clocks of `width` consecutive v from `first` on, modulo p.
typedef struct ClockRow {
    double *clock;
    int first, width;
} ClockRow;

// Returns the place of v in the row; one of `width` or more if it is not there.
static inline int place_in(const Lockstep *l, const ClockRow *row, int v)
{
    return v >= row->first ? v - row->first : v - row->first + l->p;
}

static inline double *clock_at(const Lockstep *l, const ClockRow *row, int v)
{
    return row->clock + place_in(l, row, v);
}

// Computes the clocks of the row `next` after a step from those of `old` before it. `old` must have the clocks of all
// these ranks and of their peers, and must have the same ranks as `next` if the step is no exchange. If peers are an XOR,
// both must have all ranks.
void lockstep_row_step(Lockstep *l, Cursor at, const ClockRow *old, const ClockRow *next);

typedef struct PathWalk {
    int v;          // the rank at which the walk is
    ClockTally n;   // what the steps walked so far have paid
    uint16_t phase; // of the operation that is walked
    GArray *path;   // of PathStep, backwards; NULL if only the tally is wanted
} PathWalk;

// An exchange of v, which receives `in` bytes from its source and sends `out` bytes to its target.
typedef struct ExchangeAt {
    int v, source, target;
    uint64_t in, out;
    double own, there, to; // the clocks of v, its source and its target before the exchange
} ExchangeAt;

// Walk back over an exchange of w->v, or its own work on so many bytes: add what that contributed to its clock, and set
// w->v to the rank from which it came.
void lockstep_back_exchange(const Schedule *s, const Hockney *h, const ExchangeAt *x, PathWalk *w);
void lockstep_back_work(const Schedule *s, const Hockney *h, OpKind kind, uint64_t bytes, PathWalk *w);

// Checkpoints of all clocks, one every `every` steps.
typedef struct Checkpoints {
    int64_t steps, every; // `steps` is the number of all steps
    double *clocks;       // clocks[i * p + v] is v's clock at checkpoint i, before step i * every
    Cursor *cursors;      // the step of each checkpoint
} Checkpoints;

// Walks the path of w->v's clock from the last step back to the first. Afterwards w->v is the rank with whose start the
// path begins.
void lockstep_walk(Lockstep *l, const Checkpoints *ck, PathWalk *w);
