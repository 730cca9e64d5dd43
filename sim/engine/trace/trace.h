// A trace: what every rank of a run did when, as slices on tracks, to be written for a viewer. It is made from the
// ledger of the run (engine/replay/ledger.h), so its times are those that the run charged, in whole ns: starts and ends
// are rounded, each by itself, and the end of the last rank is the predicted time.
//
// A trace has at most TRACE_EVENTS events: each slice, also of a phase, each end of a flow and each value of a counter
// is one. If the run has more, the trace has the critical path of the whole run, and of the ranks asked for (by default
// 0 .. 63) what begins before a moment that leaves room for it.
#pragma once
#include "machine/platform/mapping.h"
#include "engine/replay/ledger.h"

enum { TRACE_EVENTS = LEDGER_OPERATIONS, TRACE_RANKS = LEDGER_RANKS };

typedef enum TraceTrack {
    TRACE_CPU,     // what the rank does, or waits for
    TRACE_OUT,     // its messages, while they have its out-port
    TRACE_IN,      // messages to it, while they have its in-port
    TRACE_NIC_OUT, // of a node: messages, while they have its NIC on their way out ..
    TRACE_NIC_IN,  // .. and in
    TRACE_MEMORY,  // of a node: messages within it, while they have its memory
    TRACE_PATH,    // the steps of the critical path, of all ranks
    TRACE_TRACKS
} TraceTrack;

typedef struct TraceSlice {
    int64_t begin, end; // ns
    uint64_t bytes;
    const char *phase; // of the algorithm's text (LedgerStep.phase); NULL for none
    uint64_t message;  // of a slice at a port: the same number at both ends; 0 for none
    int64_t came; // TRACE_OUT: when the message is at its receiver; TRACE_IN: where the arrow from its sender ends, in
                  // the slice and not before the message begins
    int32_t rank, peer;
    int32_t node;  // of the tracks of a node: it, and `rank` sends the message to `peer`; otherwise -1
    uint8_t unit;  // the number of the CPU or NIC among those of the rank, or of the node
    uint16_t lane; // on a track on which slices overlap, as of a rank with several ports: its part, from 0
    uint8_t track; // a TraceTrack
    uint8_t kind;  // as LedgerStep.kind
    uint8_t op;    // as LedgerStep.op
    bool waits;    // TRACE_CPU: the rank waits, for requests that it issued before or (LogP family) for what comes next
    bool works;    // TRACE_CPU, of a message: the rank works on it
    bool flows;    // the other end of the message is in the trace as well
} TraceSlice;

// A stretch of a rank's CPU track in one phase of the algorithm: from the first to the last of the slices there that
// follow each other in this phase. Slices of no length do not count.
typedef struct TracePhase {
    int64_t begin, end; // ns
    const char *name;   // as TraceSlice.phase
    int32_t rank;
} TracePhase;

// What a link has from a moment on.
typedef struct TraceLinkCount {
    int64_t at; // ns
    uint32_t messages;
    uint64_t bytes; // rounded down; with spread routing, the share of the message
} TraceLinkCount;

typedef struct TraceLink {
    char *name;     // as people call it
    uint64_t bytes; // of all messages in the trace
    uint32_t most;  // the most messages at a time
    GArray *counts; // of TraceLinkCount, by time
} TraceLink;

// A value of a counter from a moment on.
typedef struct TraceCount {
    int64_t at;     // ns
    int32_t node;   // the node whose ranks sent the bytes; -1 for all ranks in the trace
    uint64_t bytes; // on their way to a receiver
} TraceCount;

typedef struct Trace {
    GArray *slices; // of TraceSlice, by track, rank or node, unit, lane and begin; those of the critical path last
    GArray *phases; // of TracePhase, by rank and time
    GArray *counts; // of TraceCount, by node and time
    GArray *links;  // of TraceLink: the busiest ones (trace_links.h); NULL unless trace_add_links has been called
    guint flows;    // messages that have both ends in the trace
    int64_t end;    // the predicted time in ns
    int p, n_ranks; // ranks of the run, and those in the trace
    GArray *ranks;  // of int: those in the trace
    int64_t cut;    // what begins at this moment or later is missing, apart from the critical path; -1 for nothing
    guint path_steps, path_left; // steps of the critical path in the trace, and those missing
    const char *no_path;         // why no critical path is known; NULL if one is
    bool nodes;                  // ranks are on nodes of several ranks
    bool window;                 // only a part of the time was asked for
} Trace;

// Makes the trace of a run that took time_s. `map` may be NULL.
Trace *trace_new(const Ledger *ledger, double time_s, const Mapping *map, const LedgerWish *wish);
void trace_free(Trace *trace); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Trace, trace_free)

// Returns whether two slices are on one track.
bool trace_same_track(const TraceSlice *a, const TraceSlice *b);
// Returns how many events the trace has.
guint trace_events(const Trace *trace);
// Returns what is missing in the trace, as a line of text; NULL if nothing is. Free with g_free.
char *trace_missing(const Trace *trace);
// Returns what a slice is called: "reduce", "wait", "to 5", "from 3", "0 send to 5". Free with g_free.
char *trace_name(const TraceSlice *slice);

// Sets trace->counts anew, from the slices, as trace_new() does. Without nodes, which may be NULL, all ranks have one
// counter.
void trace_count_bytes(Trace *trace, const CollNodes *nodes);
