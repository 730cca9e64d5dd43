// A stretch of a schedule's operations, the same for every class.
#pragma once
#include "schedule/schedule.h"

// Returns the schedule without the first `skip` and the last `leave` operations of every class, each closed by an END of
// its own. `leave` counts the old END. No loop may be cut in two. Free with schedule_free; cuts and groups are the whole's.
Schedule *schedule_part(const Schedule *s, uint32_t skip, uint32_t leave);

// Returns how many operations first .. end-1 of a class are once its loops are unrolled.
int64_t class_steps(const Class *k, uint32_t first, uint32_t end);

// Return the number of operations with which all classes begin, or end, alike; END counts as one. Either stretch may end in
// the middle of a loop.
uint32_t schedule_common_head(const Schedule *s);
uint32_t schedule_common_tail(const Schedule *s);
