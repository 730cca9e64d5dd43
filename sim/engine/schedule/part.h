// Cuts a stretch of operations out of a schedule, the same stretch for every class.
#pragma once
#include "engine/schedule/schedule.h"

// Returns a new schedule without the first `skip` and the last `leave` operations of every class. `leave` counts the
// END, and the new classes get an END of their own. A loop must not be cut in two. Free with schedule_free.
Schedule *schedule_part(const Schedule *s, uint32_t skip, uint32_t leave);

// Returns the number of operations that first .. end-1 of a class make once their loops are unrolled.
int64_t class_steps(const Class *k, uint32_t first, uint32_t end);

// Return how many operations all classes have in common at their beginning, and at their end, where END counts. The
// head may end in the middle of a loop, and the tail may begin in one.
uint32_t schedule_common_head(const Schedule *s);
uint32_t schedule_common_tail(const Schedule *s);
