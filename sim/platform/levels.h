// The levels of a machine: nested units such as sockets, nodes and groups of nodes, from the innermost outwards. Two
// ranks communicate at the innermost level whose unit they share; ranks that share none are `far` from each other.
#pragma once
#include <glib.h>

typedef struct Level {
    char *name;   // "node"; the last level is "far"
    size_t ranks; // how many ranks a full unit has; 0 for far
} Level;

// The levels, innermost first. There is at least one, far.
typedef struct Levels {
    int n;
    Level *at;
} Levels;

// Initialises the levels with only far. Clear with levels_clear.
void levels_init(Levels *levels);
void levels_clear(Levels *levels);
// Adds a level outside all others but far, whose full unit has so many ranks, a multiple of the level before it.
void levels_add(Levels *levels, const char *name, size_t ranks);
// Returns the index of the level that a map fills: the one called node, or the innermost. A machine that has only far
// has none: -1.
int levels_node(const Levels *levels);
