// What messages and work cost under measured. Times come from tables over bytes, so each length that a run has is
// looked up once, and found again by its bytes. Each time is a term of certificates, which is made when a chain first
// pays it.
#pragma once
#include "engine/replay/site.h"

// The prices of a site, by length and level.
struct SitePrices {
    Prices **slot; // a hash table with open addressing; NULL in free slots
    uint32_t n, mask;
    int shift;
    const char **level_name;             // by level; NULL on a flat machine
    int work[N_WORK_KINDS];              // the term of a work whose cost is a rate; -1 for others
    TallyField work_field[N_WORK_KINDS]; // its field
    double far;                          // s; 0 if no message takes longer
    int far_term;                        // -1 then
    TallyField far_field;
    int nic;                         // the term nic.rate, which nic.messages follows; -1 if there are no NICs
    GHashTable *sized[N_WORK_KINDS]; // bytes -> Price of work that has a table; NULL otherwise
    uint64_t messages, works;        // the most messages, and the most operations of work, that a chain can have
};

// The price of work on a number of bytes, where work has a table.
typedef struct WorkPrice {
    gint64 bytes;
    Price price;
} WorkPrice;

static inline uint32_t prices_slot(const struct SitePrices *x, int level, uint64_t bytes)
{
    return (uint32_t)(((bytes << 6 | (uint64_t)level) * 0x9e3779b97f4a7c15u) >> x->shift);
}

// Returns a site of the model measured; the mapping, the figures and the table `memory` must outlive it. `map` may be
// NULL if all ranks are far from each other; then `names` has one name. The terms borrow the names. Only the part of
// `shared` that a node's ranks share counts.
Site *site_new_measured(const Mapping *map, const char *const *names, const Measured *figures,
                        const SiteFigures *shared);
// Returns the site of a platform that has [measured]; `map` may be NULL if all ranks are far from each other.
Site *site_of_measured(const Platform *platform, const Mapping *map);
// Prepares the site for a schedule with these totals: sets the largest counts.
void prices_begin(Site *site, const Totals *totals);
// Returns whether messages may take longer than their tables say.
static inline bool prices_go_further(const Measured *figures)
{
    return figures->far > 0 || figures->swap > 1;
}
// Returns whether messages may pay PRICE_SHARE: lambda is above 0 at a level, and the schedule has isends.
bool prices_may_share(const Site *site, const Schedule *s);
// The general cases of the functions below: look up a new length, make the term of a price, count work.
Prices *prices_add(Site *site, int level, uint64_t bytes);
void prices_new_term(Site *site, Prices *prices, PriceKind kind);
void prices_count_work(Site *site, ClockTally *tally, WorkKind kind, uint64_t bytes);
// Returns the term of some work that a chain has paid, and sets *n to its count; -1 if the work costs nothing.
int prices_work_term(const Site *site, WorkKind kind, uint64_t bytes, int64_t *n);

// Returns the time of some work.
static inline double prices_work_time(const Site *site, WorkKind kind, uint64_t bytes)
{
    return measured_work_time(&site->measured->work[kind], bytes);
}

// Returns the times of a message at a level. They stay where they are until site_free.
static inline Prices *prices_at(Site *site, int level, uint64_t bytes)
{
    const struct SitePrices *x = site->prices;
    uint32_t i = prices_slot(x, level, bytes);
    for (Prices *found; (found = x->slot[i]) != NULL; i = (i + 1) & x->mask)
        if (found->bytes == bytes && found->level == level)
            return found;
    return prices_add(site, level, bytes);
}

static inline bool prices_eager(const Site *site, int level, uint64_t bytes)
{
    return (int64_t)bytes <= site->measured->level[level].eager;
}

// Returns the price that is T of a message. `paired` says that both of its ends belong to sendrecvs, and `swaps` that
// each of these sends to the rank from which it receives.
static inline PriceKind prices_time(const Prices *prices, bool paired, bool swaps)
{
    return swaps && prices->swaps ? PRICE_SWAP : paired && prices->steps ? PRICE_STEP : PRICE_ONE;
}

// Returns PRICE_FAR, to be added to T, if the message takes longer between these two v; its sender's text has received
// a message before if it `reacts`. Otherwise returns 0.
static inline PriceKind prices_far(const Site *site, const Prices *prices, bool reacts, int v, int peer)
{
    return G_UNLIKELY(prices->far) && reacts && site_is_far(site, v, peer) ? PRICE_FAR : 0;
}

// Returns what a step of this kind takes.
static inline double prices_value(const Site *site, const Prices *prices, PriceKind kind)
{
    return G_UNLIKELY(kind >= PRICE_FAR) ? prices->of[kind - PRICE_FAR].value + site->prices->far
                                         : prices->of[kind].value;
}

// Counts a price in a tally.
static inline void prices_count(Site *site, ClockTally *tally, Prices *prices, PriceKind kind)
{
    if (G_UNLIKELY(kind >= PRICE_FAR)) {
        tally_add(tally, site->prices->far_field, 1);
        kind -= PRICE_FAR;
    }
    Price *price = &prices->of[kind];
    if (G_UNLIKELY(price->field.word == TALLY_NEW))
        prices_new_term(site, prices, kind);
    tally_add(tally, price->field, 1);
}
