// The prices of a run in which all ranks exchange in step. Each round is priced by what its ranks do relative to
// themselves; rounds in which they do the same have the same prices. Private to the prices of links.
//
// Mostly the slowest message of each round is enough. Let all ranks that can be the latest after so many rounds be a set,
// at first all of them. A round leaves in it the two ends of its slowest messages that begin at a rank of the set. If it
// never becomes empty, then there is a chain that takes the slowest message of every round, and no chain takes longer.
// Where all slowest messages of a round pay for the same, that chain's certificate is that of the slowest messages.
#pragma once
#include "engine/network/round_links.h"
#include "engine/network/walk_round.h"

typedef struct StepPrices StepPrices;

typedef struct StepPricesOptions {
    const Site *site;
    const Schedule *s;
    const Network *network;
    const int *host; // by v
    Transfer transfer;
    int turn;     // how many ranks take turns (lockstep.h)
    bool slowest; // the slowest message of each round is enough, if there is the chain above; otherwise keep all prices
    bool links;   // messages are to know their link, even if they pay for the same
} StepPricesOptions;

StepPrices *step_prices_new(const StepPricesOptions *options);
void step_prices_free(StepPrices *x); // NULL is allowed
// Adds a round in step.
void step_prices_add(StepPrices *x, const WalkRound *round);
// Returns true if all prices are known, and otherwise that each round is to be added again: then all prices are kept.
bool step_prices_done(StepPrices *x);
// Returns FALSE and an error if there is too much to do, or if there are too many prices to keep.
gboolean step_prices_admit(StepPrices *x, GError **error);
// Returns the prices, with loads in 1 / common of what the network has.
LinkPrices *step_prices_take(StepPrices *x, uint64_t *common);
