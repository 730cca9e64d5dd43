// Topologies: the kind, and then the shape. Small ones are written for SimGrid.
#include "base/nearest.h"
#include "fuzz.h"
#include "run/launch/simgrid.h"

FUZZ_HARNESS(topology)
{
    enum { MOST_HOSTS = 4096 };
    g_auto(GStrv) text = fuzz_lines(data, size, 1);
    g_autoptr(GError) error = NULL;
    int kind;
    Platform platform = *fuzz_platform();
    if (!fuzz_outcome(nearest_find("topology", text[0], topology_names, &kind, &error), &error) ||
        !fuzz_outcome(topology_make((TopologyKind)kind, *text[1] ? text[1] : NULL, &platform.topology, &error), &error))
        return 0;
    g_assert_true(platform.topology.hosts >= 0 && platform.topology.hosts <= 1 << 27);
    if (platform.topology.hosts <= MOST_HOSTS) {
        const SimgridMachine machine = {&platform, SIMGRID_RENDEZVOUS, 2, NULL};
        g_autofree char *xml = simgrid_xml(&machine, &error);
        fuzz_outcome(xml != NULL, &error);
    }
    topology_clear(&platform.topology);
    return 0;
}
