// What SMPI must charge on a machine whose nodes have several ranks, and whether it can: a host stands for a node.
#pragma once
#include "run/launch/simgrid_machine.h"

enum { SIMGRID_ENVELOPE = 16 }; // bytes that SMPI adds to every message

typedef struct SimgridFigures {
    int most;                     // ranks of the host that has the most
    double alpha, beta;           // of messages between hosts
    double near_alpha, near_beta; // of messages between ranks of a host; 0 if no host has two
    double link;                  // seconds per byte on a host's link to the network, which its ranks share
    gboolean in_turn;             // ranks take turns at a NIC here, and share it in SMPI
} SimgridFigures;

// Returns what is left of alpha after the 16 bytes that SMPI adds to every message.
double simgrid_latency(double alpha, double beta);
// Appends NAME="..." with a bandwidth, which is given in seconds per byte.
void simgrid_bandwidth(GString *s, const char *name, double per_byte);
// Returns FALSE and an error that names the key if the platform lacks a figure, or has one that SMPI cannot express.
gboolean simgrid_figures(const SimgridMachine *m, SimgridFigures *figures, GError **error);
