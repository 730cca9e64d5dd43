// The models hockney and measured: what a message and a reduction cost, how a certificate counts them, and what it is
// worth in seconds. Only this file, cost.c, site.h and prices.h know the models' terms; every gear, the lower bounds
// and the bounds from the text use them. Under measured, Hockney.site is set and its figures hold; alpha, beta and
// gamma mean nothing.
#pragma once
#include "machine/platform/platform.h"
#include "engine/replay/inlined.h"
#include "engine/replay/prices.h"
#include <stdbool.h>
#include <stdint.h>

// A machine's figures and the discipline.
typedef struct Hockney {
    double alpha, beta, gamma; // s per message, s per byte sent, s per byte reduced; of ranks far from each other
    Transfer transfer;
    Site *site; // the figures of all levels, for one replay at a time; NULL on a flat machine
} Hockney;

enum { COST_TERMS = 3 };
extern const TermKind cost_terms[COST_TERMS]; // the terms of a flat machine

// Returns the platform's figures with this discipline, on a flat machine whose ranks are all far from each other. The
// platform must have all of HOCKNEY_KEYS that are not optional.
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

// Returns true if a message may take no time under hockney: at some level alpha is 0.
bool cost_may_be_nothing(const Hockney *h);

// Returns the time of one message between ranks that are far from each other.
static inline double cost_message(const Hockney *h, uint64_t bytes)
{
    return h->alpha + cost_bytes(h, (double)bytes);
}

// Returns the level between two v; on a flat machine there is one, 0.
static inline int cost_level(const Hockney *h, int v, int peer)
{
    return G_LIKELY(!h->site) ? 0 : site_level(h->site, v, peer);
}

static inline bool cost_is_measured(const Hockney *h)
{
    return h->transfer == TRANSFER_MEASURED;
}

// Adds what a message of n bytes at a level, or a reduction, pays to a time and to a tally. Only this function knows a
// flat machine from others when somebody pays. There, the three words of a tally count the three terms; to add a Charge
// instead makes runs that send each message once 3 to 4 % longer.
static inline ALWAYS_INLINED void cost_pay(const Hockney *h, TermPayer payer, int level, uint64_t bytes, double *t,
                                           ClockTally *n)
{
    if (G_LIKELY(!h->site)) {
        *t += payer == PAID_BY_REDUCTIONS ? cost_work(h, (double)bytes) : cost_message(h, bytes);
        n->alpha += payer == PAID_BY_MESSAGES;
        n->beta += payer == PAID_BY_MESSAGES ? (int64_t)bytes : 0;
        n->gamma += payer == PAID_BY_REDUCTIONS ? (int64_t)bytes : 0;
        return;
    }
    const Charge *c = payer == PAID_BY_REDUCTIONS ? &h->site->work : &h->site->link[level].message;
    *t += charge_time(c, bytes);
    tally_charge(n, c, bytes);
}

// Returns the time of one message between ranks of this level.
static inline double cost_at(const Hockney *h, int level, uint64_t bytes)
{
    double t = 0;
    ClockTally none = {0};
    cost_pay(h, PAID_BY_MESSAGES, level, bytes, &t, &none);
    return t;
}

// Returns the time of a rank's own work on some bytes. Only measured knows copies and fresh buffers.
static inline double cost_own(const Hockney *h, WorkKind kind, uint64_t bytes)
{
    double t = 0;
    ClockTally none = {0};
    if (cost_is_measured(h))
        return prices_work_time(h->site, kind, bytes);
    cost_pay(h, PAID_BY_REDUCTIONS, 0, bytes, &t, &none);
    return t;
}

// Return how long a message between nodes occupies a NIC, and how many bytes' time a message within a node occupies the
// node's memory.
static inline double cost_nic(const Site *x, uint64_t bytes)
{
    return MAX((double)bytes * x->nic_byte, x->nic_message);
}

static inline uint64_t cost_memory_bytes(const Site *x, uint64_t bytes)
{
    return (uint64_t)(table_at(x->memory, bytes) * (double)bytes + 0.5);
}

// Returns whether a NIC is busy for the message's bytes, rather than for a message.
static inline bool cost_nic_by_bytes(const Site *x, uint64_t bytes)
{
    return (double)bytes * x->nic_byte >= x->nic_message;
}

// ---- How a time came about ------------------------------------------------------------------------------------------

// What one chain of operations paid: how many messages it has, the bytes of these messages, and the bytes of its
// reductions. On a flat machine, the chain's time is the sum of these counts, each times the figure of the same name.
typedef struct Certificate {
    int64_t alpha, beta, gamma;
} Certificate;

static inline void tally_message(const Hockney *h, ClockTally *n, int level, uint64_t bytes)
{
    double t = 0;
    cost_pay(h, PAID_BY_MESSAGES, level, bytes, &t, n);
}

static inline void tally_own(const Hockney *h, ClockTally *n, WorkKind kind, uint64_t bytes)
{
    double t = 0;
    if (cost_is_measured(h))
        prices_count_work(h->site, n, kind, bytes);
    else
        cost_pay(h, PAID_BY_REDUCTIONS, 0, bytes, &t, n);
}

static inline void tally_nic(const Site *x, ClockTally *n, uint64_t bytes)
{
    if (cost_nic_by_bytes(x, bytes))
        tally_add(n, x->nic_bytes, bytes);
    else
        tally_add(n, x->nic_messages, 1);
}

// Add the same to count[], by term of a site under hockney.
static inline void count_message(int64_t *count, int level, uint64_t bytes)
{
    count[2 * level]++;
    count[2 * level + 1] += (int64_t)bytes;
}

static inline void count_work(const Site *x, int64_t *count, uint64_t bytes)
{
    count[2 * x->n_levels] += (int64_t)bytes;
}

static inline void count_nic(const Site *x, int64_t *count, uint64_t bytes)
{
    if (cost_nic_by_bytes(x, bytes))
        count[2 * x->n_levels + 1] += (int64_t)bytes;
    else
        count[2 * x->n_levels + 2]++;
}

// Returns what a chain has paid after it had paid `before`.
static inline ClockTally tally_since(ClockTally all, ClockTally before)
{
    return (ClockTally){
        .alpha = all.alpha - before.alpha, .beta = all.beta - before.beta, .gamma = all.gamma - before.gamma};
}

// Returns the certificate of a flat machine's tally.
static inline Certificate certificate_of(ClockTally n)
{
    return (Certificate){.alpha = n.alpha, .beta = n.beta, .gamma = n.gamma};
}

bool certificate_equal(const Certificate *a, const Certificate *b);
// Writes the counts to count[0 .. COST_TERMS-1], in the order of the terms.
void certificate_counts(const Certificate *c, int64_t *count);
// Returns what a flat machine charges once for a term, by its number, in s.
double certificate_value(const Hockney *h, int term);
// Returns the certificate's value in s on a flat machine.
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

// Adds a message between ranks of this level.
static inline ALWAYS_INLINED Stamp stamp_message(const Hockney *h, Stamp s, int level, uint64_t bytes)
{
    cost_pay(h, PAID_BY_MESSAGES, level, bytes, &s.t, &s.n);
    return s;
}

static inline void stamp_pay(const Hockney *h, Stamp *s, int level, uint64_t bytes)
{
    *s = stamp_message(h, *s, level, bytes);
}

// Adds the time for which a message between nodes occupies a NIC, and a message within a node its memory.
static inline Stamp stamp_nic(const Site *x, Stamp s, uint64_t bytes)
{
    s.t += cost_nic(x, bytes);
    tally_nic(x, &s.n, bytes);
    return s;
}

static inline Stamp stamp_memory(const Site *x, Stamp s, int level, uint64_t bytes)
{
    const uint64_t busy = cost_memory_bytes(x, bytes);
    s.t += (double)busy * x->link[level].message.byte;
    tally_add(&s.n, x->link[level].memory, busy);
    return s;
}

// Adds a rank's own work.
static inline Stamp stamp_own(const Hockney *h, Stamp s, WorkKind kind, uint64_t bytes)
{
    s.t += cost_own(h, kind, bytes);
    tally_own(h, &s.n, kind, bytes);
    return s;
}

// Returns s after it has paid a price of measured.
static inline Stamp stamp_price(Site *x, Stamp s, Prices *prices, PriceKind kind)
{
    s.t += prices_value(x, prices, kind);
    prices_count(x, &s.n, prices, kind);
    return s;
}

// Returns the later of two stamps, and the first if their times are equal. This is the tie rule of every maximum:
// candidates have a fixed order, and a candidate replaces one before it only if its time is strictly later.
static inline Stamp stamp_latest(Stamp first, Stamp then)
{
    return then.t > first.t ? then : first;
}
