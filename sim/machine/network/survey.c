#include "machine/network/survey.h"
#include <math.h>

GArray *network_distances(const Network *n, int sources)
{
    GArray *count = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    g_autofree NetworkHop *hops = g_new(NetworkHop, n->most_hops);
    const int from = MIN(sources, n->hosts);
    for (int i = 0; i < from; i++) {
        const int source = (int)((int64_t)i * n->hosts / from);
        for (int to = 0; to < n->hosts; to++) {
            const guint links = (guint)network_links(n, hops, network_route(n, source, to, hops));
            if (to == source)
                continue;
            if (count->len <= links)
                g_array_set_size(count, links + 1);
            g_array_index(count, uint64_t, links)++;
        }
    }
    return count;
}

int64_t network_cut(const Network *n, int class)
{
    const TopologyNumbers *x = &n->topology.numbers;
    const int last = n->n_sizes - 1;
    int64_t G = n->sizes[0];
    switch (n->topology.kind) {
    case TOPOLOGY_TORUS: // planes in a ring, which is cut in two places
        G = n->sizes[last];
        return class != last || G < 2 ? 0 : (int64_t)n->part * (G > 2 ? 2 : 1);
    case TOPOLOGY_HYPERX:
        G = n->sizes[last];
        return class != last + 1 ? 0 : n->part / n->per_switch * (G / 2) * (G - G / 2);
    case TOPOLOGY_FAT_TREE: // half of the highest links lead up from one half
        G = x->at[1][last];
        return class != last || G < 2 ? 0 : n->class[class].numbers / 2 / G * (G / 2);
    case TOPOLOGY_DRAGONFLY:
        return class != n->n_classes - 1 ? 0 : (G / 2) * (G - G / 2) * (n->topology.ours ? x->at[0][1] : 1);
    case TOPOLOGY_GROUPS:
        return class != 1 ? 0 : (G / 2) * (G - G / 2);
    case TOPOLOGY_FLAT:
    case N_TOPOLOGIES:
        break;
    }
    return 0;
}

// Pairs hosts at random: partner[h] is that of h; with an odd number, one host has itself.
static int *pair_hosts(int hosts, uint32_t seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    int *order = g_new(int, hosts), *partner = g_new(int, hosts);
    for (int i = 0; i < hosts; i++)
        order[i] = i;
    for (int i = hosts - 1; i > 0; i--) {
        const int k = g_rand_int_range(random, 0, i + 1), x = order[k];
        order[k] = order[i];
        order[i] = x;
    }
    for (int i = 0; i < hosts; i++)
        partner[order[i]] = (i ^ 1) < hosts ? order[i ^ 1] : order[i];
    g_free(order);
    g_rand_free(random);
    return partner;
}

// Returns the time of a byte on a link of a class, in any unit; 0 for one that never limits.
static double cost_of(const Network *n, uint32_t class)
{
    return n->topology.links->rated ? n->topology.links->per_byte_s[class] : 1;
}

int network_own_class(const Network *n)
{
    int c = 0;
    while (c + 1 < n->n_classes && cost_of(n, (uint32_t)c) <= 0)
        c++;
    return c;
}

double network_pairing(const Network *n, uint32_t seed)
{
    if (n->topology.kind == TOPOLOGY_GROUPS && !n->topology.links->rated)
        return NAN;
    g_autofree int *partner = pair_hosts(n->hosts, seed);
    g_autofree uint64_t *load = g_new0(uint64_t, n->n_links);
    g_autofree NetworkHop *hops = g_new(NetworkHop, n->most_hops);
    double sum = 0;
    int pairs = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int h = 0; h < n->hosts; h++) {
            const int count = network_route(n, h, partner[h], hops);
            double worst = 0;
            for (int i = 0; i < count; i++)
                for (int32_t k = 0; k < hops[i].n; k++) {
                    uint64_t *const at = &load[hops[i].first + k * hops[i].stride];
                    if (pass == 0)
                        *at += hops[i].weight;
                    else
                        worst = MAX(worst, (double)*at / n->whole * cost_of(n, hops[i].class));
                }
            const double own = cost_of(n, (uint32_t)network_own_class(n));
            if (pass == 1 && count > 0) {
                sum += worst > own ? own / worst : 1;
                pairs++;
            }
        }
    return pairs ? sum / pairs : 1;
}
