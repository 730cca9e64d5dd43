#include "platform/mapping.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include <string.h>

// ---- Reading --map --------------------------------------------------------------------------------------------------

// Parses the K of block:K or cyclic:K.
static gboolean read_k(const char *text, const char *k, MapSpec *spec, GError **error)
{
    if (number_int(k, 1, LIMIT_RANKS, &spec->k))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error,
                     "--map: %s has no valid number of ranks per node; allowed: block:K or cyclic:K, K from 1 to %d",
                     shown, LIMIT_RANKS);
}

gboolean map_parse(const char *text, MapSpec *spec, GError **error)
{
    *spec = (MapSpec){.kind = MAP_BLOCK};
    if (g_str_has_prefix(text, "block:"))
        return read_k(text, text + strlen("block:"), spec, error);
    spec->kind = MAP_CYCLIC;
    if (g_str_has_prefix(text, "cyclic:"))
        return read_k(text, text + strlen("cyclic:"), spec, error);
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "--map: %s; allowed: block:K, cyclic:K", shown);
}

void map_clear(MapSpec *spec)
{
    g_free(spec->file);
    if (spec->lines)
        g_array_unref(spec->lines);
    *spec = (MapSpec){0};
}

// ---- Placing the ranks ----------------------------------------------------------------------------------------------

// Sets of[rank] to the node of each rank.
static void place(const MapSpec *spec, int p, int *of)
{
    const int nodes = spec->kind == MAP_CYCLIC ? (p - 1) / spec->k + 1 : 0;
    for (int rank = 0; rank < p; rank++)
        of[rank] = spec->kind == MAP_BLOCK ? rank / spec->k : spec->kind == MAP_CYCLIC ? rank % nodes : rank;
}

static int bits_of(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

// Returns a rank's unit of level k, counted within its unit of level k + 1.
static uint64_t unit_of(const Levels *levels, const CollNodes *nodes, int node_level, int k, int rank)
{
    const PlatformLevel *at = levels->at;
    const size_t inside = at[k + 1].ranks / at[k].ranks; // units of level k in one of level k + 1; 0 if that is far
    uint64_t unit = 0;
    if (k >= node_level) {
        unit = (uint64_t)nodes->of[rank] / (at[k].ranks / at[node_level].ranks);
        return inside ? unit % inside : unit;
    }
    unit = (uint64_t)nodes->local[rank] / at[k].ranks;
    return k + 1 < node_level ? unit % inside : unit; // a node with more ranks than it is made for has more units
}

// Sets the codes, and the level of every number of bits.
static void encode(Mapping *m, const Levels *levels)
{
    const int node_level = levels_node(levels), outermost = levels->n - 2;
    int shift = 0;
    m->code = g_new0(uint64_t, m->p);
    m->level_of_bits[0] = 0;
    for (int k = 0; k <= outermost; k++) { // the fields of inner levels are the low bits
        uint64_t most = 0;
        for (int rank = 0; rank < m->p; rank++) {
            const uint64_t unit = unit_of(levels, m->nodes, node_level, k, rank);
            most = MAX(most, unit);
            m->code[rank] |= unit << shift;
        }
        const int bits = bits_of(most);
        for (int b = 1; b <= bits; b++)
            m->level_of_bits[shift + b] = (uint8_t)(k + 1);
        shift += bits;
    }
}

Mapping *mapping_new(const MapSpec *spec, const Levels *levels, int p, GError **error)
{
    (void)error;
    g_autofree int *of = g_new(int, p);
    Mapping *m = g_new0(Mapping, 1);
    m->p = p;
    m->n_levels = levels ? levels->n : 1;
    place(spec, p, of);
    m->nodes = coll_nodes_new(p, of);
    if (m->n_levels > 1)
        encode(m, levels);
    return m;
}

void mapping_free(Mapping *m)
{
    if (!m)
        return;
    coll_nodes_free(m->nodes);
    g_free(m->code);
    g_free(m);
}
