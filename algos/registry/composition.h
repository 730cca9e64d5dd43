// Compositions: algorithms that are made of other algorithms.
#pragma once
#include "registry/entry.h"

// Returns true if an algorithm has others as its parts.
bool algorithm_has_parts(const CollAlgorithm *algorithm);

// Runs another algorithm on this view, with its parameters at their defaults. The function checks the algorithm's needs
// on the view, and runs the fallback if a need is not met. There must be a fallback then (coll_can).
void coll_call(const Coll *c, const CollAlgorithm *algorithm);
// Does the same, and lets `meanwhile` overlap with it (coll_overlap).
void coll_call_overlapped(const Coll *c, const CollAlgorithm *algorithm, void (*meanwhile)(void *data), void *data);
// Returns true if coll_call can run the algorithm or a fallback.
bool coll_can(const Coll *c, const CollAlgorithm *algorithm);
// Returns the smallest v that has the same schedule as the caller's v if coll_call runs the algorithm
// (CollAlgorithm.same_as). Returns the caller's v if no symmetry is known, or if peers are not PEERS_SHIFT.
int call_same(const Coll *c, const CollAlgorithm *algorithm);
// Returns T of coll_call on p ranks and m bytes, with alpha, beta, gamma and the discipline of x; -1 if no formula is
// known. For a reduce_scatter_block, m is a rank's block.
// At a point with two levels, the algorithm must have a formula that knows them. On a machine with levels inside or
// outside the nodes, an algorithm that may group ranks by them has no such formula.
int64_t call_time(const CollPoint *x, const CollAlgorithm *algorithm, int p, int64_t m);
// Return the same for part[part] of x on one rank of every node, with the figures of messages between nodes, and on p
// ranks of one node, with those of messages within a node.
int64_t call_time_far(const CollPoint *x, int part, int64_t m);
int64_t call_time_near(const CollPoint *x, int part, int p, int64_t m);
// Returns true if every rank has done its part in this reduction when the root has the result, so that the times of the
// reduction and of what the root then sends to the others add up. It is not so in those over nodes.
bool call_root_ends(const CollAlgorithm *reduction);
// Returns true if all of n ranks that begin this algorithm at the same time are known to end it at the same time.
bool call_ends_in_step(const CollAlgorithm *algorithm, int n);

// Returns the algorithm that runs on this view: `algorithm` itself if its needs are met, and its fallback otherwise.
// For a fallback, *why becomes the text of the unmet need, and c->par becomes the fallback's parameters: it takes over
// the values of the parameters that both algorithms have, and uses defaults for the others. Returns NULL, and sets
// *why, if a need is not met and there is no fallback. *why is unchanged if the needs are met.
const CollAlgorithm *coll_resolve(const CollAlgorithm *algorithm, Coll *c, const char **why);

// The need of a composition over nodes: part[0] can run among the leaders, and the other parts can run within every
// node.
extern const CollNeed need_node_parts;
// Returns the sum of the times of the parts: of part[0] with the figures of messages between nodes, and of the others
// with those of messages within a node. Returns -1 if a part has no formula, or if the nodes are not of equal size.
int64_t call_node_parts_time(const CollPoint *x);
