// What a replay is asked for, and what comes of it.
#pragma once
#include "replay/cost.h"
#include "schedule/schedule.h"

typedef enum Gear { GEAR_AUTO, GEAR_EVENT, GEAR_DATAFLOW, GEAR_BLOCKING, GEAR_LOCKSTEP } Gear;
extern const char *const gear_names[];

// One operation of a critical path, in order of time.
typedef struct PathStep {
    int rank, peer; // a reduction has peer -1
    OpKind kind;    // OP_SEND, OP_RECV or OP_REDUCE
    uint64_t bytes;
    ClockTally end; // what the path has paid when the step ends; the step begins where the one before it ends
} PathStep;

// A rank that did not come to its end, or a request that nobody met although its rank went on.
typedef struct Stuck {
    int rank, peer; // peer -1: the rank waits for several requests
    OpKind kind;
    uint64_t operation; // its number in the rank's text, from 0; copies are not counted
    uint64_t bytes;
    bool left_over; // the rank went on, but its message or receive was never met
} Stuck;

typedef struct ReplayOptions {
    Gear gear;           // GEAR_AUTO: the fastest that applies
    const double *start; // when each rank (not v) begins, in s; NULL: all begin at 0
    bool full;           // replays every rank, even if a few could stand for all
    bool clocks;         // keeps the end of every rank, for tests
    bool path;           // keeps the critical path
} ReplayOptions;

typedef struct Replay {
    Gear gear;               // that ran
    const char *why;         // why this gear; static
    int64_t simulated;       // ranks that were replayed
    Certificate certificate; // of the last rank to end; if several end together, of the lowest of them
    double time_s;           // the certificate's value; with skewed starts the clock
    Stamp *clocks;           // by rank; NULL unless asked for
    GArray *path;            // of PathStep; NULL unless asked for
    GArray *stuck;           // of Stuck, in the order of ranks; empty if every rank came to its end
    // What a gear leaves for replay() to finish:
    ClockTally tally; // the certificate
    double clock_s;   // the clock of the last rank to end
    int origin;       // the rank at whose start that clock's chain of operations begins
    int path_from;    // the rank at which this gear's part of the path begins
} Replay;

void replay_free(Replay *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Replay, replay_free)
