// The ledger of a run: every operation of every rank with the times that the run charged. A run that keeps one is the
// same run, in the gear flow or event, which notes these times together with the entries of its trace; other runs pay
// nothing. Where a few ranks stood for all, the ledger has theirs, and gives those of any rank. A ledger of a long run
// has only the ranks and the time that somebody wants to see, and the whole critical path.
#pragma once
#include "engine/replay/result.h"

struct Machine;

enum { LEDGER_OPERATIONS = 400000, LEDGER_RANKS = 64 };

// What is wanted of a run. The zero value stands for all ranks and all the time, if the ranks have at most
// LEDGER_OPERATIONS operations. If they have more, it stands for the ranks 0 .. LEDGER_RANKS - 1, from the start until
// LEDGER_OPERATIONS is reached.
typedef struct LedgerWish {
    GArray *ranks;   // of int, in order, each once; NULL for all that there is room for. Borrowed
    double from, to; // in s; to is INFINITY or 0 for the end
} LedgerWish;

// What a message occupies in addition to ports, where ranks of a node share something.
typedef enum { LEDGER_NOTHING, LEDGER_NIC_OUT, LEDGER_NIC_IN, LEDGER_MEMORY } LedgerResource;

// One operation, or a step of the critical path.
typedef struct LedgerStep {
    int kind;          // OP_SEND, OP_RECV, OP_REDUCE .., or on a path PATH_NIC or PATH_MEMORY
    int op;            // the operation of the text that it is a part of, as OP_ISEND or OP_SENDRECV
    int rank, peer;    // peer: -1 for the rank's own work
    uint64_t bytes;    // 0 for a flag
    const char *phase; // of the operation, if the schedule has phases; NULL for none; lives as long as the program
    double issued;     // the rank's clock when it came to the operation
    double next;       // .. when it came to the one after it, or its end
    double begin, end; // of the rank's own work: when it is done; of a step of a path: its time
    double takes,
        left;          // of a message: from when to when it has this rank's port; equal if it passes without taking it,
                       // and takes is negative if nothing says when it passes
    double came;       // of a send: when the message is at its receiver, if it leaves at `takes`
    uint64_t message;  // the same number at both ends of a message; 0 for none
    double busy, idle; // from when to when the message occupies `resource`
    LedgerResource resource; // of the node of this rank; LEDGER_NOTHING for none
    bool works;              // of a message: the rank works on it from `issued` to `end`, and waits from then on
    uint8_t cpu, nic; // their numbers among those of the rank in a GOAL schedule, or (nic) of the node; otherwise 0
} LedgerStep;

typedef struct Ledger Ledger;

// Returns the ledger of a machine that came to rest without stuck ranks; `last` is the v of the last rank to end. Takes
// the machine's trace and times.
Ledger *ledger_of_machine(struct Machine *m, int last);
// Returns a ledger of steps that are complete: `steps` (of LedgerStep), those of each of p ranks in order; the ends by
// rank; and the critical path (of LedgerStep), NULL if none is known. It has what ranks with has[rank] do before
// `until`; `has` is NULL for all ranks. Takes the arrays and `has`.
Ledger *ledger_of_steps(int p, GArray *steps, const double *ends, GArray *path, bool *has, double until);
// Returns has[] for a wish, NULL for all ranks. `operations` is the number of operations that the ranks have in all.
// Free with g_free.
bool *ledger_wanted(const LedgerWish *wish, int p, uint64_t operations);
// Returns a moment before which ranks come to more than `enough` operations, or INFINITY if there are no more than
// that. `issued` (of double) has when ranks come to operations; it is sorted.
double ledger_until(GArray *issued, guint enough);
// Puts a path (of LedgerStep) that was collected backwards into the order of time.
void ledger_in_order(GArray *path);
// Gives a ledger of a part of a run the path of the whole (of PathStep, taken; NULL if it is not known), which begins at
// `begin`, and its end.
void ledger_take_path(Ledger *ledger, GArray *path, double begin, double end);
// Notes when each rank begins.
void ledger_start(Ledger *ledger, const double *start);
// Returns when a rank begins: 0 unless ledger_start was called.
double ledger_start_of(const Ledger *ledger, int rank);
// Makes the ledger the owner of its schedule, which must live as long as the ledger.
void ledger_keep(Ledger *ledger, Schedule *s);
void ledger_free(Ledger *ledger); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ledger, ledger_free)

int ledger_ranks(const Ledger *ledger);
// Returns whether the ledger has what this rank does; and until when it has what such ranks do: INFINITY for their
// ends.
bool ledger_has(const Ledger *ledger, int rank);
double ledger_complete(const Ledger *ledger);
// Returns the clock of the last rank to end, and of this rank.
double ledger_end(const Ledger *ledger);
double ledger_end_of(const Ledger *ledger, int rank);
// Returns how many operations a rank has; operation i, in the order of its text; and when the rank came to it.
guint ledger_count(const Ledger *ledger, int rank);
LedgerStep ledger_step(const Ledger *ledger, int rank, guint i);
double ledger_issued(const Ledger *ledger, int rank, guint i);
// Returns the length of the critical path, and its step i in the order of time. Each begins where the one before it
// ends. The length is 0 if no path is known.
guint ledger_path_length(const Ledger *ledger);
// Returns, of a ledger without a path, what is missing and why, as part of a sentence.
const char *ledger_no_path(const Ledger *ledger);
LedgerStep ledger_path_step(const Ledger *ledger, guint i);
