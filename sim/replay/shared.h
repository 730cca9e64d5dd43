// The replay in shared memory: how long a schedule of reads, writes, reductions and flags takes. There are no ports and
// no messages. A rank's operations follow each other, and an await ends at the rank's own clock or `flag` after the
// flag was raised, whichever is later. For n bytes, writing a slot takes n write, reducing n gamma, and reading n read,
// or n read readers / lanes if more than `lanes` ranks read the slot.
//
// A certificate counts these terms along the chain that determined the end, as integers; a crowded read counts as n
// readers bytes of read / lanes. If times are equal, apart from rounding, a rank's own program order counts: an await
// is part of the chain only if it ends strictly later than the rank's clock.
#pragma once
#include "replay/result.h"
#include "replay/shared_costs.h"

// The counts of a chain, by SharedTerm: bytes written; bytes read; bytes of crowded reads, each times its readers;
// flags awaited; bytes reduced.
typedef struct SharedCertificate {
    int64_t n[SHARED_TERMS];
} SharedCertificate;

// One operation of a critical path.
typedef struct SharedStep {
    int rank, peer;         // peer is the rank whose slot is read or whose flag is awaited; -1 for other operations
    int kind;               // OP_WRITE, OP_READ, OP_REDUCE or OP_AWAIT
    uint64_t bytes;         // 0 for a flag
    uint16_t phase;         // of the operation (Op.phase)
    SharedCertificate cost; // what this step costs
} SharedStep;

// A rank that awaits a flag which is never raised that far.
typedef struct SharedStuck {
    int rank, who, queue; // `rank` awaits the flag that rank `who` has for the queue of rank `queue`
    uint64_t n;           // the value that it awaits
    uint64_t operation;   // the operation's number in the rank's text, from 0; copies in its own memory are not counted
} SharedStuck;

typedef struct SharedReplay {
    SharedCertificate certificate; // of the last rank to end; if several end together, of the lowest rank among them
    double time_s;                 // the certificate's value; with starts other than 0, the clock
    double clock_s;                // the clock of the last rank to end
    double *clocks;                // by rank; NULL unless asked for
    GArray *path;                  // of SharedStep, in order of time; NULL unless asked for
    struct Ledger *ledger;         // NULL unless asked for, and if ranks are stuck (ledger.h)
    GArray *stuck;                 // of SharedStuck, in the order of ranks; empty if every rank came to its end
} SharedReplay;

// Replays a schedule that has no messages. A deadlock is a result. The options gear and full are ignored. Returns NULL
// and a bad-input error only if the path that was asked for is too long to keep. Free with shared_replay_free.
SharedReplay *shared_replay(const Schedule *s, const SharedCosts *costs, const ReplayOptions *options, GError **error);
// Frees a result; NULL is allowed.
void shared_replay_free(SharedReplay *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SharedReplay, shared_replay_free)

// Returns the certificate's value in s.
double shared_time(const SharedCertificate *c, const SharedCosts *costs);
