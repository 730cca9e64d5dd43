// The four gears, each a leaf of its own. Private to the replay.
#pragma once
#include "replay/result.h"

typedef struct GearInput {
    const Schedule *s;
    Hockney model;
    const Stamp *from; // by rank: its clock at the beginning, and what that is made of; NULL: all begin at 0
    int ranks;         // replays v = 0 .. ranks-1; fewer than p stand for all (schedule_period)
    bool clocks, path; // keeps the end of every rank; keeps the path
    int path_to;       // rank + 1 at which the path ends; 0: the last rank to end
} GearInput;

// Runs all ranks in lockstep from operation `first` on, in which all classes are alike. If all ranks pay the same, `one` is
// what one rank for all came to in another gear: its certificate and path are every rank's. Otherwise `one` is NULL, and
// the path is walked. Takes `one`.
Replay *lockstep_replay(const GearInput *in, uint32_t first, Replay *one);
// Returns every rank's clock after the first n operations, which all ranks have in common and pay the same for.
Stamp lockstep_head(const GearInput *in, uint32_t n);

// The other gears return NULL if their result would not hold: ranks that stand for all are stuck, or an order among all
// ranks matters; in the blocking gear also if any rank is stuck.
Replay *blocking_replay(const GearInput *in);
Replay *dataflow_replay(const GearInput *in);
Replay *event_replay(const GearInput *in);
