// The groups that hierarchical algorithms work in. All of them need nodes that are known. An algorithm over nodes that
// runs in such a group groups its ranks at the next level of the machine: inside a node by socket, for example, and the
// leaders of the nodes by groups of nodes.
#pragma once
#include "api/view.h"

// Which rank of a node is its leader.
typedef enum {
    LEADER_ROOT,  // the root in the root's node, the first rank in every other one
    LEADER_FIRST, // the first rank
    LEADER_LANE,  // the rank that has the root's number within its node; the nodes must be of equal size
} Leader;

// Returns the rank that leads a node.
int coll_leader_of(const Coll *c, int node, Leader leader);
// Returns the group of the ranks of the caller's node. The root of the group is the node's leader.
Coll coll_node_under(const Coll *c, Leader leader);
// Returns the group of the leaders of all nodes, in the order of the nodes. Its root is the leader of the operation's
// root's node; its `rank` is -1 if the caller is not a leader.
Coll coll_leaders_who(const Coll *c, Leader leader);
// Return the same for LEADER_ROOT.
Coll coll_node(const Coll *c);
Coll coll_leaders(const Coll *c);
// Returns the group of the ranks that have the caller's number within their node, one for each node that has this many.
Coll coll_lane(const Coll *c);
