// Hierarchies: broadcasts, reductions, allreduces and barriers that are made of collectives within the nodes and
// collectives among the nodes' leaders. A hierarchy is a list of steps; each step calls one part of the algorithm. The
// entry names the list, and leaves the rest to the functions below, which find it there (CollParams.of):
//
//     static const Hierarchy plan = {LEADER_LANE, 2, {{AMONG_LEADERS, UP}, {IN_NODES, LOW}}};
//
//         .run = hierarchy_run,
//         .hierarchy = &plan,
//         .needs = {&need_nodes, &need_nodes_equal, &need_hierarchy},
//         .same_as = hierarchy_same,
//         .formula = hierarchy_time,
//
// If the algorithm has the parameter `segment`, every segment of the vector goes through all steps, and a segment is
// one step behind the segment before it. In one turn, a rank begins the steps among the leaders for their segments,
// the last step first, then goes through the steps within its node for theirs, the first step first, and then ends
// those among the leaders (coll_overlap). This is what Open MPI's HAN does.
#pragma once
#include "registry/needs.h"
#include "shapes/node.h"

typedef struct CollPoint CollPoint; // times/times.h
typedef struct Hierarchy Hierarchy;

enum { HIERARCHY_STEPS = 4 };

// Who takes part in a step.
typedef enum HierarchyGroup {
    IN_NODES,       // every node; its leader is the root
    IN_ROOTS_NODE,  // the root's node alone, and the operation's root is the root
    IN_OTHER_NODES, // every node but the root's; its leader is the root
    AMONG_LEADERS,  // the leaders; the leader of the root's node is the root
    TO_FIRST,       // the leaders; rank 0 is the root, and must be a leader
    FROM_ROOT,      // no part: the root sends the vector to its node's leader, unless it leads the node itself
    FIRST_TO_ROOT,  // no part: rank 0 sends the vector to the root, unless it is the root
} HierarchyGroup;

struct Hierarchy {
    Leader leader;
    int n; // steps
    struct {
        HierarchyGroup group;
        int part; // index in CollParams.part
    } step[HIERARCHY_STEPS];
    size_t signal; // bytes that a broadcast sends in a barrier, which has no vector
    // The steps in place of these if the root does not lead its node; NULL if they are the same. They have the same
    // leaders, and the same parts in the same groups.
    const Hierarchy *root_follows;
    // Returns true if no two steps among the leaders send messages from one rank to the same other rank, so that they
    // can be under way at the same time: messages have no tags. NULL if that always holds. Otherwise a step among the
    // leaders ends before the next one begins.
    bool (*apart)(const CollParams *par);
};

// Runs the text. The vector is c->in before the first step and c->out after it, or a scratch buffer at a rank that is
// not to have the result of a reduction.
void hierarchy_run(const Coll *c);
// Every part can run on its groups. It comes after need_nodes in a list of needs.
extern const CollNeed need_hierarchy;
// Returns the sum of the times of the steps with root 0, if the vector is one segment: of those among the leaders with
// the figures of messages between nodes, of the others with those of messages within a node. A plan that treats the
// root's node in a step of its own has no such sum. Returns -1 if there are several segments, if a part has no formula,
// or if the nodes are not of equal size.
int64_t hierarchy_time(const CollPoint *x);
// Returns the smallest v that has the schedule of the caller, for CollAlgorithm.same_as.
int hierarchy_same(const Coll *c);
