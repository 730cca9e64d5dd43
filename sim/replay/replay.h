// The replay: how long a schedule takes under hockney. It has four gears, lockstep, blocking, dataflow and event
// (plan.h). Cheap checks on the schedule choose one, and the result does not depend on which one runs.
#pragma once
#include "replay/result.h"

// Replays a schedule without shared memory; a deadlock is a result (Replay.stuck). A gear that the options name must
// apply, see replay_gear_applies. Every run that is not stuck ends with a check: the certificate's value, added to the
// start of the rank with which its chain begins, must be the clock of the last rank. Free the result with replay_free.
//
// Returns NULL and a bad-input error if the path that was asked for is too long to keep, if a chain has more messages
// than a clock can count, or if the event gear has to replay every rank of a schedule with more than MAX_CONTENDED
// messages, because `full` asks for it or because a few ranks could not stand for all.
enum { MAX_CONTENDED = 200000000 };
Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *options, GError **error);

// Returns true if this gear can replay the schedule with these options (options->gear is ignored).
bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *options, Gear gear);
