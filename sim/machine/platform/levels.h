// The levels of a machine: nested units such as sockets, nodes and groups of nodes, from the innermost outwards. Two
// ranks communicate at the innermost level whose unit they share; ranks that share none are `far` from each other.
#pragma once
#include <glib.h>

typedef struct PlatformLevel {
    char *name;   // "node"; the last level is "far"
    size_t ranks; // how many ranks a full unit has; 0 for far
} PlatformLevel;

enum { LEVELS_MOST = 64 }; // levels of a machine, with far

// The levels, innermost first. There is at least one, far, and at most LEVELS_MOST.
typedef struct Levels {
    int n;
    PlatformLevel *at;
} Levels;

// Initialises the levels with only far. Clear with levels_clear.
void levels_init(Levels *levels);
void levels_clear(Levels *levels);
// Adds a level outside all others but far. The ranks of its full unit are a multiple of those of the level before it.
void levels_add(Levels *levels, const char *name, size_t ranks);
// Adds the level that a line `NAME = N UNITS` of the section [levels] declares: N ranks, or N units of a level that was
// added before, such as `node = 2 sockets`. A name has letters, digits, '-' and '_', and is not far, rank, ranks or
// source. Returns FALSE and a bad-input error if the name or the size is malformed, if the name is taken, or if the
// level before does not fit a whole number of times.
gboolean levels_read(Levels *levels, const char *name, const char *size, GError **error);
// Returns a number of units of a level other than far, "2 sockets". Free with g_free.
char *levels_units_text(const Levels *levels, int level, size_t count);
// Returns the size of a level other than far as levels_read reads it, in units of the level before: "2 sockets". Free
// with g_free.
char *levels_size_text(const Levels *levels, int level);
// Sets *level to the level of this name. Returns FALSE and a bad-input error that lists the names if there is none.
gboolean levels_find(const Levels *levels, const char *name, int *level, GError **error);
// Returns the names of all levels, innermost first, which the levels own. Free the array with g_free.
const char **levels_names(const Levels *levels);
// Returns the index of the level that a map fills: the one called node, or the innermost. A machine that has only far
// has none: -1.
int levels_node(const Levels *levels);
