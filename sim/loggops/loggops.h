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
typedef struct LoggopsParams {
    double L;     // latency, time
    double o;     // CPU per message, time
    double g;     // gap between messages of a NIC, time
    double G;     // gap per further byte, time
    double O;     // CPU per further byte, time
    double S;     // bytes above which a message is a rendezvous; INFINITY: never
    double gamma; // time per unit of a calc's size
} LoggopsParams;

enum { LOGGOPS_L, LOGGOPS_o, LOGGOPS_g, LOGGOPS_G, LOGGOPS_O, LOGGOPS_GAMMA, LOGGOPS_TERMS };

// How a time t was made: t = n[LOGGOPS_L] * L + n[LOGGOPS_o] * o + ... + n[LOGGOPS_GAMMA] * gamma, up to rounding.
typedef struct LoggopsStamp {
    double t;
    int64_t n[LOGGOPS_TERMS];
} LoggopsStamp;

typedef enum {
    LOGGOPS_STUCK_RECEIVE, // posted, and no message came
    LOGGOPS_STUCK_MESSAGE, // a send whose message arrived at `peer`, where nobody received it
    LOGGOPS_STUCK_BLOCKED, // never ready: what it requires was not done
} LoggopsStuckKind;

typedef struct LoggopsStuck {
    LoggopsStuckKind why;
    uint32_t op;
    GoalOp what; // with its host, peer, tag, size
} LoggopsStuck;

typedef struct LoggopsResult {
    uint32_t n_hosts;
    GArray *stuck;      // of LoggopsStuck, by host waited at, then blocked ones; empty if the run came to its end
    double *finish;     // per host: when its last CPU falls idle; NULL if anything is stuck
    uint32_t last_host; // the lowest host with the largest finishing time
    LoggopsStamp last;  // that time, as a formula
    // Private: the graph (borrowed), and per operation and clock what set it.
    const Goal *goal;
    LoggopsParams params;
    uint32_t *start_by, *take_by, *finish_by;
} LoggopsResult;

// Runs the graph from time 0. Deterministic; the graph is only read (several threads may share it) and must outlive the
// result. Free the result with loggops_result_free. O((n + e) log n) for n operations and e dependencies, as long as
// messages meet their receives near the head of the lists of those that wait.
LoggopsResult *loggops_run(const Goal *goal, const LoggopsParams *params);
void loggops_result_free(LoggopsResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LoggopsResult, loggops_result_free)

// The same costs as whole numbers of a tick: a nanosecond, as LogGOPSim has it, or a part of one.
typedef struct LoggopsTicks {
    uint64_t L, o, g, G, O;
    uint64_t S;     // bytes
    uint64_t gamma; // ticks per unit of a calc's size
} LoggopsTicks;

typedef struct LoggopsTicksResult {
    uint32_t n_hosts;
    GArray *stuck;      // as in LoggopsResult
    uint64_t *finish;   // per host, ticks; NULL if anything is stuck
    uint32_t last_host; // the lowest host with the largest finishing time
} LoggopsTicksResult;

// Returns false and bad input if a clock of loggops_run_ticks could pass 2^63 ticks. A time is the sum of charges along a
// path that takes each charge at most once, so the sum of all charges bounds every clock. The further bytes of a message of
// 0 bytes are left out: those wrap on purpose, see below. A unit of a calc is a nanosecond. O(n).
gboolean loggops_ticks_fit(const Goal *goal, const LoggopsTicks *ticks, GError **error);

// Runs the graph on clocks that count ticks in 64 bits and wrap, with no deviation at all from LogGOPSim: bytes beyond
// the first are (size - 1) modulo 2^64, so that a message of 0 bytes may set a clock back, even below 0 to nearly 2^64.
// All else as loggops_run; free with loggops_ticks_result_free.
LoggopsTicksResult *loggops_run_ticks(const Goal *goal, const LoggopsTicks *ticks);
void loggops_ticks_result_free(LoggopsTicksResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LoggopsTicksResult, loggops_ticks_result_free)

// The finishing time of a host as integer counts along its critical path. Where several things end at the very same
// time the host's own CPU comes first, then the NIC, then the message. Only of a run that came to its end.
LoggopsStamp loggops_stamp(const LoggopsResult *result, uint32_t host);

// The stamp's formula evaluated with these parameters, in their unit of time.
double loggops_time(const LoggopsStamp *stamp, const LoggopsParams *params);

// What the time between two points of a critical path was spent on.
typedef enum {
    LOGGOPS_CALC,        // calc: gamma * size
    LOGGOPS_SEND,        // send, the sender's CPU: o + (s-1)O
    LOGGOPS_SEND_GAP,    // send, the sender's NIC: g + (s-1)G
    LOGGOPS_FLIGHT,      // send, from its start until the first byte has arrived: o + L
    LOGGOPS_TAKE,        // receive, the receiver's CPU: o + max((s-1)O, (s-1)G)
    LOGGOPS_TAKE_GAP,    // receive, the receiver's NIC: g + (s-1)G
    LOGGOPS_ANSWER,      // receive, frees the sender as the first byte is taken: 0
    LOGGOPS_LATE_ANSWER, // receive, frees the sender as it is posted, after the message came: 0
} LoggopsStepKind;

typedef struct LoggopsStep {
    LoggopsStepKind kind;
    uint32_t host, op; // the operation, and the host it belongs to
    uint32_t peer;     // other end; a calc: its own host
    uint64_t size;     // bytes of the message, size of the calc
    double start, end; // each step starts where the one before it ends; the first at 0
} LoggopsStep;

// The critical path of a host's finishing time, first step to last; a GArray of LoggopsStep to free with g_array_unref. A
// dependency never shows of its own: what is released starts when a CPU or NIC is free. Only of a run that came to its
// end.
GArray *loggops_path(const LoggopsResult *result, uint32_t host);
