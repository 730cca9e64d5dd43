#include "machine/platform/mapping.h"
#include "base/error.h"
#include <stdlib.h>

// ---- Placing the ranks ----------------------------------------------------------------------------------------------

// Sets of[rank] to the node of each rank.
static void place(const MapSpec *spec, int p, int *of)
{
    const int nodes = spec->kind == MAP_CYCLIC ? (p - 1) / spec->k + 1 : 0;
    for (int rank = 0, node = 0, local = 0; rank < p; rank++) {
        of[rank] = spec->kind == MAP_FILE ? *map_units(spec, rank) : node;
        if (spec->kind == MAP_CYCLIC)
            node = node + 1 < nodes ? node + 1 : 0;
        else if (spec->kind == MAP_NONE || ++local == spec->k)
            node++, local = 0;
    }
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

// The levels of a machine, as a map fills them.
typedef struct MapLevels {
    const MapSpec *spec;
    const Levels *levels;
    int node, named;  // the level `node`, and the innermost level whose units the map names
    const int *local; // by rank: its number within its unit of the level `named`
    int most_local;   // the largest of these
} MapLevels;

// Returns the unit of level k, counted within its unit of level k + 1, of the i-th rank in a unit of the level `named`,
// or, if k is the level `node` or further out, of node i.
static uint32_t unit_of(const MapLevels *x, int k, int i)
{
    const PlatformLevel *at = x->levels->at;
    const uint32_t inside = (uint32_t)(at[k + 1].ranks / at[k].ranks); // units of level k in one of k + 1; 0 for far
    const uint32_t each = (uint32_t)(k >= x->node ? at[k].ranks / at[x->node].ranks : at[k].ranks);
    // A named unit with more ranks than it is made for has more units of the level inside it.
    const gboolean bounded = inside && k + 1 != x->named;
    return bounded ? (uint32_t)i / each % inside : (uint32_t)i / each;
}

// Adds the units of level k to the codes of `n` things, which are ranks, nodes, or places in a unit. Returns FALSE if
// they do not fit.
static gboolean add_field(Mapping *m, const MapLevels *x, int k, uint64_t *codes, int n, int *shift)
{
    const gboolean named = k >= x->named && k < x->node;
    g_autofree uint32_t *unit = g_new(uint32_t, n);
    uint32_t most = 0;
    for (int i = 0; i < n; i++) {
        unit[i] = named ? (uint32_t)map_units(x->spec, i)[x->node - k] : unit_of(x, k, i);
        most = MAX(most, unit[i]);
    }
    const int bits = bits_of(most);
    if (*shift + bits > 64)
        return FALSE;
    for (int i = 0; i < n && bits; i++)
        codes[i] |= (uint64_t)unit[i] << *shift;
    for (int b = 1; b <= bits; b++)
        m->level_of_bits[*shift + b] = (uint8_t)(k + 1);
    *shift += bits;
    return TRUE;
}

// Sets the codes, and the level of every number of bits. Returns FALSE if a code does not fit. The part of a code
// inside the named unit depends on the rank's number there, and the part from the node on depends on the node, so each
// is computed once. If f units of a level fit into one of the next, the level takes at most bits(f - 1) bits. All
// levels together take at most 34, because the product of all f is at most 2^27. The outermost units, and the units of
// a crowded node, are not among them. With block:K and cyclic:K these take at most 29 bits more, because the number of
// nodes times K is about p.
static gboolean encode(Mapping *m, const MapLevels *x)
{
    const int nodes = m->nodes->n, places = x->most_local + 1;
    g_autofree uint64_t *of_node = g_new0(uint64_t, nodes), *of_place = g_new0(uint64_t, places);
    int shift = 0;
    m->code = g_new0(uint64_t, m->p);
    m->level_of_bits[0] = 0;
    for (int k = 0; k <= x->levels->n - 2; k++) // the fields of inner levels are the low bits
        if (!(k < x->named  ? add_field(m, x, k, of_place, places, &shift)
              : k < x->node ? add_field(m, x, k, m->code, m->p, &shift)
                            : add_field(m, x, k, of_node, nodes, &shift)))
            return FALSE;
    for (int rank = 0; rank < m->p; rank++)
        m->code[rank] |= of_place[x->local[rank]] | of_node[m->nodes->of[rank]];
    return TRUE;
}

// Sets local[rank] to each rank's number within the innermost unit that a file names, in the order of ranks. Returns
// the largest of them.
static int find_local(const MapSpec *spec, const Levels *levels, int p, int *local)
{
    const int node = levels_node(levels);
    int most = 0;
    g_autofree MapMember *members = g_new(MapMember, p);
    for (int rank = 0; rank < p; rank++) {
        members[rank] = (MapMember){(uint64_t)*map_units(spec, rank), rank};
        for (int i = 1; i < spec->numbers; i++) { // at most 2^27 nodes of 2^27 units
            const PlatformLevel *level = &levels->at[node - i];
            members[rank].unit =
                members[rank].unit * (level[1].ranks / level->ranks) + (uint64_t)map_units(spec, rank)[i];
        }
    }
    qsort(members, (size_t)p, sizeof *members, by_unit);
    for (int i = 0; i < p; i++) {
        const gboolean same = i && members[i].unit == members[i - 1].unit;
        local[members[i].rank] = same ? local[members[i - 1].rank] + 1 : 0;
        most = MAX(most, local[members[i].rank]);
    }
    return most;
}

// Returns the units of a level inside far, numbered in the order of their lowest ranks.
static CollNodes *units_of(const Mapping *m, int level)
{
    int inside = 0; // bits of a code that distinguish the ranks of one unit
    while (inside < 64 && m->level_of_bits[inside + 1] && m->level_of_bits[inside + 1] <= level)
        inside++;
    g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g_autofree int *of = g_new(int, m->p);
    for (int rank = 0; rank < m->p; rank++) {
        const uint64_t unit = inside < 64 ? m->code[rank] >> inside : 0;
        if (rank > 0 && unit == (inside < 64 ? m->code[rank - 1] >> inside : 0)) {
            of[rank] = of[rank - 1];
            continue;
        }
        gpointer number;
        if (!g_hash_table_lookup_extended(numbers, &unit, NULL, &number)) {
            number = GINT_TO_POINTER(g_hash_table_size(numbers));
            g_hash_table_insert(numbers, g_memdup2(&unit, sizeof unit), number);
        }
        of[rank] = GPOINTER_TO_INT(number);
    }
    return coll_nodes_new(m->p, of);
}

void mapping_nest(Mapping *m, const Levels *levels)
{
    const int node = m->code ? levels_node(levels) : 0;
    // A level whose units are those of the level before it says nothing new, and neither does one in which every rank,
    // or no rank, is alone.
    for (int way = -1; m->code && way <= 1; way += 2) {
        CollNodes *at = m->nodes;
        for (int k = node + way; k >= 0 && k < m->n_levels - 1; k += way) {
            CollNodes *units = units_of(m, k);
            if (units->n == at->n || units->n == 1 || units->n == m->p) {
                coll_nodes_free(units);
                continue;
            }
            at = *(way < 0 ? &at->inner : &at->outer) = units;
        }
    }
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
    MapLevels x = {.spec = spec, .levels = levels, .node = node, .named = node, .local = m->nodes->local};
    g_autofree int *local = NULL;
    if (spec->kind == MAP_FILE && spec->numbers > 1) {
        x.named = node - spec->numbers + 1;
        x.local = local = g_new(int, p);
        x.most_local = find_local(spec, levels, p, local);
    }
    for (int i = 0; i < m->nodes->n && !local; i++)
        x.most_local = MAX(x.most_local, coll_nodes_size(m->nodes, i) - 1);
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
