// Two ways through all ranks, which an algorithm can take at once. One of them goes around the ranks node by node, so
// that most neighbours share a node, and the other one lane by lane: if all nodes are of equal size, no two neighbours
// on it share a node. The nodes must be known.
//
// Example: 2 nodes of 3 ranks
//
//     by node   0 1 2 3 4 5     by lane   0 3 1 4 2 5
#pragma once
#include "api/blocks.h"
#include "api/communicate.h"

typedef enum { WAY_BY_NODE, WAY_BY_LANE } RankWay;

// Returns the place of a rank on a way, 0 .. p-1.
int two_ways_place(const CollNodes *nodes, RankWay way, int rank);
// Returns the rank that is so many places before the caller on a way, -p <= places <= p. The last place is before the
// first one.
int two_ways_before(const Coll *c, RankWay way, int places);
// Returns the part of s that travels a way: par.chains percent of its elements, rounded down, travel by node, and the
// rest by lane.
Slice two_ways_share(const Coll *c, RankWay way, Slice s);

// ---- Chains ---------------------------------------------------------------------------------------------------------

// A chain that begins at the root and goes along a way, as the caller sees it. Segments of its share of a vector travel
// down it, away from the root, or up.
typedef struct WayChain {
    int before, after; // the neighbours, nearer to the root and farther from it; -1 at an end
    int64_t first;     // the step in which the caller receives segment 0, or sends it if none comes
    Blocks segments;   // of the share
} WayChain;

// Returns the chain. Segments follow each other a step after a step, and take par.leaders steps from rank to rank.
WayChain two_ways_chain(const Coll *c, RankWay way, Slice vector, bool up);
// Returns the segment whose turn is in step t, if the turn of segment 0 is in step `first`; -1 if there is none.
int two_ways_segment(const WayChain *x, int64_t first, int64_t t);

// The largest par.leaders of an algorithm with chains.
enum { WAYS_MOST_AHEAD = 8 };

// The steps in which the caller takes part in two chains at once, and the messages of the last of them.
typedef struct WaySteps {
    int64_t t;           // the step; before the first one until two_ways_next() is called
    int64_t idle, again; // the chains have nothing to do from step `idle` to before step `again`, if that is later
    int64_t end;         // the step after the last one
    CollReq open[WAYS_MOST_AHEAD][4];
    int n_open[WAYS_MOST_AHEAD];
} WaySteps;

WaySteps two_ways_steps(const Coll *c, const WayChain *a, const WayChain *b);
// Goes on to the next step, and waits for the messages of the step par.leaders before it. Returns false after the last.
bool two_ways_next(const Coll *c, WaySteps *x);
// Notes a message that begins in this step, at most 4 in all.
void two_ways_begin(const Coll *c, WaySteps *x, CollReq message);
