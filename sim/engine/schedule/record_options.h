// What a recorder keeps of an algorithm's text, and what it takes for granted.
#pragma once
#include "engine/schedule/messages_work.h"
#include "engine/schedule/sampled.h"

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
    // Of an algorithm or a part in shared memory: keeps what a rank copies within its own memory, as an OP_LOCAL, where
    // its reductions start, as an OP_CALL, and which writes use a slot again. Every rank is recorded then, for the same
    // reason.
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
