// What the links of a network between nodes add to messages. A message whose route has `hops` links beyond the first
// takes alpha + hops hop + max(n beta, load / rate): the load is what the messages of its round have on one of its
// links, the one that takes longest. Who knows the network sets the prices (engine/network/link_prices.h); only the gear
// event reads them, as each rank's messages begin.
#pragma once
#include "engine/replay/cost.h"

// The price of a message.
typedef struct LinkPrice {
    uint64_t load;    // of the link, in LinkPrices.unit bytes
    int32_t link;     // that takes longer than the bytes do at the port; -1 if none does
    uint32_t sharers; // messages of the round that the link has
    uint16_t hops, class;
} LinkPrice;

typedef struct LinkPrices {
    LinkPrice *price; // by v, in the order in which its messages begin
    uint64_t *first;  // by v: where its prices begin; one more for the end
    uint64_t *next;   // by v: the price of its next message
    int p, n_classes;
    double hop_s;
    double *load_s;                  // by class: of a unit of load, in s
    int term;                        // the number of the term `hop`; those of the classes follow
    TallyField hop, *of_class;       // their fields
    void (*copy_fields)(Site *site); // of the site's other terms
    uint64_t most_hops, *most;       // the largest counts, of all messages together
} LinkPrices;

// Begins a run: no message has begun.
void links_begin(LinkPrices *links);
// Gives a site the prices, which it takes, and their terms; `class` is the name of each class, which the terms borrow.
void links_add(Site *site, LinkPrices *links, const char *const *class);
// Sets the largest counts of these terms.
void links_find_most(Site *site);

// Returns the price of v's next message, which begins; NULL if there is no network.
static inline const LinkPrice *links_next(const Hockney *h, int v)
{
    LinkPrices *x = h->site ? h->site->links : NULL;
    return G_LIKELY(!x) ? NULL : &x->price[x->next[v]++];
}

// Returns true if v's next message, which has not begun, takes longer than alpha and its bytes do.
static inline bool links_delay(const Hockney *h, int v)
{
    const LinkPrices *x = h->site ? h->site->links : NULL;
    const LinkPrice *next = x ? &x->price[x->next[v]] : NULL;
    return next && (next->link >= 0 || next->hops * x->hop_s > 0);
}

// Returns x after a message with this price. If it `waits`, the load of its link is what it takes, otherwise its bytes.
Stamp links_message(const Hockney *h, Stamp x, int level, uint64_t bytes, const LinkPrice *price, bool waits);
// Adds the same to count[], by term.
void links_count(const Site *site, int level, uint64_t bytes, const LinkPrice *price, bool waits, int64_t *count);
