// What messages pay in a round in which every v sends as many bytes to v + k, where v is on host v and hosts are at
// switches. Private to the prices of steps.
//
// Let a switch have N hosts, and k be q N + r. Then N - r hosts of each switch send to the switch q further, and r to the
// one after it. Messages between two switches have the same links between them, so the load of a link is
//
//     (N - r) a + r b
//
// where a and b are its loads if each switch sends one byte q and q + 1 further. So the N shifts of a q need one look at
// the ways between switches. And what messages between two switches pay follows from a and b of their links, in the order
// of their way: pairs of switches with the same ones are of one kind, and a round has a price for each kind.
#pragma once
#include "engine/network/round_links.h"

typedef struct ShiftPrices ShiftPrices;

typedef struct ShiftRound {
    int hosts;              // of a switch
    int more;               // of these: the last `more` hosts send to the further one of two switches
    int switches;           // that are looked at
    uint32_t kinds;         // of messages; each has a price
    const LinkPrice *price; // by kind; `sharers` is not set
    const uint32_t
        *of[2]; // by switch: the kind of its messages to the nearer and to the further switch; the latter is not
                // set if `more` is 0
} ShiftRound;

// Returns NULL unless host[v] is v for all p, hosts are at switches, and a switch has all of its hosts or none among these.
// `few` says that one part of the network stands for all; a byte takes byte_s at its ports. Free with shift_prices_free.
ShiftPrices *shift_prices_new(const Network *network, const int *host, int p, bool few, double byte_s);
void shift_prices_free(ShiftPrices *x); // NULL is allowed
// Keeps what was found of as many rounds, whose k follow each other, as are looked at again soon, until it takes so many
// bytes; and returns how much memory that takes at most, in bytes.
void shift_prices_keep(ShiftPrices *x, int rounds, uint64_t bytes);
uint64_t shift_prices_bytes(const ShiftPrices *x, int rounds);
// Returns the round in which every v sends so many bytes to v + k, 0 < k < p. It holds until the next call.
const ShiftRound *shift_prices_round(ShiftPrices *x, int k, uint64_t bytes);
// Returns how many hops were looked at so far.
uint64_t shift_prices_work(const ShiftPrices *x);
