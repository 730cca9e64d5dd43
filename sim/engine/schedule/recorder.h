// The recorder receives the operations of a rank's text one by one, and a builder fuses and folds them into the rank's
// list. Private to record.c.
#pragma once
#include "api/make.h"
#include "engine/schedule/builder.h"
#include "engine/schedule/record_options.h"

// What a user may ask for: operations in the texts that are recorded, copies not counted. Within this limit it takes a
// minute or two to record a schedule.
#define RECORDER_MOST_OPERATIONS ((int64_t)1 << 32)

// The last operation of the text. `known` is false unless it is a blocking message among all ranks (not in a view of
// fewer) whose lengths do not come from a cut.
typedef struct Last {
    bool known;
    CollOpKind kind;
    int to, from;
    size_t out, in;
} Last;

typedef struct Recorder {
    CollRun run;
    Schedule *s;
    Builder b;
    int v;
    int64_t left;      // operations that are still kept, before the cut-off or the limit; below 0 if some were not kept
    bool copies;       // RecordOptions.copies
    bool pure;         // an algorithm in shared memory, not one with a part in it
    GArray *written;   // with RecordOptions.local: where in its queue the rank has written (size_t), from the
                       // first slot of each call on; otherwise NULL
    bool no_memory;    // because memory runs short
    int64_t uncounted; // copies and operations beyond the limit that the rank's text has issued
    size_t list_max;   // operations that the list may have before the next look at the memory
    bool phase_begins; // `phase` is not yet that of the text
    uint16_t phase;    // of the next operations
    Last last;
    size_t last_whole; // `whole` of the last cut that was looked up; last_cut is its number
    uint8_t last_cut;
    bool *receives; // for each request not yet waited for, whether it is a receive; in the order of issue
    int n_requests, max_requests;
    bool waited;            // the rank has waited for a message
    int n_receives;         // open receives
    int most_open;          // the most of them at a time
    bool one_source;        // whenever there are several, they have the same source
    int source;             // that source, as long as one_source holds
    MessagesRank *messages; // RecordOptions.messages, of the rank; NULL if they are not counted
} Recorder;

// Begins a schedule, which has no classes yet, with what the options say of operations; most_segments is 0 if there are no
// limits. Clear with recorder_clear.
void recorder_begin(Recorder *r, Schedule *s, const Operation *op, const RecordOptions *o, uint64_t most_segments);
void recorder_clear(Recorder *r);
// Runs the text of v, and leaves the list of its first r->left operations in r->b.
void recorder_rank(Recorder *r, const CollAlgorithm *a, const Coll *view, int v);
// Notes an operation that is not kept. Without an end to these, a text that loops for ever would never come back.
void recorder_pass_over(Recorder *r);
// Keeps no further operation unless this much memory is left, in bytes.
void recorder_need_memory(Recorder *r, size_t bytes);
