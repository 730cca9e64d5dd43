// The mapping: where the ranks of a run are on a machine that has levels (sockets, nodes, groups of nodes), and at
// which level two ranks communicate: the innermost unit that they share. A pair's level depends on the ranks' own
// numbers.
#pragma once
#include "api/nodes.h"
#include "machine/platform/map.h"
#include "machine/platform/platform.h"
#include <stdint.h>

typedef struct Mapping {
    MapKind kind;
    int p;
    int n_levels; // of the machine; level n_levels - 1 is far
    // By rank: the rank's units from the outermost level inwards, each in a field of bits of its own, so that the
    // highest bit in which two ranks differ gives their level. NULL if all ranks are far from each other.
    uint64_t *code;
    uint8_t level_of_bits[65]; // by the number of low bits in which two codes differ: the level of their ranks
    CollNodes *nodes;          // the units of the level that the map fills
} Mapping;

// Places p ranks on a machine. `levels` is the machine's (Platform.levels); NULL stands for a machine of one level. The
// ranks of a node, or of the innermost unit that a file names, fill the levels inside it in the order of ranks; if
// there are more than it is made for, it has more units of the next level. A file must have p lines, whose nodes have
// no gaps, and whose units are there. Otherwise returns NULL and a bad-input error. Also returns these if codes need
// more than 64 bits, as they may with more than 2^16 ranks that a file spreads unevenly over many levels. Free with
// mapping_free.
Mapping *mapping_new(const MapSpec *spec, const Levels *levels, int p, GError **error);
// Adds to the nodes the units of the machine's other levels, inside and outside them (CollNodes.inner, outer), for
// compositions whose parts group ranks. `levels` is as in mapping_new.
void mapping_nest(Mapping *mapping, const Levels *levels);
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
