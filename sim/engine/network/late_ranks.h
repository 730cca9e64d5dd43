// The ranks whose clocks can still decide when a run ends, in sets: those with the latest clock, those with the next one,
// and so on. It is for runs in which every v sends as many bytes to v + k, so that a round moves whole sets at a time; a set
// has a bit for each v. Private to the chain of steps.
//
// No chain is later after some rounds than `most_s`, the sum of what their slowest messages take. What a clock is behind
// that is its delay, and a chain never makes up for a delay. So if some chain ends with a delay of d, ranks whose delay is
// larger are of no concern. As long as d is not known, the sets with the least delays are kept, and the least delay that was
// lost is noted: if the run ends with a smaller one, nothing was lost that matters.
#pragma once
#include "engine/network/shift_prices.h"

enum { LATE_SETS = 16 }; // at most; also of kinds of messages that take different times

// What a message of some kind takes: first `once`, then `load`, as links_end() adds them.
typedef struct KindTime {
    double once, load;
} KindTime;

typedef struct LateRanks {
    int sets;
    double most_s, clock[LATE_SETS]; // the clocks are in falling order
    uint64_t *bits;                  // LateRules.words for each set
} LateRanks;

// A round in which all v send to v + k.
typedef struct LateRound {
    const ShiftRound *round;
    int k;
    const KindTime *time; // by kind
    double most_s;        // the slowest one's
} LateRound;

typedef struct LateRules LateRules;

// Sets of ranks 0 .. n - 1; messages may `meet`, that is, wait for both of their ends. Free with late_ranks_free.
LateRules *late_ranks_new(int n, bool meets);
void late_ranks_free(LateRules *x);          // NULL is allowed
size_t late_ranks_bytes(const LateRules *x); // of LateRanks.bits
// Keeps what is late by at most this, or, if it is INFINITY, the least of all.
void late_ranks_limit(LateRules *x, double delay_s);
// Returns the least delay that was lost though it did not exceed the limit; INFINITY if none was.
double late_ranks_lost(const LateRules *x);

// Sets *state to the one in which every rank has a clock of 0.
void late_ranks_begin(const LateRules *rules, LateRanks *state);
// Sets *next to the state after a round. Returns false if there are too many sets within the limit; `next` is not set then.
bool late_ranks_exchange(LateRules *rules, const LateRound *round, const LateRanks *now, LateRanks *next);
// Sets *next to the state after work that all ranks do.
void late_ranks_work(const LateRules *rules, double own_s, const LateRanks *now, LateRanks *next);
// Returns the clock of v, or -INFINITY if it does not matter.
double late_ranks_clock(const LateRules *rules, const LateRanks *state, int v);
// Returns the lowest rank that has the latest clock.
int late_ranks_first(const LateRules *rules, const LateRanks *state);
// Reads the state from the clocks of all ranks. Returns false if there are too many sets.
bool late_ranks_read(const LateRules *rules, const double *clock, double most_s, LateRanks *state);
// Writes the clocks of all ranks.
void late_ranks_write(const LateRules *rules, const LateRanks *state, double *clock);
