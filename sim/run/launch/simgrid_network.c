#include "run/launch/simgrid_network.h"
#include "base/error.h"
#include "base/units.h"

enum { MOST_HOSTS = 1024 }; // a million routes

typedef struct Zone {
    const SimgridMachine *m;
    const SimgridFigures *f;
    const Network *n;
    const int *host; // by node
    int nodes;
    NetworkHop *hops;
    GHashTable *seen; // links that are written
} Zone;

static void add_link(GString *s, const char *name, double per_byte, double latency_s, const char *policy)
{
    g_string_append_printf(s, "    <link id=\"%s\"", name);
    simgrid_bandwidth(s, "bandwidth", per_byte);
    g_string_append_printf(s, " latency=\"%.17gs\"%s/>\n", latency_s, policy);
}

// Appends what each host has: cores, and a link in each direction that stands for its ports, whose ranks share it.
static void add_hosts(const Zone *x, GString *s)
{
    const double hop_s = x->n->topology.links->hop_s;
    for (int i = 0; i < x->nodes; i++) {
        char name[2][16];
        g_snprintf(name[0], sizeof name[0], "u%d", i);
        g_snprintf(name[1], sizeof name[1], "d%d", i);
        g_string_append_printf(s, "    <host id=\"n%d\" speed=\"1Gf\" core=\"%d\"/>\n", i, x->f->most);
        add_link(s, name[0], x->f->link, simgrid_latency(x->f->alpha, x->f->beta) - hop_s, "");
        add_link(s, name[1], x->f->link, 0, "");
    }
    add_link(s, "loopback", x->f->near_beta, simgrid_latency(x->f->near_alpha, x->f->near_beta),
             " sharing_policy=\"FATPIPE\"");
}

// Calls `each` for every link between two nodes, in the order of the way.
static void each_link(const Zone *x, int from, int to, GString *s,
                      void (*each)(const Zone *, int32_t, guint, GString *))
{
    const int count = network_route(x->n, x->host[from], x->host[to], x->hops);
    for (int i = 0; i < count; i++) {
        const NetworkHop *hop = &x->hops[i];
        for (int32_t k = 0, link = hop->first; k < hop->n; k++, link += hop->stride)
            each(x, link, hop->class, s);
    }
}

static void define_link(const Zone *x, int32_t link, guint class, GString *s)
{
    char name[16];
    g_snprintf(name, sizeof name, "l%d", link);
    if (g_hash_table_add(x->seen, GINT_TO_POINTER(link)))
        add_link(s, name, x->n->topology.links->per_byte_s[class], x->n->topology.links->hop_s, "");
}

static void pass_link(const Zone *x, int32_t link, guint class, GString *s)
{
    (void)x;
    (void)class;
    g_string_append_printf(s, "<link_ctn id=\"l%d\"/>", link);
}

// Appends the links of all ways, and then the ways. Where the ranks of a host share its link, each message is as fast as a
// port at most. Messages of unequal latency would slow each other down in a FATPIPE, so each way has its own.
static void add_routes(const Zone *x, GString *s)
{
    const bool ports = x->f->link < x->f->beta;
    for (int from = 0; from < x->nodes; from++)
        for (int to = 0; to < x->nodes; to++) {
            char name[32];
            g_snprintf(name, sizeof name, "p%d-%d", from, to);
            if (ports && from != to)
                add_link(s, name, x->f->beta, 0, " sharing_policy=\"FATPIPE\"");
            each_link(x, from, to, s, define_link);
        }
    for (int from = 0; from < x->nodes; from++)
        for (int to = 0; to < x->nodes; to++) {
            g_string_append_printf(s, "    <route src=\"n%d\" dst=\"n%d\" symmetrical=\"NO\">", from, to);
            if (from == to) {
                g_string_append(s, "<link_ctn id=\"loopback\"/>");
            } else {
                g_string_append_printf(s, "<link_ctn id=\"u%d\"/>", from);
                if (ports)
                    g_string_append_printf(s, "<link_ctn id=\"p%d-%d\"/>", from, to);
                each_link(x, from, to, s, pass_link);
                g_string_append_printf(s, "<link_ctn id=\"d%d\"/>", to);
            }
            g_string_append(s, "</route>\n");
        }
}

static gboolean check_zone(const SimgridMachine *m, const SimgridFigures *f, int nodes, GError **error)
{
    const Topology *t = &m->network->topology;
    g_autofree char *hop = units_format_time(t->links->hop_s),
                    *alpha = units_format_time(simgrid_latency(f->alpha, f->beta));
    if (t->routing != ROUTING_MINIMAL)
        return bad_input(error,
                         "SMPI's messages take one way each; allowed: --routing minimal, or no rate in [topology]");
    if (t->links->hop_s > simgrid_latency(f->alpha, f->beta))
        return bad_input(error,
                         "platform %s: hop is %s, and SMPI has %s of alpha left for it; allowed: a shorter hop, or "
                         "a longer alpha",
                         m->platform->name, hop, alpha);
    return nodes <= MOST_HOSTS || bad_input(error,
                                            "platform %s: SMPI needs a route for each of %d x %d pairs of hosts; "
                                            "allowed: at most %d hosts on a network with rates",
                                            m->platform->name, nodes, nodes, MOST_HOSTS);
}

gboolean simgrid_zone(const SimgridMachine *m, const SimgridFigures *f, GString *xml, GError **error)
{
    const NetworkSpec *spec = m->network;
    g_autofree int *host = NULL;
    const int nodes = m->map ? m->map->nodes->n : m->p;
    if (!check_zone(m, f, nodes, error))
        return FALSE;
    g_autoptr(Network) n =
        placement_make(&spec->nodes, spec->nodes.seed, &spec->topology, spec->hosts, nodes, &host, error);
    if (!n)
        return FALSE;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autofree NetworkHop *hops = g_new(NetworkHop, n->most_hops);
    const Zone x = {m, f, n, host, nodes, hops, seen};
    g_string_append(xml, "  <zone id=\"c\" routing=\"Full\">\n");
    add_hosts(&x, xml);
    add_routes(&x, xml);
    g_string_append(xml, "  </zone>\n</platform>\n");
    return TRUE;
}
