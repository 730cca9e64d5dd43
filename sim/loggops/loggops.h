// The LogGOPS model: a discrete-event run of a dependency graph, charged exactly as LogGOPSim does (commit 76451de,
// Hoefler, Schneider, Lumsdaine, HPDC 2010): loggops_run on clocks of doubles, with one deviation, that a message of 0
// bytes costs what one of 1 byte costs; loggops_run_ticks on LogGOPSim's integers, with none.
//
//   host 0  |o--(s-1)O--|......          cpu: next operation        snd: next send  t + g + (s-1)G
//            \  o + L
//   host 1       \--->|o--max((s-1)O, (s-1)G)--|   cpu               rcv: next take  t + g + (s-1)G
//
// A message longer than S bytes (rendezvous) leaves and arrives the same; only its send is done no sooner than a
// receive meets its first byte. Every clock remembers the operation that set it, so that any host's time can be given
// as integer counts of L, o, g, G, O, gamma and as the list of steps that made it.
#pragma once
#include "loggops/goal.h"

// All >= 0, in one unit of time that the caller chooses; whole numbers stay exact below 2^53.
typedef struct LogParams {
    double L;     // latency, time
    double o;     // CPU per message, time
    double g;     // gap between messages of a NIC, time
    double G;     // gap per further byte, time
    double O;     // CPU per further byte, time
    double S;     // bytes above which a message is a rendezvous; INFINITY: never
    double gamma; // time per unit of a calc's size
} LogParams;

enum { LOG_L, LOG_o, LOG_g, LOG_G, LOG_O, LOG_GAMMA, LOG_TERMS };

// How a time t was made: t = n[LOG_L] * L + n[LOG_o] * o + ... + n[LOG_GAMMA] * gamma, up to rounding.
typedef struct LogStamp {
    double t;
    int64_t n[LOG_TERMS];
} LogStamp;

typedef enum {
    LOG_STUCK_RECEIVE, // posted, and no message came
    LOG_STUCK_MESSAGE, // a send whose message arrived at `peer`, where nobody received it
    LOG_STUCK_BLOCKED, // never ready: what it requires was not done
} LogStuckKind;

typedef struct LogStuck {
    LogStuckKind why;
    uint32_t op;
    GoalOp what; // with its host, peer, tag, size
} LogStuck;

typedef struct LogResult {
    uint32_t n_hosts;
    GArray *stuck;      // of LogStuck, by host waited at, then blocked ones; empty if the run came to its end
    double *finish;     // per host: when its last CPU falls idle; NULL if anything is stuck
    uint32_t last_host; // the lowest host with the largest finishing time
    LogStamp last;      // that time, as a formula
    // Private: the graph (borrowed), and per operation and clock what set it.
    const Goal *goal;
    LogParams params;
    uint32_t *start_by, *take_by, *finish_by;
} LogResult;

// Runs the graph from time 0. Deterministic; the graph is only read (several threads may share it) and must outlive the
// result. Free the result with loggops_result_free. O((n + e) log n) for n operations and e dependencies, as long as
// messages meet their receives near the head of the lists of those that wait.
LogResult *loggops_run(const Goal *goal, const LogParams *params);
void loggops_result_free(LogResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LogResult, loggops_result_free)

// The same costs as whole numbers of a tick: a nanosecond, as LogGOPSim has it, or a part of one.
typedef struct LogTicks {
    uint64_t L, o, g, G, O;
    uint64_t S;     // bytes
    uint64_t gamma; // ticks per unit of a calc's size
} LogTicks;

typedef struct LogTicksResult {
    uint32_t n_hosts;
    GArray *stuck;      // as in LogResult
    uint64_t *finish;   // per host, ticks; NULL if anything is stuck
    uint32_t last_host; // the lowest host with the largest finishing time
} LogTicksResult;

// Runs the graph on clocks that count ticks in 64 bits and wrap, with no deviation at all from LogGOPSim: bytes beyond
// the first are (size - 1) modulo 2^64, so that a message of 0 bytes may set a clock back, even below 0 to nearly 2^64.
// All else as loggops_run; free with loggops_ticks_result_free.
LogTicksResult *loggops_run_ticks(const Goal *goal, const LogTicks *ticks);
void loggops_ticks_result_free(LogTicksResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LogTicksResult, loggops_ticks_result_free)

// The finishing time of a host as integer counts along its critical path. Where several things end at the very same
// time the host's own CPU comes first, then the NIC, then the message. Only of a run that came to its end.
LogStamp loggops_stamp(const LogResult *result, uint32_t host);

// The stamp's formula evaluated with these parameters, in their unit of time.
double loggops_time(const LogStamp *stamp, const LogParams *params);

// What the time between two points of a critical path was spent on.
typedef enum {
    LOG_CALC,        // calc: gamma * size
    LOG_SEND,        // send, the sender's CPU: o + (s-1)O
    LOG_SEND_GAP,    // send, the sender's NIC: g + (s-1)G
    LOG_FLIGHT,      // send, from its start until the first byte has arrived: o + L
    LOG_TAKE,        // receive, the receiver's CPU: o + max((s-1)O, (s-1)G)
    LOG_TAKE_GAP,    // receive, the receiver's NIC: g + (s-1)G
    LOG_ANSWER,      // receive, frees the sender as the first byte is taken: 0
    LOG_LATE_ANSWER, // receive, frees the sender as it is posted, after the message came: 0
} LogStepKind;

typedef struct LogStep {
    LogStepKind kind;
    uint32_t host, op; // the operation, and the host it belongs to
    uint32_t peer;     // other end; a calc: its own host
    uint64_t size;     // bytes of the message, size of the calc
    double start, end; // each step starts where the one before it ends; the first at 0
} LogStep;

// The critical path of a host's finishing time, first step to last; a GArray of LogStep to free with g_array_unref. A
// dependency never shows of its own: what is released starts when a CPU or NIC is free. Only of a run that came to its
// end.
GArray *loggops_path(const LogResult *result, uint32_t host);
