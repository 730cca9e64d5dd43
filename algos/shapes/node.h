// Nodes: runs of per_node consecutive ranks (the last one may be shorter), and the groups that hierarchical algorithms
// work in.
#pragma once
#include "api/view.h"

// The ranks of the caller's node. The root of this group is the node's leader: its first rank, or the operation's root
// if that is in the node.
Coll coll_node(const Coll *c);
// The leaders of all nodes, in the order of the nodes; the rank is -1 if the caller is not a leader.
Coll coll_leaders(const Coll *c);
// The ranks that have the caller's number within their node, one for each node.
Coll coll_lane(const Coll *c);
