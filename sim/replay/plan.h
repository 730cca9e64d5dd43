// Which gear runs a schedule, and why.
//
//   lockstep   every rank's k-th operation meets its partner's k-th: all go through the schedule together, as loops over an
//              array of clocks
//   blocking   no transfers compete for a port, and no operation leaves a request open: a rank shows whom it waits for
//   dataflow   no transfers compete for a port: a rank runs until it waits for what has not happened yet
//   event      everything else: all in order of time
//
// All give the same clocks, certificates and paths wherever more than one applies. A schedule may run in two parts: what
// all ranks begin or end with in lockstep, the rest in another gear.
#pragma once
#include "replay/result.h"

// What runs a schedule. `head` and `tail` are numbers of operations; not both are above 0.
typedef struct GearPlan {
    Gear gear;       // of the whole schedule, or of the part that is not in lockstep
    Gear one;        // where gear is lockstep and all ranks pay the same: the gear that gives one rank's certificate
    uint32_t head;   // all ranks begin with these, in lockstep
    uint32_t tail;   // all ranks end with these, in lockstep
    int ranks;       // that are replayed; where that is fewer than p they stand for all
    const char *why; // static
} GearPlan;

// The plan for these options. Its gear is the one asked for, which must apply, or the fastest that does.
GearPlan gear_plan(const Schedule *s, const Hockney *model, const ReplayOptions *o);
// What to do where the result of that plan does not hold: every rank is replayed, in one gear that can tell who is stuck.
GearPlan gear_plan_again(const Schedule *s, const Hockney *model, const GearPlan *failed);
