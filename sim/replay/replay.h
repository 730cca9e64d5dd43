// From schedule to time, under hockney. One meaning, four gears (plan.h): lockstep, blocking, dataflow, event. Which one
// runs is decided by cheap checks on the schedule, and the result does not depend on it.
#pragma once
#include "replay/result.h"

// A deadlock is a result. g_asserts that the gear asked for applies (see replay_gear_applies). At the end the certificate's
// value, after the start of the rank where its chain begins, must be the clock; ranks that are stuck are exempt.
// Returns NULL with an error where a path was asked for that is too long to keep, where a chain has more messages than a
// clock can count, or where `full` means more than MAX_CONTENDED messages that compete for ports.
enum { MAX_CONTENDED = 200000000 };
Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *options, GError **error);

bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *options, Gear gear);
