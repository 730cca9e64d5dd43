// The choice of the gear that runs a schedule, and the reason for it. From the fastest to the most general:
//
//   lockstep   every rank's k-th operation meets its partner's k-th: all ranks go through the schedule together, as
//              loops over an array of clocks
//   chain      no two transfers compete for a port, and no operation leaves a request open: a rank shows whom it waits
//              for. Neighbours that pass messages on, with equal clocks, move together, as convoys
//   flow       a rank runs until it must wait for something that has not happened yet; transfers that compete for a port,
//              if any, go in order of time
//   event      everything else: all ranks run in order of time
//
// If more than one gear applies, all give the same clocks, certificates and paths. A schedule may run in two parts: the
// operations that all ranks begin or end with run in lockstep, and the rest in another gear.
#pragma once
#include "engine/replay/result.h"

// How to run a schedule. At least one of head and tail is 0.
typedef struct GearPlan {
    Gear gear;       // runs the whole schedule, or the part that is not in lockstep
    Gear one;        // if `gear` is lockstep and all ranks pay the same, the gear that finds one rank's certificate;
                     // otherwise GEAR_AUTO
    uint32_t head;   // how many operations at the beginning, common to all ranks, run in lockstep
    uint32_t tail;   // how many operations at the end, common to all ranks, run in lockstep, END included
    int turn;        // lockstep runs in turns of this many ranks (lockstep.h)
    bool convoys;    // chain forms convoys
    bool queues;     // lockstep lets messages stand in the lines of NICs (queues.h)
    bool links;      // lockstep has a price for each message of a network
    bool fixed;      // the schedule fixes in which order transfers use each port
    int ranks;       // how many ranks are replayed; if fewer than p, they stand for all
    const char *why; // the reason, a static text
} GearPlan;

// Returns the plan for these options. It uses the gear that o->gear asks for; if that gear does not apply, the plan's
// gear is GEAR_AUTO. For GEAR_AUTO the plan is the fastest that applies.
GearPlan gear_plan(const Schedule *s, const Hockney *model, const ReplayOptions *o);
// Returns the plan to use if the result of `failed` does not hold: it replays every rank, in a gear that can report
// which ranks are stuck. After convoys, it is chain without them. After flow with few ranks in which transfers compete,
// it is flow with all ranks. After flow under measured, it is event with as many ranks, because perhaps only the order
// of messages was another one. All of these may fail in turn.
GearPlan gear_plan_again(const Schedule *s, const Hockney *model, const ReplayOptions *o, const GearPlan *failed);
