// The site of a run: the levels between its ranks, what a node's ranks share, and how a certificate counts all of it.
// A flat machine, with one level, nothing shared, and no other terms than alpha, beta and gamma, has no site.
#pragma once
#include "machine/platform/mapping.h"
#include "machine/platform/measured_tables.h"
#include "machine/platform/table.h"
#include "engine/replay/shared_costs.h"
#include "engine/replay/term.h"
#include <stdbool.h>
#include <stdint.h>

// The discipline by which a message meets its receive. Under the first three, a message of n bytes takes alpha + n
// beta.
typedef enum Transfer {
    TRANSFER_RENDEZVOUS, // R: it starts when both sides are ready, and holds both ports
    TRANSFER_EAGER,      // E0: it starts when the sender is ready, and holds only the sender's port
    TRANSFER_EAGER_PORT, // E1: as E0, but the receiver's port also takes one message at a time, in the order of starts
    TRANSFER_MEASURED,   // the model `measured`: eager or rendezvous, by the message's length; no choice of a user
} Transfer;

// The counts of a certificate as a clock carries them. It is small, so that a stamp has 32 bytes and a rank of the
// gear chain fits into a cache line. On a flat machine, the three words count bytes of beta, bytes of gamma, and
// alpha. At a site they are divided into fields, one for each term whose counts fit.
typedef struct __attribute__((packed, aligned(4))) ClockTally {
    int64_t beta, gamma;
    int32_t alpha;
} ClockTally;
_Static_assert(sizeof(ClockTally) == 20, "Stamp and Blocked are laid out for it");

static inline ClockTally tally_sum(ClockTally a, ClockTally b)
{
    return (ClockTally){.alpha = a.alpha + b.alpha, .beta = a.beta + b.beta, .gamma = a.gamma + b.gamma};
}

enum { TALLY_NOT = 3, TALLY_NEW }; // values of TallyField.word

// Where the count of a term is in a tally.
typedef struct TallyField {
    uint8_t word; // 0: beta, 1: gamma, 2: alpha, TALLY_NOT: this tally does not count the term, TALLY_NEW: no chain has
                  // paid it so far (only under measured)
    uint8_t shift; // its lowest bit
    uint8_t bits;
    uint8_t zeros; // how many of these, from the lowest on, are 0 in every count; the field before may use them
} TallyField;

// Adds n to the count of a term.
static inline void tally_add(ClockTally *tally, TallyField field, uint64_t n)
{
    if (field.word == 0)
        tally->beta = (int64_t)((uint64_t)tally->beta + (n << field.shift));
    else if (field.word == 1)
        tally->gamma = (int64_t)((uint64_t)tally->gamma + (n << field.shift));
    else if (field.word == 2)
        tally->alpha = (int32_t)((uint32_t)tally->alpha + ((uint32_t)n << field.shift));
}

// What a message or a reduction of n bytes pays: some terms once, and some for each byte. The number of terms does not
// matter to who pays, because the sums are made once for a run.
typedef struct Charge {
    double once, byte;       // in s
    ClockTally count, bytes; // what a tally gets once, and for each byte: 1 in the field of each term that it counts
    int first, n;            // the numbers of its terms
} Charge;

static inline double charge_time(const Charge *c, uint64_t bytes)
{
    return c->once + (double)bytes * c->byte;
}

static inline void tally_charge(ClockTally *tally, const Charge *c, uint64_t bytes)
{
    tally->beta = (int64_t)((uint64_t)tally->beta + (uint64_t)c->count.beta + bytes * (uint64_t)c->bytes.beta);
    tally->gamma = (int64_t)((uint64_t)tally->gamma + (uint64_t)c->count.gamma + bytes * (uint64_t)c->bytes.gamma);
    tally->alpha =
        (int32_t)((uint32_t)tally->alpha + (uint32_t)c->count.alpha + (uint32_t)bytes * (uint32_t)c->bytes.alpha);
}

// What is paid at a level.
typedef struct Link {
    Charge message;
    TallyField memory; // of bytes that occupy the node's memory
} Link;

// The times of a message of one length at one level under measured. Each of them is a term.
typedef enum PriceKind {
    PRICE_ONE,         // T of a message one way
    PRICE_STEP,        // T of a message between two sendrecvs
    PRICE_SWAP,        // T of a long message between two ranks that exchange
    PRICE_GAP,         // after which its ports are free
    PRICE_TAKE,        // after which the receiver's port is free from an eager message
    PRICE_SHARE,       // lambda gap
    PRICE_MEMORY,      // for which it occupies a node's memory, if its T is `one`
    PRICE_MEMORY_STEP, // the same, if its T is `step`
    PRICE_MEMORY_SWAP, // the same, if its T is that of an exchange
    N_PRICES,
    PRICE_FAR = N_PRICES, // added to one of the first three: that T and `far`, a term of its own
    N_PRICE_KINDS = PRICE_FAR + PRICE_SWAP + 1,
} PriceKind;

typedef struct Price {
    double value; // in s
    TallyField field;
    int32_t term; // its number; -1 while the field's word is TALLY_NEW
} Price;

typedef struct Prices {
    uint64_t bytes;
    uint8_t level;
    uint8_t take; // the price of the receiver's port, a PriceKind: PRICE_GAP where that is as long as PRICE_TAKE
    bool steps;   // a message between two sendrecvs has a T of its own
    bool swaps;   // and so has one between two ranks that exchange
    bool far;     // a message may take `far` longer
    Price of[N_PRICES];
} Prices;

// The terms are numbered: those of messages at each level, innermost first; those of reductions; nic.rate and
// nic.messages if there are NICs; then memory of each level if there is a memory; then those that operations in shared
// memory pay, if the site mixes.
// Under measured, they are numbered as chains pay them first: each work, each resource of a NIC, and each Price.
typedef struct Site {
    const Mapping *map;
    int n_levels;
    Link *link;                   // by level
    Charge work;                  // of reductions
    int nics;                     // of a node; 0 if there are none
    double nic_byte, nic_message; // s per byte and s per message of a NIC; 0 sets no limit
    const Table *memory;          // f, by bytes; NULL if there is none
    bool idle;                    // there are NICs, but no message of the schedule that runs can wait for one (nics.h)
    bool mixes;                   // messages are next to operations in shared memory, which cost `shared`
    SharedCosts shared;           // its gamma is that of `work`
    int nic_term, memory_term;    // the numbers of nic.rate and of memory at the innermost level
    int shared_term;              // the number of the term SHARED_WRITE; those up to SHARED_CALL follow
    TallyField shared_field[SHARED_OPERATION_TERMS]; // by SharedTerm
    double shared_value[SHARED_OPERATION_TERMS];     // of one, in s; likewise
    int n_terms;
    CostTerm *term;                     // by number
    TallyField *field;                  // by term
    uint64_t *most;                     // by term: the largest count that it can have
    bool *done;                         // by term: a tally has counted it
    uint8_t *zeros;                     // by term: how many of the lowest bits are 0 in every count
    int used[3];                        // the bits of each word that fields take
    int room;                           // the number of terms that the arrays above have room for
    TallyField nic_bytes, nic_messages; // of nic.rate and nic.messages
    int n_nodes;                        // with ranks; set by site_begin
    bool each_is_node;                  // likewise: with `node`, rank i is the only one of node i
    // By v: codes of the mapping, nodes, and numbers within the node. Set by site_begin. NULL if each rank is a node.
    const uint64_t *code;
    const int *node, *local;
    void *owned;               // what these three point to, if it is not the mapping
    const Measured *measured;  // likewise, or those of `links`; NULL if there are none
    struct SitePrices *prices; // under measured (prices.h)
    struct LinkPrices *links;  // of a network between nodes (links.h); NULL if there is none
    struct Noise *noise;       // that makes messages longer (noise.h); NULL if there is none
    void (*free_noise)(struct Noise *noise);
    void (*copy_fields)(struct Site *site); // copies the fields of the terms to where messages find them
    void (*free_prices)(struct Site *site); // NULL under hockney
} Site;

// What a level charges for each kind of term that messages and reductions pay, in s; NAN for a term that the machine
// does not have.
typedef double SiteCharges[N_TERM_KINDS];

// The figures that make a site.
typedef struct SiteFigures {
    const SiteCharges *charges; // by level, as many as the mapping has; those of reductions are the last level's
    int nics;
    double nic_byte, nic_message; // as in Site; both 0 if there are no NICs
    const Table *memory;          // borrowed; NULL if there is none
    const SharedCosts *shared;    // borrowed; NULL if there are messages only
} SiteFigures;

// Sets the charges to those of a machine that has no other terms than these.
void site_textbook(double *charges, double alpha, double beta, double gamma);
// Returns a site; the mapping and the table must outlive it. `map` may be NULL if all ranks are far from each other;
// then there is one level. `names` are the levels' names, which the terms borrow; NULL gives terms without a level.
// Free with site_free.
Site *site_new(const Mapping *map, const char *const *names, const SiteFigures *figures);
// Returns the site of a platform; NULL if it is flat for these ranks: it charges no more than alpha, beta and gamma,
// and `map` is NULL, or all ranks are far from each other and share nothing. NICs are left out if they change nothing
// under this discipline: each serves one rank, and a message that has its ports never waits for them.
Site *site_of_platform(const Platform *platform, const Mapping *map, Transfer transfer);
// Does the same, but never returns NULL, for a run with the prices of a network; `with_shared` means messages next to
// operations in shared memory, for which the platform must have all figures.
Site *site_on_network(const Platform *platform, const Mapping *map, Transfer transfer, bool with_shared);
// Returns the site of a platform that has all figures of the model shared, for messages next to operations in shared
// memory; `map` is not NULL.
Site *site_with_shared(const Platform *platform, const Mapping *map, Transfer transfer);
// Returns the platform's figures of shared memory.
SharedCosts site_shared_costs(const Platform *platform);
void site_free(Site *site); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Site, site_free)

// Adds a term, which no tally counts, and returns its number.
int site_add_term(Site *site, CostTerm term);
// Gives a term, whose `most` is known, a field of the tally if there is room, and marks it as done then. Returns the
// field.
TallyField site_allot(Site *site, int term);

// Prepares the site for a schedule of p ranks with this root: v instead of ranks.
void site_begin(Site *site, int p, int root);
// Divides the tally into fields for the terms that are not done, as many as fit, and marks these as done. Returns false
// if all were done before.
bool site_divide(Site *site);
// Adds the counts that a tally of these fields has to count[], by term.
void site_counts(const Site *site, const TallyField *field, ClockTally tally, int64_t *count);
// Returns the tally of these counts, by term, as far as it counts them.
ClockTally site_tally(const Site *site, const int64_t *count);
// Returns the value of the counts in s.
double site_time(const Site *site, const int64_t *count);

// Returns the smallest multiple of n, a period of the schedule's classes, by which v can be shifted, or changed if
// peers are an XOR. The shift must not change the level of any pair, the place of any rank in its node, or, with `far`,
// which nodes follow each other. Returns p if no smaller multiple does.
int site_period(const Site *site, const Schedule *s, int n);

// Returns true if messages that all v send to one distance, or with one mask, take `far` longer at all v or at none.
bool site_is_far_alike(const Site *site, const Schedule *s);

// Returns true if all pairs of ranks are at the same level.
static inline bool site_has_one_level(const Site *site)
{
    return !site->code;
}

// Returns true if messages pay alpha and beta and reductions pay gamma, and neither pays anything else.
bool site_is_textbook(const Site *site);

// Adds what n bytes pay to count[], by term.
void site_count_charge(const Site *site, const Charge *charge, uint64_t bytes, int64_t *count);

// Returns true if the nodes of two v do not follow each other, where node 0 follows the last one.
static inline bool site_is_far(const Site *site, int a, int b)
{
    const int away = ABS(site->node ? site->node[a] - site->node[b] : a - b);
    return MIN(away, site->n_nodes - away) >= 2;
}

// Returns true if rank i is the only one of node i.
static inline bool site_each_is_node(const Site *site)
{
    return !site->node || site->each_is_node;
}

// Returns true if ranks share NICs or memory.
static inline bool site_shares(const Site *site)
{
    return site->nics > 0 || site->memory;
}

// Returns true if a message may wait for what ranks share.
static inline bool site_contends(const Site *site)
{
    return site_shares(site) && !site->idle;
}

// Returns the level of two v.
static inline int site_level(const Site *site, int a, int b)
{
    return site->code ? mapping_code_level(site->map, site->code[a], site->code[b]) : site->n_levels - 1;
}

// Returns the level of v and of the rank whose slot it reads or whose flag it awaits, 0 being the innermost; 0 as well
// if the machine charges all levels alike.
static inline int shared_op_level(const Schedule *s, const Site *site, int v, const Op *op)
{
    const bool asks = site->shared.remote > 1 || site->shared.by_level;
    return G_UNLIKELY(asks) && (op->kind == OP_READ || op->kind == OP_AWAIT) && site->map
               ? site_level(site, v, peer_of(s, v, op->from, 0, 0))
               : 0;
}
