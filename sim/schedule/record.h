// The recorder makes a schedule from an algorithm's text: it runs the text of every rank to its end, without ever
// blocking, and keeps what the rank would do.
#pragma once
#include "schedule/operation.h"
#include "schedule/schedule.h"

// Options for tests; the defaults are all zero.
typedef struct RecordOptions {
    bool every_rank; // record every rank, whatever symmetry the registry entry declares
    int64_t cut_off; // keep only so many operations of each rank's text, copies not counted; 0 keeps all
} RecordOptions;

// Returns the schedule of an operation; options may be NULL for the defaults. Free with schedule_free.
//
// A rank is not recorded if the registry entry declares that it does the same as a lower one (same_as). To check that
// declaration some ranks are recorded all the same: v = 1, p-1 and p-2, and random ones, up to 64 in all, until they
// have a quarter of a million operations together. The program aborts if one of them differs.
Schedule *schedule_record(const Operation *op, const RecordOptions *options);

// Records an operation that a user asked for. Returns NULL and an error if its totals are too large to be summed
// (schedule_check); otherwise *totals, which may be NULL, holds them.
Schedule *schedule_admit(const Operation *op, Totals *totals, GError **error);
