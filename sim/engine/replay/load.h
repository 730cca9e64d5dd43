// The load of a plan: what its gears will simulate, and the memory that they need. A replay that would not end soon, or
// that has no room, is refused before it begins. Private to the replay.
#pragma once
#include "engine/replay/gears.h"
#include "engine/replay/plan.h"

// The limits. A replay at a limit takes a minute or two.
enum {
    MAX_MESSAGES = INT32_MAX,  // that gears simulate one by one; so no chain has more, and a tally can count them
    MAX_CONTENDED = 200000000, // the same for the event gear, if it replays every rank
    MAX_REQUESTS = 1 << 30,    // sends and receives that may be open at the same time
};
#define MAX_STEPS      ((double)((int64_t)1 << 38)) // in lockstep, times the ranks
#define MAX_LINK_STEPS ((double)((int64_t)1 << 33)) // .. where each message has a price of its own

enum { MOST_OF_PART = 1500000 }; // about how many entries a trace may have if only a part of it is wanted

// Returns how many messages gears other than lockstep run one by one.
double load_messages(const Schedule *s, const Hockney *model, const GearPlan *plan, const ReplayOptions *o);
// Returns false and an error of what is "too much" if the plan's load is beyond a limit, or needs more memory than is
// left. Otherwise *bytes is the memory, which load_admit has taken out of the budget: give it back after the replay.
// The plan runs the schedule with these options.
bool load_admit(const Schedule *s, const Hockney *model, const GearPlan *plan, const ReplayOptions *o, uint64_t *bytes,
                GError **error);
