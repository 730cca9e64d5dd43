// A schedule that is a graph (Schedule.graph), in the event gear. Private to that gear and to the machine.
//
// Operation k of the graph has request k of the machine's pool. Before it is issued, Req.at is the end of what it waits
// for, as far as that is known; Req.match is the operation that this end belongs to, or -1; and Req.older and Req.queue
// link the heap of its rank's operations that wait for their time.
#pragma once
#include "engine/goal/goal_match.h"
#include "engine/replay/machine.h"

typedef struct ReplayGraph {
    ScheduleGraph *of;
    const GoalOp *ops;
    GoalDependents ends, starts;
    uint32_t *open;   // by operation: how many others it still waits for
    Index *soon;      // by v: the heap of its operations that wait for nothing but their time; -1 for none
    bool *woken;      // by v: it is runnable
    uint32_t *left;   // by v: operations that it has not begun
    Stamp *end;       // by v: when the last of its operations that have ended did so
    uint32_t *last;   // by v: that operation
    uint32_t *cpu_of; // by v: where its CPUs begin in cpu
    Stamp *cpu;       // when each CPU is free
    GoalMatch match;  // of messages and receives
    Chain chain;      // its links
    GArray *kept;     // of Index: see graph_keeps()
    bool *reacts;     // by operation: it starts after a receive has ended; NULL if that changes no time
} ReplayGraph;

// Adds what the graph needs to a machine in the event gear, and makes those operations ready that wait for nothing.
void graph_begin(Machine *m);
// Sets the ranks' clocks to their ends.
void graph_end(Machine *m);
// Keeps a send whose rendezvous message may meet a receive from any rank until all that happens at this instant is
// known. Returns false if it need not be kept.
bool graph_keeps(Machine *m, Index send);
// Lets the sends that are kept meet their receives, in the order of their ranks or of their keys. Returns false if
// there are none.
bool graph_meet_kept(Machine *m, void (*meet)(Machine *m, Index send));
