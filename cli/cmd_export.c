#include "ask/kinds.h"
#include "cli.h"
#include "export/export.h"

static const CommandKind kinds[] = {
    {"goal", "a GOAL schedule, for LogGOPSim and collsim run --goal", export_goal},
    {"dot", "a schedule as a graph, for Graphviz", export_dot},
    {"smpi-platform", "a platform for SimGrid, and the command that uses it", export_smpi},
};

int cmd_export(int argc, char **argv, GError **error)
{
    const CommandKinds all = {"export", "Writes schedules and platforms for other programs.",
                              "collsim export goal bcast binomial -p 8 -m 8K -o bcast.goal", kinds,
                              G_N_ELEMENTS(kinds)};
    return kinds_run(&all, argc, argv, error);
}
