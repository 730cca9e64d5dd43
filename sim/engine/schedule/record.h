// The recorder makes a schedule from an algorithm's text: it runs the text of every rank to its end, without ever
// blocking, and keeps what the rank would do.
#pragma once
#include "engine/schedule/record_options.h"
#include "engine/schedule/schedule.h"

// Returns the schedule of an operation; options may be NULL for the defaults. Free with schedule_free.
//
// A rank is not recorded if the registry entry declares that it does the same as a lower one (same_as, pattern), or
// that it is in a row of ranks (row_of) and its list follows from those of the two ranks before it. To check these
// declarations the texts of some ranks are run all the same: v = 1, p-1 and p-2, and random ones, up to 64 in all,
// until they have a quarter of a million operations together, and integers of their texts (coll_ints). The program
// aborts if one of them differs. With RecordOptions.sampled this happens once for each shape of operations.
Schedule *schedule_record(const Operation *op, const RecordOptions *options);

// Records an operation that a user asked for; options may be NULL for the defaults. Returns NULL and an error if a part
// of it works in shared memory although options->mixes is false, or if its totals are too large to be summed
// (schedule_check). The latter error says "too much" if the operation has more than `most` messages or accesses to
// shared memory (0 sets no limit), or is too large to record. It is too large if it has more than COLL_MOST_SEGMENTS
// segments, or 2^32 operations in the texts that are recorded, or needs more memory than is left. Otherwise *totals,
// which may be NULL, holds the totals.
Schedule *schedule_admit(const Operation *op, const RecordOptions *options, uint64_t most, Totals *totals,
                         GError **error);

// Returns FALSE and that error if the schedule has more than `most` messages, or accesses to shared memory; 0 sets no
// limit. With `few`, those of schedule_period() ranks count.
gboolean schedule_check_most(const Schedule *s, const Totals *totals, uint64_t most, bool few, GError **error);
