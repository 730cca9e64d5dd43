// What holds for the lengths of all messages of a schedule under measured, on which the choice of a gear depends.
// Private to the replay.
#pragma once
#include "engine/replay/site.h"
#include "engine/schedule/schedule.h"

typedef struct Lengths {
    bool all_eager, none_eager; // all messages are eager; none of them is
    bool gaps_within;           // every message's T is above 0, and no gap is above its message's T
} Lengths;

// Returns what certainly holds for every message of the schedule, at whichever level of the machine it is. This looks
// once at each operation of each class, and never at single ranks or rounds of loops. Where the blocks of a cut give an
// operation several lengths, gaps_within may be false although it holds.
Lengths lengths_of(const Schedule *s, const Site *site);
// Returns true if certainly every message of the schedule occupies a NIC for less time than its gap, at each of the
// levels whose bits are set.
bool lengths_outlast_nics(const Schedule *s, const Site *site, uint64_t levels);
