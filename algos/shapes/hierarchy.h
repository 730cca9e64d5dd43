// Hierarchies: broadcasts, reductions, allreduces and barriers that are made of collectives within the nodes and
// collectives among the nodes' leaders. A hierarchy is a list of steps; each step calls one part of the algorithm:
//
//     static const Hierarchy plan = {LEADER_LANE, 2, {{AMONG_LEADERS, UP}, {IN_NODES, LOW}}};
//
// If the algorithm has the parameter `segment`, every segment of the vector goes through all steps, and a segment is
// one step behind the segment before it. In one turn, a rank begins the steps among the leaders for their segments,
// the last step first, then goes through the steps within its node for theirs, the first step first, and then ends
// those among the leaders (coll_overlap). This is what Open MPI's HAN does.
#pragma once
#include "registry/needs.h"
#include "shapes/node.h"

typedef struct CollPoint CollPoint; // times/times.h

enum { HIERARCHY_STEPS = 4 };

typedef struct Hierarchy {
    Leader leader;
    int n; // steps
    struct {
        enum { IN_NODES, AMONG_LEADERS } group;
        int part; // index in CollParams.part
    } step[HIERARCHY_STEPS];
} Hierarchy;

// Runs the text. The vector is c->in before the first step and c->out after it, or a scratch buffer at a rank that is
// not to have the result of a reduction.
void hierarchy_run(const Coll *c, const Hierarchy *h);
// Returns true if every part can run on its groups. All ranks get the same answer.
bool hierarchy_can(const Coll *c, const Hierarchy *h);
// The text of the need that all parts can run, for which hierarchy_can is asked.
#define HIERARCHY_NEED(holds)                                                                                          \
    {                                                                                                                  \
        holds, "a part cannot run on these nodes", "parts that can run on the nodes"                                   \
    }
// Returns the sum of the times of the steps, if the vector is one segment: of those among the leaders with the figures
// of messages between nodes, of the others with those of messages within a node. Returns -1 if there are several
// segments, if a part has no formula, or if the nodes are not of equal size.
int64_t hierarchy_time(const CollPoint *x, const Hierarchy *h);
