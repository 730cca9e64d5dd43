// The options of a replay, and its result.
#pragma once
#include "engine/replay/cost.h"
#include "engine/schedule/schedule.h"

typedef enum Gear { GEAR_AUTO, GEAR_EVENT, GEAR_FLOW, GEAR_CHAIN, GEAR_LOCKSTEP } Gear;
extern const char *const gear_names[];

// The steps of a critical path that are not operations of its ranks: a NIC or a node's memory serves another message.
// The rest is of the LogP family: a message's flight, a NIC's gap after it left and after it came, the answer that
// frees a rendezvous sender, and a calc of a GOAL schedule. In traces, PATH_ARRIVAL is the time until a rank arrives.
enum { PATH_NIC = 64, PATH_MEMORY, PATH_FLIGHT, PATH_OUT, PATH_IN, PATH_ANSWER, PATH_CALC, PATH_ARRIVAL };

// One operation of a critical path.
typedef struct PathStep {
    int rank, peer; // peer is -1 for a reduction
    int kind;       // OP_SEND, OP_RECV, OP_REDUCE, OP_COPY, OP_FRESH, PATH_NIC, PATH_MEMORY, or one in shared memory:
        // OP_WRITE, OP_READ, OP_RAISE, OP_LOCAL, OP_CALL or OP_AWAIT, where `peer` is the rank whose slot is read or whose
        // flag is awaited; an await that found the flag raised is an OP_READ of no bytes
    uint64_t bytes;
    SharedPaid paid; // in shared memory: what the step pays
    uint16_t phase;  // of the operation (Op.phase)
    int level;       // of a message, at a site; otherwise 0
    const struct LinkPrice
        *links;      // of a message on a network, until the site is freed; if `price` is 1, its load counts
    uint64_t noise;  // of a message: by how many ns it takes longer
    PriceKind price; // under measured: what the step of a message pays; PRICE_SHARE for all that it pays of that kind
    double value_s;  // under measured: what the step takes
    double end_s;    // when the path is at the step's end; a step begins where the one before it ends
} PathStep;

// A rank that did not come to its end, or a request that met nothing although its rank went on.
typedef struct Stuck {
    int rank, peer;     // peer: the other rank of the oldest open request that the rank waits for; -1 if there is none
    OpKind kind;        // or OP_AWAIT: it awaits the flag of rank `peer`
    uint64_t operation; // the operation's number in the rank's text, from 0, copies not counted
    uint64_t bytes;     // of an await: the value of the flag
    bool left_over;     // the rank went on, but its message or receive never met the other end; `operation` is then 0
    int queue;          // of an await: the rank whose queue the flag is for
} Stuck;

typedef struct ReplayOptions {
    Gear gear;           // the gear to use; GEAR_AUTO for the fastest that applies
    const double *start; // when each rank (not each v) begins, in s; NULL if all begin at 0
    bool full;           // replay every rank even if a few could stand for all
    bool clocks;         // keep the end of every rank
    bool times;          // with clocks: their times alone, which is faster; their tallies are not set
    bool path;           // keep the critical path
    bool clock_only;     // only clock_s is wanted: no certificate is
    bool ledger;         // with path: keep every operation with its times; the gear must be flow or event
    bool part;           // set by replay_part
    bool convoys;        // with the gear chain: forms convoys, also where that does not pay
    // If above 0, a replay that takes longer, in s, is of no use to the caller: a gear may give it up (Replay.beyond).
    // Not with clocks or path.
    double enough_s;
} ReplayOptions;

typedef struct Replay {
    Gear gear;         // the gear that ran
    const char *why;   // why this gear ran; a static text
    bool fixed;        // the schedule fixes in which order transfers use each port, and nothing else is shared
    int64_t simulated; // how many ranks were replayed
    bool beyond;       // it takes longer than ReplayOptions.enough_s, and was given up: time_s is INFINITY, and the
                       // certificate and the clocks mean nothing
    // Of the last rank to end; if several end together, of the lowest rank among them. At a site it is a sum over all
    // levels, and under measured all 0.
    Certificate certificate;
    int n_terms;           // of the site; 0 on a flat machine
    int64_t *count;        // at a site, the same by term; otherwise NULL. A gear may leave it to replay()
    TallyField *field;     // at a site, where the clocks' tallies count each term; otherwise NULL
    double time_s;         // the certificate's value; with starts other than 0, the clock
    Stamp *clocks;         // by rank; NULL unless asked for
    GArray *path;          // of PathStep, in order of time; NULL unless asked for
    GArray *stuck;         // of Stuck, in the order of ranks; empty if every rank came to its end
    struct Ledger *ledger; // NULL unless asked for, and if ranks are stuck; the caller's, with ledger_free (ledger.h)
    // The rest is what a gear leaves for replay() to finish:
    ClockTally tally; // the certificate
    double clock_s;   // the clock of the last rank to end
    int origin;       // the rank with whose start that clock's chain of operations begins
    int path_from;    // the rank at which this gear's part of the path begins
} Replay;

// Returns the result of a gear that replayed all p ranks and found none stuck. `clocks` says whether to keep every
// rank's end.
Replay *replay_new(int p, bool clocks);
// Returns the result of a gear that gave up its run (Replay.beyond); `simulated` is how many ranks it replayed.
Replay *replay_beyond(int simulated);
// Notes when a rank ends. The ranks must come in order, so that the lowest of those that end together counts.
void replay_end_rank(Replay *replay, int rank, Stamp end);
// Frees a result; NULL is allowed.
void replay_free(Replay *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Replay, replay_free)
