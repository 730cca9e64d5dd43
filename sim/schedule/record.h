// From text to schedule: runs every rank's text to its end without blocking, and keeps what the rank would do.
#pragma once
#include "schedule/operation.h"
#include "schedule/schedule.h"

// For tests; the defaults are all zero.
typedef struct RecordOptions {
    bool every_rank; // records every rank, whatever symmetry the entry declares
    int64_t cut_off; // keeps this many operations of each rank; 0: all
} RecordOptions;

// Returns the schedule of an operation; options may be NULL for the defaults. Free with schedule_free.
//
// A rank that shares another rank's schedule, by the word of the registry entry, is not recorded. Some such ranks are
// recorded all the same to check the entry: the first and the last two, and random ones, up to 64 of them as long as
// they have fewer than a quarter of a million operations together.
Schedule *schedule_record(const Operation *op, const RecordOptions *options);

// Records an operation that a user asked for. Returns NULL and an error if its totals are too large to be summed
// (schedule_check); otherwise *totals, which may be NULL, holds them.
Schedule *schedule_admit(const Operation *op, Totals *totals, GError **error);
