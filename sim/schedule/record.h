// From text to schedule: runs every rank's text to its end, without blocking, and keeps what it would do.
#pragma once
#include "schedule/schedule.h"

typedef struct RecordOptions {
    bool every_rank; // tests: record every rank, whatever symmetry the entry declares
    int64_t cut_off; // tests: operations of a rank that are kept; 0: all
} RecordOptions;

// The schedule of `algorithm` (its needs are met, c->par set) on m bytes of what c describes; c->rank is ignored. Ranks that
// share another's schedule by the entry's word are not recorded but sampled: the first and last two and random ones, up to
// 64 while that stays below a quarter of a million operations. Free with schedule_free.
Schedule *record(const CollAlgorithm *algorithm, Collective collective, const Coll *c, size_t m,
                 const RecordOptions *options);
