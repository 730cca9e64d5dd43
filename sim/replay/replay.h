// From schedule to time, under hockney. One meaning, three gears (DESIGN: lockstep, dataflow, event); which one runs is
// decided by cheap checks on the schedule, and none can tell from the result.
#pragma once
#include "schedule/schedule.h"

typedef enum Transfer {
    TRANSFER_RENDEZVOUS, // R: both sides ready, both ports held for alpha + n beta
    TRANSFER_EAGER,      // E0: only the sender's port
    TRANSFER_EAGER_PORT, // E1: the receiver's port serves one message at a time besides, in order of start
} Transfer;

typedef struct Hockney {
    double alpha, beta, gamma; // s, s per byte sent, s per byte reduced
    Transfer transfer;
} Hockney;

typedef enum Gear { GEAR_AUTO, GEAR_EVENT, GEAR_DATAFLOW, GEAR_LOCKSTEP } Gear;
extern const char *const gear_names[];

// A clock and how it came about: t = alpha count x alpha + beta bytes x beta + gamma bytes x gamma, along the chain of
// operations that determined it. node is that chain's last entry in the trace, 0: none.
typedef struct Stamp {
    double t;
    int64_t beta, gamma;
    int32_t alpha;
    uint32_t node;
} Stamp;
_Static_assert(sizeof(Stamp) == 32, "a stamp is copied with every message");

// A certificate: T = alpha x alpha + beta x beta + gamma x gamma, as integers.
typedef struct Certificate {
    int64_t alpha, beta, gamma;
} Certificate;

// One operation of a critical path, in order of time.
typedef struct PathStep {
    int rank, peer; // peer -1: none (a reduction)
    OpKind kind;    // OP_SEND, OP_RECV or OP_REDUCE
    uint64_t bytes;
    Certificate end; // of the step; it begins where the one before it ends
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
    int path_to;         // rank + 1 at which it ends; 0: the last rank to end
} ReplayOptions;

typedef struct Replay {
    Gear gear;
    int64_t simulated;       // ranks
    Certificate certificate; // of the last rank to end; of ranks that end together, the lowest
    double time_s;           // computed from the certificate; with skewed starts the clock
    Stamp *clocks;           // by rank, where asked for
    int path_from;           // rank at whose start the path begins
    GArray *path;            // PathStep, where asked for
    GArray *stuck;           // Stuck, in the order of ranks; empty: all is well
} Replay;

// A deadlock is a result. g_asserts that the gear asked for applies (see replay_gear_applies).
// NULL with an error where a path was asked for that is too long to keep, or `full` for more than MAX_CONTENDED messages
// that compete for ports.
enum { MAX_CONTENDED = 200000000 };
Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *options, GError **error);
void replay_free(Replay *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Replay, replay_free)

bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *options, Gear gear);

double certificate_time(const Certificate *c, const Hockney *model);
