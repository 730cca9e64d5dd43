// The chain that explains the end of a run in which every v sends as many bytes to v + k, in each round another k or
// other bytes, and does as much work of its own in between: what its messages pay, round by round. It is the chain that
// lockstep_links.c and the gear event find, tie by tie, but only clocks are kept. A first walk finds these, and keeps them
// at checkpoints; a second one goes from checkpoint to checkpoint backwards, and from the latest rank to the ranks that it
// waited for. Private to the prices of steps.
#pragma once
#include "engine/network/shift_prices.h"

typedef struct StepChainOptions {
    const Site *site;
    const Schedule *s;   // in which all v do the same
    ShiftPrices *prices; // borrowed
    const Network *network;
    int ranks; // v = 0 .. ranks - 1 stand for all
    Transfer transfer;
    uint64_t most_work; // hops that may be looked at
} StepChainOptions;

// What the chain pays, and what bounds the counts of any chain.
typedef struct ChainPrices {
    uint32_t rounds;
    LinkPrice *price; // by round: of the chain's message
    uint64_t common;  // the divisor of all loads that any message pays, and of the network's `whole`
    double hops;      // the sum over rounds of the most hops that a message pays
    double *most;     // by class: .. of the largest load, in units of `common`
    bool too_long;    // there would be too much to do; nothing else is set
} ChainPrices;

// Finds the chain. Returns FALSE and an error if there is no memory for it. Clear with step_chain_clear() in any case.
gboolean step_chain_find(const StepChainOptions *options, ChainPrices *found, GError **error);
void step_chain_clear(ChainPrices *found);
