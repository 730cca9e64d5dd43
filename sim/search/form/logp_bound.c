#include "search/form/logp_bound.h"
#include "engine/model/logp_figures.h"
#include "search/form/text_run.h"
#include "search/form/text_samples.h"
#include <math.h>

// Returns the least L and G of the levels from `first` to the one before `end`; INFINITY if there are none. Without
// levels, all messages are at the level 0.
static LoggopsLevel least(const LoggopsParams *at, int first, int end)
{
    LoggopsLevel least = {INFINITY, INFINITY};
    for (int k = first; k < end; k++) {
        const LoggopsLevel far = {at->L, at->G}, level = at->level ? at->level[k] : far;
        least = (LoggopsLevel){MIN(least.L, level.L), MIN(least.G, level.G)};
    }
    return least;
}

// How long one way of a rank's network interface is busy. The rank may end before the gap behind its last message does.
typedef struct Gaps {
    double all_s, longest_s;
} Gaps;

// A rank, and what its text has cost it.
typedef struct Busy {
    TextRun text;
    LoggopsParams at;
    double enough_s;
    const Mapping *map; // NULL if all messages are far
    int rank;
    double least_flight_s; // of any message
    double cpu_s, takes_s; // what the processor does, and how much of this is to take messages
    bool receives;
    Gaps out, in;
} Busy;

static double further(size_t len)
{
    return len > 1 ? (double)(len - 1) : 0;
}

static double byte_s(const Busy *x, int peer)
{
    return x->map ? x->at.level[mapping_level(x->map, x->rank, peer)].G : x->at.G;
}

static void add_gap(const Busy *x, Gaps *gaps, int peer, size_t len)
{
    const double gap_s = x->at.g + further(len) * byte_s(x, peer);
    gaps->all_s += gap_s;
    gaps->longest_s = MAX(gaps->longest_s, gap_s);
}

static double bound_of(const Busy *x)
{
    const double out_s = x->out.all_s - x->out.longest_s, in_s = x->in.all_s - x->in.longest_s,
                 taken_s = x->receives ? x->least_flight_s + MAX(x->takes_s, in_s) : 0;
    return MAX(MAX(x->cpu_s, out_s), taken_s);
}

static void go_on(CollRun *run, const CollIssue *op)
{
    Busy *x = (Busy *)run;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND) {
        x->cpu_s += x->at.o + further(op->out->len) * x->at.O;
        add_gap(x, &x->out, op->to, op->out->len);
    }
    if (k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV) {
        const double take_s = x->at.o + further(op->in->len) * MAX(x->at.O, byte_s(x, op->from));
        x->cpu_s += take_s;
        x->takes_s += take_s;
        x->receives = true;
        add_gap(x, &x->in, op->from, op->in->len);
    }
    if (k == COLL_REDUCE_OP)
        x->cpu_s += (double)op->in->len * x->at.gamma;
    if (bound_of(x) >= x->enough_s)
        text_leave(&x->text);
}

double logp_bound(const Operation *op, const Model *model, const Platform *platform, const Mapping *map,
                  double enough_s)
{
    const LoggopsParams at = logp_figures(model, platform, map);
    Busy x = {.at = at,
              .enough_s = enough_s,
              .map = at.level ? map : NULL,
              .rank = -1,
              .least_flight_s = at.o + least(&at, 0, MAX(at.n_levels, 1)).L};
    double latest_s = 0;
    text_run_init(&x.text, go_on);
    for (int i = 0; i < TEXT_SAMPLES && latest_s < enough_s; i++) {
        const int rank = text_sample_rank(op, i);
        if (rank == x.rank) // few ranks
            continue;
        x.rank = rank;
        x.cpu_s = x.takes_s = 0;
        x.receives = false;
        x.out = x.in = (Gaps){0};
        text_run(&x.text, op, rank);
        latest_s = MAX(latest_s, bound_of(&x));
    }
    coll_run_clear(&x.text.run);
    g_free((gpointer)at.level);
    return latest_s;
}

// ---- Of any algorithm -----------------------------------------------------------------------------------------------

// Returns how long `bytes` take, at least, that some rank sends, or receives, in one or more messages, if each message
// but one must wait for the gap or the CPU time of another.
static double stream_s(const LoggopsParams *at, double bytes, double way_s, double G)
{
    return bytes > 0 ? way_s + further((size_t)bytes) * MAX(MIN(at->g, G), MIN(at->o, at->O)) : 0;
}

BoundTimes logp_bound_times(Collective collective, int p, double m, const Model *model, const Platform *platform,
                            const Mapping *map)
{
    const Bounds bounds = bounds_lower(collective, p, m);
    if (bounds.rounds == 0)
        return (BoundTimes){0};
    const LoggopsParams at = logp_figures(model, platform, map);
    const gboolean apart = at.level && map->code && map->nodes->n > 1;
    const int end = MAX(at.n_levels, 1), between = apart ? bounds_between(map) : end;
    const double gap_s = MAX(at.o, at.g);
    const LoggopsLevel near = least(&at, 0, between), far = least(&at, between, end), any = least(&at, 0, end);
    g_free((gpointer)at.level);
    const double way_s = 2 * at.o + any.L;
    BoundTimes x = {.latency_s = bound_times_spread(p, way_s, gap_s, 1),
                    .bandwidth_s = stream_s(&at, bounds.bytes, way_s, any.G),
                    .computation_s = bounds.work * at.gamma};
    if (between == end)
        return x;
    // All that the ranks of a node know is one rank's, which has the ports of all.
    const double far_s = 2 * at.o + far.L;
    x.latency_s = fmax(x.latency_s, bound_times_spread(map->nodes->n, far_s, gap_s, coll_nodes_largest(map->nodes)));
    // NICs limit nothing here, so all bytes may pass between nodes if they are cheaper there.
    const LevelBytes byte = {MIN(at.g, MIN(near.G, far.G)), MIN(at.g, far.G)};
    const double busy_s = bounds_nodes_at(collective, m, platform, TRANSFER_RENDEZVOUS, map, NULL, &byte);
    x.nodes_s = busy_s > 0 ? way_s + MAX(busy_s - byte.far, 0) : 0;
    return x;
}
