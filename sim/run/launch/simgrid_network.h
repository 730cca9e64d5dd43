// The network between nodes whose links have rates, as SimGrid's XML has it: each link that a message may pass, and the
// route of each pair of hosts, link by link. Private to simgrid.c.
#pragma once
#include "run/launch/simgrid_figures.h"

// Appends the zone with the hosts, their links and routes. Returns FALSE and an error if there are too many routes, if
// messages take several ways, or if a hop takes longer than alpha.
gboolean simgrid_zone(const SimgridMachine *m, const SimgridFigures *figures, GString *xml, GError **error);
