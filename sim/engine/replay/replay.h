// The replay: how long a schedule takes under hockney, measured or, without messages, shared. It has four gears,
// lockstep, chain, flow and event (plan.h). Cheap checks on the schedule choose one, and the result does not depend on
// which one runs.
#pragma once
#include "engine/replay/ledger.h"

// Replays a schedule; a deadlock is a result (Replay.stuck). A gear that the options name must
// apply, see replay_gear_applies. Every run that is not stuck ends with a check: the certificate's value, added to the
// start of the rank with which its chain begins, must be the clock of the last rank. Free the result with replay_free.
//
// Returns NULL and an error of what is "too much" if a limit of load.h is exceeded, which is known before the replay
// begins, or at its second try if a few ranks could not stand for all. Returns NULL and a bad-input error if the path
// that was asked for is too long to keep.
Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *options, GError **error);

// Returns FALSE and an error of what is "too much" if so many runs of the schedule, each with these options, are.
bool replay_admit_runs(const Schedule *s, const Hockney *model, const ReplayOptions *o, int runs, GError **error);
// Returns how many messages a replay with these options runs, if it keeps a ledger: of all ranks, or of a few that
// stand for all. They can be many more than anyone wants to see; then replay_part makes the ledger of a part.
double replay_messages(const Schedule *s, const Hockney *model, const ReplayOptions *options);
// Replays as much as is needed for the ledger of what is wanted, and returns that, with the critical path and the end
// of `whole`, a replay of the same that is not stuck. It takes the path, which may be NULL. options->gear must be flow
// or event. Returns NULL and an error if there is no room.
Ledger *replay_part(const Schedule *s, const Hockney *model, const ReplayOptions *options, const LedgerWish *wish,
                    Replay *whole, GError **error);

// Returns true if this gear can replay the schedule with these options (options->gear is ignored).
bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *options, Gear gear);
