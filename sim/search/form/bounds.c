#include "search/form/bounds.h"
#include "search/form/table_least.h"
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

LinkCosts bounds_links(const Site *site, int first, int end)
{
    LinkCosts least = {INFINITY, INFINITY};
    for (int i = first; i < end; i++)
        least =
            (LinkCosts){fmin(least.alpha, site->link[i].message.once), fmin(least.beta, site->link[i].message.byte)};
    return least;
}

Hockney bounds_figures(const Platform *platform, const Mapping *map)
{
    Hockney h = hockney_figures(platform, TRANSFER_RENDEZVOUS);
    g_autoptr(Site) site = site_of_platform(platform, map, TRANSFER_RENDEZVOUS);
    if (!site)
        return h;
    const LinkCosts least = bounds_links(site, 0, site->n_levels);
    h.alpha = MIN(h.alpha, least.alpha);
    h.beta = MIN(h.beta, least.beta);
    return h;
}

int bounds_between(const Mapping *map)
{
    const CollNodes *nodes = map->nodes;
    int innermost = map->n_levels - 1;
    for (int i = 1; i < nodes->n; i++) {
        const int rank = nodes->member[nodes->first[i]], before = nodes->member[nodes->first[i - 1]];
        innermost = MIN(innermost, MIN(mapping_level(map, before, rank), mapping_level(map, nodes->member[0], rank)));
    }
    return innermost;
}

// Returns the least time of a byte between nodes, of `most` bytes: at a NIC, or at a port, if that is faster. What a NIC
// serves last may have come before the NIC is free, and that may be most of all bytes. `site` is NULL on a flat machine.
static double byte_between(const Platform *platform, const Mapping *map, const Site *site, Transfer transfer,
                           double most)
{
    const int innermost = bounds_between(map);
    const double port_s = transfer == TRANSFER_MEASURED ? table_least_byte(platform->measured, innermost, most)
                          : site                        ? bounds_links(site, innermost, site->n_levels).beta
                                                        : INFINITY;
    return fmin(platform->value[KEY_NIC_RATE], port_s);
}

double bounds_nics(Collective collective, double m, const Platform *platform, Transfer transfer, const Mapping *map)
{
    const int k = map ? coll_nodes_equal(map->nodes) : 0;
    if (k == 0 || map->nodes->n == 1 || !platform->has[KEY_NIC_RATE])
        return 0;
    g_autoptr(Site) site = transfer == TRANSFER_MEASURED ? NULL : site_of_platform(platform, map, TRANSFER_RENDEZVOUS);
    const bool pairs = collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV; // each rank has its own for each
    const double of_node = least[collective].bytes != OTHERS ? m : pairs ? m * k * k : m * k;
    const double bytes = amount(least[collective].bytes, map->nodes->n, of_node);
    return bytes * byte_between(platform, map, site, transfer, bytes) / platform->value[KEY_NICS];
}

// What the ranks of some nodes must send, or receive, together.
typedef struct NodeBytes {
    double all, far;     // bytes of all messages, and at least so many of messages between nodes
    double ports, nodes; // whose ports and NICs share them
} NodeBytes;

// Returns this for n nodes of k ranks; zeros where nothing is known of several ranks.
static NodeBytes node_bytes(Collective collective, double n, double k, double m, bool eager)
{
    const double p = n * k;
    switch (collective) {
    case COLL_BCAST:
        // Each rank of another node receives the vector. Where that takes no port, all ranks share the sends.
        return eager ? (NodeBytes){(p - 1) * m, (n - 1) * m, p, n}
                     : (NodeBytes){(p - k) * m, (n - 1) * m, p - k, n - 1};
    case COLL_REDUCE:
        return (NodeBytes){(p - k) * m, (n - 1) * m, p - k, n - 1};
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER_BLOCK:
        return (NodeBytes){p * (p - 1) * m, n * (p - k) * m, p, n};
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        return (NodeBytes){p * (p - 1) * m, p * (p - k) * m, p, n};
    case COLL_REDUCE_SCATTER:
        return (NodeBytes){(p - 1) * m, (n - 1) * m, p, n};
    case COLL_ALLREDUCE:
        return (NodeBytes){2 * (p - 1) * m, 2 * (n - 1) * m, p, n};
    default:
        return (NodeBytes){0};
    }
}

// Returns the least time of these bytes, if a byte costs `near` within a node and `far` between nodes, and takes a node's
// NICs together `nics` at least (0 if there are none).
static double node_time(const NodeBytes *b, double near, double far, double nics)
{
    if (b->all == 0)
        return 0;
    if (near <= far)
        return (near * (b->all - b->far) + far * b->far) / b->ports;
    // The NICs carry at most nodes T / nics bytes. All others stay within nodes, where they take longer.
    const double mixed = nics > 0 ? near * b->all / (b->ports + b->nodes * (near - far) / nics) : 0;
    return fmax(mixed, far * b->all / b->ports);
}

// Returns the least time of a gather or scatter. The root exchanges `direct` bytes with other nodes; what else they
// have passes through the ports of the k - 1 other ranks of its node first. The least time has the best such number.
static double root_time(double n, double k, double m, double near, double far)
{
    if (k == 1 || near >= far)
        return 0;
    const double all = (n * k - 1) * m, foreign = (n - 1) * k * m, others = far / (k - 1);
    const double direct = fmax(0, (foreign * others - all * near) / (far - near + others));
    return fmax(all * near + direct * (far - near), (foreign - direct) * others);
}

double bounds_nodes_at(Collective collective, double m, const Platform *platform, Transfer transfer, const Mapping *map,
                       const Site *site, const LevelBytes *byte)
{
    const int k = map ? coll_nodes_equal(map->nodes) : 0;
    if (k == 0 || map->nodes->n == 1 || !isfinite(byte->near) || !isfinite(byte->far))
        return 0;
    const bool eager = transfer == TRANSFER_EAGER, scatter = collective == COLL_SCATTER || collective == COLL_SCATTERV;
    if (scatter || ((collective == COLL_GATHER || collective == COLL_GATHERV) && !eager))
        return root_time(map->nodes->n, k, m, byte->near, byte->far);
    const NodeBytes bytes = node_bytes(collective, map->nodes->n, k, m, eager);
    const double nics = platform->has[KEY_NIC_RATE]
                            ? byte_between(platform, map, site, transfer, bytes.all) / platform->value[KEY_NICS]
                            : 0;
    return node_time(&bytes, byte->near, byte->far, nics);
}

double bounds_nodes(Collective collective, double m, int ports, const Platform *platform, Transfer transfer,
                    const Mapping *map)
{
    g_autoptr(Site) site = map ? site_of_platform(platform, map, TRANSFER_RENDEZVOUS) : NULL;
    if (!site)
        return 0;
    const int between = bounds_between(map);
    const LevelBytes byte = {bounds_links(site, 0, between).beta / ports,
                             bounds_links(site, between, site->n_levels).beta / ports};
    return bounds_nodes_at(collective, m, platform, transfer, map, site, &byte);
}

double bounds_bcast_blocks(int p, double m, const Platform *platform)
{
    const Hockney h = hockney_figures(platform, TRANSFER_RENDEZVOUS);
    const double start = cost_messages(&h, log2_ceil(p) - 1), stream = cost_bytes(&h, m);
    return start + stream + 2 * sqrt(start * stream);
}
