// The parts of the lockstep gear: the step that each class does next, the function that moves all clocks one step on,
// and the one that walks the path one step back. Private to that gear.
//
// Ranks take turns: v does what v mod n does, relative to itself, so there are n classes; mostly n is 1. In allreduce
// k_ring on 8 ranks with k = 4, for example, n is 4: in the first step ranks 0 and 4 send to the rank 3 above them, and
// 1, 2, 3 and 5, 6, 7 to the one 1 below. The p / n ranks of a class have their clocks next to each other:
//
//      clocks   class 0: of ranks 0, n, 2n ..      class 1: of ranks 1, n + 1, 2n + 1 ..      ..
//
// In this order what a class does is one loop over consecutive clocks, which the compiler can vectorise.
#pragma once
#include "engine/replay/gears.h"

// What the ranks of a class do in a step, relative to v: an exchange, or their own work, which uses `in` only.
typedef struct LockstepStep {
    OpKind kind;
    int to, from; // 0 .. p-1
    uint8_t out_cut, in_cut;
    bool begins;    // the first exchange of a run (set by lockstep_find_steps)
    uint16_t phase; // Op.phase
    Length out, in; // with a cut, the first block is that of this round
} LockstepStep;

static inline bool lockstep_same(const LockstepStep *a, const LockstepStep *b)
{
    return a->kind == b->kind && a->to == b->to && a->from == b->from && a->out_cut == b->out_cut &&
           a->in_cut == b->in_cut && a->begins == b->begins && a->phase == b->phase && a->out.bytes == b->out.bytes &&
           a->in.bytes == b->in.bytes;
}

LockstepStep lockstep_step_at(const Schedule *s, const Class *k, Cursor at);
// Returns true if all n classes do their own work in this step, or if all exchange and what each class sends is what
// the class of its peer receives.
bool lockstep_steps_meet(const Schedule *s, const LockstepStep *step, int n);

// Returns the bytes that v sends in this step; in_bytes, the bytes that it receives or works on.
static inline uint64_t out_bytes(const Schedule *s, const LockstepStep *step, int v)
{
    return length_of(s, v, step->out_cut, step->out, 0, 0);
}

static inline uint64_t in_bytes(const Schedule *s, const LockstepStep *step, int v)
{
    return length_of(s, v, step->in_cut, step->in, 0, 0);
}

// With levels: stretches of consecutive v whose messages of one exchange have the same levels.
typedef struct Stretch {
    int first, end; // the first v, and the one after the last
    uint8_t in;     // the level of the message that v receives; see lockstep_link
    uint8_t out;    // and of the one that it sends
    uint8_t pair;   // the number of these two in Lockstep.pairs
} Stretch;

enum { LEVEL_PAIRS = (LOCKSTEP_LEVELS + 1) * LOCKSTEP_LEVELS };

// Under measured, lockstep assumes that each rank's port takes messages in the order of the steps. With rendezvous it
// does, because a rank posts a receive when the one before it is over. But eager messages take the port in the order in
// which they begin, so each must begin after the rank's message of the step before, unless both have the same sender.
typedef struct LockstepOrder {
    const double *begun; // by rank: GearInput.begun; NULL after the first exchange
    bool matters;  // there are eager messages, and ranks receive from more than one rank; otherwise nothing is checked
    int *source;   // by class: from which rank, relative to v, it received in the last exchange; -1 if there was none
    bool meets;    // some messages of the last exchange used rendezvous
    double latest; // all messages of the last exchange began by then
    double low, high; // all clocks are within these bounds
} LockstepOrder;

typedef struct Lockstep {
    const Schedule *s;
    Hockney model;
    int p, n, groups; // p = n * groups; v is in group v / n
    const Class **k;  // by class: its operations
    uint32_t first;   // the operation with which lockstep begins
    int64_t steps;
    Cursor *at;         // by class: where it is
    LockstepStep *step; // by class: what it does there
    // Under measured: some messages take `far` longer. Whether those of a step do depends on the ranks if peers are an
    // XOR, if nodes are not single ranks, or in the first exchange of a tail.
    bool far, far_differs;
    uint32_t *begins; // by class: the operation of the first exchange
    bool *received;   // with far, of a tail: by v, the text before it has received a message; otherwise NULL
    // With one class: the stretches of the exchanges with these peers of v = 0, which the last exchange had; at most p.
    // NULL if all ranks are equally far from each other. With shifts, those with the levels of `most`, which most ranks
    // have, are left out.
    Stretch *stretch, most;
    int n_stretches, to, from;
    bool of_begin;              // they are those of the first exchange
    Stretch pairs[LEVEL_PAIRS]; // one stretch for each pair of levels
    int n_pairs;
    LockstepOrder order;
} Lockstep;

static inline bool is_xor(const Lockstep *l)
{
    return l->s->peers == PEERS_XOR;
}

// Returns the peer of v that is so far away.
static inline int peer_at(const Lockstep *l, int v, int relative)
{
    if (is_xor(l))
        return v ^ relative;
    const int64_t peer = (int64_t)v + relative;
    return (int)(peer < l->p ? peer : peer - l->p);
}

// Returns the class and the group of v.
static inline int class_at(const Lockstep *l, int v)
{
    return l->n == 1 ? 0 : v % l->n;
}

static inline int group_at(const Lockstep *l, int v)
{
    return l->n == 1 ? v : v / l->n;
}

// Returns the place of v's clock among those of all ranks.
static inline size_t place_at(const Lockstep *l, int v)
{
    return (size_t)class_at(l, v) * (size_t)l->groups + (size_t)group_at(l, v);
}

// Finds the steps of all classes at l->at. lockstep_go_on() moves that to the next step.
void lockstep_find_steps(Lockstep *l);
void lockstep_go_on(Lockstep *l);

// Returns the level of all pairs of ranks where all are equally far from each other.
static inline int far_level(const Hockney *h)
{
    return h->site ? h->site->n_levels - 1 : 0;
}

// Returns the level of the message that v receives in an exchange; 1 more than that of far if it takes `far` longer,
// should it be eager.
static inline int lockstep_link(const Lockstep *l, const LockstepStep *step, int v)
{
    const int source = peer_at(l, v, step->from), level = cost_level(&l->model, v, source);
    const bool reacts = !step->begins || (l->received && l->received[source]);
    const bool far = l->far && level == far_level(&l->model) && reacts && site_is_far(l->model.site, v, source);
    return level + far;
}

// Returns true if all ranks send to the rank from which they receive.
static inline bool lockstep_swaps(const LockstepStep *step)
{
    return step->to == step->from;
}

// Returns T of a message of measured that a rank receives at this lockstep_link.
static inline PriceKind exchange_time(const Hockney *h, const Prices *received, int link, bool swaps)
{
    return prices_time(received, true, swaps) + (link > far_level(h) && received->far ? PRICE_FAR : 0);
}

// What its two messages cost a rank in one exchange.
typedef struct ExchangeCost {
    double in, out; // the time of the message that it receives, and how long the other one keeps its port busy
    double busy;    // how long the one that it receives keeps its port busy; 0 if it cannot be the later limit
    bool in_meets, out_meets; // the message that it receives, or sends, waits for the later one of its two ends
} ExchangeCost;

// Returns what an exchange costs a rank, by the bytes that it receives and sends, by the lockstep_link of the first
// message and the level of the other, and whether it `swaps`.
static inline ExchangeCost exchange_cost(const Hockney *h, int link, uint64_t in, int out_level, uint64_t out,
                                         bool swaps)
{
    const int in_level = MIN(link, far_level(h));
    if (!cost_is_measured(h)) {
        const bool meets = h->transfer == TRANSFER_RENDEZVOUS;
        return (ExchangeCost){cost_at(h, in_level, in), cost_at(h, out_level, out), 0, meets, meets};
    }
    const Prices *received = prices_at(h->site, in_level, in), *sent = prices_at(h->site, out_level, out);
    const bool in_meets = !prices_eager(h->site, in_level, in), out_meets = !prices_eager(h->site, out_level, out);
    return (ExchangeCost){.in = prices_value(h->site, received, exchange_time(h, received, link, swaps)),
                          .out = sent->of[PRICE_GAP].value,
                          .busy = in_meets ? 0 : received->of[received->take].value,
                          .in_meets = in_meets,
                          .out_meets = out_meets};
}

// Moves the clocks of all ranks one step on, which is l->step. *now are the clocks; *other is a second array of that
// size, and the two may be swapped. Returns false if messages may take a port in another order than that of the steps.
bool lockstep_step(Lockstep *l, double **now, double **other);

// Sets up the order of messages (LockstepOrder) before the first step. `now` are the clocks, NULL if all are 0; `begun`
// are those of GearInput.
void lockstep_order_begin(Lockstep *l, const double *now, const double *begun);
// Notes the step that comes next. `other` holds the clocks before the last exchange if they may be needed, and after
// the call, if peers are an XOR, those before this one. Returns false if messages may come in another order.
bool lockstep_order_holds(Lockstep *l, const double *now, double *other);

// The clocks of `width` consecutive groups from `first` on, modulo l->groups: those of class 0, then those of class 1,
// ..
typedef struct ClockRow {
    double *clock;
    int first, width;
} ClockRow;

// Returns the place of a group in the row; one of `width` or more if it is not there.
static inline int place_in(const Lockstep *l, const ClockRow *row, int group)
{
    return group >= row->first ? group - row->first : group - row->first + l->groups;
}

static inline double *clock_at(const Lockstep *l, const ClockRow *row, int class, int group)
{
    return row->clock + (ptrdiff_t) class * row->width + place_in(l, row, group);
}

// Computes the clocks of the row `next` after a step of all classes from those of `old` before it. `old` must have the
// clocks of all these ranks and of their peers. If ranks do their own work in the step, `old` must have the same ranks
// as `next`; if peers are an XOR, both must have all ranks.
void lockstep_row_step(Lockstep *l, const LockstepStep *step, const ClockRow *old, const ClockRow *next);

typedef struct PathWalk {
    int v;          // the rank at which the walk is
    ClockTally n;   // what the steps walked so far have paid
    uint16_t phase; // of the operation that is walked
    GArray *path;   // of PathStep, backwards; NULL if only the tally is wanted
} PathWalk;

// Checkpoints of all clocks, one every `every` steps.
typedef struct Checkpoints {
    int64_t every;
    double *clocks;  // p for each checkpoint: the clocks at checkpoint i, before step i * every
    Cursor *cursors; // n for each checkpoint: where each class is
} Checkpoints;

// Walks the path of w->v's clock from the last step back to the first. Afterwards w->v is the rank with whose start the
// path begins.
void lockstep_walk(Lockstep *l, const Checkpoints *ck, PathWalk *w);
