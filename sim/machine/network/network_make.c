#include "machine/network/network.h"
#include "base/error.h"
#include "machine/network/route.h"

void network_add_class(Network *n, int64_t numbers, int64_t links, int64_t block, bool halves)
{
    const int64_t all = MIN(halves ? 2 * numbers : numbers, INT32_MAX);
    NetworkClass *class = &n->class[n->n_classes];
    class->name = topology_class(&n->topology, n->n_classes++);
    class->numbers = (int32_t)all;
    class->links = links;
    class->block = (int32_t)MIN(block, INT32_MAX);
    class->halves = halves;
}

// Numbers the links of all classes. Returns FALSE and an error if there are too many.
static gboolean number_links(Network *n, GError **error)
{
    int64_t links = 0;
    for (int i = 0; i < n->n_classes; i++) {
        n->class[i].first = (int32_t)MIN(links, INT32_MAX);
        links += n->class[i].numbers;
    }
    if (links >= INT32_MAX)
        return bad_input(error, "topology %s %s has too many links; allowed: fewer than 2^31",
                         topology_names[n->topology.kind], n->topology.shape);
    n->n_links = (int32_t)links;
    return TRUE;
}

Network *network_new(const Topology *t, int hosts, GError **error)
{
    static NetworkMake *const makers[] = {[TOPOLOGY_FAT_TREE] = network_fat_tree,
                                          [TOPOLOGY_TORUS] = network_torus,
                                          [TOPOLOGY_DRAGONFLY] = network_dragonfly,
                                          [TOPOLOGY_HYPERX] = network_hyperx,
                                          [TOPOLOGY_GROUPS] = network_groups};
    g_assert(t->kind != TOPOLOGY_FLAT && hosts > 0);
    if (t->hosts && hosts > t->hosts) {
        bad_input(error, "topology %s %s has %d hosts, %d are needed; allowed: a larger shape, or fewer nodes",
                  topology_names[t->kind], t->shape, t->hosts, hosts);
        return NULL;
    }
    Network *n = g_new0(Network, 1);
    n->topology = topology_copy(t);
    n->hosts = t->hosts;
    n->whole = 1;
    NetworkMake *const make = t->kind == TOPOLOGY_DRAGONFLY && t->ours ? network_switched : makers[t->kind];
    if (!make(n, &t->numbers, hosts, error) || !number_links(n, error))
        g_clear_pointer(&n, network_free);
    return n;
}

void network_free(Network *n)
{
    if (!n)
        return;
    topology_clear(&n->topology);
    g_free(n);
}

int network_class_of(const Network *n, int32_t link)
{
    int i = 0;
    while (link >= n->class[i].first + n->class[i].numbers)
        i++;
    return i;
}

int network_links(const Network *n, const NetworkHop *hops, int count)
{
    int64_t links = 0; // in units of 1 / whole
    for (int i = 0; i < count; i++)
        if (n->topology.kind != TOPOLOGY_GROUPS || hops[i].class < 2) // not `out` and `in`
            links += (int64_t)hops[i].n * hops[i].weight;
    return (int)(links / n->whole);
}

// ---- All orders of dimensions ---------------------------------------------------------------------------------------

static uint32_t factorial(int n)
{
    return n < 2 ? 1 : (uint32_t)n * factorial(n - 1);
}

gboolean network_orders(Network *n, int dims, GError **error)
{
    enum { MOST = 8 };
    if (n->topology.routing == ROUTING_MINIMAL)
        return TRUE;
    if (dims > MOST)
        return bad_input(error,
                         "%s %s cannot spread messages over the orders of %d dimensions; allowed: at most %d, or "
                         "routing = minimal",
                         topology_names[n->topology.kind], n->topology.shape, dims, MOST);
    n->whole = factorial(dims);
    return TRUE;
}

uint32_t network_order_weight(const Network *n, int dims, int open, int done)
{
    (void)n;
    // Of `open`! orders, those in which the `done` dimensions come first, in any order, then this one.
    return factorial(done) * factorial(open - done - 1) * (factorial(dims) / factorial(open));
}

// ---- Names ----------------------------------------------------------------------------------------------------------

static char *tree_text(const Network *n, int class, int32_t at)
{
    const bool down = at >= n->class[class].numbers / 2;
    const int32_t link = down ? at - n->class[class].numbers / 2 : at;
    const int up = n->topology.numbers.at[2][class];
    const char *what = class ? "switch" : "host";
    return g_strdup_printf("%s %s of %s %d, port %d", n->class[class].name, down ? "down" : "up", what, link / up,
                           link % up);
}

static char *routers_text(const Network *n, int class, int32_t at)
{
    const int G = n->sizes[0], C = n->sizes[1], R = n->sizes[2];
    if (class == 3)
        return g_strdup_printf("group %d to group %d", at / G, at % G);
    const int router = class == 1 ? at / R : at / C;
    const int group = router / (C * R), chassis = router / R % C, blade = router % R;
    return class == 1 ? g_strdup_printf("group %d, chassis %d, router %d to %d", group, chassis, blade, at % R)
                      : g_strdup_printf("group %d, router %d, chassis %d to %d", group, blade, chassis, at % C);
}

static char *switches_text(const Network *n, int class, int32_t at)
{
    const int G = n->sizes[0], R = n->sizes[1], cables = n->topology.numbers.at[0][1];
    if (class == 1)
        return g_strdup_printf("group %d, switch %d to %d", at / (R * R), at / R % R, at % R);
    const int group = at / cables / (G - 1), to = (group + at / cables % (G - 1) + 1) % G;
    return cables == 1 ? g_strdup_printf("group %d to group %d", group, to)
                       : g_strdup_printf("group %d to group %d, cable %d", group, to, at % cables);
}

char *network_link_text(const Network *n, int32_t link)
{
    const int class = network_class_of(n, link);
    const NetworkClass *c = &n->class[class];
    const int32_t at = link - c->first, half = c->numbers / 2;
    const TopologyKind kind = n->topology.kind;
    if (kind == TOPOLOGY_TORUS)
        return g_strdup_printf("%s from host %d %s", c->name, at % half, at < half ? "up" : "down");
    if (kind == TOPOLOGY_FAT_TREE)
        return tree_text(n, class, at);
    if (class == 0)
        return g_strdup_printf("%s host %d", at < half ? "from" : "to", at % half);
    if (kind == TOPOLOGY_DRAGONFLY)
        return n->topology.ours ? switches_text(n, class, at) : routers_text(n, class, at);
    if (kind == TOPOLOGY_HYPERX) {
        const int D = n->sizes[class - 1];
        return g_strdup_printf("%s from switch %d, %d further", c->name, at / D, at % D);
    }
    const int G = n->sizes[0];
    return class == 1   ? g_strdup_printf("group %d to group %d", at / G, (at / G + at % G) % G)
           : class == 2 ? g_strdup_printf("out of group %d", at)
                        : g_strdup_printf("into group %d", at);
}
