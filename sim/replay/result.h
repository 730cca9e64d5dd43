// What a replay is asked for, and what comes of it.
#pragma once
#include "replay/cost.h"
#include "schedule/schedule.h"

typedef enum Gear { GEAR_AUTO, GEAR_EVENT, GEAR_DATAFLOW, GEAR_BLOCKING, GEAR_LOCKSTEP } Gear;
extern const char *const gear_names[];

// One operation of a critical path, in order of time.
typedef struct PathStep {
    int rank, peer; // peer -1: none (a reduction)
    OpKind kind;    // OP_SEND, OP_RECV or OP_REDUCE
    uint64_t bytes;
    ClockTally end; // of the path up to here; the step begins where the one before it ends
} PathStep;

// A rank that did not come to its end, or (kind OP_SEND) a message that nobody received.
typedef struct Stuck {
    int rank, peer; // peer -1: it waits for requests
    OpKind kind;
    uint64_t operation; // number in the rank's text, copies not counted, from 0
    uint64_t bytes;
    bool left_over; // the rank went on, its message did not
} Stuck;

typedef struct ReplayOptions {
    Gear gear;
    const double *start; // when each rank (not v) begins, s; NULL: 0
    bool full;           // replay every rank even where one does as well
    bool clocks;         // tests: keep every rank's end
    bool path;           // keep the critical path
} ReplayOptions;

typedef struct Replay {
    Gear gear;
    const char *why;         // this gear; static
    int64_t simulated;       // ranks
    Certificate certificate; // of the last rank to end; of ranks that end together, the lowest
    double time_s;           // computed from the certificate; with skewed starts the clock
    Stamp *clocks;           // by rank, where asked for
    GArray *path;            // PathStep, where asked for
    GArray *stuck;           // Stuck, in the order of ranks; empty: all is well
    // What the gears leave for replay() to finish:
    ClockTally tally; // the certificate
    double clock_s;   // of the last rank to end
    int origin;       // the rank at whose start that clock's chain of operations begins
    int path_from;    // the rank at which the part of the path begins that this gear has run
} Replay;

void replay_free(Replay *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Replay, replay_free)
