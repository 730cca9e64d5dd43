// Random machines for tests, with levels, mappings, NICs and memories. All figures are whole seconds, so times are
// exact.
#pragma once
#include "model/model.h"
#include "reference_machine.h"

enum { // what a machine may have
    MACHINES_NICS = 1,
    MACHINES_MEMORY = 2,
    MACHINES_LEVELS = 4,
    MACHINES_FREE = 8, // costs of 0
};

typedef struct DrawnMachine {
    Platform *platform;
    Mapping *map;
    ReferenceMachine reference; // the same for the second simulator
    char *text;                 // for messages
} DrawnMachine;

// Draws a machine for p ranks. Nodes have `per_node` ranks, or a random number if that is 0. Clear with machines_clear.
void machines_draw(DrawnMachine *x, GRand *random, int p, int per_node, int has);
void machines_clear(DrawnMachine *x);

// Returns the figures with this discipline; free the site.
Hockney machines_hockney(const DrawnMachine *x, Transfer transfer);
