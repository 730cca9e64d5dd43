// From schedule to time in shared memory. No ports and no messages: a rank's operations follow each other, and an await
// ends a flag's latency after the flag was raised, if that is later. Writing a slot costs n write, reducing n gamma,
// reading n read, and where more than `lanes` ranks read the same fragment, n read x readers / lanes.
//
// A certificate has these as integers along the chain that determined the end, crowded reads as n x readers bytes of
// read/lanes. Of equal times (but for rounding) a rank's own program order comes first: an await counts only if it ends
// strictly later.
#pragma once
#include "replay/result.h"

typedef struct SharedCosts {
    double write, read, lanes, flag, gamma; // s per byte, s per byte, >= 1, s, s per byte
} SharedCosts;

typedef enum { SHARED_WRITE, SHARED_READ, SHARED_CROWD, SHARED_FLAG, SHARED_GAMMA, SHARED_TERMS } SharedTerm;

typedef struct SharedCertificate {
    int64_t n[SHARED_TERMS];
} SharedCertificate;

// One operation of a critical path, in order of time.
typedef struct SharedStep {
    int rank, peer;         // peer: whose slot is read, whose flag awaited; -1: none
    int kind;               // OP_WRITE, OP_READ, OP_REDUCE or OP_AWAIT
    uint64_t bytes;         // of a flag: 0
    SharedCertificate cost; // of this step
} SharedStep;

// A rank that awaits what is never raised.
typedef struct SharedStuck {
    int rank, who, queue;
    uint64_t n;         // what it awaits
    uint64_t operation; // number in the rank's text, copies within its own memory not counted, from 0
} SharedStuck;

typedef struct SharedReplay {
    SharedCertificate certificate; // of the last rank to end; of ranks that end together, the lowest
    double time_s;                 // computed from the certificate; with skewed starts the clock
    double clock_s;                // of the last rank to end
    double *clocks;                // by rank, where asked for
    GArray *path;                  // SharedStep, where asked for
    GArray *stuck;                 // SharedStuck, in the order of ranks; empty: all is well
} SharedReplay;

// A deadlock is a result. Of the options gear, full and path_to mean nothing. s->shared, or s has no messages. NULL with an
// error only where a path was asked for that is too long to keep.
SharedReplay *shared_replay(const Schedule *s, const SharedCosts *costs, const ReplayOptions *options, GError **error);
void shared_replay_free(SharedReplay *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SharedReplay, shared_replay_free)

double shared_time(const SharedCertificate *c, const SharedCosts *costs);
