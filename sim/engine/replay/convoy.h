// Convoys of the gear chain. Consecutive ranks form a convoy if each is in a loop of one sendrecv
// that passes messages on, all in the same direction, and their clocks are equal. One round of all of them takes one
// step, because their clocks stay equal:
//
//      3 <- 4 <- 5 <- 6 <- 7 <- 8      4 .. 7 are a convoy: each sends to the rank below it and receives from the one
//                                      above; 3 receives, and 8 sends
//
// In gather pipeline, all ranks that still have blocks to pass on are one convoy; in scatter pipeline, all to which the
// first block has come. A rank whose loop is over leaves, and so does one whose peer outside is late. Outside of
// convoys ranks are replayed one by one.
//
// If clocks do not become equal, as in gather chain_blockwise, where the root serves several chains in turn, ranks form
// a loose convoy. It makes the same steps, but each rank has a clock of its own, and a step is a loop over these.
// Private to the replay.
#pragma once
#include "engine/replay/gears.h"

// Returns true if convoys pay: they could run more than half of the messages, in loops that are long enough and have
// enough ranks.
bool convoy_pays(const Schedule *s);
// Replays a schedule that the gear chain may replay. Returns NULL if a rank is stuck, or if it gives up because too
// few ranks move in convoys.
Replay *convoy_replay(const GearInput *in);
// Returns the memory that it needs for each rank, in bytes.
size_t convoy_rank_bytes(const Schedule *s, bool skewed);
