#include "platform/mapping.h"
#include "base/error.h"
#include <stdlib.h>

// ---- Placing the ranks ----------------------------------------------------------------------------------------------

// Sets of[rank] to the node of each rank.
static void place(const MapSpec *spec, int p, int *of)
{
    const int nodes = spec->kind == MAP_CYCLIC ? (p - 1) / spec->k + 1 : 0;
    for (int rank = 0; rank < p; rank++)
        of[rank] = spec->kind == MAP_BLOCK    ? rank / spec->k
                   : spec->kind == MAP_CYCLIC ? rank % nodes
                   : spec->kind == MAP_FILE   ? *map_units(spec, rank)
                                              : rank;
}

static int bits_of(uint32_t x)
{
    return x ? 32 - __builtin_clz(x) : 0;
}

// The ranks of a unit, while they are counted.
typedef struct MapMember {
    uint64_t unit; // the node and the units inside it that a file names, as one number
    int rank;
} MapMember;

static int by_unit(const void *a, const void *b)
{
    const MapMember *x = a, *y = b;
    return x->unit != y->unit ? (x->unit < y->unit ? -1 : 1) : (x->rank > y->rank) - (x->rank < y->rank);
}

// Returns each rank's number within the innermost unit that the map names, in the order of ranks. Free with g_free.
static int *local_of(const MapSpec *spec, const Levels *levels, const CollNodes *nodes, int p)
{
    const int node_level = levels_node(levels);
    int *local = g_memdup2(nodes->local, (gsize)p * sizeof *local);
    if (spec->kind != MAP_FILE || spec->numbers == 1)
        return local;
    g_autofree MapMember *members = g_new(MapMember, p);
    for (int rank = 0; rank < p; rank++) {
        members[rank] = (MapMember){(uint64_t)*map_units(spec, rank), rank};
        for (int i = 1; i < spec->numbers; i++) { // at most 2^27 nodes of 2^27 units
            const PlatformLevel *level = &levels->at[node_level - i];
            members[rank].unit =
                members[rank].unit * (level[1].ranks / level->ranks) + (uint64_t)map_units(spec, rank)[i];
        }
    }
    qsort(members, (size_t)p, sizeof *members, by_unit);
    for (int i = 0; i < p; i++)
        local[members[i].rank] = i && members[i].unit == members[i - 1].unit ? local[members[i - 1].rank] + 1 : 0;
    return local;
}

// The levels of a machine, as a map fills them.
typedef struct MapLevels {
    const MapSpec *spec;
    const Levels *levels;
    int node, named;  // the level `node`, and the innermost level whose units the map names
    const int *of;    // by rank: its node
    const int *local; // by rank: its number within its unit of the level `named`
} MapLevels;

// Sets unit[rank] to each rank's unit of level k, counted within its unit of level k + 1.
static void find_units(const MapLevels *x, int k, int p, uint32_t *unit)
{
    const PlatformLevel *at = x->levels->at;
    const uint32_t inside = (uint32_t)(at[k + 1].ranks / at[k].ranks); // units of level k in one of k + 1; 0 for far
    const gboolean outside = k >= x->node, named = !outside && k >= x->named;
    const uint32_t ranks = (uint32_t)at[k].ranks, each = outside ? ranks / (uint32_t)at[x->node].ranks : ranks;
    const gboolean bounded = inside && (outside || k + 1 < x->named);
    for (int rank = 0; rank < p; rank++) {
        if (named) {
            unit[rank] = (uint32_t)map_units(x->spec, rank)[x->node - k];
            continue;
        }
        unit[rank] = (uint32_t)(outside ? x->of[rank] : x->local[rank]) / each;
        if (bounded) // a named unit with more ranks than it is made for has more units of the level inside it
            unit[rank] %= inside;
    }
}

// Sets the codes, and the level of every number of bits. Returns FALSE if a code does not fit. A level of which f units
// fit into the next one takes at most bits(f - 1) bits; these are at most 34 for all levels together, because the
// product of all f is at most 2^27. The outermost units, and the units of a crowded node, are not among them. With
// block:K and cyclic:K these take at most 29 bits more, because the number of nodes times K is about p.
static gboolean encode(Mapping *m, const MapLevels *x)
{
    g_autofree uint32_t *unit = g_new(uint32_t, m->p);
    int shift = 0;
    m->code = g_new0(uint64_t, m->p);
    m->level_of_bits[0] = 0;
    for (int k = 0; k <= x->levels->n - 2; k++) { // the fields of inner levels are the low bits
        uint32_t most = 0;
        find_units(x, k, m->p, unit);
        for (int rank = 0; rank < m->p; rank++)
            most = MAX(most, unit[rank]);
        const int bits = bits_of(most);
        if (shift + bits > 64)
            return FALSE;
        for (int rank = 0; rank < m->p && bits; rank++)
            m->code[rank] |= (uint64_t)unit[rank] << shift;
        for (int b = 1; b <= bits; b++)
            m->level_of_bits[shift + b] = (uint8_t)(k + 1);
        shift += bits;
    }
    return TRUE;
}

Mapping *mapping_new(const MapSpec *spec, const Levels *levels, int p, GError **error)
{
    if (spec->kind == MAP_FILE && !map_check(spec, levels, p, error))
        return NULL;
    g_autofree int *of = g_new(int, p);
    g_autoptr(Mapping) m = g_new0(Mapping, 1);
    m->kind = spec->kind;
    m->p = p;
    m->n_levels = levels ? levels->n : 1;
    place(spec, p, of);
    m->nodes = coll_nodes_new(p, of);
    if (m->n_levels == 1)
        return g_steal_pointer(&m);
    const int node = levels_node(levels);
    g_autofree int *local = local_of(spec, levels, m->nodes, p);
    const MapLevels x = {spec, levels, node, spec->kind == MAP_FILE ? node - spec->numbers + 1 : node, of, local};
    if (encode(m, &x))
        return g_steal_pointer(&m);
    g_assert(spec->kind == MAP_FILE);
    bad_input(error,
              "%s: the ranks are too unevenly spread over the levels of the platform; allowed: fewer levels, or "
              "nodes of more equal sizes",
              spec->file);
    return NULL;
}

void mapping_free(Mapping *m)
{
    if (!m)
        return;
    coll_nodes_free(m->nodes);
    g_free(m->code);
    g_free(m);
}
