// The ledger of a run: every operation of every rank with the times that the run charged. A run that keeps one is the same
// run, in the gear dataflow or event, which notes these times beside the entries of its trace; other runs pay nothing.
// Where a few ranks stood for all, the ledger has theirs, and gives those of any rank.
#pragma once
#include "replay/result.h"

struct Machine;

// One operation, or a step of the critical path.
typedef struct LedgerStep {
    int kind;          // OP_SEND, OP_RECV, OP_REDUCE .., or on a path PATH_NIC or PATH_MEMORY
    int op;            // the operation of the text that it is a part of, as OP_ISEND or OP_SENDRECV
    int rank, peer;    // peer: -1 for the rank's own work
    uint64_t bytes;    // 0 for a flag
    double issued;     // the rank's clock when it came to the operation
    double next;       // .. when it came to the one after it, or its end
    double begin, end; // of the rank's own work: when it is done; of a step of a path: its time
    double takes,
        left;         // of a message: from when to when it has this rank's port; equal if it passes without taking it,
                      // and takes is negative if nothing says when it passes
    double came;      // of a send: when the message is at its receiver, if it leaves at `takes`
    uint64_t message; // the same number at both ends of a message; 0 for none
} LedgerStep;

typedef struct Ledger Ledger;

// Returns the ledger of a machine that came to rest without stuck ranks; `last` is the v of the last rank to end. Takes the
// machine's trace and times.
Ledger *ledger_of_machine(struct Machine *m, int last);
// Returns a ledger of steps that are complete: `steps` (of LedgerStep) in the order of each of p ranks, with the `next` of each
// set here from `ends`, by rank; and the numbers of those on the critical path (of guint). Takes the arrays.
Ledger *ledger_of_steps(int p, GArray *steps, const double *ends, GArray *path);
// Makes the ledger the owner of its schedule, which must live as long as the ledger.
void ledger_keep(Ledger *ledger, Schedule *s);
void ledger_free(Ledger *ledger); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ledger, ledger_free)

int ledger_ranks(const Ledger *ledger);
// Returns the clock of the last rank to end, and of this rank.
double ledger_end(const Ledger *ledger);
double ledger_end_of(const Ledger *ledger, int rank);
// Returns how many operations a rank has; operation i, in the order of its text; and when the rank came to it.
guint ledger_count(const Ledger *ledger, int rank);
LedgerStep ledger_step(const Ledger *ledger, int rank, guint i);
double ledger_issued(const Ledger *ledger, int rank, guint i);
// Returns the length of the critical path, and its step i in the order of time. Each begins where the one before it ends.
guint ledger_path_length(const Ledger *ledger);
LedgerStep ledger_path_step(const Ledger *ledger, guint i);
