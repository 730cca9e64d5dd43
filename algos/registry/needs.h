// Needs: the conditions that must hold for an algorithm to run.
#pragma once
#include "api/view.h"

typedef struct CollNeed {
    bool (*holds)(const Coll *c); // must give the same answer at all ranks
    const char *otherwise;        // the text if the need is not met: "count < p"
    const char *text;             // the text of the need: "count >= p"
} CollNeed;
extern const CollNeed need_pow2, need_even, need_two, need_commutative, need_count_p, need_count_pow2, need_fragment;
// There are several nodes, and several ranks in a node.
extern const CollNeed need_nodes;
// Every node has as many ranks as the others. It comes after need_nodes in a list of needs.
extern const CollNeed need_nodes_equal;
// The ranks of a node are consecutive, and follow those of the node before: always, or unless the operation is
// commutative. Both come after need_nodes in a list of needs.
extern const CollNeed need_nodes_ordered, need_nodes_order;
