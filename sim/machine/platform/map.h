// What --map asks for: which ranks share a node. mapping.h places the ranks of a run accordingly.
#pragma once
#include "machine/platform/levels.h"

typedef enum MapKind {
    MAP_NONE,   // every rank has a node of its own
    MAP_BLOCK,  // rank r is on node r / k; the last node may have fewer ranks
    MAP_CYCLIC, // N = ceil(p / k) nodes, rank r is on node r mod N
    MAP_FILE,   // a file names the node of every rank
} MapKind;

// What --map asks for, before p is known. Clear with map_clear.
typedef struct MapSpec {
    MapKind kind;
    int k; // ranks of a node, for MAP_BLOCK and MAP_CYCLIC
    // For MAP_FILE: the file as given, and its lines. The line of a rank has `numbers` numbers: the node, and then the
    // units inside it from the outermost inwards.
    char *file;
    int numbers;
    GArray *units;   // of int, `numbers` for each rank
    GArray *skipped; // of MapSkip: where the file has lines without a node
} MapSpec;

// Parses the argument of --map: block:K, cyclic:K, or a file; "-" is standard input. A file has a line for each rank:
// the number of its node, from 0 on, and behind it, if need be, the units inside the node from the outermost inwards:
// `3.1` is unit 1 of node 3. All lines have as many numbers; # begins a comment, and lines may be empty. It names at
// most `most` ranks. Returns FALSE and a bad-input error on bad input, with nothing to clear.
gboolean map_parse(const char *text, size_t most, MapSpec *spec, GError **error);
void map_clear(MapSpec *spec);

// Returns what places k consecutive ranks on each node; 0 places no ranks.
static inline MapSpec map_blocks(int k)
{
    return (MapSpec){.kind = k ? MAP_BLOCK : MAP_NONE, .k = k};
}

// Returns TRUE if a map of MAP_FILE fits p ranks and the levels of a machine (NULL: it has one level). Otherwise
// returns FALSE and a bad-input error.
gboolean map_check(const MapSpec *spec, const Levels *levels, int p, GError **error);

// Returns what the line of a rank says in a map of MAP_FILE: `numbers` numbers.
static inline const int *map_units(const MapSpec *spec, int rank)
{
    return &g_array_index(spec->units, int, (gsize)rank *(gsize)spec->numbers);
}
