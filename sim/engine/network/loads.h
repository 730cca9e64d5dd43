// What the links of a network carry in a run, exactly: in each round the bytes of the messages whose route has the link,
// and in the whole run.
//
// Loads are sums of whole numbers: bytes times the share of a message that takes the link, in units of 1 /
// Network.whole. A load of x is x / whole bytes.
#pragma once
#include "engine/network/walk.h"
#include "machine/network/network.h"

// The loads of a class of links.
typedef struct LoadClass {
    uint64_t sum;      // of the loads of all links, over all rounds
    uint64_t messages; // whose route has a link of the class
    uint64_t bytes;    // .. and what they carry, in bytes
    uint64_t busiest;  // the largest load of a link in the whole run, and the first such link; -1 if none has any
    int32_t busiest_link;
    uint64_t most; // the largest load of a link in one round, the first such round, and a link that has it
    int64_t most_round;
    int32_t most_link;
    uint64_t rounds; // the sum over all rounds of the largest load of a link
} LoadClass;

// Consecutive rounds in which the largest loads are the same.
typedef struct LoadRow {
    int64_t first, last;
    uint64_t messages, bytes;        // in each of them, between hosts
    uint64_t most[TOPOLOGY_CLASSES]; // by class: the largest load of a link
} LoadRow;

typedef struct LoadsOptions {
    Transfer transfer;
    const int *host; // by rank: its host
    bool rows;       // keep the rounds
    bool between;    // keep the bytes from each part of the network to each other one (Network.part)
} LoadsOptions;

typedef struct Loads {
    const Network *network;                         // borrowed
    int64_t rounds;                                 // of the run, also those without messages between hosts
    uint64_t messages, bytes, inside, bytes_inside; // between hosts, and within a host
    LoadClass class[TOPOLOGY_CLASSES];
    GArray *rows;      // of LoadRow; NULL unless asked for
    uint64_t *between; // bytes, by part of the sender and part of the receiver; NULL unless asked for
    int parts;
} Loads;

// Returns the loads of a schedule's run, whose totals schedule_check admits. Returns NULL and an error if sums would not
// fit into 64 bits, or if there is too much to do. Free with loads_free.
Loads *loads_new(const Schedule *s, const Network *network, const LoadsOptions *options, GError **error);
void loads_free(Loads *loads); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Loads, loads_free)
