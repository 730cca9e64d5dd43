// The gears. None of them uses another. Private to the replay.
#pragma once
#include "engine/replay/result.h"

struct Machine;

typedef struct GearInput {
    const Schedule *s;
    Hockney model;
    const Stamp *from; // by rank: its clock at the start, and what the clock has paid; NULL if all ranks begin at 0
    int ranks;         // v = 0 .. ranks-1 are replayed; if these are fewer than p, they stand for all (schedule_period)
    bool clocks, path; // keep the end of every rank; keep the critical path
    bool clock_only;   // nobody needs what the last rank has paid
    double enough_s;   // a run that takes longer may be given up, as Replay.beyond; INFINITY for none
    bool traced;       // the run is repeated without a path, and had one
    bool times;        // with clocks: nobody needs what they have paid
    // With path: makes the ledger of all operations, up to the v of the last rank to end; NULL if none is wanted.
    struct Ledger *(*ledger)(struct Machine *m, int last);
    const struct LedgerWish *part; // the part of the ledger that is wanted (ledger_part.h); NULL for all of it
    double part_end;               // with part: the end of the whole run
    int path_to;                   // 1 + the rank at which the path ends; 0 for the last rank to end
    // Under measured, by rank: when the last message that it received began; -1 if it received none. Blocking sets
    // these for a tail in lockstep, unless it is NULL, and lockstep reads them if it begins with a tail.
    double *begun;
} GearInput;

enum { LOCKSTEP_LEVELS = 8 }; // of a machine, at most

// Kinds of operations, as bits of Schedule.kinds: a rank's own work; what lockstep can do; what leaves no request open.
enum {
    OPS_WORK = 1u << OP_REDUCE | 1u << OP_COPY | 1u << OP_FRESH | 1u << OP_CONNECT | 1u << OP_MATCH | 1u << OP_BOUNCE,
    OPS_IN_STEP = 1u << OP_SENDRECV | OPS_WORK | 1u << OP_LOOP,
    OPS_BLOCKING = 1u << OP_SEND | 1u << OP_RECV | OPS_IN_STEP
};

// Returns true if the schedule has no operations but the allowed kinds and END.
static inline bool has_only(const Schedule *s, uint32_t allowed)
{
    return !(s->kinds & ~(allowed | 1u << OP_END));
}

// Returns true if ranks have one port in each direction.
static inline bool has_one_port(const Hockney *h)
{
    return !cost_is_measured(h) || h->site->measured->ports == 1;
}

// Runs all ranks in lockstep, in turns of n, from operation `first` of every class to the end. If n is 1, all classes
// must be alike from there on; otherwise n comes from turns_of, and first is 0.
// If all ranks pay the same, `one` is the result of one rank in another gear, and its certificate and path are every
// rank's. Otherwise `one` is NULL, and the path is found by a walk backwards. Takes over `one` and returns it, or a new
// result. Returns NULL if, under measured, messages may take a port in another order than that of the steps.
Replay *lockstep_replay(const GearInput *in, int n, uint32_t first, Replay *one);
// Does the same on a network between nodes, from the first operation on, under rendezvous, eager or measured, where
// nothing but ports and links is shared. It keeps no path. Returns NULL as lockstep_replay does.
Replay *lockstep_links_replay(const GearInput *in, int n);
// Returns the clock of any rank after the first n operations. All ranks must have these operations in common and pay
// the same for them.
Stamp lockstep_head(const GearInput *in, uint32_t n);

// Return the memory that gears need, in bytes: for each rank, for each request beyond two of a rank, for each entry of
// a trace, and in lockstep for p ranks in turns of n with this many steps. `skewed` says that ranks do not all begin at
// 0.
size_t blocking_rank_bytes(const Schedule *s, const Hockney *model, bool skewed);
size_t machine_rank_bytes(void);
size_t event_rank_bytes(void);                                   // in addition
size_t flow_rank_bytes(const Schedule *s, const Hockney *model); // in addition
size_t sharing_rank_bytes(void);                                 // in addition, where a node's ranks share something
size_t machine_request_bytes(void);
size_t graph_bytes(const Schedule *s); // in addition, of all operations of a graph; 0 for other schedules
size_t machine_trace_bytes(bool values, bool ledger); // of an entry of a trace
// Returns true if each entry of a trace needs what its step takes, which does not follow from the operation.
bool machine_trace_values(const Schedule *s, const Hockney *model, bool ledger);
size_t lockstep_bytes(int p, int n, int64_t steps);
size_t lockstep_links_bytes(int p);

// Returns true if no two transfers can compete for a port or for what ranks share, under any discipline but eager-port.
bool flow_is_free(const Schedule *s, const Hockney *model);
// Returns true if flow may run all ranks: if it is free, or if ports can choose among the open receives of their ranks.
bool flow_applies(const Schedule *s, const Hockney *model);

// The other gears. If fewer than p ranks are replayed, they return NULL where these turn out not to stand for all: a
// rank is stuck, or the result depends on an order among all ranks. The gear chain, in which blocking_replay() runs
// ranks one by one and convoy_replay() forms convoys, also returns NULL if any rank is stuck. So does flow under
// measured, and if messages do not come to each port in the order of its receives. Flow returns NULL if transfers
// compete and a message takes no time.
Replay *blocking_replay(const GearInput *in);
Replay *blocking_noisy_replay(const GearInput *in); // the same with noise
Replay *flow_replay(const GearInput *in);
Replay *flow_measured_replay(const GearInput *in); // what flow_replay does under measured
size_t flow_measured_rank_bytes(void);
Replay *event_replay(const GearInput *in);
