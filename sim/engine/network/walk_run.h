// Finds rounds by running the ranks of a schedule, one unit of time after the other. Private to the walk.
#pragma once
#include "engine/network/walk_round.h"

// What walk_rounds() does where ranks are not in step.
gboolean walk_run(const Schedule *s, Transfer transfer, WalkEach *each, gpointer user, GError **error);
