// Nodes: the kind and the shape of a topology, the number of nodes, --nodes (a file if it is empty), then the file of
// hosts (none if it is empty) up to a line "--", and the file of nodes. A node has a host of its own, inside the network.
#include "base/nearest.h"
#include "base/number.h"
#include "fuzz.h"
#include "machine/network/placement.h"
#include <string.h>

enum { MOST_NODES = 64, MOST_HOSTS = 1 << 16 };

static void place(const Placement *spec, const Topology *t, const Hosts *hosts, int nodes)
{
    g_autoptr(GError) error = NULL;
    g_autofree int *host = NULL;
    g_autoptr(Network) n = placement_make(spec, spec->seed, t, hosts, nodes, &host, &error);
    if (!fuzz_outcome(n != NULL, &error))
        return;
    for (int i = 0; i < nodes; i++) {
        g_assert_true(host[i] >= 0 && host[i] < n->hosts);
        for (int k = 0; k < i; k++)
            g_assert_cmpint(host[k], !=, host[i]);
    }
}

FUZZ_HARNESS(placement)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 4);
    g_autoptr(GError) error = NULL;
    Topology t;
    int kind, nodes = 8;
    if (!fuzz_outcome(nearest_find("topology", text[0], topology_names, &kind, &error), &error) ||
        !fuzz_outcome(topology_make((TopologyKind)kind, fuzz_given(text[1]), &t, &error), &error))
        return 0;
    number_int(text[2], 1, MOST_NODES, &nodes);
    char *cut = strstr(text[4], "--\n");
    const char *file = cut ? cut + strlen("--\n") : text[4];
    const size_t length = cut ? (size_t)(cut - text[4]) : 0;
    g_autoptr(Hosts) hosts = t.links && length ? hosts_parse(&t, "hosts", text[4], length, &error) : NULL;
    fuzz_outcome(hosts || !t.links || !length, &error);
    g_auto(Placement) spec = {0};
    const gboolean good = *text[3] ? placement_parse(text[3], &spec, &error)
                                   : placement_parse_text("nodes", file, strlen(file), &spec, &error);
    if (fuzz_outcome(good, &error) && t.links && t.hosts <= MOST_HOSTS)
        place(&spec, &t, hosts, nodes);
    topology_clear(&t);
    return 0;
}
