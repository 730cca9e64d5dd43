// The part of a ledger that is wanted of a long run: the entries of some ranks, and of the messages that others
// exchange with them, before a moment. As soon as all of these are there, the run is given up. Entry 1 of the trace
// stands for every operation that is left out, so that the gears go on as if it was there. Private to the replay.
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct Machine;
struct LedgerWish;

enum { LEFT_OUT = 1 };

typedef struct LedgerFilter {
    bool *has;       // by rank; NULL for all
    bool *wanted;    // by v
    bool *passed;    // by v: it has come to `until`, or to its end
    double *after;   // by v: when it came to the first operation that was left out; -1 for none
    double from;     // what ranks do before need not be counted
    double until;    // what ranks come to at this moment or later is left out
    GArray *issued;  // of double: when wanted ranks came to operations
    bool *near;      // by v: it may exchange messages with wanted ranks
    bool *asked;     // flow, by v: it is wanted, or a rank that has begun exchanges a message with it. Others wait
    GArray *next;    // of int: the v that are asked for and have not begun
    double horizon;  // flow: ranks that have come to it wait until all others have, too
    double step;     // .. and then it moves on by so much
    GArray *parked;  // of int: the v that wait for it
    bool complete;   // everything before `until` has happened
    int left;        // wanted v that have not passed
    int64_t open;    // ends of messages of wanted v that have not met the other end
    int64_t skipped; // operations that were left out
    bool enough;     // nothing is missing any more, or it would take too long
} LedgerFilter;

// `end` is when the whole run ends.
LedgerFilter *filter_new(const struct Machine *m, const struct LedgerWish *wish, double end);
void filter_free(LedgerFilter *f); // NULL is allowed
// Returns whether v's present operation, `kind` of it, belongs into the trace.
bool filter_keeps(struct Machine *m, int v, bool receives);
// Flow: returns whether v may go on now. Otherwise it waits for the horizon.
bool filter_goes_on(struct Machine *m, int v);
// Flow: makes ranks runnable, when all that have begun wait. If some wait for the horizon, it moves on; otherwise those
// begin that are asked for. So a rank too far away to matter in the time that is wanted never begins. Returns false if
// there are none, or enough has happened.
bool filter_advance(struct Machine *m);
// Notes that the message with these entries has met its receive, or that v has come to its end.
void filter_met(struct Machine *m, uint32_t recv, uint32_t message);
void filter_ended(struct Machine *m, int v);
// Sets `until` to what is complete, after the run.
void filter_settle(struct Machine *m);
