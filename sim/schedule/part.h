// A stretch of a schedule's operations, the same for every class.
#pragma once
#include "schedule/schedule.h"

// Every class without its first `skip` operations and its last `leave` (END counts as one), closed by an END. No loop may
// be cut. Free with schedule_free; the cuts and groups are the whole's.
Schedule *schedule_part(const Schedule *s, uint32_t skip, uint32_t leave);

// How many operations first .. end-1 of a class are once its loops are unrolled.
int64_t class_steps(const Class *k, uint32_t first, uint32_t end);

// How many operations all classes begin with alike; how many they end with alike, of which END is one. Either may end in
// the middle of a loop.
uint32_t schedule_common_head(const Schedule *s);
uint32_t schedule_common_tail(const Schedule *s);
