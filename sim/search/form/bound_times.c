#include "search/form/bound_times.h"
#include "search/form/table_least.h"
#include "api/integers.h"
#include <math.h>

// ---- One rank and all others ----------------------------------------------------------------------------------------

// Returns how many ranks at most know by t_s what one rank knew at 0, but no more than `enough`. One message arrives
// way_s after it began, and each of a rank's ports begins one every gap_s. A rank that i messages lead to, which wait
// for j gaps in all, knows it at i way_s + j gap_s: for up to J gaps there are C(i + J, i) ways to share them out.
static double reached(double t_s, double way_s, double gap_s, double ports, double enough)
{
    double ranks = 1;
    for (int i = 1; i * way_s <= t_s && ranks < enough; i++) {
        const double waits = floor((t_s - i * way_s) / gap_s);
        double leads = 1;
        for (int k = 1; k <= i && leads < enough; k++)
            leads *= ports * (waits + k) / k;
        ranks += leads;
    }
    return ranks;
}

double bound_times_spread(double n, double way_s, double gap_s, double ports)
{
    enum { STEPS = 60 };
    if (n <= 1)
        return 0;
    if (gap_s <= 0)
        return way_s;
    double low_s = 0, high_s = fmax(way_s, gap_s) * ceil(log2(n));
    for (int i = 0; i < STEPS; i++) {
        const double t_s = (low_s + high_s) / 2;
        *(reached(t_s, way_s, gap_s, ports, n) < n ? &low_s : &high_s) = t_s;
    }
    return low_s;
}

// ---- Under hockney --------------------------------------------------------------------------------------------------

// Returns the least time by which what one rank knew at 0 can be known on all nodes, or it can know something of each
// rank there; 0 if that says no more than the rounds of all ranks do. No other node hears of it before a message between
// nodes has arrived. From then on, those who know it double with each message within their nodes, and what the ranks of
// the first node have sent arrives, one message from each until a second one could: as many more as that node's ranks
// had doubled.
static double latency_of_nodes(const Platform *platform, const Mapping *map)
{
    g_autoptr(Site) site = map && map->nodes->n > 1 ? site_of_platform(platform, map, TRANSFER_RENDEZVOUS) : NULL;
    if (!site)
        return 0;
    const int between = bounds_between(map), largest = coll_nodes_largest(map->nodes), others = map->p - largest;
    const double near = bounds_links(site, 0, between).alpha, far = bounds_links(site, between, site->n_levels).alpha;
    if (!(near > 0 && near < far))
        return 0;
    int64_t reached = 1, senders = 1;
    double after_s = 0;
    for (; after_s < far && reached < others; after_s += near) {
        const int64_t before = senders;
        senders = MIN(2 * senders, largest);
        reached = 2 * reached + senders - before;
    }
    return far + MIN(after_s, far);
}

// ---- Under measured -------------------------------------------------------------------------------------------------

// Does what bound_times_on() does under measured.
static BoundTimes by_tables(Collective collective, int p, double m, const Platform *platform, const Mapping *map)
{
    const Measured *figures = platform->measured;
    const Bounds least = bounds_lower(collective, p, m);
    if (least.rounds == 0)
        return (BoundTimes){0};
    const bool apart = map && map->code && map->nodes->n > 1; // otherwise all ranks are on one node, or each on its own
    const int end = figures->n_levels, first = map && map->code ? 0 : end - 1,
              between = apart ? bounds_between(map) : end;
    const double ports = figures->ports, near_s = table_least_way(figures, first, between),
                 far_s = table_least_way(figures, between, end);
    const LeastPort near = table_least_port(figures, first, between, least.bytes),
                    far = table_least_port(figures, between, end, least.bytes);
    const LevelBytes byte = {near.byte_s / ports, far.byte_s / ports};
    BoundTimes x = {.latency_s = bound_times_spread(p, fmin(near_s, far_s), fmin(near.message_s, far.message_s), ports),
                    .bandwidth_s = least.bytes * fmin(near.byte_s, far.byte_s) / ports,
                    .computation_s = table_least_work(&figures->work[WORK_REDUCE], least.work),
                    .nodes_s = bounds_nics(collective, m, platform, TRANSFER_MEASURED, map)};
    if (!apart)
        return x;
    const double of_node = ports * coll_nodes_largest(map->nodes); // all that a node's ranks know is one rank's
    x.latency_s = fmax(x.latency_s, bound_times_spread(map->nodes->n, far_s, far.message_s, of_node));
    x.nodes_s = fmax(x.nodes_s, bounds_nodes_at(collective, m, platform, TRANSFER_MEASURED, map, NULL, &byte));
    return x;
}

// ---- Under either ---------------------------------------------------------------------------------------------------

BoundTimes bound_times_on(Collective collective, int p, double m, int ports, const Platform *platform,
                          Transfer transfer, const Mapping *map)
{
    if (transfer == TRANSFER_MEASURED)
        return by_tables(collective, p, m, platform, map);
    const Bounds least = bounds_of_ports(collective, p, m, ports, transfer == TRANSFER_EAGER);
    const Hockney h = bounds_figures(platform, map);
    const bool of_each = ports == 1 && least.rounds == log2_ceil(p); // some rank reaches all others, or they reach it
    const double of_nodes_s = of_each && p > 1 ? latency_of_nodes(platform, map) : 0;
    return (BoundTimes){.latency_s = fmax(cost_messages(&h, least.rounds), of_nodes_s),
                        .bandwidth_s = cost_bytes(&h, least.bytes),
                        .computation_s = cost_work(&h, least.work),
                        .nodes_s = fmax(bounds_nics(collective, m, platform, transfer, map),
                                        bounds_nodes(collective, m, ports, platform, transfer, map))};
}

double bound_times_longest(const BoundTimes *x)
{
    return MAX(MAX(x->latency_s, x->bandwidth_s), MAX(x->computation_s, x->nodes_s));
}
