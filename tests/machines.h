// Machines for tests: of a text, or random ones with levels, mappings, NICs and memories. All figures of the random ones
// are whole seconds, so times are exact.
#pragma once
#include "engine/model/model.h"
#include "reference_measured.h"

enum { // what a machine may have
    MACHINES_NICS = 1,
    MACHINES_MEMORY = 2,
    MACHINES_LEVELS = 4,
    MACHINES_FREE = 8,   // costs of 0
    MACHINES_PORTS = 16, // up to 3 ports in each direction, under measured
    MACHINES_WORK = 32,  // copies and scratch buffers that cost something, likewise
};

// All figures of measured are multiples of 1/16 of this time (those of NICs and work too), so that no time has a
// fraction.
#define MACHINES_UNIT ((int64_t)1 << 18)

typedef struct DrawnMachine {
    Platform *platform;
    Mapping *map;
    ReferenceMachine reference; // the same for the second simulator
    ReferenceFigures figures;   // the same as platform->measured, if machines_draw_measured has drawn it
    char *text;                 // for messages
} DrawnMachine;

// Reads the text of a machine's .ini that has no sources; every figure gets the one that a file must have. Free with
// platform_free.
Platform *machines_parse(const char *text);

// Draws a machine for p ranks. Nodes have `per_node` ranks, or a random number if that is 0. Clear with machines_clear.
void machines_draw(DrawnMachine *x, GRand *random, int p, int per_node, int has);
// The same with figures of measured: tables of a few points, eager and rendezvous messages, and lambda.
void machines_draw_measured(DrawnMachine *x, GRand *random, int p, int per_node, int has);
void machines_clear(DrawnMachine *x);

// Returns the figures with this discipline; free the site.
Hockney machines_hockney(const DrawnMachine *x, Transfer transfer);
// Returns the figures of measured; free the site.
Hockney machines_measured(const DrawnMachine *x);
// Returns what measured needs to be recorded on this machine.
RecordOptions machines_record(const DrawnMachine *x);
