// The links of one round, and what its messages pay for them. Private to the prices of links.
#pragma once
#include "engine/replay/links.h"
#include "machine/network/network.h"

// What a link has in a round: bytes times weight, and messages.
typedef struct RoundLink {
    uint64_t load;
    uint32_t sharers;
} RoundLink;

typedef struct RoundLinks {
    const Network *n;
    double load_s[TOPOLOGY_CLASSES]; // of a byte
    // One part of the network stands for all (Network.unit): the messages are those of its hosts, and a link stands for
    // its copies.
    bool few;
    bool measured;    // only what other messages have on a link counts, because T has the message's own bytes
    NetworkHop *hops; // of the last message
    // If there is room, the ways of all messages of the round, one after the other, and how many hops each has.
    NetworkHop *way;
    int *hops_of_way, n_ways, ways;
    RoundLink *link;
    uint64_t work; // hops that were looked at in all rounds
    // The links of the last message. Where hosts are at switches, messages between the same two switches have the same
    // links, but for those of their hosts, which are the first and the last one.
    int count;
    int from, to;             // the two switches; -1 if there are none
    uint64_t pending_load;    // bytes that are not yet added to the links between them
    uint32_t pending_sharers; // likewise messages
    bool priced;              // what the links between them cost is known:
    LinkPrice between;        // .. for a message of so many bytes, under measured
    uint64_t between_bytes;
    double between_s;
    int32_t *touched; // links with messages in this round
    int32_t n_touched;
} RoundLinks;

// A message between two hosts. `byte_s` is what a byte of it takes at its ports.
typedef struct RoundMessageAt {
    int from, to;
    uint64_t bytes;
    double byte_s;
} RoundMessageAt;

// Returns what a byte of a message between two v takes at its ports, in s; 0 under measured.
static inline double round_links_byte(const Site *site, int from, int to)
{
    return site->measured ? 0 : site->link[site_level(site, from, to)].message.byte;
}

// `messages` is how many a round has at most.
void round_links_init(RoundLinks *x, const Network *network, int messages);
void round_links_clear(RoundLinks *x);
uint64_t round_links_bytes(const Network *network); // of memory
// Adds a message to the loads of its links; when all are added, returns the price of each, in the same order, with a load in
// 1 / whole of a byte; and ends the round.
void round_links_add(RoundLinks *x, const RoundMessageAt *message);
// Adds n more messages that are as long as the last one and go from its switch to its peer's switch, between hosts that
// neither send nor receive another message in this round. Each of them has the price of the last one.
void round_links_add_alike(RoundLinks *x, uint64_t bytes, uint32_t n);
LinkPrice round_links_price(RoundLinks *x, const RoundMessageAt *message);
void round_links_end(RoundLinks *x);
// Returns how many hops a message pays for whose links have these weights in all. In groups, the bundles `pair`, `out` and
// `in` count as three links. If the ways of a route have different lengths, it is their mean, rounded down. Hops that cost
// nothing are not counted.
uint16_t round_links_hops(const Network *network, uint64_t weight);
// Returns the greatest common divisor of two numbers.
uint64_t round_links_divisor(uint64_t a, uint64_t b);
