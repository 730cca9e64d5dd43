// From schedule to time, under hockney. One meaning, four gears (plan.h): lockstep, blocking, dataflow, event. Which one
// runs is decided by cheap checks on the schedule, and the result does not depend on it.
#pragma once
#include "replay/result.h"

// Replays a schedule; a deadlock is a result (Replay.stuck). The gear that the options name must apply, see
// replay_gear_applies. Every run ends with a check: the certificate's value, added to the start of the rank where its chain
// begins, is the clock; a run that is stuck is exempt.
//
// Returns NULL and an error if the path that was asked for is too long to keep, if a chain has more messages than a clock
// can count, or if `full` means more than MAX_CONTENDED messages that compete for ports.
enum { MAX_CONTENDED = 200000000 };
Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *options, GError **error);

bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *options, Gear gear);
