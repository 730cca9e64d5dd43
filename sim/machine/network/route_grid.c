// Routes through dimensions: of a torus and of a hyperx.
#include "machine/network/route.h"

// ---- Torus ----------------------------------------------------------------------------------------------------------

// Adds the q links of dimension d from `at`, the number of a host whose coordinate there is x, up or down.
static NetworkHop *travel(const Network *n, NetworkHop *out, int d, int stride, int at, int x, int q, bool up,
                          uint32_t weight)
{
    const int size = n->sizes[d], first = up ? x : x - q + 1; // coordinates first .. first + q - 1, modulo size
    const int base = n->class[d].first + (up ? 0 : n->hosts) + at - x * stride;
    const int begin = first < 0 ? first + size : first, one = MIN(q, size - begin);
    *out++ = (NetworkHop){base + begin * stride, stride, one, weight, (uint32_t)d};
    if (one < q)
        *out++ = (NetworkHop){base, stride, q - one, weight, (uint32_t)d};
    return out;
}

static int torus_minimal(const Network *n, int from, int to, NetworkHop *hops)
{
    NetworkHop *out = hops;
    int stride = 1;
    for (int d = 0; d < n->n_sizes; stride *= n->sizes[d++]) {
        const int size = n->sizes[d], x = from / stride % size, y = to / stride % size;
        const int q = y >= x ? y - x : y - x + size;
        if (q == 0)
            continue;
        const bool up = 2 * q <= size;
        out = travel(n, out, d, stride, from, x, up ? q : size - q, up, 1);
        from += (y - x) * stride;
    }
    return (int)(out - hops);
}

// One dimension in which two hosts, or their switches, differ.
typedef struct GridStep {
    int d, stride, x, y;
} GridStep;

// Finds the dimensions in which two places differ.
static int steps_of(const Network *n, int from, int to, GridStep *step)
{
    int count = 0, stride = 1;
    for (int d = 0; d < n->n_sizes; stride *= n->sizes[d++]) {
        const GridStep s = {d, stride, from / stride % n->sizes[d], to / stride % n->sizes[d]};
        if (s.x != s.y)
            step[count++] = s;
    }
    return count;
}

// Returns the place after the steps whose bits are set.
static int place_after(int from, const GridStep *step, int count, unsigned set)
{
    for (int i = 0; i < count; i++)
        if (set >> i & 1)
            from += (step[i].y - step[i].x) * step[i].stride;
    return from;
}

// n->whole is twice what network_orders() sets, so that a half can go each way round.
static int torus_spread(const Network *n, int from, int to, NetworkHop *hops)
{
    GridStep step[TOPOLOGY_NUMBERS];
    NetworkHop *out = hops;
    const int count = steps_of(n, from, to, step);
    for (int i = 0; i < count; i++)
        for (unsigned set = 0; set < 1u << count; set++) {
            if (set >> i & 1)
                continue;
            const GridStep *s = &step[i];
            const int at = place_after(from, step, count, set), size = n->sizes[s->d];
            const int q = s->y >= s->x ? s->y - s->x : s->y - s->x + size;
            const uint32_t weight = network_order_weight(n, n->n_sizes, count, __builtin_popcount(set));
            const bool both = 2 * q == size && size > 2; // two hosts in a dimension have one cable
            if (2 * q <= size)
                out = travel(n, out, s->d, s->stride, at, s->x, q, true, both ? weight : 2 * weight);
            if (both || 2 * q > size)
                out = travel(n, out, s->d, s->stride, at, s->x, size - q, false, both ? weight : 2 * weight);
        }
    return (int)(out - hops);
}

// Returns the most hops of a route through all orders of so many dimensions.
static int most_orders(int dims)
{
    return dims << (dims - 1);
}

gboolean network_torus(Network *n, const TopologyNumbers *x, int hosts, GError **error)
{
    const bool spread = n->topology.routing == ROUTING_SPREAD;
    (void)hosts;
    n->n_sizes = x->count[0];
    for (int d = 0; d < n->n_sizes; d++)
        n->sizes[d] = x->at[0][d];
    n->unit = n->part = n->hosts / n->sizes[n->n_sizes - 1];
    for (int d = 0; d < n->n_sizes; d++)
        network_add_class(n, n->hosts, (int64_t)n->hosts * MIN(n->sizes[d] - 1, 2), n->unit, true);
    if (!network_orders(n, n->n_sizes, error))
        return FALSE;
    n->whole *= spread ? 2 : 1;
    n->most_hops = spread ? 4 * most_orders(n->n_sizes) : 2 * n->n_sizes;
    n->route = spread ? torus_spread : torus_minimal;
    return TRUE;
}

// ---- Hyperx ---------------------------------------------------------------------------------------------------------

static int64_t hyperx_link(const Network *n, const GridStep *s, int at)
{
    const int size = n->sizes[s->d];
    return (int64_t)at * size + (s->y >= s->x ? s->y - s->x : s->y - s->x + size);
}

static int hyperx_route(const Network *n, int from, int to, NetworkHop *hops)
{
    GridStep step[TOPOLOGY_NUMBERS];
    const int a = from / n->per_switch, count = steps_of(n, a, to / n->per_switch, step);
    NetworkHop *out = network_hop(n, hops, 0, from, n->whole);
    for (int i = 0; i < count; i++) {
        const int class = 1 + step[i].d;
        if (n->topology.routing == ROUTING_MINIMAL) {
            const int at = place_after(a, step, count, (1u << i) - 1);
            out = network_hop(n, out, class, hyperx_link(n, &step[i], at), 1);
            continue;
        }
        for (unsigned set = 0; set < 1u << count; set++)
            if (!(set >> i & 1))
                out = network_hop(n, out, class, hyperx_link(n, &step[i], place_after(a, step, count, set)),
                                  network_order_weight(n, n->n_sizes, count, __builtin_popcount(set)));
    }
    return (int)(network_hop(n, out, 0, n->hosts + to, n->whole) - hops);
}

gboolean network_hyperx(Network *n, const TopologyNumbers *x, int hosts, GError **error)
{
    (void)hosts;
    n->per_switch = x->sections == 2 ? x->at[1][0] : 1;
    n->n_sizes = x->count[0];
    for (int d = 0; d < n->n_sizes; d++)
        n->sizes[d] = x->at[0][d];
    const int64_t switches = n->hosts / n->per_switch, plane = switches / n->sizes[n->n_sizes - 1];
    n->unit = n->part = (int)plane * n->per_switch;
    network_add_class(n, n->hosts, 2 * (int64_t)n->hosts, n->unit, true);
    for (int d = 0; d < n->n_sizes; d++)
        network_add_class(n, switches * n->sizes[d], switches * (n->sizes[d] - 1), plane * n->sizes[d], false);
    n->most_hops =
        2 + (n->topology.routing == ROUTING_SPREAD && n->n_sizes <= 8 ? most_orders(n->n_sizes) : n->n_sizes);
    n->route = hyperx_route;
    return network_orders(n, n->n_sizes, error);
}
