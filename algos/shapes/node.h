// The groups that hierarchical algorithms work in. All of them need nodes that are known.
#pragma once
#include "api/view.h"

// Returns the group of the ranks of the caller's node. The root of the group is the node's leader: the operation's root
// if it is in the node, and the node's first rank otherwise.
Coll coll_node(const Coll *c);
// Returns the group of the leaders of all nodes, in the order of the nodes. Its root is the operation's root; its
// `rank` is -1 if the caller is not a leader.
Coll coll_leaders(const Coll *c);
// Returns the group of the ranks that have the caller's number within their node, one for each node that has this many.
Coll coll_lane(const Coll *c);
