// A machine for the second simulator (reference_sim.h): where its ranks are, what a message costs, and what the ranks
// of a node share. All figures are integers.
#pragma once
#include "engine/replay/cost.h"
#include <glib.h>

enum {
    REFERENCE_LEVELS = 4,  // the most levels that a machine has, with far
    REFERENCE_POINTS = 4,  // the most points of the table `memory`
    REFERENCE_FACTOR = 64, // factors of that table are whole 64ths
};

typedef struct ReferencePoint {
    int64_t bytes, factor;
} ReferencePoint;

// What a network adds to messages, by sender and number of its message: `most` of them for each sender.
typedef struct ReferenceNetwork {
    int most;
    int64_t *began; // set by a run: when it began
    int64_t *hop;   // it takes so much longer; 0 while only `began` is wanted, as for `load`
    // Alpha and hop past, it takes so long at least: since it stood in line for a NIC, or else its begin. Under measured it
    // takes so much longer, and its ports too.
    int64_t *load;
} ReferenceNetwork;

typedef struct ReferenceMachine {
    Transfer transfer;
    int n_levels;                                                   // at least 1; the last one is far
    int64_t alpha[REFERENCE_LEVELS], beta[REFERENCE_LEVELS], gamma; // by level, innermost first
    int *unit[REFERENCE_LEVELS];   // by level except far, and by rank: the number of the unit that the rank is in
    int *node;                     // by rank; NULL if every rank has a node of its own
    int nics;                      // of a node; at least 1
    int64_t per_byte, per_message; // nic.rate and nic.messages as times; 0 if not given
    int n_points;                  // of `memory`; 0 if not given
    ReferencePoint memory[REFERENCE_POINTS];
    ReferenceNetwork *network; // NULL if there is none
} ReferenceMachine;

// Places p ranks: of[rank] is the rank's node. `sizes` has the ranks of a full unit of each level except far, and
// `node` is the level that the nodes fill. Ranks fill the levels inside a node in the order of ranks, and nodes those
// outside in the order of nodes. Free the places with reference_machine_clear.
void reference_machine_place(ReferenceMachine *x, int p, const int *of, const int *sizes, int node);
void reference_machine_clear(ReferenceMachine *x);

// Returns the level at which two ranks communicate.
int reference_machine_level(const ReferenceMachine *x, int a, int b);
// Returns true if two ranks are on one node.
bool reference_machine_near(const ReferenceMachine *x, int a, int b);
// Returns the rank's number within its node.
int reference_machine_local(const ReferenceMachine *x, int rank);
// Returns the place of a sender among all senders, for ties: of two, the smaller goes first.
int64_t reference_machine_key(const ReferenceMachine *x, int p, int sender);
// Returns how many bytes a message of n bytes occupies a node's memory.
int64_t reference_machine_copied(const ReferenceMachine *x, int64_t n);
