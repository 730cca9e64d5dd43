#include "search/form/bounds.h"
#include <math.h>

typedef enum { NONE, VECTOR, OTHERS, SHARE, TWO_SHARES, SHARE_BUT_ONE } Amount;
static const char *const amount_texts[] = {
    [VECTOR] = "m",
    [OTHERS] = "(p-1) m",
    [SHARE] = "(p-1)/p m",
    [TWO_SHARES] = "2 (p-1)/p m",
    [SHARE_BUT_ONE] = "(p-2)/p m",
};

static double amount(Amount x, double p, double m)
{
    switch (x) {
    case VECTOR:
        return m;
    case OTHERS:
        return (p - 1) * m;
    case SHARE:
        return (p - 1) * m / p;
    case TWO_SHARES:
        return 2 * (p - 1) * m / p;
    case SHARE_BUT_ONE:
        return (p - 2) * m / p;
    case NONE:
        break;
    }
    return 0;
}

static const struct {
    Amount bytes, work;
    bool inward; // all messages can go to one rank, and all at the same time
} least[N_COLLECTIVES] = {
    [COLL_BARRIER] = {NONE, NONE, false},
    // The root of a bcast sends the whole vector, and so does every other rank of a reduce. Each byte takes p-1
    // reductions, which p ranks can share out.
    [COLL_BCAST] = {VECTOR, NONE, false},
    [COLL_REDUCE] = {VECTOR, SHARE, true},
    // The blocks of all other ranks pass through a port of the root; in an allgather or alltoall, of every rank.
    [COLL_SCATTER] = {OTHERS, NONE, false},
    [COLL_SCATTERV] = {OTHERS, NONE, false},
    [COLL_GATHER] = {OTHERS, NONE, true},
    [COLL_GATHERV] = {OTHERS, NONE, true},
    [COLL_ALLGATHER] = {OTHERS, NONE, false},
    [COLL_ALLGATHERV] = {OTHERS, NONE, false},
    [COLL_ALLTOALL] = {OTHERS, NONE, false},
    [COLL_ALLTOALLV] = {OTHERS, NONE, false},
    // A rank sends all blocks but its own.
    [COLL_REDUCE_SCATTER] = {SHARE, SHARE, false},
    [COLL_REDUCE_SCATTER_BLOCK] = {OTHERS, OTHERS, false},
    // Each byte is sent at least 2(p-1) times, because p ranks need that many messages to hear from all others. The p
    // ranks can share these out.
    [COLL_ALLREDUCE] = {TWO_SHARES, SHARE, false},
    // The last rank receives at least one vector. Every result but the first takes a reduction of its own, which makes
    // p-1; in an exscan, whose first result is on rank 1, p-2.
    [COLL_SCAN] = {VECTOR, SHARE, false},
    [COLL_EXSCAN] = {VECTOR, SHARE_BUT_ONE, false},
};

// Returns ceil(log_k p), the least number of rounds with k-1 ports: in a round, each rank that knows something can pass
// it to k-1 others, so the number of ranks that know it grows at most k-fold.
static int log_ceil(int p, int k)
{
    int rounds = 0;
    for (int64_t reached = 1; reached < p; reached *= k)
        rounds++;
    return rounds;
}

Bounds bounds_of_ports(Collective collective, int p, double m, int ports, bool eager)
{
    if (p == 1 || (m == 0 && collective != COLL_BARRIER))
        return (Bounds){0};
    const bool at_once = eager && least[collective].inward; // all other ranks send at the same time
    // A rank's part of a reduce-scatter need only reach the ranks that have a block; these are at most m. Where a rank
    // receives one message at a time, the result of a block still takes as many rounds as a reduce.
    const bool few = eager && collective == COLL_REDUCE_SCATTER && m + 1 < p;
    return (Bounds){
        .rounds = at_once ? 1 : log_ceil(few ? (int)m + 1 : p, ports + 1),
        .bytes = amount(at_once ? VECTOR : least[collective].bytes, p, m) / ports,
        .work = amount(least[collective].work, p, m),
    };
}

Bounds bounds_lower(Collective collective, int p, double m)
{
    return bounds_of_ports(collective, p, m, 1, false);
}

char *bounds_text(Collective collective, int ports, bool eager)
{
    const bool at_once = eager && least[collective].inward;
    GString *s = g_string_new(NULL);
    if (!at_once)
        g_string_append_printf(s, "ceil(log%d p) ", ports + 1);
    g_string_append(s, "alpha");
    if (least[collective].bytes != NONE)
        g_string_append_printf(s, ", %s beta", amount_texts[at_once ? VECTOR : least[collective].bytes]);
    if (least[collective].bytes != NONE && ports > 1)
        g_string_append_printf(s, "/%d", ports);
    if (least[collective].work != NONE)
        g_string_append_printf(s, ", %s gamma", amount_texts[least[collective].work]);
    return g_string_free(s, FALSE);
}

Hockney bounds_figures(const Platform *platform, const Mapping *map)
{
    Hockney h = hockney_figures(platform, TRANSFER_RENDEZVOUS);
    g_autoptr(Site) site = site_of_platform(platform, map, TRANSFER_RENDEZVOUS);
    for (int k = 0; site && k < site->n_levels; k++) {
        h.alpha = MIN(h.alpha, site->link[k].message.once);
        h.beta = MIN(h.beta, site->link[k].message.byte);
    }
    return h;
}

double bounds_time(const Bounds *b, const Platform *platform, const Mapping *map)
{
    const Hockney h = bounds_figures(platform, map);
    return MAX(cost_messages(&h, b->rounds), MAX(cost_bytes(&h, b->bytes), cost_work(&h, b->work)));
}

double bounds_nics(Collective collective, double m, const Platform *platform, const Mapping *map)
{
    const int k = map ? coll_nodes_equal(map->nodes) : 0;
    if (k == 0 || map->nodes->n == 1 || !platform->has[KEY_NIC_RATE])
        return 0;
    const bool pairs = collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV; // each rank has its own for each
    const double of_node = least[collective].bytes != OTHERS ? m : pairs ? m * k * k : m * k;
    return amount(least[collective].bytes, map->nodes->n, of_node) * platform->value[KEY_NIC_RATE] /
           platform->value[KEY_NICS];
}

double bounds_bcast_blocks(int p, double m, const Platform *platform)
{
    const Hockney h = hockney_figures(platform, TRANSFER_RENDEZVOUS);
    const double start = cost_messages(&h, log2_ceil(p) - 1), stream = cost_bytes(&h, m);
    return start + stream + 2 * sqrt(start * stream);
}
