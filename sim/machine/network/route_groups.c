// Routes of machines whose hosts are in groups: dragonflies, and groups about which no more is known.
#include "base/error.h"
#include "machine/network/route.h"

// ---- SimGrid's dragonfly --------------------------------------------------------------------------------------------

enum { HOST, CHASSIS, GROUP, GLOBAL };

// Adds the way within a group from one router to another: first within the chassis, or evenly in both orders.
static NetworkHop *within_group(const Network *n, NetworkHop *out, int group, int from, int to)
{
    const int C = n->sizes[1], R = n->sizes[2], c = from / R, r = from % R, c2 = to / R, r2 = to % R;
    const int64_t first = (int64_t)group * C * R;
    const bool both = c != c2 && r != r2 && n->whole == 2;
    if (r != r2)
        out = network_hop(n, out, CHASSIS, (first + from) * R + r2, both ? 1 : n->whole);
    if (c != c2)
        out = network_hop(n, out, GROUP, (first + c * R + r2) * C + c2, both ? 1 : n->whole);
    if (both) {
        out = network_hop(n, out, GROUP, (first + from) * C + c2, 1);
        out = network_hop(n, out, CHASSIS, (first + c2 * R + r) * R + r2, 1);
    }
    return out;
}

static int dragonfly_route(const Network *n, int from, int to, NetworkHop *hops)
{
    const int in_group = n->sizes[1] * n->sizes[2], a = from / n->per_switch, b = to / n->per_switch;
    const int group = a / in_group, group2 = b / in_group;
    NetworkHop *out = network_hop(n, hops, HOST, from, n->whole);
    if (group != group2) { // the router of number group2 in chassis 0 leads there, and arrives at that of number group
        out = within_group(n, out, group, a % in_group, group2);
        out = network_hop(n, out, GLOBAL, (int64_t)group * n->sizes[0] + group2, n->whole);
        out = within_group(n, out, group2, group, b % in_group);
    } else {
        out = within_group(n, out, group, a % in_group, b % in_group);
    }
    return (int)(network_hop(n, out, HOST, n->hosts + to, n->whole) - hops);
}

gboolean network_dragonfly(Network *n, const TopologyNumbers *x, int hosts, GError **error)
{
    const int64_t G = x->at[0][0], C = x->at[1][0], R = x->at[2][0];
    (void)hosts;
    (void)error;
    n->sizes[0] = (int)G;
    n->sizes[1] = (int)C;
    n->sizes[2] = (int)R;
    n->per_switch = x->at[3][0];
    n->part = n->hosts / (int)G;
    n->whole = n->topology.routing == ROUTING_SPREAD ? 2 : 1;
    network_add_class(n, n->hosts, 2 * (int64_t)n->hosts, n->hosts, true);
    network_add_class(n, G * C * R * R, G * C * R * (R - 1), G * C * R * R, false);
    network_add_class(n, G * C * R * C, G * C * R * (C - 1), G * C * R * C, false);
    network_add_class(n, G * G, G * (G - 1), G * G, false);
    n->most_hops = 2 + 4 + 1 + 4;
    n->route = dragonfly_route;
    return TRUE;
}

// ---- Our dragonfly --------------------------------------------------------------------------------------------------

enum { SWITCHES = 1, CABLES = 2 };

static NetworkHop *between_switches(const Network *n, NetworkHop *out, int group, int from, int to, uint32_t weight)
{
    const int64_t R = n->sizes[1];
    return from == to ? out : network_hop(n, out, SWITCHES, (group * R + from) * R + to, weight);
}

// Cable j from a group to the one `away` groups further begins at this switch; it ends at that of the way back.
static int switch_of(const Network *n, int away, int j)
{
    return (int)(((int64_t)(away - 1) * n->topology.numbers.at[0][1] + j) % n->sizes[1]);
}

static NetworkHop *take_cable(const Network *n, NetworkHop *out, int from, int to, int j, uint32_t weight)
{
    const int G = n->sizes[0], R = n->sizes[1], cables = n->topology.numbers.at[0][1];
    const int group = from / R, group2 = to / R, away = group2 > group ? group2 - group : group2 - group + G;
    out = between_switches(n, out, group, from % R, switch_of(n, away, j), weight);
    out = network_hop(n, out, CABLES, ((int64_t)group * (G - 1) + away - 1) * cables + j, weight);
    return between_switches(n, out, group2, switch_of(n, G - away, j), to % R, weight);
}

// Returns the cable that makes the way shortest; of several, the first one after a number that the switches give.
static int shortest_cable(const Network *n, int from, int to)
{
    const int G = n->sizes[0], R = n->sizes[1], cables = n->topology.numbers.at[0][1];
    const int away = (to / R - from / R + G) % G, a = from % R, b = to % R;
    int best = 0, least = 3;
    for (int k = 0; k < cables && least > 0; k++) {
        const int j = (a + b + k) % cables;
        const int links = (switch_of(n, away, j) != a) + (switch_of(n, G - away, j) != b);
        if (links < least) {
            least = links;
            best = j;
        }
    }
    return best;
}

static int switched_route(const Network *n, int from, int to, NetworkHop *hops)
{
    const int R = n->sizes[1], a = from / n->per_switch, b = to / n->per_switch;
    NetworkHop *out = network_hop(n, hops, HOST, from, n->whole);
    if (a / R == b / R)
        out = between_switches(n, out, a / R, a % R, b % R, n->whole);
    else if (n->topology.routing == ROUTING_MINIMAL)
        out = take_cable(n, out, a, b, shortest_cable(n, a, b), 1);
    else
        for (int j = 0; j < n->topology.numbers.at[0][1]; j++)
            out = take_cable(n, out, a, b, j, 1);
    return (int)(network_hop(n, out, HOST, n->hosts + to, n->whole) - hops);
}

gboolean network_switched(Network *n, const TopologyNumbers *x, int hosts, GError **error)
{
    enum { MOST_CABLES = 1024 };
    const int64_t G = x->at[0][0], cables = x->at[0][1], R = x->at[1][0];
    (void)hosts;
    if (cables > MOST_CABLES)
        return bad_input(error, "dragonfly %s has too many cables between two groups; allowed: at most %d",
                         n->topology.shape, MOST_CABLES);
    n->sizes[0] = (int)G;
    n->sizes[1] = (int)R;
    n->per_switch = x->at[2][0];
    n->unit = n->part = n->hosts / (int)G;
    n->whole = n->topology.routing == ROUTING_SPREAD ? (uint32_t)cables : 1;
    network_add_class(n, n->hosts, 2 * (int64_t)n->hosts, n->unit, true);
    network_add_class(n, G * R * R, G * R * (R - 1), R * R, false);
    network_add_class(n, G * (G - 1) * cables, G * (G - 1) * cables, MAX((G - 1) * cables, 1), false);
    n->most_hops = 2 + 3 * (int)cables;
    n->route = switched_route;
    return TRUE;
}

// ---- Groups ---------------------------------------------------------------------------------------------------------

enum { PAIR = 1, OUT = 2, IN = 3 };

static int groups_route(const Network *n, int from, int to, NetworkHop *hops)
{
    const int G = n->sizes[0], group = from / n->part, group2 = to / n->part;
    NetworkHop *out = network_hop(n, hops, HOST, from, 1);
    if (group != group2) {
        const int away = group2 > group ? group2 - group : group2 - group + G;
        out = network_hop(n, out, PAIR, (int64_t)group * G + away, 1);
        out = network_hop(n, out, OUT, group, 1);
        out = network_hop(n, out, IN, group2, 1);
    }
    return (int)(network_hop(n, out, HOST, n->hosts + to, 1) - hops);
}

gboolean network_groups(Network *n, const TopologyNumbers *x, int hosts, GError **error)
{
    (void)error;
    n->part = x->at[0][0];
    const int64_t G = n->hosts ? x->at[1][0] : ((int64_t)hosts + n->part - 1) / n->part;
    n->hosts = (int)(G * n->part);
    n->unit = n->part;
    n->sizes[0] = (int)G;
    network_add_class(n, n->hosts, 2 * (int64_t)n->hosts, n->part, true);
    network_add_class(n, G * G, G * (G - 1), G, false);
    network_add_class(n, G, G > 1 ? G : 0, 1, false);
    network_add_class(n, G, G > 1 ? G : 0, 1, false);
    n->most_hops = 5;
    n->route = groups_route;
    return TRUE;
}
