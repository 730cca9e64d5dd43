// The recorder makes a schedule from an algorithm's text: it runs the text of every rank to its end, without ever
// blocking, and keeps what the rank would do.
#pragma once
#include "engine/schedule/messages_work.h"
#include "engine/schedule/sampled.h"
#include "engine/schedule/schedule.h"

// The defaults are all zero.
typedef struct RecordOptions {
    bool every_rank;  // for tests: record every rank, whatever symmetry the registry entry declares
    bool trust;       // for proofs: do not judge what the entry declares, which ends the program if it does not hold
    Sampled *sampled; // shapes of operations whose symmetry needs no sample any more (sampled.h); NULL for none
    int64_t cut_off;  // for tests: how many operations of each rank's text to keep, not counting copies; 0 keeps all
    // What a model may need beyond hockney. An algorithm in shared memory is recorded without it.
    //
    // copies records every copy, pack and unpack as an OP_COPY, with the bytes that it writes; a copy of no bytes, or
    // onto itself, does not count. fresh records every scratch buffer that has bytes, as an OP_FRESH where the text
    // takes it. isends keeps several isends, and the waitall for exactly these, as they are; without it they become
    // sends.
    //
    // An irecv, then an isend, then a waitall for exactly these become a sendrecv, and a request becomes a send or recv
    // if its wait follows at once. A copy or a scratch buffer that is recorded between them prevents this: the requests
    // stay requests, and the replay can do the copy while a message is under way.
    //
    // With copies, fresh or messages every rank is recorded, because ranks for which an entry declares the same schedule
    // may still differ in what they copy.
    bool copies, fresh, isends;
    // What the library does for messages, as work of the rank (messages_work.h); NULL: nothing.
    const MessagesWork *messages;
    // Of an algorithm in shared memory: keeps what a rank copies within its own memory, as an OP_LOCAL, and which
    // writes use a slot again. Every rank is recorded then, for the same reason.
    bool local;
    // Each operation has its phase (Op.phase), so operations of different phases are not folded together.
    bool phases;
    // Only what each rank sends matters, and not in which order, so that more ranks share a schedule
    // (CollRun.unordered). A replay of such a schedule would be wrong.
    bool unordered;
    // The caller knows what to do with slots and flags next to messages (Schedule.mixed). For schedule_admit only.
    bool mixes;
    // Where few ranks can stand for all (schedule_period), `most` of schedule_admit is about their messages alone.
    bool few;
} RecordOptions;

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
