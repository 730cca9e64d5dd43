// What the links of a network between nodes add to messages. A message whose route has `hops` links beyond the first
// takes alpha + hops hop + max(n beta, load / rate): the load is what the messages of its round have on one of its
// links, the one that takes longest. Under measured it takes T + hops hop + load / rate, the load being that of the other
// messages. Who knows the network sets the prices (engine/network/link_prices.h). The gear event reads them as each rank's
// messages begin, and lockstep_links.c step by step.
#pragma once
#include "engine/replay/cost.h"

// The price of a message.
typedef struct LinkPrice {
    uint64_t load; // of the link, in LinkPrices.unit bytes; under measured without the message's own bytes
    int32_t
        link; // that takes longer than the bytes do at the port, or, under measured, that others have too; -1 for none
    uint32_t sharers; // messages of the round that the link has
    uint16_t hops, class;
} LinkPrice;

enum { LINKS_INSIDE = UINT32_MAX }; // LinkPrices.round of a message that uses no link

// The prices of a round in which all ranks exchange: v pays price[first + v], or all pay price[first].
typedef struct LinkStep {
    uint64_t first;
    bool same;
} LinkStep;

typedef struct LinkPrices {
    LinkPrice *price;
    // Where all ranks exchange in step: each round's prices, and how many ranks take turns (lockstep.h). NULL and 0
    // elsewhere; then the prices are by v, in the order in which its messages begin.
    LinkStep *step;
    int turn;
    int ranks; // with `step`: v = 0 .. ranks-1 stand for all
    // With `step`: all pay the same in each round, or at least a run has the same end and certificate as if all paid
    // what the slowest message of each round does.
    bool alike;
    // Without `step`, where they are wanted: the round of each price's message, or LINKS_INSIDE; when it began, NAN until it
    // does; and by round, how long its messages take, in all.
    uint32_t *round;
    double *began, *took;
    uint32_t rounds;
    uint64_t prices; // how many these are
    uint64_t *first; // without `step`, by v: where its prices begin; one more for the end
    uint64_t *next;  // by v: the price of its next message; with `step`, its next round
    int p, n_classes;
    double hop_s;
    double *load_s;                  // by class: of a unit of load, in s
    int term;                        // the number of the term `hop`; those of the classes follow
    TallyField hop, *of_class;       // their fields
    void (*copy_fields)(Site *site); // of the site's other terms
    void (*free_prices)(Site *site); // the site's own; NULL if it has none
    uint64_t most_hops, *most;       // the largest counts that a chain can have
    // With `round`: those of a chain that has the dearest message of every round. Most chains have no more.
    uint64_t likely_hops, *likely;
} LinkPrices;

void links_free(LinkPrices *links);
// Begins a run: no message has begun.
void links_begin(LinkPrices *links);
// Gives a site the prices, which it takes, and their terms; `class` is the name of each class, which the terms borrow.
void links_add(Site *site, LinkPrices *links, const char *const *class);
// Takes them away again, and frees them. Nothing may have been added to the site since.
void links_remove(Site *site);
// Sets the largest counts of these terms.
void links_find_most(Site *site);
// If rounds are known, lowers these counts to at most twice those of a chain that has the dearest message of each round.
void links_expect_less(Site *site);

// Returns the price of v's message of a round, with `step`.
static inline const LinkPrice *links_at(const LinkPrices *x, uint64_t round, int v)
{
    const LinkStep *step = &x->step[round];
    return &x->price[step->first + (step->same ? 0 : (uint64_t)v)];
}

// Returns the price of v's next message, which begins; NULL if there is no network.
static inline const LinkPrice *links_next(const Hockney *h, int v)
{
    LinkPrices *x = h->site ? h->site->links : NULL;
    if (G_LIKELY(!x))
        return NULL;
    const uint64_t next = x->next[v]++;
    return x->step ? links_at(x, next, v) : &x->price[next];
}

// Returns true if v's next message, which has not begun, takes longer than alpha and its bytes do.
static inline bool links_delay(const Hockney *h, int v)
{
    const LinkPrices *x = h->site ? h->site->links : NULL;
    if (G_LIKELY(!x))
        return false;
    const LinkPrice *next = x->step ? links_at(x, x->next[v], v) : &x->price[x->next[v]];
    return next->link >= 0 || next->hops * x->hop_s > 0;
}

// Returns x after a message with this price. If it `waits`, the load of its link is what it takes, otherwise its bytes.
Stamp links_message(const Hockney *h, Stamp x, int level, uint64_t bytes, const LinkPrice *price, bool waits);
// Returns x after what a message pays for links alone: its hops, if they count, and the load of its link if it `waits`.
Stamp links_extra(const Hockney *h, Stamp x, const LinkPrice *price, bool hops, bool waits);
// Returns how long that load takes, in s; 0 if there is none.
static inline double links_wait(const LinkPrices *x, const LinkPrice *price)
{
    return price->link >= 0 ? (double)price->load * x->load_s[price->class] : 0;
}
// Returns the end of a message with this price that begins at `begin`; the load of its links counts from `ready` on. Sets
// *waits to whether that is what it waits for.
Stamp links_end(const Hockney *h, Stamp begin, Stamp ready, int level, uint64_t bytes, const LinkPrice *price,
                bool *waits);
// Notes when a message begins and ends, which its price names.
void links_note(LinkPrices *x, const LinkPrice *price, double begin_s, double end_s);
// Returns the share of messages that begin more than half a round apart from the mean beginning of their round; a round is
// as long as its messages take in the mean. Returns NAN if all ranks exchange in step, or if nothing was noted.
double links_drift(const LinkPrices *x);
// Adds what links_message() counts to count[], by term.
void links_count(const Site *site, int level, uint64_t bytes, const LinkPrice *price, bool waits, int64_t *count);
