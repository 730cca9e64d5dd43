// The four gears, each a leaf of its own. Private to the replay.
#pragma once
#include "replay/result.h"

typedef struct GearInput {
    const Schedule *s;
    Hockney model;
    const Stamp *from; // by rank: each rank's clock at the beginning and what it is made of; NULL: all begin at 0
    int ranks;         // v = 0 .. ranks-1 are replayed; where that is fewer than p they stand for all (schedule_period)
    bool clocks, path; // keep every rank's end; keep the path
    int path_to;       // rank + 1 at which the path ends; 0: the last rank to end
} GearInput;

// Lockstep from operation `first` on, in which all classes are alike. `one`: what one rank for all came to, whose
// certificate and path are every rank's, as all pay the same; NULL: they differ, and the path is walked. Takes `one`.
Replay *lockstep_replay(const GearInput *in, uint32_t first, Replay *one);
// Every rank's clock after the first n operations, which all have in common and pay the same for.
Stamp lockstep_head(const GearInput *in, uint32_t n);

// The others: NULL where the result would not hold: ranks that stand for all are stuck or depend on an order among all
// ranks, or, in the blocking gear, any rank is stuck.
Replay *blocking_replay(const GearInput *in);
Replay *dataflow_replay(const GearInput *in);
Replay *event_replay(const GearInput *in);
