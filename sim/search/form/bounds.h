// Lower bounds: what no algorithm of messages can beat on a fully connected network (Chan et al. 2007; Bar-Noy and
// Kipnis 1994). They hold if all blocks have the same length; reductions may be reordered and shared out among the
// ranks.
#pragma once
#include "coll.h"
#include "machine/platform/mapping.h"
#include "engine/replay/cost.h"

// Three lower bounds of a collective. Each holds on its own: T is at least rounds x alpha, at least bytes x beta, and
// at least work x gamma. An algorithm that reaches all three at once need not exist.
typedef struct Bounds {
    double rounds; // messages that must follow each other
    double bytes;  // bytes that must pass through one port of some rank
    double work;   // bytes that some rank must reduce
} Bounds;

// Returns the bounds for p >= 1 ranks and m >= 0 bytes, as -m gives them, where a rank has one port each way
// (rendezvous and eager-port). All three are 0 on one rank, and for m = 0 in every collective but the barrier. A
// reduce_scatter must have at least one element for each rank.
Bounds bounds_lower(Collective collective, int p, double m);
// Returns the bounds for ranks with `ports` >= 1 ports each way. With `eager`, messages arrive without taking a port:
// then a gather, gatherv or reduce, in which all messages can go to one rank at once, is bounded only by what each
// other rank sends.
Bounds bounds_of_ports(Collective collective, int p, double m, int ports, bool eager);
// Returns the formulas of bounds_of_ports as "ceil(log2 p) alpha, m beta". Free with g_free.
char *bounds_text(Collective collective, int ports, bool eager);
// Returns the figures that lower bounds use: on a machine with levels, the least alpha and beta of all levels. `map` is
// where the ranks are (PredictOptions.map).
Hockney bounds_figures(const Platform *platform, const Mapping *map);
// Returns how long the messages through the NICs of some node take at least, in seconds, whatever the algorithm: the
// bounds on bytes hold between nodes as between ranks, where all that a node's ranks have is one rank's. They hold under
// measured, too; the other disciplines of messages do not differ here. Returns 0 if nodes have no NICs, or differ in
// size.
double bounds_nics(Collective collective, double m, const Platform *platform, Transfer transfer, const Mapping *map);
// Returns how long the ports of some node's ranks are busy at least, in seconds, on a machine on which a byte within a
// node costs more or less than one between nodes. Where it costs less, only the bytes that must cross nodes cost more;
// in a gather or scatter, all ranks of the root's node can receive or send these. Where it costs more, the best is a
// mix: the NICs carry what they can meanwhile. Returns 0 if there are no such levels, if nodes differ in size, or if
// nothing is known of the collective.
double bounds_nodes(Collective collective, double m, int ports, const Platform *platform, Transfer transfer,
                    const Mapping *map);
// The least time of a byte at the ports of a rank, in seconds: of one within a node, and of one between nodes; INFINITY
// where there are no such levels.
typedef struct LevelBytes {
    double near, far;
} LevelBytes;
// Does what bounds_nodes() does with these times. `site` is the machine's for these ranks; NULL under measured.
double bounds_nodes_at(Collective collective, double m, const Platform *platform, Transfer transfer, const Mapping *map,
                       const Site *site, const LevelBytes *byte);
// The least alpha and beta of some levels, in seconds; INFINITY if there are none.
typedef struct LinkCosts {
    double alpha, beta;
} LinkCosts;
// Returns those of the levels from `first` to the one before `end`.
LinkCosts bounds_links(const Site *site, int first, int end);
// Returns the innermost level at which ranks of different nodes communicate.
int bounds_between(const Mapping *map);

// Returns the least time, in seconds, of a bcast on p >= 2 ranks that cuts its vector into equal blocks and sends them
// one by one. S blocks take at least S - 1 + ceil(log2 p) rounds, so even with the best S the time is at least
// (sqrt((ceil(log2 p) - 1) alpha) + sqrt(m beta))^2. An algorithm with blocks of different lengths, or with several
// blocks in one message, may be faster.
double bounds_bcast_blocks(int p, double m, const Platform *platform);
