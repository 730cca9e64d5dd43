// A machine that SimGrid's SMPI simulates.
#pragma once
#include "machine/network/placement.h"
#include "machine/platform/mapping.h"

// When a message leaves, by the values of --transfer. The first two reproduce the model's disciplines exactly.
//   rendezvous    when both sides are ready; the sender is busy until the message has arrived
//   eager         at once; the sender is busy for alpha + n beta, and the receiver takes the message when it is ready.
//                 Ports are not shared: alpha + n beta is overhead of the sender, and the network takes no time
//   eager-shared  at once, as SMPI does by default; the sender is free at once, and the messages that it sends
//                 meanwhile share its port
typedef enum { SIMGRID_RENDEZVOUS, SIMGRID_EAGER, SIMGRID_EAGER_SHARED, N_SIMGRID_TRANSFERS } SimgridTransfer;
extern const char *const simgrid_transfers[N_SIMGRID_TRANSFERS + 1]; // NULL-terminated

typedef struct SimgridMachine {
    const Platform *platform; // alpha, beta, levels, what the ranks of a node share, topology
    SimgridTransfer transfer;
    int p; // ranks, >= 1
    // Where the ranks are: each node is a host. NULL if every rank has a host of its own, and all are far from each
    // other.
    const Mapping *map;
    // What messages share between hosts, with rates (simgrid_network.h); NULL for the platform's topology as SimGrid makes
    // it, whose links are as fast as ports.
    const NetworkSpec *network;
} SimgridMachine;

// Returns the topology that SimGrid makes a cluster of: the platform's, or the flat one where SimGrid has no such
// network, or where the network is written link by link.
const Topology *simgrid_topology(const SimgridMachine *m);
