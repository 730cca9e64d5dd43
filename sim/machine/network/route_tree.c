// Routes of a fat tree. A host has a digit for each level, of base `ports down`. A switch of level l has digits of base
// `ports up` below l, which say by which parents it is reached, and a host's digits from l on.
#include "base/error.h"
#include "machine/network/route.h"

// Returns how many levels up the lowest switch above both hosts is.
static int levels_up(const Network *n, int from, int to)
{
    int level = 0;
    for (; from != to; level++) {
        from /= n->sizes[level];
        to /= n->sizes[level];
    }
    return level;
}

static int tree_minimal(const Network *n, int from, int to, NetworkHop *hops)
{
    const int levels = levels_up(n, from, to), *ups = n->topology.numbers.at[2];
    NetworkHop *out = hops;
    int64_t parents = 0; // the digits of base `ports up`, as a number
    for (int l = 0, s = from, d = to; l < levels; s /= n->sizes[l], d /= n->sizes[l], l++) {
        const int64_t up = to / n->ways[l] % ups[l], half = n->class[l].numbers / 2;
        out = network_hop(n, out, l, (parents + n->ways[l] * s) * ups[l] + up, 1);
        out = network_hop(n, out, l, half + (parents + n->ways[l] * d) * ups[l] + up, 1);
        parents += up * n->ways[l];
    }
    return (int)(out - hops);
}

// All switches of a level above a host have numbers that follow each other, and so have their links.
static int tree_spread(const Network *n, int from, int to, NetworkHop *hops)
{
    const int levels = levels_up(n, from, to);
    NetworkHop *out = hops;
    for (int l = 0; l < levels; from /= n->sizes[l], to /= n->sizes[l], l++) {
        const int32_t count = (int32_t)n->ways[l + 1], first = n->class[l].first, half = n->class[l].numbers / 2;
        const uint32_t weight = n->whole / (uint32_t)count;
        *out++ = (NetworkHop){first + count * from, 1, count, weight, (uint32_t)l};
        *out++ = (NetworkHop){first + half + count * to, 1, count, weight, (uint32_t)l};
    }
    return (int)(out - hops);
}

gboolean network_fat_tree(Network *n, const TopologyNumbers *x, int hosts, GError **error)
{
    enum { MOST_WAYS = 1 << 16 };
    const int levels = x->at[0][0];
    const bool spread = n->topology.routing == ROUTING_SPREAD;
    int64_t places = n->hosts; // of switches of a level, if each was reached by one parent
    (void)hosts;
    n->n_sizes = levels;
    n->ways[0] = 1;
    for (int l = 0; l < levels; l++) {
        n->sizes[l] = x->at[1][l];
        n->ways[l + 1] = MIN(n->ways[l] * x->at[2][l], (int64_t)1 << 31);
    }
    if (spread && n->ways[levels] > MOST_WAYS)
        return bad_input(error,
                         "fat_tree %s has too many ways to spread messages over; allowed: at most 2^16, or "
                         "routing = minimal",
                         n->topology.shape);
    n->part = n->hosts / x->at[1][levels - 1];
    for (int l = 0; l < levels; places /= x->at[1][l++])
        network_add_class(n, MIN(places * n->ways[l + 1], INT32_MAX), 2 * places * n->ways[l + 1],
                          places / x->at[1][levels - 1] * n->ways[l + 1], true);
    n->unit = spread || n->part % n->ways[levels] == 0 ? n->part : 0;
    n->whole = spread ? (uint32_t)n->ways[levels] : 1;
    n->most_hops = 2 * levels;
    n->route = spread ? tree_spread : tree_minimal;
    return TRUE;
}
