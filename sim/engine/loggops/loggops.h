// The LogGOPS model: runs a dependency graph event by event, with the costs of LogGOPSim (commit 76451de; Hoefler,
// Schneider, Lumsdaine, HPDC 2010). loggops_run has clocks of doubles and one deviation: a message of 0 bytes costs as
// much as one of 1 byte. loggops_run_ticks has LogGOPSim's integer clocks and times. Both report an operation that can
// never start, as in a circle of dependencies, as stuck; LogGOPSim gives times without it. A message of s bytes that
// starts at t:
//
//   host 0  |o--(s-1)O--|......          cpu: next operation        snd: next send  t + g + (s-1)G
//            \  o + L
//   host 1       \--->|o--max((s-1)O, (s-1)G)--|   cpu               rcv: next take  t + g + (s-1)G
//
// On a machine with levels, L and G are those of the message's level (GoalOp.level); o, g, O and S belong to a host.
// loggops_run_ticks has one level, as LogGOPSim.
//
// A message longer than S bytes is a rendezvous. It leaves and arrives in the same way, but its send is not done before
// a receive has met its first byte. If the message arrives before its receive is posted, the receive's size decides
// whether it is a rendezvous there, as in LogGOPSim. So if the two sizes lie on different sides of S, an eager send may
// be done twice (its CPU and NIC are then busy until the receive, and what depends on it loses two dependencies), or a
// rendezvous send may never be done. Every clock remembers the operation that set it, so the time of any host can be
// given as integer counts of L, o, g, G, O and gamma, and as a list of the steps that made it.
#pragma once
#include "engine/goal/goal.h"

// The figures that depend on how far apart two hosts are.
typedef struct LoggopsLevel {
    double L, G; // as in LoggopsParams
} LoggopsLevel;

// The parameters. All are >= 0. Times are in a unit that the caller chooses; if they are whole numbers, clocks are
// exact below 2^53. A "further" byte is any byte of a message but the first.
typedef struct LoggopsParams {
    double L;     // latency
    double o;     // CPU time per message
    double g;     // gap between messages of a NIC
    double G;     // gap per further byte
    double O;     // CPU time per further byte
    double S;     // longest message, in bytes, that is not a rendezvous; INFINITY if none is
    double gamma; // time per unit of a calc's size
    // The L and G of each level in place of those above, n_levels of them, which is more than any message's level.
    // n_levels is 0 if all messages have those above, whatever their level.
    const LoggopsLevel *level;
    int n_levels;
} LoggopsParams;

enum { LOGGOPS_L, LOGGOPS_o, LOGGOPS_g, LOGGOPS_G, LOGGOPS_O, LOGGOPS_GAMMA, LOGGOPS_TERMS };

// A part of the counts: those of one level.
typedef struct LoggopsLevelCount {
    int64_t L, G;
} LoggopsLevelCount;

// A time t with its counts: t = n[LOGGOPS_L] * L + n[LOGGOPS_o] * o + ... + n[LOGGOPS_GAMMA] * gamma, up to rounding.
// With levels, n[LOGGOPS_L] and n[LOGGOPS_G] are the sums over `level`, and each level's counts have its own L and G.
typedef struct LoggopsStamp {
    double t;
    int64_t n[LOGGOPS_TERMS];
    LoggopsLevelCount *level; // by level; NULL if LoggopsParams.n_levels is 0
} LoggopsStamp;

typedef enum {
    LOGGOPS_STUCK_RECEIVE, // a receive was posted, but no message came
    LOGGOPS_STUCK_MESSAGE, // a send's message arrived at `peer`, where no receive met it
    LOGGOPS_STUCK_BLOCKED, // an operation never became ready, because what it requires did not happen
} LoggopsStuckKind;

typedef struct LoggopsStuck {
    LoggopsStuckKind why;
    uint32_t op;
    GoalOp what; // a copy of operation `op`
} LoggopsStuck;

typedef struct LoggopsResult {
    uint32_t n_hosts;
    GArray *stuck;      // of LoggopsStuck: by host, receives and messages; then blocked operations; empty if all ended
    double *finish;     // per host, when its last CPU becomes idle; NULL if anything is stuck
    uint32_t last_host; // the lowest host with the largest finishing time
    LoggopsStamp last;  // the finishing time of that host
    // Private: the graph (borrowed); the parameters, whose levels are borrowed, or are `own` if n_levels is 0; and what
    // set each operation's start and each host's finishing time.
    const Goal *goal;
    LoggopsParams params;
    LoggopsLevel *own;
    uint32_t *start_by, *take_by, *finish_by;
    struct LoggopsTimes *times; // NULL unless asked for, and if anything is stuck
} LoggopsResult;

// The n hosts of a graph stand for p hosts: host v of the whole run does what host v mod n does. In the graph, a
// message or receive names its peer by the number modulo n, and its tag says how far its receiver is from its sender:
// the difference mod p, or the XOR of their numbers.
typedef struct LoggopsFew {
    uint32_t p; // a multiple of n, below 2^31; if is_xor, both are powers of two
    gboolean is_xor;
} LoggopsFew;

// Runs the graph from time 0. The result is deterministic. The graph is only read, so several threads may share it, and
// it must outlive the result, and so must params->level. A deadlock is a result. Free the result with
// loggops_result_free. Takes O((n + e) log n) for n operations and e dependencies, as long as a message meets its
// receive near the head of its host's list.
LoggopsResult *loggops_run(const Goal *goal, const LoggopsParams *params);
// Does the same and keeps the times of every operation in result->times.
LoggopsResult *loggops_run_timed(const Goal *goal, const LoggopsParams *params);
// Does the same with few hosts that stand for all. All hosts begin and end as those of the graph do, to the bit.
// Returns NULL if it depends on the numbers of hosts how ties are decided, or if anything is stuck; then all hosts must
// be simulated. No operation may be on another CPU or NIC than 0.
LoggopsResult *loggops_run_few(const Goal *goal, const LoggopsParams *params, const LoggopsFew *few);
void loggops_result_free(LoggopsResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LoggopsResult, loggops_result_free)

// The messages that have another size at the receive than at the send, in the order in which they were met.
enum { LOGGOPS_UNEQUAL_KEPT = 4 };
typedef struct LoggopsPair {
    uint32_t send, recv; // operations
} LoggopsPair;
typedef struct LoggopsUnequal {
    uint32_t n;
    LoggopsPair first[LOGGOPS_UNEQUAL_KEPT]; // the first of them, n at most
} LoggopsUnequal;

// The parameters as whole numbers of ticks. A tick is a nanosecond, as in LogGOPSim, or a part of one.
typedef struct LoggopsTicks {
    uint64_t L, o, g, G, O;
    uint64_t S;     // in bytes; UINT64_MAX if no message is a rendezvous
    uint64_t gamma; // ticks per unit of a calc's size
} LoggopsTicks;

typedef struct LoggopsTicksResult {
    uint32_t n_hosts;
    GArray *stuck;      // as in LoggopsResult
    uint64_t *finish;   // per host, when its last CPU becomes idle, in ticks; NULL if anything is stuck
    uint32_t last_host; // the lowest host with the largest finishing time
    LoggopsUnequal unequal;
    struct LoggopsTimes *times; // NULL unless asked for, and if anything is stuck
} LoggopsTicksResult;

// Returns FALSE and a bad-input error if a clock of loggops_run_ticks could pass 2^63 ticks. A time is the sum of
// charges along a path that takes each charge at most once, so the sum of all charges bounds every clock. The charges
// for further bytes of a message of 0 bytes are left out, because these wrap on purpose (see loggops_run_ticks). A unit
// of a calc's size must be a nanosecond. O(n).
gboolean loggops_ticks_fit(const Goal *goal, const LoggopsTicks *ticks, GError **error);

// Runs the graph as loggops_run does, on clocks that count ticks in 64 bits and wrap, without any deviation from
// LogGOPSim. A message has (size - 1) modulo 2^64 further bytes. So one of 0 bytes may set a clock back, even below 0,
// which is a time near 2^64. Free with loggops_ticks_result_free.
LoggopsTicksResult *loggops_run_ticks(const Goal *goal, const LoggopsTicks *ticks);
// Does the same and keeps the times of every operation in result->times. A clock of 2^53 ticks or more is rounded
// there.
LoggopsTicksResult *loggops_run_ticks_timed(const Goal *goal, const LoggopsTicks *ticks);
void loggops_ticks_result_free(LoggopsTicksResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LoggopsTicksResult, loggops_ticks_result_free)

// Returns the finishing time of a host with its counts along the critical path. If several things end at the same time,
// the host's own CPU counts first, then the NIC, then the message; of its CPUs, the one that the graph names first. If
// O and G are equal, the further bytes that a receiver takes count as O. The run must have come to its end (nothing is
// stuck). Free stamp.level with g_free.
LoggopsStamp loggops_stamp(const LoggopsResult *result, uint32_t host);

// Returns the value of the stamp's counts with these parameters, in their unit of time. They have as many levels as
// the run had. Levels with equal figures that follow each other are worth to the bit what one level is.
double loggops_time(const LoggopsStamp *stamp, const LoggopsParams *params);

// The kinds of steps of a critical path, and what each costs for a message of s bytes.
typedef enum {
    LOGGOPS_CALC,        // a calc: gamma * size
    LOGGOPS_SEND,        // a send, on the sender's CPU: o + (s-1)O
    LOGGOPS_SEND_GAP,    // a send, on the sender's NIC: g + (s-1)G
    LOGGOPS_FLIGHT,      // a send, from its start until the first byte has arrived: o + L
    LOGGOPS_TAKE,        // a receive, on the receiver's CPU: o + max((s-1)O, (s-1)G)
    LOGGOPS_TAKE_GAP,    // a receive, on the receiver's NIC: g + (s-1)G
    LOGGOPS_ANSWER,      // a receive frees a rendezvous sender when it takes the first byte: 0
    LOGGOPS_LATE_ANSWER, // a receive posted after the message came frees a rendezvous sender: 0
} LoggopsStepKind;

typedef struct LoggopsStep {
    LoggopsStepKind kind;
    uint32_t host, op; // the operation, and the host that it belongs to
    uint32_t peer;     // the host at the other end; for a calc, its own host
    uint64_t size;     // the bytes of the message, or the size of the calc
    int level;         // of the message (GoalOp.level)
    double start, end; // a step starts where the one before it ends; the first starts at 0
} LoggopsStep;

// Returns the critical path of a host's finishing time, from the first step to the last, as an array of LoggopsStep;
// free it with g_array_unref. A dependency is never a step of its own, because the operation that it releases starts
// when a CPU or NIC becomes free. The run must have come to its end.
GArray *loggops_path(const LoggopsResult *result, uint32_t host);

// The times of a run's operations, in its unit of time, and the step that set each (op * 8 + LoggopsStepKind, or
// UINT32_MAX for the start of the run); see loggops_ledger.h.
typedef struct LoggopsTimes {
    const Goal *goal;             // borrowed
    double *start, *take;         // by operation: when it starts; of a send: when its message is taken
    uint32_t *start_by, *take_by; // by operation: what set these times; take_by of a receive is the send that it met
    double *finish;               // by host
    uint32_t last_host, last_by;  // the lowest host that ends last, and what set its end
    // Returns when a step that begins at t ends; `op` is the send, or the calc.
    double (*charge)(const struct LoggopsTimes *times, LoggopsStepKind kind, const GoalOp *op, double t);
    union {
        LoggopsParams params; // its levels are borrowed from the run
        LoggopsTicks ticks;
    };
} LoggopsTimes;
