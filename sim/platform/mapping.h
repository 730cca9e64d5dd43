// The mapping: where the ranks of a run are on a machine that has levels (sockets, nodes, groups of nodes), and at
// which level two ranks communicate: the innermost unit that they share. A pair's level depends on the ranks' own
// numbers.
#pragma once
#include "api/nodes.h"
#include "platform/platform.h"
#include <stdint.h>

typedef enum MapKind {
    MAP_NONE,   // every rank has a node of its own
    MAP_BLOCK,  // rank r is on node r / k; the last node may have fewer ranks
    MAP_CYCLIC, // N = ceil(p / k) nodes, rank r is on node r mod N
    MAP_FILE,   // a file names the node of every rank
} MapKind;

// What --map asks for, before p is known. Clear with map_clear.
typedef struct MapSpec {
    MapKind kind;
    int k;         // ranks of a node, for MAP_BLOCK and MAP_CYCLIC
    char *file;    // of MAP_FILE, as given
    GArray *lines; // of MAP_FILE: GArray of int per line, the node and then the units inside it, from the outermost
} MapSpec;

typedef struct Mapping {
    int p;
    int n_levels; // of the machine; level n_levels - 1 is far
    // By rank: the rank's units from the outermost level inwards, each in a field of bits of its own, so that the
    // highest bit in which two ranks differ tells their level. NULL if all ranks are far from each other.
    uint64_t *code;
    uint8_t level_of_bits[65]; // the level of two ranks whose codes differ in so many low bits (0: in none)
    CollNodes *nodes;          // the units of the level that the map fills
} Mapping;

// Parses the argument of --map: block:K, cyclic:K, or a file. Returns FALSE and a bad-input error on bad input.
gboolean map_parse(const char *text, MapSpec *spec, GError **error);
void map_clear(MapSpec *spec);

// Places p ranks on a machine. `levels` is the machine's (Platform.levels); NULL stands for a machine of one level.
// Returns NULL and a bad-input error if a file does not have p lines. Free with mapping_free.
Mapping *mapping_new(const MapSpec *spec, const Levels *levels, int p, GError **error);
void mapping_free(Mapping *mapping); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Mapping, mapping_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CollNodes, coll_nodes_free)

// Returns the level of two codes, and mapping_level that of two ranks.
static inline int mapping_code_level(const Mapping *m, uint64_t a, uint64_t b)
{
    return m->level_of_bits[a == b ? 0 : 64 - __builtin_clzll(a ^ b)];
}

static inline int mapping_level(const Mapping *m, int a, int b)
{
    return m->code ? mapping_code_level(m, m->code[a], m->code[b]) : m->n_levels - 1;
}
