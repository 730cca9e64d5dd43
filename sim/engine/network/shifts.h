// Shifts on SimGrid's dragonfly: every host of the machine sends as much to the host that is k further. Groups do not look
// alike there, because the router that leads to group g is number g in each of them; but what they send and receive does,
// and only the numbers of their gateways differ. So a round takes one look at each group's routers instead of one at
// each message. Private to the loads.
#pragma once
#include "engine/network/round_part.h"
#include "machine/network/network.h"

typedef struct Shifts Shifts;

// Returns NULL if the network is not such a dragonfly. Free with shifts_free.
Shifts *shifts_new(const Network *n);
void shifts_free(Shifts *x); // NULL is allowed

// Sets the parts of all classes, whose links are not looked for, to those of a round in which each host sends one byte
// to the host k further, 0 < k < hosts.
void shifts_round(Shifts *x, int k, RoundPart *part);
// Notes that each host sends so many bytes to the host k further, and adds all that was noted to the loads by link.
void shifts_note(Shifts *x, int k, uint64_t bytes);
void shifts_loads(const Shifts *x, uint64_t *total);
