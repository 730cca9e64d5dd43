// Spares a program that keeps what it knows (kept.h) the replay of a schedule with other figures. On a flat machine, if
// the schedule fixes in which order transfers use each port, a run takes the longest of its chains of operations, and
// each chain pays some alpha, beta and gamma. If one chain has the most of all three, it is the longest whatever the
// figures are, so its counts give every time.
#pragma once
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"

// As replay(), of the schedule that kept_admit() has returned for this operation.
Replay *same_path_replay(const Operation *op, const Schedule *s, const Hockney *h, const ReplayOptions *options,
                         GError **error);

// Returns true, and sets *time_s to the time of a run, in seconds, if an earlier run with other figures has shown it.
bool same_path_time(const Operation *op, const Hockney *h, double *time_s);
