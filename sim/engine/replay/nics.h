// Whether the ranks of a node get into each other's way at its NICs. Private to the replay.
#pragma once
#include "engine/replay/cost.h"
#include "engine/schedule/schedule.h"

// Sets Site.idle: whether no message of the schedule can wait for a NIC, although each node has some. site_begin() must
// have been called.
void nics_look(const Hockney *model, const Schedule *s);
