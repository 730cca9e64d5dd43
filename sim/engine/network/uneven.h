// Loads of rounds in which each rank sends one block of an even cut to the rank `to` further, where some blocks are one
// element longer than others. In a ring, a rank's block is the one before in the next round, so that two ranks send
// another length than before; only their links are looked at. Private to the loads.
#pragma once
#include "engine/network/round_part.h"
#include "engine/network/walk_round.h"
#include "machine/network/network.h"

typedef struct Uneven Uneven;
// Called with all bytes that a host sent to another one in such rounds.
typedef void UnevenSent(int from, int to, uint64_t bytes, gpointer user);

// Returns whether a round in step is such a round.
bool uneven_knows(const WalkRound *round);
// host[v] is the host of v; `total`, by link, gets the loads of all rounds. Free with uneven_free.
Uneven *uneven_new(const Network *network, const int *host, uint64_t *total, UnevenSent *sent, gpointer user);
void uneven_free(Uneven *x); // NULL is allowed
// Returns the round's loads, which hold until the next call, and adds to *work how many links were looked at.
const LoadPattern *uneven_round(Uneven *x, const WalkRound *round, uint64_t *work);
// Ends the last round: adds what was not yet added to `total` and handed to `sent`.
void uneven_end(Uneven *x);
