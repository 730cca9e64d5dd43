#include "machine/network/network_options.h"
#include "base/error.h"
#include "base/nearest.h"
#include <string.h>

void network_options_clear(NetworkOptions *o)
{
    g_free(o->topology);
    g_free(o->routing);
    g_free(o->nodes);
}

// Parses KIND:SHAPE.
static gboolean parse_topology(const char *text, Topology *out, GError **error)
{
    const char *colon = strchr(text, ':');
    g_autofree char *name = colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text);
    int kind;
    if (!nearest_find("topology", name, topology_names, &kind, error))
        return FALSE;
    if (topology_make((TopologyKind)kind, colon ? colon + 1 : NULL, out, error))
        return TRUE;
    g_prefix_error(error, "--topology: ");
    return FALSE;
}

gboolean network_options_read(const NetworkOptions *o, const Platform *platform, NetworkSpec *x, GError **error)
{
    int routing;
    if (o->topology && !parse_topology(o->topology, &x->topology, error))
        return FALSE;
    if (o->topology && x->topology.kind == platform->topology.kind &&
        topology_classes(&x->topology) == topology_classes(&platform->topology))
        topology_take_links(&x->topology, &platform->topology);
    if (!o->topology)
        x->topology = topology_copy(&platform->topology);
    if (o->topology && x->topology.kind == TOPOLOGY_FLAT)
        return bad_input(error, "--topology flat has no links; allowed: KIND:SHAPE such as torus:16,16,16");
    if (x->topology.kind == TOPOLOGY_FLAT)
        return bad_input(error,
                         "platform %s has no network between nodes; allowed: a platform with kind and shape in "
                         "[topology], or --topology KIND:SHAPE such as torus:16,16,16",
                         platform->name);
    if (o->routing) {
        if (!nearest_find("routing", o->routing, routing_names, &routing, error))
            return FALSE;
        x->topology.routing = (TopologyRouting)routing;
    }
    if (x->topology.links->hosts && !(x->hosts = hosts_read(&x->topology, error)))
        return FALSE;
    return !o->nodes || placement_parse(o->nodes, &x->nodes, error);
}
