// The model hockney: what a message and a reduction cost, how a certificate counts them, and what it is worth in
// seconds. Only this file and cost.c know the model's terms; every gear, the lower bounds and the bounds from the text
// use them.
//
// To add a term: declare its figure (platform/platform.h and .c), then add it to Hockney, ClockTally, Certificate, to
// the functions below and to the tables in cost.c.
#pragma once
#include "platform/platform.h"
#include <stdbool.h>
#include <stdint.h>

// The discipline by which a message meets its receive. A message of n bytes takes alpha + n beta.
typedef enum Transfer {
    TRANSFER_RENDEZVOUS, // R: it starts when both sides are ready, and holds both ports
    TRANSFER_EAGER,      // E0: it starts when the sender is ready, and holds only the sender's port
    TRANSFER_EAGER_PORT, // E1: as E0, but the receiver's port also takes one message at a time, in the order of starts
} Transfer;

// A machine's figures and the discipline.
typedef struct Hockney {
    double alpha, beta, gamma; // s per message, s per byte sent, s per byte reduced
    Transfer transfer;
} Hockney;

enum { COST_TERMS = 3 };
extern const PlatformKey cost_keys[COST_TERMS];  // the keys of the figures in a platform, in the order of the terms
extern const char *const cost_terms[COST_TERMS]; // the names of the terms

// Returns the platform's figures with this discipline. The platform must have all of cost_keys that are not optional.
Hockney hockney_figures(const Platform *platform, Transfer transfer);

// ---- What it costs, in seconds --------------------------------------------------------------------------------------

// These three are the model's terms: n messages without their bytes, bytes that are sent, and bytes that are reduced.
static inline double cost_messages(const Hockney *h, double n)
{
    return n * h->alpha;
}

static inline double cost_bytes(const Hockney *h, double bytes)
{
    return bytes * h->beta;
}

static inline double cost_work(const Hockney *h, double bytes)
{
    return bytes * h->gamma;
}

// Returns the time of one message of so many bytes.
static inline double cost_message(const Hockney *h, uint64_t bytes)
{
    return h->alpha + cost_bytes(h, (double)bytes);
}

static inline double cost_reduction(const Hockney *h, uint64_t bytes)
{
    return cost_work(h, (double)bytes);
}

// ---- How a time came about ------------------------------------------------------------------------------------------

// What one chain of operations paid: how many messages it has, the bytes of these messages, and the bytes of its
// reductions. The chain's time is the sum of these counts, each times the figure of the same name.
typedef struct Certificate {
    int64_t alpha, beta, gamma;
} Certificate;

// A certificate as a clock carries it. It is small, so that a stamp has 32 bytes and a rank of the blocking gear fits
// into a cache line. A chain has at most INT32_MAX messages, see replay/load.h.
typedef struct __attribute__((packed, aligned(4))) ClockTally {
    int64_t beta, gamma;
    int32_t alpha;
} ClockTally;
_Static_assert(sizeof(ClockTally) == 20, "Stamp and Blocked are laid out for it");

static inline void tally_message(ClockTally *n, uint64_t bytes)
{
    n->alpha++;
    n->beta += (int64_t)bytes;
}

static inline void tally_reduction(ClockTally *n, uint64_t bytes)
{
    n->gamma += (int64_t)bytes;
}

static inline ClockTally tally_sum(ClockTally a, ClockTally b)
{
    return (ClockTally){.alpha = a.alpha + b.alpha, .beta = a.beta + b.beta, .gamma = a.gamma + b.gamma};
}

static inline Certificate certificate_of(ClockTally n)
{
    return (Certificate){.alpha = n.alpha, .beta = n.beta, .gamma = n.gamma};
}

bool certificate_equal(const Certificate *a, const Certificate *b);
// Writes the counts to count[0 .. COST_TERMS-1], in the order of the terms.
void certificate_counts(const Certificate *c, int64_t *count);
// Returns the certificate's value in s.
double certificate_time(const Certificate *c, const Hockney *h);

// ---- Clocks ---------------------------------------------------------------------------------------------------------

// A clock, and what the chain of operations that determined it has paid. With a trace, `node` is the chain's last entry
// there, or 0 if the chain has none; without a trace, it is the rank with whose start the chain begins.
typedef struct Stamp {
    double t;
    ClockTally n;
    uint32_t node;
} Stamp;
_Static_assert(sizeof(Stamp) == 32, "a stamp is copied with every message");

static inline Stamp stamp_message(const Hockney *h, Stamp s, uint64_t bytes)
{
    s.t += cost_message(h, bytes);
    tally_message(&s.n, bytes);
    return s;
}

static inline Stamp stamp_reduction(const Hockney *h, Stamp s, uint64_t bytes)
{
    s.t += cost_reduction(h, bytes);
    tally_reduction(&s.n, bytes);
    return s;
}

// Returns the later of two stamps, and the first if their times are equal. This is the tie rule of every maximum:
// candidates have a fixed order, and a candidate replaces one before it only if its time is strictly later.
static inline Stamp stamp_latest(Stamp first, Stamp then)
{
    return then.t > first.t ? then : first;
}
